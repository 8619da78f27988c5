//! The measured loop, and the process around it.
//!
//! A worker reads one job, does it, and tells how far it is while it does. It runs in a process of its own, so that
//! whoever waits for it can stop waiting: an operation on a share whose server is gone may never return, and nothing
//! inside the process can end it.

mod clocks;
mod files;
mod housekeeping;
mod pool;
mod random;
mod read;
mod recorder;
mod serve;
mod shared;
mod shuffle;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub use serve::{ServeError, serve};
