//! A request that the system may answer in several parts.

use std::io::{self, ErrorKind};

/// How often a short answer may be asked again without coming further before it counts as a failure.
const PATIENCE: u32 = 8;

/// How far a request has come.
#[derive(Debug, Default)]
pub(super) struct Parts {
    done: usize,
    idle: u32,
}

impl Parts {
    /// Bytes done from the start of the request on.
    pub(super) const fn done(&self) -> usize {
        self.done
    }

    /// Notes that the system did `count` bytes more. When the next part has to begin at a multiple of `unit`, as past the
    /// cache, some bytes are done twice; 1 is for any place.
    ///
    /// # Errors
    /// `stuck`, when the system keeps answering without coming further.
    pub(super) fn advance(&mut self, count: usize, unit: usize, stuck: ErrorKind) -> io::Result<()> {
        let reached = (self.done + count) / unit * unit;
        self.idle = if reached > self.done { 0 } else { self.idle + 1 };
        if self.idle > PATIENCE {
            return Err(stuck.into());
        }
        self.done = reached.max(self.done);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aligned_rest_begins_where_it_can_and_never_before_what_is_done() {
        let mut parts = Parts::default();
        parts.advance(5000, 4096, ErrorKind::WriteZero).unwrap();
        assert_eq!(parts.done(), 4096);
        parts.advance(10, 4096, ErrorKind::WriteZero).unwrap();
        assert_eq!(parts.done(), 4096);
        parts.advance(10, 1, ErrorKind::WriteZero).unwrap();
        assert_eq!(parts.done(), 4106);
    }

    #[test]
    fn who_never_comes_further_is_stuck() {
        let mut parts = Parts::default();
        let results: Vec<_> =
            (0..=PATIENCE).map(|_| parts.advance(100, 4096, ErrorKind::UnexpectedEof)).collect();
        assert!(results[..PATIENCE as usize].iter().all(Result::is_ok));
        assert_eq!(results[PATIENCE as usize].as_ref().unwrap_err().kind(), ErrorKind::UnexpectedEof);
        // Coming further gives new patience.
        parts.advance(5000, 4096, ErrorKind::UnexpectedEof).unwrap();
        parts.advance(100, 4096, ErrorKind::UnexpectedEof).unwrap();
    }
}
