//! Whether rates rise or fall over the rounds, and by how much a round.

use sharemark_model::{Rate, Trend, TrendDirection};

use crate::kendall::mann_kendall;
use crate::mean::median;

/// With fewer rounds no order is unlikely enough to say anything: of three, one in three is monotonic.
const MIN_ROUNDS: usize = 4;

/// An order this unlikely by chance is called a trend.
const SIGNIFICANCE: f64 = 0.05;

/// The part of the median by which rates must change from the first round to the last to matter to anybody.
const PRACTICAL_SHARE: f64 = 0.03;

/// The trend over rounds, given as round number and rate in the order measured; `None` for fewer than four.
///
/// The order is tested by [`mann_kendall`]. The slope is the median of the slopes between all pairs of rounds (Theil
/// 1950; Sen, *Journal of the American Statistical Association* 63, 1968), with the round's number as time, so that a
/// round without a sample leaves a gap. A direction is given when the test says so at 5 % and that slope over all
/// rounds amounts to at least 3 % of the median: with many rounds the test finds changes that nobody would notice.
///
/// Four rounds never reach 5 %: the clearest order has p = 2/24. Five reach it only when each round falls (or rises)
/// from the one before, p = 2/120.
pub(crate) fn trend(rounds: &[(u32, f64)]) -> Option<Trend> {
    if rounds.len() < MIN_ROUNDS {
        return None;
    }
    let rates: Vec<f64> = rounds.iter().map(|(_, rate)| *rate).collect();
    let order = mann_kendall(&rates);
    let per_round = slope(rounds);
    let (first, last) = (rounds.first()?.0, rounds.last()?.0);
    let change = per_round * (f64::from(last) - f64::from(first));
    let clear = order.p_value < SIGNIFICANCE && change.abs() >= PRACTICAL_SHARE * median(&rates)?;
    Some(Trend {
        direction: if !clear {
            TrendDirection::None
        } else if change > 0.0 {
            TrendDirection::Rising
        } else {
            TrendDirection::Falling
        },
        per_round: Rate(per_round),
        p_value: order.p_value,
    })
}

/// The median of all slopes between two different rounds; zero when there are none.
fn slope(rounds: &[(u32, f64)]) -> f64 {
    let mut slopes = Vec::new();
    for (index, (round, rate)) in rounds.iter().enumerate() {
        for (later_round, later_rate) in &rounds[index + 1..] {
            let apart = f64::from(*later_round) - f64::from(*round);
            if apart != 0.0 {
                slopes.push((later_rate - rate) / apart);
            }
        }
    }
    median(&slopes).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{AQC111_OTHER_WRITES, AQC111_READS, AQC111_WRITES, Noise, close, rates};

    fn over_rounds(rates: &[f64]) -> Option<Trend> {
        let rounds: Vec<(u32, f64)> = (1..).zip(rates.iter().copied()).collect();
        trend(&rounds)
    }

    #[test]
    fn the_falling_writes_of_aqc111_61_are_called_falling() {
        let found = over_rounds(&AQC111_WRITES).unwrap();
        assert_eq!(found.direction, TrendDirection::Falling);
        assert!((found.p_value - 2.0 / 120.0).abs() < 1e-15);
        // Ten slopes; the middle two are (178.86 − 295.22) / 4 = −29.09 and (194.64 − 295.22) / 3 = −33.5267.
        assert!(close(found.per_round.0, -31.308_33, 1e-6));
        let found = over_rounds(&AQC111_OTHER_WRITES).unwrap();
        assert_eq!(found.direction, TrendDirection::Falling);
        let found = over_rounds(&AQC111_READS).unwrap();
        assert_eq!(found.direction, TrendDirection::None);
    }

    #[test]
    fn a_gap_in_the_rounds_is_time_that_passed() {
        let found = trend(&[(1, 100.0), (2, 110.0), (5, 140.0), (6, 150.0), (9, 180.0)]).unwrap();
        assert!(close(found.per_round.0, 10.0, 1e-12));
        assert_eq!(found.direction, TrendDirection::Rising);
    }

    #[test]
    fn a_change_that_nobody_would_notice_is_no_trend() {
        let found = over_rounds(&[100.0, 100.5, 101.0, 101.5, 102.0, 102.5]).unwrap();
        assert!(found.p_value < 0.01);
        assert_eq!(found.direction, TrendDirection::None);
    }

    #[test]
    fn few_rounds_or_equal_ones_show_nothing() {
        assert_eq!(over_rounds(&[3.0, 2.0, 1.0]), None);
        assert_eq!(over_rounds(&[4.0, 3.0, 2.0, 1.0]).unwrap().direction, TrendDirection::None);
        let found = over_rounds(&[5.0; 10]).unwrap();
        assert_eq!((found.direction, found.per_round.0, found.p_value), (TrendDirection::None, 0.0, 1.0));
        let same_round = trend(&[(3, 4.0), (3, 3.0), (3, 2.0), (3, 1.0), (3, 0.5)]).unwrap();
        assert_eq!((same_round.direction, same_round.per_round.0), (TrendDirection::None, 0.0));
    }

    #[test]
    fn plain_noise_is_called_a_trend_no_more_often_than_meant() {
        for rounds in [5, 6, 10, 30, 50] {
            let mut noise = Noise::seeded(11);
            let called = (0..2_000)
                .filter(|_| {
                    let rates: Vec<f64> = (0..rounds).map(|_| 100.0 + 10.0 * noise.normal()).collect();
                    over_rounds(&rates).unwrap().direction != TrendDirection::None
                })
                .count();
            // 5 % of 2000 is 100; three standard deviations of the count are 29.
            assert!(called < 130, "{called} of 2000 with {rounds} rounds");
        }
    }

    proptest! {
        #[test]
        fn the_unit_changes_the_slope_alone(rates in rates(4..20)) {
            let doubled: Vec<f64> = rates.iter().map(|rate| rate * 2.0).collect();
            let (one, other) = (over_rounds(&rates).unwrap(), over_rounds(&doubled).unwrap());
            prop_assert_eq!(one.direction, other.direction);
            prop_assert_eq!(one.p_value, other.p_value);
            prop_assert_eq!(one.per_round.0 * 2.0, other.per_round.0);
        }

        #[test]
        fn a_line_has_its_own_slope(start in 1e6_f64..1e9, step in 1e3_f64..1e6, n in 5_u32..40) {
            let line: Vec<f64> = (0..n).map(|round| start + step * f64::from(round)).collect();
            let found = over_rounds(&line).unwrap();
            prop_assert!(close(found.per_round.0, step, 1e-6));
        }
    }
}
