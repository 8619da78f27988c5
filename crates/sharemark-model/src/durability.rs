//! How far a write must have come before its time stops, and who may answer a read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How durable a write must be before its time stops. "Acknowledged" is all a client can know: whether the server put
/// the bytes on a disk before it answered is the server's own setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Durability {
    /// Each block is acknowledged by the server, as durable, before the next one of its place in the queue.
    #[default]
    WriteThrough,
    /// Blocks go where the system puts them; one flush at the end, inside the timer, makes them durable.
    Flush,
    /// Neither: shows what this machine's cache does, and is never a share's speed.
    Buffered,
}

impl Durability {
    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WriteThrough => "write-through",
            Self::Flush => "flush",
            Self::Buffered => "buffered",
        }
    }
}

/// Whether a read may be answered by this machine's cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadCache {
    /// The bytes must come from the server.
    #[default]
    Avoid,
    /// The cache may answer: shows what a cache does.
    Allow,
}

impl ReadCache {
    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avoid => "avoid",
            Self::Allow => "allow",
        }
    }
}
