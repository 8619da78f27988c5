//! What a system answered, sorted into the kinds of failure that sharemark tells apart.

use std::io::{self, ErrorKind};

use sharemark_model::{Failure, FailureCode, Operation};

/// A server's answer that its protocol has numbers or words for, sorted already by the engine that knows them. Engines
/// wrap it in the [`io::Error`] of an operation on an open file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct ServerAnswer {
    /// What it means.
    pub code: FailureCode,
    /// What the server answered, with its number where it has one: `STATUS_DISK_FULL (0xC000007F)`.
    pub text: String,
}

impl ServerAnswer {
    /// An answer that means `code`.
    #[must_use]
    pub fn new(code: FailureCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }

    /// The failure of `operation` at `place` with this answer.
    #[must_use]
    pub fn failure(self, operation: Operation, place: impl Into<String>) -> Failure {
        Failure::new(self.code, operation, place).with_system(self.text)
    }
}

impl From<ServerAnswer> for io::Error {
    fn from(answer: ServerAnswer) -> Self {
        Self::other(answer)
    }
}

/// The kind of failure that a system's answer means.
#[must_use]
pub fn classify(error: &io::Error) -> FailureCode {
    if let Some(answer) = error.get_ref().and_then(|inner| inner.downcast_ref::<ServerAnswer>()) {
        return answer.code;
    }
    // On Windows the library's kinds come second: they take a server that is gone for something that is not found.
    #[cfg(windows)]
    if let code @ (FailureCode::ServerGone | FailureCode::NoPermission) = by_number(error.raw_os_error()) {
        return code;
    }
    match error.kind() {
        ErrorKind::NotFound => FailureCode::NotFound,
        ErrorKind::NotADirectory => FailureCode::NotAFolder,
        ErrorKind::PermissionDenied => FailureCode::NoPermission,
        ErrorKind::ReadOnlyFilesystem => FailureCode::ReadOnly,
        ErrorKind::StorageFull | ErrorKind::WriteZero => FailureCode::NoSpace,
        ErrorKind::QuotaExceeded => FailureCode::Quota,
        ErrorKind::InvalidFilename => FailureCode::NameTooLong,
        ErrorKind::UnexpectedEof => FailureCode::WrongSize,
        ErrorKind::DirectoryNotEmpty => FailureCode::NotEmpty,
        ErrorKind::StaleNetworkFileHandle
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::NotConnected
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::ConnectionRefused
        | ErrorKind::BrokenPipe
        | ErrorKind::TimedOut
        // What a cifs mount answers while its session is being set up again.
        | ErrorKind::WouldBlock => FailureCode::ServerGone,
        ErrorKind::Unsupported => FailureCode::Unsupported,
        _ => by_number(error.raw_os_error()),
    }
}

#[cfg(unix)]
fn by_number(number: Option<i32>) -> FailureCode {
    match number {
        // A cifs mount answers EHOSTDOWN while its server is away, and EIO for what was under way.
        Some(libc::EHOSTDOWN | libc::ENOTCONN | libc::ESHUTDOWN) => FailureCode::ServerGone,
        Some(libc::EIO) => FailureCode::InputOutput,
        Some(libc::ENAMETOOLONG) => FailureCode::NameTooLong,
        _ => FailureCode::Other,
    }
}

