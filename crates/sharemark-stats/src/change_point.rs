//! A burst and the sustained rate after it, within one phase.

use sharemark_model::{Bytes, ChangePoint, Nanoseconds, Rate, SeriesPoint};

use crate::pettitt::largest_drop;

/// A change less likely by chance than this is taken as one. Stricter than 5 %, because every phase of every round is
/// looked at.
const SIGNIFICANCE: f64 = 0.01;

/// The intervals there must be on either side of the change.
const MIN_INTERVALS: usize = 4;

/// The part of the rate before by which the rate after must be lower.
const PRACTICAL_SHARE: f64 = 0.10;

/// Times are told to the millisecond: shorter than this, an interval's rate is off by more than 2 % for that alone.
const MIN_INTERVAL_MS: u64 = 50;

/// The time within a phase at which a burst ends and a lower, sustained rate begins; `None` where no such drop is
/// clear.
///
/// `series` is cumulative (bytes moved since the transfer began, at growing times) and may be irregular; `block` is the
/// size of one operation. The rates of the intervals between its points are put to Pettitt's test for one change ("A
/// non-parametric approach to the change-point problem", *Applied Statistics* 28, 1979) at p < 0.01, with at least four
/// intervals on either side and a drop of at least 10 %. The rates told before and after are bytes by time from the
/// transfer's start to the change, and from there to the last point, not means of the intervals' rates, which would
/// count a slow interval like a fast one.
///
/// An interval in which less than one block arrived is joined with the next: bytes come a block at a time, so points
/// more frequent than blocks would show rates of zero and of several times the truth. What remains coarse (one block in
/// one interval, two in the next) goes up and down in turn, which the test does not take for a change.
///
/// Its limits. Rises are not reported (a slow start belongs to every transfer). A change needs about √T of T intervals
/// on its shorter side: in a phase of 10 s with a point every 100 ms, a burst of 1.1 s and more. With fewer than 16
/// intervals none can be found. Where the rate declines steadily, the change is placed near the middle of the decline.
/// Of several drops one is told. Rates that wander slowly by more than 10 % (a radio link) can pass for a change in a
/// single phase; [`summarise`](crate::summarise) therefore asks for one in most rounds.
#[must_use]
pub fn change_point(series: &[SeriesPoint], block: Bytes) -> Option<ChangePoint> {
    let points = whole_blocks(series, block);
    let rates: Vec<f64> = points.windows(2).map(|pair| rate_between(&pair[0], &pair[1]).0).collect();
    let found = largest_drop(&rates, MIN_INTERVALS)?;
    let (start, change, end) = (points.first()?, points.get(found.before)?, points.last()?);
    let (before, after) = (rate_between(start, change), rate_between(change, end));
    let clear = found.p_value < SIGNIFICANCE && after.0 <= (1.0 - PRACTICAL_SHARE) * before.0;
    clear.then_some(ChangePoint { at_ns: milliseconds(change.t_ms), before, after, p_value: found.p_value })
}

/// The transfer's start and the points that are at least a block and 50 ms after the one before. What is left at the
/// end belongs to the last interval. A point that goes back in time or bytes is no part of a transfer and is left out.
fn whole_blocks(series: &[SeriesPoint], block: Bytes) -> Vec<SeriesPoint> {
    let mut last = SeriesPoint { t_ms: 0, bytes: Bytes(0) };
    let mut seen = last;
    let mut points = vec![last];
    for point in series {
        if point.t_ms < seen.t_ms || point.bytes < seen.bytes {
            continue;
        }
        seen = *point;
        if point.t_ms - last.t_ms >= MIN_INTERVAL_MS && point.bytes.0 - last.bytes.0 >= block.0.max(1) {
            last = *point;
            points.push(last);
        }
    }
    if points.len() > 1
        && let Some(end) = points.last_mut()
    {
        *end = seen;
    }
    points
}

/// The rate between two points of which the second is the later one.
fn rate_between(earlier: &SeriesPoint, later: &SeriesPoint) -> Rate {
    Bytes(later.bytes.0 - earlier.bytes.0).per(milliseconds(later.t_ms - earlier.t_ms))
}

