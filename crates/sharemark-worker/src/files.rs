//! One thing done to many small files. What a file holds is made before its time begins, and checked after it ended, by a
//! thread beside the loop.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use sharemark_model::{
    Bytes, CacheUse, DataSource, Durability, Failure, FailureCode, FilesAction, FilesJob, Nanoseconds,
    Operation, ReadMode, SmallFile, Stage, Transfer, WriteMode,
};
use sharemark_target::generator::Generator;
use sharemark_target::{AlignedBuffer, ReadOptions, Target, WriteOptions, failure_from};

use crate::pool::buffer;
use crate::recorder::Recorder;
use crate::shared::{Shared, into_inner, lock};
use crate::start::Starters;

/// A folder is listed this often, unless that takes longer than `LISTING`.
const LISTINGS: u32 = 10;
const LISTING: Duration = Duration::from_secs(2);

/// A file's number and its bytes, made and not yet written, or read and not yet checked.
struct Held {
    number: usize,
    buffer: AlignedBuffer,
}

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
    let mut source = DataSource::default();
    let started = jiff::Timestamp::now();
    let depth = job.depth.min(u32::try_from(job.files.len()).unwrap_or(u32::MAX)).max(1);
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
    /// One buffer for each file under way, and as many again for the thread beside the loop; each holds the largest file.
    fn buffers(&self, depth: u32) -> Result<Vec<AlignedBuffer>, Failure> {
        let largest = self.job.files.iter().map(|file| file.size).max().unwrap_or(Bytes(1));
        let make = |_| {
            self.shared.step();
            buffer(largest.max(Bytes(1))).map_err(|error| self.failed(&error, Operation::Worker, 0))
        };
        (0..depth * 2).map(make).collect()
    }

    fn move_bytes(&self, buffers: Vec<AlignedBuffer>, depth: u32) {
        let (give, take) = bounded::<Held>(buffers.len());
        let (give_back, take_back) = bounded::<AlignedBuffer>(buffers.len());
        for buffer in buffers {
            give_back.send(buffer).ok();
        }
        let writes = self.job.action == FilesAction::Write;
        thread::scope(|scope| {
            let mut starters = Starters::new(depth + 1);
            let mut spawned = if writes {
                let (give, take_back) = (give.clone(), take_back.clone());
                starters.spawn(scope, move |_| self.make(&give, &take_back))
            } else {
                let (take, give_back) = (take.clone(), give_back.clone());
                starters.spawn(scope, move |_| self.check(&take, &give_back))
            };
            for _ in 0..depth {
                let (give, take) = (give.clone(), take.clone());
                let (give_back, take_back) = (give_back.clone(), take_back.clone());
                let work = move |start: Option<Instant>| match start {
                    Some(start) if writes => {
                        drop((give, take_back));
                        self.write(start, &take, &give_back);
                    }
                    Some(start) => {
                        drop((take, give_back));
                        self.read(start, &give, &take_back);
                    }
                    None => {}
                };
                spawned = spawned.and_then(|()| starters.spawn(scope, work));
            }
            // Who waits for a channel hears of its end only when no other end of it is left.
            drop((give, take, give_back, take_back));
            self.start(starters, spawned);
        });
    }

    fn ask(&self, depth: u32) {
        // A listing is of the whole folder: several at once would list the same.
        let depth = if self.job.action == FilesAction::List { 1 } else { depth };
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

    /// Makes the bytes of one file after the other.
    fn make(&self, give: &Sender<Held>, take_back: &Receiver<AlignedBuffer>) {
        for (number, file) in self.job.files.iter().enumerate() {
            let Ok(mut buffer) = take_back.recv() else { return };
            let bytes = &mut buffer.bytes_mut()[..length(file)];
            Generator::new(self.job.data, file.seed).fill(bytes, 0);
            if give.send(Held { number, buffer }).is_err() {
                return;
            }
        }
    }

    fn write(&self, start: Instant, take: &Receiver<Held>, give_back: &Sender<AlignedBuffer>) {
        while self.goes_on(start) {
            let clock = Instant::now();
            let Ok(Held { number, buffer }) = take.recv() else { break };
            self.waited(clock.elapsed());
            let file = &self.job.files[number];
            let begun = Instant::now();
            match self.write_file(file, &buffer) {
                Ok(mode) => {
                    self.note(start, begun.elapsed(), file.size.0);
                    self.used(CacheUse {
                        write: Some(mode),
                        ruled_out: self.trusted && self.job.durability != Durability::Buffered,
                        ..CacheUse::default()
                    });
                }
                Err(failure) => self.fail(failure),
            }
            give_back.send(buffer).ok();
        }
        self.ended.store(true, Ordering::Release);
    }

    fn write_file(&self, file: &SmallFile, buffer: &AlignedBuffer) -> Result<WriteMode, Failure> {
        let job = self.job;
        let failed = |operation| move |error: io::Error| self.failed_at(&error, operation, file);
        let options =
            WriteOptions { durability: job.durability, size: file.size, block: job.block, depth: 1 };
        let writer = self.target.create(&job.folder, &file.file, &options)?;
        let mut offset = 0;
        for part in buffer.bytes()[..length(file)].chunks(self.block()) {
            writer.write(part, offset).map_err(failed(Operation::Write))?;
            offset += part.len() as u64;
            self.shared.step();
        }
        if job.durability == Durability::Flush {
            writer.flush().map_err(failed(Operation::Flush))?;
        }
        let mode = writer.mode();
        writer.close().map_err(failed(Operation::Close))?;
        Ok(mode)
    }

    fn read(&self, start: Instant, give: &Sender<Held>, take_back: &Receiver<AlignedBuffer>) {
        while self.goes_on(start) {
            let clock = Instant::now();
            let Ok(mut buffer) = take_back.recv() else { break };
            self.waited(clock.elapsed());
            let Some((number, file)) = self.next() else { break };
            let begun = Instant::now();
            match self.read_file(file, &mut buffer) {
                Ok((cache, prepared)) => {
                    self.waited(prepared);
                    self.note(start, begun.elapsed().saturating_sub(prepared), file.size.0);
                    self.used(cache);
                }
                Err(failure) => {
                    self.fail(failure);
                    break;
                }
            }
            if give.send(Held { number, buffer }).is_err() {
                break;
            }
        }
        self.ended.store(true, Ordering::Release);
    }

    /// Answers how the cache was used, and how long it took to look at it, which is no part of the file's time.
    fn read_file(
        &self,
        file: &SmallFile,
        buffer: &mut AlignedBuffer,
    ) -> Result<(CacheUse, Duration), Failure> {
        let job = self.job;
        let failed = |operation| move |error: io::Error| self.failed_at(&error, operation, file);
        let options = ReadOptions {
            cache: job.read_cache,
            trusted: self.trusted,
            block: job.block,
            depth: 1,
            also_written: false,
        };
        let reader = self.target.open(&job.folder, &file.file, &options)?;
        let clock = Instant::now();
        reader.prepare().map_err(failed(Operation::Open))?;
        let prepared = clock.elapsed();
        let (mut offset, length) = (0, length(file));
        while offset < length {
            let wanted = self.block().min(length - offset);
            let part = &mut buffer.bytes_mut()[offset..];
            let count = reader.read(part, wanted, offset as u64).map_err(failed(Operation::Read))?;
            if count < wanted {
                return Err(self.wrong_size(file, Bytes((offset + count) as u64)));
            }
            offset += count;
            self.shared.step();
        }
        let cache = reader.cache();
        reader.close().map_err(failed(Operation::Close))?;
        Ok((cache, prepared))
    }

    fn check(&self, take: &Receiver<Held>, give_back: &Sender<AlignedBuffer>) {
        for Held { number, buffer } in take {
            let file = &self.job.files[number];
            let bytes = &buffer.bytes()[..length(file)];
            if let Err(at) = Generator::new(self.job.data, file.seed).check(bytes, 0) {
                let place = self.target.place(&self.job.folder, &file.file);
                let failure = Failure::new(FailureCode::Mismatch, Operation::Verify, place).at(at);
                // A wrong byte is what matters, whatever else went wrong.
                *lock(&self.failure) = Some(failure);
                self.ended.store(true, Ordering::Release);
            }
            self.checked.fetch_add(1, Ordering::Relaxed);
            give_back.send(buffer).ok();
        }
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
            (Some(failure), _) if failure.code == FailureCode::Mismatch => Some(false),
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

fn length(file: &SmallFile) -> usize {
    usize::try_from(file.size.0).unwrap_or(usize::MAX)
}
