//! What a user asked for: targets × workloads × rounds, with its pauses and limits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bytes, DataKind, Durability, Nanoseconds, ReadCache, TargetSpec, Wishes, Workload};

/// Everything a run is going to do, as asked. The report carries it, so that a number can be repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The name of the profile the plan began as.
    pub profile: Profile,
    /// What is measured, in the order given.
    pub targets: Vec<TargetSpec>,
    /// What is done at each target in each round, in this order.
    pub workloads: Vec<Workload>,
    /// How many rounds.
    pub rounds: Rounds,
    /// The size of each file; a phase ends when it is reached.
    pub size: Bytes,
    /// The bytes of one operation.
    pub block: Bytes,
    /// How many operations are under way at once.
    pub depth: u32,
    /// A phase ends after this time even if the size was not reached; `null` is without limit.
    pub time_ns: Option<Nanoseconds>,
    /// The wait between writing a file and reading it.
    pub settle_ns: Nanoseconds,
    /// The wait between rounds.
    pub pause_ns: Nanoseconds,
    /// How durable a write is before its time stops.
    pub durability: Durability,
    /// Whether this machine's cache may answer a read.
    pub read_cache: ReadCache,
    /// What the bytes look like.
    pub data: DataKind,
    /// A worker that makes no progress for this long is abandoned.
    pub stall_ns: Nanoseconds,
    /// The seed of all written bytes, and of the order of the targets.
    pub seed: u64,
    /// What is wished of connections to shares.
    #[serde(default)]
    pub wishes: Wishes,
}

/// How many rounds a run makes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rounds {
    /// Rounds made in any case.
    pub at_least: u32,
    /// Rounds made at most. Equal to `at_least` when the user fixed the number.
    pub at_most: u32,
    /// No further round is begun when each mean's 95 % interval is within this share of the mean to either side.
    pub precision: f64,
    /// No round beyond `at_least` is begun when it would end after this time from the run's start.
    pub budget_ns: Nanoseconds,
}

/// A named plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// The default: about two minutes on a home network.
    #[default]
    Quick,
    /// The method of the article sharemark grew from: 1 GiB, 8 MiB blocks, five rounds, no time limit.
    Article,
}

const fn seconds(count: u64) -> Nanoseconds {
    Nanoseconds(count * 1_000_000_000)
}

impl Profile {
    /// Every profile, in the order a list shows them.
    pub const ALL: [Self; 2] = [Self::Quick, Self::Article];

    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Article => "article",
        }
    }

    /// The plan this profile stands for, with no target yet and the given seed.
    #[must_use]
    pub fn plan(self, seed: u64) -> Plan {
        let common = Plan {
            profile: self,
            targets: Vec::new(),
            workloads: vec![Workload::SeqWrite, Workload::SeqRead],
            rounds: Rounds { at_least: 5, at_most: 100, precision: 0.03, budget_ns: seconds(300) },
            size: Bytes::gibibytes(1),
            block: Bytes::mebibytes(8),
            depth: 1,
            time_ns: Some(seconds(10)),
            settle_ns: seconds(1),
            pause_ns: seconds(1),
            durability: Durability::WriteThrough,
            read_cache: ReadCache::Avoid,
            data: DataKind::Random,
            stall_ns: seconds(30),
            seed,
            wishes: Wishes::default(),
        };
        match self {
            Self::Quick => common,
            Self::Article => Plan {
                rounds: Rounds { at_most: 5, ..common.rounds },
                time_ns: None,
                settle_ns: seconds(5),
                pause_ns: seconds(30),
                ..common
            },
        }
    }
}
