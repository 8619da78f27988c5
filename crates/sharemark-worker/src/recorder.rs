//! What the loop notes down of every operation.

use std::time::Duration;

use hdrhistogram::Histogram;
use sharemark_model::{Bytes, Latency, Nanoseconds, SeriesPoint};

/// Points of the series are at least this far apart, in milliseconds, until there are too many of them.
const SPACING_MS: u64 = 100;
/// More points than this are thinned to half, so that a long phase costs no more memory than a short one.
const MOST_POINTS: usize = 1200;

/// Operations are noted up to an hour; longer ones count as that. The watchdog has ended them long before.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// The notes of one phase: bytes over time, and the distribution of the operations' times.
pub(crate) struct Recorder {
    /// In nanoseconds, to three significant digits.
    times: Option<Histogram<u64>>,
    series: Vec<SeriesPoint>,
    spacing_ms: u64,
    bytes: u64,
    operations: u64,
    first: Option<Duration>,
    last: Duration,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        Self {
            // Within the crate's bounds: the lowest is at least 1, and three digits are between 0 and 5.
            times: Histogram::new_with_bounds(1, LONGEST_NS, 3).ok(),
            series: Vec::new(),
            spacing_ms: SPACING_MS,
            bytes: 0,
            operations: 0,
            first: None,
            last: Duration::ZERO,
        }
    }

    /// Notes an operation of `bytes` that took `took` and ended `at` after the transfer's start.
    pub(crate) fn note(&mut self, bytes: u64, took: Duration, at: Duration) {
        if let Some(times) = &mut self.times {
            times.saturating_record(Nanoseconds::from(took).0.max(1));
        }
        self.bytes += bytes;
        self.operations += 1;
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = self.last.max(at);
        let t_ms = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        let due = self.series.last().map_or(SPACING_MS, |point| point.t_ms.saturating_add(self.spacing_ms));
        if t_ms >= due {
            self.series.push(SeriesPoint { t_ms, bytes: Bytes(self.bytes) });
            if self.series.len() > MOST_POINTS {
                self.thin();
            }
        }
    }

    /// Counts further operations that the one noted last was made of.
    pub(crate) const fn made_of(&mut self, operations: u64) {
        self.operations = self.operations - 1 + operations;
    }

    fn thin(&mut self) {
        self.spacing_ms *= 2;
        let mut keep = false;
        self.series.retain(|_| {
            keep = !keep;
            !keep
        });
    }

    pub(crate) const fn bytes(&self) -> Bytes {
        Bytes(self.bytes)
    }

    /// How many operations were noted.
    pub(crate) const fn operations(&self) -> u64 {
        self.operations
    }

    /// From the transfer's start to the end of the operation that ended last.
    pub(crate) fn transfer(&self) -> Nanoseconds {
        self.last.into()
    }

    /// From the transfer's start to the end of the operation that ended first.
    pub(crate) fn first_byte(&self) -> Option<Nanoseconds> {
        self.first.map(Nanoseconds::from)
    }

    pub(crate) fn latency(&self) -> Option<Latency> {
        let times = self.times.as_ref().filter(|times| !times.is_empty())?;
        let at = |quantile| Nanoseconds(times.value_at_quantile(quantile));
        Some(Latency { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: Nanoseconds(times.max()) })
    }

    /// The series, ending in the last operation.
    pub(crate) fn into_series(mut self) -> Vec<SeriesPoint> {
        let end = SeriesPoint {
            t_ms: u64::try_from(self.last.as_millis()).unwrap_or(u64::MAX),
            bytes: Bytes(self.bytes),
        };
        match self.series.last_mut() {
            // Operations that end together may be noted in another order than they ended.
            Some(point) if point.t_ms >= end.t_ms => point.bytes = end.bytes,
            _ => self.series.push(end),
        }
        self.series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn a_long_phase_keeps_few_points_and_its_end() {
        let mut recorder = Recorder::new();
        for step in 1..=1_000_000 {
            recorder.note(10, ms(1), ms(step * 7));
        }
        assert_eq!((recorder.bytes(), recorder.operations()), (Bytes(10_000_000), 1_000_000));
        let series = recorder.into_series();
        assert!(series.len() <= MOST_POINTS + 1, "{}", series.len());
        assert!(series.windows(2).all(|pair| pair[0].t_ms < pair[1].t_ms && pair[0].bytes < pair[1].bytes));
        assert_eq!(series.last(), Some(&SeriesPoint { t_ms: 7_000_000, bytes: Bytes(10_000_000) }));
    }

    #[test]
    fn latencies_are_those_noted() {
        let mut recorder = Recorder::new();
        for step in 1..=100 {
            recorder.note(1, ms(step), ms(step));
        }
        let latency = recorder.latency().unwrap();
        let near = |value: Nanoseconds, want: u64| value.0.abs_diff(want * 1_000_000) <= want * 2_000;
        assert!(near(latency.p50, 50) && near(latency.p90, 90) && near(latency.p99, 99), "{latency:?}");
        assert!(near(latency.max, 100));
        assert_eq!(recorder.first_byte(), Some(ms(1).into()));
        assert_eq!(recorder.transfer(), ms(100).into());
    }

    #[test]
    fn without_operations_nothing_is_claimed() {
        let recorder = Recorder::new();
        assert_eq!((recorder.latency(), recorder.first_byte()), (None, None));
        assert_eq!(recorder.into_series().len(), 1);
    }
}
