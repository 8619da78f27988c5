//! One workload at one target once, with its evidence: what the report's `samples` hold.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Action, Bytes, Failure, Nanoseconds, Quantity, Rate, Transfer, Workload};

/// One measurement with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// The target's label.
    pub target: String,
    /// What was done.
    pub workload: Workload,
    /// The round, counted from 1.
    pub round: u32,
    /// When it began, by the machine's clock.
    #[schemars(with = "String")]
    pub started: jiff::Timestamp,
    /// Bytes moved and acknowledged.
    pub bytes: Bytes,
    /// The time to open or create the file.
    pub open_ns: Nanoseconds,
    /// From the first request to the last answer.
    pub transfer_ns: Nanoseconds,
    /// The time of the flush at the end; zero without one.
    pub flush_ns: Nanoseconds,
    /// The time to close the file.
    pub close_ns: Nanoseconds,
    /// From the first request to its answer; `null` when no request was answered.
    pub first_byte_ns: Option<Nanoseconds>,
    /// The headline: for a write bytes / (transfer + flush + close), for a read bytes / transfer.
    pub bytes_per_second: Rate,
    /// Operations done: blocks, small files, or entries of a listing.
    #[serde(default)]
    pub operations: u64,
    /// The same over the same time.
    #[serde(default)]
    pub operations_per_second: Rate,
    /// The bytes of one operation; `null` for small files, and in reports older than it.
    #[serde(default)]
    pub block: Option<Bytes>,
    /// Bytes moved over time.
    pub series: Vec<SeriesPoint>,
    /// The distribution of the operations' times; `null` when none was answered.
    pub latency_ns: Option<Latency>,
    /// Operations really under way at once.
    pub depth: u32,
    /// Whether every byte read, and the file's last block, is what was written; `null` for a sequential write, whose bytes
    /// the read of the same round checks as far as its time reaches; for a write at random places, whether a few of its
    /// blocks read back right afterwards.
    pub verified: Option<bool>,
    /// The phase did not come to its end: it counts in no summary.
    pub partial: bool,
    /// What ended it early.
    pub error: Option<Failure>,
    /// How this machine's cache was really dealt with.
    pub cache: CacheUse,
    /// The data generator's part.
    pub source: DataSource,
    /// Bytes seen on the wire; `null` where no probe looked.
    pub wire: Option<Wire>,
    /// The path the bytes took; `null` where no probe looked.
    pub path: Option<Evidence>,
    /// This machine's processors; `null` where no probe looked.
    pub cpu: Option<Evidence>,
    /// The NAS's own load; `null` where no probe looked.
    pub nas: Option<Evidence>,
}

/// What a probe saw, by name.
pub type Evidence = BTreeMap<String, serde_json::Value>;

impl Sample {
    /// The sample that a worker's transfer amounts to.
    #[must_use]
    pub fn from_transfer(
        target: String,
        workload: Workload,
        block: Option<Bytes>,
        round: u32,
        transfer: Transfer,
    ) -> Self {
        let counted = counted(workload, transfer.transfer, transfer.flush, transfer.close);
        Self {
            target,
            workload,
            round,
            started: transfer.started,
            bytes: transfer.bytes,
            open_ns: transfer.open,
            transfer_ns: transfer.transfer,
            flush_ns: transfer.flush,
            close_ns: transfer.close,
            first_byte_ns: transfer.first_byte,
            bytes_per_second: transfer.bytes.per(counted),
            operations: transfer.operations,
            operations_per_second: Bytes(transfer.operations).per(counted),
            block,
            series: transfer.series,
            latency_ns: transfer.latency,
            depth: transfer.depth,
            verified: transfer.verified,
            partial: transfer.failure.is_some(),
            error: transfer.failure,
            cache: transfer.cache,
            source: transfer.source,
            wire: None,
            path: None,
            cpu: None,
            nas: None,
        }
    }

    /// The rate that this workload is about: bytes, or for small files operations, per second.
    #[must_use]
    pub const fn measured(&self) -> Rate {
        match self.workload.quantity() {
            Quantity::Bytes => self.bytes_per_second,
            Quantity::Operations => self.operations_per_second,
        }
    }

    /// The time that the rate counts: for a write with its flush and close.
    #[must_use]
    pub fn counted(&self) -> Nanoseconds {
        counted(self.workload, self.transfer_ns, self.flush_ns, self.close_ns)
    }

