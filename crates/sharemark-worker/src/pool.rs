//! The queue of a phase: how many blocks there are, and what happens when the system cannot carry as many operations at
//! once as asked.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use sharemark_model::Bytes;
use sharemark_target::AlignedBuffer;

/// How many blocks beyond those under way are kept, to make or check data beside the loop: enough to even out, few
/// enough to keep a NAS's small memory free.
pub(crate) fn spare_blocks(block: Bytes) -> usize {
    const SPARE: u64 = 16 << 20;
    usize::try_from((SPARE / block.0.max(1)).clamp(1, 64)).unwrap_or(1)
}

/// A new buffer for blocks of this size.
///
/// # Errors
/// When the size does not fit this machine's address space.
pub(crate) fn buffer(block: Bytes) -> io::Result<AlignedBuffer> {
    let length = usize::try_from(block.0).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    AlignedBuffer::new(length)
}

/// How many operations of a phase can be under way at once: no more than it has blocks.
pub(crate) fn places(depth: u32, size: Bytes, block: Bytes) -> u32 {
    let blocks = size.0.div_ceil(block.0.max(1)).max(1);
    depth.min(u32::try_from(blocks).unwrap_or(u32::MAX))
}

/// Counts the operations that may be under way at once.
pub(crate) struct Depth(AtomicU32);

/// What a thread does after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    GoOn,
    /// The system carries fewer operations at once than asked: this thread's place in the queue is given up.
    Leave,
}

impl Depth {
    pub(crate) fn new(asked: u32) -> Self {
        Self(AtomicU32::new(asked))
    }

    /// How many operations are carried at once now.
    pub(crate) fn carried(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Does `operation`; while the system answers that it has no room for it, waits and tries again.
    ///
    /// # Errors
    /// What the system answered, after many tries or when it means something else.
    pub(crate) fn attempt<T>(&self, mut operation: impl FnMut() -> io::Result<T>) -> io::Result<(T, After)> {
        const TRIES: u32 = 40;
        const WAIT: Duration = Duration::from_millis(25);
        let mut after = After::GoOn;
        for _ in 0..TRIES {
            match operation() {
                Err(error) if no_room(&error) => {
                    if after == After::GoOn && self.give_up_place() {
                        after = After::Leave;
                    }
                    thread::sleep(WAIT);
                }
                result => return result.map(|value| (value, after)),
            }
        }
        operation().map(|value| (value, after))
    }

    /// Lowers the count by one; the last place is never given up.
    fn give_up_place(&self) -> bool {
        let fewer = |count: u32| (count > 1).then(|| count - 1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok()
    }
}

fn no_room(error: &io::Error) -> bool {
    // Not `WouldBlock`: a cifs mount answers so while its connection is being made anew, which is no full queue.
    matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::ResourceBusy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_gives_up_places_but_never_the_last() {
        let depth = Depth::new(3);
        let busy_once = || {
            let mut first = true;
            move || {
                if std::mem::take(&mut first) { Err(ErrorKind::OutOfMemory.into()) } else { Ok(7) }
            }
        };
        assert_eq!(depth.attempt(busy_once()).unwrap(), (7, After::Leave));
        assert_eq!(depth.attempt(busy_once()).unwrap(), (7, After::Leave));
        assert_eq!(depth.carried(), 1);
        assert_eq!(depth.attempt(busy_once()).unwrap(), (7, After::GoOn));
        assert_eq!(depth.carried(), 1);
    }

    #[test]
    fn other_answers_are_passed_on_at_once() {
        let mut tries = 0;
        let depth = Depth::new(2);
        let result = depth.attempt(|| {
            tries += 1;
            Err::<(), _>(io::Error::from(ErrorKind::StorageFull))
        });
        assert_eq!(result.unwrap_err().kind(), ErrorKind::StorageFull);
        assert_eq!((tries, depth.carried()), (1, 2));
    }

    #[test]
    fn spare_memory_stays_small() {
        for block in [1u64, 4096, 1 << 20, 8 << 20, 16 << 20] {
            assert!(spare_blocks(Bytes(block)) as u64 * block <= 16 << 20 || block > 16 << 20);
        }
        assert_eq!(spare_blocks(Bytes(1 << 30)), 1);
    }
}
