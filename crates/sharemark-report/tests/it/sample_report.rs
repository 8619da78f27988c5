//! Reports as a run makes them, for the tests to show.

use sharemark_model::{
    Bytes, CacheProof, CacheUse, DataSource, FirstRun, Host, Interval, Latency, MeanEstimate, MountFacts,
    MountKind, Nanoseconds, Profile, Rate, ReadMode, Report, SCHEMA_VERSION, Sample, Summary, TargetCache,
    TargetReport, Tool, Workload, WriteMode,
};

const SIZE: Bytes = Bytes::gibibytes(1);

/// MB/s in each round: the article's slow first write, and reads at what 1GbE can carry.
const WRITES: [f64; 5] = [23.1, 60.4, 61.7, 60.9, 61.3];
const READS: [f64; 5] = [112.31, 112.02, 112.18, 112.25, 112.16];

pub(crate) fn megabytes(rate: f64) -> Rate {
    Rate(rate * 1e6)
}

pub(crate) fn nanoseconds(seconds: f64) -> Nanoseconds {
    Nanoseconds::from(std::time::Duration::from_secs_f64(seconds))
}

pub(crate) fn cifs(mount_point: &str) -> MountFacts {
    MountFacts {
        kind: MountKind::Network,
        file_system: "cifs".into(),
        source: "//nas/Public".into(),
        mount_point: mount_point.into(),
        server: Some("nas".into()),
        options: vec!["rw".into(), "vers=3.1.1".into()],
    }
}

pub(crate) fn target(label: &str, location: &str, mount: Option<MountFacts>) -> TargetReport {
    TargetReport {
        label: label.into(),
        location: location.into(),
        kind: "mount".into(),
        server: None,
        mount,
        cache: TargetCache { write: Some(WriteMode::DirectWriteThrough), read: Some(ReadMode::Direct) },
        free_bytes: Some(Bytes(1_200_000_000_000)),
        warnings: Vec::new(),
    }
}

pub(crate) fn sample(target: &str, workload: Workload, round: u32, rate: f64) -> Sample {
    let write = workload == Workload::SEQ_WRITE;
    let whole = nanoseconds(1_073_741_824.0 / (rate * 1e6));
    let flush = if write { nanoseconds(0.012) } else { Nanoseconds(0) };
    let close = nanoseconds(0.003);
    let outside = if write { flush.0 + close.0 } else { 0 };
    Sample {
        target: target.into(),
        workload,
        round,
        started: "2026-11-30T17:08:38Z".parse().unwrap(),
        bytes: SIZE,
        open_ns: nanoseconds(0.004),
        transfer_ns: Nanoseconds(whole.0 - outside),
        flush_ns: flush,
        close_ns: close,
        first_byte_ns: Some(nanoseconds(0.08)),
        bytes_per_second: SIZE.per(whole),
        operations: 128,
        operations_per_second: Bytes(128).per(whole),
        block: Some(Bytes(8 << 20)),
        series: Vec::new(),
        latency_ns: Some(Latency {
            p50: nanoseconds(0.074),
            p90: nanoseconds(0.081),
            p99: nanoseconds(0.12),
            max: nanoseconds(0.31),
        }),
        depth: 1,
        verified: (!write).then_some(true),
        partial: false,
        error: None,
        cache: CacheUse {
            write: write.then_some(WriteMode::DirectWriteThrough),
            read: (!write).then_some(ReadMode::Direct),
            proof: if write { CacheProof::Accepted } else { CacheProof::Cachestat },
            resident_bytes: (!write).then_some(Bytes(0)),
            ruled_out: true,
        },
        source: DataSource {
            ceiling_bytes_per_second: megabytes(if write { 3214.2 } else { 2871.9 }),
            waited_ns: nanoseconds(0.02),
        },
        wire: None,
        path: None,
        cpu: None,
        nas: None,
    }
}

/// Mean and 95 % interval of a few rates.
pub(crate) fn estimate(rates: &[f64]) -> MeanEstimate {
    const T: [f64; 6] = [0.0, 12.706, 4.303, 3.182, 2.776, 2.571];
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = T.get(rates.len() - 1).map(|t| t * (variance / n).sqrt());
    MeanEstimate {
        n: rates.len() as u32,
        mean: megabytes(mean),
        ci95: half
            .filter(|_| rates.len() > 1)
            .map(|half| Interval(megabytes(mean - half), megabytes(mean + half))),
    }
}

pub(crate) fn summary(target: &str, workload: Workload, rates: &[f64]) -> Summary {
    let all = estimate(rates);
    let mut sorted = rates.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    let outlier = rates.len() > 3 && (rates[0] - median).abs() > 0.2 * median;
    Summary {
        target: target.into(),
        workload,
        quantity: workload.quantity(),
        n: all.n,
        mean: all.mean,
        median: megabytes(median),
        min: megabytes(sorted[0]),
        max: megabytes(sorted[sorted.len() - 1]),
        stddev: None,
        ci95: all.ci95,
        first_run: FirstRun { value: megabytes(rates[0]), outlier },
        without_first: outlier.then(|| estimate(&rates[1..])),
        trend: None,
        burst: None,
        confidence_reached: !outlier,
    }
}

/// A whole run on one share, `/mnt/nas`.
pub(crate) fn full() -> Report {
    let target = target("/mnt/nas", "/mnt/nas", Some(cifs("/mnt/nas")));
    let mut plan = Profile::Quick.plan(7);
    plan.targets = vec!["/mnt/nas".parse().unwrap()];
    let mut report = Report {
        schema: SCHEMA_VERSION,
        tool: Tool { name: "sharemark".into(), version: "0.1.0".into() },
        id: "20261130-170838-x7f3".into(),
        started: "2026-11-30T17:08:38Z".parse().unwrap(),
        finished: Some("2026-11-30T17:11:02Z".parse().unwrap()),
        partial: false,
        error: None,
        host: Host { os: "linux".into(), os_version: Some("6.12".into()), arch: "x86_64".into(), cores: 8 },
        plan,
        targets: vec![target],
        samples: Vec::new(),
        summary: Vec::new(),
        comparisons: Vec::new(),
        findings: Vec::new(),
        limit: None,
    };
    measured(&mut report, "/mnt/nas", &WRITES, &READS);
    report
}

/// Adds rounds of both workloads on a target, and what they amount to.
pub(crate) fn measured(report: &mut Report, target: &str, writes: &[f64], reads: &[f64]) {
    for (number, (write, read)) in writes.iter().zip(reads).enumerate() {
        let round = number as u32 + 1;
        report.samples.push(sample(target, Workload::SEQ_WRITE, round, *write));
        report.samples.push(sample(target, Workload::SEQ_READ, round, *read));
    }
    report.summary.push(summary(target, Workload::SEQ_WRITE, writes));
    report.summary.push(summary(target, Workload::SEQ_READ, reads));
}
