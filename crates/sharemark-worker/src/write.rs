//! Writing one file. A thread beside the loop makes the data, so that making them is not timed; how long the loop had
//! to wait for it all the same is noted.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use sharemark_model::{
    Bytes, CacheUse, DataSource, Durability, Failure, FailureCode, Nanoseconds, Operation, Stage, Transfer,
    WriteJob,
};
use sharemark_target::generator::Generator;
use sharemark_target::{AlignedBuffer, Target, WriteFile, WriteOptions, failure_from};

use crate::pool::{After, Depth, buffer, places, spare_blocks};
use crate::recorder::Recorder;
use crate::shared::{Shared, into_inner, lock};
use crate::start::Starters;

/// A block made and not yet written.
struct Filled {
    offset: u64,
    length: usize,
    buffer: AlignedBuffer,
}

/// What the threads of the loop share.
struct Loop<'a> {
    job: &'a WriteJob,
    file: &'a dyn WriteFile,
    shared: &'a Shared,
    depth: Depth,
    recorder: Mutex<Recorder>,
    failure: Mutex<Option<Failure>>,
    ended: AtomicBool,
    waited_ns: AtomicU64,
    place: String,
}

/// Writes the file of `job` and closes it.
///
/// # Errors
/// When the file could not be created. Later failures are told in the transfer.
pub(crate) fn write(target: &dyn Target, job: &WriteJob, shared: &Shared) -> Result<Transfer, Failure> {
    let place = target.place(&job.folder, &job.file);
    let memory = |error: io::Error| failure_from(&error, Operation::Write, place.clone());
    shared.enter(Stage::Preparing);
    shared.expect(job.size);
    let generator = Generator::new(job.data, job.seed);
    let mut first = buffer(job.block).map_err(memory)?;
    let ceiling = generator.fill_ceiling(&mut first, usize::try_from(job.block.0).unwrap_or(usize::MAX));
    let places = places(job.depth, job.size, job.block).min(target.writes_at_once().unwrap_or(u32::MAX));
    let mut free = vec![first];
    for _ in 1..places as usize + spare_blocks(job.block) {
        free.push(buffer(job.block).map_err(memory)?);
        shared.step();
    }
    let trusted = target.keeps_its_word();

    let started = jiff::Timestamp::now();
    shared.enter(Stage::Opening);
    let clock = Instant::now();
    let options =
        WriteOptions { durability: job.durability, size: job.size, block: job.block, depth: places };
    let file = target.create(&job.folder, &job.file, &options)?;
    let open = Nanoseconds::from(clock.elapsed());

    let run = Loop {
        job,
        file: &*file,
        shared,
        depth: Depth::new(places),
        recorder: Mutex::new(Recorder::new()),
        failure: Mutex::new(None),
        ended: AtomicBool::new(false),
        waited_ns: AtomicU64::new(0),
        place: place.clone(),
    };
    shared.enter(Stage::Preparing);
    run.transfer(&generator, free, places);
    let mut failure = lock(&run.failure).take();
    let (waited, depth) = (Nanoseconds(run.waited_ns.into_inner()), run.depth.carried());
    let recorder = into_inner(run.recorder);

    let mut flush = Nanoseconds(0);
    if job.durability == Durability::Flush && failure.is_none() && !shared.cancelled() {
        shared.enter(Stage::Flushing);
        let clock = Instant::now();
        failure = file.flush().err().map(|error| failure_from(&error, Operation::Flush, place.clone()));
        flush = clock.elapsed().into();
    }
    let mode = file.mode();
    shared.enter(Stage::Closing);
    let clock = Instant::now();
    let closed = file.close().map_err(|error| failure_from(&error, Operation::Close, place.clone()));
    let close = Nanoseconds::from(clock.elapsed());

    shared.enter(Stage::Verifying);
    let failure = failure
        .or(closed.err())
        .or_else(|| wrong_size(target, job, recorder.bytes(), &place).err())
        .or_else(|| {
            shared
                .cancelled()
                .then(|| Failure::new(FailureCode::Interrupted, Operation::Write, place.clone()))
        });
    Ok(Transfer {
        started,
        bytes: recorder.bytes(),
        operations: recorder.operations(),
        open,
        transfer: recorder.transfer(),
        flush,
        close,
        first_byte: recorder.first_byte(),
        latency: recorder.latency(),
        series: recorder.into_series(),
        cache: CacheUse {
            write: Some(mode),
            ruled_out: trusted && job.durability != Durability::Buffered,
            ..CacheUse::default()
        },
        source: DataSource { ceiling_bytes_per_second: ceiling, waited_ns: waited },
        verified: None,
        depth,
        pause: shared.pause(),
        failure,
    })
}

