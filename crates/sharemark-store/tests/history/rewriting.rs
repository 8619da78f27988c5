//! Beginning, adding and finishing in every order, and what is left alone meanwhile.

use std::path::Path;

use sharemark_model::{Rate, Report};
use sharemark_store::{BlockingHistory, HistoryError};
use sqlx::Row;

use crate::{begun_report, full_report, place, raw};

/// SQLite's own numbers of the samples' rows: a row that is written anew gets a new one.
fn rows(path: &Path) -> Vec<i64> {
    raw(path, "SELECT rowid FROM samples ORDER BY ordinal").iter().map(|row| row.get(0)).collect()
}

#[test]
fn a_run_is_begun_only_once_and_before_its_samples() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    let report = full_report();
    let early = history.append(&report.id, &report.samples[0]);
    assert!(matches!(early, Err(HistoryError::UnknownRun { .. })), "{early:?}");
    history.begin(&begun_report()).unwrap();
    history.append(&report.id, &report.samples[0]).unwrap();
    let again = history.begin(&report);
    assert!(matches!(again, Err(HistoryError::AlreadyKept { .. })), "{again:?}");
    assert_eq!(history.load(&report.id).unwrap().samples, report.samples[..1]);
}

#[test]
fn a_report_that_already_has_samples_is_begun_with_them() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    history.begin(&full_report()).unwrap();
    assert_eq!(history.load(&full_report().id).unwrap(), full_report());
}

#[test]
fn a_run_that_was_never_begun_can_be_finished() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    history.finish(&full_report()).unwrap();
    assert_eq!(history.load(&full_report().id).unwrap(), full_report());
}

#[test]
fn finishing_leaves_the_samples_alone_that_are_right() {
    let (_folder, path) = place();
    let report = full_report();
    {
        let history = BlockingHistory::open(&path).unwrap();
        history.begin(&begun_report()).unwrap();
        for sample in &report.samples {
            history.append(&report.id, sample).unwrap();
        }
        history.begin(&Report { id: "another".to_owned(), ..full_report() }).unwrap();
    }
    let before = rows(&path);
    {
        let history = BlockingHistory::open(&path).unwrap();
        history.finish(&report).unwrap();
        history.finish(&report).unwrap();
    }
    assert_eq!(rows(&path), before);
}

#[test]
fn finishing_makes_the_samples_agree() {
    let report = full_report();
    let mut changed = report.samples[1].clone();
    changed.bytes_per_second = Rate(f64::from_bits(changed.bytes_per_second.0.to_bits() + 1));
    let [a, b, c] = [0, 1, 2].map(|index| report.samples[index].clone());
    let kept: [Vec<_>; 5] = [
        vec![],
        vec![a.clone()],
        // One was missed, one was different, one was too many.
        vec![a.clone(), c.clone()],
        vec![a.clone(), changed, c.clone()],
        vec![a, b, c.clone(), c],
    ];
    for kept in kept {
        let (_folder, path) = place();
        let history = BlockingHistory::open(&path).unwrap();
        let other = Report { id: "another".to_owned(), ..full_report() };
        history.begin(&other).unwrap();
        history.begin(&begun_report()).unwrap();
        for sample in &kept {
            history.append(&report.id, sample).unwrap();
        }
        history.finish(&report).unwrap();
        assert_eq!(history.load(&report.id).unwrap(), report, "{} kept", kept.len());
        assert_eq!(history.load("another").unwrap(), other);
    }
}
