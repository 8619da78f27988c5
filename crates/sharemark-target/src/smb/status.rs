//! The NTSTATUS numbers that servers answer with ([MS-ERREF] 2.3), sorted by what to do next.

use sharemark_model::FailureCode;
use smb2::types::status::NtStatus;

use crate::ServerAnswer;

/// A number of [MS-ERREF] 2.3.
pub(super) type Status = u32;

pub(super) const SUCCESS: Status = 0;
pub(super) const PENDING: Status = 0x0000_0103;
pub(super) const BUFFER_OVERFLOW: Status = 0x8000_0005;
pub(super) const NO_MORE_FILES: Status = 0x8000_0006;
pub(super) const NO_SUCH_FILE: Status = 0xC000_000F;
pub(super) const END_OF_FILE: Status = 0xC000_0011;
pub(super) const MORE_PROCESSING_REQUIRED: Status = 0xC000_0016;
pub(super) const ACCESS_DENIED: Status = 0xC000_0022;
pub(super) const DELETE_PENDING: Status = 0xC000_0056;
pub(super) const DIRECTORY_NOT_EMPTY: Status = 0xC000_0101;
pub(super) const USER_SESSION_DELETED: Status = 0xC000_0203;
pub(super) const NETWORK_SESSION_EXPIRED: Status = 0xC000_035C;

