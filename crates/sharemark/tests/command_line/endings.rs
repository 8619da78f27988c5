//! A run that is interrupted or killed, in every phase: nothing of the user's is touched, and `clean` leaves the folder
//! as it was.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Home, stderr, stdout};

/// A run that goes on until it is ended: a file large enough that no phase is over before the signal comes.
const LONG: [&str; 12] =
    ["--size", "64MiB", "--block", "4KiB", "--runs", "50", "--pause", "1s", "--settle", "1s", "--lang", "en"];

/// How long anything here may take, not to hang a test.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(home: &Home) -> Child {
    fs::write(home.share().join("thesis.txt"), b"mine").unwrap();
    home.sharemark(&["run", home.path(), "--json", "-"])
        .args(LONG)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the run's own folder holds at least `files` files; for none, until it holds none.
pub(crate) fn until_files(home: &Home, files: usize) {
    let begun = Instant::now();
    loop {
        let own = home.listed().into_iter().find(|name| name.starts_with("sharemark-"));
        let count = own.and_then(|name| Some(fs::read_dir(home.share().join(name)).ok()?.count()));
        if count.is_some_and(|count| if files == 0 { count == 0 } else { count >= files }) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "the run did not begin");
        thread::sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, name: &str) {
    signal_process(child.id(), name);
}

fn signal_process(process: u32, name: &str) {
    let process = process.to_string();
    assert!(Command::new("kill").args([&format!("-{name}"), &process]).status().unwrap().success());
}

/// Waits for a worker of this run that has been at work for a moment: one that moves bytes.
fn busy_worker(child: &Child) -> u32 {
    let begun = Instant::now();
    loop {
        let worker = worker_of(child);
        thread::sleep(Duration::from_millis(100));
        if let Some(worker) = worker.filter(|_| worker_of(child) == worker) {
            return worker;
        }
        assert!(begun.elapsed() < PATIENCE, "no worker");
    }
}

/// The worker of this run, if there is one at this moment.
fn worker_of(child: &Child) -> Option<u32> {
    let pid = child.id().to_string();
    let output = Command::new("ps").args(["-o", "pid=", "--ppid", &pid]).output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().find_map(|line| line.trim().parse().ok())
}

fn only_the_users_own(home: &Home) {
    assert_eq!(home.listed(), ["thesis.txt"]);
    assert_eq!(fs::read(home.share().join("thesis.txt")).unwrap(), b"mine");
}

fn clean(home: &Home) {
    let begun = Instant::now();
    while home.manifests() > 0 {
        let output = home.sharemark(&["clean", "--lang", "en"]).output().unwrap();
        assert!(begun.elapsed() < PATIENCE, "{}{}", stdout(&output), stderr(&output));
        thread::sleep(Duration::from_millis(50));
    }
    only_the_users_own(home);
}

#[test]
fn one_interrupt_ends_the_run_cleanly_with_what_was_measured() {
    for name in ["INT", "TERM", "HUP"] {
        let home = Home::new();
        let child = start(&home);
        until_files(&home, 1);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["partial"], true, "{name}");
        assert_eq!(report["error"]["code"], "interrupted");
        // Whether a sample was complete by then depends on the moment.
        assert!(matches!(output.status.code(), Some(1 | 3)), "{:?}", output.status);
        only_the_users_own(&home);
        assert_eq!(home.manifests(), 0);
    }
}

#[test]
fn two_interrupts_end_it_at_once_and_clean_does_the_rest() {
    let home = Home::new();
    let child = start(&home);
    until_files(&home, 1);
    signal(&child, "INT");
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["partial"], true);
    clean(&home);
}

#[test]
fn a_killed_run_is_cleaned_whatever_it_was_doing() {
    // Different waits end in different phases: writing, settling, reading, pausing.
    for wait in [0, 30, 200, 900, 1300, 2100] {
        let home = Home::new();
        let mut child = start(&home);
        until_files(&home, 1);
        thread::sleep(Duration::from_millis(wait));
        signal(&child, "KILL");
        child.wait().unwrap();
        let run = home
            .sharemark(&["run", home.path(), "--lang", "en", "--size", "1MiB", "--runs", "1"])
            .output()
            .unwrap();
        assert!(stderr(&run).contains("sharemark clean"), "{wait}: {}", stderr(&run));
        clean(&home);
        let nothing = home.sharemark(&["clean", "--lang", "en"]).output().unwrap();
        assert_eq!(nothing.status.code(), Some(0));
    }
}

