//! A run that ends before its end keeps everything that was measured.

use std::process::Command;

use sharemark_store::BlockingHistory;

use crate::{begun_report, full_report, place};

#[test]
fn a_run_that_is_dropped_keeps_its_samples() {
    let (_folder, path) = place();
    let report = full_report();
    let history = BlockingHistory::open(&path).unwrap();
    history.begin(&begun_report()).unwrap();
    history.append(&report.id, &report.samples[0]).unwrap();
    history.append(&report.id, &report.samples[1]).unwrap();
    drop(history);

    let history = BlockingHistory::open(&path).unwrap();
    let loaded = history.load(&report.id).unwrap();
    assert_eq!((loaded.finished, loaded.partial), (None, true));
    assert_eq!(loaded.samples, report.samples[..2]);
    let listed = history.list(1).unwrap().remove(0);
    assert_eq!((listed.finished, listed.partial), (None, true));
    assert_eq!((listed.targets.len(), listed.summary.len()), (2, 0));
}

const DYING: &str = "SHAREMARK_TEST_HISTORY_OF_THE_DYING";

#[test]
fn a_process_that_dies_keeps_its_samples() {
    let (_folder, path) = place();
    let report = full_report();
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::dying", "--nocapture"])
        .env(DYING, &path)
        .output()
        .unwrap();
    assert!(!ended.status.success());

    // The log that the dead process left is taken over by the next one.
    let history = BlockingHistory::open_existing(&path).unwrap();
    assert_eq!(history.load(&report.id).unwrap().samples, report.samples);
}

/// The other half of the test above; by itself it does nothing.
#[test]
fn dying() {
    let Some(path) = std::env::var_os(DYING) else {
        return;
    };
    let report = full_report();
    let history = BlockingHistory::open(path.as_ref()).unwrap();
    history.begin(&begun_report()).unwrap();
    for sample in &report.samples {
        history.append(&report.id, sample).unwrap();
    }
    std::process::abort();
}
