//! What a server's status means, and what sharemark makes of it.
//!
//! Version 3 of SFTP has nine status codes, and most of what can go wrong is `SSH_FX_FAILURE`. So the words beside it and
//! what was asked decide as well. Servers also send some of the later versions' codes; those are taken for what they are.

use std::io;

use sharemark_model::{Failure, FailureCode, Operation};

use super::packet::Malformed;
use crate::ServerAnswer;

pub(super) const OK: u32 = 0;
pub(super) const EOF: u32 = 1;
const NO_SUCH_FILE: u32 = 2;
pub(super) const FAILURE: u32 = 4;

/// Each code with its name and what it means by itself; `None` where the words and the question decide.
/// Sources: draft-ietf-secsh-filexfer-02 section 7 (0 to 8) and -13 section 9.1 (the rest).
const CODES: &[(u32, &str, Option<FailureCode>)] = &[
    (OK, "SSH_FX_OK", Some(FailureCode::Protocol)),
    (EOF, "SSH_FX_EOF", Some(FailureCode::Protocol)),
    (NO_SUCH_FILE, "SSH_FX_NO_SUCH_FILE", Some(FailureCode::NotFound)),
    (3, "SSH_FX_PERMISSION_DENIED", Some(FailureCode::NoPermission)),
    (FAILURE, "SSH_FX_FAILURE", None),
    (5, "SSH_FX_BAD_MESSAGE", None),
    (6, "SSH_FX_NO_CONNECTION", Some(FailureCode::ServerGone)),
    (7, "SSH_FX_CONNECTION_LOST", Some(FailureCode::ServerGone)),
    (8, "SSH_FX_OP_UNSUPPORTED", Some(FailureCode::Unsupported)),
    (9, "SSH_FX_INVALID_HANDLE", Some(FailureCode::Protocol)),
    (10, "SSH_FX_NO_SUCH_PATH", Some(FailureCode::NotFound)),
    (11, "SSH_FX_FILE_ALREADY_EXISTS", Some(FailureCode::Other)),
    (12, "SSH_FX_WRITE_PROTECT", Some(FailureCode::ReadOnly)),
    (13, "SSH_FX_NO_MEDIA", Some(FailureCode::InputOutput)),
    (14, "SSH_FX_NO_SPACE_ON_FILESYSTEM", Some(FailureCode::NoSpace)),
    (15, "SSH_FX_QUOTA_EXCEEDED", Some(FailureCode::Quota)),
    (18, "SSH_FX_DIR_NOT_EMPTY", Some(FailureCode::NotEmpty)),
    (19, "SSH_FX_NOT_A_DIRECTORY", Some(FailureCode::NotAFolder)),
    (20, "SSH_FX_INVALID_FILENAME", Some(FailureCode::NameTooLong)),
];

/// Words that servers put beside a code that says little, in lower case, and what they mean.
const WORDS: &[(&str, FailureCode)] = &[
    ("no space", FailureCode::NoSpace),
    ("disk full", FailureCode::NoSpace),
    ("not enough space", FailureCode::NoSpace),
    ("quota", FailureCode::Quota),
    ("read-only", FailureCode::ReadOnly),
    ("read only", FailureCode::ReadOnly),
    ("not empty", FailureCode::NotEmpty),
    ("not a directory", FailureCode::NotAFolder),
    ("name too long", FailureCode::NameTooLong),
    ("permission", FailureCode::NoPermission),
    ("input/output error", FailureCode::InputOutput),
];

/// Why a request has no good answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The server's status, and its words.
    Status(u32, String),
    /// The connection is gone, with what was heard of the reason.
    Gone(String),
    /// The server answered what the protocol does not allow there.
    Malformed,
    /// The server speaks SSH and does not start SFTP.
    Refused,
}

impl From<Malformed> for Fault {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

impl Fault {
    /// Whether the very thing asked for is not there.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Status(number, _) if known(*number).1 == Some(FailureCode::NotFound))
    }

    /// Whether the server says that it failed, and nothing of why: what the file system says of itself may tell more.
    pub(super) fn says_little(&self) -> bool {
        matches!(self, Self::Status(FAILURE, text) if by_words(text).is_none())
    }

