//! One thing done to many small files. What a file holds is made before its time begins, and checked after it ended, by a
//! thread beside the loop.

mod bytes;

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sharemark_model::{
    Bytes, CacheUse, DataSource, Failure, FailureCode, FilesAction, FilesJob, Nanoseconds, Operation,
    ReadMode, SmallFile, Stage, Transfer,
};
use sharemark_target::generator::Generator;
use sharemark_target::{Target, failure_from};

use crate::recorder::Recorder;
use crate::shared::{Shared, into_inner, lock};
use crate::start::Starters;

/// A folder is listed this often, unless that takes longer than `LISTING`.
const LISTINGS: u32 = 10;
const LISTING: Duration = Duration::from_secs(2);

/// What the threads of the loop share.
struct Loop<'a> {
    job: &'a FilesJob,
    target: &'a dyn Target,
    shared: &'a Shared,
    trusted: bool,
    next: AtomicUsize,
    recorder: Mutex<Recorder>,
    cache: Mutex<Option<CacheUse>>,
    failure: Mutex<Option<Failure>>,
    ended: AtomicBool,
    waited_ns: AtomicU64,
    checked: AtomicU64,
}

/// Does the job's action to its files.
///
/// # Errors
/// When this machine has no room for a file's bytes. Later failures are told in the transfer.
pub(crate) fn files(target: &dyn Target, job: &FilesJob, shared: &Shared) -> Result<Transfer, Failure> {
    shared.enter(Stage::Preparing);
    let moves = matches!(job.action, FilesAction::Write | FilesAction::Read);
    let total = job.files.iter().map(|file| file.size.0).sum();
    shared.expect(Bytes(if moves { total } else { 0 }));
    let run = Loop {
        job,
        target,
        shared,
        trusted: target.keeps_its_word(),
        next: AtomicUsize::new(0),
        recorder: Mutex::new(Recorder::new()),
        cache: Mutex::new(None),
        failure: Mutex::new(None),
        ended: AtomicBool::new(false),
        waited_ns: AtomicU64::new(0),
        checked: AtomicU64::new(0),
    };
    // A listing is of the whole folder: several at once would list the same.
    let at_once = if job.action == FilesAction::List { 1 } else { job.depth };
    let mut source = DataSource::default();
    let started = jiff::Timestamp::now();
    let depth = at_once.min(u32::try_from(job.files.len()).unwrap_or(u32::MAX)).max(1);
    if moves {
        let mut buffers = run.buffers(depth)?;
        let generator = Generator::new(job.data, 0);
        if let Some(first) = buffers.first_mut() {
            let length = first.bytes().len();
            source.ceiling_bytes_per_second = match job.action {
                FilesAction::Write => generator.fill_ceiling(first, length),
                _ => generator.check_ceiling(first, length),
            };
        }
        run.move_bytes(buffers, depth);
    } else {
        run.ask(depth);
    }
    source.waited_ns = Nanoseconds(run.waited_ns.load(Ordering::Relaxed));
    Ok(run.concluded(started, depth, source))
}

