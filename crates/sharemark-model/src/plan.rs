//! What a user asked for: targets × workloads × rounds, with its pauses and limits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Action, Bytes, DataKind, Durability, FileMix, Nanoseconds, ReadCache, TargetSpec, Wishes, Workload,
};

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
    /// The bytes of one operation of a sequential workload.
    pub block: Bytes,
    /// How many operations of a sequential workload are under way at once.
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
    /// How many small files there are.
    #[serde(default)]
    pub files: u32,
    /// The sizes of the small files.
    #[serde(default)]
    pub file_mix: FileMix,
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
    /// The four tests of CrystalDiskMark's default page, reads first: 1 MiB blocks, 8 and 1 at once, and 4 KiB blocks at
    /// random places, 32 and 1 at once; 1 GiB, 5 s each, five rounds.
    Crystal,
    /// A camera's folder: pictures are copied there, listed, looked at and removed.
    Photos,
    /// A folder of documents.
    Documents,
    /// Editing on the share: long streams both ways, jumps in large files, and both at once.
    VideoEdit,
    /// A backup: one long stream made durable at its end, read back, and many documents.
    Backup,
}

const fn seconds(count: u64) -> Nanoseconds {
    Nanoseconds(count * 1_000_000_000)
}

impl Profile {
    /// Every profile, in the order a list shows them.
    pub const ALL: [Self; 7] = [
        Self::Quick,
        Self::Article,
        Self::Crystal,
        Self::Photos,
        Self::Documents,
        Self::VideoEdit,
        Self::Backup,
    ];

    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Article => "article",
            Self::Crystal => "crystal",
            Self::Photos => "photos",
            Self::Documents => "documents",
            Self::VideoEdit => "video-edit",
            Self::Backup => "backup",
        }
    }

    /// The plan this profile stands for, with no target yet and the given seed.
    #[must_use]
    pub fn plan(self, seed: u64) -> Plan {
        let common = Plan {
            profile: self,
            targets: Vec::new(),
            workloads: vec![Workload::SEQ_WRITE, Workload::SEQ_READ],
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
            files: 200,
            file_mix: FileMix::Documents,
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
            Self::Crystal => Plan {
                workloads: crystal(),
                rounds: Rounds { at_most: 5, ..common.rounds },
                block: Bytes::mebibytes(1),
                depth: 8,
                time_ns: Some(seconds(5)),
                pause_ns: seconds(5),
                ..common
            },
            Self::Photos => {
                Plan { workloads: Workload::small_files(1), files: 100, file_mix: FileMix::Photos, ..common }
            }
            Self::Documents => Plan { workloads: Workload::small_files(1), files: 300, ..common },
            Self::VideoEdit => Plan {
                workloads: vec![
                    Workload::SEQ_WRITE,
                    Workload::SEQ_READ,
                    Workload::shaped(Action::RandRead, Bytes::mebibytes(1), 4),
                    Workload::shaped(Action::Mixed(70), Bytes::mebibytes(1), 4),
                ],
                size: Bytes::gibibytes(2),
                ..common
            },
            Self::Backup => Plan {
                workloads: [vec![Workload::SEQ_WRITE, Workload::SEQ_READ], Workload::small_files(1)].concat(),
                rounds: Rounds { budget_ns: seconds(900), ..common.rounds },
                size: Bytes::gibibytes(4),
                time_ns: Some(seconds(30)),
                durability: Durability::Flush,
                ..common
            },
        }
    }
}

/// What CrystalDiskMark 8 and 9 run on their default page, in its order: every reading test before every writing one
/// (SEQ1M Q8T1, SEQ1M Q1T1, RND4K Q32T1, RND4K Q1T1).
fn crystal() -> Vec<Workload> {
    let (sequential, random) = (Bytes::mebibytes(1), Bytes(4096));
    [(Action::SeqRead, Action::RandRead), (Action::SeqWrite, Action::RandWrite)]
        .into_iter()
        .flat_map(|(in_order, anywhere)| {
            [
                (in_order, sequential, 8),
                (in_order, sequential, 1),
                (anywhere, random, 32),
                (anywhere, random, 1),
            ]
        })
        .map(|(action, block, depth)| Workload::shaped(action, block, depth))
        .collect()
}