    /// Whether the sample may count in a summary: it came to its end and its content is not known to be wrong.
    #[must_use]
    pub fn counts(&self) -> bool {
        let rate = self.measured().0;
        !self.partial && self.verified != Some(false) && rate > 0.0 && rate.is_finite()
    }
}

/// The time that a workload's rate counts: a write is not over before it is flushed and closed.
fn counted(workload: Workload, transfer: Nanoseconds, flush: Nanoseconds, close: Nanoseconds) -> Nanoseconds {
    match workload.action {
        Action::SeqWrite | Action::RandWrite | Action::Mixed(_) => transfer + flush + close,
        // Each small file is flushed and closed within its own time.
        Action::SeqRead | Action::RandRead | Action::Files(_) => transfer,
    }
}

/// Bytes moved so far at a time of the transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesPoint {
    /// Milliseconds since the transfer began.
    pub t_ms: u64,
    /// Bytes moved since the transfer began.
    pub bytes: Bytes,
}

/// The distribution of the operations' times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Half of the operations took no longer.
    pub p50: Nanoseconds,
    /// 90 % of the operations took no longer.
    pub p90: Nanoseconds,
    /// 99 % of the operations took no longer.
    pub p99: Nanoseconds,
    /// The slowest operation.
    pub max: Nanoseconds,
}

/// How this machine's cache was really dealt with, which may be less than was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheUse {
    /// How the bytes were written; `null` in a read's sample.
    pub write: Option<WriteMode>,
    /// How the bytes were read; `null` in a write's sample.
    pub read: Option<ReadMode>,
    /// What shows that this machine's cache held none of the bytes when the read began.
    pub proof: CacheProof,
    /// Bytes of the file that this machine's cache held when the read began; `null` when that could not be asked.
    pub resident_bytes: Option<Bytes>,
    /// This machine's cache is shown, or guaranteed by the system, to have no part in the number.
    pub ruled_out: bool,
}

/// How bytes were really written; the later ways leave more to the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriteMode {
    /// Past this machine's cache, each operation acknowledged as durable (`O_DIRECT` with `O_DSYNC`; Windows: no buffering
    /// and write-through; SMB: the write's flag; NFS: a stable write).
    DirectWriteThrough,
    /// Through the cache, each operation acknowledged as durable (`O_DSYNC`).
    CachedWriteThrough,
    /// Through the cache, or by a protocol into the server's, made durable by one flush at the end.
    Flushed,
    /// By a protocol, past this machine's cache, and answered by the server, block by block or as a whole; whether durable
    /// it does not say.
    Acknowledged,
    /// Into the cache only.
    Buffered,
}

impl WriteMode {
    /// The name used in the report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DirectWriteThrough => "direct-write-through",
            Self::CachedWriteThrough => "cached-write-through",
            Self::Flushed => "flushed",
            Self::Acknowledged => "acknowledged",
            Self::Buffered => "buffered",
        }
    }
}

/// How bytes were really read; the later ways leave more to the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadMode {
    /// Past the cache (`O_DIRECT`; Windows: no buffering), or by a protocol that sharemark speaks itself.
    Direct,
    /// Through the cache, after the file was dropped from it.
    Dropped,
    /// Through the cache, which was free to answer.
    Cached,
}

impl ReadMode {
    /// The name used in the report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Dropped => "dropped",
            Self::Cached => "cached",
        }
    }
}

/// What shows that this machine's cache held none of the bytes when a read began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CacheProof {
    /// The kernel counted the file's resident pages (`cachestat`).
    Cachestat,
    /// The kernel listed the file's resident pages (`mincore`).
    Mincore,
    /// The system took the request to go past the cache; nothing was counted.
    Accepted,
    /// The client of a network drive refused to keep nothing of the file on this machine, as Windows' clients are asked by
    /// `FSCTL_DISABLE_LOCAL_BUFFERING`: it may have answered from what it kept.
    Refused,
    /// sharemark spoke the protocol itself: no cache of this machine stands in between.
    OwnProtocol,
    /// Nothing shows it, or nothing was asked.
    #[default]
    None,
}

/// The data generator's and verifier's part in a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataSource {
    /// How fast this machine can make or check the data, measured just before the phase.
    pub ceiling_bytes_per_second: Rate,
    /// The part of the transfer in which the loop waited for data to be made or checked; summed over the queue.
    pub waited_ns: Nanoseconds,
}

/// Bytes seen on the wire during a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// The interface looked at.
    pub interface: String,
    /// Bytes it carried in the direction of the transfer.
    pub bytes: Bytes,
    /// Whether they explain the bytes claimed.
    pub agrees: bool,
}
