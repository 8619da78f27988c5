//! In which order a round takes the targets.

/// The targets, by their index, in the order in which this round (counted from 1) takes them.
///
/// Every two rounds are mirror images (A B, then B A; A B C, then C B A), so that a drift that is steady over both favours
/// nobody. Over a cycle of rounds, as many as there are targets, or twice as many where their number is odd, each target
/// stands in each place equally often and follows directly upon each other equally often, so that nobody is always the
/// one that finds the server's memory as a certain other left it: a design of Williams (*Australian Journal of
/// Scientific Research* A 2, 1949). Which target has which part in it is drawn from the seed.
#[must_use]
pub fn order(round: u32, count: usize, seed: u64) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let parts = drawn(count, seed);
    let row = round.saturating_sub(1) as usize;
    let (pair, mirrored) = (row / 2, row % 2 == 1);
    // The rows of the design are its first row, shifted. With an even count the mirror image of a row is the row shifted
    // by half, so that half of the shifts make all pairs; with an odd count no row is another's mirror image.
    let pairs = if count.is_multiple_of(2) { count / 2 } else { count };
    let shift = pair % pairs;
    let mut order: Vec<usize> =
        zigzag(count).map(|place| parts.get((place + shift) % count).copied().unwrap_or(place)).collect();
    if mirrored {
        order.reverse();
    }
    order
}

/// The first row: 0, 1, n − 1, 2, n − 2, …, whose neighbours differ by every number once.
fn zigzag(count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |place| if place % 2 == 1 { place.div_ceil(2) } else { (count - place / 2) % count })
}

/// The targets in a random order (Fisher and Yates), from SplitMix64.
fn drawn(count: usize, seed: u64) -> Vec<usize> {
    let mut parts: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for last in (1..count).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        // The rest of a division by so small a number is as good as uniform.
        let other = usize::try_from(bits % (last as u64 + 1)).unwrap_or(last);
        parts.swap(last, other);
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// How many rounds make a cycle.
    fn cycle(count: usize) -> u32 {
        u32::try_from(if count.is_multiple_of(2) { count } else { 2 * count }).unwrap()
    }

    #[test]
    fn two_targets_take_turns_and_the_seed_says_who_begins() {
        let orders = |seed| (1..=4).map(|round| order(round, 2, seed)).collect::<Vec<_>>();
        let (ab, ba) = (vec![0, 1], vec![1, 0]);
        let one = vec![ab.clone(), ba.clone(), ab.clone(), ba.clone()];
        let other = vec![ba.clone(), ab.clone(), ba, ab];
        let mut begun = [0, 0];
        for seed in 0..200 {
            let found = orders(seed);
            assert!(found == one || found == other, "{found:?}");
            begun[found[0][0]] += 1;
        }
        assert!(begun.iter().all(|count| *count > 60), "{begun:?}");
    }

    #[test]
    fn every_round_takes_every_target_once() {
        for count in 0..9 {
            for round in 1..40 {
                let mut taken = order(round, count, 7);
                taken.sort_unstable();
                assert_eq!(taken, (0..count).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn over_a_cycle_places_and_neighbours_are_balanced() {
        for count in 1..9 {
            for seed in 0..20 {
                let rounds = cycle(count);
                let (mut places, mut followers) = (BTreeMap::new(), BTreeMap::new());
                // A cycle may begin anywhere.
                for round in
                    1 + u32::try_from(seed).unwrap() * rounds..=(u32::try_from(seed).unwrap() + 1) * rounds
                {
                    let order = order(round, count, seed);
                    for (place, target) in order.iter().enumerate() {
                        *places.entry((place, *target)).or_insert(0_u32) += 1;
                    }
                    for two in order.windows(2) {
                        *followers.entry((two[0], two[1])).or_insert(0_u32) += 1;
                    }
                }
                let each = rounds / u32::try_from(count).unwrap();
                assert_eq!(places.len(), count * count);
                assert!(places.values().all(|times| *times == each), "{count}: {places:?}");
                assert_eq!(followers.len(), count * (count - 1));
                assert!(followers.values().all(|times| *times == each), "{count}: {followers:?}");
            }
        }
    }

    #[test]
    fn every_two_rounds_are_mirror_images() {
        for count in 1..9 {
            for pair in 0..10 {
                let mut second = order(2 * pair + 2, count, 3);
                second.reverse();
                assert_eq!(order(2 * pair + 1, count, 3), second);
            }
        }
    }
}
