//! Time, as a thing that tests can own.

use std::thread;
use std::time::{Duration, Instant};

/// A clock that never goes backwards.
pub trait Clock {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;

    /// Lets time pass.
    fn sleep(&self, time: Duration);
}

/// The system's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn sleep(&self, time: Duration) {
        thread::sleep(time);
    }
}
