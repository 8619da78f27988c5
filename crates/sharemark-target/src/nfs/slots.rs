//! The slots of an NFSv4.1 session (RFC 8881, 2.10.6): as many requests as the server allows at once.

use std::sync::{Condvar, Mutex, PoisonError};

use super::rpc::lock;

/// The right to have one request under way.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) id: u32,
    /// The number of the request to send in it.
    pub(super) sequence: u32,
}

/// The slots not in use.
#[derive(Debug)]
pub(super) struct Slots {
    free: Mutex<Vec<Slot>>,
    freed: Condvar,
    pub(super) count: u32,
}

impl Slots {
    pub(super) fn new(count: u32) -> Self {
        // The lowest numbers are taken first.
        let free = (0..count).rev().map(|id| Slot { id, sequence: 1 }).collect();
        Self { free: Mutex::new(free), freed: Condvar::new(), count }
    }

    /// A free slot; without `wait`, `None` when there is none.
    pub(super) fn take(&self, wait: bool) -> Option<Slot> {
        let mut free = lock(&self.free);
        loop {
            if let Some(slot) = free.pop() {
                return Some(slot);
            }
            if !wait {
                return None;
            }
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives a slot back; `used` when the server executed the request in it.
    pub(super) fn give_back(&self, mut slot: Slot, used: bool) {
        slot.sequence = slot.sequence.wrapping_add(u32::from(used));
        lock(&self.free).push(slot);
        self.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_counts_what_the_server_executed() {
        let slots = Slots::new(2);
        let (first, second) = (slots.take(true).unwrap(), slots.take(true).unwrap());
        assert_eq!((first.id, second.id), (0, 1));
        assert!(slots.take(false).is_none());
        slots.give_back(second, true);
        slots.give_back(first, false);
        let again = slots.take(true).unwrap();
        assert_eq!((again.id, again.sequence), (0, 1));
        assert_eq!(slots.take(true).unwrap().sequence, 2);
    }
}
