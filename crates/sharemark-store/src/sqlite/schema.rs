//! Whose database a file is, which version its tables have, and how they come to be.
//!
//! The version is SQLite's `user_version` and the owner its `application_id`: both are part of the file's header and
//! change in the same transaction as the tables. sqlx's own migrator is not used here, because for SQLite it takes no
//! lock (two first runs at once would both make the tables), and because it creates a table of its own in whatever
//! database it is pointed at before it finds out that it should not.

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use super::refusal::refused;
use crate::{HistoryError, Tried};

/// The migrations in order; the version of a database is how many of them it has seen. One that was released is never
/// changed: a change is a further migration.
const MIGRATIONS: [&str; 1] = [include_str!("../../migrations/sqlite/0001_reports_and_samples.sql")];

/// `shmk`: marks a database as a history, so that no other program's is ever written to.
const APPLICATION_ID: i64 = 0x7368_6d6b;

/// Gives the database the tables this version needs, and leaves alone one that is newer or not a history.
pub(crate) async fn migrate(connection: &mut SqliteConnection, place: &str) -> Result<(), HistoryError> {
    let refused = |error| refused(Tried::Open, place, &error);
    let mut reading = connection.begin().await.map_err(refused)?;
    let found = identify(&mut reading, place).await?;
    reading.rollback().await.map_err(refused)?;
    if found < MIGRATIONS.len() {
        apply(connection, place).await?;
    }
    write_ahead(connection).await;
    Ok(())
}

/// Brings the tables to this version, in one step.
async fn apply(connection: &mut SqliteConnection, place: &str) -> Result<(), HistoryError> {
    let refused = |error| refused(Tried::Open, place, &error);
    // Between the first look and this lock another program may have made the tables.
    let mut changing = connection.begin_with("BEGIN IMMEDIATE").await.map_err(refused)?;
    let found = identify(&mut changing, place).await?;
    for migration in MIGRATIONS.iter().skip(found) {
        sqlx::raw_sql(*migration).execute(&mut *changing).await.map_err(refused)?;
    }
    // A pragma takes no parameters; both values are this file's own numbers.
    let mark =
        format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {}", MIGRATIONS.len());
    sqlx::raw_sql(AssertSqlSafe(mark)).execute(&mut *changing).await.map_err(refused)?;
    changing.commit().await.map_err(refused)
}

/// The version of the tables; 0 for an empty database. To be called in a transaction, so that the three answers are
/// of one moment.
async fn identify(connection: &mut SqliteConnection, place: &str) -> Result<usize, HistoryError> {
    let refused = |error| refused(Tried::Open, place, &error);
    let owner: i64 =
        sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await.map_err(refused)?;
    let version: i64 =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await.map_err(refused)?;
    let things: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema")
        .fetch_one(&mut *connection)
        .await
        .map_err(refused)?;
    match (owner, usize::try_from(version)) {
        (APPLICATION_ID, Ok(known)) if known <= MIGRATIONS.len() => Ok(known),
        (APPLICATION_ID, _) => Err(HistoryError::Newer {
            place: place.to_owned(),
            found: version,
            // A handful: it fits any integer.
            known: i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX),
        }),
        (0, Ok(0)) if things == 0 => Ok(0),
        _ => Err(HistoryError::Foreign { place: place.to_owned() }),
    }
}

/// Has the database keep a write-ahead log, so that a reader never waits for the run that is writing. The mode stays
/// with the file; the log stays off where it cannot be had, which is no failure: the file system may lack what it
/// needs, the file may be read-only, and SQLite does not wait here for another program's lock. The next to open the
/// history tries again.
async fn write_ahead(connection: &mut SqliteConnection) {
    let mode = sqlx::query_scalar::<_, String>("PRAGMA journal_mode").fetch_one(&mut *connection).await;
    if mode.is_ok_and(|mode| mode != "wal") {
        let _ = sqlx::query("PRAGMA journal_mode = WAL").execute(connection).await;
    }
}
