//! From a target to the place a worker can reach: who asks, and with which secret.

use std::env;

use sharemark_model::{Address, Location, Login, Place, Secret, Share, TargetSpec, TypedShare, Wishes};
use sharemark_report::{Words, usage as reasons};

use crate::exit::Problem;
use crate::usage::invalid;

/// Where each of the targets is, in their order.
///
/// # Errors
/// When a URL names no share.
pub(crate) fn places(targets: &[TargetSpec], wishes: &Wishes, words: &Words) -> Result<Vec<Place>, Problem> {
    targets.iter().map(|target| place(&target.location, wishes, words)).collect()
}

/// Where a location is.
///
/// # Errors
/// When it is a URL that names no share.
pub(crate) fn place(location: &Location, wishes: &Wishes, words: &Words) -> Result<Place, Problem> {
    let typed = Address::of(location).map_err(|error| {
        let reason = reasons::address(error, words);
        Problem::usage(invalid("TARGET", &location.to_string(), &reason, words))
    })?;
    let Some(TypedShare { address, user, domain, password }) = typed else {
        return Ok(Place::Folder(location.to_string()));
    };
    let password = password.or_else(|| env::var("SHAREMARK_PASSWORD").ok().map(Secret::new));
    let login = Login { user, domain, password, key: None };
    Ok(Place::Share(Box::new(Share { address, login, wishes: wishes.clone() })))
}