const TABLE: [(Status, &str, FailureCode); 71] = {
    use FailureCode::{
        Encryption, InputOutput, LoginRefused, NameTooLong, NoPermission, NoSpace, NotAFolder, NotEmpty,
        NotFound, Other, Protocol, Quota, ReadOnly, ServerGone, TooLarge, UnknownShare, Unsupported,
    };
    [
        (0x8000_002D, "STATUS_STOPPED_ON_SYMLINK", NotFound),
        (0xC000_0001, "STATUS_UNSUCCESSFUL", Other),
        (0xC000_0002, "STATUS_NOT_IMPLEMENTED", Unsupported),
        (0xC000_0008, "STATUS_INVALID_HANDLE", ServerGone),
        (0xC000_000D, "STATUS_INVALID_PARAMETER", Protocol),
        (0xC000_000E, "STATUS_NO_SUCH_DEVICE", NotFound),
        (NO_SUCH_FILE, "STATUS_NO_SUCH_FILE", NotFound),
        (0xC000_0010, "STATUS_INVALID_DEVICE_REQUEST", Unsupported),
        (END_OF_FILE, "STATUS_END_OF_FILE", FailureCode::WrongSize),
        (0xC000_0013, "STATUS_NO_MEDIA_IN_DEVICE", InputOutput),
        (0xC000_0017, "STATUS_NO_MEMORY", Other),
        (ACCESS_DENIED, "STATUS_ACCESS_DENIED", NoPermission),
        (0xC000_0033, "STATUS_OBJECT_NAME_INVALID", NotFound),
        (0xC000_0034, "STATUS_OBJECT_NAME_NOT_FOUND", NotFound),
        (0xC000_0035, "STATUS_OBJECT_NAME_COLLISION", Other),
        (0xC000_0039, "STATUS_OBJECT_PATH_INVALID", NotFound),
        (0xC000_003A, "STATUS_OBJECT_PATH_NOT_FOUND", NotFound),
        (0xC000_003B, "STATUS_OBJECT_PATH_SYNTAX_BAD", NotFound),
        (0xC000_003F, "STATUS_CRC_ERROR", InputOutput),
        (0xC000_0043, "STATUS_SHARING_VIOLATION", NoPermission),
        (0xC000_0044, "STATUS_QUOTA_EXCEEDED", Quota),
        (0xC000_0054, "STATUS_FILE_LOCK_CONFLICT", NoPermission),
        (DELETE_PENDING, "STATUS_DELETE_PENDING", NotFound),
        (0xC000_0061, "STATUS_PRIVILEGE_NOT_HELD", NoPermission),
        (0xC000_006A, "STATUS_WRONG_PASSWORD", LoginRefused),
        (0xC000_006D, "STATUS_LOGON_FAILURE", LoginRefused),
        (0xC000_006E, "STATUS_ACCOUNT_RESTRICTION", LoginRefused),
        (0xC000_006F, "STATUS_INVALID_LOGON_HOURS", LoginRefused),
        (0xC000_0070, "STATUS_INVALID_WORKSTATION", LoginRefused),
        (0xC000_0071, "STATUS_PASSWORD_EXPIRED", LoginRefused),
        (0xC000_0072, "STATUS_ACCOUNT_DISABLED", LoginRefused),
        (0xC000_007F, "STATUS_DISK_FULL", NoSpace),
        (0xC000_009A, "STATUS_INSUFFICIENT_RESOURCES", Other),
        (0xC000_009C, "STATUS_DEVICE_DATA_ERROR", InputOutput),
        (0xC000_00A2, "STATUS_MEDIA_WRITE_PROTECTED", ReadOnly),
        (0xC000_00B5, "STATUS_IO_TIMEOUT", InputOutput),
        (0xC000_00BA, "STATUS_FILE_IS_A_DIRECTORY", Other),
        (0xC000_00BB, "STATUS_NOT_SUPPORTED", Unsupported),
        (0xC000_00BE, "STATUS_BAD_NETWORK_PATH", UnknownShare),
        (0xC000_00C3, "STATUS_INVALID_NETWORK_RESPONSE", Protocol),
        (0xC000_00C9, "STATUS_NETWORK_NAME_DELETED", ServerGone),
        (0xC000_00CA, "STATUS_NETWORK_ACCESS_DENIED", NoPermission),
        (0xC000_00CC, "STATUS_BAD_NETWORK_NAME", UnknownShare),
        (0xC000_00D0, "STATUS_REQUEST_NOT_ACCEPTED", Other),
        (0xC000_00E5, "STATUS_INTERNAL_ERROR", InputOutput),
        (0xC000_00E9, "STATUS_UNEXPECTED_IO_ERROR", InputOutput),
        (DIRECTORY_NOT_EMPTY, "STATUS_DIRECTORY_NOT_EMPTY", NotEmpty),
        (0xC000_0103, "STATUS_NOT_A_DIRECTORY", NotAFolder),
        (0xC000_0106, "STATUS_NAME_TOO_LONG", NameTooLong),
        (0xC000_0120, "STATUS_CANCELLED", ServerGone),
        (0xC000_0121, "STATUS_CANNOT_DELETE", NoPermission),
        (0xC000_0128, "STATUS_FILE_CLOSED", ServerGone),
        (0xC000_015B, "STATUS_LOGON_TYPE_NOT_GRANTED", LoginRefused),
        (0xC000_0185, "STATUS_IO_DEVICE_ERROR", InputOutput),
        (0xC000_0188, "STATUS_LOG_FILE_FULL", NoSpace),
        (0xC000_018B, "STATUS_NO_TRUST_SAM_ACCOUNT", LoginRefused),
        (0xC000_0193, "STATUS_ACCOUNT_EXPIRED", LoginRefused),
        (USER_SESSION_DELETED, "STATUS_USER_SESSION_DELETED", ServerGone),
        (0xC000_0205, "STATUS_INSUFF_SERVER_RESOURCES", Other),
        (0xC000_020C, "STATUS_CONNECTION_DISCONNECTED", ServerGone),
        (0xC000_020D, "STATUS_CONNECTION_RESET", ServerGone),
        (0xC000_0224, "STATUS_PASSWORD_MUST_CHANGE", LoginRefused),
        (0xC000_0225, "STATUS_NOT_FOUND", NotFound),
        (0xC000_0234, "STATUS_ACCOUNT_LOCKED_OUT", LoginRefused),
        (0xC000_0257, "STATUS_PATH_NOT_COVERED", Unsupported),
        (NETWORK_SESSION_EXPIRED, "STATUS_NETWORK_SESSION_EXPIRED", ServerGone),
        (0xC000_0388, "STATUS_DOWNGRADE_DETECTED", Protocol),
        (0xC000_0418, "STATUS_NTLM_BLOCKED", LoginRefused),
        (0xC000_0427, "STATUS_FILE_SYSTEM_LIMITATION", TooLarge),
        (0xC000_0904, "STATUS_FILE_TOO_LARGE", TooLarge),
        (0xC000_A100, "STATUS_SMB_ENCRYPTION_REQUIRED", Encryption),
    ]
};

