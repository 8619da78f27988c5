//! The history for a caller without an asynchronous runtime.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use sharemark_model::{HistoryEntry, Report, Sample};
use tokio::runtime::{Builder, Runtime};

use crate::sqlite::{BUSY_TIMEOUT, IfMissing};
use crate::{Cause, History, HistoryError, SqliteHistory, Tried};

/// How long a call waits for its answer: longer than the few waits for another program's lock that it may hold.
const LIMIT: Duration = Duration::from_secs(30);

type Task = Box<dyn FnOnce(&Runtime, &SqliteHistory) + Send>;

/// A history whose calls wait for their answers, as the command line's do. It may be shared between threads, and used
/// in an asynchronous program as well, whose thread it then keeps waiting.
///
/// The file is touched only by a thread of its own. When the file is on a share whose server is gone, the system may
/// never return; after 30 seconds the call gives [`HistoryError::Silent`], and until that thread has come back, further
/// calls do so at once. The caller goes on without its history.
#[derive(Debug)]
pub struct BlockingHistory {
    queue: Mutex<Queue>,
    /// How many tasks the thread has done.
    done: Arc<AtomicU64>,
    /// The number of the last task whose answer nobody waits for any more.
    given_up: AtomicU64,
    /// Disconnected when the thread has closed the history.
    closed: Mutex<Receiver<()>>,
    place: String,
    limit: Duration,
}

/// The way to the thread. The tasks are numbered from 1 in the order they are sent.
#[derive(Debug)]
struct Queue {
    tasks: Option<Sender<Task>>,
    sent: u64,
}

impl BlockingHistory {
    /// Opens the history in this file, as [`SqliteHistory::open`] does.
    ///
    /// # Errors
    /// As [`SqliteHistory::open`], and [`HistoryError::Silent`].
    pub fn open(path: &Path) -> Result<Self, HistoryError> {
        Self::start(path, IfMissing::Create, LIMIT)
    }

    /// Opens the history in this file when there is one, as [`SqliteHistory::open_existing`] does.
    ///
    /// # Errors
    /// As [`SqliteHistory::open_existing`], and [`HistoryError::Silent`].
    pub fn open_existing(path: &Path) -> Result<Self, HistoryError> {
        Self::start(path, IfMissing::Refuse, LIMIT)
    }

    fn start(path: &Path, if_missing: IfMissing, limit: Duration) -> Result<Self, HistoryError> {
        let place = path.display().to_string();
        let (tasks, queue) = channel();
        let (opened, answer) = channel();
        let (closing, closed) = channel();
        let done = Arc::new(AtomicU64::new(0));
        let serving =
            Serving { path: path.to_owned(), if_missing, queue, done: Arc::clone(&done), _closing: closing };
        thread::Builder::new()
            .name("history".to_owned())
            .spawn(move || serving.run(&opened))
            .map_err(|error| HistoryError::io(Tried::Open, &place, &error))?;
        match answer.recv_timeout(limit) {
            Ok(result) => result?,
            Err(RecvTimeoutError::Timeout) => return Err(silent(Tried::Open, &place, limit)),
            Err(RecvTimeoutError::Disconnected) => return Err(ended(Tried::Open, &place)),
        }
        Ok(Self {
            queue: Mutex::new(Queue { tasks: Some(tasks), sent: 0 }),
            done,
            given_up: AtomicU64::new(0),
            closed: Mutex::new(closed),
            place,
            limit,
        })
    }

    /// The file's path, as it was given.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// [`History::begin`].
    ///
    /// # Errors
    /// As [`History::begin`], and [`HistoryError::Silent`].
    pub fn begin(&self, report: &Report) -> Result<(), HistoryError> {
        let report = report.clone();
        self.ask(Tried::Begin, move |runtime, history| runtime.block_on(history.begin(&report)))
    }

    /// [`History::append`].
    ///
    /// # Errors
    /// As [`History::append`], and [`HistoryError::Silent`].
    pub fn append(&self, id: &str, sample: &Sample) -> Result<(), HistoryError> {
        let (id, sample) = (id.to_owned(), sample.clone());
        self.ask(Tried::Append, move |runtime, history| runtime.block_on(history.append(&id, &sample)))
    }

    /// [`History::finish`].
    ///
    /// # Errors
    /// As [`History::finish`], and [`HistoryError::Silent`].
    pub fn finish(&self, report: &Report) -> Result<(), HistoryError> {
        let report = report.clone();
        self.ask(Tried::Finish, move |runtime, history| runtime.block_on(history.finish(&report)))
    }