/// A nearly full file system may take every byte and keep fewer: the size is looked at after the file was closed.
fn wrong_size(target: &dyn Target, job: &WriteJob, written: Bytes, place: &str) -> Result<(), Failure> {
    let found = target.size_of(&job.folder, &job.file)?;
    if found == written {
        return Ok(());
    }
    Err(Failure::new(FailureCode::WrongSize, Operation::Verify, place).with_sizes(written, found))
}

impl Loop<'_> {
    fn transfer(&self, generator: &Generator, free: Vec<AlignedBuffer>, places: u32) {
        let blocks = free.len();
        let (give_free, take_free) = bounded(blocks);
        let (give_filled, take_filled) = bounded(blocks);
        let mut next = 0;
        for buffer in free {
            // The first blocks are made before the clock starts.
            match self.fill(generator, next, buffer) {
                Ok(filled) => {
                    next += filled.length as u64;
                    give_filled.send(filled).ok();
                }
                Err(buffer) => {
                    give_free.send(buffer).ok();
                }
            }
        }
        let make = move || {
            for buffer in take_free {
                match self.fill(generator, next, buffer) {
                    Ok(filled) => {
                        next += filled.length as u64;
                        if give_filled.send(filled).is_err() {
                            break;
                        }
                    }
                    // The size is reached.
                    Err(_) => break,
                }
            }
        };
        thread::scope(|scope| {
            let mut starters = Starters::new(places + 1);
            let mut spawned = starters.spawn(scope, |_| make());
            for _ in 0..places {
                let (filled, free) = (take_filled.clone(), give_free.clone());
                let consume = move |start: Option<Instant>| {
                    if let Some(start) = start {
                        self.consume(start, &filled, &free);
                    }
                };
                spawned = spawned.and_then(|()| starters.spawn(scope, consume));
            }
            drop((take_filled, give_free));
            match spawned {
                Ok(()) => starters.start(|now| self.shared.begin_transfer(now)),
                Err(error) => self.fail(failure_from(&error, Operation::Worker, self.place.clone())),
            }
        });
    }

    /// Makes the block that stands at `offset`; gives the buffer back when the file ends before it.
    fn fill(
        &self,
        generator: &Generator,
        offset: u64,
        mut buffer: AlignedBuffer,
    ) -> Result<Filled, AlignedBuffer> {
        let left = self.job.size.0.saturating_sub(offset);
        if left == 0 {
            return Err(buffer);
        }
        let length = usize::try_from(left.min(self.job.block.0)).unwrap_or(buffer.bytes().len());
        generator.fill(&mut buffer.bytes_mut()[..length], offset);
        Ok(Filled { offset, length, buffer })
    }

    fn consume(&self, start: Instant, filled: &Receiver<Filled>, free: &Sender<AlignedBuffer>) {
        let limit = self.job.time_ns.map(Nanoseconds::to_duration);
        while !self.ended.load(Ordering::Acquire) && !self.shared.cancelled() {
            if limit.is_some_and(|limit| start.elapsed() >= limit) {
                break;
            }
            let clock = Instant::now();
            let Ok(block) = filled.recv() else { break };
            let begun = Instant::now();
            let waited = Nanoseconds::from(begun - clock).0;
            self.waited_ns.fetch_add(waited, Ordering::Relaxed);
            let bytes = &block.buffer.bytes()[..block.length];
            match self.depth.attempt(|| self.file.write(bytes, block.offset)) {
                Ok(((), after)) => {
                    let now = Instant::now();
                    lock(&self.recorder).note(block.length as u64, now - begun, now - start);
                    self.shared.moved(block.length as u64);
                    free.send(block.buffer).ok();
                    if after == After::Leave {
                        return;
                    }
                }
                Err(error) => {
                    let failure = failure_from(&error, Operation::Write, self.place.clone());
                    self.fail(failure.at(Bytes(block.offset)));
                    break;
                }
            }
        }
        self.ended.store(true, Ordering::Release);
    }

    fn fail(&self, failure: Failure) {
        lock(&self.failure).get_or_insert(failure);
    }
}
