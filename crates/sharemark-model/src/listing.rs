//! What lists show: the mounts of this machine, and the runs of the history.

use crate::{Bytes, Failure, MountFacts, Summary};

/// A mount of this machine and whether it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedMount {
    /// What the system's tables say.
    pub mount: MountFacts,
    /// What it answered when asked for its free space.
    pub state: MountState,
}

/// What a mount answered within the time limit.
#[derive(Clone, Debug, PartialEq)]
pub enum MountState {
    /// It answered; `null` sizes are unknown.
    Answers {
        /// Bytes this user can still write.
        free: Option<Bytes>,
        /// The file system's size.
        total: Option<Bytes>,
    },
    /// It did not answer in time: its server is gone, or very slow.
    Silent,
    /// It answered with a failure.
    Refused(Failure),
    /// The system remembers it and has not connected it; nobody was asked.
    Disconnected,
    /// The system remembers it, and this elevated console cannot see whether it is connected; nobody was asked.
    Hidden,
}

/// A run as the history lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// The run's identifier.
    pub id: String,
    /// When it began.
    pub started: jiff::Timestamp,
    /// When it ended; `None` when it was killed before its end, or still runs.
    pub finished: Option<jiff::Timestamp>,
    /// It did not come to its planned end.
    pub partial: bool,
    /// The labels of its targets.
    pub targets: Vec<String>,
    /// What its samples amount to.
    pub summary: Vec<Summary>,
}
