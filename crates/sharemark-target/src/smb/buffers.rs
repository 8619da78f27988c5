//! Buffers that are used again. There are as many as were in use at once, each as long as the longest message it held.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Buffers that nobody uses.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    spare: Mutex<Vec<Vec<u8>>>,
}

impl Buffers {
    /// A buffer of this length, whose bytes are left from before. The one used last comes first, while it is in the
    /// processor's cache.
    pub(super) fn borrow(&self, length: usize) -> Buffer<'_> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut bytes = spare.unwrap_or_default();
        if bytes.len() < length {
            bytes.resize(length, 0);
        }
        Buffer { bytes, length, home: self }
    }
}

/// A buffer in use, which goes back when it is dropped.
#[derive(Debug)]
pub(super) struct Buffer<'a> {
    /// At least `length`: cut to it, the rest would have to be filled again.
    bytes: Vec<u8>,
    length: usize,
    home: &'a Buffers,
}

impl Deref for Buffer<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl DerefMut for Buffer<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.length]
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.home.spare.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_were_in_use_at_once() {
        let buffers = Buffers::default();
        let count = || buffers.spare.lock().unwrap().len();
        for length in [3, 1 << 20, 0, 5] {
            let mut one = buffers.borrow(length);
            assert_eq!(one.len(), length);
            one.fill(7);
        }
        assert_eq!(count(), 1);
        let address = buffers.borrow(1 << 20).as_ptr();
        assert_eq!(buffers.borrow(9).as_ptr(), address, "no fresh memory");
        drop([buffers.borrow(1), buffers.borrow(2), buffers.borrow(3)]);
        assert_eq!(count(), 3);
    }
}
