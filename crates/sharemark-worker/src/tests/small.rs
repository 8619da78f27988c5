//! Random blocks and small files, on a real folder.

use std::path::{Path, PathBuf};

use sharemark_model::{
    Bytes, DataKind, Durability, FailureCode, FileMix, FileName, FilesAction, FilesJob, Nanoseconds,
    RandomJob, ReadCache, SmallFile, Task, Transfer,
};
use sharemark_target::{MountTarget, Target};

use super::{file, folder, transfer, write_job};

const SIZE: u64 = 1 << 20;

fn place() -> (tempfile::TempDir, MountTarget) {
    let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let target = MountTarget::new(home.path());
    target.create_folder(&folder()).unwrap();
    (home, target)
}

fn random_job(reads_percent: u8, depth: u32) -> RandomJob {
    let write = write_job(SIZE, 65_536, 1);
    RandomJob {
        folder: folder(),
        file: file(),
        size: write.size,
        time_ns: None,
        block: Bytes(4096),
        depth,
        reads_percent,
        durability: Durability::Buffered,
        read_cache: ReadCache::Avoid,
        data: DataKind::Random,
        seed: write.seed,
        new_seed: 77,
    }
}

fn path(home: &tempfile::TempDir) -> PathBuf {
    home.path().join(folder().as_str()).join(file().as_str())
}

#[test]
fn every_block_is_touched_once_in_any_mixture() {
    for (reads, depth) in [(100, 1), (100, 32), (0, 1), (0, 8), (70, 4), (1, 2)] {
        let (home, target) = place();
        transfer(&target, Task::Write(write_job(SIZE, 65_536, 1)));
        let before = std::fs::read(path(&home)).unwrap();
        let done = transfer(&target, Task::Random(random_job(reads, depth)));
        assert_eq!((done.failure, done.verified), (None, Some(true)), "{reads} % at {depth}");
        assert_eq!((done.bytes, done.operations, done.depth), (Bytes(SIZE), SIZE / 4096, depth));
        assert!(done.latency.is_some_and(|latency| latency.p50 <= latency.p99));
        assert_eq!((done.cache.write.is_some(), done.cache.read.is_some()), (reads < 100, reads > 0));
        let after = std::fs::read(path(&home)).unwrap();
        let changed = before.chunks(4096).zip(after.chunks(4096)).filter(|(a, b)| a != b).count() as u64;
        let expected = SIZE / 4096 * u64::from(100 - reads) / 100;
        assert!(changed.abs_diff(expected) <= 30, "{changed} of {expected} blocks written over");
        assert_eq!(after.len() as u64, SIZE);
    }
}

#[test]
fn a_wrong_byte_is_found_at_random_places_as_well() {
    let (home, target) = place();
    transfer(&target, Task::Write(write_job(SIZE, 65_536, 1)));
    let mut bytes = std::fs::read(path(&home)).unwrap();
    bytes[300_000] ^= 1;
    std::fs::write(path(&home), bytes).unwrap();
    let done = transfer(&target, Task::Random(random_job(100, 2)));
    assert_eq!(done.verified, Some(false));
    let failure = done.failure.unwrap();
    assert_eq!((failure.code, failure.offset), (FailureCode::Mismatch, Some(Bytes(300_000))));
}

#[test]
fn a_file_smaller_than_a_block_is_no_place_for_random_blocks() {
    let (_home, target) = place();
    let job = RandomJob { size: Bytes(100), ..random_job(100, 1) };
    let shared = crate::shared::Shared::default();
    let failure = crate::random::random(&target, &job, &shared).unwrap_err();
    assert_eq!(failure.code, FailureCode::WrongSize);
}

fn small(count: u32) -> Vec<SmallFile> {
    (0..count)
        .map(|number| SmallFile {
            file: FileName::try_from(format!("s{number:04}.bin")).unwrap(),
            size: FileMix::Documents.size(number),
            seed: u64::from(number) + 100,
        })
        .collect()
}

fn files(target: &MountTarget, action: FilesAction, files: &[SmallFile], depth: u32) -> Transfer {
    transfer(
        target,
        Task::Files(FilesJob {
            folder: folder(),
            files: files.to_vec(),
            action,
            time_ns: None,
            block: Bytes::mebibytes(1),
            depth,
            durability: Durability::Flush,
            read_cache: ReadCache::Avoid,
            data: DataKind::Random,
        }),
    )
}

fn entries(home: &Path) -> usize {
    std::fs::read_dir(home.join(folder().as_str())).unwrap().count()
}

#[test]
fn small_files_are_written_listed_looked_at_read_and_removed() {
    for depth in [1, 4] {
        let (home, target) = place();
        let all = small(25);
        let total = Bytes(all.iter().map(|file| file.size.0).sum());
        for (action, operations, bytes) in [
            (FilesAction::Write, 25, total),
            (FilesAction::Stat, 25, Bytes(0)),
            (FilesAction::Read, 25, total),
        ] {
            let done = files(&target, action, &all, depth);
            assert_eq!((done.failure, done.operations, done.bytes), (None, operations, bytes), "{action:?}");
            assert_eq!(done.verified, (action == FilesAction::Read).then_some(true));
        }
        let listed = files(&target, FilesAction::List, &all, depth);
        assert!(listed.failure.is_none() && listed.operations >= 25 && listed.operations.is_multiple_of(25));
        // A mount's client may have answered from memory, and that is not called the share's speed.
        assert!(!listed.cache.ruled_out);
        assert_eq!(entries(home.path()), 25);
        let gone = files(&target, FilesAction::Delete, &all, depth);
        assert_eq!((gone.failure, gone.operations), (None, 25));
        assert_eq!(entries(home.path()), 0);
    }
}

#[test]
fn small_files_that_are_wrong_or_gone_are_told() {
    let (home, target) = place();
    let all = small(10);
    files(&target, FilesAction::Write, &all, 1);
    let place = home.path().join(folder().as_str());
    let victim = place.join(all[4].file.as_str());
    let mut bytes = std::fs::read(&victim).unwrap();
    bytes[7] ^= 1;
    std::fs::write(&victim, &bytes).unwrap();
    let read = files(&target, FilesAction::Read, &all, 2);
    assert_eq!(read.verified, Some(false));
    assert_eq!(read.failure.map(|failure| failure.code), Some(FailureCode::Mismatch));
    std::fs::write(&victim, &bytes[1..]).unwrap();
    let stat = files(&target, FilesAction::Stat, &all, 1);
    assert_eq!(stat.failure.map(|failure| failure.code), Some(FailureCode::WrongSize));
    std::fs::remove_file(&victim).unwrap();
    let list = files(&target, FilesAction::List, &all, 1);
    assert_eq!(list.failure.map(|failure| failure.code), Some(FailureCode::NotFound));
    // What is there already is nobody's to write over.
    let again = files(&target, FilesAction::Write, &all, 1);
    assert!(again.failure.is_some());
}

#[test]
fn a_short_time_ends_a_phase_of_small_files() {
    let (home, target) = place();
    let job = FilesJob {
        folder: folder(),
        files: small(50),
        action: FilesAction::Write,
        time_ns: Some(Nanoseconds(1)),
        block: Bytes::mebibytes(1),
        depth: 2,
        durability: Durability::Buffered,
        read_cache: ReadCache::Avoid,
        data: DataKind::Random,
    };
    let done = transfer(&target, Task::Files(job));
    assert_eq!(done.failure, None);
    assert!(done.operations < 50);
    assert_eq!(entries(home.path()) as u64, done.operations);
}
