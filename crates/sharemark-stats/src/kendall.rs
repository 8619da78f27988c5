//! Whether values in order rise or fall beyond chance: Mann's test with Kendall's S.

use statrs::function::erf::erfc;

/// The exact distribution is used up to this many values; beyond it the normal one differs by less than 0.0025.
const EXACT_UP_TO: usize = 40;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Order {
    /// Kendall's S: the pairs that rise less the pairs that fall.
    pub(crate) s: i64,
    /// The two-sided probability of an S at least as far from zero when every order is equally likely.
    pub(crate) p_value: f64,
}

/// Tests whether the values rise or fall (Mann, *Econometrica* 13, 1945; Kendall, *Rank Correlation Methods*, 4th
/// edition 1975).
///
/// Without ties and up to 40 values the probability is exact. Otherwise S is taken as normal, with the variance reduced
/// for ties and S moved one towards zero (Gilbert, *Statistical Methods for Environmental Pollution Monitoring*, 1987,
/// section 16.4.2). Rates are measured to nine digits and more, so ties are rare: equal rates come from counted clocks
/// or from a limit that is exact.
///
/// The test takes the values as independent of each other. Rounds are measured seconds apart, so a slow wave over many
/// rounds looks like a trend while it lasts.
pub(crate) fn mann_kendall(values: &[f64]) -> Order {
    let mut s = 0_i64;
    for (index, earlier) in values.iter().enumerate() {
        for later in &values[index + 1..] {
            s += i64::from(later > earlier) - i64::from(later < earlier);
        }
    }
    let ties = tie_sizes(values);
    let p_value = if ties.is_empty() && values.len() <= EXACT_UP_TO {
        exact_p(s, values.len())
    } else {
        normal_p(s, values.len(), &ties)
    };
    Order { s, p_value }
}

/// How many values are equal in each group of at least two equal ones.
fn tie_sizes(values: &[f64]) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).filter(|size| *size > 1).collect()
}

/// An order of n values with k inverted pairs has S = n(n−1)/2 − 2k.
fn exact_p(s: i64, n: usize) -> f64 {
    let pairs = (n * n.saturating_sub(1) / 2) as i64;
    let tails: f64 = (0_i64..)
        .zip(inversion_probabilities(n))
        .filter(|(inversions, _)| (pairs - 2 * inversions).abs() >= s.abs())
        .map(|(_, probability)| probability)
        .sum();
    tails.min(1.0)
}

/// The probability of 0, 1, … n(n−1)/2 inverted pairs among n values in an order of chance.
///
/// The i-th value is put in one of i places among those before it, each of which inverts one pair more, so each step
/// spreads the distribution evenly over i shifts (Kendall 1975, section 5.2; Knuth, *The Art of Computer Programming*,
/// volume 3, section 5.1.1).
fn inversion_probabilities(n: usize) -> Vec<f64> {
    let mut probabilities = vec![1.0];
    for places in 2..=n {
        let mut next = vec![0.0; probabilities.len() + places - 1];
        for (inversions, probability) in probabilities.iter().enumerate() {
            for more in &mut next[inversions..inversions + places] {
                *more += probability / places as f64;
            }
        }
        probabilities = next;
    }
    probabilities
}

