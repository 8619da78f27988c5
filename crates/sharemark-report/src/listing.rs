//! Lists: what can be measured here, and the runs of the history.

mod history;
mod mounts;

pub use self::history::history;
pub use self::mounts::{System, mounts, mounts_on};