    /// [`History::load`].
    ///
    /// # Errors
    /// As [`History::load`], and [`HistoryError::Silent`].
    pub fn load(&self, id_or_prefix: &str) -> Result<Report, HistoryError> {
        let id = id_or_prefix.to_owned();
        self.ask(Tried::Load, move |runtime, history| runtime.block_on(history.load(&id)))
    }

    /// [`History::list`].
    ///
    /// # Errors
    /// As [`History::list`], and [`HistoryError::Silent`].
    pub fn list(&self, limit: u32) -> Result<Vec<HistoryEntry>, HistoryError> {
        self.ask(Tried::List, move |runtime, history| runtime.block_on(history.list(limit)))
    }

    /// Has the thread do something and waits for what came of it.
    fn ask<T: Send + 'static>(
        &self,
        tried: Tried,
        call: impl FnOnce(&Runtime, &SqliteHistory) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        if self.is_stuck() {
            return Err(silent(tried, &self.place, self.limit));
        }
        let (answering, answer) = channel();
        // Nobody listens to an answer that came too late.
        let task: Task = Box::new(move |runtime, history| {
            let _ = answering.send(call(runtime, history));
        });
        let number = self.send(task).ok_or_else(|| ended(tried, &self.place))?;
        match answer.recv_timeout(self.limit) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => {
                self.given_up.fetch_max(number, Ordering::SeqCst);
                Err(silent(tried, &self.place, self.limit))
            }
            Err(RecvTimeoutError::Disconnected) => Err(ended(tried, &self.place)),
        }
    }

    /// The task's number, or nothing when the thread has ended.
    fn send(&self, task: Task) -> Option<u64> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.tasks.as_ref()?.send(task).ok()?;
        queue.sent += 1;
        Some(queue.sent)
    }

    /// Whether the thread is still busy with something that was given up.
    fn is_stuck(&self) -> bool {
        self.given_up.load(Ordering::SeqCst) > self.done.load(Ordering::SeqCst)
    }
}

/// Closes the history and waits until that is done, unless the storage has stopped answering.
impl Drop for BlockingHistory {
    fn drop(&mut self) {
        let stuck = self.is_stuck();
        let queue = self.queue.get_mut().unwrap_or_else(PoisonError::into_inner);
        queue.tasks = None;
        if !stuck {
            let closed = self.closed.get_mut().unwrap_or_else(PoisonError::into_inner);
            let _ = closed.recv_timeout(self.limit);
        }
    }
}

/// What the thread works with.
struct Serving {
    path: PathBuf,
    if_missing: IfMissing,
    queue: Receiver<Task>,
    done: Arc<AtomicU64>,
    _closing: Sender<()>,
}

impl Serving {
    fn run(self, opened: &Sender<Result<(), HistoryError>>) {
        let (runtime, history) = match self.open() {
            Ok(both) => both,
            Err(error) => {
                let _ = opened.send(Err(error));
                return;
            }
        };
        let _ = opened.send(Ok(()));
        // Ends when the handle is dropped, or never was made because the answer came too late.
        for task in &self.queue {
            task(&runtime, &history);
            self.done.fetch_add(1, Ordering::SeqCst);
        }
        // Everything that was answered is on the disk; there is nobody left to tell of a failure.
        let _ = runtime.block_on(history.close());
    }

    fn open(&self) -> Result<(Runtime, SqliteHistory), HistoryError> {
        let place = self.path.display().to_string();
        let runtime = Builder::new_current_thread()
            .build()
            .map_err(|error| HistoryError::io(Tried::Open, &place, &error))?;
        let history =
            runtime.block_on(SqliteHistory::open_with(&self.path, self.if_missing, BUSY_TIMEOUT))?;
        Ok((runtime, history))
    }
}

fn silent(tried: Tried, place: &str, limit: Duration) -> HistoryError {
    HistoryError::Silent { tried, place: place.to_owned(), limit }
}

/// The thread has ended, which only a panic in the database's interface brings about.
fn ended(tried: Tried, place: &str) -> HistoryError {
    HistoryError::Refused {
        tried,
        place: place.to_owned(),
        cause: Cause::Other,
        system: "the history's thread has ended".to_owned(),
    }
}

#[cfg(test)]
mod tests;
