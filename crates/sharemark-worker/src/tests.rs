//! Jobs done in this process on a real folder, and on a target that fails when told to.

mod small;

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};

use sharemark_model::{
    Bytes, CacheUse, DataKind, Durability, Failure, FailureCode, FileName, FolderName, Inspection, Job,
    Nanoseconds, Operation, Outcome, Place, ReadCache, ReadJob, Task, Transfer, WriteJob, WriteMode,
};
use sharemark_target::{MountTarget, ReadFile, ReadOptions, Target, WriteFile, WriteOptions};

use crate::serve::perform;
use crate::shared::Shared;

fn folder() -> FolderName {
    FolderName::for_run("test").unwrap()
}

fn file() -> FileName {
    FileName::try_from("r001.bin".to_owned()).unwrap()
}

fn write_job(size: u64, block: u64, depth: u32) -> WriteJob {
    WriteJob {
        folder: folder(),
        file: file(),
        size: Bytes(size),
        time_ns: None,
        block: Bytes(block),
        depth,
        durability: Durability::Buffered,
        data: DataKind::Random,
        seed: 9,
    }
}

fn read_job(write: &WriteJob) -> ReadJob {
    ReadJob {
        folder: folder(),
        file: file(),
        size: write.size,
        time_ns: None,
        block: write.block,
        depth: write.depth,
        read_cache: ReadCache::Avoid,
        data: write.data,
        seed: write.seed,
    }
}

fn transfer(target: &dyn Target, task: Task) -> Transfer {
    let job = Job { place: Place::Folder(String::new()), task };
    match perform(&job, target, &Shared::default()) {
        Outcome::Transferred(transfer) => *transfer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_written_is_read_and_verified_for_any_block_and_depth() {
    for (size, block, depth) in
        [(1, 4096, 1), (1 << 20, 65_536, 1), (3_000_001, 100_000, 4), (1 << 20, 1 << 20, 8)]
    {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let target = MountTarget::new(home.path());
        target.create_folder(&folder()).unwrap();
        let job = write_job(size, block, depth);
        let written = transfer(&target, Task::Write(job.clone()));
        assert_eq!((written.bytes, written.failure, written.verified), (Bytes(size), None, None));
        assert_eq!(written.depth, depth.min(u32::try_from(size.div_ceil(block)).unwrap()));
        assert_eq!(written.series.last().map(|point| point.bytes), Some(Bytes(size)));
        assert!(written.first_byte <= Some(written.transfer) && written.transfer > Nanoseconds(0));
        let read = transfer(&target, Task::Read(read_job(&job)));
        assert_eq!((read.bytes, read.failure, read.verified), (Bytes(size), None, Some(true)));
    }
}

#[test]
fn a_phase_without_time_still_moves_a_block_or_none_and_ends() {
    let home = tempfile::tempdir().unwrap();
    let target = MountTarget::new(home.path());
    target.create_folder(&folder()).unwrap();
    let job = WriteJob { time_ns: Some(Nanoseconds(1)), ..write_job(1 << 30, 4096, 2) };
    let written = transfer(&target, Task::Write(job));
    assert!(written.bytes < Bytes(1 << 30));
    assert_eq!(written.failure, None);
    assert_eq!(target.size_of(&folder(), &file()).unwrap(), written.bytes);
}

#[test]
fn a_changed_byte_is_told_with_its_offset() {
    let home = tempfile::tempdir().unwrap();
    let target = MountTarget::new(home.path());
    target.create_folder(&folder()).unwrap();
    let job = write_job(1 << 20, 65_536, 2);
    transfer(&target, Task::Write(job.clone()));
    let path = home.path().join(folder().as_str()).join(file().as_str());
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[700_001] ^= 0x10;
    std::fs::write(&path, bytes).unwrap();
    let read = transfer(&target, Task::Read(read_job(&job)));
    assert_eq!(read.verified, Some(false));
    let failure = read.failure.unwrap();
    assert_eq!((failure.code, failure.offset), (FailureCode::Mismatch, Some(Bytes(700_001))));
}

#[test]
fn a_truncated_file_is_no_end_of_file() {
    let home = tempfile::tempdir().unwrap();
    let target = MountTarget::new(home.path());
    target.create_folder(&folder()).unwrap();
    let job = write_job(1 << 20, 65_536, 1);
    transfer(&target, Task::Write(job.clone()));
    let path = home.path().join(folder().as_str()).join(file().as_str());
    std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(500_000).unwrap();
    let read = transfer(&target, Task::Read(read_job(&job)));
    assert_eq!(read.verified, Some(false));
    let failure = read.failure.unwrap();
    assert_eq!((failure.code, failure.available), (FailureCode::WrongSize, Some(Bytes(500_000))));
}

#[test]
fn a_tail_that_the_time_did_not_reach_is_checked_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    let target = MountTarget::new(home.path());
    target.create_folder(&folder()).unwrap();
    let job = write_job(1 << 20, 4096, 1);
    transfer(&target, Task::Write(job.clone()));
    let path = home.path().join(folder().as_str()).join(file().as_str());
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let read = transfer(&target, Task::Read(ReadJob { time_ns: Some(Nanoseconds(1)), ..read_job(&job) }));
    assert_eq!(read.failure.and_then(|failure| failure.offset), Some(Bytes((1 << 20) - 1)));
}

#[test]
fn a_file_system_that_fills_up_keeps_what_was_measured() {
    let target = Failing { room: AtomicU64::new(300_000), kept: u64::MAX };
    let written = transfer(&target, Task::Write(write_job(1 << 20, 65_536, 1)));
    let failure = written.failure.unwrap();
    assert_eq!((failure.code, failure.operation), (FailureCode::NoSpace, Operation::Write));
    assert_eq!((written.bytes, failure.offset), (Bytes(4 * 65_536), Some(Bytes(4 * 65_536))));
}

#[test]
fn a_server_that_loses_bytes_silently_is_caught() {
    let target = Failing { room: AtomicU64::new(u64::MAX), kept: 1000 };
    let written = transfer(&target, Task::Write(write_job(1 << 20, 65_536, 1)));
    let failure = written.failure.unwrap();
    assert_eq!(failure.code, FailureCode::WrongSize);
    assert_eq!((failure.needed, failure.available), (Some(Bytes(1 << 20)), Some(Bytes(1000))));
}

#[test]
fn a_cancelled_job_says_so() {
    let target = Failing { room: AtomicU64::new(u64::MAX), kept: 0 };
    let shared = Shared::default();
    shared.cancel();
    let job = Job { place: Place::Folder(String::new()), task: Task::Write(write_job(1 << 20, 65_536, 2)) };
    let Outcome::Transferred(written) = perform(&job, &target, &shared) else { panic!("no transfer") };
    assert_eq!(written.failure.map(|failure| failure.code), Some(FailureCode::Interrupted));
}

/// Takes as many bytes as it has room for, and claims to have kept another number of them.
struct Failing {
    room: AtomicU64,
    kept: u64,
}

struct FailingFile<'a>(&'a Failing);

