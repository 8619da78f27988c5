//! Reports of what is not one sequential file: random places, small files, and plans of many workloads.

use sharemark_model::{
    Action, Bytes, CacheProof, CacheUse, Latency, Nanoseconds, Profile, Quantity, Rate, ReadMode, Report,
    Sample, Summary, Workload, WriteMode,
};
use sharemark_report::{Language, TextStyle, Words, text};

use crate::sample_report::{full, megabytes, nanoseconds, sample, summary};

fn shown(report: &Report, language: Language) -> String {
    text::report(report, &Words::new(language), &TextStyle { width: 100, colour: false })
}

/// A phase of `workload`: MB/s, or for small files operations per second.
fn phase(workload: Workload, round: u32, rate: f64) -> Sample {
    let write = workload.writes().then_some(WriteMode::DirectWriteThrough);
    let read = workload.reads().then_some(ReadMode::Direct);
    let random_write = matches!(workload.action, Action::RandWrite | Action::Mixed(_));
    let mut sample = sample("/mnt/nas", workload, round, 50.0);
    sample.verified = (workload.reads() || random_write).then_some(true);
    sample.cache = CacheUse { write, read, proof: CacheProof::OwnProtocol, ..sample.cache };
    match workload.quantity() {
        Quantity::Bytes => {
            sample.bytes_per_second = megabytes(rate);
            sample.operations_per_second = Rate(rate * 100.0);
        }
        Quantity::Operations => {
            sample.bytes = if workload.reads() || workload.writes() { sample.bytes } else { Bytes(0) };
            sample.operations = 200;
            sample.operations_per_second = Rate(rate);
        }
    }
    sample.latency_ns = Some(latency(f64::from(round)));
    sample
}

fn latency(milliseconds: f64) -> Latency {
    let of = |times: f64| nanoseconds(milliseconds * times / 1e3);
    Latency { p50: of(1.0), p90: of(2.0), p99: of(3.0), max: of(10.0) }
}

fn summed(workload: Workload, rates: &[f64]) -> Summary {
    let summary = summary("/mnt/nas", workload, rates);
    if workload.quantity() == Quantity::Bytes {
        return summary;
    }
    let per_second = |rate: Rate| Rate(rate.0 / 1e6);
    Summary {
        mean: per_second(summary.mean),
        median: per_second(summary.median),
        min: per_second(summary.min),
        max: per_second(summary.max),
        ci95: None,
        ..summary
    }
}

/// Two rounds of a plan.
fn report(profile: Profile) -> Report {
    let mut report = full();
    let targets = report.plan.targets.clone();
    report.plan = profile.plan(7);
    report.plan.targets = targets;
    report.samples.clear();
    report.summary.clear();
    for (place, workload) in (0_u32..).zip(report.plan.workloads.clone()) {
        let rates = [f64::from(10 + place), f64::from(12 + place)];
        for (round, rate) in (1..).zip(rates) {
            report.samples.push(phase(workload, round, rate));
        }
        report.summary.push(summed(workload, &rates));
    }
    report
}

#[test]
fn many_workloads_in_a_report() {
    for (name, profile) in
        [("crystal", Profile::Crystal), ("photos", Profile::Photos), ("backup", Profile::Backup)]
    {
        let report = report(profile);
        insta::assert_snapshot!(format!("{name}_en"), shown(&report, Language::English));
        insta::assert_snapshot!(format!("{name}_ja"), shown(&report, Language::Japanese));
    }
}

/// What was written over is no part of what was read, and only some of it was looked at.
#[test]
fn writes_at_random_places_are_told_apart_from_reads() {
    let mut report = report(Profile::VideoEdit);
    let mixed = report.plan.workloads[3];
    let first = report.samples.iter_mut().find(|sample| sample.workload == mixed).unwrap();
    first.verified = Some(false);
    let style = TextStyle { width: 200, colour: false };
    let shown = text::report(&report, &Words::new(Language::English), &style);
    let line = |begin: &str| shown.lines().find(|line| line.contains(begin)).unwrap();
    let read = line("content: every byte read");
    assert!(read.ends_with("right in 4 of 4 phases (4.29 GB)"), "{read}");
    let written = line("content: of what was written");
    assert!(written.ends_with("right in 1 of 2 phases"), "{written}");
}

#[test]
fn the_method_tells_only_blocks_that_were_used() {
    let shown = |profile| shown(&report(profile), Language::English);
    assert!(shown(Profile::Quick).contains("files of 1 GiB in blocks of 8 MiB, one at a time; a phase"));
    assert!(shown(Profile::VideoEdit).contains("files of 2 GiB in blocks of 8 MiB"));
    let crystal = shown(Profile::Crystal);
    assert!(
        crystal.contains("- files of 1 GiB; a phase ends") && !crystal.contains("in blocks of"),
        "{crystal}"
    );
}

/// Of two rounds the median is the mean, of three the one in the middle.
#[test]
fn the_times_of_operations_are_medians() {
    let row = |report: &Report| {
        let shown = shown(report, Language::English);
        let mut rows = shown.lines().skip_while(|line| !line.contains("half within ms")).skip(1);
        rows.next().unwrap().split_whitespace().skip(1).map(str::to_owned).collect::<Vec<String>>()
    };
    let mut report = report(Profile::Photos);
    assert_eq!(row(&report), ["11.0", "1.50", "3.00", "4.50", "20.0"]);
    let slow = Latency { p99: Nanoseconds(70_000_000), ..latency(4.0) };
    let third = Sample { latency_ns: Some(slow), ..phase(report.plan.workloads[0], 3, 40.0) };
    report.samples.push(third);
    assert_eq!(row(&report), ["12.0", "2.00", "4.00", "6.00", "40.0"]);
}
