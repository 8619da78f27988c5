//! Memory that requests past the cache accept.

use std::io;

use crate::ALIGNMENT;

/// A block of memory whose address and length are multiples of [`ALIGNMENT`].
#[derive(Debug)]
pub struct AlignedBuffer {
    /// Longer than asked by less than two alignments, so that an aligned window of it can be lent.
    memory: Vec<u8>,
    start: usize,
    capacity: usize,
}

impl AlignedBuffer {
    /// A zeroed buffer for blocks of `length` bytes; its capacity is `length` rounded up to the alignment. Every page is
    /// written once here, so that no page fault falls into a measured operation.
    ///
    /// # Errors
    /// When this machine has no room for it.
    pub fn new(length: usize) -> io::Result<Self> {
        let no_room = || io::Error::from(io::ErrorKind::OutOfMemory);
        let capacity = length.checked_next_multiple_of(ALIGNMENT).ok_or_else(no_room)?;
        let whole = capacity.checked_add(ALIGNMENT).ok_or_else(no_room)?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(whole).map_err(|_| no_room())?;
        memory.resize(whole, 0u8);
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        Ok(Self { memory, start, capacity })
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.capacity]
    }

    /// The bytes, to be changed.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.capacity]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_and_length_are_aligned() {
        for length in [1, 4095, 4096, 4097, 1 << 20] {
            let mut buffer = AlignedBuffer::new(length).unwrap();
            assert_eq!(buffer.bytes().as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(buffer.bytes().len() % ALIGNMENT, 0);
            assert!(buffer.bytes_mut().len() >= length);
        }
    }

    #[test]
    fn what_no_machine_has_room_for_is_refused() {
        for length in [usize::MAX, usize::MAX - 10_000, usize::MAX / 2] {
            assert_eq!(AlignedBuffer::new(length).unwrap_err().kind(), io::ErrorKind::OutOfMemory);
        }
    }
}
