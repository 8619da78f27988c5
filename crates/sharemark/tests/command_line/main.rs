//! The program as its users meet it: typed, interrupted, killed.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test: what fails here fails the test")]

mod access;
mod comparing;
mod demo;
#[cfg(unix)]
mod endings;
mod harness;
#[cfg(target_os = "linux")]
mod mounted;
mod targets;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use harness::{Home, SMALL, stderr, stdout};

#[test]
fn a_folder_is_measured_and_left_as_it_was() {
    let home = Home::new();
    fs::write(home.share().join("holiday.jpg"), b"mine").unwrap();
    let output = home.sharemark(&["run", home.path(), "--json", "-"]).args(SMALL).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["partial"], false);
    assert_eq!(report["samples"].as_array().unwrap().len(), 4);
    let interval = report["summary"][0]["ci95"].as_array().unwrap();
    let mean = report["summary"][0]["mean"].as_f64().unwrap();
    assert!(interval[0].as_f64().unwrap() <= mean && mean <= interval[1].as_f64().unwrap());
    for sample in report["samples"].as_array().unwrap() {
        let read = sample["workload"] == "seq-read";
        assert_eq!(sample["verified"].as_bool(), read.then_some(true), "{sample}");
        assert_eq!(sample["bytes"], 1 << 20);
    }
    assert_eq!(home.listed(), ["holiday.jpg"]);
    assert_eq!(fs::read(home.share().join("holiday.jpg")).unwrap(), b"mine");
    assert_eq!(home.manifests(), 0);
}

#[test]
fn the_json_is_what_the_schema_says() {
    let home = Home::new();
    let schema = home.sharemark(&["schema"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for arguments in
        [vec![home.path()], vec![home.path(), "--durability", "buffered"], vec!["/nowhere at all"]]
    {
        let mut command = home.sharemark(&["run"]);
        let output = command.args(&arguments).args(["--json", "-"]).args(SMALL).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<_> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:?}");
    }
}

#[test]
fn an_old_report_stays_readable() {
    let home = Home::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/schema-1.json");
    let text = fs::read_to_string(sample).unwrap();
    let report = sharemark_model::Report::from_json(&text).unwrap();
    assert!(!report.samples.is_empty() && !report.summary.is_empty());
    let schema = home.sharemark(&["schema"]).output().unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_slice(&schema.stdout).unwrap()).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(&text).unwrap()));
    // Written again it says the same, to the last bit.
    let again = sharemark_model::Report::from_json(&report.to_json().unwrap()).unwrap();
    assert_eq!(report, again);
}

