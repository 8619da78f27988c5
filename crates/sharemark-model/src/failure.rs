//! What went wrong, in a form that crosses processes and is put into words only at the edge.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was tried, where, and what the system answered. What to do next follows from the code; the words for it are
/// the report room's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{operation:?} at {place}: {code:?}{}", system.as_deref().map(|text| format!(" ({text})")).unwrap_or_default())]
pub struct Failure {
    /// The kind of failure.
    pub code: FailureCode,
    /// What was tried.
    pub operation: Operation,
    /// Where: the path or name it was tried on.
    pub place: String,
    /// What the system answered, in its own words; `null` when sharemark itself found the failure.
    pub system: Option<String>,
    /// The byte offset in the file, where it has a meaning (a wrong byte, a failed block).
    pub offset: Option<Bytes>,
    /// For a lack of space: how many bytes are needed. For a file of the wrong size: the size expected.
    pub needed: Option<Bytes>,
    /// For a lack of space: how many bytes there are. For a file of the wrong size: the size found.
    pub available: Option<Bytes>,
    /// What could have been named instead: the shares or exports that the server offers; for a drive that an elevated
    /// console does not see, the same folder by its share's name.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub choices: Box<[String]>,
}

use crate::Bytes;

impl Failure {
    /// A failure found by sharemark itself, with no answer from the system.
    #[must_use]
    pub fn new(code: FailureCode, operation: Operation, place: impl Into<String>) -> Self {
        Self {
            code,
            operation,
            place: place.into(),
            system: None,
            offset: None,
            needed: None,
            available: None,
            choices: Box::default(),
        }
    }

    /// The same failure with the system's own words.
    #[must_use]
    pub fn with_system(self, text: impl Into<String>) -> Self {
        Self { system: Some(text.into()), ..self }
    }

    /// The same failure at an offset in the file.
    #[must_use]
    pub fn at(self, offset: Bytes) -> Self {
        Self { offset: Some(offset), ..self }
    }

    /// The same failure with what could have been named instead.
    #[must_use]
    pub fn with_choices(self, choices: Vec<String>) -> Self {
        Self { choices: choices.into_boxed_slice(), ..self }
    }

    /// The same failure with what was needed and what there was.
    #[must_use]
    pub fn with_sizes(self, needed: Bytes, available: Bytes) -> Self {
        Self { needed: Some(needed), available: Some(available), ..self }
    }
}

/// The kinds of failure that sharemark tells apart, because what to do next differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailureCode {
    /// Nothing is there.
    NotFound,
    /// Something is there, but it is not a folder.
    NotAFolder,
    /// The user may not do this here.
    NoPermission,
    /// The administrator was refused on an NFS mount, as `root_squash` makes a server do.
    RootSquash,
    /// On Windows the drive's letter is none that this console, which runs as administrator, can see; the drives that the
    /// user mapped belong to another session.
    ElevatedDrive,
    /// The file system or the share is read-only.
    ReadOnly,
    /// The file system is full, or has too little room for the plan.
    NoSpace,
    /// The user's quota is used up.
    Quota,
    /// A name or a path is longer than the file system allows.
    NameTooLong,
    /// sharemark's folder holds something that sharemark did not make.
    NotEmpty,
    /// The file system makes up its content (`/proc`, `/sys`) and stores no files.
    NotStorage,
    /// The name is not valid Unicode, which the report could not hold.
    NotUnicode,
    /// The server does not answer, or the connection to it broke.
    ServerGone,
    /// The device or the server reported a failed transfer.
    InputOutput,
    /// No progress was made for longer than the limit, and the worker was abandoned.
    Stalled,
    /// The worker ended without saying how.
    WorkerDied,
    /// The user stopped the run.
    Interrupted,
    /// A byte that was read is not the byte that was written.
    Mismatch,
    /// A file is shorter or longer than what was written.
    WrongSize,
    /// The server's name is not known.
    UnknownHost,
    /// Nothing listens at the server's port.
    Refused,
    /// The user, the password or the key was not accepted.
    LoginRefused,
    /// The address names a server and no share.
    NoShare,
    /// The server has no share of that name.
    UnknownShare,
    /// The server's certificate is not for that name, has expired, or is signed by nobody who is trusted.
    Certificate,
    /// The server's host key is in no list of known hosts.
    HostKeyUnknown,
    /// The server's host key is another than the one known.
    HostKeyChanged,
    /// The server demands encryption in a way that sharemark does not speak.
    Encryption,
    /// The server demands signed messages, or cannot sign, against what was wished.
    Signing,
    /// The server does not speak the version asked for, or none that sharemark speaks.
    Version,
    /// The server takes no file of that size.
    TooLarge,
    /// The file that could be written in the time allowed is smaller than one block of the next workload.
    FileTooShort,
    /// The server answered something that its protocol does not allow there.
    Protocol,
    /// This version cannot measure such a location.
    Unsupported,
    /// Anything else; the system's own words say what.
    Other,
}

/// What was being tried when a failure came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Connecting to a server and logging in.
    Connect,
    /// Looking at the location and its file system.
    Inspect,
    /// Making sharemark's own folder.
    CreateFolder,
    /// Creating a file to write.
    Create,
    /// Writing.
    Write,
    /// Flushing.
    Flush,
    /// Closing.
    Close,
    /// Opening a file to read.
    Open,
    /// Reading.
    Read,
    /// Comparing what was read with what was written.
    Verify,
    /// Listing a folder.
    List,
    /// Removing a file or the folder.
    Remove,
    /// Starting or talking to the worker process.
    Worker,
    /// Keeping the manifest of what is created.
    Manifest,
    /// Reading or writing the history.
    History,
    /// Writing a result file.
    Output,
}
