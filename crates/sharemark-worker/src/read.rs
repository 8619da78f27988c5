//! Reading one file once, and checking every byte of it. A thread beside the loop checks, as long as it has a block to
//! spare; what it cannot keep up with is read and checked again after the clock stopped, so that the loop never waits.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use sharemark_model::{
    Bytes, DataSource, Failure, FailureCode, Nanoseconds, Operation, ReadJob, Stage, Transfer,
};
use sharemark_target::generator::Generator;
use sharemark_target::{AlignedBuffer, ReadFile, ReadOptions, Target, failure_from};

use crate::pool::{After, Depth, buffer, places, spare_blocks};
use crate::recorder::Recorder;
use crate::shared::{Shared, into_inner, lock};
use crate::start::Starters;

/// A block read and not yet checked.
struct Unchecked {
    offset: u64,
    length: usize,
    buffer: AlignedBuffer,
}

/// What the threads of the loop share.
struct Loop<'a> {
    job: &'a ReadJob,
    file: &'a dyn ReadFile,
    shared: &'a Shared,
    generator: Generator,
    depth: Depth,
    next: AtomicU64,
    recorder: Mutex<Recorder>,
    failure: Mutex<Option<Failure>>,
    /// The lowest offset of a wrong byte.
    wrong: Mutex<Option<Bytes>>,
    /// Offset and length of what the checking thread had no time for.
    skipped: Mutex<Vec<(u64, usize)>>,
    ended: AtomicBool,
    place: String,
}

/// Reads and checks the file of `job` and closes it.
///
/// # Errors
/// When the file could not be opened. Later failures are told in the transfer.
pub(crate) fn read(target: &dyn Target, job: &ReadJob, shared: &Shared) -> Result<Transfer, Failure> {
    let place = target.place(&job.folder, &job.file);
    let failed = |operation| {
        let place = place.clone();
        move |error: io::Error| failure_from(&error, operation, place)
    };
    shared.enter(Stage::Preparing);
    shared.expect(job.size);
    let generator = Generator::new(job.data, job.seed);
    let mut first = buffer(job.block).map_err(failed(Operation::Read))?;
    let ceiling = generator.check_ceiling(&mut first, usize::try_from(job.block.0).unwrap_or(usize::MAX));
    let places = places(job.depth, job.size, job.block);
    let mut buffers = vec![first];
    for _ in 1..places as usize + spare_blocks(job.block) {
        buffers.push(buffer(job.block).map_err(failed(Operation::Read))?);
        shared.step();
    }
    let trusted = target.keeps_its_word();

    let started = jiff::Timestamp::now();
    shared.enter(Stage::Opening);
    let clock = Instant::now();
    let options =
        ReadOptions { cache: job.read_cache, trusted, block: job.block, depth: places, also_written: false };
    let file = target.open(&job.folder, &job.file, &options)?;
    let open = Nanoseconds::from(clock.elapsed());
    // What a write left in the cache is written back first.
    shared.enter(Stage::Flushing);
    file.prepare().map_err(failed(Operation::Open))?;

    let run = Loop {
        job,
        file: &*file,
        shared,
        generator,
        depth: Depth::new(places),
        next: AtomicU64::new(0),
        recorder: Mutex::new(Recorder::new()),
        failure: Mutex::new(None),
        wrong: Mutex::new(None),
        skipped: Mutex::new(Vec::new()),
        ended: AtomicBool::new(false),
        place: place.clone(),
    };
    run.transfer(&mut buffers, places);
    let cache = file.cache();
    shared.enter(Stage::Verifying);
    if let Some(buffer) = buffers.first_mut() {
        run.skip_to_the_end();
        run.check_skipped(buffer);
    }
    let result = run.result();

    shared.enter(Stage::Closing);
    let clock = Instant::now();
    let closed = file.close().map_err(failed(Operation::Close));
    let close = Nanoseconds::from(clock.elapsed());
    let failure = result.failure.or(closed.err()).or_else(|| {
        shared.cancelled().then(|| Failure::new(FailureCode::Interrupted, Operation::Read, place.clone()))
    });
    let recorder = result.recorder;
    Ok(Transfer {
        started,
        bytes: recorder.bytes(),
        operations: recorder.operations(),
        open,
        transfer: recorder.transfer(),
        flush: Nanoseconds(0),
        close,
        first_byte: recorder.first_byte(),
        latency: recorder.latency(),
        series: recorder.into_series(),
        cache,
        source: DataSource { ceiling_bytes_per_second: ceiling, waited_ns: Nanoseconds(0) },
        verified: result.verified,
        depth: result.depth,
        pause: shared.pause(),
        failure,
    })
}

