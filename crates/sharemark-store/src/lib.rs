//! The history: every run, kept sample by sample, so that a run that is killed loses nothing it had measured.
//!
//! [`History`] is what a history can do, [`SqliteHistory`] the one kept in a file, and [`BlockingHistory`] the same
//! for a caller without an asynchronous runtime, which it never lets wait without limit. Whatever goes wrong comes
//! back as a [`HistoryError`]: a history that cannot be written is a warning in a report, never the end of a run.

mod blocking;
mod document;
mod error;
mod history;
mod sqlite;

pub use blocking::BlockingHistory;
pub use error::{Cause, HistoryError, Tried};
pub use history::History;
pub use sqlite::SqliteHistory;