fn normal_p(s: i64, n: usize, ties: &[usize]) -> f64 {
    let part = |size: usize| {
        let size = size as f64;
        size * (size - 1.0) * (2.0 * size + 5.0)
    };
    let variance = (part(n) - ties.iter().copied().map(part).sum::<f64>()) / 18.0;
    let distance = (s.abs() - 1) as f64;
    if s == 0 || variance <= 0.0 {
        return 1.0;
    }
    erfc(distance / variance.sqrt() / std::f64::consts::SQRT_2).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{AQC111_OTHER_WRITES, AQC111_READS, AQC111_WRITES, rates};

    #[test]
    fn exact_probabilities_are_those_of_the_table() {
        // Gilbert 1987, table A18 (from Kendall 1975): one-sided probabilities of S or more.
        for (n, s, one_sided) in [
            (4, 4, 0.167),
            (4, 6, 0.042),
            (5, 6, 0.117),
            (5, 8, 0.042),
            (5, 10, 0.0083),
            (6, 11, 0.028),
            (6, 13, 0.0083),
            (7, 13, 0.035),
            (7, 15, 0.015),
            (8, 16, 0.031),
            (8, 18, 0.016),
            (10, 21, 0.036),
            (10, 23, 0.023),
        ] {
            let p = exact_p(s, n) / 2.0;
            assert!((p - one_sided).abs() < 5e-4, "n {n}, S {s}: {p}");
            assert_eq!(exact_p(s, n), exact_p(-s, n));
        }
    }

    #[test]
    fn falling_from_first_to_last_has_one_order_in_all() {
        for (values, orders) in [(4, 24.0), (5, 120.0), (6, 720.0), (8, 40_320.0)] {
            let falling: Vec<f64> = (0..values).rev().map(f64::from).collect();
            let order = mann_kendall(&falling);
            assert_eq!(order.s, -i64::from(values * (values - 1) / 2));
            assert!((order.p_value - 2.0 / orders).abs() < 1e-15);
        }
    }

    #[test]
    fn the_writes_of_aqc111_61_fall_and_the_reads_do_not() {
        for writes in [AQC111_WRITES, AQC111_OTHER_WRITES] {
            let order = mann_kendall(&writes);
            assert_eq!(order.s, -10);
            assert!((order.p_value - 2.0 / 120.0).abs() < 1e-15);
        }
        // Eight pairs rise and two fall; P(S ≥ 6) = 0.117 by the table above.
        let order = mann_kendall(&AQC111_READS);
        assert_eq!(order.s, 6);
        assert!((order.p_value - 2.0 * 0.117).abs() < 1e-3);
    }

    #[test]
    fn ties_reduce_the_variance() {
        // One pair of five tied: variance (5·4·15 − 2·1·9) / 18 = 15.667; z = (9 − 1) / 3.958 = 2.0211; p = 0.04327.
        let order = mann_kendall(&[1.0, 2.0, 2.0, 3.0, 4.0]);
        assert_eq!(order.s, 9);
        assert!((order.p_value - 0.043_27).abs() < 1e-4, "{}", order.p_value);
    }

    #[test]
    fn without_differences_there_is_no_order() {
        for n in 0..6 {
            assert_eq!(mann_kendall(&vec![5.0; n]), Order { s: 0, p_value: 1.0 });
        }
    }

    #[test]
    fn the_normal_distribution_takes_over_where_it_fits() {
        let pairs = 40 * 39 / 2;
        for s in (0..pairs).step_by(2) {
            let (exact, normal) = (exact_p(s, 40), normal_p(s, 40, &[]));
            assert!((exact - normal).abs() < 2.5e-3, "S {s}: {exact} {normal}");
            // Where the decision falls it is closer still.
            assert!(exact > 0.1 || (exact - normal).abs() < 1e-3, "S {s}: {exact} {normal}");
        }
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_are_the_same_from_both_ends(n in 0_usize..=40) {
            let probabilities = inversion_probabilities(n);
            prop_assert_eq!(probabilities.len(), n * n.saturating_sub(1) / 2 + 1);
            prop_assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            for (front, back) in probabilities.iter().zip(probabilities.iter().rev()) {
                prop_assert!((front - back).abs() < 1e-14);
            }
        }

        #[test]
        fn backwards_is_the_opposite(values in rates(0..60)) {
            let backwards: Vec<f64> = values.iter().rev().copied().collect();
            let (one, other) = (mann_kendall(&values), mann_kendall(&backwards));
            prop_assert_eq!(one.s, -other.s);
            prop_assert_eq!(one.p_value, other.p_value);
            prop_assert!((0.0..=1.0).contains(&one.p_value));
        }
    }
}
