//! A ratio of rates with its interval, and what it means.

use sharemark_model::{Answer, Comparison, Workload};

use crate::mean::{Description, t_quantile, t_quantile_between};

/// The upper end of a two-sided 95 % interval.
const PROBABILITY: f64 = 0.975;

/// Beyond this a ratio would leave the numbers that JSON can hold. No two rates differ so much; the interval of two rounds
/// that disagree wildly may.
const LARGEST_LOG: f64 = 700.0;

/// A ratio, as logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    log: f64,
    /// Half the width of the 95 % interval; `None` without one.
    half: Option<f64>,
    n: usize,
}

impl Ratio {
    /// The mean of the pairs' log-ratios, ± t · s / √n; `None` without a pair.
    ///
    /// Pairs that agree to the last digit give an interval without width. It is taken at its word: times are measured in
    /// nanoseconds, so no two real rounds agree like that by chance.
    pub(super) fn paired(logs: &[f64]) -> Option<Self> {
        let logs = Description::of(logs)?;
        let half = |stddev: f64| Some(t_quantile(logs.n - 1, PROBABILITY)? * stddev / (logs.n as f64).sqrt());
        Some(Self { log: logs.mean, half: logs.stddev.and_then(half), n: logs.n })
    }

    /// The difference of the means of two sets of log-rates that were not measured in turn, by Welch's interval, which
    /// takes neither an equal number of rounds nor equal noise for granted (Welch, *Biometrika* 34, 1947; NIST/SEMATECH
    /// e-Handbook, section 7.3.1): ± t · √(s₁²/n₁ + s₂²/n₂), with t for the degrees of freedom that Welch and
    /// Satterthwaite give. `None` when one of them is empty.
    pub(super) fn unpaired(a: &[f64], b: &[f64]) -> Option<Self> {
        let (a, b) = (Description::of(a)?, Description::of(b)?);
        let half = a.stddev.zip(b.stddev).and_then(|(of_a, of_b)| {
            let (of_a, of_b) = (of_a.powi(2) / a.n as f64, of_b.powi(2) / b.n as f64);
            let both = of_a + of_b;
            if both == 0.0 {
                return Some(0.0);
            }
            let (share_a, share_b) = (of_a / both, of_b / both);
            let freedom = 1.0 / (share_a.powi(2) / (a.n as f64 - 1.0) + share_b.powi(2) / (b.n as f64 - 1.0));
            Some(t_quantile_between(freedom, PROBABILITY)? * both.sqrt())
        });
        Some(Self { log: a.mean - b.mean, half, n: a.n.min(b.n) })
    }

    /// Three answers that an interval can give, and the word for when it gives none.
    ///
    /// The same: the whole interval lies within the margin (two one-sided tests; Schuirmann, *Journal of Pharmacokinetics
    /// and Biopharmaceutics* 15, 1987). Faster, or slower: the whole interval lies outside of it, on one side. So a
    /// ratio is called faster only when it is faster by more than what is called the same, and two equal paths are
    /// not called faster or slower in one of twenty runs, as a test against a ratio of 1 would.
    fn answer(self) -> Answer {
        let margin = Comparison::MARGIN.ln_1p();
        let Some(half) = self.half else { return Answer::Inconclusive };
        let (low, high) = (self.log - half, self.log + half);
        if low > margin {
            Answer::Faster
        } else if high < -margin {
            Answer::Slower
        } else if -margin <= low && high <= margin {
            Answer::Same
        } else {
            Answer::Inconclusive
        }
    }

