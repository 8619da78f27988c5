//! Centre and spread of some rates, and the interval of their mean.

use sharemark_model::{Interval, MeanEstimate, Rate};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Centre, ends and spread of at least one rate, in bytes per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Description {
    pub(crate) n: usize,
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The sample standard deviation (divisor n − 1); `None` for a single rate.
    pub(crate) stddev: Option<f64>,
}

impl Description {
    /// Describes the rates; `None` when there is none.
    ///
    /// The sums run over the sorted rates, so that the same rates give the same bits in whatever order they came. The
    /// variance is taken around the mean in a second pass, because the one-pass formula loses its digits when the
    /// spread is small beside the mean, which is the case here (Chan, Golub and LeVeque, *The American Statistician*
    /// 37, 1983).
    pub(crate) fn of(rates: &[f64]) -> Option<Self> {
        let rates = ascending(rates);
        let (&min, &max) = (rates.first()?, rates.last()?);
        let n = rates.len();
        let count = n as f64;
        // The rounding of a sum may carry the mean of equal rates past them by a last digit.
        let mean = (rates.iter().sum::<f64>() / count).max(min).min(max);
        let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        Some(Self {
            n,
            mean,
            median: middle(&rates)?,
            min,
            max,
            stddev: (n > 1).then(|| (squares / (count - 1.0)).sqrt()),
        })
    }

    /// The two-sided 95 % interval of the mean: mean ± t · s / √n with Student's t for n − 1 degrees of freedom
    /// (Student 1908; NIST/SEMATECH e-Handbook, section 1.3.5.2). `None` for a single rate.
    ///
    /// The lower end is cut off at zero, since no rate is negative: a cut interval still covers the true mean as often,
    /// but no longer has the mean in its middle.
    pub(crate) fn interval(&self) -> Option<Interval> {
        let half = t_quantile(self.n - 1, 0.975)? * self.stddev? / (self.n as f64).sqrt();
        Some(Interval(Rate((self.mean - half).max(0.0)), Rate(self.mean + half)))
    }

    /// The mean with its interval and count.
    pub(crate) fn estimate(&self) -> MeanEstimate {
        MeanEstimate {
            n: u32::try_from(self.n).unwrap_or(u32::MAX),
            mean: Rate(self.mean),
            ci95: self.interval(),
        }
    }
}

/// The value that Student's t with `freedom` degrees of freedom stays below with this probability; `None` without a
/// degree of freedom.
pub(crate) fn t_quantile(freedom: usize, probability: f64) -> Option<f64> {
    t_quantile_between(freedom as f64, probability)
}

/// [`t_quantile`] for degrees of freedom that need not be whole, as Welch's are.
pub(crate) fn t_quantile_between(freedom: f64, probability: f64) -> Option<f64> {
    let distribution = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(distribution.inverse_cdf(probability))
}

/// The middle value, or the mean of the two middle ones; `None` when there is none.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    middle(&ascending(values))
}

