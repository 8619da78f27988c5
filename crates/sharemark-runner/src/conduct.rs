//! One job from its start to its end, with somebody watching.

use std::time::Duration;

use sharemark_model::{
    Bytes, Durability, Failure, FailureCode, FilesAction, FilesJob, Job, Operation, Outcome, Place, Progress,
    Protocol, Stage, Task, Told,
};

use crate::clock::Clock;
use crate::executor::{Executor, Heard};
use crate::interrupts::Interrupts;

/// The watchdog looks this often.
const TICK: Duration = Duration::from_millis(200);

/// A worker that was asked to end and makes no progress is abandoned after this time, or the stall limit if shorter.
const GRACE: Duration = Duration::from_secs(10);

/// The slowest rate at which a flush is believed to move, in bytes per second: what a server does before it answers a
/// flush cannot be seen from here.
const SLOWEST_FLUSH: u64 = 10_000_000;

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
        let failure = |code, operation| Failure::new(code, operation, job.place.to_string());
        let mut running = match self.executor.start(job) {
            Ok(running) => running,
            Err(error) => {
                let failure = failure(FailureCode::WorkerDied, Operation::Worker);
                return Ended::Lost(failure.with_system(error.to_string()), None);
            }
        };
        let mut watch = Watch::new(self.stall, flush_allowance(job));
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
                    let failure = failure(FailureCode::WorkerDied, Operation::Worker);
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
                return Ended::Lost(failure(code, busy_with(job, watch.last)), watch.last);
            }
        }
    }
}

/// What a job that is given up was busy with.
fn busy_with(job: &Job, last: Option<Progress>) -> Operation {
    let writes = match &job.task {
        Task::Inspect => return Operation::Inspect,
        Task::CreateFolder { .. } => return Operation::CreateFolder,
        Task::Remove { .. } => return Operation::Remove,
        Task::Write(_) => true,
        Task::Read(_) => false,
        Task::Random(task) => task.reads_percent < 100,
        Task::Files(FilesJob { action: FilesAction::List, .. }) => return Operation::List,
        Task::Files(FilesJob { action: FilesAction::Delete, .. }) => return Operation::Remove,
        Task::Files(task) => task.action == FilesAction::Write,
    };
    match last.map_or(Stage::Preparing, |last| last.stage) {
        Stage::Preparing | Stage::Opening if writes => Operation::Create,
        Stage::Preparing | Stage::Opening => Operation::Open,
        Stage::Flushing => Operation::Flush,
        Stage::Closing => Operation::Close,
        Stage::Verifying => Operation::Verify,
        Stage::Transferring | Stage::Housekeeping if writes => Operation::Write,
        Stage::Transferring | Stage::Housekeeping => Operation::Read,
    }
}

/// The time beyond the stall limit that a flush or close of this job may take: only where it has bytes to write back.
fn flush_allowance(job: &Job) -> Duration {
    let flushes = |durability| durability != Durability::WriteThrough || close_flushes(&job.place);
    let bytes = match &job.task {
        Task::Write(task) if flushes(task.durability) => task.size,
        Task::Random(task) if flushes(task.durability) && task.reads_percent < 100 => task.size,
        _ => Bytes(0),
    };
    Duration::from_secs(bytes.0 / SLOWEST_FLUSH)
}

/// Whether the close is where the server answers for the whole file, whatever was wished: SFTP's write-through is one
/// flush in it, and WebDAV's server says nothing before.
fn close_flushes(place: &Place) -> bool {
    match place {
        Place::Folder(_) => false,
        Place::Share(share) => match share.address.protocol {
            Protocol::Sftp | Protocol::Webdav | Protocol::Webdavs => true,
            Protocol::Smb | Protocol::Nfs => false,
        },
    }
}

/// How long nothing has moved.
struct Watch {
    limit: Duration,
    flush_allowance: Duration,
    idle: Duration,
    last: Option<Progress>,
    /// The fewest bytes not yet written back that this stage has seen. Other programs' writes make the number go up and
    /// down; only a new low shows that something was written back.
    lowest: Option<Bytes>,
}

impl Watch {
    const fn new(limit: Duration, flush_allowance: Duration) -> Self {
        Self { limit, flush_allowance, idle: Duration::ZERO, last: None, lowest: None }
    }

    fn limit_to(&mut self, limit: Duration) {
        self.limit = self.limit.min(limit);
        self.flush_allowance = Duration::ZERO;
    }

    fn note(&mut self, progress: Progress, passed: Duration) {
        let same_stage = self.last.is_some_and(|last| last.stage == progress.stage);
        if !same_stage {
            self.lowest = None;
        }
        let writes_back = progress.unwritten.is_some_and(|now| self.lowest.is_none_or(|low| now < low));
        let done = self.last.is_none_or(|last| last.operations != progress.operations);
        if done || !same_stage || writes_back {
            self.idle = Duration::ZERO;
        } else {
            self.silence(passed);
        }
        if writes_back {
            self.lowest = progress.unwritten;
        }
        self.last = Some(progress);
    }

    /// More than a few ticks at once did not pass for the worker: this process itself was stopped, or slept.
    fn silence(&mut self, passed: Duration) {
        self.idle += passed.min(TICK * 3);
    }

    fn stalled(&self) -> bool {
        let flushes = self.last.is_some_and(|last| matches!(last.stage, Stage::Flushing | Stage::Closing));
        let allowance = if flushes { self.flush_allowance } else { Duration::ZERO };
        self.idle > self.limit.saturating_add(allowance)
    }
}
