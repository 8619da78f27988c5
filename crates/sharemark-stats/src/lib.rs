//! What the rounds of a run amount to.
//!
//! Samples go in, summaries, comparisons and warnings come out: pure functions, with the source of each method in its comment.
//! Rates cross the border of this crate as [`Rate`](sharemark_model::Rate), never as bare numbers.
//!
//! Three things are kept apart that a single average would mix. A first round that differs (a disk had to spin up) is
//! named, and a mean without it stands beside the mean of all. A trend over the rounds (something warms up or fills) is
//! named, because then no mean is a steady state. A change within a phase (a buffer was full) is named, because then
//! the phase's rate depends on how long the phase was.

mod change_point;
mod comparison;
mod confidence;
mod first_run;
mod kendall;
mod mean;
mod pettitt;
mod summary;
#[cfg(test)]
mod testing;
mod trend;
mod warnings;

pub use change_point::change_point;
pub use comparison::{compare, compare_reports, comparisons_precise, plan_differences};
pub use confidence::{half_width_share, precise_enough, steady_mean};
pub use summary::summarise;
pub use warnings::warnings;
