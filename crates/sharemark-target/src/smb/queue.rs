//! The requests of a connection that are under way, the credits that pay for them, and who waits for what.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar};

use crate::ServerAnswer;

use super::frame::{Answer, Head, Next, Reader};

/// What is known of a request on its way.
pub(super) struct Slot {
    pub(super) bell: Arc<Condvar>,
    /// What it cost, until its answer came.
    pub(super) charge: u32,
    pub(super) arrival: Arrival,
}

impl Slot {
    pub(super) const fn is_awaited(&self) -> bool {
        matches!(self.arrival, Arrival::Awaited)
    }
}

pub(super) enum Arrival {
    Awaited,
    /// The answer is next on the socket, and its owner reads it.
    AtTheDoor(Reader, Next),
    Here(Answer),
    /// Its owner has it in hand.
    Taken,
}

pub(super) struct Queue {
    pub(super) next_message: u64,
    pub(super) available: u32,
    /// Credits of requests under way.
    pub(super) spent: u32,
    pub(super) slots: BTreeMap<u64, Slot>,
    /// The receiving end, when nobody reads.
    pub(super) reader: Option<Reader>,
    /// Who sleeps, by the first message waited for.
    pub(super) asleep: BTreeMap<u64, Arc<Condvar>>,
    /// Who sleeps, whether woken by now or not: what is laid at their door, they take soon.
    pub(super) sleepers: Vec<Arc<Condvar>>,
    /// Who waits for credits.
    pub(super) hungry: Vec<Arc<Condvar>>,
    pub(super) dead: Option<ServerAnswer>,
}

impl Queue {
    pub(super) fn new(reader: Reader) -> Self {
        Self {
            next_message: 0,
            // What every connection begins with.
            available: 1,
            spent: 0,
            slots: BTreeMap::new(),
            reader: Some(reader),
            asleep: BTreeMap::new(),
            sleepers: Vec::new(),
            hungry: Vec::new(),
            dead: None,
        }
    }

    /// Leaves the reading to somebody who waits. It may be nobody's task because the one who was woken for it found its
    /// answer there already: so whoever leaves looks, and wakes the next.
    pub(super) fn leave(&mut self, reader: Option<Reader>) {
        self.reader = reader.or_else(|| self.reader.take());
        if self.reader.is_some()
            && let Some((_, bell)) = self.asleep.pop_first()
        {
            bell.notify_one();
        }
    }

    fn credit(&mut self, credits: u16) {
        self.available = self.available.saturating_add(u32::from(credits));
        // Who waits while nothing is under way any more waits for nothing, and has to see that.
        if credits > 0 || self.spent == 0 {
            self.hungry.drain(..).for_each(|bell| bell.notify_one());
        }
    }

    /// Counts what an answer brings when it comes, and not when its owner wakes: others may need it before.
    pub(super) fn arrive(&mut self, head: &Head) {
        if let Some(slot) = self.slots.get_mut(&head.message()) {
            self.spent = self.spent.saturating_sub(std::mem::take(&mut slot.charge));
        }
        self.credit(head.credits());
    }

    /// Ends a request whose owner has its answer.
    pub(super) fn settle(&mut self, answer: &Answer) {
        let message = answer.head.message();
        if self.slots.get(&message).is_some_and(|slot| slot.charge > 0) {
            self.arrive(&answer.head);
        }
        self.slots.remove(&message);
    }

    /// Whether the owner of a request sleeps; who does not may be sending, and not read before that has an end.
    pub(super) fn sleeps(&self, message: u64) -> bool {
        let slot = self.slots.get(&message);
        slot.is_some_and(|slot| self.sleepers.iter().any(|sleeper| Arc::ptr_eq(sleeper, &slot.bell)))
    }

    /// Puts an answer where its owner finds it; what nobody asked for only brings its credits.
    pub(super) fn deliver(&mut self, answer: Answer) {
        if answer.head.is_interim() {
            return self.credit(answer.head.credits());
        }
        self.arrive(&answer.head);
        // Another answer to the same is nobody's.
        let slot = self.slots.get_mut(&answer.head.message()).filter(|slot| slot.is_awaited());
        if let Some(slot) = slot {
            slot.arrival = Arrival::Here(answer);
            slot.bell.notify_one();
            // It will not read for others.
            let bell = Arc::clone(&slot.bell);
            self.asleep.retain(|_, other| !Arc::ptr_eq(other, &bell));
        }
    }
}
