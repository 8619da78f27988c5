mod reports;

use proptest::prelude::*;
use sharemark_model::{
    Answer, Bytes, Comparison, Difference, Durability, Host, Nanoseconds, Plan, ReadCache, ReadMode, Report,
    SCHEMA_VERSION, Sample, Tool, Workload, WriteMode,
};

use super::*;
use crate::testing::{Noise, close, plan, rates, sample};
use crate::{precise_enough, summarise};

/// What makes a report another one.
type Change = fn(&mut Report);

/// One sample a round of writes to each of two targets.
fn rounds(a: &[f64], b: &[f64]) -> Vec<Sample> {
    let of = |label, rates: &[f64]| -> Vec<Sample> {
        (1..).zip(rates).map(|(round, rate)| sample(label, Workload::SEQ_WRITE, round, *rate)).collect()
    };
    [of("a", a), of("b", b)].concat()
}

fn compared_as(labels: &[&str], samples: &[Sample]) -> Vec<Comparison> {
    let plan = plan(labels);
    compare(&plan, samples, &summarise(&plan, samples))
}

fn compared(a: &[f64], b: &[f64]) -> Comparison {
    compared_as(&["a", "b"], &rounds(a, b)).remove(0)
}

fn mirrored(answer: Answer) -> Answer {
    match answer {
        Answer::Faster => Answer::Slower,
        Answer::Slower => Answer::Faster,
        other => other,
    }
}

/// A report of writes to targets of these labels.
fn report(id: &str, labels: &[&str], samples: Vec<Sample>) -> Report {
    let plan = plan(labels);
    let summary = summarise(&plan, &samples);
    Report {
        schema: SCHEMA_VERSION,
        tool: Tool { name: "sharemark".into(), version: "0.1.0".into() },
        id: id.into(),
        started: jiff::Timestamp::UNIX_EPOCH,
        finished: Some(jiff::Timestamp::UNIX_EPOCH),
        partial: false,
        error: None,
        host: Host { os: "linux".into(), os_version: None, arch: "x86_64".into(), cores: 2 },
        plan: Plan { workloads: vec![Workload::SEQ_WRITE], ..plan },
        targets: Vec::new(),
        samples,
        summary,
        comparisons: Vec::new(),
        findings: Vec::new(),
        limit: None,
    }
}

fn of_nas(id: &str, rates: &[f64]) -> Report {
    report(id, &["nas"], crate::testing::writes(rates))
}

#[test]
fn what_changes_from_round_to_round_cancels() {
    // Both slow down alike, by half: their means' intervals overlap, and a is twice as fast in each round.
    let comparison = compared(&[200.0, 180.0, 150.0, 120.0, 100.0], &[100.0, 91.0, 74.0, 61.0, 50.0]);
    assert_eq!((comparison.answer, comparison.n, comparison.paired), (Answer::Faster, 5, true));
    assert!(close(comparison.ratio, 2.0, 0.02) && !comparison.without_first, "{comparison:?}");
    let [low, high] = comparison.ci95.unwrap();
    assert!(1.9 < low && high < 2.1, "{comparison:?}");
}

#[test]
fn a_first_round_left_out_may_leave_no_pair_to_compare() {
    let samples = rounds(&[900.0, 100.0, 101.0, 99.0, 100.0], &[100.0]);
    assert!(compared_as(&["a", "b"], &samples).is_empty());
}

#[test]
fn only_rounds_with_both_are_pairs() {
    let mut samples = rounds(&[200.0, 201.0, 999.0, 203.0], &[100.0, 101.0, 99.0, 102.0, 1.0]);
    samples[2].partial = true;
    let comparison = compared_as(&["a", "b"], &samples).remove(0);
    assert_eq!(comparison.n, 3);
    assert!(close(comparison.ratio, 2.0, 0.02), "{comparison:?}");
    // Nothing in common: nothing to say.
    assert_eq!(compared_as(&["a", "b"], &samples[..4]), []);
    assert_eq!(compared_as(&["a", "b"], &[]), []);
}

