//! Which of two targets is faster, and by how much.

mod differences;
mod ratio;
mod reports;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use sharemark_model::{Comparison, Plan, Sample, Summary, Workload};

pub use self::differences::plan_differences;
use self::ratio::Ratio;
pub use self::reports::compare_reports;

/// Every pair of targets in each workload: by workload in the plan's order, and within one the first target against
/// each later one, then the second, and so on.
///
/// The targets were measured in turn, so each round is a pair: what changed from round to round (the hour, the
/// neighbours) was much the same for both and cancels in their ratio. Compared are logarithms, ln(rate of a) − ln(rate
/// of b), because a ratio is what is asked for, because a rate's noise grows with the rate, and because then a against b
/// and b against a are one answer. Their mean and its 95 % interval by Student's t (the paired t-test; NIST/SEMATECH
/// e-Handbook, section 7.3.1) are taken back by the exponential: the ratio is the geometric mean of the rounds' ratios.
///
/// Only rounds in which both samples [count](Sample::counts) are pairs. When [`Summary::first_run`] is an outlier at one of
/// both, that round is left out for both: a start is no steady state, and two targets need not settle alike.
/// [`Comparison::without_first`] says so. Without a single pair there is no comparison; with one there is a ratio, but
/// neither an interval nor an answer.
#[must_use]
pub fn compare(plan: &Plan, samples: &[Sample], summaries: &[Summary]) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for workload in &plan.workloads {
        let sides: Vec<Side<'_>> = plan
            .targets
            .iter()
            .map(|target| Side {
                label: &target.label,
                rates: log_rates(samples, &target.label, *workload),
                first_apart: summaries.iter().any(|summary| {
                    summary.target == target.label
                        && summary.workload == *workload
                        && summary.first_run.outlier
                }),
            })
            .collect();
        for (index, a) in sides.iter().enumerate() {
            comparisons.extend(sides[index + 1..].iter().filter_map(|b| paired(*workload, a, b)));
        }
    }
    comparisons
}

/// Whether each pair of targets in each workload has a ratio whose 95 % interval is as narrow as the plan wanted of a
/// mean: its upper end above the ratio by no more than that share. Pairs of which a target cannot do the workload, as
/// `left_out` tells, are not expected.
///
/// The width is asked for and not the answer: a run that stops as soon as it has an answer stops at a lucky moment much
/// more often than one that stops when it knows enough.
#[must_use]
pub fn comparisons_precise(comparisons: &[Comparison], plan: &Plan, left_out: &[(&str, Workload)]) -> bool {
    let narrow = |comparison: &Comparison| {
        comparison.ci95.is_some_and(|[_, high]| high / comparison.ratio - 1.0 <= plan.rounds.precision)
    };
    let pairs = |workload: &Workload| {
        let able = |label: &str| !left_out.contains(&(label, *workload));
        let able = plan.targets.iter().filter(|target| able(&target.label)).count();
        able * able.saturating_sub(1) / 2
    };
    let expected: usize = plan.workloads.iter().map(pairs).sum();
    comparisons.len() >= expected && comparisons.iter().all(narrow)
}

/// A target in one workload.
struct Side<'a> {
    label: &'a str,
    /// The logarithms of the rates that count, by their round.
    rates: BTreeMap<u32, f64>,
    /// The first of them is an outlier.
    first_apart: bool,
}

impl Side<'_> {
    /// The round to leave out.
    fn round_apart(&self) -> Option<u32> {
        self.rates.keys().next().copied().filter(|_| self.first_apart)
    }
}

fn paired(workload: Workload, a: &Side<'_>, b: &Side<'_>) -> Option<Comparison> {
    let apart = [a.round_apart(), b.round_apart()];
    let pairs = || a.rates.iter().filter_map(|(round, a)| Some((*round, a - b.rates.get(round)?)));
    let logs: Vec<f64> =
        pairs().filter(|(round, _)| !apart.contains(&Some(*round))).map(|(_, log)| log).collect();
    let ratio = Ratio::paired(&logs)?;
    Some(Comparison {
        paired: true,
        without_first: logs.len() < pairs().count(),
        ..ratio.comparison(workload, a.label, b.label)
    })
}

/// The logarithms of the rates that count, by their round. A round has one sample that counts; of more the last is taken.
fn log_rates(samples: &[Sample], label: &str, workload: Workload) -> BTreeMap<u32, f64> {
    samples
        .iter()
        .filter(|sample| sample.target == label && sample.workload == workload && sample.counts())
        .map(|sample| (sample.round, sample.measured().0.ln()))
        .collect()
}
