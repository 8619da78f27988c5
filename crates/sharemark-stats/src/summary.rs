//! What the samples of each workload at each target amount to.

use sharemark_model::{Bytes, ChangePoint, FirstRun, Nanoseconds, Plan, Quantity, Rate, Sample, Summary};

use crate::change_point::change_point;
use crate::confidence::{confidence_reached, steady_mean};
use crate::first_run::is_outlier;
use crate::mean::{Description, median};
use crate::trend::trend;

/// The summaries of all workloads at all targets that have a sample that counts, in the plan's order: targets first,
/// and the workloads of each.
///
/// Only samples that [count](Sample::counts) are used, in the order of their rounds. The first of them is the first
/// run, also where round 1 itself was refused. When it is an outlier, [`Summary::without_first`] is the mean of the
/// others, [`Summary::confidence_reached`] is judged by that (see [`steady_mean`]), and the trend is that of the
/// others, so that one slow start is not called a rise; it is then `None` with fewer than four others. All other
/// numbers are those of all rounds.
///
/// The mean's interval takes rounds as independent and their mean as about normal. It says how far the mean of rounds
/// like these may be off, and nothing of other hours, other files or another cache.
#[must_use]
pub fn summarise(plan: &Plan, samples: &[Sample]) -> Vec<Summary> {
    let mut summaries = Vec::new();
    for target in &plan.targets {
        for workload in &plan.workloads {
            let mut counting: Vec<&Sample> = samples
                .iter()
                .filter(|sample| sample.target == target.label && sample.workload == *workload)
                .filter(|sample| sample.counts())
                .collect();
            counting.sort_by_key(|sample| (sample.round, sample.started));
            summaries.extend(summary(plan, &counting));
        }
    }
    summaries
}

/// The summary of the samples of one workload at one target in the order of their rounds; `None` without a sample.
fn summary(plan: &Plan, samples: &[&Sample]) -> Option<Summary> {
    let rounds: Vec<(u32, f64)> = samples.iter().map(|sample| (sample.round, sample.measured().0)).collect();
    let rates: Vec<f64> = rounds.iter().map(|(_, rate)| *rate).collect();
    let all = Description::of(&rates)?;
    let (sample, (first, others)) = (samples.first()?, rates.split_first()?);
    let outlier = is_outlier(*first, others);
    let estimate = all.estimate();
    let mut summary = Summary {
        target: sample.target.clone(),
        workload: sample.workload,
        quantity: sample.workload.quantity(),
        n: estimate.n,
        mean: estimate.mean,
        median: Rate(all.median),
        min: Rate(all.min),
        max: Rate(all.max),
        stddev: all.stddev.map(Rate),
        ci95: estimate.ci95,
        first_run: FirstRun { value: Rate(*first), outlier },
        without_first: Description::of(others).filter(|_| outlier).map(|others| others.estimate()),
        trend: trend(rounds.get(usize::from(outlier)..)?),
        // Small files have no stream whose rate could change.
        burst: (sample.workload.quantity() == Quantity::Bytes)
            .then(|| burst(samples, sample.block.unwrap_or(plan.block)))
            .flatten(),
        confidence_reached: false,
    };
    summary.confidence_reached = confidence_reached(&steady_mean(&summary), plan);
    Some(summary)
}

