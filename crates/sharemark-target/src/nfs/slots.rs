//! The slots of an NFSv4.1 session (RFC 8881, 2.10.6): as many requests as the server allows at once.

use std::sync::{Condvar, Mutex, PoisonError};

use sharemark_model::FailureCode;

use super::rpc::lock;
use super::trouble::Trouble;

/// The right to have one request under way.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) id: u32,
    /// The number of the request to send in it.
    pub(super) sequence: u32,
}

/// What is known of the request that a slot was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The server has counted it.
    Executed,
    /// The server has not counted it, and never will.
    NotExecuted,
    /// Its answer was lost, or says nothing that can be believed.
    Unknown,
}

/// The slots not in use.
#[derive(Debug)]
pub(super) struct Slots {
    left: Mutex<Left>,
    freed: Condvar,
    pub(super) count: u32,
}

#[derive(Debug)]
struct Left {
    free: Vec<Slot>,
    /// Those that are free or in use, and not retired.
    usable: u32,
}

impl Slots {
    pub(super) fn new(count: u32) -> Self {
        // The lowest numbers are taken first.
        let free = (0..count).rev().map(|id| Slot { id, sequence: 1 }).collect();
        Self { left: Mutex::new(Left { free, usable: count }), freed: Condvar::new(), count }
    }

    /// A free slot; without `wait`, `None` when there is none.
    ///
    /// # Errors
    /// When all are retired, so that there will never be one.
    pub(super) fn take(&self, wait: bool) -> Result<Option<Slot>, Trouble> {
        let mut left = lock(&self.left);
        loop {
            if let Some(slot) = left.free.pop() {
                return Ok(Some(slot));
            }
            if left.usable == 0 {
                let text = "SEQUENCE: the answer of every slot is lost";
                return Err(Trouble::Refused(FailureCode::ServerGone, text.into()));
            }
            if !wait {
                return Ok(None);
            }
            left = self.freed.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives a slot back. It is retired where the outcome is unknown: under the same number a new request could be given
    /// the old one's answer, and under the next the server could see a gap.
    pub(super) fn give_back(&self, mut slot: Slot, outcome: Outcome) {
        let mut left = lock(&self.left);
        if outcome == Outcome::Unknown {
            left.usable -= 1;
            if left.usable == 0 {
                self.freed.notify_all();
            }
            return;
        }
        slot.sequence = slot.sequence.wrapping_add(u32::from(outcome == Outcome::Executed));
        left.free.push(slot);
        self.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::nfs::script::NO_HANG;

    fn taken(slots: &Slots) -> Slot {
        slots.take(true).unwrap().unwrap()
    }

    #[test]
    fn a_slot_counts_what_the_server_executed() {
        let slots = Slots::new(2);
        let (first, second) = (taken(&slots), taken(&slots));
        assert_eq!((first.id, second.id), (0, 1));
        assert!(slots.take(false).unwrap().is_none());
        slots.give_back(second, Outcome::Executed);
        slots.give_back(first, Outcome::NotExecuted);
        let again = taken(&slots);
        assert_eq!((again.id, again.sequence), (0, 1));
        assert_eq!(taken(&slots).sequence, 2);
    }

    #[test]
    fn a_slot_whose_request_may_have_been_executed_is_not_used_again() {
        let slots = Slots::new(2);
        let lost = taken(&slots);
        slots.give_back(lost, Outcome::Unknown);
        let left = taken(&slots);
        assert_eq!(left.id, 1);
        assert!(slots.take(false).unwrap().is_none(), "one is in use still");
        slots.give_back(left, Outcome::Executed);
        assert_eq!(taken(&slots).id, 1);
    }

    #[test]
    fn nobody_waits_for_a_slot_when_none_can_come() {
        let slots = Arc::new(Slots::new(1));
        let last = taken(&slots);
        let (tell, told) = mpsc::channel();
        for _ in 0..2 {
            let (slots, tell) = (Arc::clone(&slots), tell.clone());
            thread::spawn(move || tell.send(slots.take(true).unwrap_err().code()).unwrap());
        }
        // Most likely both wait by then. What is asserted holds as well where they do not.
        thread::sleep(Duration::from_millis(50));
        slots.give_back(last, Outcome::Unknown);
        for _ in 0..2 {
            assert_eq!(told.recv_timeout(NO_HANG), Ok(FailureCode::ServerGone));
        }
        assert!(slots.take(false).is_err());
    }
}
