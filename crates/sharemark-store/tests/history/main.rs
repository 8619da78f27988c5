//! The history in real files: what is kept is what was measured, whatever happens to the program or the file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a test that fails")]

mod broken;
mod concurrent;
mod exact;
mod killed;
mod lookup;
mod places;
mod rewriting;

use std::future::Future;
use std::path::{Path, PathBuf};

use sharemark_model::Report;
use sharemark_store::BlockingHistory;
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

/// A whole report of schema 1, with three samples of two targets.
fn full_report() -> Report {
    Report::from_json(include_str!("report.json")).unwrap()
}

/// The same report as it is when a run begins.
fn begun_report() -> Report {
    Report {
        finished: None,
        partial: true,
        samples: Vec::new(),
        summary: Vec::new(),
        comparisons: Vec::new(),
        findings: Vec::new(),
        ..full_report()
    }
}

/// A folder for one test, and the path of a history in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    (folder, path)
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Runs statements on a database file as another program would.
fn raw(path: &Path, sql: &str) -> Vec<SqliteRow> {
    run(async {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let mut connection = options.connect().await.unwrap();
        let rows = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows
    })
}

#[test]
fn a_whole_run_comes_back_as_it_was() {
    let (_folder, path) = place();
    let report = full_report();
    let history = BlockingHistory::open(&path).unwrap();
    history.begin(&begun_report()).unwrap();
    for sample in &report.samples {
        history.append(&report.id, sample).unwrap();
    }
    history.finish(&report).unwrap();
    assert_eq!(history.load(&report.id).unwrap(), report);
    drop(history);

    let history = BlockingHistory::open_existing(&path).unwrap();
    let loaded = history.load(&report.id).unwrap();
    assert_eq!(loaded, report);
    assert_eq!(loaded.to_json().unwrap(), report.to_json().unwrap());
}
