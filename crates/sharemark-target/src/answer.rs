//! What a system answered, sorted into the kinds of failure that sharemark tells apart.

use std::io::{self, ErrorKind};

use sharemark_model::{Failure, FailureCode, Operation};

/// The kind of failure that a system's answer means.
#[must_use]
pub fn classify(error: &io::Error) -> FailureCode {
    match error.kind() {
        ErrorKind::NotFound => FailureCode::NotFound,
        ErrorKind::NotADirectory => FailureCode::NotAFolder,
        ErrorKind::PermissionDenied => FailureCode::NoPermission,
        ErrorKind::ReadOnlyFilesystem => FailureCode::ReadOnly,
        ErrorKind::StorageFull | ErrorKind::WriteZero => FailureCode::NoSpace,
        ErrorKind::QuotaExceeded => FailureCode::Quota,
        ErrorKind::InvalidFilename => FailureCode::NameTooLong,
        ErrorKind::UnexpectedEof => FailureCode::WrongSize,
        ErrorKind::StaleNetworkFileHandle
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::NotConnected
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::ConnectionRefused
        | ErrorKind::BrokenPipe
        | ErrorKind::TimedOut => FailureCode::ServerGone,
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
    // winerror.h: ERROR_UNEXP_NET_ERR, ERROR_NETNAME_DELETED, ERROR_BAD_NETPATH, ERROR_NETWORK_UNREACHABLE,
    // ERROR_SEM_TIMEOUT; ERROR_BAD_NET_NAME; ERROR_FILENAME_EXCED_RANGE; ERROR_WRITE_PROTECT.
    match number {
        Some(59 | 64 | 53 | 1231 | 121) => FailureCode::ServerGone,
        Some(67) => FailureCode::NotFound,
        Some(206) => FailureCode::NameTooLong,
        Some(19) => FailureCode::ReadOnly,
        _ => FailureCode::Other,
    }
}

/// The failure of `operation` at `place` with the system's answer.
#[must_use]
pub fn failure_from(error: &io::Error, operation: Operation, place: impl Into<String>) -> Failure {
    Failure::new(classify(error), operation, place).with_system(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (libc::ENAMETOOLONG, FailureCode::NameTooLong),
            (libc::EHOSTDOWN, FailureCode::ServerGone),
            (libc::ESTALE, FailureCode::ServerGone),
            (libc::EIO, FailureCode::InputOutput),
        ] {
            assert_eq!(classify(&io::Error::from_raw_os_error(number)), code, "{number}");
        }
    }
}
