//! One direction of a wire: when a byte that is given to it comes out at the other end.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::Wire;

/// So much is taken from senders beyond what is under way. It has to be longer than this machine's timers and scheduler
/// are late, or the wire would stand idle meanwhile.
const AHEAD: Duration = Duration::from_millis(20);

/// A chunk takes the wire for about this long: tokio's timers have this resolution, so that smaller ones would only cost.
const CHUNK: Duration = Duration::from_millis(1);

const SMALLEST_CHUNK: usize = 1024;
const LARGEST_CHUNK: usize = 64 * 1024;

/// No connection holds more memory than this in one direction, however fast and long the wire.
const MOST_IN_FLIGHT: usize = 64 * 1024 * 1024;

/// One direction of a wire, shared by all connections that go over it.
#[derive(Debug)]
pub(crate) struct Lane {
    wire: Wire,
    /// When the last byte that was given to the wire has left the sender's end.
    busy_until: Mutex<Option<Instant>>,
}

impl Lane {
    pub(crate) const fn new(wire: Wire) -> Self {
        Self { wire, busy_until: Mutex::new(None) }
    }

    /// Gives bytes to the wire, and tells when the last of them arrives. The times add up exactly, whenever it is asked:
    /// a timer that is late delays what it waits for and nothing after it. What the wire could have carried while nobody
    /// sent is gone, as on a wire.
    pub(crate) fn send(&self, bytes: usize, now: Instant) -> Instant {
        let mut busy_until = self.busy_until.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = busy_until.map_or(now, |until| until.max(now));
        let end = begin + self.time_of(bytes);
        *busy_until = Some(end);
        end + self.wire.delay
    }

    /// When the end of a connection arrives that is told now.
    pub(crate) fn end(&self, now: Instant) -> Instant {
        now + self.wire.delay
    }

    /// How much is taken from a sender at once.
    pub(crate) fn chunk(&self) -> usize {
        self.bytes_in(CHUNK).clamp(SMALLEST_CHUNK, LARGEST_CHUNK)
    }

    /// How much one connection may have under way: what the wire holds, and a little ahead of it.
    pub(crate) fn in_flight(&self) -> usize {
        self.bytes_in(self.wire.delay + AHEAD).saturating_add(self.chunk()).min(MOST_IN_FLIGHT)
    }

    #[expect(clippy::cast_precision_loss, reason = "a chunk is far below 2^53 bytes")]
    fn time_of(&self, bytes: usize) -> Duration {
        Duration::from_secs_f64(bytes as f64 / self.wire.bytes_per_second.0)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, and a rate is positive"
    )]
    fn bytes_in(&self, time: Duration) -> usize {
        (self.wire.bytes_per_second.0 * time.as_secs_f64()) as usize
    }
}

#[cfg(test)]
mod tests {
    use sharemark_model::Rate;

    use super::*;

    fn lane(rate: f64, delay_ms: u64) -> Lane {
        Lane::new(Wire { bytes_per_second: Rate(rate), delay: Duration::from_millis(delay_ms) })
    }

    #[test]
    fn the_times_of_chunks_add_up_however_late_it_is_asked() {
        let lane = lane(1e6, 7);
        let begin = Instant::now();
        let mut arrives = begin;
        for number in 0..100u64 {
            // Each is given while the wire is still busy, at an uneven moment.
            arrives = lane.send(10_000, begin + Duration::from_millis(number * 10 - number % 7));
        }
        assert_eq!(arrives - begin, Duration::from_millis(1000 + 7));
    }

    #[test]
    fn an_idle_wire_saves_nothing_up() {
        let lane = lane(1e6, 0);
        let begin = Instant::now();
        lane.send(1000, begin);
        let later = begin + Duration::from_secs(60);
        assert_eq!(lane.send(1000, later) - later, Duration::from_millis(1));
        assert_eq!(lane.send(1000, later) - later, Duration::from_millis(2));
    }

    #[test]
    fn what_is_under_way_follows_the_wire_and_has_a_limit() {
        assert_eq!(lane(50e6, 5).in_flight(), 50_000 * 25 + 50_000);
        assert_eq!((lane(1.0, 0).chunk(), lane(1.0, 0).in_flight()), (1024, 1024));
        assert_eq!((lane(1e12, 9).chunk(), lane(1e12, 9).in_flight()), (65_536, MOST_IN_FLIGHT));
    }
}