#[test]
fn names_of_every_kind_are_measured() {
    for name in ["写真 $ 2026", "with spaces", "emoji 📷", "quote'\"s", "--json", "a=b", "$(reboot);`x`"]
    {
        let home = Home::new();
        let folder = home.share().join(name);
        fs::create_dir(&folder).unwrap();
        let output = home
            .sharemark(&["run", "--json", "-"])
            .args(SMALL)
            .args(["--", &format!("./{name}")])
            .current_dir(home.share())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["targets"][0]["location"], format!("./{name}"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn two_targets_are_measured_in_turn() {
    let home = Home::new();
    let (a, b) = (format!("a={}", home.path()), format!("b={}", home.path()));
    let output = home.sharemark(&["run", &a, &b, "--json", "-"]).args(SMALL).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let order: Vec<_> =
        report["samples"].as_array().unwrap().iter().map(|s| s["target"].as_str().unwrap()).collect();
    // The seed says who begins.
    let turns = [["a", "a", "b", "b", "b", "b", "a", "a"], ["b", "b", "a", "a", "a", "a", "b", "b"]];
    assert!(turns.iter().any(|turn| order == turn), "{order:?}");
    let comparisons = report["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 2);
    assert_eq!((comparisons[0]["n"].as_u64(), comparisons[0]["paired"].as_bool()), (Some(2), Some(true)));
    assert!(home.listed().is_empty());
}

#[test]
fn results_go_where_they_are_asked_to_go() {
    let home = Home::new();
    let (json, csv) = (home.data().join("r.json"), home.data().join("r.csv"));
    let files = ["--json", json.to_str().unwrap(), "--csv", csv.to_str().unwrap()];
    let output = home.sharemark(&["run", home.path()]).args(SMALL).args(files).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("MB/s"));
    assert!(sharemark_model::Report::from_json(&fs::read_to_string(json).unwrap()).is_ok());
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 5);
}

#[test]
fn the_history_keeps_a_run_and_shows_it_again() {
    let home = Home::new();
    let run = home.sharemark(&["run", home.path(), "-q"]).args(SMALL).output().unwrap();
    let list = home.sharemark(&["history"]).output().unwrap();
    assert!(stdout(&list).contains(home.path()) || stdout(&list).contains("20"), "{}", stdout(&list));
    let show = home.sharemark(&["show"]).output().unwrap();
    assert_eq!(show.status.code(), Some(0), "{}", stderr(&show));
    assert_eq!(stdout(&show), stdout(&run));
    let none = home.sharemark(&["show", "nope"]).output().unwrap();
    assert_eq!(none.status.code(), Some(1));
}

#[test]
fn a_history_that_cannot_be_written_loses_no_measurement() {
    let home = Home::new();
    let broken = home.data().join("broken.sqlite");
    fs::write(&broken, b"no database at all, but long enough to be taken for one").unwrap();
    let output = home
        .sharemark(&["run", home.path(), "--json", "-", "--history", broken.to_str().unwrap()])
        .args(SMALL)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["samples"].as_array().unwrap().len(), 4);
    let warned = report["targets"][0]["warnings"].as_array().unwrap();
    assert!(warned.iter().any(|warning| warning["code"] == "history-not-written"), "{warned:?}");
}

#[test]
fn every_wrong_use_is_told_in_both_languages_with_its_exit_code() {
    let home = Home::new();
    let file = home.share().join("file");
    fs::write(&file, b"x").unwrap();
    let (share, file) = (home.path().to_owned(), file.to_str().unwrap().to_owned());
    let missing = format!("{share}/missing");
    let long = format!("{share}/{}", "x".repeat(300));
    let cases: Vec<(Vec<&str>, i32)> = vec![
        (vec!["run", &missing], 1),
        (vec!["run", &file], 1),
        (vec!["run", &long], 1),
        (vec!["run", "smb://nas/Public"], 1),
        (vec!["run", ""], 2),
        (vec!["run"], 2),
        (vec!["run", &share, "--size", "0"], 2),
        (vec!["run", &share, "--size", "1XB"], 2),
        (vec!["run", &share, "--size", "1M"], 2),
        (vec!["run", &share, "--size", "-1"], 2),
        (vec!["run", &share, "--block", "0"], 2),
        (vec!["run", &share, "--size", "1MiB", "--block", "2MiB"], 2),
        (vec!["run", &share, "--depth", "0"], 2),
        (vec!["run", &share, "--block", "1GiB", "--depth", "8"], 2),
        (vec!["run", &share, "--size", "8EiB"], 2),
        (vec!["run", &share, "--size", "1TiB", "--block", "60GiB"], 2),
        (vec!["run", &share, "--json", "/tmp/x", "--csv", "/tmp/x"], 2),
        (vec!["run", &share, "--depth", "many"], 2),
        (vec!["run", &share, "--runs", "0"], 2),
        (vec!["run", &share, "--stall", "0s"], 2),
        (vec!["run", &share, "--time", "soon"], 2),
        (vec!["run", &share, "--data", "noise"], 2),
        (vec!["run", &share, "--durability", "maybe"], 2),
        (vec!["run", &share, "--profile", "slow"], 2),
        (vec!["run", &share, "--sise", "1MiB"], 2),
        (vec!["run", &share, "--size"], 2),
        (vec!["run", &share, "--size", "1MiB", "--size", "2MiB"], 2),
        (vec!["run", &share, "--json", "-", "--csv", "-"], 2),
        (vec!["history", "--limit", "-1"], 2),
        (vec!["run", &share, "--json", "/nowhere/at/all.json"], 1),
        (vec!["run", "ftp://nas/Public"], 2),
        (vec!["run", &share, &share], 2),
        (vec!["run", &share, "--history", "postgres://nas/db"], 2),
        (vec!["rnu", &share], 2),
        (vec![&share], 2),
        (vec!["history", "--limit", "few"], 2),
        (vec!["show", "--history", "none"], 1),
        (vec!["compare"], 2),
        (vec!["compare", "x", "y", "z"], 2),
        (vec!["compare", "x", "y"], 1),
        (vec!["compare", "x", "--history", "none"], 1),
        (vec!["run", &share, "--baseline", "nope"], 2),
        (vec!["run", &share, "--baseline"], 2),
    ];
    for (arguments, code) in cases {
        let mut texts = Vec::new();
        for language in ["en", "ja"] {
            let output = home.sharemark(&arguments).args(["--lang", language]).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
            assert!(output.stdout.is_empty(), "{arguments:?}: {}", stdout(&output));
            texts.push(stderr(&output));
        }
        assert!(texts[0].starts_with("error: ") && texts[0].len() > 20, "{arguments:?}: {}", texts[0]);
        assert!(texts[0].is_ascii() || !arguments.is_empty(), "{}", texts[0]);
        let japanese =
            |c: char| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c);
        assert!(texts[1].starts_with("エラー") && texts[1].contains(japanese), "{arguments:?}: {}", texts[1]);
        assert_eq!(fs::read_dir(home.share()).unwrap().count(), 1, "{arguments:?}");
    }
}

