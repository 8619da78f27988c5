//! Two reports against each other.

use sharemark_model::{Comparison, Difference, Report, ReportComparison, SCHEMA_VERSION, Workload};

use super::differences::{Measured, circumstances, in_effect, plan_differences};
use super::ratio::Ratio;
use crate::first_run::is_outlier;

/// The targets of report `a` against those of report `b` that have the same label, in each workload that both have; when
/// no label is in both and each has one target, those two.
///
/// The two runs were made at different times, so nothing pairs their rounds: the interval is Welch's, on the logarithms of
/// the rates. A first round that is an outlier among its own is left out. What happened between the runs, to the network
/// or to its other users, is in the ratio and in no interval.
///
/// Where the two differ in something that [forbids](Difference::forbids) it there is no comparison, and the differences
/// say why.
#[must_use]
pub fn compare_reports(a: &Report, b: &Report) -> ReportComparison {
    let plans = plan_differences(&a.plan, &b.plan);
    let pairs = pairs(a, b);
    let mut found: Vec<Difference> = Vec::new();
    let mut comparisons = Vec::new();
    if pairs.len() < a.plan.targets.len().max(b.plan.targets.len()) {
        found.push(Difference::Targets { a: labels(a), b: labels(b) });
    }
    // These are told whatever the samples say; the others where they matter.
    let everywhere = |difference: &&Difference| {
        !matches!(
            difference,
            Difference::Durability { .. }
                | Difference::ReadCache { .. }
                | Difference::Size { .. }
                | Difference::Block { .. }
                | Difference::Depth { .. }
                | Difference::Files { .. }
                | Difference::FileMix { .. }
        )
    };
    found.extend(plans.iter().filter(everywhere).cloned());
    for (of_a, of_b) in pairs {
        for workload in a.plan.workloads.iter().filter(|workload| b.plan.workloads.contains(workload)) {
            let (of_a, of_b) = (Measured::of(a, of_a, *workload), Measured::of(b, of_b, *workload));
            let differences = in_effect(*workload, &of_a, &of_b, &plans);
            if !differences.iter().any(Difference::forbids) {
                comparisons.extend(unpaired(*workload, &of_a, &of_b));
            }
            found.extend(differences);
        }
        let (from, to) = (location(a, of_a), location(b, of_b));
        if from != to {
            found.push(Difference::Location { target: of_a.to_owned(), a: from, b: to });
        }
    }
    found.extend(circumstances(a, b));
    let mut differences: Vec<Difference> = Vec::new();
    for difference in found {
        if !differences.contains(&difference) {
            differences.push(difference);
        }
    }
    // What forbids a comparison comes first.
    differences.sort_by_key(|difference| !difference.forbids());
    ReportComparison { schema: SCHEMA_VERSION, a: a.id.clone(), b: b.id.clone(), differences, comparisons }
}

/// The labels of the targets to compare: of the one report, and of the other.
fn pairs<'r>(a: &'r Report, b: &'r Report) -> Vec<(&'r str, &'r str)> {
    if let ([one], [other]) = (a.plan.targets.as_slice(), b.plan.targets.as_slice()) {
        return vec![(&one.label, &other.label)];
    }
    let in_b = |label: &str| b.plan.targets.iter().any(|target| target.label == label);
    a.plan
        .targets
        .iter()
        .map(|target| target.label.as_str())
        .filter(|label| in_b(label))
        .map(|l| (l, l))
        .collect()
}

fn labels(report: &Report) -> Vec<String> {
    report.plan.targets.iter().map(|target| target.label.clone()).collect()
}

/// Where a target's bytes are kept, without any password.
fn location(report: &Report, label: &str) -> String {
    let target = report.plan.targets.iter().find(|target| target.label == label);
    target.map(|target| target.location.to_string()).unwrap_or_default()
}

fn unpaired(workload: Workload, a: &Measured<'_>, b: &Measured<'_>) -> Option<Comparison> {
    let ((of_a, a_apart), (of_b, b_apart)) = (steady_logs(a), steady_logs(b));
    let ratio = Ratio::unpaired(&of_a, &of_b)?;
    Some(Comparison { without_first: a_apart || b_apart, ..ratio.comparison(workload, a.label, b.label) })
}

/// The logarithms of the rates, and whether the first is left out because it is an outlier.
fn steady_logs(measured: &Measured<'_>) -> (Vec<f64>, bool) {
    let rates: Vec<f64> = measured.samples.iter().map(|sample| sample.measured().0).collect();
    let apart = rates.split_first().is_some_and(|(first, others)| is_outlier(*first, others));
    (rates.iter().skip(usize::from(apart)).map(|rate| rate.ln()).collect(), apart)
}
