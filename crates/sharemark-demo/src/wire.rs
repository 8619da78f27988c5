//! What a simulated wire is like.

use std::io;
use std::time::Duration;

use sharemark_model::Rate;

/// One direction of a wire, or both where they are alike: how fast it takes bytes, and how long each is under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wire {
    /// The rate of everything that passes in one direction, of all connections together, counted in the payload of TCP.
    pub bytes_per_second: Rate,
    /// The time that a byte is under way in one direction; a round trip takes twice this.
    pub delay: Duration,
}

impl Wire {
    /// Like a good home network: 400 Mbit/s, and a round trip of 0.5 ms.
    pub const FAST: Self = Self { bytes_per_second: Rate(50e6), delay: Duration::from_micros(250) };

    /// Like a tunnel to another place: 240 Mbit/s, and a round trip of 10 ms.
    pub const SLOW: Self = Self { bytes_per_second: Rate(30e6), delay: Duration::from_millis(5) };

    /// Refuses a wire that nothing could pass.
    pub(crate) fn check(self) -> io::Result<Self> {
        let rate = self.bytes_per_second.0;
        if rate.is_finite() && rate >= 1.0 && self.delay <= Self::LONGEST {
            return Ok(self);
        }
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a wire needs at least 1 byte/s, and at most 60 s of delay",
        ))
    }

    /// Longer than any wire on Earth; keeps sums of times far from their limits.
    const LONGEST: Duration = Duration::from_secs(60);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wire_that_nothing_could_pass_is_refused() {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Wire { bytes_per_second: Rate(rate), ..Wire::FAST }.check().is_err(), "{rate}");
        }
        assert!(Wire { delay: Duration::MAX, ..Wire::FAST }.check().is_err());
        assert_eq!(Wire::SLOW.check().unwrap(), Wire::SLOW);
    }
}