#[test]
fn a_killed_run_keeps_its_samples_in_the_history() {
    let home = Home::new();
    let mut child = start(&home);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let measured = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("round 1, read")));
    assert!(measured.is_some());
    signal(&child, "KILL");
    child.wait().unwrap();
    let show = home.sharemark(&["show", "--json", "-"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&show.stdout).unwrap();
    assert!(report["samples"].as_array().unwrap().len() >= 2, "{}", stderr(&show));
    assert!(report["summary"][0]["n"].as_u64() >= Some(1));
    assert_eq!(report["partial"], true);
    clean(&home);
}

#[test]
fn a_run_killed_before_its_first_sample_is_shown_for_what_it_is() {
    let home = Home::new();
    let mut child = start(&home);
    until_files(&home, 1);
    signal(&child, "KILL");
    child.wait().unwrap();
    let show = home.sharemark(&["show", "--lang", "en"]).output().unwrap();
    assert_eq!(show.status.code(), Some(0), "{}", stderr(&show));
    assert!(stdout(&show).contains("ended from outside"), "{}", stdout(&show));
    clean(&home);
}

#[test]
fn a_killed_worker_ends_the_run_and_everything_is_removed() {
    // Soon after the start a write is under way, later a read or whatever comes next.
    for wait in [0, 1500, 2600] {
        let home = Home::new();
        let child = start(&home);
        until_files(&home, 1);
        thread::sleep(Duration::from_millis(wait));
        signal_process(busy_worker(&child), "KILL");
        let output = child.wait_with_output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["partial"], true);
        assert_eq!(report["error"]["code"], "worker-died", "{report:#}");
        only_the_users_own(&home);
        assert_eq!(home.manifests(), 0);
    }
}

#[test]
fn a_run_under_way_is_not_cleaned() {
    let home = Home::new();
    let child = start(&home);
    until_files(&home, 1);
    let output = home.sharemark(&["clean", "--lang", "en"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(home.manifests(), 1);
    signal(&child, "INT");
    child.wait_with_output().unwrap();
    only_the_users_own(&home);
}

#[test]
fn what_somebody_put_into_the_folder_is_kept_and_told() {
    let home = Home::new();
    let mut child = start(&home);
    until_files(&home, 1);
    signal(&child, "KILL");
    child.wait().unwrap();
    let own = home.listed().into_iter().find(|name| name.starts_with("sharemark-")).unwrap();
    let theirs = home.share().join(&own).join("important.txt");
    fs::write(&theirs, b"theirs").unwrap();
    let output = home.sharemark(&["clean", home.path(), "--lang", "en"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains(&own), "{}", stdout(&output));
    assert!(stdout(&output).contains("did not make"), "{}", stdout(&output));
    assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
    fs::remove_file(&theirs).unwrap();
    clean(&home);
}

#[test]
fn a_worker_that_stands_still_is_abandoned() {
    let home = Home::new();
    let mut command = home.sharemark(&["run", home.path(), "--json", "-", "--stall", "2s"]);
    fs::write(home.share().join("thesis.txt"), b"mine").unwrap();
    let child = command.args(LONG).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until_files(&home, 1);
    let worker = busy_worker(&child);
    signal_process(worker, "STOP");
    let begun = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < PATIENCE);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["error"]["code"], "stalled", "{report:#}");
    assert_eq!(report["partial"], true);
    assert!(report["samples"].as_array().unwrap().last().unwrap()["bytes"].as_u64() > Some(0));
    only_the_users_own(&home);
}

#[test]
fn a_sample_during_which_the_process_was_stopped_is_measured_again() {
    let home = Home::new();
    let output = {
        let child = home
            .sharemark(&[
                "run",
                home.path(),
                "--json",
                "-",
                "--size",
                "16MiB",
                "--block",
                "4KiB",
                "--runs",
                "1",
            ])
            .args(["--settle", "0", "--pause", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        until_files(&home, 1);
        let worker = worker_of(&child).unwrap();
        signal_process(worker, "STOP");
        thread::sleep(Duration::from_millis(3500));
        signal_process(worker, "CONT");
        child.wait_with_output().unwrap()
    };
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let warnings = report["targets"][0]["warnings"].as_array().unwrap();
    let repeated = warnings.iter().find(|warning| warning["code"] == "sample-repeated");
    assert_eq!(repeated.unwrap()["reason"], "stopped", "{warnings:?}");
    assert_eq!(report["samples"].as_array().unwrap().len(), 2);
    assert!(home.listed().is_empty());
}
