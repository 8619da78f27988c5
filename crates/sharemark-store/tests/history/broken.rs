//! Files that are no history, or no longer one. Nothing here may panic, and nothing of another's may be changed.

use std::fs;
use std::path::Path;

use sharemark_model::{Failure, FailureCode, Operation, ReportError};
use sharemark_store::{BlockingHistory, Cause, HistoryError, Tried};

use crate::{full_report, place, raw};

/// Opens the file, which must be refused, and shows that it was left as it was, with nothing beside it.
fn refused_untouched(path: &Path) -> HistoryError {
    let before = fs::read(path).unwrap();
    let error = BlockingHistory::open(path).unwrap_err();
    assert_eq!(fs::read(path).unwrap(), before);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(error.place(), path.display().to_string());
    error
}

#[test]
fn a_text_file_is_told_and_left_alone() {
    for text in ["a shopping list\n".to_owned(), "long ".repeat(10_000)] {
        let (_folder, path) = place();
        fs::write(&path, text).unwrap();
        let error = refused_untouched(&path);
        match &error {
            HistoryError::Refused { tried: Tried::Open, cause: Cause::NotADatabase, system, .. } => {
                assert_eq!(system, "file is not a database")
            }
            other => panic!("{other:?}"),
        }
        let failure = Failure::from(error);
        assert_eq!((failure.code, failure.operation), (FailureCode::Other, Operation::History));
        assert_eq!(failure.system.as_deref(), Some("file is not a database"));
    }
}

#[test]
fn a_folder_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = BlockingHistory::open(folder.path()).unwrap_err();
    assert_eq!(error.cause(), Some(Cause::NotADatabase), "{error}");
}

#[test]
fn an_empty_file_becomes_a_history() {
    let (_folder, path) = place();
    fs::write(&path, "").unwrap();
    BlockingHistory::open(&path).unwrap().finish(&full_report()).unwrap();
    let history = BlockingHistory::open_existing(&path).unwrap();
    assert_eq!(history.load("2026").unwrap(), full_report());
}

#[test]
fn a_history_of_a_newer_version_is_told_and_left_alone() {
    let (_folder, path) = place();
    BlockingHistory::open(&path).unwrap().finish(&full_report()).unwrap();
    raw(&path, "CREATE TABLE later (x); PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
    let error = refused_untouched(&path);
    assert!(matches!(error, HistoryError::Newer { found: 99, known: 1, .. }), "{error}");
}

#[test]
fn another_program_s_database_is_told_and_left_alone() {
    for sql in [
        "CREATE TABLE bookmarks (url TEXT)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 1",
        "PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT)",
    ] {
        let (_folder, path) = place();
        raw(&path, sql);
        let error = refused_untouched(&path);
        assert!(matches!(error, HistoryError::Foreign { .. }), "{sql}: {error}");
    }
}

#[test]
fn one_damaged_run_does_not_hide_the_others() {
    let (_folder, path) = place();
    let report = full_report();
    let history = BlockingHistory::open(&path).unwrap();
    for id in ["good", "newer", "shapeless", "head", "sample"] {
        let mut report = report.clone();
        id.clone_into(&mut report.id);
        history.finish(&report).unwrap();
    }
    drop(history);
    raw(
        &path,
        "UPDATE reports SET head = replace(head, '\"schema\":1', '\"schema\":2') WHERE id = 'newer';
         UPDATE reports SET head = '[]' WHERE id = 'shapeless';
         UPDATE reports SET head = substr(head, 1, 100) WHERE id = 'head';
         UPDATE samples SET document = '{}' WHERE report_id = 'sample' AND ordinal = 1",
    );

    let history = BlockingHistory::open(&path).unwrap();
    assert_eq!(history.list(10).unwrap().len(), 5);
    assert_eq!(history.load("good").unwrap().samples, report.samples);
    match history.load("newer") {
        Err(HistoryError::Unreadable { id, source: ReportError::Newer(2), .. }) => assert_eq!(id, "newer"),
        other => panic!("{other:?}"),
    }
    for id in ["shapeless", "head", "sample"] {
        let error = history.load(id).unwrap_err();
        assert!(matches!(error, HistoryError::Unreadable { .. }), "{error}");
        assert!(Failure::from(error).system.unwrap().contains("not a report"));
    }
    // The measurement goes on, and can even mend it.
    let mended = sharemark_model::Report { id: "sample".to_owned(), ..report };
    history.finish(&mended).unwrap();
    assert_eq!(history.load("sample").unwrap(), mended);
}

#[test]
fn no_damage_to_the_file_makes_a_panic() {
    let (folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    for index in 0..20 {
        let mut report = full_report();
        report.id = format!("run-{index}");
        history.finish(&report).unwrap();
    }
    drop(history);
    let whole = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.db");

    let mut refusals = 0;
    for step in 0..40 {
        let mut bytes = whole.clone();
        let at = whole.len() * step / 40;
        if step % 2 == 0 {
            bytes.truncate(at);
        } else {
            let end = (at + 3000).min(bytes.len());
            bytes[at..end].fill(0xa5);
        }
        fs::write(&damaged, bytes).unwrap();
        let tried = BlockingHistory::open(&damaged).and_then(|history| {
            history.list(100)?;
            for index in 0..20 {
                history.load(&format!("run-{index}"))?;
            }
            history.finish(&full_report())
        });
        if let Err(error) = tried {
            refusals += 1;
            // A panic on the handle's thread would come back so.
            assert!(!error.to_string().contains("thread has ended"), "{step}: {error}");
        }
        for beside in ["damaged.db-wal", "damaged.db-shm"] {
            let _ = fs::remove_file(folder.path().join(beside));
        }
    }
    assert!(refusals > 20, "only {refusals} of 40 damages were noticed");
}
