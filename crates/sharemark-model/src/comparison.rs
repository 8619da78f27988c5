//! One target against another, within a report or between two. The numbers are computed in the statistics room; the
//! shapes are here because the report holds them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Bytes, DataKind, Durability, FileMix, Nanoseconds, ReadCache, ReadMode, Wishes, Workload, WriteMode,
};

/// One target against another in one workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What was done.
    pub workload: Workload,
    /// The one target's label.
    pub a: String,
    /// The other's.
    pub b: String,
    /// The rate of `a` divided by the rate of `b`: the geometric mean over the rounds.
    pub ratio: f64,
    /// The 95 % interval of the ratio (Student's t on the logarithms); `null` where there are too few rounds for one.
    pub ci95: Option<[f64; 2]>,
    /// What it means.
    pub answer: Answer,
    /// How many rounds it rests on: pairs of one round, or where nothing was paired the fewer of both.
    #[serde(default)]
    pub n: u32,
    /// Both were measured in turn within one run, and each round's rates were compared with each other.
    #[serde(default)]
    pub paired: bool,
    /// A first round is left out, because it stands apart from the others at one of both.
    #[serde(default)]
    pub without_first: bool,
}

impl Comparison {
    /// By how much two rates may differ and still be called the same: a ratio of up to 1.03, or down to 1/1.03.
    pub const MARGIN: f64 = 0.03;
}

/// What a comparison means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// `a` is faster by more than 3 %.
    Faster,
    /// `a` is slower by more than 3 %.
    Slower,
    /// Neither is faster than the other by more than 3 %.
    Same,
    /// The interval allows more than one answer.
    Inconclusive,
}

/// Two reports against each other, as `sharemark compare --json` writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportComparison {
    /// The version of this document's shape, counted as that of the report.
    pub schema: u32,
    /// The one report's identifier. In the comparisons, `a` is the label of a target in this report.
    pub a: String,
    /// The other's. In the comparisons, `b` is the label of a target in this report.
    pub b: String,
    /// What keeps them from being compared, or asks for care.
    pub differences: Vec<Difference>,
    /// What could be compared.
    pub comparisons: Vec<Comparison>,
}

/// Something by which two reports differ, so that their rates cannot be compared, or only with care. `a` is what the one
/// report has, `b` what the other has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "`a` and `b` are explained above; every other field has its sentence")]
pub enum Difference {
    /// The size of each file.
    Size { a: Bytes, b: Bytes },
    /// The time after which a phase ends; `null` is without limit.
    TimeLimit { a: Option<Nanoseconds>, b: Option<Nanoseconds> },
    /// The bytes of one operation.
    Block { a: Bytes, b: Bytes },
    /// How many operations are under way at once.
    Depth { a: u32, b: u32 },
    /// How durable a write must be; only where something was written.
    Durability { a: Durability, b: Durability },
    /// Whether this machine's cache may answer a read; only where something was read.
    ReadCache { a: ReadCache, b: ReadCache },
    /// What the bytes look like.
    Data { a: DataKind, b: DataKind },
    /// How bytes were written in effect, at the weakest.
    WriteMode {
        /// The target's label in the one report.
        target: String,
        /// What was done.
        workload: Workload,
        a: WriteMode,
        b: WriteMode,
    },
    /// How bytes were read in effect, at the weakest.
    ReadMode {
        /// The target's label in the one report.
        target: String,
        /// What was done.
        workload: Workload,
        a: ReadMode,
        b: ReadMode,
    },
    /// What was done, in order. What only one report has is not compared.
    Workloads { a: Vec<Workload>, b: Vec<Workload> },
    /// The labels of the targets. What only one report has is not compared.
    Targets { a: Vec<String>, b: Vec<String> },
    /// One of both has no measurement that counts.
    Unmeasured {
        /// The target's label in the one report.
        target: String,
        /// What was to be done.
        workload: Workload,
    },
    /// Where the bytes are kept: the same label, or the only target of each, names another place.
    Location {
        /// The target's label in the one report.
        target: String,
        a: String,
        b: String,
    },
    /// How many small files there are; only where small files were measured.
    Files { a: u32, b: u32 },
    /// The sizes of the small files; only where small files were measured.
    FileMix { a: FileMix, b: FileMix },
    /// The wait between writing a file and reading it.
    Settle { a: Nanoseconds, b: Nanoseconds },
    /// The wait between rounds.
    Pause { a: Nanoseconds, b: Nanoseconds },
    /// What was wished of connections.
    Connections { a: Wishes, b: Wishes },
    /// The machine and its system.
    Host { a: String, b: String },
    /// The version of sharemark.
    Version { a: String, b: String },
}

impl Difference {
    /// Whether rates that differ by this measure different things, so that no ratio of them is given. Otherwise it is a
    /// reason to read the ratio with care.
    #[must_use]
    pub fn forbids(&self) -> bool {
        match self {
            Self::Size { .. }
            | Self::TimeLimit { .. }
            | Self::Block { .. }
            | Self::Depth { .. }
            | Self::Durability { .. }
            | Self::ReadCache { .. }
            | Self::Data { .. }
            | Self::Files { .. }
            | Self::FileMix { .. }
            | Self::WriteMode { .. }
            | Self::ReadMode { .. }
            | Self::Unmeasured { .. } => true,
            // Nothing in common leaves nothing to compare.
            Self::Workloads { a, b } => !a.iter().any(|workload| b.contains(workload)),
            Self::Targets { a, b } => !a.iter().any(|label| b.contains(label)),
            Self::Location { .. }
            | Self::Settle { .. }
            | Self::Pause { .. }
            | Self::Connections { .. }
            | Self::Host { .. }
            | Self::Version { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_of_the_first_reports_is_still_read() {
        let text =
            r#"{"workload":"seq-write","a":"lan","b":"vpn","ratio":2.0,"ci95":[1.5,2.5],"answer":"faster"}"#;
        let comparison: Comparison = serde_json::from_str(text).unwrap();
        assert_eq!(comparison.ci95, Some([1.5, 2.5]));
        assert_eq!((comparison.n, comparison.paired, comparison.without_first), (0, false, false));
    }

    #[test]
    fn what_has_nothing_in_common_is_not_compared() {
        let targets = |b: &[&str]| Difference::Targets {
            a: vec!["lan".into(), "vpn".into()],
            b: b.iter().map(|label| (*label).into()).collect(),
        };
        assert!(targets(&["disk"]).forbids() && targets(&[]).forbids());
        assert!(!targets(&["disk", "vpn"]).forbids());
        let workloads = Difference::Workloads { a: vec![Workload::SEQ_WRITE], b: vec![Workload::SEQ_READ] };
        assert!(workloads.forbids());
    }
}
