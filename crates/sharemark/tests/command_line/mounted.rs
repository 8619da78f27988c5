//! What needs a file system of its own, and therefore root: full, read-only, in memory. Runs with `SHAREMARK_LAB=1`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::endings::until_files;
use crate::harness::{Home, SMALL, is_root, skipped, stderr};

/// A small file system in memory at the home's share, unmounted in the end.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    /// Mounts it, or says why the test is skipped.
    fn new(home: &'a Home, options: &str) -> Option<Self> {
        if std::env::var_os("SHAREMARK_LAB").is_none_or(|value| value != "1") {
            skipped("mounting needs root; set SHAREMARK_LAB=1 to run this test");
            return None;
        }
        assert!(is_root(), "SHAREMARK_LAB=1 needs root");
        mount(&["-t", "tmpfs", "-o", options, "tmpfs"], home.share());
        Some(Self(home.share()))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        Command::new("umount").arg("-l").arg(self.0).status().ok();
    }
}

fn mount(arguments: &[&str], place: &Path) {
    assert!(Command::new("mount").args(arguments).arg(place).status().unwrap().success());
}

#[test]
fn a_disk_that_fills_up_in_mid_run_keeps_the_rounds_before() {
    let home = Home::new();
    let Some(_mounted) = Mounted::new(&home, "size=8m") else { return };
    let mut child = home
        .sharemark(&[
            "run",
            home.path(),
            "--size",
            "4MiB",
            "--block",
            "64KiB",
            "--runs",
            "3",
            "--pause",
            "2s",
        ])
        .args(["--settle", "0", "--lang", "en", "--json", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("round 1, read")));
    // Somebody else takes the room while the run pauses, its first file removed.
    until_files(&home, 0);
    let theirs = home.share().join("theirs.bin");
    fs::write(&theirs, vec![7u8; 6 << 20]).unwrap();
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{rest:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["error"]["code"], "no-space");
    assert_eq!(report["samples"].as_array().unwrap().len(), 3);
    assert_eq!(report["summary"][0]["n"], 1);
    assert_eq!(home.listed(), ["theirs.bin"]);
    assert_eq!(fs::metadata(&theirs).unwrap().len(), 6 << 20);
    assert_eq!(home.manifests(), 0);
}

#[test]
fn a_file_larger_than_the_room_is_refused_with_both_numbers() {
    let home = Home::new();
    let Some(_mounted) = Mounted::new(&home, "size=8m") else { return };
    let output = home.sharemark(&["run", home.path(), "--size", "9MiB", "--lang", "en"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("8.39 MB") || stderr(&output).contains("8.4 MB"), "{}", stderr(&output));
    assert!(home.listed().is_empty());
}

#[test]
fn a_read_only_file_system_is_named() {
    let home = Home::new();
    let Some(mounted) = Mounted::new(&home, "size=8m") else { return };
    mount(&["-o", "remount,ro"], mounted.0);
    for (language, word) in [("en", "read-only"), ("ja", "読み取り専用")] {
        let output = home.sharemark(&["run", home.path(), "--lang", language]).args(SMALL).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    assert_eq!(home.manifests(), 0);
}

#[test]
fn memory_is_never_called_a_share_and_its_cache_never_ruled_out() {
    let home = Home::new();
    let Some(_mounted) = Mounted::new(&home, "size=8m") else { return };
    let output = home.sharemark(&["run", home.path(), "--json", "-"]).args(SMALL).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let codes: Vec<_> =
        report["targets"][0]["warnings"].as_array().unwrap().iter().map(|w| w["code"].clone()).collect();
    assert!(codes.contains(&"memory-file-system".into()), "{codes:?}");
    assert!(codes.contains(&"cache-not-ruled-out".into()), "{codes:?}");
    assert!(
        report["samples"]
            .as_array()
            .unwrap()
            .iter()
            .all(|s| s["workload"] != "seq-read" || s["cache"]["ruled_out"] == false)
    );
}

#[test]
fn a_run_killed_on_a_share_that_is_then_unmounted_keeps_its_manifest() {
    let home = Home::new();
    let Some(mounted) = Mounted::new(&home, "size=64m") else { return };
    let mut child = home
        .sharemark(&[
            "run",
            home.path(),
            "--size",
            "8MiB",
            "--runs",
            "9",
            "--pause",
            "5s",
            "--history",
            "none",
        ])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("round 1, ")));
    child.kill().unwrap();
    child.wait().unwrap();
    drop(mounted);
    // The folder is there, but it is another file system: what was left is not gone.
    let output = home.sharemark(&["clean"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(home.manifests(), 1);
}
