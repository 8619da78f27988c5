//! What can go wrong with the history, and the same in the words that all of sharemark shares.

use std::fmt;
use std::io;
use std::time::Duration;

use sharemark_model::{Failure, FailureCode, Operation, ReportError};

/// Why the history did not do what it was asked. `place` is the file's path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The storage refused.
    #[error("could not {tried} the history {place}: {system}")]
    Refused {
        /// What was tried.
        tried: Tried,
        /// Where the history is.
        place: String,
        /// What kind of refusal it is.
        cause: Cause,
        /// What the system or the database answered.
        system: String,
    },
    /// The storage did not answer in time, as a file on a share whose server is gone does not. What was asked for may
    /// still be done later.
    #[error("could not {tried} the history {place}: no answer within {} s", limit.as_secs_f64())]
    Silent {
        /// What was tried.
        tried: Tried,
        /// Where the history is.
        place: String,
        /// How long was waited.
        limit: Duration,
    },
    /// The history was made by a newer sharemark. It was not changed.
    #[error(
        "the history {place} was made by a newer sharemark: its version is {found}, this one knows up to {known}"
    )]
    Newer {
        /// Where the history is.
        place: String,
        /// The version of its tables.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The file is a database of some other program. It was not changed.
    #[error("{place} is a database, but not a history of sharemark's")]
    Foreign {
        /// Where the database is.
        place: String,
    },
    /// No run of this identifier, and none whose identifier begins so, is kept.
    #[error("the history {place} holds no run `{id}`")]
    UnknownRun {
        /// Where the history is.
        place: String,
        /// The identifier or its beginning, as asked.
        id: String,
    },
    /// Several runs' identifiers begin so.
    #[error("`{prefix}` could be {} runs in the history {place}: {}", candidates.len(), candidates.join(", "))]
    Ambiguous {
        /// Where the history is.
        place: String,
        /// The beginning that was asked for.
        prefix: String,
        /// The identifiers that begin so, the newest run first.
        candidates: Vec<String>,
    },
    /// A run of this identifier is already kept.
    #[error("the history {place} already holds a run `{id}`")]
    AlreadyKept {
        /// Where the history is.
        place: String,
        /// The identifier.
        id: String,
    },
    /// What is kept of a run is no report that this version can read.
    #[error("the run `{id}` in the history {place} cannot be read")]
    Unreadable {
        /// Where the history is.
        place: String,
        /// The run's identifier.
        id: String,
        /// What is wrong with it.
        source: ReportError,
    },
    /// A report or sample holds a value that its own JSON cannot, an infinite rate for example: it could be written,
    /// but never be read again, so it was not.
    #[error("the run `{id}` holds a value that cannot be kept in the history {place}")]
    Unwritable {
        /// Where the history is.
        place: String,
        /// The run's identifier.
        id: String,
        /// What is wrong with it.
        source: ReportError,
    },
}

/// What was tried with the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tried {
    /// Opening it, or making it.
    Open,
    /// Keeping a new run.
    Begin,
    /// Adding a sample.
    Append,
    /// Keeping a final report.
    Finish,
    /// Reading a run.
    Load,
    /// Listing the runs.
    List,
    /// Closing it.
    Close,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Begin => "begin a run in",
            Self::Append => "add a sample to",
            Self::Finish => "finish a run in",
            Self::Load => "read a run from",
            Self::List => "list",
            Self::Close => "close",
        })
    }
}

/// The kinds of refusal that are told apart, because what to do next differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// Another program held it locked for longer than was waited.
    Locked,
    /// What is there is no database: a text file, a folder.
    NotADatabase,
    /// It is a database, but a damaged one.
    Damaged,
    /// The user may not use the file, or may not make files beside it.
    NoPermission,
    /// The file or its file system is read-only.
    ReadOnly,
    /// The disk is full.
    Full,
    /// The user's quota is used up.
    Quota,
    /// Nothing is there.
    Missing,
    /// A part of the path that should be a folder is none.
    NotAFolder,
    /// A part of the path is longer than the file system allows.
    NameTooLong,
    /// The path is not valid Unicode, which the database's interface needs.
    NotUnicode,
    /// The disk failed to read or write.
    InputOutput,
    /// Anything else; the system's own words say what.
    Other,
}

impl Cause {
    pub(crate) fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::NoPermission,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::StorageFull => Self::Full,
            io::ErrorKind::QuotaExceeded => Self::Quota,
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::NotADirectory => Self::NotAFolder,
            io::ErrorKind::InvalidFilename => Self::NameTooLong,
            io::ErrorKind::IsADirectory => Self::NotADatabase,
            _ => Self::Other,
        }
    }

    /// The code that a report knows for it. A locked or damaged history has none of its own.
    const fn code(self) -> FailureCode {
        match self {
            Self::NoPermission => FailureCode::NoPermission,
            Self::ReadOnly => FailureCode::ReadOnly,
            Self::Full => FailureCode::NoSpace,
            Self::Quota => FailureCode::Quota,
            Self::Missing => FailureCode::NotFound,
            Self::NotAFolder => FailureCode::NotAFolder,
            Self::NameTooLong => FailureCode::NameTooLong,
            Self::NotUnicode => FailureCode::NotUnicode,
            Self::InputOutput => FailureCode::InputOutput,
            Self::Locked | Self::NotADatabase | Self::Damaged | Self::Other => FailureCode::Other,
        }
    }
}

impl HistoryError {
    pub(crate) fn io(tried: Tried, place: &str, error: &io::Error) -> Self {
        Self::Refused {
            tried,
            place: place.to_owned(),
            cause: Cause::of_io(error),
            system: error.to_string(),
        }
    }

    /// Where the history is: the file's path.
    #[must_use]
    pub fn place(&self) -> &str {
        match self {
            Self::Refused { place, .. }
            | Self::Silent { place, .. }
            | Self::Newer { place, .. }
            | Self::Foreign { place }
            | Self::UnknownRun { place, .. }
            | Self::Ambiguous { place, .. }
            | Self::AlreadyKept { place, .. }
            | Self::Unreadable { place, .. }
            | Self::Unwritable { place, .. } => place,
        }
    }

    /// The kind of refusal, when it was the storage that refused.
    #[must_use]
    pub const fn cause(&self) -> Option<Cause> {
        match self {
            Self::Refused { cause, .. } => Some(*cause),
            _ => None,
        }
    }
}

impl From<&HistoryError> for Failure {
    fn from(error: &HistoryError) -> Self {
        let (code, system) = match error {
            HistoryError::Refused { cause, system, .. } => (cause.code(), system.clone()),
            HistoryError::Silent { .. } => (FailureCode::Stalled, error.to_string()),
            HistoryError::UnknownRun { .. } => (FailureCode::NotFound, error.to_string()),
            HistoryError::Unreadable { source, .. } | HistoryError::Unwritable { source, .. } => {
                (FailureCode::Other, format!("{error}: {source}"))
            }
            HistoryError::Newer { .. }
            | HistoryError::Foreign { .. }
            | HistoryError::Ambiguous { .. }
            | HistoryError::AlreadyKept { .. } => (FailureCode::Other, error.to_string()),
        };
        Self::new(code, Operation::History, error.place()).with_system(system)
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        Self::from(&error)
    }
}
