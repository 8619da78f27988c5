//! The run: what is done in which order, who watches it, and what is removed afterwards.
//!
//! The runner never touches a target itself: whatever may hang happens in a worker process that it can abandon. It
//! emits [`Event`]s while it works and ends in a [`sharemark_model::Report`], whatever happened.

mod clean;
mod clock;
mod conduct;
mod context;
mod event;
mod executor;
mod finish;
mod identity;
mod interrupts;
mod manifest;
mod mounts;
mod order;
mod process;
mod round;
mod run;
#[cfg(test)]
mod tests;

pub use clean::{Cleaned, clean, leftovers, resolve};
pub use clock::{Clock, SystemClock};
pub use context::Context;
pub use event::{Event, Wait};
pub use executor::{Executor, Heard, Running};
pub use identity::{host, new_id, new_seed};
pub use interrupts::Interrupts;
pub use manifest::{Leftover, Leftovers, ManifestError};
pub use mounts::list_mounts;
pub use order::order;
pub use process::ProcessExecutor;
pub use run::run;
