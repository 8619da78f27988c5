//! What can go wrong between a request and its answer.

use std::io::{self, ErrorKind};

use sharemark_model::FailureCode;

use super::status::{ALREADY_THERE, Status};
use crate::ServerAnswer;

/// Why a request has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The server's NFS or MOUNT program answered with this status.
    #[error("{0}")]
    Status(Status),
    /// The server's RPC layer refused the call: what it means, and the protocol's name for it.
    #[error("{1}")]
    Refused(FailureCode, String),
    /// The server answered what its protocol does not allow there.
    #[error("{0}")]
    Malformed(&'static str),
    /// The connection broke, or could not be made.
    #[error(transparent)]
    Transport(#[from] io::Error),
}

impl Trouble {
    /// Whether the server asks to come again later (NFS3ERR_JUKEBOX; NFSv4: DELAY and GRACE).
    pub(super) fn is_delay(&self) -> bool {
        matches!(self, Self::Status(status) if status.is_delay())
    }

    /// The kind of failure.
    pub(super) fn code(&self) -> FailureCode {
        match self {
            Self::Status(status) => status.code,
            Self::Refused(code, _) => *code,
            Self::Malformed(_) => FailureCode::Protocol,
            Self::Transport(error) if error.kind() == ErrorKind::InvalidData => FailureCode::Protocol,
            Self::Transport(error) => crate::classify(error),
        }
    }

    /// The trouble as RMDIR means it: RFC 1813 lets a server say EXIST of a folder that is not empty.
    pub(super) fn of_removing_a_folder(self) -> Self {
        match self {
            Self::Status(status) if status.number() == ALREADY_THERE => {
                Self::Status(status.meaning(FailureCode::NotEmpty))
            }
            other => other,
        }
    }

    /// The trouble as it is for this user: root who may not do what root may is root squashed.
    pub(super) fn for_user(self, uid: u32) -> Self {
        match self {
            Self::Status(status) if uid == 0 && status.code == FailureCode::NoPermission => {
                Self::Status(status.meaning(FailureCode::RootSquash))
            }
            other => other,
        }
    }
}

impl From<Trouble> for io::Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Transport(error) if error.kind() != ErrorKind::InvalidData => error,
            other => ServerAnswer::new(other.code(), other.to_string()).into(),
        }
    }
}