impl Loop<'_> {
    fn ask(&self, depth: u32) {
        thread::scope(|scope| {
            let mut starters = Starters::new(depth);
            let mut spawned = Ok(());
            for _ in 0..depth {
                let work = |start: Option<Instant>| match (start, self.job.action) {
                    (Some(start), FilesAction::List) => self.list(start),
                    (Some(start), _) => self.stat_or_delete(start),
                    (None, _) => {}
                };
                spawned = spawned.and_then(|()| starters.spawn(scope, work));
            }
            self.start(starters, spawned);
        });
    }

    fn start(&self, starters: Starters, spawned: io::Result<()>) {
        match spawned {
            Ok(()) => starters.start(|now| self.shared.begin_transfer(now)),
            Err(error) => self.fail(self.failed(&error, Operation::Worker, 0)),
        }
    }

    /// Whether the phase goes on.
    fn goes_on(&self, start: Instant) -> bool {
        let limit = self.job.time_ns.map(Nanoseconds::to_duration);
        !self.ended.load(Ordering::Acquire)
            && !self.shared.cancelled()
            && limit.is_none_or(|limit| start.elapsed() < limit)
    }

    fn next(&self) -> Option<(usize, &SmallFile)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.job.files.get(number).map(|file| (number, file))
    }

    fn list(&self, start: Instant) {
        let expected = self.job.files.len() as u64;
        for _ in 0..LISTINGS {
            if !self.goes_on(start) || start.elapsed() > LISTING {
                break;
            }
            let begun = Instant::now();
            match self.target.list(&self.job.folder) {
                Ok(count) if count < expected => {
                    let failure =
                        Failure::new(FailureCode::NotFound, Operation::List, self.job.folder.as_str());
                    self.fail(failure.with_sizes(Bytes(expected), Bytes(count)));
                }
                Ok(count) => {
                    self.note(start, begun.elapsed(), 0);
                    lock(&self.recorder).made_of(count);
                }
                Err(failure) => self.fail(failure),
            }
        }
        self.used(self.names());
    }

    fn stat_or_delete(&self, start: Instant) {
        let deletes = self.job.action == FilesAction::Delete;
        while self.goes_on(start) {
            let Some((_, file)) = self.next() else { break };
            let begun = Instant::now();
            let done = if deletes {
                self.target.remove_file(&self.job.folder, &file.file)
            } else {
                self.target.size_of(&self.job.folder, &file.file).and_then(|size| {
                    if size == file.size { Ok(()) } else { Err(self.wrong_size(file, size)) }
                })
            };
            match done {
                Ok(()) => self.note(start, begun.elapsed(), 0),
                Err(failure) => self.fail(failure),
            }
        }
        self.ended.store(true, Ordering::Release);
        self.used(if deletes {
            CacheUse { ruled_out: self.trusted, ..CacheUse::default() }
        } else {
            self.names()
        });
    }

    /// What is said of the cache where names and sizes were asked for.
    fn names(&self) -> CacheUse {
        let remembered = self.target.remembers_names();
        let read = if remembered { ReadMode::Cached } else { ReadMode::Direct };
        CacheUse { read: Some(read), ruled_out: !remembered, ..CacheUse::default() }
    }

    fn note(&self, start: Instant, took: Duration, bytes: u64) {
        lock(&self.recorder).note(bytes, took, start.elapsed());
        self.shared.moved(bytes);
    }

    /// Of all the files the weakest way counts.
    fn used(&self, cache: CacheUse) {
        let mut known = lock(&self.cache);
        *known = Some(match *known {
            None => cache,
            Some(known) => CacheUse {
                write: known.write.max(cache.write),
                read: known.read.max(cache.read),
                proof: if known.ruled_out { cache.proof } else { known.proof },
                resident_bytes: match (known.resident_bytes, cache.resident_bytes) {
                    (Some(a), Some(b)) => Some(Bytes(a.0 + b.0)),
                    _ => None,
                },
                ruled_out: known.ruled_out && cache.ruled_out,
            },
        });
    }

    fn waited(&self, time: Duration) {
        self.waited_ns.fetch_add(Nanoseconds::from(time).0, Ordering::Relaxed);
    }

    fn block(&self) -> usize {
        usize::try_from(self.job.block.0).unwrap_or(usize::MAX)
    }

    fn wrong_size(&self, file: &SmallFile, found: Bytes) -> Failure {
        let place = self.target.place(&self.job.folder, &file.file);
        Failure::new(FailureCode::WrongSize, Operation::Verify, place).with_sizes(file.size, found)
    }

    fn failed(&self, error: &io::Error, operation: Operation, number: usize) -> Failure {
        match self.job.files.get(number) {
            Some(file) => self.failed_at(error, operation, file),
            None => failure_from(error, operation, self.job.folder.as_str()),
        }
    }

    fn failed_at(&self, error: &io::Error, operation: Operation, file: &SmallFile) -> Failure {
        failure_from(error, operation, self.target.place(&self.job.folder, &file.file))
    }

    fn fail(&self, failure: Failure) {
        lock(&self.failure).get_or_insert(failure);
        self.ended.store(true, Ordering::Release);
    }

    fn concluded(self, started: jiff::Timestamp, depth: u32, source: DataSource) -> Transfer {
        let recorder = into_inner(self.recorder);
        let cancelled = self.shared.cancelled();
        let failure = into_inner(self.failure).or_else(|| {
            cancelled
                .then(|| Failure::new(FailureCode::Interrupted, Operation::Worker, self.job.folder.as_str()))
        });
        let verified = match (&failure, self.job.action) {
            (Some(failure), _) if matches!(failure.code, FailureCode::Mismatch | FailureCode::WrongSize) => {
                Some(false)
            }
            (None, FilesAction::Read) => (self.checked.load(Ordering::Relaxed) > 0).then_some(true),
            _ => None,
        };
        Transfer {
            started,
            bytes: recorder.bytes(),
            operations: recorder.operations(),
            open: Nanoseconds(0),
            transfer: recorder.transfer(),
            flush: Nanoseconds(0),
            close: Nanoseconds(0),
            first_byte: recorder.first_byte(),
            latency: recorder.latency(),
            series: recorder.into_series(),
            cache: into_inner(self.cache).unwrap_or_default(),
            source,
            verified,
            depth,
            pause: self.shared.pause(),
            failure,
        }
    }
}
