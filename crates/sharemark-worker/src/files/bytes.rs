//! The bytes of small files: written, or read and checked.

use std::io;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use sharemark_model::{
    Bytes, CacheUse, Durability, Failure, FailureCode, FilesAction, Operation, SmallFile, WriteMode,
};
use sharemark_target::generator::Generator;
use sharemark_target::{AlignedBuffer, ReadOptions, WriteOptions};

use super::Loop;
use crate::pool::buffer;
use crate::shared::lock;
use crate::start::Starters;

/// A file's number and its bytes, made and not yet written, or read and not yet checked.
struct Held {
    number: usize,
    buffer: AlignedBuffer,
}

impl Loop<'_> {
    /// One buffer for each file under way, and as many again for the thread beside the loop; each holds the largest file.
    pub(super) fn buffers(&self, depth: u32) -> Result<Vec<AlignedBuffer>, Failure> {
        let largest = self.job.files.iter().map(|file| file.size).max().unwrap_or(Bytes(1));
        let make = |_| {
            self.shared.step();
            buffer(largest.max(Bytes(1))).map_err(|error| self.failed(&error, Operation::Worker, 0))
        };
        (0..depth * 2).map(make).collect()
    }

    pub(super) fn move_bytes(&self, buffers: Vec<AlignedBuffer>, depth: u32) {
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
}

fn length(file: &SmallFile) -> usize {
    usize::try_from(file.size.0).unwrap_or(usize::MAX)
}
