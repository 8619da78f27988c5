//! Comparing reports, and a run with a baseline. Reports with known rates are kept by the history's own interface, so
//! that no answer depends on this machine's speed.

use std::fs;
use std::process::Output;

use sharemark_model::{Rate, Report};
use sharemark_store::BlockingHistory;

use crate::harness::{Home, SMALL, stderr, stdout};

/// A run of two rounds, as it was measured.
fn measured(home: &Home, targets: &[&str]) -> Report {
    let output = home.sharemark(&["run", "--json", "-"]).args(targets).args(SMALL).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    Report::from_json(&stdout(&output)).unwrap()
}

/// Keeps the report under another identifier, each sample at the rate that is told, and at it alone.
fn keep(home: &Home, report: &Report, id: &str, rate: impl Fn(&str) -> f64) {
    let mut report = report.clone();
    report.id = id.to_owned();
    for sample in &mut report.samples {
        // No two rounds agree to the last digit.
        sample.bytes_per_second = Rate(rate(&sample.target) * (1.0 + f64::from(sample.round) / 1e4));
    }
    report.summary = sharemark_stats::summarise(&report.plan, &report.samples);
    let history = BlockingHistory::open(&home.data().join("history.sqlite")).unwrap();
    history.finish(&report).unwrap();
}

fn compare(home: &Home, arguments: &[&str]) -> Output {
    home.sharemark(&["compare"]).args(arguments).output().unwrap()
}

/// The text without blanks and line breaks.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn two_reports_are_compared_in_both_languages_and_as_json() {
    let home = Home::new();
    let report = measured(&home, &[home.path()]);
    keep(&home, &report, "old-1", |_| 100e6);
    keep(&home, &report, "new-1", |_| 150e6);
    for (language, answer) in [("en", "1.50 times as fast as"), ("ja", "1.50倍の速さ")] {
        // The beginning of an identifier is enough.
        let output = compare(&home, &["new", "old", "--lang", language]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        // Where a line ends depends on the length of the folder's name.
        let (told, answer) = (unwrapped(&stdout(&output)), unwrapped(answer));
        assert_eq!(told.matches(&answer).count(), 2, "{told}");
    }
    let output = compare(&home, &["old-1", "new-1", "--json", "-"]);
    let found = json(&output);
    assert_eq!(
        (found["schema"].as_u64(), found["a"].as_str(), found["b"].as_str()),
        (Some(1), Some("old-1"), Some("new-1"))
    );
    assert_eq!(found["differences"].as_array().map(Vec::len), Some(0), "{found}");
    for comparison in found["comparisons"].as_array().unwrap() {
        assert_eq!(comparison["answer"], "slower");
        assert_eq!((comparison["n"].as_u64(), comparison["paired"].as_bool()), (Some(2), Some(false)));
    }
    assert!(stderr(&output).contains("0.67"), "{}", stderr(&output));
    let file = home.data().join("c.json");
    let output = compare(&home, &["old-1", "new-1", "--json", file.to_str().unwrap()]);
    assert!(stdout(&output).contains("0.67") && fs::read_to_string(file).unwrap().contains("comparisons"));
}

#[test]
fn reports_that_measured_something_else_are_refused_with_the_reason() {
    let home = Home::new();
    let mut report = measured(&home, &[home.path()]);
    keep(&home, &report, "old", |_| 100e6);
    report.plan.depth = 8;
    keep(&home, &report, "deeper", |_| 150e6);
    let output = compare(&home, &["old", "deeper", "--lang", "en"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("blocks at a time: 1 against 8"), "{}", stdout(&output));
    let output = compare(&home, &["old", "deeper", "--json", "-"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(json(&output)["comparisons"].as_array().map(Vec::len), Some(0));
    assert_eq!(json(&output)["differences"][0]["code"], "depth");
}

#[test]
fn a_report_s_own_targets_are_compared_again() {
    let home = Home::new();
    let (a, b) = (format!("a={}", home.path()), format!("b={}", home.path()));
    let report = measured(&home, &[&a, &b]);
    keep(&home, &report, "two", |target| if target == "a" { 200e6 } else { 100e6 });
    let output = compare(&home, &["two", "--lang", "en"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("a is 2.00 times as fast as b"), "{}", stdout(&output));
    let found = json(&compare(&home, &["two", "--json", "-"]));
    assert_eq!(found["comparisons"][0]["paired"], true);
    assert_eq!(found["comparisons"][1]["answer"], "faster");

    let single = measured(&home, &[home.path()]);
    keep(&home, &single, "one", |_| 100e6);
    let output = compare(&home, &["one"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("one"), "{}", stderr(&output));
}

#[test]
fn a_run_that_is_slower_than_its_baseline_ends_with_4() {
    let home = Home::new();
    let report = measured(&home, &[home.path()]);
    // So far from what any disk does that noise cannot matter.
    keep(&home, &report, "fast", |_| 1e18);
    keep(&home, &report, "slow", |_| 1e-3);
    let run = |baseline: &str| {
        let mut command = home.sharemark(&["run", home.path(), "--baseline", baseline, "--json", "-"]);
        command.args(SMALL).args(["--lang", "en"]).output().unwrap()
    };
    let output = run("fast");
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    // All output was written, and the run is in the history.
    let kept = Report::from_json(&stdout(&output)).unwrap();
    assert!(
        stderr(&output)
            .contains(&format!("{} is slower than", format_args!("{} in {}", home.path(), kept.id)))
    );
    assert_eq!(home.sharemark(&["show", &kept.id]).output().unwrap().status.code(), Some(0));
    let output = run("slow");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(home.listed().is_empty());
}

#[test]
fn a_run_that_cannot_be_compared_with_its_baseline_says_so_before_and_after() {
    let home = Home::new();
    let report = measured(&home, &[home.path()]);
    keep(&home, &report, "fast", |_| 1e18);
    for arguments in [vec!["--depth", "2"], vec!["--data", "zeros"]] {
        let mut command = home.sharemark(&["run", home.path(), "--baseline", "fast", "--lang", "en"]);
        let output = command.args(SMALL).args(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("warning: The baseline fast"), "{}", stderr(&output));
        assert!(stdout(&output).contains("cannot be compared"), "{}", stdout(&output));
    }
    // Another label is another target.
    let other = format!("other={}", home.path());
    let output = home.sharemark(&["run", &other, "--baseline", "fast"]).args(SMALL).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("other") && home.listed().is_empty());
}