impl Target for Failing {
    fn keeps_its_word(&self) -> bool {
        false
    }

    fn place(&self, _: &FolderName, file: &FileName) -> String {
        file.as_str().to_owned()
    }

    fn inspect(&self) -> Result<Inspection, Failure> {
        Err(Failure::new(FailureCode::Unsupported, Operation::Inspect, ""))
    }

    fn create_folder(&self, _: &FolderName) -> Result<(), Failure> {
        Ok(())
    }

    fn create(&self, _: &FolderName, _: &FileName, _: &WriteOptions) -> Result<Box<dyn WriteFile>, Failure> {
        let leaked =
            Box::leak(Box::new(Self { room: AtomicU64::new(self.room.load(Ordering::Relaxed)), kept: 0 }));
        Ok(Box::new(FailingFile(leaked)))
    }

    fn open(&self, _: &FolderName, _: &FileName, _: &ReadOptions) -> Result<Box<dyn ReadFile>, Failure> {
        Err(Failure::new(FailureCode::Unsupported, Operation::Open, ""))
    }

    fn update(&self, _: &FolderName, _: &FileName, _: &WriteOptions) -> Result<Box<dyn WriteFile>, Failure> {
        Err(Failure::new(FailureCode::Unsupported, Operation::Open, ""))
    }

    fn list(&self, _: &FolderName) -> Result<u64, Failure> {
        Ok(0)
    }

    fn size_of(&self, _: &FolderName, _: &FileName) -> Result<Bytes, Failure> {
        Ok(Bytes(self.kept.min(1 << 20)))
    }

    fn remove_file(&self, _: &FolderName, _: &FileName) -> Result<(), Failure> {
        Ok(())
    }

    fn remove_folder(&self, _: &FolderName) -> Result<(), Failure> {
        Ok(())
    }
}

impl WriteFile for FailingFile<'_> {
    fn write(&self, block: &[u8], _: u64) -> io::Result<()> {
        let length = block.len() as u64;
        let room = |room: u64| room.checked_sub(length);
        match self.0.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room) {
            Ok(_) => Ok(()),
            Err(_) => Err(ErrorKind::StorageFull.into()),
        }
    }

    fn mode(&self) -> WriteMode {
        CacheUse::default().write.unwrap_or(WriteMode::Buffered)
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
