//! Whether the first round belongs with the others.

use crate::mean::{Description, median, t_quantile};

/// Fewer others than this say too little about what to expect.
const MIN_OTHERS: usize = 3;

/// The score beyond which Iglewicz and Hoaglin call a value an outlier.
const SCORE_LIMIT: f64 = 3.5;

/// The part of the others' median by which the first must differ to matter to anybody.
const PRACTICAL_SHARE: f64 = 0.05;

/// The upper end of a two-sided 99 % interval.
const PREDICTION_PROBABILITY: f64 = 0.995;

/// Whether the first rate lies outside of what the others would let one expect. All of these must hold:
///
/// 1. There are at least three others.
/// 2. The first differs from the others' median by at least 5 %.
/// 3. Its modified z-score against the others' median and median absolute deviation is beyond 3.5 (Iglewicz and
///    Hoaglin, *How to Detect and Handle Outliers*, 1993; NIST/SEMATECH e-Handbook, section 1.3.5.17).
/// 4. It lies outside of the others' 99 % prediction interval for one more observation, mean ± t · s · √(1 + 1/m) (Hahn
///    and Meeker, *Statistical Intervals*, 1991; Berthouex and Brown, *Statistics for Environmental Engineers*, 2nd
///    edition 2002, chapter 21).
///
/// The fourth is there because the third was made for larger samples: the median absolute deviation of a few values
/// is often small by chance. Of runs of normal noise, 27 % have a first score beyond 3.5 with four rounds, 15 % with
/// five, 7 % with eight (the test below counts them); with the fourth condition it is 1 % throughout. It also keeps a
/// fall over all rounds from being called a fast first one: the first of 295, 291, 200, 195, 179 (bb-qq/aqc111 issue
/// 61) has a score of 6.2, but its second round is as fast.
pub(crate) fn is_outlier(first: f64, others: &[f64]) -> bool {
    if others.len() < MIN_OTHERS {
        return false;
    }
    let (Some(expected), Some(score), Some(others)) =
        (median(others), modified_z_score(first, others), Description::of(others))
    else {
        return false;
    };
    (first - expected).abs() >= PRACTICAL_SHARE * expected
        && score.abs() > SCORE_LIMIT
        && outside_prediction(first, &others)
}

/// The modified z-score of a value against others: 0.6745 · (x − median) / MAD.
///
/// Where more than half of the others are equal, so that the median absolute deviation is zero, the mean absolute
/// deviation takes its place: (x − median) / (1.253314 · MeanAD), as IBM's documentation defines the score for that
/// case (Cognos Analytics 11.1, "Modified z score"). Where all others are equal, a value that differs is infinitely
/// far. `None` without others.
fn modified_z_score(value: f64, others: &[f64]) -> Option<f64> {
    let centre = median(others)?;
    let deviations: Vec<f64> = others.iter().map(|other| (other - centre).abs()).collect();
    let distance = value - centre;
    if distance == 0.0 {
        return Some(0.0);
    }
    let mad = median(&deviations)?;
    if mad > 0.0 {
        return Some(0.6745 * distance / mad);
    }
    Some(distance / (1.253_314 * Description::of(&deviations)?.mean))
}