/// What an answer with this number means, in the server's words: `STATUS_DISK_FULL (0xC000007F)`.
pub(super) fn answer(status: Status) -> ServerAnswer {
    let known = TABLE.iter().find(|(number, ..)| *number == status);
    match known {
        Some((_, name, code)) => ServerAnswer::new(*code, format!("{name} (0x{status:08X})")),
        None => match NtStatus(status).to_string() {
            number if number.starts_with("0x") => ServerAnswer::new(FailureCode::Other, number),
            name => ServerAnswer::new(FailureCode::Other, format!("{name} (0x{status:08X})")),
        },
    }
}

/// The answer for a message that its protocol does not allow there.
pub(super) fn malformed(what: impl Into<String>) -> ServerAnswer {
    ServerAnswer::new(FailureCode::Protocol, what)
}

/// The same for what the codec could not read.
pub(super) fn unreadable(error: &smb2::Error) -> ServerAnswer {
    malformed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_and_named() {
        for (number, code, text) in [
            (0xC000_0022, FailureCode::NoPermission, "STATUS_ACCESS_DENIED (0xC0000022)"),
            (0xC000_007F, FailureCode::NoSpace, "STATUS_DISK_FULL (0xC000007F)"),
            (0xC000_0044, FailureCode::Quota, "STATUS_QUOTA_EXCEEDED (0xC0000044)"),
            (0xC000_00A2, FailureCode::ReadOnly, "STATUS_MEDIA_WRITE_PROTECTED (0xC00000A2)"),
            (0xC000_0034, FailureCode::NotFound, "STATUS_OBJECT_NAME_NOT_FOUND (0xC0000034)"),
            (0xC000_003A, FailureCode::NotFound, "STATUS_OBJECT_PATH_NOT_FOUND (0xC000003A)"),
            (0xC000_0035, FailureCode::Other, "STATUS_OBJECT_NAME_COLLISION (0xC0000035)"),
            (0xC000_0101, FailureCode::NotEmpty, "STATUS_DIRECTORY_NOT_EMPTY (0xC0000101)"),
            (0xC000_0103, FailureCode::NotAFolder, "STATUS_NOT_A_DIRECTORY (0xC0000103)"),
            (0xC000_0106, FailureCode::NameTooLong, "STATUS_NAME_TOO_LONG (0xC0000106)"),
            (0xC000_006D, FailureCode::LoginRefused, "STATUS_LOGON_FAILURE (0xC000006D)"),
            (0xC000_00CC, FailureCode::UnknownShare, "STATUS_BAD_NETWORK_NAME (0xC00000CC)"),
            (0xC000_035C, FailureCode::ServerGone, "STATUS_NETWORK_SESSION_EXPIRED (0xC000035C)"),
            (0xC000_00C9, FailureCode::ServerGone, "STATUS_NETWORK_NAME_DELETED (0xC00000C9)"),
            (0xC000_0185, FailureCode::InputOutput, "STATUS_IO_DEVICE_ERROR (0xC0000185)"),
            // The codec's crate knows some that are not sorted here, and some are known to nobody.
            (0xC000_0023, FailureCode::Other, "STATUS_BUFFER_TOO_SMALL (0xC0000023)"),
            (0xC0FF_EE00, FailureCode::Other, "0xC0FFEE00"),
        ] {
            assert_eq!(answer(number), ServerAnswer::new(code, text));
        }
    }

    #[test]
    fn no_number_stands_twice() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} and {}", pair[0].1, pair[1].1);
        }
    }
}
