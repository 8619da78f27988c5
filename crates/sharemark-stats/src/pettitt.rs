//! Where values in order drop to a lower level: Pettitt's test.

/// The most likely place of a drop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// How many values come before it.
    pub(crate) before: usize,
    /// The probability of so clear a change, either way, by chance.
    pub(crate) p_value: f64,
}

/// The most likely place at which the values drop, with at least `margin` values on either side; `None` when there are
/// too few values or nothing drops.
///
/// Pettitt's statistic for a place is how many pairs (one value before, one after) fall less how many rise; here by
/// the ranks, U = 2 · (sum of the ranks before) − t (T + 1). The place of its maximum K is the change, and p ≈ 2
/// exp(−6 K² / (T³ + T²)) (Pettitt, "A non-parametric approach to the change-point problem", *Applied Statistics* 28,
/// 1979; Verstraeten and others, *Journal of Geophysical Research* 111, 2006, for the form by ranks). Ranks do not care
/// how far a value lies out, so a stall of seconds weighs no more than any other slow value.
///
/// The maximum is taken over drops alone and its probability over both ways, which errs to the side of silence. So
/// does the margin. The statistic weighs a place by t (T − t): a change near an end must be long enough, about √T
/// values, to be found at all. It takes the values as independent; where neighbours resemble each other, p comes out
/// too small, and the caller must ask for a drop that matters. A steady decline is found as well, with its place near
/// the middle: the test tells that the level changed, not that it did so at once.
pub(crate) fn largest_drop(values: &[f64], margin: usize) -> Option<Change> {
    let count = values.len() as f64;
    let mut twice_ranks = 0.0;
    let mut best: Option<(usize, f64)> = None;
    for (before, rank) in (1..).zip(ranks(values)) {
        twice_ranks += 2.0 * rank;
        let u = twice_ranks - before as f64 * (count + 1.0);
        let inside = before >= margin && before + margin <= values.len();
        if inside && u > best.map_or(0.0, |(_, k)| k) {
            best = Some((before, u));
        }
    }
    let (before, k) = best?;
    let p_value = 2.0 * (-6.0 * k * k / (count.powi(3) + count.powi(2))).exp();
    Some(Change { before, p_value: p_value.min(1.0) })
}

/// The rank of each value from 1 for the lowest; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in places.chunk_by(|a, b| values[*a] == values[*b]) {
        let shared = below as f64 + (equal.len() as f64 + 1.0) / 2.0;
        for place in equal {
            ranks[*place] = shared;
        }
        below += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{Noise, close, rates};

    /// Pettitt's statistic by its definition, pair by pair.
    fn by_pairs(values: &[f64], before: usize) -> f64 {
        let (head, tail) = values.split_at(before);
        head.iter()
            .flat_map(|one| tail.iter().map(move |other| f64::from(one > other) - f64::from(one < other)))
            .sum()
    }

    #[test]
    fn a_step_is_found_with_the_probability_worked_out_by_hand() {
        // 8 high and 8 low: K = 64, 6 · 64² / (16³ + 16²) = 5.6471, 2 exp(−5.6471) = 0.007058.
        let mut values = [2.0; 16];
        values[8..].fill(1.0);
        let found = largest_drop(&values, 4).unwrap();
        assert_eq!(found.before, 8);
        assert!(close(found.p_value, 0.007_056, 1e-3), "{}", found.p_value);
    }

    #[test]
    fn no_drop_is_found_where_there_is_none() {
        assert_eq!(largest_drop(&[], 4), None);
        assert_eq!(largest_drop(&[2.0, 2.0, 2.0, 1.0, 1.0, 1.0], 4), None);
        assert_eq!(largest_drop(&[1.0; 30], 4), None);
        let mut rise = [1.0; 30];
        rise[15..].fill(2.0);
        assert_eq!(largest_drop(&rise, 4), None);
    }

    #[test]
    fn noise_reaches_one_percent_no_more_often_than_that() {
        for count in [20, 50, 100, 300] {
            let mut noise = Noise::seeded(3);
            let called = (0..2_000)
                .filter(|_| {
                    let values: Vec<f64> = (0..count).map(|_| noise.uniform()).collect();
                    largest_drop(&values, 4).is_some_and(|found| found.p_value < 0.01)
                })
                .count();
            // Half of 1 % is meant, since only drops are taken; 1 % of 2000 is 20.
            assert!(called < 20, "{called} of 2000 with {count} values");
        }
    }

    proptest! {
        #[test]
        fn ranks_give_what_pairs_give(values in rates(8..40)) {
            let count = values.len() as f64;
            let highest = (4..=values.len() - 4).map(|before| by_pairs(&values, before)).fold(0.0, f64::max);
            match largest_drop(&values, 4) {
                Some(found) => {
                    prop_assert_eq!(by_pairs(&values, found.before), highest);
                    let p = (2.0 * (-6.0 * highest.powi(2) / (count.powi(3) + count.powi(2))).exp()).min(1.0);
                    prop_assert!(close(found.p_value, p, 1e-9));
                }
                None => prop_assert_eq!(highest, 0.0),
            }
        }
    }
}
