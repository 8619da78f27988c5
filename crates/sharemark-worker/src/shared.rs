//! What the threads of one job share: how far it is, and whether it is to end.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sharemark_model::{Bytes, Nanoseconds, Pause, Progress, Stage};

use crate::clocks::together;

/// Locks. A thread that panicked with the lock held takes the whole process down at its scope's end; until then what it
/// left is as good as any.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a mutex holds, once nobody shares it.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// How far a job is, and whether it is to end. Written by the loop's threads, read by the thread that tells.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    stage: AtomicU8,
    operations: AtomicU64,
    bytes: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
    started: Mutex<Option<Instant>>,
    pause: Mutex<Option<Pause>>,
}

const STAGES: [Stage; 7] = [
    Stage::Preparing,
    Stage::Opening,
    Stage::Transferring,
    Stage::Flushing,
    Stage::Closing,
    Stage::Verifying,
    Stage::Housekeeping,
];

impl Shared {
    pub(crate) fn enter(&self, stage: Stage) {
        let index = STAGES.iter().position(|known| *known == stage).unwrap_or_default();
        self.stage.store(u8::try_from(index).unwrap_or_default(), Ordering::Relaxed);
        self.step();
    }

    pub(crate) fn begin_transfer(&self, now: Instant) {
        *lock(&self.started) = Some(now);
        self.enter(Stage::Transferring);
    }

    pub(crate) fn expect(&self, total: Bytes) {
        self.total.store(total.0, Ordering::Relaxed);
    }

    /// One operation more is done.
    pub(crate) fn step(&self) {
        self.operations.fetch_add(1, Ordering::Relaxed);
    }

    /// One operation more is done, and it moved bytes.
    pub(crate) fn moved(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.step();
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn note_pause(&self, pause: Pause) {
        let mut noted = lock(&self.pause);
        *noted = together(*noted, Some(pause));
    }

    pub(crate) fn pause(&self) -> Option<Pause> {
        *lock(&self.pause)
    }

    pub(crate) fn progress(&self) -> Progress {
        let started = *lock(&self.started);
        Progress {
            stage: STAGES[usize::from(self.stage.load(Ordering::Relaxed)).min(STAGES.len() - 1)],
            operations: self.operations.load(Ordering::Relaxed),
            bytes: Bytes(self.bytes.load(Ordering::Relaxed)),
            total: Bytes(self.total.load(Ordering::Relaxed)),
            elapsed_ns: started.map(|start| Nanoseconds::from(start.elapsed())).unwrap_or_default(),
            unwritten: None,
        }
    }
}
