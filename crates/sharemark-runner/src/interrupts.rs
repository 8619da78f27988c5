//! How often the user asked the run to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts requests to stop. The first ends the phase under way and cleans up; the second ends everything at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<AtomicU32>);

impl Interrupts {
    /// One more request; answers how many there are now.
    pub fn request(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed).saturating_add(1)
    }

    /// The user wants the run to stop.
    #[must_use]
    pub fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= 1
    }

    /// The user wants everything to stop at once.
    #[must_use]
    pub fn at_once(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= 2
    }
}
