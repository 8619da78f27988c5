//! Reading and writing over the blocks of one file in random order, each at most once.
//!
//! A small block is made or checked in a microsecond, so each thread does that itself between its operations; the time goes
//! into what the loop waited for its data, and is warned about where it is noticeable.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use sharemark_model::{
    Bytes, CacheUse, DataSource, Durability, Failure, FailureCode, Nanoseconds, Operation, RandomJob, Stage,
    Transfer,
};
use sharemark_target::generator::Generator;
use sharemark_target::{AlignedBuffer, ReadFile, ReadOptions, Target, WriteFile, WriteOptions, failure_from};

use crate::pool::{After, Depth, buffer, places};
use crate::recorder::Recorder;
use crate::shared::{Shared, into_inner, lock};
use crate::shuffle::{Shuffle, mix};
use crate::start::Starters;

/// Blocks written over are read back and checked until this many bytes, outside of the timer.
const CHECKED_BYTES: u64 = 16 << 20;
/// No more than this many of them, since each is a round trip.
const CHECKED_BLOCKS: u64 = 256;

/// What the threads of the loop share.
struct Loop<'a> {
    job: &'a RandomJob,
    reader: Option<Box<dyn ReadFile>>,
    writer: Option<Box<dyn WriteFile>>,
    shared: &'a Shared,
    order: Shuffle,
    old: Generator,
    new: Generator,
    depth: Depth,
    next: AtomicU64,
    recorder: Mutex<Recorder>,
    failure: Mutex<Option<Failure>>,
    wrong: Mutex<Option<Bytes>>,
    ended: AtomicBool,
    waited_ns: AtomicU64,
    place: String,
}

/// Does the operations of `job` and closes the file.
///
/// # Errors
/// When the file could not be opened, or is smaller than a block. Later failures are told in the transfer.
pub(crate) fn random(target: &dyn Target, job: &RandomJob, shared: &Shared) -> Result<Transfer, Failure> {
    let place = target.place(&job.folder, &job.file);
    let memory = |error: io::Error| failure_from(&error, Operation::Read, place.clone());
    shared.enter(Stage::Preparing);
    let blocks = job.size.0 / job.block.0;
    if blocks == 0 {
        let failure = Failure::new(FailureCode::WrongSize, Operation::Read, place);
        return Err(failure.with_sizes(job.block, job.size));
    }
    shared.expect(Bytes(blocks * job.block.0));
    let (old, new) = (Generator::new(job.data, job.seed), Generator::new(job.data, job.new_seed));
    let mut first = buffer(job.block).map_err(memory)?;
    let length = usize::try_from(job.block.0).unwrap_or(usize::MAX);
    let ceiling = if job.reads_percent > 0 {
        old.check_ceiling(&mut first, length)
    } else {
        new.fill_ceiling(&mut first, length)
    };
    let places = places(job.depth, job.size, job.block);
    let mut buffers = vec![first];
    for _ in 1..places {
        buffers.push(buffer(job.block).map_err(memory)?);
        shared.step();
    }

    let started = jiff::Timestamp::now();
    shared.enter(Stage::Opening);
    let clock = Instant::now();
    let reads = (job.reads_percent > 0).then(|| read_options(target, job, places));
    let reader = reads.map(|options| target.open(&job.folder, &job.file, &options)).transpose()?;
    let writes = WriteOptions { durability: job.durability, size: job.size, block: job.block, depth: places };
    let writer =
        (job.reads_percent < 100).then(|| target.update(&job.folder, &job.file, &writes)).transpose()?;
    let open = Nanoseconds::from(clock.elapsed());
    if let Some(reader) = &reader {
        shared.enter(Stage::Flushing);
        reader.prepare().map_err(|error| failure_from(&error, Operation::Open, place.clone()))?;
    }
    let run = Loop {
        job,
        reader,
        writer,
        shared,
        order: Shuffle::new(blocks, job.new_seed),
        old,
        new,
        depth: Depth::new(places),
        next: AtomicU64::new(0),
        recorder: Mutex::new(Recorder::new()),
        failure: Mutex::new(None),
        wrong: Mutex::new(None),
        ended: AtomicBool::new(false),
        waited_ns: AtomicU64::new(0),
        place,
    };
    run.transfer(buffers);
    let transfer = run.concluded(target, places);
    Ok(Transfer {
        started,
        open,
        source: DataSource { ceiling_bytes_per_second: ceiling, ..transfer.source },
        ..transfer
    })
}

fn read_options(target: &dyn Target, job: &RandomJob, depth: u32) -> ReadOptions {
    ReadOptions {
        cache: job.read_cache,
        trusted: target.keeps_its_word(),
        block: job.block,
        depth,
        also_written: job.reads_percent < 100,
    }
}

