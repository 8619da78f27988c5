//! The statuses of NFS and of its MOUNT protocol, and the kind of failure that each means.
//!
//! Numbers and names: RFC 1813 (version 3 and MOUNT), RFC 7530 (4.0), RFC 8881 (4.1), RFC 7862 (4.2).

use std::fmt;

use sharemark_model::FailureCode;

/// A status other than `OK`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Status {
    prefix: &'static str,
    name: &'static str,
    number: u32,
    /// What it means.
    pub(super) code: FailureCode,
}

impl Status {
    /// A status of NFS version 3.
    pub(super) fn nfs3(number: u32) -> Self {
        Self::found("NFS3ERR_", number, &[SHARED, NFS3])
    }

    /// A status of NFS version 4.
    pub(super) fn nfs4(number: u32) -> Self {
        Self::found("NFS4ERR_", number, &[SHARED, NFS4])
    }

    /// A status of the MOUNT protocol, version 3.
    pub(super) fn mount(number: u32) -> Self {
        Self::found("MNT3ERR_", number, &[MOUNT, SHARED, NFS3])
    }

    fn found(prefix: &'static str, number: u32, tables: &[Table]) -> Self {
        let known = tables.iter().copied().flatten().find(|(known, ..)| *known == number);
        let (_, name, code) = known.copied().unwrap_or((number, "", FailureCode::Other));
        Self { prefix, name, number, code }
    }

    /// The same status where it means something else.
    pub(super) const fn meaning(self, code: FailureCode) -> Self {
        Self { code, ..self }
    }

    /// The number on the wire.
    pub(super) const fn number(self) -> u32 {
        self.number
    }

    /// Whether the server asks to come again later.
    pub(super) fn is_delay(self) -> bool {
        matches!(self.name, "JUKEBOX" | "DELAY" | "GRACE")
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} ({})", self.prefix, self.name, self.number)
    }
}

type Table = &'static [(u32, &'static str, FailureCode)];

/// What both versions call alike.
const SHARED: Table = &[
    (1, "PERM", FailureCode::NoPermission),
    (2, "NOENT", FailureCode::NotFound),
    (5, "IO", FailureCode::InputOutput),
    (6, "NXIO", FailureCode::InputOutput),
    (13, "ACCES", FailureCode::NoPermission),
    (ALREADY_THERE, "EXIST", FailureCode::Other),
    (18, "XDEV", FailureCode::Other),
    (20, "NOTDIR", FailureCode::NotAFolder),
    (21, "ISDIR", FailureCode::Other),
    (22, "INVAL", FailureCode::Protocol),
    (27, "FBIG", FailureCode::TooLarge),
    (28, "NOSPC", FailureCode::NoSpace),
    (30, "ROFS", FailureCode::ReadOnly),
    (31, "MLINK", FailureCode::Other),
    (63, "NAMETOOLONG", FailureCode::NameTooLong),
    (66, "NOTEMPTY", FailureCode::NotEmpty),
    (69, "DQUOT", FailureCode::Quota),
    // The file or its file system went away under an open handle; a mounted share answers ESTALE then.
    (70, "STALE", FailureCode::ServerGone),
    (10001, "BADHANDLE", FailureCode::ServerGone),
    (10004, "NOTSUPP", FailureCode::Unsupported),
    (10005, "TOOSMALL", FailureCode::Protocol),
    (10006, "SERVERFAULT", FailureCode::InputOutput),
    (10007, "BADTYPE", FailureCode::Unsupported),
];

const NFS3: Table = &[
    (19, "NODEV", FailureCode::InputOutput),
    (71, "REMOTE", FailureCode::Other),
    (10002, "NOT_SYNC", FailureCode::Other),
    (10003, "BAD_COOKIE", FailureCode::Protocol),
    // Not yet, said for longer than this engine asks again.
    (10008, "JUKEBOX", FailureCode::ServerGone),
];

