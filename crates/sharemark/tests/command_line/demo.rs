//! The demonstration: a server and two wires in the program itself.

use std::fs;

use crate::harness::{Home, stderr, stdout};

#[test]
fn the_demonstration_says_what_it_is_and_finds_the_fast_wire() {
    let home = Home::new();
    let file = home.share().join("demo.json");
    // What it keeps for itself is to be seen, and not to be left.
    let temporary = home.share().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut command = home.sharemark(&["demo", "--lang", "en", "--json", file.to_str().unwrap()]);
    let output =
        command.env("TMPDIR", &temporary).env("TEMP", &temporary).env("TMP", &temporary).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("This is a demonstration"), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(report["partial"], false);
    assert_eq!(report["samples"].as_array().unwrap().len(), 2 * 2 * 5);
    for sample in report["samples"].as_array().unwrap() {
        let read = sample["workload"] == "seq-read";
        assert_eq!(sample["verified"].as_bool(), read.then_some(true), "{sample}");
    }
    let comparisons = report["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 2, "writing and reading");
    for comparison in comparisons {
        let labels = [&comparison["a"], &comparison["b"]].map(|label| label.as_str().unwrap());
        let expected = if labels == ["fast", "slow"] { "faster" } else { "slower" };
        assert_eq!(comparison["answer"], expected, "{comparison}");
    }
    for label in ["fast", "slow"] {
        assert!(stdout(&output).contains(label), "{}", stdout(&output));
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "nothing is left");
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0, "and no history kept");
}

#[test]
fn the_demonstration_speaks_japanese() {
    let home = Home::new();
    let output = home.sharemark(&["demo", "--lang", "ja", "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("これはデモです"), "{}", stderr(&output));
    assert!(stdout(&output).contains("fast"), "{}", stdout(&output));
}
