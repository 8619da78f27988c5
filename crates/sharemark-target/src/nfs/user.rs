//! Who asks: AUTH_SYS (RFC 5531), a number for the user and numbers for the groups, which the server believes.

use sharemark_model::{Failure, FailureCode, Operation, Share};

use super::xdr::Encoder;

/// The numbers of nobody, for systems whose users have none.
#[cfg(not(unix))]
const NOBODY: u32 = 65534;

/// AUTH_SYS carries no more groups beside the first.
#[cfg(unix)]
const MOST_GROUPS: usize = 16;

const AUTH_NONE: u32 = 0;
const AUTH_SYS: u32 = 1;

/// A user as the server sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    /// The user's number; 0 is root.
    pub(super) uid: u32,
    gid: u32,
    groups: Vec<u32>,
}

impl User {
    /// The user of the login (a number), of `?uid=` and `?gid=`, or the one this process runs as.
    pub(super) fn of(share: &Share) -> Result<Self, Failure> {
        let refused = |name: &str, value: &str| {
            Failure::new(FailureCode::LoginRefused, Operation::Connect, share.address.to_string())
                .with_system(format!("AUTH_SYS: {name}={value}"))
        };
        let number = |name: &str, value: Option<&str>| {
            value.map(|text| text.parse::<u32>().map_err(|_| refused(name, text))).transpose()
        };
        let asked = share.address.option("uid").or(share.login.user.as_deref());
        let gid = number("gid", share.address.option("gid"))?;
        let mut user = Self::of_process();
        if let Some(uid) = number("uid", asked)?.filter(|uid| *uid != user.uid) {
            // Another user's groups are not known here. Most users have a group of their own with the same number.
            user = Self { uid, gid: uid, groups: Vec::new() };
        }
        if let Some(gid) = gid {
            user.gid = gid;
        }
        Ok(user)
    }

    #[cfg(unix)]
    fn of_process() -> Self {
        let groups = rustix::process::getgroups().unwrap_or_default();
        Self {
            uid: rustix::process::geteuid().as_raw(),
            gid: rustix::process::getegid().as_raw(),
            groups: groups.into_iter().map(rustix::process::Gid::as_raw).take(MOST_GROUPS).collect(),
        }
    }

    #[cfg(not(unix))]
    fn of_process() -> Self {
        Self { uid: NOBODY, gid: NOBODY, groups: Vec::new() }
    }

    /// Writes the credential and the empty verifier of a call. The machine's name tells the server nothing it uses, and
    /// stays here.
    pub(super) fn write_to(&self, call: &mut Encoder) {
        let mut body = Encoder::new();
        body.u32(0).opaque(b"sharemark").u32(self.uid).u32(self.gid).words(&self.groups);
        call.u32(AUTH_SYS).opaque(body.bytes()).u32(AUTH_NONE).opaque(&[]);
    }
}

#[cfg(test)]
mod tests {
    use sharemark_model::{Address, Login, Wishes};

    use super::*;

    fn user(url: &str) -> Result<User, Failure> {
        let typed = Address::of(&url.parse().unwrap()).unwrap().unwrap();
        let login = Login { user: typed.user, ..Login::default() };
        User::of(&Share { address: typed.address, login, wishes: Wishes::default() })
    }

    #[test]
    fn a_number_in_the_address_is_the_user() {
        let other = user("nfs://4711@nas/x").unwrap();
        assert_eq!((other.uid, other.gid), (4711, 4711));
        let other = user("nfs://nas/x?uid=4711&gid=12").unwrap();
        assert_eq!((other.uid, other.gid), (4711, 12));
        assert_eq!(user("nfs://nas/x").unwrap(), User::of_process());
    }

    #[test]
    fn a_name_is_refused_by_name() {
        let failure = user("nfs://karl@nas/x").unwrap_err();
        assert_eq!(failure.code, FailureCode::LoginRefused);
        assert_eq!(failure.system.as_deref(), Some("AUTH_SYS: uid=karl"));
    }
}