#[cfg(windows)]
fn by_number(number: Option<i32>) -> FailureCode {
    use windows_sys::Win32::Foundation as winerror;

    let Some(number) = number else {
        return FailureCode::Other;
    };
    match number.cast_unsigned() {
        winerror::ERROR_REM_NOT_LIST
        | winerror::ERROR_BAD_NETPATH
        | winerror::ERROR_NETWORK_BUSY
        | winerror::ERROR_DEV_NOT_EXIST
        | winerror::ERROR_BAD_NET_RESP
        | winerror::ERROR_UNEXP_NET_ERR
        | winerror::ERROR_NETNAME_DELETED
        | winerror::ERROR_SEM_TIMEOUT
        | winerror::ERROR_VC_DISCONNECTED
        | winerror::ERROR_CONNECTION_UNAVAIL
        | winerror::ERROR_NO_NET_OR_BAD_PATH
        | winerror::ERROR_NO_NETWORK
        | winerror::ERROR_CONNECTION_REFUSED
        | winerror::ERROR_NETWORK_UNREACHABLE
        | winerror::ERROR_HOST_UNREACHABLE
        | winerror::ERROR_CONNECTION_ABORTED
        | winerror::ERROR_HOST_DOWN
        | winerror::ERROR_NOT_CONNECTED => FailureCode::ServerGone,
        // A share without a password is refused by Windows 11 as ERROR_SMB_GUEST_LOGON_BLOCKED.
        winerror::ERROR_NETWORK_ACCESS_DENIED
        | winerror::ERROR_INVALID_PASSWORD
        | winerror::ERROR_SESSION_CREDENTIAL_CONFLICT
        | winerror::ERROR_SMB_GUEST_LOGON_BLOCKED
        | winerror::ERROR_LOGON_FAILURE
        | winerror::ERROR_ACCOUNT_RESTRICTION
        | winerror::ERROR_PASSWORD_EXPIRED
        | winerror::ERROR_ACCOUNT_DISABLED
        | winerror::ERROR_ACCOUNT_LOCKED_OUT => FailureCode::NoPermission,
        winerror::ERROR_CRC
        | winerror::ERROR_WRITE_FAULT
        | winerror::ERROR_READ_FAULT
        | winerror::ERROR_GEN_FAILURE
        | winerror::ERROR_IO_DEVICE => FailureCode::InputOutput,
        winerror::ERROR_NOT_SUPPORTED | winerror::ERROR_INVALID_FUNCTION => FailureCode::Unsupported,
        _ => FailureCode::Other,
    }
}

/// Whether an answer says that the very thing asked for is not there. This is less than [`FailureCode::NotFound`]: on
/// Windows a share that its server does not offer, or not yet again, is not found either, and what is on it may be there
/// all the same.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    #[cfg(windows)]
    if error.raw_os_error() == Some(windows_sys::Win32::Foundation::ERROR_BAD_NET_NAME.cast_signed()) {
        return false;
    }
    classify(error) == FailureCode::NotFound
}

/// The failure of `operation` at `place` with the system's answer.
#[must_use]
pub fn failure_from(error: &io::Error, operation: Operation, place: impl Into<String>) -> Failure {
    Failure::new(classify(error), operation, place).with_system(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(windows)]
    #[test]
    fn a_server_that_is_gone_is_not_a_file_that_is_not_there() {
        for (number, code, absent) in [
            (2, FailureCode::NotFound, true),
            (3, FailureCode::NotFound, true),
            (53, FailureCode::ServerGone, false),
            (64, FailureCode::ServerGone, false),
            (67, FailureCode::NotFound, false),
            (121, FailureCode::ServerGone, false),
            (1231, FailureCode::ServerGone, false),
            (5, FailureCode::NoPermission, false),
            (1272, FailureCode::NoPermission, false),
            (19, FailureCode::ReadOnly, false),
            (112, FailureCode::NoSpace, false),
            (1295, FailureCode::Quota, false),
            (206, FailureCode::NameTooLong, false),
            (1117, FailureCode::InputOutput, false),
            (50, FailureCode::Unsupported, false),
        ] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!((classify(&error), is_absent(&error)), (code, absent), "{number}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn answers_are_sorted() {
        for (number, code) in [
            (libc::ENOENT, FailureCode::NotFound),
            (libc::ENOTDIR, FailureCode::NotAFolder),
            (libc::EACCES, FailureCode::NoPermission),
            (libc::EROFS, FailureCode::ReadOnly),
            (libc::ENOSPC, FailureCode::NoSpace),
            (libc::EDQUOT, FailureCode::Quota),
            (libc::ENOTEMPTY, FailureCode::NotEmpty),
            (libc::EAGAIN, FailureCode::ServerGone),
            (libc::ENAMETOOLONG, FailureCode::NameTooLong),
            (libc::EHOSTDOWN, FailureCode::ServerGone),
            (libc::ESTALE, FailureCode::ServerGone),
            (libc::EIO, FailureCode::InputOutput),
        ] {
            assert_eq!(classify(&io::Error::from_raw_os_error(number)), code, "{number}");
        }
    }
}