#[test]
fn a_first_round_that_stands_apart_at_one_is_left_out_for_both() {
    let slow_start = [23.1, 56.2, 59.8, 57.4, 58.5];
    let steady = [57.5, 57.0, 59.0, 57.2, 58.8];
    for (a, b) in [(slow_start, steady), (steady, slow_start)] {
        let comparison = compared(&a, &b);
        assert_eq!((comparison.n, comparison.without_first), (4, true));
        assert_eq!(comparison.answer, Answer::Same, "{comparison:?}");
    }
    let both = compared(&slow_start, &slow_start);
    assert_eq!((both.n, both.without_first, both.answer), (4, true, Answer::Same));
}

#[test]
fn a_first_round_that_made_no_pair_is_not_said_to_be_left_out() {
    let mut samples = rounds(&[23.1, 56.2, 59.8, 57.4, 58.5], &[0.0, 57.0, 59.0, 57.2, 58.8]);
    samples[5].partial = true;
    let comparison = compared_as(&["a", "b"], &samples).remove(0);
    assert_eq!((comparison.n, comparison.without_first), (4, false));
}

#[test]
fn every_pair_is_there_in_the_plan_s_order() {
    let mut samples = Vec::new();
    for (label, rate) in [("vpn", 10.0), ("lan", 100.0), ("disk", 500.0)] {
        for round in 1..=3 {
            for workload in [Workload::SEQ_READ, Workload::SEQ_WRITE] {
                samples.push(sample(label, workload, round, rate * (1.0 + f64::from(round) / 1e3)));
            }
        }
    }
    let comparisons = compared_as(&["lan", "vpn", "disk"], &samples);
    let order: Vec<_> =
        comparisons.iter().map(|c| (c.workload.name(), c.a.as_str(), c.b.as_str(), c.answer)).collect();
    let pairs =
        [("lan", "vpn", Answer::Faster), ("lan", "disk", Answer::Slower), ("vpn", "disk", Answer::Slower)];
    let expected: Vec<_> = ["seq-write", "seq-read"]
        .into_iter()
        .flat_map(|workload| pairs.map(|(a, b, answer)| (workload, a, b, answer)))
        .collect();
    assert_eq!(order, expected);
}

#[test]
fn enough_is_known_when_every_ratio_is_narrow() {
    let mut plan = plan(&["a", "b"]);
    plan.workloads = vec![Workload::SEQ_WRITE];
    let known = |a: &[f64], b: &[f64]| {
        let samples = rounds(a, b);
        comparisons_precise(&compare(&plan, &samples, &summarise(&plan, &samples)), &plan, &[])
    };
    assert!(known(&[200.0, 201.0, 199.0], &[100.0, 100.2, 99.8]));
    // Decided, but nobody knows by how much.
    assert!(!known(&[200.0, 260.0, 150.0], &[10.0, 11.0, 9.0]));
    assert!(!known(&[200.0], &[100.0]) && !known(&[], &[]));
    let alone = self::plan(&["a"]);
    assert!(comparisons_precise(&[], &alone, &[]));
}