    /// The comparison that it is, not paired and with every round.
    pub(super) fn comparison(self, workload: Workload, a: &str, b: &str) -> Comparison {
        let ratio = |log: f64| log.clamp(-LARGEST_LOG, LARGEST_LOG).exp();
        Comparison {
            workload,
            a: a.to_owned(),
            b: b.to_owned(),
            ratio: ratio(self.log),
            ci95: self.half.map(|half| [ratio(self.log - half), ratio(self.log + half)]),
            answer: self.answer(),
            n: u32::try_from(self.n).unwrap_or(u32::MAX),
            paired: false,
            without_first: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::close;

    fn ln(rates: &[f64]) -> Vec<f64> {
        rates.iter().map(|rate| rate.ln()).collect()
    }

    fn shown(ratio: Ratio) -> Comparison {
        ratio.comparison(Workload::SEQ_WRITE, "a", "b")
    }

    #[test]
    fn a_paired_interval_is_the_one_worked_out_by_hand() {
        // ln of 1.1, 1.2, 1.3: 0.095310, 0.182322, 0.262364; mean 0.179999, s 0.083551; 4.30265 · s / √3 = 0.207555.
        let comparison = shown(Ratio::paired(&ln(&[1.1, 1.2, 1.3])).unwrap());
        assert!(close(comparison.ratio, 1.197_216, 1e-5), "{comparison:?}");
        let [low, high] = comparison.ci95.unwrap();
        assert!(close(low, 0.972_820, 1e-4) && close(high, 1.473_371, 1e-4), "{comparison:?}");
        assert_eq!((comparison.answer, comparison.n), (Answer::Inconclusive, 3));
    }

    #[test]
    fn welch_s_interval_is_the_one_worked_out_by_hand() {
        // Means 3 and 6.5; variances 2.5 and 5/3, over their counts 0.5 and 0.416667; together 0.916667. Freedom
        // 0.840278 / (0.25/4 + 0.173611/3) = 6.9808, whose t is 2.3660 (2.3646 at 7, 2.4469 at 6): 3.5 ± 2.2652.
        let ratio = Ratio::unpaired(&[1.0, 2.0, 3.0, 4.0, 5.0], &[5.0, 6.0, 7.0, 8.0]).unwrap();
        assert_eq!((ratio.log, ratio.n), (-3.5, 4));
        assert!(close(ratio.half.unwrap(), 2.2652, 1e-4), "{ratio:?}");
    }

    #[test]
    fn welch_s_freedom_lies_between_the_smaller_and_the_sum() {
        // Noise on one side only: the freedom is that side's.
        let quiet = [2.0; 9];
        let noisy = [1.0, 2.0, 4.0];
        let one = Ratio::unpaired(&noisy, &quiet).unwrap();
        assert!(close(one.half.unwrap(), Ratio::paired(&noisy).unwrap().half.unwrap(), 1e-12));
        // As much of both: freedom 2 (n − 1).
        let both = Ratio::unpaired(&noisy, &noisy).unwrap();
        let stddev = (Description::of(&noisy).unwrap().stddev.unwrap().powi(2) * 2.0 / 3.0).sqrt();
        assert!(close(both.half.unwrap(), 2.776_445 * stddev, 1e-6));
    }

    #[test]
    fn answers_change_where_the_interval_crosses_the_margin() {
        let ratio =
            |low: f64, high: f64| Ratio { log: (low + high) / 2.0, half: Some((high - low) / 2.0), n: 5 };
        let margin = 1.03_f64.ln();
        for (low, high, answer) in [
            (margin * 1.001, 0.3, Answer::Faster),
            (margin * 0.999, 0.3, Answer::Inconclusive),
            (-0.3, -margin * 1.001, Answer::Slower),
            (-0.3, -margin * 0.999, Answer::Inconclusive),
            (-margin * 0.999, margin * 0.999, Answer::Same),
            (-margin * 1.001, 0.0, Answer::Inconclusive),
            (0.01, 0.02, Answer::Same),
            (-5.0, 5.0, Answer::Inconclusive),
        ] {
            assert_eq!(ratio(low, high).answer(), answer, "{low} to {high}");
        }
    }

    #[test]
    fn one_round_has_a_ratio_and_no_answer() {
        let comparison = shown(Ratio::paired(&ln(&[7.0])).unwrap());
        assert!(close(comparison.ratio, 7.0, 1e-12));
        assert_eq!((comparison.ci95, comparison.answer), (None, Answer::Inconclusive));
        let comparison = shown(Ratio::unpaired(&ln(&[7.0]), &ln(&[1.0, 1.0])).unwrap());
        assert_eq!((comparison.ci95, comparison.answer), (None, Answer::Inconclusive));
        assert_eq!((Ratio::paired(&[]), Ratio::unpaired(&[], &[1.0])), (None, None));
    }

    #[test]
    fn what_agrees_to_the_last_digit_is_taken_at_its_word() {
        assert_eq!(shown(Ratio::paired(&ln(&[1.0, 1.0])).unwrap()).answer, Answer::Same);
        let twice = shown(Ratio::unpaired(&ln(&[2.0, 2.0]), &ln(&[1.0, 1.0])).unwrap());
        assert_eq!((twice.answer, twice.ci95.map(|[low, high]| low == high)), (Answer::Faster, Some(true)));
    }

    #[test]
    fn an_interval_without_measure_stays_a_number() {
        // Twelve powers of ten apart, and the other way round in the other round.
        let comparison = shown(Ratio::paired(&[300.0, -300.0]).unwrap());
        let [low, high] = comparison.ci95.unwrap();
        assert!(low > 0.0 && high.is_finite(), "{comparison:?}");
        assert_eq!(comparison.answer, Answer::Inconclusive);
    }
}
