//! What is done at a target, and with which files.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Bytes;

/// What is done at a target, with the block and the depth that belong to it. Written as text: `seq-read`,
/// `seq-read:1MiB:q8`, `rand-write:4KiB:q32`, `mixed:70%:4KiB:q1`, `files-read:q1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Workload {
    /// What is done.
    pub action: Action,
    /// The bytes of one operation and the operations under way at once; `None` for a sequential workload with the plan's.
    pub shape: Option<Shape>,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// One new file is written from its start to its end.
    SeqWrite,
    /// A file is read once from its start to its end, and checked.
    SeqRead,
    /// Blocks of a file are read in random order, each at most once, and checked.
    RandRead,
    /// Blocks of a file are written over in random order, each at most once.
    RandWrite,
    /// Blocks of a file are read or written over in random order, each at most once; this share of them, in per cent, is
    /// read.
    Mixed(u8),
    /// Something is done to many small files.
    Files(FilesAction),
}

/// What is done to many small files, in the order in which a run does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FilesAction {
    /// Each is created, written, made durable as asked, and closed.
    Write,
    /// Their folder is listed; the operations are the entries listed.
    List,
    /// The size of each is asked for.
    Stat,
    /// Each is opened, read to its end, and closed; and checked.
    Read,
    /// Each is removed.
    Delete,
}

/// The bytes of one operation, and the operations under way at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// The bytes of one operation; of a small file's transfer the most.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u32,
}

/// What a workload's rate counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Bytes per second.
    #[default]
    Bytes,
    /// Operations per second: files, or entries of a listing.
    Operations,
}

impl FilesAction {
    /// Every action, in the order of a run.
    pub const ALL: [Self; 5] = [Self::Write, Self::List, Self::Stat, Self::Read, Self::Delete];

    const fn name(self) -> &'static str {
        match self {
            Self::Write => "files-write",
            Self::List => "files-list",
            Self::Stat => "files-stat",
            Self::Read => "files-read",
            Self::Delete => "files-delete",
        }
    }
}

impl Workload {
    /// One new file is written from its start to its end, with the plan's block and depth.
    pub const SEQ_WRITE: Self = Self { action: Action::SeqWrite, shape: None };
    /// The file is read once from its start to its end, with the plan's block and depth.
    pub const SEQ_READ: Self = Self { action: Action::SeqRead, shape: None };

    /// The workload with this block and depth.
    #[must_use]
    pub const fn shaped(action: Action, block: Bytes, depth: u32) -> Self {
        Self { action, shape: Some(Shape { block, depth }) }
    }

    /// The five workloads of small files, at this depth.
    #[must_use]
    pub fn small_files(depth: u32) -> Vec<Self> {
        let block = SMALL_FILES_BLOCK;
        FilesAction::ALL.map(|action| Self::shaped(Action::Files(action), block, depth)).into()
    }

    /// The name of what is done, without block and depth.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.action {
            Action::SeqWrite => "seq-write",
            Action::SeqRead => "seq-read",
            Action::RandRead => "rand-read",
            Action::RandWrite => "rand-write",
            Action::Mixed(_) => "mixed",
            Action::Files(action) => action.name(),
        }
    }

    /// What its rate counts.
    #[must_use]
    pub const fn quantity(self) -> Quantity {
        match self.action {
            Action::Files(_) => Quantity::Operations,
            _ => Quantity::Bytes,
        }
    }

    /// Whether it writes bytes.
    #[must_use]
    pub const fn writes(self) -> bool {
        matches!(
            self.action,
            Action::SeqWrite | Action::RandWrite | Action::Mixed(_) | Action::Files(FilesAction::Write)
        )
    }

    /// Whether it reads bytes.
    #[must_use]
    pub const fn reads(self) -> bool {
        matches!(
            self.action,
            Action::SeqRead | Action::RandRead | Action::Mixed(_) | Action::Files(FilesAction::Read)
        )
    }
}

/// The block of a random operation unless another is asked for: what databases and virtual disks use.
const RANDOM_BLOCK: Bytes = Bytes(4096);

/// The most bytes of one operation on a small file: a file up to this size is one operation.
const SMALL_FILES_BLOCK: Bytes = Bytes::mebibytes(1);

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if let Action::Mixed(reads) = self.action {
            write!(f, ":{reads}%")?;
        }
        match (self.shape, self.action) {
            (Some(shape), Action::Files(_)) => write!(f, ":q{}", shape.depth),
            (Some(shape), _) => write!(f, ":{}:q{}", shape.block, shape.depth),
            (None, _) => Ok(()),
        }
    }
}

/// The text is no workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no workload such as seq-read, rand-read:4KiB:q32 or mixed:70%")]
pub struct WorkloadError(pub String);

