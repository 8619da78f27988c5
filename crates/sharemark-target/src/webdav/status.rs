//! What a server's status means: RFC 9110 (HTTP) and RFC 4918 (WebDAV), in one table.

use std::io;

use sharemark_model::{FailureCode, without_password};

use super::http::Head;
use crate::ServerAnswer;

/// The kind of failure that a status means.
pub(super) const fn code(status: u16) -> FailureCode {
    match status {
        401 => FailureCode::LoginRefused,
        403 | 423 => FailureCode::NoPermission,
        // 409 is the answer where the folder around the resource is not there (RFC 4918, 9.3.1 and 9.7.1).
        404 | 409 | 410 => FailureCode::NotFound,
        413 => FailureCode::TooLarge,
        414 => FailureCode::NameTooLong,
        // A body whose length is not known before: the server takes none.
        411 => FailureCode::Unsupported,
        // Methods that WebDAV asks of every server, and what a server answers that does not know them.
        400 | 405 | 501 | 505 | 100..300 => FailureCode::Protocol,
        500 => FailureCode::InputOutput,
        502..=504 => FailureCode::ServerGone,
        507 => FailureCode::NoSpace,
        // Redirects among them: what was typed is measured, and not what somebody else names.
        _ => FailureCode::Other,
    }
}

/// The answer as an error, in the server's own words.
pub(super) fn refusal(head: &Head) -> io::Error {
    let text = match head.get("location") {
        Some(target) if (300..400).contains(&head.status) => {
            format!("{}: {}", head.line(), without_password(target))
        }
        _ => head.line(),
    };
    ServerAnswer::new(code(head.status), text).into()
}

/// The same, where the server said more about it in the answer's body (RFC 4331, 6: a quota is not a full disk).
pub(super) fn refusal_with(head: &Head, body: &[u8]) -> io::Error {
    const QUOTA: &[u8] = b"quota-not-exceeded";
    if head.status == 507 && body.windows(QUOTA.len()).any(|part| part == QUOTA) {
        return ServerAnswer::new(FailureCode::Quota, head.line()).into();
    }
    refusal(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify;

    fn head(status: u16, headers: &[(&str, &str)]) -> Head {
        let headers = headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Head { status, reason: "Words".to_owned(), headers, minor: 1 }
    }

    #[test]
    fn a_status_is_sorted() {
        for (status, expected) in [
            (200, FailureCode::Protocol),
            (301, FailureCode::Other),
            (400, FailureCode::Protocol),
            (401, FailureCode::LoginRefused),
            (403, FailureCode::NoPermission),
            (404, FailureCode::NotFound),
            (405, FailureCode::Protocol),
            (409, FailureCode::NotFound),
            (411, FailureCode::Unsupported),
            (412, FailureCode::Other),
            (413, FailureCode::TooLarge),
            (423, FailureCode::NoPermission),
            (429, FailureCode::Other),
            (500, FailureCode::InputOutput),
            (501, FailureCode::Protocol),
            (503, FailureCode::ServerGone),
            (507, FailureCode::NoSpace),
        ] {
            let error = refusal(&head(status, &[]));
            assert_eq!(classify(&error), expected, "{status}");
            assert_eq!(error.to_string(), format!("{status} Words"));
        }
    }

    #[test]
    fn a_redirect_names_where_to() {
        let error = refusal(&head(302, &[("location", "https://me:secret@nas/dav/")]));
        assert_eq!(error.to_string(), "302 Words: https://me@nas/dav/");
    }

    #[test]
    fn a_quota_is_told_from_a_full_disk() {
        let body = b"<d:error xmlns:d=\"DAV:\"><d:quota-not-exceeded/></d:error>";
        assert_eq!(classify(&refusal_with(&head(507, &[]), body)), FailureCode::Quota);
        assert_eq!(classify(&refusal_with(&head(507, &[]), b"")), FailureCode::NoSpace);
    }
}