    /// The server's words, with the code's name.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Status(number, words) => {
                let name = known(*number).0.map_or_else(|| format!("SSH_FX {number}"), str::to_owned);
                if words.is_empty() { name } else { format!("{words} ({name})") }
            }
            Self::Gone(text) => text.clone(),
            Self::Malformed => "SFTP".to_owned(),
            Self::Refused => "subsystem sftp: SSH_MSG_CHANNEL_FAILURE".to_owned(),
        }
    }

    /// What it means for what was asked.
    pub(super) fn code(&self, asked: Operation) -> FailureCode {
        match self {
            Self::Gone(_) => FailureCode::ServerGone,
            Self::Malformed => FailureCode::Protocol,
            Self::Refused => FailureCode::Unsupported,
            Self::Status(number, words) => match known(*number) {
                (_, Some(code)) => code,
                _ => by_words(words).unwrap_or(match (number, asked) {
                    (&FAILURE, Operation::Write | Operation::Read | Operation::Flush | Operation::Close) => {
                        FailureCode::InputOutput
                    }
                    (5, _) => FailureCode::Protocol,
                    _ => FailureCode::Other,
                }),
            },
        }
    }

    /// The failure of `asked` at a place.
    pub(super) fn failure(&self, asked: Operation, place: impl Into<String>) -> Failure {
        Failure::new(self.code(asked), asked, place).with_system(self.text())
    }

    /// The error of `asked` on an open file.
    pub(super) fn error(&self, asked: Operation) -> io::Error {
        ServerAnswer::new(self.code(asked), self.text()).into()
    }
}

fn known(number: u32) -> (Option<&'static str>, Option<FailureCode>) {
    let found = CODES.iter().find(|(code, ..)| *code == number);
    found.map_or((None, None), |(_, name, code)| (Some(*name), *code))
}

fn by_words(text: &str) -> Option<FailureCode> {
    let text = text.to_lowercase();
    WORDS.iter().find(|(words, _)| text.contains(words)).map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(number: u32, words: &str, asked: Operation) -> FailureCode {
        Fault::Status(number, words.to_owned()).code(asked)
    }

    #[test]
    fn a_status_is_sorted_by_its_code_its_words_and_what_was_asked() {
        assert_eq!(code(2, "No such file", Operation::Open), FailureCode::NotFound);
        assert_eq!(code(3, "", Operation::Create), FailureCode::NoPermission);
        assert_eq!(code(4, "No space left on device", Operation::Write), FailureCode::NoSpace);
        assert_eq!(code(4, "Disk quota exceeded", Operation::Write), FailureCode::Quota);
        assert_eq!(code(4, "Directory not empty", Operation::Remove), FailureCode::NotEmpty);
        assert_eq!(code(4, "Failure", Operation::Write), FailureCode::InputOutput);
        assert_eq!(code(4, "Failure", Operation::Create), FailureCode::Other);
        assert_eq!(code(5, "Bad message", Operation::Create), FailureCode::Protocol);
        assert_eq!(code(5, "File name too long", Operation::Create), FailureCode::NameTooLong);
        assert_eq!(code(6, "", Operation::Read), FailureCode::ServerGone);
        assert_eq!(code(7, "", Operation::Read), FailureCode::ServerGone);
        assert_eq!(code(8, "Operation unsupported", Operation::Flush), FailureCode::Unsupported);
        assert_eq!(code(14, "", Operation::Write), FailureCode::NoSpace);
        assert_eq!(code(99, "", Operation::Write), FailureCode::Other);
        assert_eq!(Fault::Gone("reset".into()).code(Operation::Write), FailureCode::ServerGone);
        assert_eq!(Fault::Malformed.code(Operation::Write), FailureCode::Protocol);
    }

    #[test]
    fn the_words_stay_the_servers_own() {
        assert_eq!(Fault::Status(4, "Failure".into()).text(), "Failure (SSH_FX_FAILURE)");
        assert_eq!(Fault::Status(3, String::new()).text(), "SSH_FX_PERMISSION_DENIED");
        assert_eq!(Fault::Status(77, "odd".into()).text(), "odd (SSH_FX 77)");
        assert!(Fault::Status(4, "Failure".into()).says_little());
        assert!(!Fault::Status(4, "No space left".into()).says_little());
    }
}