/// Reads one workload. What a random one does not say of block and depth is 4 KiB, one at a time; a mixed one reads 70 %.
impl FromStr for Workload {
    type Err = WorkloadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || WorkloadError(text.to_owned());
        let mut parts = text.split(':').peekable();
        let action = match parts.next().unwrap_or_default() {
            "seq-write" => Action::SeqWrite,
            "seq-read" => Action::SeqRead,
            "rand-read" => Action::RandRead,
            "rand-write" => Action::RandWrite,
            "mixed" => {
                let share = parts.next_if(|part| part.ends_with('%')).unwrap_or("70%");
                let share = share.trim_end_matches('%').parse().map_err(|_| wrong())?;
                if !(1..=99).contains(&share) {
                    return Err(wrong());
                }
                Action::Mixed(share)
            }
            name => {
                let known = FilesAction::ALL.into_iter().find(|action| action.name() == name);
                Action::Files(known.ok_or_else(wrong)?)
            }
        };
        let (mut block, mut depth) = (None, None);
        for part in parts {
            let twice = match part.strip_prefix('q') {
                Some(number) => depth.replace(number.parse::<u32>().map_err(|_| wrong())?).is_some(),
                None => block.replace(part.parse::<Bytes>().map_err(|_| wrong())?).is_some(),
            };
            if twice {
                return Err(wrong());
            }
        }
        if block == Some(Bytes(0)) || depth == Some(0) {
            return Err(wrong());
        }
        let shape = match (action, block, depth) {
            (Action::SeqWrite | Action::SeqRead, None, None) => None,
            (Action::SeqWrite | Action::SeqRead, Some(block), depth) => {
                Some(Shape { block, depth: depth.unwrap_or(1) })
            }
            // Which block would be at this depth is not said.
            (Action::SeqWrite | Action::SeqRead, None, Some(_)) => return Err(wrong()),
            (Action::Files(_), None, depth) => {
                Some(Shape { block: SMALL_FILES_BLOCK, depth: depth.unwrap_or(1) })
            }
            // A small file's operations are as long as the file.
            (Action::Files(_), Some(_), _) => return Err(wrong()),
            (_, block, depth) => {
                Some(Shape { block: block.unwrap_or(RANDOM_BLOCK), depth: depth.unwrap_or(1) })
            }
        };
        Ok(Self { action, shape })
    }
}

impl TryFrom<String> for Workload {
    type Error = WorkloadError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Workload> for String {
    fn from(workload: Workload) -> Self {
        workload.to_string()
    }
}

/// The sizes of many small files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileMix {
    /// A folder of documents: three of five up to 32 KiB, three of ten up to 512 KiB, the rest up to 4 MiB.
    #[default]
    Documents,
    /// A camera's folder: four of five are pictures of 3 to 8 MiB, the rest thumbnails and notes of up to 100 KiB.
    Photos,
}

impl FileMix {
    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Photos => "photos",
        }
    }

    /// The size of the file with this number: the same on every machine and in every run, so that runs compare. Within its
    /// class each size is as likely as any other.
    #[must_use]
    pub const fn size(self, number: u32) -> Bytes {
        const KIB: u64 = 1 << 10;
        const MIB: u64 = 1 << 20;
        // Weyl's sequence with the golden ratio spreads evenly over any run of numbers (Knuth, TAOCP 3, 6.4).
        let spread = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (class, within) = ((spread >> 32) % 10, spread % (1 << 20));
        let (low, high) = match (self, class) {
            (Self::Documents, 0..=5) => (KIB, 32 * KIB),
            (Self::Documents, 6..=8) => (32 * KIB, 512 * KIB),
            (Self::Documents, _) => (512 * KIB, 4 * MIB),
            (Self::Photos, 0..=1) => (4 * KIB, 100 * KIB),
            (Self::Photos, _) => (3 * MIB, 8 * MIB),
        };
        Bytes(low + (high - low) * within / (1 << 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_are_read_as_they_are_shown() {
        for (text, shown) in [
            ("seq-write", "seq-write"),
            ("seq-read:1MiB", "seq-read:1MiB:q1"),
            ("seq-read:q8:1MiB", "seq-read:1MiB:q8"),
            ("rand-read", "rand-read:4KiB:q1"),
            ("rand-write:q32", "rand-write:4KiB:q32"),
            ("rand-write:64KiB", "rand-write:64KiB:q1"),
            ("mixed", "mixed:70%:4KiB:q1"),
            ("mixed:30%:q4", "mixed:30%:4KiB:q4"),
            ("files-write", "files-write:q1"),
            ("files-delete:q4", "files-delete:q4"),
        ] {
            let workload: Workload = text.parse().unwrap();
            assert_eq!(workload.to_string(), shown);
            assert_eq!(shown.parse(), Ok(workload));
        }
        for text in [
            "",
            "read",
            "seq-read:q8",
            "rand-read:0",
            "rand-read:q0",
            "rand-read:q1:q2",
            "mixed:0%",
            "mixed:100%",
            "files-read:4KiB",
            "rand-read:4x",
        ] {
            assert_eq!(text.parse::<Workload>(), Err(WorkloadError(text.to_owned())));
        }
    }

    #[test]
    fn a_mix_has_the_sizes_it_says() {
        let count = |mix: FileMix, of: &dyn Fn(u64) -> bool| {
            (0..1000).filter(|number| of(mix.size(*number).0)).count()
        };
        let documents = [
            count(FileMix::Documents, &|size| size < 32 << 10),
            count(FileMix::Documents, &|size| ((32 << 10)..(512 << 10)).contains(&size)),
            count(FileMix::Documents, &|size| ((512 << 10)..(4 << 20)).contains(&size)),
        ];
        for (count, share) in documents.into_iter().zip([600, 300, 100]) {
            assert!(count.abs_diff(share) < 30, "{documents:?}");
        }
        let pictures = count(FileMix::Photos, &|size| ((3 << 20)..(8 << 20)).contains(&size));
        assert!(pictures.abs_diff(800) < 30, "{pictures}");
    }
}
