//! What needs a hand on the connection: a lock that is held, a disk that is full.

use std::future::Future;
use std::path::Path;

use sqlx::Row;

use super::*;
use crate::Cause;

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

async fn open_impatient(path: &Path) -> SqliteHistory {
    SqliteHistory::open_with(path, IfMissing::Create, Duration::from_millis(1)).await.unwrap()
}

async fn journal_mode(connection: &mut SqliteConnection) -> String {
    let mode = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(connection);
    mode.await.unwrap()
}

fn report() -> Report {
    Report::from_json(include_str!("../../tests/history/report.json")).unwrap()
}

#[test]
fn a_lock_that_another_program_keeps_is_told_and_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    run(async {
        let ours = open_impatient(&path).await;
        let theirs = open_impatient(&path).await;
        let mut connection = theirs.connection.lock().await;
        let writing = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
        let error = ours.begin(&report()).await.unwrap_err();
        assert_eq!(error.cause(), Some(Cause::Locked), "{error}");
        // A reader does not wait for a writer.
        assert_eq!(ours.list(10).await.unwrap(), []);
        writing.rollback().await.unwrap();
        ours.begin(&report()).await.unwrap();
        assert_eq!(ours.list(10).await.unwrap().len(), 1);
    });
}

#[test]
fn a_full_disk_loses_only_what_no_longer_fits() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let history = open_impatient(&folder.path().join("history.db")).await;
        let mut report = report();
        let sample = report.samples[0].clone();
        report.samples.clear();
        history.begin(&report).await.unwrap();
        history.append(&report.id, &sample).await.unwrap();
        let pages: i64 = {
            let mut connection = history.connection.lock().await;
            let row = sqlx::query("PRAGMA page_count").fetch_one(&mut *connection);
            let pages = row.await.unwrap().get(0);
            let limit = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
            sqlx::raw_sql(limit).execute(&mut *connection).await.unwrap();
            pages
        };
        let mut large = sample.clone();
        large.target = "x".repeat(64 * 1024);
        let error = history.append(&report.id, &large).await.unwrap_err();
        assert_eq!(error.cause(), Some(Cause::Full), "{pages} pages: {error}");
        assert_eq!(history.load(&report.id).await.unwrap().samples, [sample]);
    });
}

#[test]
fn a_connection_flushes_every_commit() {
    let folder = tempfile::tempdir().unwrap();
    run(async {
        let history = open_impatient(&folder.path().join("history.db")).await;
        let mut connection = history.connection.lock().await;
        let mode = journal_mode(&mut connection).await;
        let synchronous: i64 =
            sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut *connection).await.unwrap();
        let foreign_keys: i64 =
            sqlx::query_scalar("PRAGMA foreign_keys").fetch_one(&mut *connection).await.unwrap();
        assert_eq!((mode.as_str(), synchronous, foreign_keys), ("wal", 2, 1));
    });
}

#[test]
fn a_log_that_another_program_prevents_is_begun_by_the_next_to_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    run(async {
        let first = open_impatient(&path).await;
        let mut connection = first.connection.lock().await;
        let off = sqlx::raw_sql("PRAGMA journal_mode = DELETE");
        off.execute(&mut *connection).await.unwrap();
        let mut reading = connection.begin().await.unwrap();
        newest(&mut reading, 1).await.unwrap();

        let second = open_impatient(&path).await;
        assert_eq!(journal_mode(&mut *second.connection.lock().await).await, "delete");
        second.close().await.unwrap();
        reading.rollback().await.unwrap();
        let third = open_impatient(&path).await;
        assert_eq!(journal_mode(&mut *third.connection.lock().await).await, "wal");
    });
}

#[test]
fn no_path_names_a_database_in_memory() {
    for path in [":memory:", "file::memory:", "file:x.db?mode=memory"] {
        let error = file::find_or_create(Path::new(path), path, IfMissing::Refuse).unwrap_err();
        assert_eq!(error.cause(), Some(Cause::Missing), "{path}");
    }
    assert!(file::find_or_create(Path::new(""), "", IfMissing::Create).is_err());
}
