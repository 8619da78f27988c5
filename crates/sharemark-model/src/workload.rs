//! What is done at a target, and how strictly.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is done at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// One new file is written from its start to its end.
    SeqWrite,
    /// The file just written is read once from its start to its end, and checked.
    SeqRead,
}

impl Workload {
    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SeqWrite => "seq-write",
            Self::SeqRead => "seq-read",
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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

/// What the written bytes look like to anything on the way that compresses or finds duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum DataKind {
    /// Incompressible, every 4 KiB different from every other.
    #[default]
    Random,
    /// All zeros, as the article's script wrote.
    Zeros,
    /// This share of every 4 KiB (1 to 99 %) is zeros, the rest is as `Random`.
    Compressible(u8),
}

/// The text is neither `random`, `zeros` nor `compressible=N` with N from 1 to 99.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither random, zeros nor compressible=1 to compressible=99")]
pub struct DataKindError(pub String);

impl FromStr for DataKind {
    type Err = DataKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || DataKindError(text.to_owned());
        match text {
            "random" => Ok(Self::Random),
            "zeros" => Ok(Self::Zeros),
            _ => {
                let percent = text.strip_prefix("compressible=").ok_or_else(wrong)?;
                let percent: u8 = percent.trim_end_matches('%').parse().map_err(|_| wrong())?;
                if (1..=99).contains(&percent) { Ok(Self::Compressible(percent)) } else { Err(wrong()) }
            }
        }
    }
}

impl fmt::Display for DataKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Zeros => f.write_str("zeros"),
            Self::Compressible(percent) => write!(f, "compressible={percent}"),
        }
    }
}

impl TryFrom<String> for DataKind {
    type Error = DataKindError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<DataKind> for String {
    fn from(kind: DataKind) -> Self {
        kind.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_kinds_are_read_as_they_are_shown() {
        for text in ["random", "zeros", "compressible=50"] {
            assert_eq!(text.parse::<DataKind>().unwrap().to_string(), text);
        }
        for text in ["", "Random", "compressible", "compressible=0", "compressible=100", "compressible=-3"] {
            assert_eq!(text.parse::<DataKind>(), Err(DataKindError(text.to_owned())));
        }
    }
}