const NFS4: Table = &[
    (10003, "BAD_COOKIE", FailureCode::Protocol),
    (10008, "DELAY", FailureCode::ServerGone),
    (10009, "SAME", FailureCode::Other),
    (10010, "DENIED", FailureCode::Other),
    // A lease that ran out, or a server that forgot this client: it was restarted, or the client was away for too long.
    (10011, "EXPIRED", FailureCode::ServerGone),
    (10012, "LOCKED", FailureCode::Other),
    (10013, "GRACE", FailureCode::ServerGone),
    (10014, "FHEXPIRED", FailureCode::ServerGone),
    (10015, "SHARE_DENIED", FailureCode::Other),
    // The flavour of authentication is another than AUTH_SYS.
    (10016, "WRONGSEC", FailureCode::LoginRefused),
    (10017, "CLID_INUSE", FailureCode::Other),
    (10018, "RESOURCE", FailureCode::Other),
    (10019, "MOVED", FailureCode::ServerGone),
    (10020, "NOFILEHANDLE", FailureCode::Protocol),
    (10021, "MINOR_VERS_MISMATCH", FailureCode::Version),
    (10022, "STALE_CLIENTID", FailureCode::ServerGone),
    (10023, "STALE_STATEID", FailureCode::ServerGone),
    (10024, "OLD_STATEID", FailureCode::Protocol),
    (10025, "BAD_STATEID", FailureCode::ServerGone),
    (10026, "BAD_SEQID", FailureCode::Protocol),
    // What VERIFY was told of a file or folder is not so.
    (10027, "NOT_SAME", FailureCode::Other),
    (10029, "SYMLINK", FailureCode::NotAFolder),
    (10030, "RESTOREFH", FailureCode::Protocol),
    (10032, "ATTRNOTSUPP", FailureCode::Unsupported),
    (10033, "NO_GRACE", FailureCode::Other),
    (10036, "BADXDR", FailureCode::Protocol),
    (10038, "OPENMODE", FailureCode::Protocol),
    (10039, "BADOWNER", FailureCode::Other),
    (10040, "BADCHAR", FailureCode::Other),
    (10041, "BADNAME", FailureCode::Other),
    (10044, "OP_ILLEGAL", FailureCode::Version),
    (10046, "FILE_OPEN", FailureCode::Other),
    (10047, "ADMIN_REVOKED", FailureCode::ServerGone),
    (10052, "BADSESSION", FailureCode::ServerGone),
    (10053, "BADSLOT", FailureCode::Protocol),
    (10055, "CONN_NOT_BOUND_TO_SESSION", FailureCode::ServerGone),
    (10063, "SEQ_MISORDERED", FailureCode::Protocol),
    (10065, "REQ_TOO_BIG", FailureCode::Protocol),
    (10066, "REP_TOO_BIG", FailureCode::Protocol),
    (10068, "RETRY_UNCACHED_REP", FailureCode::Protocol),
    (10070, "OP_NOT_IN_SESSION", FailureCode::Protocol),
    (10076, "SEQ_FALSE_RETRY", FailureCode::Protocol),
    (10078, "DEADSESSION", FailureCode::ServerGone),
    (10083, "WRONG_TYPE", FailureCode::Other),
];

const MOUNT: Table = &[(2, "NOENT", FailureCode::UnknownShare), (20, "NOTDIR", FailureCode::UnknownShare)];

/// `EXIST`: something of that name is there.
pub(super) const ALREADY_THERE: u32 = 17;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_named_with_its_number() {
        assert_eq!(Status::nfs3(28).to_string(), "NFS3ERR_NOSPC (28)");
        assert_eq!(Status::nfs4(10013).to_string(), "NFS4ERR_GRACE (10013)");
        assert_eq!(Status::mount(13).to_string(), "MNT3ERR_ACCES (13)");
        assert_eq!(Status::nfs3(12345).to_string(), "NFS3ERR_ (12345)");
    }

    #[test]
    fn statuses_are_sorted() {
        for (number, code) in [
            (1, FailureCode::NoPermission),
            (2, FailureCode::NotFound),
            (5, FailureCode::InputOutput),
            (13, FailureCode::NoPermission),
            (17, FailureCode::Other),
            (20, FailureCode::NotAFolder),
            (27, FailureCode::TooLarge),
            (28, FailureCode::NoSpace),
            (30, FailureCode::ReadOnly),
            (63, FailureCode::NameTooLong),
            (66, FailureCode::NotEmpty),
            (69, FailureCode::Quota),
            (70, FailureCode::ServerGone),
            (10008, FailureCode::ServerGone),
        ] {
            assert_eq!((Status::nfs3(number).code, Status::nfs4(number).code), (code, code), "{number}");
        }
        assert_eq!(Status::mount(2).code, FailureCode::UnknownShare);
        assert_eq!(Status::mount(13).code, FailureCode::NoPermission);
        assert_eq!(Status::nfs4(10021).code, FailureCode::Version);
        assert_eq!(Status::nfs4(10052).code, FailureCode::ServerGone);
        assert_eq!(Status::nfs4(4711).code, FailureCode::Other);
    }

    #[test]
    fn a_number_stands_once_in_what_is_looked_through() {
        for tables in [[SHARED, NFS3], [SHARED, NFS4]] {
            let mut numbers: Vec<u32> = tables.concat().iter().map(|(number, ..)| *number).collect();
            let all = numbers.len();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), all);
        }
    }

    #[test]
    fn who_comes_too_early_may_come_again() {
        assert!(Status::nfs3(10008).is_delay() && Status::nfs4(10008).is_delay());
        assert!(Status::nfs4(10013).is_delay() && !Status::nfs4(5).is_delay());
    }
}
