//! Whether the means are told as precisely as the plan wanted.

use sharemark_model::{MeanEstimate, Plan, Summary, Workload};

/// The mean that a summary's precision is judged by: that of all rounds, or, when the first round is an outlier, that
/// of the others.
///
/// A first round of 23 before others of 56 to 60 widens the interval of all to ± 38 % of its mean, and no number of
/// further rounds that a person would wait for makes it narrow. The mean of all is also nobody's question then: it mixes
/// the first access and the steady state in a ratio that only the number of rounds decides. So the steady state is what
/// is made precise, and the first round is told beside it.
#[must_use]
pub fn steady_mean(summary: &Summary) -> MeanEstimate {
    summary.without_first.unwrap_or(MeanEstimate { n: summary.n, mean: summary.mean, ci95: summary.ci95 })
}

/// Half the width of the mean's 95 % interval as a share of the mean: the 0.03 of "± 3 %". `None` without an interval.
///
/// It is taken from the upper end, because the lower one may have been cut off at zero.
#[must_use]
pub fn half_width_share(estimate: &MeanEstimate) -> Option<f64> {
    let interval = estimate.ci95?;
    (estimate.mean.0 > 0.0).then(|| (interval.1.0 - estimate.mean.0) / estimate.mean.0)
}

/// Whether the mean's 95 % interval is as narrow as the plan wanted; never for a single sample.
pub(crate) fn confidence_reached(estimate: &MeanEstimate, plan: &Plan) -> bool {
    half_width_share(estimate).is_some_and(|share| share <= plan.rounds.precision)
}

/// Whether no further round is needed: each workload of the plan at each of its targets, except those `left_out` because
/// the target cannot do them, has a summary, and the interval of each [`steady_mean`] is as narrow as the plan wanted.
///
/// The plan's least number of rounds is the caller's to keep. Asked after every round, this stops a run at a moment
/// that happens to look precise, so intervals cover the true mean somewhat less often than 95 % (Anscombe, *Journal of
/// the Royal Statistical Society B* 15, 1953): with at least five rounds, ± 3 % wanted and normal noise of 2 to 10 %,
/// in 93 to 95 % of simulated runs.
#[must_use]
pub fn precise_enough(summaries: &[Summary], plan: &Plan, left_out: &[(&str, Workload)]) -> bool {
    plan.targets.iter().all(|target| {
        plan.workloads.iter().all(|workload| {
            left_out.contains(&(target.label.as_str(), *workload))
                || summaries
                    .iter()
                    .find(|summary| summary.target == target.label && summary.workload == *workload)
                    .is_some_and(|summary| confidence_reached(&steady_mean(summary), plan))
        })
    })
}

#[cfg(test)]
mod tests {
    use sharemark_model::{Interval, Rate, Sample};

    use super::*;
    use crate::mean::Description;
    use crate::summarise;
    use crate::testing::{ARTICLE_WRITES, Noise, close, plan, sample, writes};

    fn reads(target: &str, rates: &[f64]) -> Vec<Sample> {
        (1..).zip(rates).map(|(round, rate)| sample(target, Workload::SEQ_READ, round, *rate)).collect()
    }

    #[test]
    fn half_the_width_is_taken_where_it_was_not_cut_off() {
        let estimate =
            |low, high| MeanEstimate { n: 2, mean: Rate(100.0), ci95: Some(Interval(Rate(low), Rate(high))) };
        assert_eq!(half_width_share(&estimate(97.0, 103.0)), Some(0.03));
        assert_eq!(half_width_share(&estimate(0.0, 400.0)), Some(3.0));
        assert_eq!(half_width_share(&MeanEstimate { ci95: None, ..estimate(0.0, 0.0) }), None);
    }

    #[test]
    fn every_expected_pair_must_be_there_and_narrow() {
        let plan = plan(&["nas"]);
        let narrow = [100.0, 100.5, 99.5, 100.2, 99.8];
        let mut samples = writes(&narrow);
        assert!(!precise_enough(&summarise(&plan, &samples), &plan, &[]));
        assert!(!precise_enough(&[], &plan, &[]));
        assert!(precise_enough(&summarise(&plan, &samples), &plan, &[("nas", Workload::SEQ_READ)]));
        samples.extend(reads("nas", &narrow));
        assert!(precise_enough(&summarise(&plan, &samples), &plan, &[]));
        samples.push(sample("nas", Workload::SEQ_READ, 6, 150.0));
        assert!(!precise_enough(&summarise(&plan, &samples), &plan, &[]));
    }

    #[test]
    fn stopping_when_it_looks_precise_costs_a_little_coverage() {
        for percent in [2.0, 3.0, 5.0, 10.0] {
            let mut noise = Noise::seeded(5);
            let covered = (0..1_000)
                .filter(|_| {
                    let mut rates: Vec<f64> = (0..5).map(|_| 100.0 + percent * noise.normal()).collect();
                    loop {
                        let estimate = Description::of(&rates).unwrap().estimate();
                        if rates.len() >= 100 || half_width_share(&estimate).unwrap() <= 0.03 {
                            let Interval(low, high) = estimate.ci95.unwrap();
                            break (low.0..=high.0).contains(&100.0);
                        }
                        rates.push(100.0 + percent * noise.normal());
                    }
                })
                .count();
            // 93 % to 95 % are seen; the standard deviation of the count is 8.
            assert!(covered >= 915, "{covered} of 1000 with {percent} % of noise");
        }
    }

    #[test]
    fn one_sample_is_never_precise() {
        let mut plan = plan(&["nas"]);
        plan.workloads = vec![Workload::SEQ_WRITE];
        assert!(!precise_enough(&summarise(&plan, &writes(&[100.0])), &plan, &[]));
        assert!(precise_enough(&summarise(&plan, &writes(&[100.0, 100.0])), &plan, &[]));
    }

    #[test]
    fn a_slow_first_round_does_not_keep_a_run_from_its_end() {
        let mut plan = plan(&["nas"]);
        plan.workloads = vec![Workload::SEQ_WRITE];
        let summaries = summarise(&plan, &writes(&ARTICLE_WRITES));
        // Of all five: mean 51.0, s 15.65, ± 38 %. Of the last four: mean 57.975, s 1.541, 3.182 · 1.541 / 2 = 2.45,
        // ± 4.2 %.
        let all = MeanEstimate { ci95: summaries[0].ci95, mean: summaries[0].mean, n: 5 };
        assert!(close(half_width_share(&all).unwrap(), 0.381, 0.01));
        assert!(close(half_width_share(&steady_mean(&summaries[0])).unwrap(), 0.0423, 0.01));
        assert!(!precise_enough(&summaries, &plan, &[]));
        plan.rounds.precision = 0.05;
        assert!(precise_enough(&summarise(&plan, &writes(&ARTICLE_WRITES)), &plan, &[]));
    }
}
