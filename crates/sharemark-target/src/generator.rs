//! The bytes that are written, and the check that they were read back.
//!
//! Every 4 KiB of a file is its own pseudo-random stream, seeded by the file's seed and the chunk's place. So any part
//! can be made again from its offset alone, no two chunks are alike (nothing to compress, nothing to find twice), and
//! a chunk that comes back from the wrong place is noticed. The stream is four interleaved xoshiro256+ generators
//! (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), which compilers turn into vector
//! code: several GB/s on one core, so that the data are not what is measured.

use std::time::{Duration, Instant};

use sharemark_model::{Bytes, DataKind, Nanoseconds, Rate};

use crate::AlignedBuffer;

/// The bytes that share one seed.
pub const CHUNK: usize = 4096;

const LANES: usize = 4;
const WORD: usize = size_of::<u64>();

/// Makes and checks the bytes of one file.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    kind: DataKind,
    seed: u64,
}

impl Generator {
    /// The generator of a file's bytes.
    #[must_use]
    pub const fn new(kind: DataKind, seed: u64) -> Self {
        Self { kind, seed }
    }

    /// Fills `block` with the bytes that stand at `offset` of the file.
    pub fn fill(&self, block: &mut [u8], offset: u64) {
        if self.kind == DataKind::Zeros {
            block.fill(0);
            return;
        }
        let mut rest = block;
        let mut at = offset;
        let mut scratch = [0u8; CHUNK];
        while !rest.is_empty() {
            let (chunk, skip) = place(at);
            let length = (CHUNK - skip).min(rest.len());
            let (part, after) = rest.split_at_mut(length);
            if let Ok(whole) = <&mut [u8; CHUNK]>::try_from(&mut *part) {
                self.chunk(chunk, whole);
            } else {
                self.chunk(chunk, &mut scratch);
                part.copy_from_slice(&scratch[skip..skip + length]);
            }
            rest = after;
            at += length as u64;
        }
    }

    /// The offset in the file of the first byte of `block` that is not what stands there, if any.
    ///
    /// # Errors
    /// When a byte differs: its offset in the file.
    pub fn check(&self, block: &[u8], offset: u64) -> Result<(), Bytes> {
        let mut expected = [0u8; CHUNK];
        let mut rest = block;
        let mut at = offset;
        while !rest.is_empty() {
            let (chunk, skip) = place(at);
            let length = (CHUNK - skip).min(rest.len());
            let (part, after) = rest.split_at(length);
            if self.kind != DataKind::Zeros {
                self.chunk(chunk, &mut expected);
            }
            let wanted = &expected[skip..skip + length];
            if part != wanted {
                let first = part.iter().zip(wanted).position(|(a, b)| a != b).unwrap_or_default();
                return Err(Bytes(at + first as u64));
            }
            rest = after;
            at += length as u64;
        }
        Ok(())
    }

    /// How fast this machine makes blocks of `length` bytes, as now measured on `buffer` for some milliseconds.
    #[must_use]
    pub fn fill_ceiling(&self, buffer: &mut AlignedBuffer, length: usize) -> Rate {
        let block = measured_part(buffer, length);
        repeat(block.len(), |round| self.fill(block, round))
    }

    /// How fast this machine checks blocks of `length` bytes, as now measured on `buffer` for some milliseconds.
    #[must_use]
    pub fn check_ceiling(&self, buffer: &mut AlignedBuffer, length: usize) -> Rate {
        let block = measured_part(buffer, length);
        self.fill(block, 0);
        repeat(block.len(), |_| {
            std::hint::black_box(self.check(std::hint::black_box(block), 0)).ok();
        })
    }

    fn chunk(&self, index: u64, out: &mut [u8; CHUNK]) {
        let random = match self.kind {
            DataKind::Random => CHUNK,
            DataKind::Zeros => 0,
            // Kept a multiple of the generator's step, so that the rounding is at most 1 %.
            DataKind::Compressible(percent) => {
                (CHUNK * usize::from(100 - percent.min(99)) / 100).next_multiple_of(LANES * WORD)
            }
        };
        let (head, tail) = out.split_at_mut(random);
        stream(self.seed, index, head);
        tail.fill(0);
    }
}

/// Which chunk an offset lies in, and where in it.
fn place(offset: u64) -> (u64, usize) {
    let chunk = CHUNK as u64;
    #[expect(clippy::cast_possible_truncation, reason = "below CHUNK")]
    let skip = (offset % chunk) as usize;
    (offset / chunk, skip)
}

