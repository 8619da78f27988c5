//! Memory that requests past the cache accept.

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
    #[must_use]
    pub fn new(length: usize) -> Self {
        let capacity = length.next_multiple_of(ALIGNMENT);
        // Zeroed memory from the allocator may be pages not yet backed; filling with a value and then zeroing it would
        // be optimised to the same. A write of one byte a page backs it.
        let mut memory = vec![0u8; capacity + ALIGNMENT];
        for page in memory.chunks_mut(ALIGNMENT) {
            page[0] = std::hint::black_box(0);
        }
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        Self { memory, start, capacity }
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
            let mut buffer = AlignedBuffer::new(length);
            assert_eq!(buffer.bytes().as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(buffer.bytes().len() % ALIGNMENT, 0);
            assert!(buffer.bytes_mut().len() >= length);
        }
    }
}