fn ascending(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// The median of values in ascending order.
fn middle(ascending: &[f64]) -> Option<f64> {
    let n = ascending.len();
    let upper = *ascending.get(n / 2)?;
    if n % 2 == 1 {
        return Some(upper);
    }
    let lower = *ascending.get(n / 2 - 1)?;
    Some(lower + (upper - lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{AQC111_WRITES, Noise, close, rates};

    #[test]
    fn the_quantiles_are_those_of_the_tables() {
        // NIST/SEMATECH e-Handbook, table 1.3.6.7.2, columns 0.975 and 0.995.
        for (freedom, at_975, at_995) in [
            (1, 12.706, 63.657),
            (2, 4.303, 9.925),
            (3, 3.182, 5.841),
            (4, 2.776, 4.604),
            (9, 2.262, 3.250),
            (29, 2.045, 2.756),
            (99, 1.984, 2.626),
        ] {
            assert!((t_quantile(freedom, 0.975).unwrap() - at_975).abs() < 6e-4, "{freedom}");
            assert!((t_quantile(freedom, 0.995).unwrap() - at_995).abs() < 6e-4, "{freedom}");
        }
        assert_eq!(t_quantile(0, 0.975), None);
    }

    #[test]
    fn the_five_writes_of_aqc111_61_are_described() {
        // By hand: the sum is 1159.45; the squared deviations sum to 12662.4; s = 56.264; 2.7764 · s / √5 = 69.86.
        let description = Description::of(&AQC111_WRITES).unwrap();
        assert!(close(description.mean, 231.89, 1e-12));
        assert_eq!(description.median, 200.15);
        assert_eq!((description.min, description.max), (178.86, 295.22));
        assert!(close(description.stddev.unwrap(), 56.264, 1e-5));
        let Interval(low, high) = description.interval().unwrap();
        assert!((low.0 - 162.03).abs() < 0.01 && (high.0 - 301.75).abs() < 0.01);
    }

    #[test]
    fn what_cannot_be_told_is_not_told() {
        assert_eq!(Description::of(&[]), None);
        let single = Description::of(&[5.0]).unwrap();
        assert_eq!((single.mean, single.median, single.stddev), (5.0, 5.0, None));
        assert_eq!(single.interval(), None);
    }

    #[test]
    fn the_interval_of_wide_rates_is_cut_off_at_zero() {
        // Mean 50.5, s = 70.0, half width 12.706 · 49.5 = 629.
        let Interval(low, high) = Description::of(&[1.0, 100.0]).unwrap().interval().unwrap();
        assert_eq!(low.0, 0.0);
        assert!((high.0 - 679.45).abs() < 0.01);
    }

    #[test]
    fn the_interval_covers_the_true_mean_as_often_as_it_says() {
        let mut noise = Noise::seeded(20_261_130);
        let covered = (0..4_000)
            .filter(|_| {
                let rounds: Vec<f64> = (0..5).map(|_| 100.0 + 10.0 * noise.normal()).collect();
                let Interval(low, high) = Description::of(&rounds).unwrap().interval().unwrap();
                (low.0..=high.0).contains(&100.0)
            })
            .count();
        // 95 % of 4000 is 3800; the standard deviation of the count is 13.8.
        assert!((3_760..=3_840).contains(&covered), "{covered}");
    }

    proptest! {
        #[test]
        fn the_order_of_the_rounds_changes_nothing(
            (before, after) in rates(1..30).prop_flat_map(|rates| (Just(rates.clone()), Just(rates).prop_shuffle()))
        ) {
            let (before, after) = (Description::of(&before).unwrap(), Description::of(&after).unwrap());
            prop_assert_eq!(before, after);
            prop_assert_eq!(before.interval(), after.interval());
        }

        #[test]
        fn the_unit_of_the_rates_changes_nothing_else(rates in rates(1..30), factor in 1e-6_f64..1e6) {
            let scaled: Vec<f64> = rates.iter().map(|rate| rate * factor).collect();
            let (one, other) = (Description::of(&rates).unwrap(), Description::of(&scaled).unwrap());
            prop_assert!(close(one.mean * factor, other.mean, 1e-12));
            prop_assert!(close(one.median * factor, other.median, 1e-12));
            if let (Some(one), Some(other)) = (one.interval(), other.interval()) {
                prop_assert!((one.0.0 * factor - other.0.0).abs() <= 1e-9 * other.1.0);
                prop_assert!(close(one.1.0 * factor, other.1.0, 1e-9));
            }
        }

        #[test]
        fn centres_lie_between_the_ends_and_the_interval_around_the_mean(rates in rates(1..30)) {
            let description = Description::of(&rates).unwrap();
            prop_assert!(description.min <= description.mean && description.mean <= description.max);
            prop_assert!(description.min <= description.median && description.median <= description.max);
            prop_assert_eq!(description.interval().is_some(), rates.len() > 1);
            if let Some(Interval(low, high)) = description.interval() {
                prop_assert!(0.0 <= low.0 && low.0 <= description.mean && description.mean <= high.0);
            }
        }

        #[test]
        fn equal_rates_have_no_spread(rate in 1.0_f64..1e12, n in 2_usize..50) {
            let description = Description::of(&vec![rate; n]).unwrap();
            prop_assert_eq!(description.stddev, Some(0.0));
            prop_assert_eq!(description.interval(), Some(Interval(Rate(rate), Rate(rate))));
        }
    }
}
