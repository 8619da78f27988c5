//! Everything that sharemark can warn about, in one list. The words and the advice are the report room's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bytes, FailureCode, Nanoseconds, Rate, TrendDirection, Workload};

/// A reason to read a number with care.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Warning {
    /// The folder is on a disk of this machine: no share was measured.
    LocalDisk {
        /// The file system's type.
        file_system: String,
    },
    /// The folder is in this machine's memory.
    MemoryFileSystem {
        /// The file system's type.
        file_system: String,
    },
    /// A program of the user's stands between and may keep a cache that nothing can look into.
    FuseCache {
        /// The file system's type, `fuse.sshfs` for example.
        file_system: String,
    },
    /// A cache of this machine could not be ruled out for some reads.
    CacheNotRuledOut {
        /// How many samples.
        samples: u32,
        /// How many bytes were in the cache, at most, when a read began; `null` when it could not be asked.
        resident: Option<Bytes>,
    },
    /// The user allowed the cache to answer, or asked for no durability: the number shows the cache.
    CacheAllowed {
        /// The workload whose number it is.
        workload: Workload,
    },
    /// What a folder holds and how large its files are may have been answered from this machine's memory, as every mount's
    /// client does for some seconds.
    NamesRemembered,
    /// The system refused to go past the cache, and another way was taken.
    DirectRefused {
        /// The workload it was refused for.
        workload: Workload,
    },
    /// The block is no multiple of what requests past the cache have to be multiples of.
    BlockUnaligned {
        /// The block.
        block: Bytes,
        /// The nearest block that would do.
        suggestion: Bytes,
    },
    /// The system could not carry as many operations at once as asked.
    DepthReduced {
        /// The workload.
        workload: Workload,
        /// How many were asked for.
        asked: u32,
        /// How many it carried.
        carried: u32,
    },
    /// The server takes no file of the size asked for.
    SizeReduced {
        /// The size asked for.
        asked: Bytes,
        /// The size of the files that were used.
        used: Bytes,
    },
    /// The protocol has no way to do a workload, which was left out at this target.
    WorkloadUnsupported {
        /// The workload.
        workload: Workload,
    },
    /// The first round differs from the others.
    FirstRunDiffers {
        /// The workload.
        workload: Workload,
        /// The first round's rate.
        first: Rate,
        /// The mean of the others.
        others: Rate,
    },
    /// Rates rise or fall over the rounds, so that their mean is no steady state.
    Trend {
        /// The workload.
        workload: Workload,
        /// Where it goes.
        direction: TrendDirection,
        /// By how much a round.
        per_round: Rate,
    },
    /// Most rounds begin fast and go on slower: a buffer on the way fills.
    Burst {
        /// The workload.
        workload: Workload,
        /// The rate before.
        before: Rate,
        /// The rate that is sustained.
        after: Rate,
        /// When it changes.
        at_ns: Nanoseconds,
    },
    /// The interval is wider than the plan wanted when the rounds or the time ended.
    ConfidenceNotReached {
        /// The workload.
        workload: Workload,
        /// Half the interval's width as a share of the mean; `null` for a single sample.
        reached: Option<f64>,
        /// What the plan wanted.
        wanted: f64,
    },
    /// A sample was thrown away and measured again.
    SampleRepeated {
        /// The workload.
        workload: Workload,
        /// The round.
        round: u32,
        /// Why.
        reason: RepeatReason,
        /// The time that was lost.
        lost_ns: Nanoseconds,
    },
    /// The loop waited for data to be made or checked: this machine's processor is part of the number.
    GeneratorBound {
        /// The workload.
        workload: Workload,
        /// The share of the phase spent waiting.
        share: f64,
    },
    /// A file or folder of sharemark's own could not be removed; `sharemark clean` will.
    LeftBehind {
        /// The path.
        place: String,
        /// Why.
        reason: FailureCode,
    },
    /// The history could not be written.
    HistoryNotWritten {
        /// What the system answered.
        system: String,
    },
}

/// Why a sample was measured again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatReason {
    /// The machine slept.
    Slept,
    /// The process was stopped for a while.
    Stopped,
}
