//! Two reports against each other.

use super::*;

#[test]
fn reports_are_compared_by_label() {
    let (now, before) = (of_nas("now", &[80.0, 81.0, 79.0]), of_nas("before", &[100.0, 101.0, 99.0, 100.5]));
    let both = compare_reports(&now, &before);
    assert_eq!(
        (both.a.as_str(), both.b.as_str(), both.differences.as_slice()),
        ("now", "before", [].as_slice())
    );
    let [comparison] = both.comparisons.as_slice() else { panic!("{both:?}") };
    assert_eq!((comparison.answer, comparison.n, comparison.paired), (Answer::Slower, 3, false));
    assert!(close(comparison.ratio, 0.8, 0.01));

    let two = report("two", &["lan", "nas"], crate::testing::writes(&[80.0, 81.0, 79.0]));
    let both = compare_reports(&two, &before);
    assert_eq!(both.comparisons.len(), 1);
    let [difference @ Difference::Targets { .. }] = both.differences.as_slice() else { panic!("{both:?}") };
    assert!(!difference.forbids());
}

#[test]
fn the_only_targets_are_compared_whatever_they_are_called() {
    let mut other = of_nas("other", &[80.0, 81.0, 79.0]);
    for sample in &mut other.samples {
        sample.target = "old".into();
    }
    other.plan.targets[0].label = "old".into();
    other.plan.targets[0].location = "/mnt/old".parse().unwrap();
    let both = compare_reports(&of_nas("now", &[80.0, 81.0, 79.0]), &other);
    let [comparison] = both.comparisons.as_slice() else { panic!("{both:?}") };
    assert_eq!((comparison.a.as_str(), comparison.b.as_str()), ("nas", "old"));
    assert!(matches!(both.differences.as_slice(), [Difference::Location { .. }]), "{both:?}");
    // With more than one there is no telling which is meant.
    other.plan.targets.push("lan=/mnt/lan".parse().unwrap());
    let both = compare_reports(&of_nas("now", &[80.0, 81.0, 79.0]), &other);
    assert!(both.comparisons.is_empty() && both.differences[0].forbids(), "{both:?}");
}

#[test]
fn what_was_measured_otherwise_is_not_compared() {
    let before = of_nas("before", &[100.0, 101.0, 99.0]);
    let changes: [(&str, Change); 8] = [
        ("size", |report| report.plan.size = Bytes::mebibytes(64)),
        ("time", |report| report.plan.time_ns = None),
        ("block", |report| report.plan.block = Bytes::mebibytes(1)),
        ("depth", |report| report.plan.depth = 8),
        ("data", |report| report.plan.data = sharemark_model::DataKind::Zeros),
        ("workloads", |report| report.plan.workloads = vec![Workload::SEQ_READ]),
        ("samples", |report| report.samples.clear()),
        ("mode", |report| {
            report.samples[0].cache.write = Some(WriteMode::Flushed);
        }),
    ];
    for (what, change) in changes {
        let mut now = of_nas("now", &[100.0, 101.0, 99.0]);
        change(&mut now);
        let mut before = before.clone();
        for sample in &mut before.samples {
            sample.cache.write = Some(WriteMode::DirectWriteThrough);
        }
        for sample in &mut now.samples {
            sample.cache.write.get_or_insert(WriteMode::DirectWriteThrough);
        }
        let both = compare_reports(&now, &before);
        assert!(both.comparisons.is_empty(), "{what}: {both:?}");
        assert!(both.differences.first().is_some_and(Difference::forbids), "{what}: {both:?}");
    }
}

#[test]
fn what_asks_for_care_is_told_and_compared() {
    let before = of_nas("before", &[100.0, 101.0, 99.0]);
    let changes: [(&str, Change); 6] = [
        ("settle", |report| report.plan.settle_ns = Nanoseconds(0)),
        ("pause", |report| report.plan.pause_ns = Nanoseconds(0)),
        ("host", |report| report.host.os = "macos".into()),
        ("version", |report| report.tool.version = "0.2.0".into()),
        ("connections", |report| report.plan.wishes.connections = 4),
        ("workloads", |report| report.plan.workloads.push(Workload::SEQ_READ)),
    ];
    for (what, change) in changes {
        let mut now = of_nas("now", &[100.0, 101.0, 99.0]);
        change(&mut now);
        let both = compare_reports(&now, &before);
        assert_eq!((both.comparisons.len(), both.differences.len()), (1, 1), "{what}: {both:?}");
        assert!(!both.differences[0].forbids(), "{what}: {both:?}");
    }
}

#[test]
fn durability_matters_to_writes_and_the_read_cache_to_reads() {
    let with = |workload, cache: fn(&mut Sample)| {
        let mut report = of_nas("x", &[100.0, 101.0, 99.0]);
        report.plan.workloads = vec![workload];
        for sample in &mut report.samples {
            sample.workload = workload;
            cache(sample);
        }
        report
    };
    let write = with(Workload::SEQ_WRITE, |sample| sample.cache.write = Some(WriteMode::Flushed));
    let read = with(Workload::SEQ_READ, |sample| sample.cache.read = Some(ReadMode::Direct));
    let asked = |report: &Report, durability, read_cache| {
        let mut other = report.clone();
        (other.plan.durability, other.plan.read_cache) = (durability, read_cache);
        compare_reports(report, &other)
    };
    let (flush, avoid) = (Durability::Flush, ReadCache::Avoid);
    assert!(asked(&write, flush, avoid).comparisons.is_empty());
    assert_eq!(asked(&read, flush, avoid).comparisons.len(), 1);
    assert!(asked(&read, Durability::WriteThrough, ReadCache::Allow).comparisons.is_empty());
    assert_eq!(asked(&write, Durability::WriteThrough, ReadCache::Allow).comparisons.len(), 1);
}

#[test]
fn a_first_round_apart_is_left_out_of_its_own_report_only() {
    let apart = of_nas("now", &[23.1, 56.2, 59.8, 57.4, 58.5]);
    let steady = of_nas("before", &[57.5, 57.0, 59.0, 57.2, 58.8]);
    let both = compare_reports(&apart, &steady);
    let comparison = &both.comparisons[0];
    assert_eq!((comparison.n, comparison.without_first), (4, true));
    assert!(close(comparison.ratio, 1.0, 0.02), "{comparison:?}");
}

#[test]
fn a_plan_s_block_is_no_difference_where_no_workload_used_it() {
    let mut a = plan(&["nas"]);
    a.workloads = vec!["rand-read:q32".parse().unwrap()];
    let mut b = Plan { block: Bytes(1 << 20), files: 7, ..a.clone() };
    assert_eq!(plan_differences(&a, &b), []);
    a.workloads = Workload::small_files(1);
    b.workloads.clone_from(&a.workloads);
    b.size = Bytes(1);
    assert_eq!(plan_differences(&a, &b), [Difference::Files { a: a.files, b: 7 }]);
}
