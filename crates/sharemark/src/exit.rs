//! How the program ends.

use std::process::ExitCode;

/// The exit codes, which scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Measured, or done.
    Done = 0,
    /// Could not measure, or could not do what was asked.
    Failed = 1,
    /// Wrong usage.
    Usage = 2,
    /// Measured, but partial or refused.
    Partial = 3,
    /// Measured, and slower than the baseline.
    Regression = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Something that ends the program, already in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) exit: Exit,
    /// What is wrong, and where it helps what to do.
    pub(crate) text: String,
    /// Which command explains more.
    pub(crate) hint: Option<String>,
}

impl Problem {
    pub(crate) fn usage(text: String) -> Self {
        Self { exit: Exit::Usage, text, hint: None }
    }

    pub(crate) fn failed(text: String) -> Self {
        Self { exit: Exit::Failed, text, hint: None }
    }
}
