//! What a run tells while it works.

use std::time::Duration;

use sharemark_model::{Progress, Report, Sample, Warning, Workload};

/// Something happened in a run. What is borrowed is the state at that moment.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The targets were looked at and the folders made; the report has its head.
    Started(&'a Report),
    /// A phase begins.
    Phase {
        /// The target's label.
        target: &'a str,
        /// What is done; `None` while a file is written that a later phase needs.
        workload: Option<Workload>,
        /// The round, counted from 1.
        round: u32,
        /// How far the phase can go at most: the plan's time, if it is limited.
        limit: Option<Duration>,
    },
    /// The phase goes on.
    Progress(&'a Progress),
    /// A sample is complete, also a partial one.
    Sampled(&'a Sample),
    /// Nothing is measured for a while, as planned.
    Waiting {
        /// For what.
        wait: Wait,
        /// How much longer.
        left: Duration,
    },
    /// There is something to keep in mind, about the target of that label.
    Warned(&'a str, &'a Warning),
    /// What was made is being removed.
    Cleaning,
}

/// Why a run waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Between writing a file and reading it.
    Settle,
    /// Between two rounds.
    Pause,
}
