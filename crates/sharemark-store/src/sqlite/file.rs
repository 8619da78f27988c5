//! The database's file: found or made, for its owner only, and opened.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection};

use super::refusal::refused_to_open;
use crate::{Cause, HistoryError, Tried};

/// Whether a history that is not there is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfMissing {
    Create,
    Refuse,
}

/// Finds or makes the file and gives its absolute path. A path that is absolute is to SQLite never the name of a
/// database in memory (`:memory:`, or nothing) nor a URI (`file:…`), whatever it holds.
pub(crate) fn find_or_create(
    path: &Path,
    place: &str,
    if_missing: IfMissing,
) -> Result<PathBuf, HistoryError> {
    let failed = |error: io::Error| HistoryError::io(Tried::Open, place, &error);
    let path = std::path::absolute(path).map_err(failed)?;
    if path.to_str().is_none() {
        return Err(HistoryError::Refused {
            tried: Tried::Open,
            place: place.to_owned(),
            cause: Cause::NotUnicode,
            system: "the path is not valid Unicode".to_owned(),
        });
    }
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(_) => Ok(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound && if_missing == IfMissing::Create => {
            if let Some(folder) = path.parent() {
                create_folder(folder).map_err(failed)?;
            }
            create_file(&path).map_err(failed)?;
            Ok(path)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Makes the folder and those above it; the new ones are for their owner only, as the XDG base directory
/// specification asks.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| match error.kind() {
        // Windows says so of a file that stands where a folder should.
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}

/// Makes the empty file, readable by its owner only: paths and server names are nobody else's business. SQLite gives
/// the files beside it (the write-ahead log and its index) the same mode.
fn create_file(path: &Path) -> io::Result<()> {
    /// Closing a file releases every lock that the process holds on it, so that no other handle of this process may
    /// have gone on to SQLite between the file's creation here and its closing.
    static CREATING: Mutex<()> = Mutex::new(());
    let _alone = CREATING.lock().unwrap_or_else(PoisonError::into_inner);

    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Opens the database, in whatever mode its file says.
///
/// `synchronous` is FULL: in write-ahead mode NORMAL would survive a crash of the program but could lose the last
/// samples to a power cut, and a run writes one row every few seconds, between its phases and outside its timers, so
/// that the one flush a sample costs is nowhere felt.
pub(crate) async fn connect(
    path: &Path,
    place: &str,
    busy_timeout: Duration,
) -> Result<SqliteConnection, HistoryError> {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .busy_timeout(busy_timeout)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging()
        .connect()
        .await
        .map_err(|error| refused_to_open(path, place, &error))
}