fn milliseconds(count: u64) -> Nanoseconds {
    Nanoseconds(count.saturating_mul(1_000_000))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{Noise, close, series};

    const MIB: f64 = 1_048_576.0;
    const BLOCK: Bytes = Bytes::mebibytes(8);

    /// A phase of `seconds` in which blocks are acknowledged at `rate(t)` with 10 % of noise on each block's time,
    /// looked at after each block that comes at least 100 ms after the last look.
    fn blocks(noise: &mut Noise, seconds: f64, mut rate: impl FnMut(f64) -> f64) -> Vec<SeriesPoint> {
        let (mut now, mut bytes, mut points): (f64, u64, Vec<SeriesPoint>) = (0.0, 0, Vec::new());
        while now < seconds {
            now += 8.0 * MIB / rate(now) * (1.0 + 0.1 * noise.normal()).max(0.05);
            bytes += BLOCK.0;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let t_ms = (now * 1e3) as u64;
            if t_ms >= points.last().map_or(0, |point| point.t_ms) + 100 {
                points.push(SeriesPoint { t_ms, bytes: Bytes(bytes) });
            }
        }
        points
    }

    /// The same looked at by the clock, every 100 ms, whatever has arrived.
    fn by_the_clock(points: &[SeriesPoint]) -> Vec<SeriesPoint> {
        let end = points.last().map_or(0, |point| point.t_ms);
        (1..=end / 100)
            .map(|tick| SeriesPoint {
                t_ms: tick * 100,
                bytes: points
                    .iter()
                    .take_while(|point| point.t_ms <= tick * 100)
                    .last()
                    .map_or(Bytes(0), |point| point.bytes),
            })
            .collect()
    }

    #[test]
    fn a_burst_is_found_with_its_time_and_rates() {
        let mut rates = vec![110.0 * MIB; 30];
        rates.extend([45.0 * MIB; 70]);
        let found = change_point(&series(&rates), Bytes::mebibytes(1)).unwrap();
        assert_eq!(found.at_ns, Nanoseconds(3_000_000_000));
        assert!(close(found.before.mebibytes(), 110.0, 1e-6));
        assert!(close(found.after.mebibytes(), 45.0, 1e-6));
        assert!(found.p_value < 0.01);
    }

    #[test]
    fn a_burst_is_found_when_blocks_are_large_and_points_irregular() {
        for seed in 0..50 {
            let points =
                blocks(
                    &mut Noise::seeded(seed),
                    12.0,
                    |now| {
                        if now < 4.0 { 110.0 * MIB } else { 25.0 * MIB }
                    },
                );
            for points in [by_the_clock(&points), points] {
                let found = change_point(&points, BLOCK).unwrap();
                let at = found.at_ns.as_secs_f64();
                assert!((3.5..=4.8).contains(&at), "{at}");
                assert!(close(found.before.mebibytes(), 110.0, 0.15), "{found:?}");
                assert!(close(found.after.mebibytes(), 25.0, 0.15), "{found:?}");
            }
        }
    }

    #[test]
    fn blocks_longer_than_the_intervals_do_not_hide_the_burst() {
        // A block takes 0.32 s before and 1 s after: by the clock most intervals carry nothing, on both sides.
        for seed in 0..50 {
            let points =
                blocks(&mut Noise::seeded(seed), 14.0, |now| if now < 5.0 { 25.0 * MIB } else { 8.0 * MIB });
            let found = change_point(&by_the_clock(&points), BLOCK).unwrap();
            assert!((4.0..=6.5).contains(&found.at_ns.as_secs_f64()), "{found:?}");
            assert!(close(found.after.mebibytes(), 8.0, 0.15), "{found:?}");
        }
    }

    #[test]
    fn a_burst_too_short_to_tell_is_not_told() {
        let burst = |ticks: usize, of: usize| {
            let mut rates = vec![110.0 * MIB; ticks];
            rates.resize(of, 45.0 * MIB);
            change_point(&series(&rates), Bytes::mebibytes(1))
        };
        // t (T − t) must reach √(ln 200 · (T³ + T²) / 6): 944.4 of 100 intervals, 57.7 of 15 and 62.0 of 16.
        assert!(burst(10, 100).is_none() && burst(11, 100).is_some());
        assert!(burst(7, 15).is_none() && burst(8, 16).is_some());
    }

    #[test]
    fn neither_a_rise_nor_a_small_drop_is_a_burst() {
        let mut rates = vec![50.0 * MIB; 50];
        rates.extend([100.0 * MIB; 50]);
        assert_eq!(change_point(&series(&rates), Bytes::mebibytes(1)), None);
        let mut rates = vec![100.0 * MIB; 50];
        rates.extend([92.0 * MIB; 50]);
        assert_eq!(change_point(&series(&rates), Bytes::mebibytes(1)), None);
    }

    #[test]
    fn a_slow_start_does_not_hide_the_burst() {
        let mut rates = vec![20.0 * MIB; 5];
        rates.extend([110.0 * MIB; 40]);
        rates.extend([60.0 * MIB; 55]);
        let found = change_point(&series(&rates), Bytes::mebibytes(1)).unwrap();
        assert_eq!(found.at_ns, Nanoseconds(4_500_000_000));
    }

    #[test]
    fn one_stall_is_no_change() {
        let mut rates = vec![100.0 * MIB; 100];
        rates[60..75].fill(0.0);
        assert_eq!(change_point(&series(&rates), BLOCK), None);
    }

    #[test]
    fn constant_rates_with_noise_show_no_change() {
        let mut noise = Noise::seeded(1);
        let mut found = [0; 4];
        for _ in 0..500 {
            let rates: Vec<f64> =
                (0..100).map(|_| 60.0 * MIB * (1.0 + 0.1 * noise.normal()).max(0.0)).collect();
            let large = blocks(&mut noise, 10.0, |_| 100.0 * MIB);
            let slow = blocks(&mut noise, 10.0, |_| 30.0 * MIB);
            found[0] += usize::from(change_point(&series(&rates), Bytes::mebibytes(1)).is_some());
            found[1] += usize::from(change_point(&large, BLOCK).is_some());
            found[2] += usize::from(change_point(&by_the_clock(&large), BLOCK).is_some());
            found[3] += usize::from(change_point(&by_the_clock(&slow), BLOCK).is_some());
        }
        // Fewer than 2 % of 500 each.
        assert!(found.iter().all(|count| *count < 10), "{found:?}");
    }

    #[test]
    fn noise_in_which_neighbours_resemble_each_other_shows_hardly_any() {
        let mut noise = Noise::seeded(2);
        let found = (0..500)
            .filter(|_| {
                // Standard deviation 10 %, correlation of neighbours 0.5.
                let mut level = 0.0;
                let rates: Vec<f64> = (0..100)
                    .map(|_| {
                        level = 0.5 * level + 0.1 * 0.75_f64.sqrt() * noise.normal();
                        60.0 * MIB * (1.0 + level).max(0.0)
                    })
                    .collect();
                change_point(&series(&rates), Bytes::mebibytes(1)).is_some()
            })
            .count();
        assert!(found < 10, "{found}");
    }

    #[test]
    fn a_steady_decline_is_placed_near_its_middle() {
        let rates: Vec<f64> = (0..100).map(|tick| (100.0 - 0.6 * f64::from(tick)) * MIB).collect();
        let found = change_point(&series(&rates), Bytes::mebibytes(1)).unwrap();
        assert!((4.5..=5.5).contains(&found.at_ns.as_secs_f64()));
    }

    #[test]
    fn points_that_go_back_or_carry_part_of_a_block_are_left_out() {
        let point = |t_ms, bytes| SeriesPoint { t_ms, bytes: Bytes(bytes) };
        let points = whole_blocks(
            &[
                point(60, 4),
                point(100, 10),
                point(90, 20),
                point(200, 5),
                point(130, 30),
                point(300, 30),
                point(320, 45),
            ],
            Bytes(10),
        );
        assert_eq!(points, [point(0, 0), point(100, 10), point(320, 45)]);
        assert_eq!(whole_blocks(&[], Bytes(10)), [point(0, 0)]);
        assert_eq!(whole_blocks(&[point(0, 0), point(0, 50)], Bytes(10)), [point(0, 0)]);
    }

    proptest! {
        #[test]
        fn no_series_makes_nonsense(
            points in proptest::collection::vec((any::<u64>(), any::<u64>()), 0..60),
            sorted: bool,
            block: u64,
        ) {
            let mut points = points;
            if sorted {
                points.sort_unstable();
            }
            let points: Vec<SeriesPoint> = points
                .into_iter()
                .map(|(t_ms, bytes)| SeriesPoint { t_ms, bytes: Bytes(bytes) })
                .collect();
            if let Some(found) = change_point(&points, Bytes(block)) {
                prop_assert!(found.after < found.before && found.after.0 >= 0.0 && found.before.0.is_finite());
                prop_assert!((0.0..0.01).contains(&found.p_value));
            }
        }
    }
}
