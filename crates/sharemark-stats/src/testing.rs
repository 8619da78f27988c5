//! What the tests share: data from public reports, noise that is the same in every run, and builders.

use std::f64::consts::TAU;
use std::ops::Range;

use proptest::prelude::*;
use sharemark_model::{
    Bytes, CacheUse, DataSource, Nanoseconds, Plan, Profile, Sample, SeriesPoint, TargetSpec, Transfer,
    Workload,
};

/// bb-qq/aqc111 issue 61, first tester: five 2000 MB writes that a tool reported as "Average (W): 231,89 MB/sec".
pub(crate) const AQC111_WRITES: [f64; 5] = [295.22, 290.58, 200.15, 194.64, 178.86];

/// The same report, the other adapter: "Average (W): 352,01 MB/sec".
pub(crate) const AQC111_OTHER_WRITES: [f64; 5] = [409.45, 406.10, 341.45, 308.99, 294.06];

/// The same report, the reads of the first adapter: steady.
pub(crate) const AQC111_READS: [f64; 5] = [305.12, 306.10, 301.41, 306.42, 307.53];

/// Writes as the article tells them: a first one of 23.1, and then from 56 to 60.
pub(crate) const ARTICLE_WRITES: [f64; 5] = [23.1, 56.2, 59.8, 57.4, 58.5];

/// Whether two numbers agree to this share of the second.
pub(crate) fn close(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * b.abs()
}

/// Rates that a run could bring, from a byte per second to a terabyte per second.
pub(crate) fn rates(count: Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(1.0_f64..1e12, count)
}

/// Random numbers from a seed (SplitMix64; Steele, Lea and Flood 2014).
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// From zero up to one.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normal with mean zero and standard deviation one (Box and Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }
}

/// The default plan for targets with these labels.
pub(crate) fn plan(labels: &[&str]) -> Plan {
    Plan {
        targets: labels
            .iter()
            .map(|label| TargetSpec { label: (*label).to_owned(), location: "/mnt/nas".parse().unwrap() })
            .collect(),
        ..Profile::Quick.plan(1)
    }
}

/// A sample that came to its end, with this rate.
pub(crate) fn sample(target: &str, workload: Workload, round: u32, rate: f64) -> Sample {
    let mut sample = Sample::from_transfer(
        target.to_owned(),
        workload,
        None,
        round,
        Transfer {
            started: jiff::Timestamp::UNIX_EPOCH,
            bytes: Bytes::gibibytes(1),
            operations: 128,
            open: Nanoseconds(0),
            transfer: Nanoseconds(1_000_000_000),
            flush: Nanoseconds(0),
            close: Nanoseconds(0),
            first_byte: None,
            series: Vec::new(),
            latency: None,
            cache: CacheUse::default(),
            source: DataSource::default(),
            verified: None,
            depth: 1,
            pause: None,
            failure: None,
        },
    );
    sample.bytes_per_second.0 = rate;
    sample
}

/// One sample a round of writes to `nas`, the first in round 1.
pub(crate) fn writes(rates: &[f64]) -> Vec<Sample> {
    (1..).zip(rates).map(|(round, rate)| sample("nas", Workload::SEQ_WRITE, round, *rate)).collect()
}

/// A cumulative series with a point every 100 ms, from the rate in each of those intervals in bytes per second.
pub(crate) fn series(rates: &[f64]) -> Vec<SeriesPoint> {
    let mut bytes = 0.0;
    (1..)
        .zip(rates)
        .map(|(tick, rate)| {
            bytes += rate * 0.1;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let bytes = Bytes(bytes as u64);
            SeriesPoint { t_ms: tick * 100, bytes }
        })
        .collect()
}
