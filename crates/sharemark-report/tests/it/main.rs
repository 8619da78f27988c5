//! What sharemark says, seen as a user sees it.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test says by a panic that it failed, and its numbers are small"
)]

mod cli;
mod comparisons;
mod csv;
mod failures;
mod listing;
mod live;
mod sample_report;
mod sources;
mod text;
mod warnings;
mod workloads;

use sharemark_report::{Language, Words};

/// Both languages, English first.
fn all_words() -> [Words; 2] {
    Language::ALL.map(Words::new)
}