#[test]
fn a_language_there_is_not_is_told() {
    let home = Home::new();
    for arguments in [vec!["--lang", "tlh"], vec!["run", home.path(), "--lang=tlh"]] {
        let output = home.sharemark(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("en, ja"), "{}", stderr(&output));
    }
    assert!(home.listed().is_empty());
}

#[test]
fn a_password_that_was_typed_is_never_said_again() {
    let home = Home::new();
    let json = home.data().join("r.json");
    let json = json.to_str().unwrap();
    for arguments in [
        vec!["run", "smb://me:hush@nas/Public", "--json", json],
        vec!["run", "lan=smb://me:hu/sh@nas/Public", "--json", json],
        vec!["run", "https://me:hush@nas/dav"],
        vec!["smb://me:hush@nas/Public"],
        vec!["history", "smb://me:hush@nas/Public"],
        vec!["run", home.path(), "--history", "postgres://me:hush@nas/db"],
        vec!["run", home.path(), "--quiet=smb://me:hush@nas/Public"],
        vec!["show", "smb://me:hush@nas/Public"],
        vec!["compare", "smb://me:hush@nas/Public", "x"],
        vec!["run", home.path(), "--baseline", "smb://me:hush@nas/Public"],
    ] {
        for language in ["en", "ja"] {
            let output = home.sharemark(&arguments).args(["--lang", language]).output().unwrap();
            assert_ne!(output.status.code(), Some(0), "{arguments:?}");
            let said = stdout(&output) + &stderr(&output) + &fs::read_to_string(json).unwrap_or_default();
            assert!(!said.contains("hush") && !said.contains("hu/sh"), "{arguments:?}: {said}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_kernel_makes_up_is_refused() {
    let home = Home::new();
    let output = home.sharemark(&["run", "/proc", "--lang", "en"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/proc"), "{}", stderr(&output));
}

#[test]
fn a_file_that_does_not_fit_is_refused_before_anything_is_written() {
    let home = Home::new();
    let output = home.sharemark(&["run", home.path(), "--size", "8000TiB", "--lang", "en"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("TB"), "{}", stderr(&output));
    assert!(home.listed().is_empty() && home.manifests() == 0);
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_told() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let home = Home::new();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(home.share(), 0o555);
    mode(home.data(), 0o777);
    for (language, word) in [("en", "permission"), ("ja", "権限")] {
        let mut command = home.sharemark(&["run", home.path(), "--lang", language, "--history", "none"]);
        if harness::is_root() {
            // The administrator may write everywhere: be nobody.
            command.uid(65534).gid(65534);
        }
        let Ok(output) = command.args(SMALL).output() else {
            harness::skipped("another user cannot start the program where it is built");
            return;
        };
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).to_lowercase().contains(word), "{}", stderr(&output));
    }
    mode(home.share(), 0o755);
    assert!(home.listed().is_empty() && home.manifests() == 0);
}

#[test]
fn the_list_answers_in_time() {
    let home = Home::new();
    let start = Instant::now();
    for language in ["en", "ja"] {
        let output = home.sharemark(&["--lang", language]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(!stdout(&output).is_empty());
    }
    // Not a speed: the promise that no mount makes the list hang.
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let home = Home::new();
    let mut child = home.sharemark(&["schema"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_worker_refuses_what_is_no_job() {
    let home = Home::new();
    for input in ["", "{}\n", "{\"v\":99,\"order\":\"cancel\"}\n", "nonsense\n"] {
        let mut child = home
            .sharemark(&["worker"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{input}");
        assert!(!output.stderr.is_empty(), "{input}");
    }
}