#[test]
fn the_interval_covers_the_true_ratio_as_often_as_it_says() {
    for (n_a, n_b, paired) in [(5, 5, true), (2, 2, true), (5, 5, false), (5, 12, false), (3, 3, false)] {
        let mut noise = Noise::seeded(20_261_130);
        let mut lognormal = |mean: f64, spread: f64, n: usize| -> Vec<f64> {
            (0..n).map(|_| (mean.ln() + spread * noise.normal()).exp()).collect()
        };
        let covered = (0..4_000)
            .filter(|_| {
                let (a, b) = (lognormal(130.0, 0.05, n_a), lognormal(100.0, 0.08, n_b));
                let comparison = if paired {
                    let logs: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a.ln() - b.ln()).collect();
                    Ratio::paired(&logs).unwrap().comparison(Workload::SEQ_WRITE, "a", "b")
                } else {
                    let ln = |rates: &[f64]| rates.iter().map(|rate| rate.ln()).collect::<Vec<_>>();
                    Ratio::unpaired(&ln(&a), &ln(&b)).unwrap().comparison(Workload::SEQ_WRITE, "a", "b")
                };
                let [low, high] = comparison.ci95.unwrap();
                (low..=high).contains(&1.3)
            })
            .count();
        // 95 % of 4000 is 3800; the standard deviation of the count is 13.8. Welch's is a little wide with few rounds.
        let most = if paired { 3_845 } else { 3_890 };
        assert!(
            (3_755..=most).contains(&covered),
            "{covered} of 4000 with {n_a} and {n_b}, paired: {paired}"
        );
    }
}

/// How often equal paths with this noise are called (faster or slower, the same), of 2000 runs of five rounds.
fn called(spread: f64) -> (u32, u32) {
    let mut noise = Noise::seeded(61);
    let (mut differ, mut same) = (0, 0);
    for _ in 0..2_000 {
        let mut rates = || -> Vec<f64> { (0..5).map(|_| 100.0 * (spread * noise.normal()).exp()).collect() };
        match compared(&rates(), &rates()).answer {
            Answer::Faster | Answer::Slower => differ += 1,
            Answer::Same => same += 1,
            Answer::Inconclusive => {}
        }
    }
    (differ, same)
}

#[test]
fn equal_paths_are_hardly_ever_called_different() {
    let (differ, same) = called(0.05);
    assert!(differ < 20, "{differ} of 2000 are called different with 5 % of noise ({same} the same)");
    let (differ, same) = called(0.01);
    assert!(differ == 0 && same > 1_650, "{differ} different, {same} the same, of 2000 with 1 % of noise");
}

#[test]
fn stopping_when_the_ratio_is_narrow_does_not_make_equal_paths_differ() {
    let mut plan = plan(&["a", "b"]);
    plan.workloads = vec![Workload::SEQ_WRITE];
    let mut noise = Noise::seeded(9);
    let (mut differ, mut covered) = (0, 0);
    for _ in 0..300 {
        let mut samples = Vec::new();
        for round in 1..=60 {
            for label in ["a", "b"] {
                samples.push(sample(
                    label,
                    Workload::SEQ_WRITE,
                    round,
                    100.0 * (0.04 * noise.normal()).exp(),
                ));
            }
            let summaries = summarise(&plan, &samples);
            let comparisons = compare(&plan, &samples, &summaries);
            let enough =
                precise_enough(&summaries, &plan, &[]) && comparisons_precise(&comparisons, &plan, &[]);
            if round >= 5 && enough || round == 60 {
                let [low, high] = comparisons[0].ci95.unwrap();
                covered += u32::from((low..=high).contains(&1.0));
                differ += u32::from(!matches!(comparisons[0].answer, Answer::Same | Answer::Inconclusive));
                break;
            }
        }
    }
    assert!(differ <= 3 && covered >= 270, "{differ} called different, {covered} covered, of 300");
}