/// Fills `out`, a multiple of 32 bytes, with the chunk's stream. Compiled twice, since a program for every x86-64 may not
/// count on the registers that hold all lanes at once: making and checking cost processor time beside every transfer.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn stream(seed: u64, index: u64, out: &mut [u8]) {
    let mut mix = seed ^ index.wrapping_mul(0xd134_2543_de82_ef95);
    let mut state = [[0u64; LANES]; 4];
    for word in &mut state {
        for lane in word.iter_mut() {
            *lane = split_mix(&mut mix);
        }
    }
    let [mut a, mut b, mut c, mut d] = state;
    for step in out.chunks_exact_mut(LANES * WORD) {
        for lane in 0..LANES {
            let value = a[lane].wrapping_add(d[lane]);
            step[lane * WORD..(lane + 1) * WORD].copy_from_slice(&value.to_le_bytes());
            let shifted = b[lane] << 17;
            c[lane] ^= a[lane];
            d[lane] ^= b[lane];
            b[lane] ^= c[lane];
            a[lane] ^= d[lane];
            c[lane] ^= shifted;
            d[lane] = d[lane].rotate_left(45);
        }
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014: the seeding xoshiro's authors advise.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The seed of one file of a run: as far from its neighbours as any two.
#[must_use]
pub fn file_seed(run: u64, number: u64) -> u64 {
    let mut state = run.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    split_mix(&mut state)
}

/// The part of a block that a ceiling is measured on: enough to leave the processor's caches as a whole block would.
fn measured_part(buffer: &mut AlignedBuffer, length: usize) -> &mut [u8] {
    const ENOUGH: usize = 8 << 20;
    let length = length.clamp(1, ENOUGH).min(buffer.bytes().len());
    &mut buffer.bytes_mut()[..length]
}

/// The best of several passes: whatever else the machine does can only make a pass slower, and a ceiling is what it can
/// do.
fn repeat(length: usize, mut once: impl FnMut(u64)) -> Rate {
    const ENOUGH: Duration = Duration::from_millis(8);
    const PASSES: u32 = 4;
    // The first pass warms the caches of the processor as the measured loop will.
    once(0);
    let begun = Instant::now();
    let mut best = Nanoseconds(u64::MAX);
    let mut pass = 0;
    while pass < PASSES || begun.elapsed() < ENOUGH {
        pass += 1;
        let start = Instant::now();
        once(u64::from(pass) * length as u64);
        best = best.min(start.elapsed().into());
    }
    Bytes(length as u64).per(best)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn bytes(kind: DataKind, seed: u64, offset: u64, length: usize) -> Vec<u8> {
        let mut block = vec![0xaa; length];
        Generator::new(kind, seed).fill(&mut block, offset);
        block
    }

    #[test]
    fn every_chunk_is_its_own() {
        let data = bytes(DataKind::Random, 7, 0, 4 << 20);
        let chunks: HashSet<&[u8]> = data.chunks(CHUNK).collect();
        assert_eq!(chunks.len(), 1024);
        let other = bytes(DataKind::Random, 8, 0, 4 << 20);
        assert!(other.chunks(CHUNK).all(|chunk| !chunks.contains(chunk)));
    }

    #[test]
    fn random_bytes_are_even() {
        // The chi-squared statistic of 256 equal cells over 1 MiB: 255 degrees of freedom, 99.99 % below 346.
        let data = bytes(DataKind::Random, 1, 0, 1 << 20);
        let mut cells = [0f64; 256];
        for byte in &data {
            cells[usize::from(*byte)] += 1.0;
        }
        let expected = 4096.0;
        let chi: f64 = cells.iter().map(|count| (count - expected).powi(2) / expected).sum();
        assert!(chi < 346.0, "{chi}");
    }

    #[test]
    fn compressible_keeps_its_share_and_stays_unique() {
        for percent in [1u8, 25, 50, 75, 99] {
            let data = bytes(DataKind::Compressible(percent), 3, 0, 1 << 20);
            let random = data.chunks(CHUNK).map(|c| c.iter().rposition(|b| *b != 0).map_or(0, |p| p + 1));
            let share = 100 - random.sum::<usize>() * 100 / data.len();
            assert!(share.abs_diff(usize::from(percent)) <= 1, "{percent}: {share}");
            assert_eq!(data.chunks(CHUNK).collect::<HashSet<_>>().len(), 256);
        }
    }

    #[test]
    fn a_changed_byte_is_found_where_it_is() {
        let generator = Generator::new(DataKind::Random, 5);
        let mut block = bytes(DataKind::Random, 5, 8192, 20_000);
        assert_eq!(generator.check(&block, 8192), Ok(()));
        block[12_345] ^= 1;
        assert_eq!(generator.check(&block, 8192), Err(Bytes(8192 + 12_345)));
    }

    proptest! {
        #[test]
        fn any_part_can_be_made_alone(seed in any::<u64>(), offset in 0u64..20_000, length in 1usize..9000) {
            for kind in [DataKind::Random, DataKind::Compressible(40), DataKind::Zeros] {
                let whole = bytes(kind, seed, 0, 30_000);
                let start = usize::try_from(offset).unwrap();
                prop_assert_eq!(&bytes(kind, seed, offset, length)[..], &whole[start..start + length]);
                prop_assert_eq!(Generator::new(kind, seed).check(&whole[start..start + length], offset), Ok(()));
            }
        }
    }
}
