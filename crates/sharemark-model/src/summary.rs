//! What the samples of one workload at one target amount to. The numbers are computed in the statistics room; the
//! shapes are here because the report holds them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Nanoseconds, Quantity, Rate, Workload};

/// An interval of throughput: lower and upper end, in bytes per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval(pub Rate, pub Rate);

/// All rounds of one workload at one target. Partial and refused samples are not among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// The target's label.
    pub target: String,
    /// What was done.
    pub workload: Workload,
    /// What the rates below count, per second.
    #[serde(default)]
    pub quantity: Quantity,
    /// How many samples count.
    pub n: u32,
    /// The arithmetic mean of the samples' rates.
    pub mean: Rate,
    /// The median.
    pub median: Rate,
    /// The slowest.
    pub min: Rate,
    /// The fastest.
    pub max: Rate,
    /// The sample standard deviation; `null` for fewer than two samples.
    pub stddev: Option<Rate>,
    /// The 95 % interval of the mean (Student's t); its lower end is cut at zero; `null` for fewer than two samples.
    pub ci95: Option<Interval>,
    /// The first round beside the others.
    pub first_run: FirstRun,
    /// Mean and interval without the first round, when the first round is an outlier.
    pub without_first: Option<MeanEstimate>,
    /// Whether rates rise or fall over the rounds, a first round that is an outlier left out; `null` for fewer than four.
    pub trend: Option<Trend>,
    /// A burst and the sustained rate after it within the rounds, where most rounds show one.
    pub burst: Option<ChangePoint>,
    /// The interval is as narrow as the plan wanted; judged without the first round when that is an outlier.
    pub confidence_reached: bool,
}

/// A mean with its interval and count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeanEstimate {
    /// How many samples.
    pub n: u32,
    /// The mean.
    pub mean: Rate,
    /// The 95 % interval of the mean; `null` for fewer than two samples.
    pub ci95: Option<Interval>,
}

/// The first round, compared with the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FirstRun {
    /// Its rate.
    pub value: Rate,
    /// It lies outside of what the others would let one expect.
    pub outlier: bool,
}

/// Whether rates rise or fall over the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trend {
    /// What the test says at 5 %.
    pub direction: TrendDirection,
    /// The median of all pairwise slopes (Theil and Sen), in bytes per second per round.
    pub per_round: Rate,
    /// Mann and Kendall's two-sided probability of so clear an order by chance.
    pub p_value: f64,
}

/// The direction of a trend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrendDirection {
    /// Later rounds are faster.
    Rising,
    /// Later rounds are slower.
    Falling,
    /// No order beyond chance.
    None,
}

/// A time within a phase at which the rate changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangePoint {
    /// When, since the transfer began.
    pub at_ns: Nanoseconds,
    /// The rate before.
    pub before: Rate,
    /// The rate after: the sustained one.
    pub after: Rate,
    /// The probability of so clear a change by chance (Pettitt).
    pub p_value: f64,
}
