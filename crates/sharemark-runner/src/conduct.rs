//! One job from its start to its end, with somebody watching.

use std::time::Duration;

use sharemark_model::{Failure, FailureCode, Job, Operation, Outcome, Progress, Stage, Told};

use crate::clock::Clock;
use crate::executor::{Executor, Heard};
use crate::interrupts::Interrupts;

/// The watchdog looks this often.
const TICK: Duration = Duration::from_millis(200);

/// A worker that was asked to end and makes no progress is abandoned after this time, or the stall limit if shorter.
const GRACE: Duration = Duration::from_secs(10);

/// The slowest rate at which a flush is believed to move where the system does not tell, in bytes per second.
const SLOWEST_FLUSH: u64 = 1_000_000;

/// How a job ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ended {
    /// It said how.
    Outcome(Outcome),
    /// It was given up or died; with its last word on how far it was.
    Lost(Failure, Option<Progress>),
}

/// Who does jobs, how long they may stand still, and who may stop them.
pub(crate) struct Conductor<'a> {
    pub(crate) executor: &'a dyn Executor,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) interrupts: &'a Interrupts,
    pub(crate) stall: Duration,
}

impl Conductor<'_> {
    /// Has a job done. Returns within the stall limit of the last progress, whatever the worker does.
    pub(crate) fn conduct(&self, job: &Job, on: &mut dyn FnMut(&Progress)) -> Ended {
        let failure = |code| Failure::new(code, Operation::Worker, job.path.clone());
        let mut running = match self.executor.start(job) {
            Ok(running) => running,
            Err(error) => {
                return Ended::Lost(failure(FailureCode::WorkerDied).with_system(error.to_string()), None);
            }
        };
        let mut watch = Watch::new(self.stall);
        let mut cancelled = false;
        loop {
            let before = self.clock.now();
            let heard = running.next(TICK);
            let passed = self.clock.now().saturating_sub(before);
            match heard {
                Heard::Told(Told::Outcome(outcome)) => return Ended::Outcome(*outcome),
                Heard::Told(Told::Progress(progress)) => {
                    watch.note(progress, passed);
                    on(&progress);
                }
                Heard::Silence => watch.silence(passed),
                Heard::Ended(words) => {
                    let failure = failure(FailureCode::WorkerDied);
                    let failure = words.into_iter().fold(failure, Failure::with_system);
                    return Ended::Lost(failure, watch.last);
                }
            }
            if self.interrupts.stop() && !cancelled {
                running.cancel();
                cancelled = true;
                watch.limit_to(GRACE);
            }
            if self.interrupts.at_once() || watch.stalled() {
                running.abandon();
                let code = if cancelled { FailureCode::Interrupted } else { FailureCode::Stalled };
                return Ended::Lost(failure(code), watch.last);
            }
        }
    }
}

/// How long nothing has moved.
struct Watch {
    limit: Duration,
    idle: Duration,
    last: Option<Progress>,
}

impl Watch {
    const fn new(limit: Duration) -> Self {
        Self { limit, idle: Duration::ZERO, last: None }
    }

    fn limit_to(&mut self, limit: Duration) {
        self.limit = self.limit.min(limit);
    }

    fn note(&mut self, progress: Progress, passed: Duration) {
        let moved = self.last.is_none_or(|last| {
            let writes_back = match (last.unwritten, progress.unwritten) {
                (Some(before), Some(now)) => now < before,
                _ => false,
            };
            last.operations != progress.operations || last.stage != progress.stage || writes_back
        });
        if moved {
            self.idle = Duration::ZERO;
        } else {
            self.silence(passed);
        }
        self.last = Some(progress);
    }

    /// More than a few ticks at once did not pass for the worker: this process itself was stopped, or slept.
    fn silence(&mut self, passed: Duration) {
        self.idle += passed.min(TICK * 3);
    }

    fn stalled(&self) -> bool {
        let blind = self.last.filter(|last| {
            matches!(last.stage, Stage::Flushing | Stage::Closing) && last.unwritten.is_none()
        });
        // What a flush does inside the system cannot be seen everywhere.
        let allowance = blind.map_or(0, |last| last.bytes.0 / SLOWEST_FLUSH);
        self.idle > self.limit.saturating_add(Duration::from_secs(allowance))
    }
}