struct LoopResult {
    recorder: Recorder,
    failure: Option<Failure>,
    verified: Option<bool>,
    depth: u32,
}

impl Loop<'_> {
    /// Moves the bytes; at least one of `buffers` is left in it for checking afterwards.
    fn transfer(&self, buffers: &mut Vec<AlignedBuffer>, places: u32) {
        let (give_spare, take_spare) = bounded::<AlignedBuffer>(buffers.len());
        let (give_unchecked, take_unchecked) = bounded::<Unchecked>(buffers.len());
        let own: Vec<AlignedBuffer> = buffers.drain(..places as usize).collect();
        for spare in buffers.drain(..) {
            give_spare.send(spare).ok();
        }
        let back = Mutex::new(Vec::new());
        let check = move || {
            for block in take_unchecked {
                self.check(&block.buffer.bytes()[..block.length], block.offset);
                give_spare.send(block.buffer).ok();
            }
        };
        thread::scope(|scope| {
            let mut starters = Starters::new(places + 1);
            let mut spawned = starters.spawn(scope, |_| check());
            for buffer in own {
                let (spare, unchecked, back) = (take_spare.clone(), give_unchecked.clone(), &back);
                let consume = move |start: Option<Instant>| {
                    let buffer = match start {
                        Some(start) => self.consume(start, buffer, &spare, &unchecked),
                        None => buffer,
                    };
                    lock(back).push(buffer);
                };
                spawned = spawned.and_then(|()| starters.spawn(scope, consume));
            }
            drop(give_unchecked);
            match spawned {
                Ok(()) => starters.start(|now| self.shared.begin_transfer(now)),
                Err(error) => self.fail(failure_from(&error, Operation::Worker, self.place.clone())),
            }
        });
        buffers.extend(back.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
    }

    fn consume(
        &self,
        start: Instant,
        mut buffer: AlignedBuffer,
        spare: &Receiver<AlignedBuffer>,
        unchecked: &Sender<Unchecked>,
    ) -> AlignedBuffer {
        let limit = self.job.time_ns.map(Nanoseconds::to_duration);
        while !self.ended.load(Ordering::Acquire) && !self.shared.cancelled() {
            if limit.is_some_and(|limit| start.elapsed() >= limit) {
                break;
            }
            let offset = self.next.fetch_add(self.job.block.0, Ordering::Relaxed);
            let left = self.job.size.0.saturating_sub(offset);
            if left == 0 {
                break;
            }
            let length = usize::try_from(left.min(self.job.block.0)).unwrap_or(buffer.bytes().len());
            let begun = Instant::now();
            let result = self.depth.attempt(|| self.file.read(buffer.bytes_mut(), length, offset));
            let now = Instant::now();
            match result {
                Ok((count, after)) => {
                    lock(&self.recorder).note(count as u64, now - begun, now - start);
                    self.shared.moved(count as u64);
                    if count < length {
                        self.fail(self.too_short(offset + count as u64));
                    }
                    buffer = self.hand_over(offset, count, buffer, spare, unchecked);
                    if after == After::Leave {
                        return buffer;
                    }
                }
                Err(error) => {
                    let failure = failure_from(&error, Operation::Read, self.place.clone());
                    self.fail(failure.at(Bytes(offset)));
                }
            }
        }
        self.ended.store(true, Ordering::Release);
        buffer
    }

    /// Gives a block to the checking thread for one of its spare buffers; without a spare, notes it for later.
    fn hand_over(
        &self,
        offset: u64,
        length: usize,
        buffer: AlignedBuffer,
        spare: &Receiver<AlignedBuffer>,
        unchecked: &Sender<Unchecked>,
    ) -> AlignedBuffer {
        let Ok(other) = spare.try_recv() else {
            self.skip(offset, length);
            return buffer;
        };
        match unchecked.send(Unchecked { offset, length, buffer }) {
            Ok(()) => other,
            Err(refused) => {
                self.skip(offset, length);
                refused.into_inner().buffer
            }
        }
    }

    fn skip(&self, offset: u64, length: usize) {
        lock(&self.skipped).push((offset, length));
    }

    /// A phase that its time ended has not seen the end of the file, which is what a full disk loses first: the last block
    /// is read and checked outside of the timer.
    fn skip_to_the_end(&self) {
        let block = self.job.block.0;
        let last = (self.job.size.0.saturating_sub(1)) / block * block;
        let whole = lock(&self.failure).is_none() && lock(&self.wrong).is_none();
        if whole && self.next.load(Ordering::Relaxed) <= last {
            self.skip(last, usize::try_from(self.job.size.0 - last).unwrap_or_default());
        }
    }

    fn check(&self, bytes: &[u8], offset: u64) {
        if let Err(at) = self.generator.check(bytes, offset) {
            let mut wrong = lock(&self.wrong);
            *wrong = Some(wrong.map_or(at, |earlier| earlier.min(at)));
            // What follows is not worth measuring.
            self.ended.store(true, Ordering::Release);
        }
    }

    /// Reads and checks what the checking thread had no time for: outside of the timer.
    fn check_skipped(&self, buffer: &mut AlignedBuffer) {
        let skipped = std::mem::take(&mut *lock(&self.skipped));
        for (offset, length) in skipped {
            if self.shared.cancelled() {
                // Its content is then not known: the phase counts as interrupted.
                return;
            }
            match self.file.read(buffer.bytes_mut(), length, offset) {
                Ok(count) => {
                    self.check(&buffer.bytes()[..count], offset);
                    if count < length {
                        self.fail(self.too_short(offset + count as u64));
                    }
                }
                Err(error) => {
                    self.fail(failure_from(&error, Operation::Verify, self.place.clone()).at(Bytes(offset)));
                    return;
                }
            }
            self.shared.step();
        }
    }

    fn too_short(&self, found: u64) -> Failure {
        Failure::new(FailureCode::WrongSize, Operation::Read, self.place.clone())
            .with_sizes(self.job.size, Bytes(found))
            .at(Bytes(found))
    }

    fn fail(&self, failure: Failure) {
        lock(&self.failure).get_or_insert(failure);
        self.ended.store(true, Ordering::Release);
    }

    fn result(self) -> LoopResult {
        let wrong = into_inner(self.wrong);
        let other = into_inner(self.failure);
        let failure = wrong
            .map(|at| Failure::new(FailureCode::Mismatch, Operation::Verify, self.place.clone()).at(at))
            .or(other);
        let recorder = into_inner(self.recorder);
        let verified = match (&failure, recorder.bytes(), self.shared.cancelled()) {
            (Some(failure), ..) if failure.code == FailureCode::Mismatch => Some(false),
            (Some(failure), ..) if failure.code == FailureCode::WrongSize => Some(false),
            (Some(_), ..) | (None, Bytes(0), _) | (None, _, true) => None,
            (None, _, false) => Some(true),
        };
        LoopResult { verified, failure, depth: self.depth.carried(), recorder }
    }
}
