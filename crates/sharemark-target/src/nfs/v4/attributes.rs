//! The attributes of NFSv4: a bitmap of what is there, and the values in the bitmap's order.

use crate::nfs::protocol::{Attributes, Kind};
use crate::nfs::trouble::Trouble;
use crate::nfs::xdr::{Decoder, Encoder};

const TYPE: u32 = 1;
const SIZE: u32 = 4;
const FILE_SYSTEM: u32 = 8;
const LEASE_SECONDS: u32 = 10;
const LARGEST_READ: u32 = 30;
const LARGEST_WRITE: u32 = 31;
const MODE: u32 = 33;
const SPACE_FREE_TO_USER: u32 = 42;
const SPACE_TOTAL: u32 = 44;

/// What a file or folder is.
pub(super) const OF_FILE: &[u32] = &[TYPE, SIZE, FILE_SYSTEM];
/// What its file system and its server are.
pub(super) const OF_SERVER: &[u32] =
    &[LEASE_SECONDS, LARGEST_READ, LARGEST_WRITE, SPACE_FREE_TO_USER, SPACE_TOTAL];

/// The values that a server gave, of those asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) kind: Option<u32>,
    pub(super) size: Option<u64>,
    pub(super) file_system: Option<(u64, u64)>,
    pub(super) lease_seconds: Option<u32>,
    pub(super) largest_read: Option<u64>,
    pub(super) largest_write: Option<u64>,
    pub(super) space_free: Option<u64>,
    pub(super) space_total: Option<u64>,
}

impl Values {
    /// Reads `fattr4`.
    pub(super) fn read(results: &mut Decoder<'_>) -> Result<Self, Trouble> {
        let bitmap = results.words()?;
        let mut values = Decoder::new(results.opaque()?);
        let mut found = Self::default();
        for (at, word) in bitmap.iter().enumerate() {
            for bit in (0..32).filter(|bit| word & (1 << bit) != 0) {
                let number = u32::try_from(at).unwrap_or(u32::MAX).saturating_mul(32).saturating_add(bit);
                match number {
                    TYPE => found.kind = Some(values.u32()?),
                    SIZE => found.size = Some(values.u64()?),
                    FILE_SYSTEM => found.file_system = Some((values.u64()?, values.u64()?)),
                    LEASE_SECONDS => found.lease_seconds = Some(values.u32()?),
                    LARGEST_READ => found.largest_read = Some(values.u64()?),
                    LARGEST_WRITE => found.largest_write = Some(values.u64()?),
                    SPACE_FREE_TO_USER => found.space_free = Some(values.u64()?),
                    SPACE_TOTAL => found.space_total = Some(values.u64()?),
                    _ => return Err(Trouble::Malformed("fattr4: attrmask")),
                }
            }
        }
        Ok(found)
    }

    /// The values of a file or folder.
    pub(super) fn of_file(self) -> Result<Attributes, Trouble> {
        let (Some(kind), Some(size), Some(file_system)) = (self.kind, self.size, self.file_system) else {
            return Err(Trouble::Malformed("fattr4: attrmask"));
        };
        Ok(Attributes { kind: Kind::from_number(kind), size, file_system })
    }
}

/// Writes the bitmap of `numbers`.
pub(super) fn bitmap(arguments: &mut Encoder, numbers: &[u32]) {
    let mut words = [0; 2];
    for number in numbers {
        words[(number / 32) as usize] |= 1 << (number % 32);
    }
    let used = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
    arguments.words(&words[..used]);
}

/// Writes the `fattr4` of a new file or folder: its mode.
pub(super) fn mode(arguments: &mut Encoder, mode: u32) {
    bitmap(arguments, &[MODE]);
    arguments.opaque(&mode.to_be_bytes());
}

/// Writes the `fattr4` of a file or folder: its type.
pub(super) fn kind(arguments: &mut Encoder, kind: Kind) {
    bitmap(arguments, &[TYPE]);
    arguments.opaque(&kind.number().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_the_bitmaps_order() {
        let mut answer = Encoder::new();
        bitmap(&mut answer, &[TYPE, SIZE, LARGEST_READ, SPACE_TOTAL]);
        let mut values = Encoder::new();
        values.u32(2).u64(4096).u64(1 << 20).u64(7);
        answer.opaque(values.bytes());
        let found = Values::read(&mut Decoder::new(answer.bytes())).unwrap();
        assert_eq!((found.kind, found.size), (Some(2), Some(4096)));
        assert_eq!((found.largest_read, found.space_total), (Some(1 << 20), Some(7)));
        assert_eq!(found.space_free, None);
        assert!(found.of_file().is_err(), "the file system is missing");
    }

    #[test]
    fn what_was_not_asked_for_cannot_be_read() {
        let mut answer = Encoder::new();
        answer.words(&[1]).opaque(&[0; 8]);
        assert!(Values::read(&mut Decoder::new(answer.bytes())).is_err());
    }
}
