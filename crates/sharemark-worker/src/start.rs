//! The common start of a phase's threads: the clock starts when all of them are there, and none begins before.

use std::io;
use std::thread::{Builder, Scope};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

/// Threads that wait for the start.
pub(crate) struct Starters {
    ready: (Sender<()>, Receiver<()>),
    go: (Sender<Instant>, Receiver<Instant>),
    waiting: u32,
}

impl Starters {
    /// Room for this many threads.
    pub(crate) fn new(threads: u32) -> Self {
        let room = threads as usize;
        Self { ready: bounded(room), go: bounded(room), waiting: 0 }
    }

    /// Starts a thread that waits, and then does `work`, which is told when the clock started; `None` when it never did.
    ///
    /// # Errors
    /// When the system has no room for another thread.
    pub(crate) fn spawn<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        work: impl FnOnce(Option<Instant>) + Send + 'scope,
    ) -> io::Result<()> {
        let (ready, go) = (self.ready.0.clone(), self.go.1.clone());
        Builder::new().spawn_scoped(scope, move || {
            ready.send(()).ok();
            work(go.recv().ok());
        })?;
        self.waiting += 1;
        Ok(())
    }

    /// Starts the clock when every thread is there; answers when that was.
    pub(crate) fn start(self, begin: impl FnOnce(Instant)) {
        let Self { ready, go, waiting } = self;
        for _ in 0..waiting {
            ready.1.recv().ok();
        }
        let now = Instant::now();
        begin(now);
        for _ in 0..waiting {
            go.0.send(now).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    #[test]
    fn nobody_begins_before_the_clock() {
        let begun = Mutex::new(Vec::new());
        let mut clock = None;
        thread::scope(|scope| {
            let mut starters = Starters::new(8);
            for _ in 0..8 {
                starters.spawn(scope, |start| begun.lock().unwrap().push((start, Instant::now()))).unwrap();
            }
            starters.start(|now| clock = Some(now));
        });
        let begun = begun.into_inner().unwrap();
        assert_eq!(begun.len(), 8);
        assert!(begun.iter().all(|(start, at)| *start == clock && Some(*at) >= clock));
    }

    #[test]
    fn threads_that_are_never_started_end() {
        let mut told = Some(Instant::now());
        thread::scope(|scope| {
            let mut starters = Starters::new(1);
            starters.spawn(scope, |start| told = start).unwrap();
            drop(starters);
        });
        assert_eq!(told, None);
    }
}
