//! The bytes that are under way, in memory of a fixed size.

use std::collections::VecDeque;

use tokio::time::Instant;

/// So many deliveries may be outstanding, so that a sender of single bytes does not take more memory for their times than
/// for themselves.
const MOST_DELIVERIES: usize = 4096;

/// Bytes under way: first those that have arrived and wait to be taken, then those with a time of arrival, then room.
#[derive(Debug)]
pub(crate) struct Ring {
    bytes: Box<[u8]>,
    /// Where the first byte is.
    head: usize,
    /// How many bytes there are.
    length: usize,
    /// How many of them have arrived.
    delivered: usize,
    /// How many bytes arrive when; the times never go back.
    deliveries: VecDeque<(usize, Instant)>,
}

impl Ring {
    /// A ring with room for `size` bytes, which is at least 1.
    pub(crate) fn new(size: usize) -> Self {
        let bytes = vec![0; size.max(1)].into_boxed_slice();
        Self { bytes, head: 0, length: 0, delivered: 0, deliveries: VecDeque::new() }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// When the next bytes arrive.
    pub(crate) fn next_delivery(&self) -> Option<Instant> {
        self.deliveries.front().map(|(_, at)| *at)
    }

    /// Counts as arrived what has arrived by now.
    pub(crate) fn deliver(&mut self, now: Instant) {
        while let Some((bytes, at)) = self.deliveries.front()
            && *at <= now
        {
            self.delivered += bytes;
            self.deliveries.pop_front();
        }
    }

    /// Room for the next bytes, at most `most`, and bytes that have arrived: each as far as it lies in one piece.
    pub(crate) fn parts(&mut self, most: usize) -> (&mut [u8], &[u8]) {
        let (size, head) = (self.bytes.len(), self.head);
        let tail = (head + self.length) % size;
        let most = if self.deliveries.len() < MOST_DELIVERIES { most } else { 0 };
        let room = (size - self.length).min(size - tail).min(most);
        let delivered = self.delivered.min(size - head);
        // The room never overlaps the bytes, so one of the two lies wholly before the other.
        if tail > head || self.length == 0 {
            let (before, after) = self.bytes.split_at_mut(tail);
            (&mut after[..room], &before[head.min(tail)..][..delivered])
        } else {
            let (before, after) = self.bytes.split_at_mut(head);
            (&mut before[tail..][..room], &after[..delivered])
        }
    }

    /// Counts bytes that were put into the room, which arrive at `at`.
    pub(crate) fn put(&mut self, bytes: usize, at: Instant) {
        self.length += bytes;
        self.deliveries.push_back((bytes, at));
    }

    /// Forgets bytes that had arrived and were taken.
    pub(crate) fn take(&mut self, bytes: usize) {
        self.head = (self.head + bytes) % self.bytes.len();
        self.length -= bytes;
        self.delivered -= bytes;
        if self.length == 0 {
            // All the room is in one piece then.
            self.head = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn bytes_keep_their_order_around_the_end_and_wait_for_their_time() {
        let mut ring = Ring::new(7);
        let (begin, mut next, mut expected) = (Instant::now(), 0u8, 0u8);
        for step in 0..1000u64 {
            let now = begin + Duration::from_millis(step);
            let (room, _) = ring.parts(usize::try_from(step % 5).unwrap());
            for byte in room.iter_mut() {
                *byte = next;
                next = next.wrapping_add(1);
            }
            if let put @ 1.. = room.len() {
                ring.put(put, now + Duration::from_millis(2));
            }
            ring.deliver(now);
            let (_, delivered) = ring.parts(0);
            let taken = delivered.len().min(usize::try_from(step % 4).unwrap());
            for byte in &delivered[..taken] {
                assert_eq!(*byte, expected);
                expected = expected.wrapping_add(1);
            }
            ring.take(taken);
            assert!(ring.length <= 7);
        }
        assert!(next.wrapping_sub(expected) <= 7, "what went in came out, but for what is under way");
    }

    #[test]
    fn a_full_ring_has_no_room_and_nothing_arrives_early() {
        let mut ring = Ring::new(4);
        let now = Instant::now();
        ring.put(4, now + Duration::from_millis(5));
        ring.deliver(now + Duration::from_millis(4));
        assert_eq!(ring.parts(9), (&mut [][..], &[][..]));
        ring.deliver(now + Duration::from_millis(5));
        assert_eq!(ring.parts(9).1.len(), 4);
    }

    #[test]
    fn single_bytes_do_not_fill_the_memory_with_their_times() {
        let mut ring = Ring::new(100_000);
        for _ in 0..MOST_DELIVERIES {
            ring.put(1, Instant::now());
        }
        assert!(ring.parts(9).0.is_empty());
    }
}
