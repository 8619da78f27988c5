//! Finding a run by its identifier, and the list.

use jiff::{SignedDuration, Timestamp};
use sharemark_model::Report;
use sharemark_store::{BlockingHistory, HistoryError};

use crate::{begun_report, full_report, place};

fn run_of(id: &str, started: Timestamp) -> Report {
    Report { id: id.to_owned(), started, ..full_report() }
}

#[test]
fn a_run_is_found_by_any_beginning_that_is_its_own() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    let start = full_report().started;
    for (seconds, id) in ["2026-ab", "2026-a", "2027-写真", "2026_x"].into_iter().enumerate() {
        let started = start + SignedDuration::from_secs(i64::try_from(seconds).unwrap());
        history.finish(&run_of(id, started)).unwrap();
    }

    // A whole identifier is meant even where it begins another; `_` and `%` stand for themselves.
    for (asked, found) in [
        ("2027", "2027-写真"),
        ("2027-写", "2027-写真"),
        ("2026-a", "2026-a"),
        ("2026-ab", "2026-ab"),
        ("2026_", "2026_x"),
    ] {
        assert_eq!(history.load(asked).unwrap().id, found, "{asked}");
    }
    match history.load("2026-") {
        Err(HistoryError::Ambiguous { prefix, candidates, .. }) => {
            assert_eq!((prefix.as_str(), candidates), ("2026-", vec!["2026-a".into(), "2026-ab".into()]));
        }
        other => panic!("{other:?}"),
    }
    for asked in ["", "x", "%", "2026-a%", "2026-abc", "2026\0"] {
        match history.load(asked) {
            Err(HistoryError::UnknownRun { id, .. }) => assert_eq!(id, asked),
            other => panic!("{asked}: {other:?}"),
        }
    }
}

#[test]
fn the_list_is_newest_first_and_no_longer_than_asked() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    assert_eq!(history.list(10).unwrap(), []);
    let start = full_report().started;
    for (id, nanoseconds) in [("b", 1), ("c", 2), ("a", 0), ("d", 2)] {
        history.finish(&run_of(id, start + SignedDuration::from_nanos(nanoseconds))).unwrap();
    }
    let ids = |limit| -> Vec<String> {
        let listed = history.list(limit).unwrap();
        listed.into_iter().map(|entry| entry.id).collect()
    };
    assert_eq!(ids(10), ["d", "c", "b", "a"]);
    assert_eq!(ids(2), ["d", "c"]);
    assert_eq!(ids(u32::MAX).len(), 4);
    assert!(ids(0).is_empty());

    let report = run_of("a", start);
    let entry = history.list(10).unwrap().pop().unwrap();
    assert_eq!((entry.started, entry.finished), (report.started, report.finished));
    assert_eq!(entry.targets, ["lan", "vpn"]);
    assert_eq!((entry.partial, entry.summary), (false, report.summary));
}

#[test]
fn a_run_that_was_killed_early_is_listed_with_the_targets_of_its_plan() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    let report = Report { targets: Vec::new(), ..begun_report() };
    history.begin(&report).unwrap();
    assert_eq!(history.list(1).unwrap()[0].targets, ["lan", "vpn"]);
}