proptest! {
    #[test]
    fn b_against_a_is_the_mirror_of_a_against_b(
        pairs in proptest::collection::vec((1.0_f64..1e12, 1.0_f64..1e12), 1..20)
    ) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let samples = rounds(&a, &b);
        let one = compared_as(&["a", "b"], &samples).remove(0);
        let other = compared_as(&["b", "a"], &samples).remove(0);
        prop_assert!(close(one.ratio, 1.0 / other.ratio, 1e-9));
        prop_assert_eq!(one.answer, mirrored(other.answer));
        prop_assert_eq!((one.n, one.without_first), (other.n, other.without_first));
        if let (Some([low, high]), Some([mirror_low, mirror_high])) = (one.ci95, other.ci95) {
            prop_assert!(close(low, 1.0 / mirror_high, 1e-6) && close(high, 1.0 / mirror_low, 1e-6));
        }
        let (now, before) = (of_nas("now", &a), of_nas("before", &b));
        let (one, other) = (compare_reports(&now, &before), compare_reports(&before, &now));
        prop_assert!(close(one.comparisons[0].ratio, 1.0 / other.comparisons[0].ratio, 1e-9));
        prop_assert_eq!(one.comparisons[0].answer, mirrored(other.comparisons[0].answer));
    }

    #[test]
    fn the_unit_of_the_rates_changes_nothing(
        pairs in proptest::collection::vec((1.0_f64..1e6, 1.0_f64..1e6), 1..20), factor in 1e-3_f64..1e6
    ) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let scaled = |rates: &[f64]| rates.iter().map(|rate| rate * factor).collect::<Vec<_>>();
        let (one, other) = (compared(&a, &b), compared(&scaled(&a), &scaled(&b)));
        prop_assert!(close(one.ratio, other.ratio, 1e-9));
        prop_assert_eq!((one.answer, one.n), (other.answer, other.n));
    }

    #[test]
    fn the_ratio_lies_in_its_interval_and_is_a_number(a in rates(1..20), b in rates(1..20)) {
        // The first round may be left out, and with it the only pair there was.
        let Some(comparison) = compared_as(&["a", "b"], &rounds(&a, &b)).pop() else {
            prop_assert_eq!(a.len().min(b.len()), 1);
            return Ok(());
        };
        prop_assert!(comparison.ratio.is_finite() && comparison.ratio > 0.0);
        prop_assert_eq!(comparison.ci95.is_some(), comparison.n > 1);
        if let Some([low, high]) = comparison.ci95 {
            prop_assert!(0.0 < low && low <= comparison.ratio && comparison.ratio <= high && high.is_finite());
        } else {
            prop_assert_eq!(comparison.answer, Answer::Inconclusive);
        }
        let largest = 1.0 + Comparison::MARGIN;
        match (comparison.answer, comparison.ci95) {
            (Answer::Faster, Some([low, _])) => prop_assert!(low >= largest),
            (Answer::Slower, Some([_, high])) => prop_assert!(high <= 1.0 / largest),
            (Answer::Same, Some([low, high])) => prop_assert!(low * largest >= 0.999_999 && high <= largest * 1.000_001),
            _ => prop_assert_eq!(comparison.answer, Answer::Inconclusive),
        }
    }
}

#[test]
fn small_files_are_compared_by_their_operations_and_can_be_written_down() {
    let mut plan = plan(&["a", "b"]);
    plan.workloads = Workload::small_files(1);
    let mut samples = Vec::new();
    for workload in &plan.workloads {
        for round in 1..=5 {
            for (label, rate) in [("a", 200.0), ("b", 100.0)] {
                let mut sample = sample(label, *workload, round, 0.0);
                sample.operations_per_second.0 = rate + f64::from(round) / 100.0;
                samples.push(sample);
            }
        }
    }
    let found = compare(&plan, &samples, &summarise(&plan, &samples));
    assert_eq!(found.len(), 5);
    for comparison in found {
        assert!((comparison.ratio - 2.0).abs() < 0.01, "{comparison:?}");
        assert_eq!(comparison.answer, Answer::Faster);
    }
}

#[test]
fn what_a_target_cannot_do_is_not_waited_for() {
    let mut plan = plan(&["a", "b", "c"]);
    plan.workloads = vec!["rand-write".parse().unwrap()];
    assert!(!comparisons_precise(&[], &plan, &[("a", plan.workloads[0])]));
    assert!(comparisons_precise(&[], &plan, &[("a", plan.workloads[0]), ("b", plan.workloads[0])]));
}