fn outside_prediction(value: f64, others: &Description) -> bool {
    let (Some(stddev), Some(t)) = (others.stddev, t_quantile(others.n - 1, PREDICTION_PROBABILITY)) else {
        return false;
    };
    (value - others.mean).abs() > t * stddev * (1.0 + 1.0 / others.n as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{
        AQC111_OTHER_WRITES, AQC111_READS, AQC111_WRITES, ARTICLE_WRITES, Noise, close, rates,
    };

    fn first_is_outlier(rates: &[f64]) -> bool {
        is_outlier(rates[0], &rates[1..])
    }

    #[test]
    fn scores_are_those_worked_out_by_hand() {
        // Median 197.395, deviations 93.185, 2.755, 2.755 and 18.535, whose median is 10.645; 0.6745 · 97.825 / 10.645.
        let score = modified_z_score(AQC111_WRITES[0], &AQC111_WRITES[1..]).unwrap();
        assert!(close(score, 6.1985, 1e-4), "{score}");
        // More than half equal: median 50, mean absolute deviation 30 / 4 = 7.5; −30 / 9.39986.
        let score = modified_z_score(20.0, &[50.0, 50.0, 50.0, 80.0]).unwrap();
        assert!(close(score, -3.19154, 1e-5), "{score}");
        assert_eq!(modified_z_score(20.0, &[50.0; 3]), Some(f64::NEG_INFINITY));
        assert_eq!(modified_z_score(50.0, &[50.0; 3]), Some(0.0));
        assert_eq!(modified_z_score(50.0, &[]), None);
    }

    #[test]
    fn the_article_s_slow_first_write_is_an_outlier() {
        assert!(first_is_outlier(&ARTICLE_WRITES));
        assert!(first_is_outlier(&[23.1, 56.0, 58.0, 60.0]));
    }

    #[test]
    fn a_fall_over_all_rounds_is_no_first_run_effect() {
        assert!(!first_is_outlier(&AQC111_WRITES));
        assert!(!first_is_outlier(&AQC111_OTHER_WRITES));
        assert!(!first_is_outlier(&AQC111_READS));
    }

    #[test]
    fn a_difference_of_no_importance_is_none() {
        assert!(!first_is_outlier(&[96.0, 100.0, 100.0, 100.0, 100.0]));
        assert!(first_is_outlier(&[94.0, 100.0, 100.0, 100.0, 100.0]));
        assert!(first_is_outlier(&[120.0, 100.0, 100.1, 99.9, 100.0]));
    }

    #[test]
    fn both_scores_must_agree() {
        // Others in two groups of ten: s = 10.26, so that 140 is outside of 100 ± 30.1; but the median absolute
        // deviation is 10, which puts the limit of the modified score at 100 ± 51.9.
        let others: Vec<f64> = (0..20).map(|round| if round % 2 == 0 { 90.0 } else { 110.0 }).collect();
        assert!(outside_prediction(140.0, &Description::of(&others).unwrap()));
        assert!(!is_outlier(140.0, &others));
        assert!(is_outlier(153.0, &others));
    }

    #[test]
    fn two_others_are_too_few() {
        assert!(!first_is_outlier(&[1.0, 100.0, 100.0]));
        assert!(!first_is_outlier(&[1.0]));
    }

    #[test]
    fn plain_noise_has_hardly_ever_an_outlier_first() {
        for (rounds, by_score_alone) in [(4, 0.27), (5, 0.15), (8, 0.07), (20, 0.015)] {
            let mut noise = Noise::seeded(7);
            let (mut called, mut scored) = (0, 0);
            for _ in 0..4_000 {
                let rates: Vec<f64> = (0..rounds).map(|_| 100.0 + 10.0 * noise.normal()).collect();
                called += u32::from(first_is_outlier(&rates));
                scored += u32::from(modified_z_score(rates[0], &rates[1..]).unwrap().abs() > SCORE_LIMIT);
            }
            // At most 1 % is meant, 40 of 4000; three standard deviations of the count are 19.
            assert!(called < 60, "{called} of 4000 with {rounds} rounds");
            assert!((f64::from(scored) / 4_000.0 - by_score_alone).abs() < 0.02, "{scored} of 4000");
        }
    }

    proptest! {
        #[test]
        fn neither_the_others_order_nor_the_unit_matters(
            (others, shuffled) in rates(0..12).prop_flat_map(|rates| (Just(rates.clone()), Just(rates).prop_shuffle())),
            first in 1.0_f64..1e12,
        ) {
            let answer = is_outlier(first, &others);
            prop_assert_eq!(answer, is_outlier(first, &shuffled));
            let doubled: Vec<f64> = others.iter().map(|rate| rate * 2.0).collect();
            prop_assert_eq!(answer, is_outlier(first * 2.0, &doubled));
        }

        #[test]
        fn a_first_round_among_the_others_is_none(others in rates(3..12), place in 0.0_f64..1.0) {
            let ends = Description::of(&others).unwrap();
            prop_assert!(!is_outlier(ends.min + place * (ends.max - ends.min), &others));
        }
    }
}
