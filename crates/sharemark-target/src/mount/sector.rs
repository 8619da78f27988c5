//! The arithmetic of requests past the cache on Windows, told apart from the system so that all of it is tested on
//! every system.
//!
//! `FILE_FLAG_NO_BUFFERING` wants offsets and lengths that are multiples of the volume's sector, and buffers aligned to
//! the sector as the disk keeps it; see "File Buffering" in Microsoft's documentation. Buffers are aligned to
//! [`crate::ALIGNMENT`] whatever the sector: no driver in use asks more of an address, and one that does refuses the
//! request, which then goes through the cache and is called so.

use sharemark_model::Bytes;

/// What offsets and lengths past the cache are multiples of, in bytes; a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sector(u32);

impl Sector {
    /// No volume has smaller ones, so that a block which is no multiple of it goes past no cache.
    pub(super) const SMALLEST: Self = Self(512);

    /// For a volume that does not tell. Every sector in use divides it.
    pub(super) const ASSUMED: Self = Self(4096);

    /// More than this is no sector: disks have 512 or 4096 bytes, some file systems take up to 64 KiB for theirs.
    const LARGEST: u32 = 1 << 20;

    /// The sector of a volume, from what each way to ask it answered, the best first.
    ///
    /// What is no power of two, or not between 512 bytes and 1 MiB, is no answer: network redirectors are known to leave
    /// such numbers out or at zero.
    pub(super) fn from_told(told: impl IntoIterator<Item = Option<u32>>) -> Self {
        let plausible =
            |bytes: &u32| bytes.is_power_of_two() && (Self::SMALLEST.0..=Self::LARGEST).contains(bytes);
        told.into_iter().flatten().find(plausible).map_or(Self::ASSUMED, Self)
    }

    /// The sector in bytes, as a unit of lengths in memory.
    pub(super) const fn unit(self) -> usize {
        // Windows runs on no machine whose addresses are shorter.
        self.0 as usize
    }

    /// Whether every request of blocks of this size at multiples of it is a whole number of sectors.
    pub(super) fn fits(self, block: Bytes) -> bool {
        self.begins_at(block.0)
    }

    /// Whether a request past the cache can begin at this offset.
    pub(super) fn begins_at(self, offset: u64) -> bool {
        offset.is_multiple_of(u64::from(self.0))
    }

    /// How many of `length` bytes, from the first on, are whole sectors.
    pub(super) const fn whole(self, length: usize) -> usize {
        length / self.unit() * self.unit()
    }

    /// How long a request past the cache is that reads at least `length` bytes into a buffer with `room` for more; `None`
    /// when the buffer has no room for whole sectors.
    pub(super) fn read_length(self, length: usize, room: usize) -> Option<usize> {
        length.checked_next_multiple_of(self.unit()).filter(|whole| *whole <= room)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{ALIGNMENT, AlignedBuffer};

    fn sector(bytes: u32) -> Sector {
        Sector::from_told([Some(bytes)])
    }

    #[test]
    fn blocks_go_past_the_cache_by_the_sector_that_the_volume_has() {
        for (bytes, block, fits) in [
            (512, 512, true),
            (512, 1536, true),
            (512, 4096, true),
            (512, 1000, false),
            (512, 256, false),
            (4096, 512, false),
            (4096, 4096, true),
            (4096, 6144, false),
            (4096, 1 << 20, true),
            (65_536, 4096, false),
            (65_536, 1 << 20, true),
        ] {
            assert_eq!(sector(bytes).fits(Bytes(block)), fits, "{bytes} {block}");
        }
    }

    #[test]
    fn the_best_answer_that_can_be_true_counts() {
        for (told, unit) in [
            ([Some(512), Some(4096)], 512),
            ([Some(4096), Some(512)], 4096),
            ([None, Some(512)], 512),
            ([Some(0), Some(8192)], 8192),
            ([None, None], ALIGNMENT),
            ([Some(0), Some(0)], ALIGNMENT),
            ([Some(1), Some(1000)], ALIGNMENT),
            ([Some(1 << 21), None], ALIGNMENT),
        ] {
            assert_eq!(Sector::from_told(told).unit(), unit, "{told:?}");
        }
        assert_eq!(Sector::ASSUMED.unit(), ALIGNMENT);
    }

    #[test]
    fn the_last_read_is_rounded_up_where_the_buffer_has_room() {
        for (bytes, length, room, read) in [
            (512, 1000, 4096, Some(1024)),
            (512, 512, 512, Some(512)),
            (4096, 1000, 4096, Some(4096)),
            (4096, 4097, 8192, Some(8192)),
            (4096, 4097, 8191, None),
            (8192, 5000, 8192, Some(8192)),
            // A buffer for blocks of 4096 bytes has no room for one of these sectors.
            (8192, 4096, 4096, None),
            (512, usize::MAX, usize::MAX, None),
        ] {
            assert_eq!(sector(bytes).read_length(length, room), read, "{bytes} {length} {room}");
        }
    }

    #[test]
    fn buffers_have_room_for_every_read_of_blocks_that_fit() {
        for bytes in [512, 4096, 8192, 65_536] {
            for blocks in 1..4 {
                let block = blocks * bytes as usize;
                let buffer = AlignedBuffer::new(block).unwrap();
                for length in [1, block / 2, block - 1, block] {
                    assert!(sector(bytes).read_length(length, buffer.bytes().len()).is_some());
                }
            }
        }
    }

    proptest! {
        #[test]
        fn nothing_but_whole_sectors_goes_past_the_cache(
            power in 9u32..=20, length in 0usize..1 << 24, more in 0usize..1 << 21, offset in 0u64..1 << 40,
        ) {
            let sector = sector(1 << power);
            let unit = sector.unit();
            let whole = sector.whole(length);
            prop_assert!(whole.is_multiple_of(unit) && whole <= length && length - whole < unit);
            match sector.read_length(length, length + more) {
                Some(read) => {
                    prop_assert!(read.is_multiple_of(unit) && read >= length && read - length < unit);
                    prop_assert!(read <= length + more);
                }
                None => prop_assert!(length + more < length.next_multiple_of(unit)),
            }
            prop_assert_eq!(sector.begins_at(offset), offset % unit as u64 == 0);
            // What fits a sector fits every smaller one.
            prop_assert!(!sector.fits(Bytes(offset)) || Sector::SMALLEST.fits(Bytes(offset)));
        }
    }
}
