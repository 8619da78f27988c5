//! SQLite's answers, sorted into the causes that a user can do something about.

use std::path::Path;

use crate::{Cause, HistoryError, Tried};

/// SQLite's primary result codes: <https://www.sqlite.org/rescode.html>.
const PERM: i32 = 3;
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READONLY: i32 = 8;
/// A refinement of READONLY: no log or journal can be made in the folder.
const READONLY_DIRECTORY: i32 = 1544;
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const PROTOCOL: i32 = 15;
const AUTH: i32 = 23;
const NOTADB: i32 = 26;

/// An error of the database's, with what was tried and where.
pub(crate) fn refused(tried: Tried, place: &str, error: &sqlx::Error) -> HistoryError {
    let (cause, system) = match error {
        sqlx::Error::Database(answer) => {
            let code = answer.code().and_then(|code| code.parse().ok());
            (code.map_or(Cause::Other, cause_of_code), answer.message().to_owned())
        }
        sqlx::Error::Io(error) => (Cause::of_io(error), error.to_string()),
        // The tables' types are strict: a row that cannot be read as its type is not one that sharemark wrote.
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => (Cause::Damaged, error.to_string()),
        _ => (Cause::Other, error.to_string()),
    };
    HistoryError::Refused { tried, place: place.to_owned(), cause, system }
}

/// The cause behind a result code; the bits above the lowest eight refine it, which matters for one.
const fn cause_of_code(code: i32) -> Cause {
    if code == READONLY_DIRECTORY {
        return Cause::NoPermission;
    }
    match code & 0xff {
        BUSY | LOCKED | PROTOCOL => Cause::Locked,
        // The caller has seen that a file is there: it, or the log beside it, may not be opened.
        PERM | AUTH | CANTOPEN => Cause::NoPermission,
        READONLY => Cause::ReadOnly,
        IOERR => Cause::InputOutput,
        CORRUPT => Cause::Damaged,
        FULL => Cause::Full,
        NOTADB => Cause::NotADatabase,
        _ => Cause::Other,
    }
}

/// SQLite says "unable to open database file" for everything. The file is only looked at and not opened: closing any
/// descriptor of it would release the locks that another handle of this process holds on it
/// (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
pub(crate) fn refused_to_open(path: &Path, place: &str, error: &sqlx::Error) -> HistoryError {
    match std::fs::metadata(path) {
        Err(seen) => HistoryError::io(Tried::Open, place, &seen),
        Ok(_) => refused(Tried::Open, place, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_codes_have_the_cause_of_their_primary_code() {
        for (code, cause) in [
            (5, Cause::Locked),
            (517, Cause::Locked),
            (264, Cause::ReadOnly),
            (1544, Cause::NoPermission),
            (522, Cause::InputOutput),
            (267, Cause::Damaged),
            (13, Cause::Full),
            (26, Cause::NotADatabase),
            (1, Cause::Other),
        ] {
            assert_eq!(cause_of_code(code), cause, "{code}");
        }
    }
}
