//! An order in which every number below a limit comes once, made from a seed alone: no table has to be kept, however large
//! the file.
//!
//! Four rounds of a Feistel network over the next power of four, with the numbers beyond the limit walked over (Black and
//! Rogaway, "Ciphers with arbitrary finite domains", 2002). It scatters; it hides nothing.

/// An order of the numbers below a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shuffle {
    limit: u64,
    half_bits: u32,
    seed: u64,
}

impl Shuffle {
    pub(crate) const fn new(limit: u64, seed: u64) -> Self {
        let bits = u64::BITS - limit.saturating_sub(1).leading_zeros();
        let half_bits = if bits < 2 { 1 } else { bits.div_ceil(2) };
        Self { limit, half_bits, seed }
    }

    /// How many numbers there are.
    pub(crate) const fn len(&self) -> u64 {
        self.limit
    }

    /// The number that stands at `place`, which is below the limit.
    pub(crate) fn at(&self, place: u64) -> u64 {
        let mut number = self.scattered(place);
        // At most three of four numbers lie beyond the limit.
        while number >= self.limit {
            number = self.scattered(number);
        }
        number
    }

    fn scattered(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for round in 0..4 {
            (left, right) = (right, left ^ (mix(right ^ self.seed.rotate_left(round * 16)) & mask));
        }
        left << self.half_bits | right
    }
}

/// Steele, Lea and Flood's SplitMix64 finaliser ("Fast splittable pseudorandom number generators", 2014).
pub(crate) const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for limit in [1, 2, 3, 5, 16, 17, 1000, 4096, 10_007] {
            let shuffle = Shuffle::new(limit, 42);
            let mut seen: Vec<u64> = (0..limit).map(|place| shuffle.at(place)).collect();
            let in_order = seen.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
            assert!(limit < 100 || in_order < 10, "{limit}: {in_order} neighbours in order");
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..limit), "{limit}");
        }
    }

    #[test]
    fn another_seed_is_another_order() {
        let order = |seed| (0..1000).map(|place| Shuffle::new(1000, seed).at(place)).collect::<Vec<_>>();
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
    }
}
