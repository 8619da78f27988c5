//! Whether a server that this machine may not have can be used, and how to reach what listens here.

use std::io::{self, Write};
use std::process::Command;

use sharemark_model::{Address, Login, Place, Secret, Share, TypedShare, Wishes};

/// Whether tests with servers from outside this project are to run. Without `SHAREMARK_LAB=1` they are skipped when the
/// program is not installed, and say so; with it, its absence is a failure.
pub(crate) fn available(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(std::env::var("SHAREMARK_LAB").as_deref() != Ok("1"), "{program} is not installed");
    writeln!(io::stderr(), "skipped: {program} is not installed").ok();
    false
}

/// The share at `url`, with the user and password in it.
pub(crate) fn share(url: &str, wishes: Wishes) -> Place {
    let TypedShare { address, user, domain, password } = Address::of(&url.parse().unwrap()).unwrap().unwrap();
    let login = Login { user, domain, password, key: None };
    Place::Share(Box::new(Share { address, login, wishes }))
}

/// The same share asked with another password.
pub(crate) fn with_password(place: &Place, password: &str) -> Place {
    let Place::Share(share) = place else { return place.clone() };
    let mut share = share.clone();
    share.login.password = Some(Secret::new(password.to_owned()));
    Place::Share(share)
}