/// The change point of most rounds: the medians of their times and of their rates before and after, with the largest of
/// their probabilities. `None` unless more than half of the samples show one.
///
/// One phase in which another user of the share came in is no property of the share; the same burst in most is.
fn burst(samples: &[&Sample], block: Bytes) -> Option<ChangePoint> {
    let mut found: Vec<ChangePoint> =
        samples.iter().filter_map(|sample| change_point(&sample.series, block)).collect();
    if found.len() * 2 <= samples.len() {
        return None;
    }
    found.sort_by_key(|point| point.at_ns);
    let (lower, upper) = (found.get((found.len() - 1) / 2)?, found.get(found.len() / 2)?);
    let median_of = |rate: fn(&ChangePoint) -> Rate| {
        let rates: Vec<f64> = found.iter().map(|point| rate(point).0).collect();
        median(&rates).map(Rate)
    };
    Some(ChangePoint {
        at_ns: Nanoseconds(lower.at_ns.0.midpoint(upper.at_ns.0)),
        before: median_of(|point| point.before)?,
        after: median_of(|point| point.after)?,
        p_value: found.iter().map(|point| point.p_value).fold(0.0, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sharemark_model::{Interval, TrendDirection, Workload};

    use super::*;
    use crate::testing::{AQC111_WRITES, ARTICLE_WRITES, close, plan, rates, sample, series, writes};

    #[test]
    fn the_writes_of_aqc111_61_are_more_than_an_average() {
        let summaries = summarise(&plan(&["nas"]), &writes(&AQC111_WRITES));
        let [summary] = summaries.as_slice() else { panic!("{summaries:?}") };
        assert!(close(summary.mean.0, 231.89, 1e-12));
        assert_eq!((summary.n, summary.median.0), (5, 200.15));
        assert_eq!(summary.first_run, FirstRun { value: Rate(295.22), outlier: false });
        assert_eq!(summary.without_first, None);
        assert_eq!(summary.trend.unwrap().direction, TrendDirection::Falling);
        assert!(!summary.confidence_reached);
    }

    #[test]
    fn the_article_s_first_write_stands_apart() {
        let summary = &summarise(&plan(&["nas"]), &writes(&ARTICLE_WRITES))[0];
        assert_eq!(summary.first_run, FirstRun { value: Rate(23.1), outlier: true });
        let others = summary.without_first.unwrap();
        assert_eq!(others.n, 4);
        assert!(close(others.mean.0, 57.975, 1e-12));
        // Mean 51.0, and of the others alone 57.975 ± 2.45.
        let Interval(low, high) = others.ci95.unwrap();
        assert!((low.0 - 55.52).abs() < 0.01 && (high.0 - 60.43).abs() < 0.01, "{low:?} {high:?}");
        assert!(close(summary.mean.0, 51.0, 1e-12));
    }

    #[test]
    fn one_slow_start_is_not_called_a_rise() {
        // With the first, the order is monotonic: p = 2/120. Without it four are left, which is too few to tell.
        let summary = &summarise(&plan(&["nas"]), &writes(&[23.1, 56.0, 57.0, 58.0, 60.0]))[0];
        assert!(summary.first_run.outlier);
        let trend = summary.trend.unwrap();
        assert_eq!(trend.direction, TrendDirection::None);
        assert!(close(trend.p_value, 2.0 / 24.0, 1e-12));
        let summary = &summarise(&plan(&["nas"]), &writes(&[23.1, 57.0, 56.0, 58.0]))[0];
        assert!(summary.first_run.outlier);
        assert_eq!(summary.trend, None);
    }

    #[test]
    fn what_does_not_count_is_in_no_number() {
        let mut samples = writes(&[900.0, 100.0, 101.0, 500.0, 99.0]);
        samples[0].partial = true;
        samples[3].verified = Some(false);
        samples.push(sample("nas", Workload::SEQ_WRITE, 6, f64::INFINITY));
        samples.push(sample("nas", Workload::SEQ_WRITE, 7, f64::NAN));
        samples.push(sample("nas", Workload::SEQ_WRITE, 8, 0.0));
        samples.push(sample("elsewhere", Workload::SEQ_WRITE, 1, 1.0));
        let summary = &summarise(&plan(&["nas"]), &samples)[0];
        assert_eq!((summary.n, summary.min.0, summary.max.0), (3, 99.0, 101.0));
        assert_eq!(summary.first_run.value.0, 100.0);
        samples.truncate(1);
        assert_eq!(summarise(&plan(&["nas"]), &samples), []);
    }

    #[test]
    fn one_sample_has_no_interval() {
        let summary = &summarise(&plan(&["nas"]), &writes(&[42.0]))[0];
        assert_eq!((summary.n, summary.mean.0, summary.median.0), (1, 42.0, 42.0));
        assert_eq!((summary.stddev, summary.ci95, summary.trend), (None, None, None));
        assert!(!summary.confidence_reached && !summary.first_run.outlier);
    }

    #[test]
    fn summaries_come_in_the_plan_s_order() {
        let samples = [
            sample("vpn", Workload::SEQ_READ, 1, 1.0),
            sample("lan", Workload::SEQ_READ, 1, 2.0),
            sample("vpn", Workload::SEQ_WRITE, 1, 3.0),
            sample("lan", Workload::SEQ_WRITE, 1, 4.0),
        ];
        let order: Vec<f64> =
            summarise(&plan(&["lan", "vpn"]), &samples).iter().map(|summary| summary.mean.0).collect();
        assert_eq!(order, [4.0, 2.0, 3.0, 1.0]);
    }

    /// Five writes, of which these many begin with a burst of `ticks[i]` tenths of a second.
    fn with_bursts(ticks: &[usize]) -> Vec<Sample> {
        let mut samples = writes(&[50e6; 5]);
        for (sample, ticks) in samples.iter_mut().zip(ticks) {
            let mut rates = vec![110e6; *ticks];
            rates.resize(100, 40e6 + 1e6 * f64::from(sample.round));
            sample.series = series(&rates);
        }
        samples
    }

    #[test]
    fn a_burst_in_most_rounds_is_the_share_s() {
        let summary = &summarise(&plan(&["nas"]), &with_bursts(&[30, 20, 40, 50]))[0];
        let found = summary.burst.unwrap();
        // Of 2, 3, 4 and 5 seconds the median is 3.5; of 41 to 44 MB/s it is 42.5.
        assert_eq!(found.at_ns, Nanoseconds(3_500_000_000));
        assert!(close(found.before.0, 110e6, 1e-6) && close(found.after.0, 42.5e6, 1e-6), "{found:?}");
        assert!(found.p_value > 0.0 && found.p_value < 0.01);
    }

    #[test]
    fn a_burst_in_some_rounds_is_not() {
        assert_eq!(summarise(&plan(&["nas"]), &with_bursts(&[30, 30]))[0].burst, None);
        let mut four = with_bursts(&[30, 30]);
        four.truncate(4);
        assert_eq!(summarise(&plan(&["nas"]), &four)[0].burst, None);
        four.truncate(3);
        assert!(summarise(&plan(&["nas"]), &four)[0].burst.is_some());
    }

    proptest! {
        #[test]
        fn no_number_is_missing_or_impossible(rates in rates(1..60)) {
            let summary = &summarise(&plan(&["nas"]), &writes(&rates))[0];
            for rate in [summary.mean, summary.median, summary.min, summary.max, summary.first_run.value] {
                prop_assert!(rate.0.is_finite() && rate.0 > 0.0);
            }
            prop_assert!(summary.min <= summary.mean && summary.mean <= summary.max);
            prop_assert!(summary.stddev.is_none_or(|stddev| stddev.0.is_finite()));
            for estimate in [Some(steady_mean(summary)), summary.without_first].into_iter().flatten() {
                if let Some(Interval(low, high)) = estimate.ci95 {
                    prop_assert!(0.0 <= low.0 && low <= estimate.mean && estimate.mean <= high && high.0.is_finite());
                }
            }
            if let Some(trend) = summary.trend {
                prop_assert!(trend.per_round.0.is_finite() && (0.0..=1.0).contains(&trend.p_value));
            }
            prop_assert_eq!(summary.without_first.is_some(), summary.first_run.outlier);
        }

        #[test]
        fn samples_may_come_in_any_order(
            (rounds, shuffled) in rates(1..20).prop_flat_map(|rates| {
                let samples = writes(&rates);
                (Just(samples.clone()), Just(samples).prop_shuffle())
            })
        ) {
            prop_assert_eq!(summarise(&plan(&["nas"]), &rounds), summarise(&plan(&["nas"]), &shuffled));
        }
    }
}