impl Loop<'_> {
    fn transfer(&self, buffers: Vec<AlignedBuffer>) {
        self.shared.enter(Stage::Preparing);
        thread::scope(|scope| {
            let mut starters = Starters::new(u32::try_from(buffers.len()).unwrap_or(u32::MAX));
            let mut spawned = Ok(());
            for mut buffer in buffers {
                let work = move |start: Option<Instant>| {
                    if let Some(start) = start {
                        self.operate(start, &mut buffer);
                    }
                };
                spawned = spawned.and_then(|()| starters.spawn(scope, work));
            }
            match spawned {
                Ok(()) => starters.start(|now| self.shared.begin_transfer(now)),
                Err(error) => self.fail(failure_from(&error, Operation::Worker, self.place.clone())),
            }
        });
    }

    fn operate(&self, start: Instant, buffer: &mut AlignedBuffer) {
        let limit = self.job.time_ns.map(Nanoseconds::to_duration);
        while !self.ended.load(Ordering::Acquire) && !self.shared.cancelled() {
            if limit.is_some_and(|limit| start.elapsed() >= limit) {
                break;
            }
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.order.len() {
                break;
            }
            let offset = self.order.at(number) * self.job.block.0;
            let done = if self.reads(number) {
                self.read(start, buffer, offset)
            } else {
                self.write(start, buffer, offset)
            };
            match done {
                Ok(After::GoOn) => {}
                Ok(After::Leave) => return,
                Err(failure) => self.fail(failure.at(Bytes(offset))),
            }
        }
        self.ended.store(true, Ordering::Release);
    }

    /// Whether the operation with this number reads: of a hundred as many as asked, in no order that a server could learn.
    fn reads(&self, number: u64) -> bool {
        mix(number ^ self.job.new_seed) % 100 < u64::from(self.job.reads_percent)
    }

    fn read(&self, start: Instant, buffer: &mut AlignedBuffer, offset: u64) -> Result<After, Failure> {
        let Some(reader) = &self.reader else { return Ok(After::Leave) };
        let length = usize::try_from(self.job.block.0).unwrap_or(buffer.bytes().len());
        let begun = Instant::now();
        let read = self.depth.attempt(|| reader.read(buffer.bytes_mut(), length, offset));
        let now = Instant::now();
        let (count, after) =
            read.map_err(|error| failure_from(&error, Operation::Read, self.place.clone()))?;
        lock(&self.recorder).note(count as u64, now - begun, now - start);
        self.shared.moved(count as u64);
        self.check(&self.old, &buffer.bytes()[..count], offset);
        self.waited(now);
        if count < length {
            let failure = Failure::new(FailureCode::WrongSize, Operation::Read, self.place.clone());
            return Err(failure.with_sizes(self.job.size, Bytes(offset + count as u64)));
        }
        Ok(after)
    }

    fn write(&self, start: Instant, buffer: &mut AlignedBuffer, offset: u64) -> Result<After, Failure> {
        let Some(writer) = &self.writer else { return Ok(After::Leave) };
        let length = usize::try_from(self.job.block.0).unwrap_or(buffer.bytes().len());
        let made = Instant::now();
        self.new.fill(&mut buffer.bytes_mut()[..length], offset);
        self.waited(made);
        let bytes = &buffer.bytes()[..length];
        let begun = Instant::now();
        let written = self.depth.attempt(|| writer.write(bytes, offset));
        let now = Instant::now();
        let ((), after) =
            written.map_err(|error| failure_from(&error, Operation::Write, self.place.clone()))?;
        lock(&self.recorder).note(length as u64, now - begun, now - start);
        self.shared.moved(length as u64);
        Ok(after)
    }

    fn waited(&self, since: Instant) {
        self.waited_ns.fetch_add(Nanoseconds::from(since.elapsed()).0, Ordering::Relaxed);
    }

    fn check(&self, generator: &Generator, bytes: &[u8], offset: u64) {
        if let Err(at) = generator.check(bytes, offset) {
            let mut wrong = lock(&self.wrong);
            *wrong = Some(wrong.map_or(at, |earlier| earlier.min(at)));
            self.ended.store(true, Ordering::Release);
        }
    }

    fn fail(&self, failure: Failure) {
        lock(&self.failure).get_or_insert(failure);
        self.ended.store(true, Ordering::Release);
    }

    /// Flushes, closes, and reads back some of what was written over.
    fn concluded(mut self, target: &dyn Target, places: u32) -> Transfer {
        let (mut flush, mut close) = (Nanoseconds(0), Nanoseconds(0));
        let mut cache = self.reader.as_ref().map(|reader| reader.cache()).unwrap_or_default();
        if let Some(writer) = self.writer.take() {
            let whole = lock(&self.failure).is_none() && !self.shared.cancelled();
            if self.job.durability == Durability::Flush && whole {
                self.shared.enter(Stage::Flushing);
                let clock = Instant::now();
                self.heard(writer.flush(), Operation::Flush);
                flush = clock.elapsed().into();
            }
            cache = written_cache(cache, &*writer, target, self.job);
            self.shared.enter(Stage::Closing);
            let clock = Instant::now();
            self.heard(writer.close(), Operation::Close);
            close = clock.elapsed().into();
        }
        if let Some(reader) = self.reader.take() {
            self.heard(reader.close(), Operation::Close);
        }
        self.shared.enter(Stage::Verifying);
        self.check_written(target, places);
        let recorder = into_inner(self.recorder);
        let wrong = into_inner(self.wrong)
            .map(|at| Failure::new(FailureCode::Mismatch, Operation::Verify, self.place.clone()).at(at));
        let cancelled = self.shared.cancelled();
        let failure = wrong.or(into_inner(self.failure)).or_else(|| {
            cancelled.then(|| Failure::new(FailureCode::Interrupted, Operation::Read, self.place.clone()))
        });
        let verified = match &failure {
            Some(failure) => {
                matches!(failure.code, FailureCode::Mismatch | FailureCode::WrongSize).then_some(false)
            }
            None => (recorder.operations() > 0).then_some(true),
        };
        Transfer {
            started: jiff::Timestamp::UNIX_EPOCH,
            bytes: recorder.bytes(),
            operations: recorder.operations(),
            open: Nanoseconds(0),
            transfer: recorder.transfer(),
            flush,
            close,
            first_byte: recorder.first_byte(),
            latency: recorder.latency(),
            series: recorder.into_series(),
            cache,
            source: DataSource {
                waited_ns: Nanoseconds(self.waited_ns.into_inner()),
                ..DataSource::default()
            },
            verified,
            depth: self.depth.carried(),
            pause: self.shared.pause(),
            failure,
        }
    }

    fn heard(&self, answer: io::Result<()>, operation: Operation) {
        if let Err(error) = answer {
            self.fail(failure_from(&error, operation, self.place.clone()));
        }
    }

    /// Whole or not, what was written over is looked at: the first blocks of the order, which were written first.
    fn check_written(&self, target: &dyn Target, places: u32) {
        if self.job.reads_percent == 100 || lock(&self.failure).is_some() || self.shared.cancelled() {
            return;
        }
        let done = self.next.load(Ordering::Relaxed).min(self.order.len());
        let enough = (CHECKED_BYTES / self.job.block.0).clamp(1, CHECKED_BLOCKS);
        let written: Vec<u64> = (0..done)
            .filter(|number| !self.reads(*number))
            .take(usize::try_from(enough).unwrap_or(1))
            .map(|number| self.order.at(number) * self.job.block.0)
            .collect();
        let read = || -> Result<(), Failure> {
            let wrap = |error: io::Error| failure_from(&error, Operation::Verify, self.place.clone());
            let options = ReadOptions { also_written: false, ..read_options(target, self.job, places) };
            let reader = target.open(&self.job.folder, &self.job.file, &options)?;
            reader.prepare().map_err(wrap)?;
            let mut buffer = buffer(self.job.block).map_err(wrap)?;
            let length = usize::try_from(self.job.block.0).unwrap_or(buffer.bytes().len());
            for offset in &written {
                let count = reader.read(buffer.bytes_mut(), length, *offset).map_err(wrap)?;
                self.check(&self.new, &buffer.bytes()[..count], *offset);
                if count < length {
                    let failure = Failure::new(FailureCode::WrongSize, Operation::Verify, self.place.clone());
                    return Err(failure.with_sizes(self.job.size, Bytes(offset + count as u64)));
                }
                self.shared.step();
            }
            reader.close().map_err(wrap)
        };
        if let Err(failure) = read() {
            self.fail(failure);
        }
    }
}

/// What is said of the cache when bytes were written: beside what is said of the reads, if there were any.
fn written_cache(cache: CacheUse, writer: &dyn WriteFile, target: &dyn Target, job: &RandomJob) -> CacheUse {
    let kept = target.keeps_its_word() && job.durability != Durability::Buffered;
    let ruled_out = if job.reads_percent > 0 { cache.ruled_out && kept } else { kept };
    CacheUse { write: Some(writer.mode()), ruled_out, ..cache }
}
