//! What every engine must do alike, whatever its protocol.

use std::thread;

use sharemark_model::{
    Bytes, DataKind, Durability, FailureCode, FileName, FolderName, Place, ReadCache, WriteMode,
};
use sharemark_target::generator::Generator;
use sharemark_target::{AlignedBuffer, ReadOptions, Target, WriteOptions, reach};

const BLOCK: usize = 300_000;

/// What a protocol can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Able {
    /// Blocks of a new file may be written in any order.
    pub(crate) any_order: bool,
    /// A part of a file can be written.
    pub(crate) updates: bool,
    /// What write-through is in effect.
    pub(crate) write_through: WriteMode,
}

fn folder() -> FolderName {
    FolderName::for_run("conformance").unwrap()
}

fn file(name: &str) -> FileName {
    FileName::try_from(format!("{name}.bin")).unwrap()
}

fn options(durability: Durability, size: usize) -> WriteOptions {
    WriteOptions { durability, size: Bytes(size as u64), block: Bytes(BLOCK as u64), depth: 4 }
}

/// Goes through everything a target does, twice over a new connection, and leaves nothing.
pub(crate) fn check(place: &Place, able: Able) {
    let target = reach(place).unwrap();
    let found = target.inspect().unwrap();
    assert_eq!(found.path, place.to_string());
    assert!(found.server.is_some_and(|facts| !facts.is_empty()));
    target.create_folder(&folder()).unwrap();
    assert!(target.create_folder(&folder()).is_err(), "a folder that exists is not made again");
    for durability in [Durability::WriteThrough, Durability::Flush, Durability::Buffered] {
        for size in [1, BLOCK, 5 * BLOCK + 17] {
            write(&*target, size, durability, able);
            read(&*target, size);
            target.remove_file(&folder(), &file("r001")).unwrap();
        }
    }
    update(&*target, able);
    absent_and_foreign(&*target);
    // Another connection finds what this one left, and removes it.
    write(&*target, BLOCK, Durability::WriteThrough, able);
    drop(target);
    let target = reach(place).unwrap();
    assert_eq!(target.list(&folder()).unwrap(), 1);
    assert_eq!(target.remove_folder(&folder()).unwrap_err().code, FailureCode::NotEmpty);
    target.remove_file(&folder(), &file("r001")).unwrap();
    target.remove_folder(&folder()).unwrap();
    assert!(target.list(&folder()).is_err());
}

fn write(target: &dyn Target, size: usize, durability: Durability, able: Able) {
    let generator = Generator::new(DataKind::Random, 7);
    let writer = target.create(&folder(), &file("r001"), &options(durability, size)).unwrap();
    let mut offsets: Vec<usize> = (0..size).step_by(BLOCK).collect();
    if able.any_order {
        offsets.reverse();
    }
    let write_at = |offset: usize| {
        let length = BLOCK.min(size - offset);
        let mut buffer = AlignedBuffer::new(BLOCK).unwrap();
        generator.fill(&mut buffer.bytes_mut()[..length], offset as u64);
        writer.write(&buffer.bytes()[..length], offset as u64).unwrap();
    };
    if able.any_order {
        thread::scope(|scope| {
            for chunk in offsets.chunks(2) {
                scope.spawn(|| chunk.iter().copied().for_each(write_at));
            }
        });
    } else {
        offsets.into_iter().for_each(write_at);
    }
    let mode = writer.mode();
    if durability == Durability::WriteThrough {
        assert_eq!(mode, able.write_through);
    }
    if durability == Durability::Flush {
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    assert_eq!(target.size_of(&folder(), &file("r001")).unwrap(), Bytes(size as u64));
    // What exists is not written over.
    assert!(target.create(&folder(), &file("r001"), &options(durability, size)).is_err());
}

fn read_options() -> ReadOptions {
    ReadOptions {
        cache: ReadCache::Avoid,
        trusted: true,
        block: Bytes(BLOCK as u64),
        depth: 4,
        also_written: false,
    }
}

fn read(target: &dyn Target, size: usize) {
    let generator = Generator::new(DataKind::Random, 7);
    let reader = target.open(&folder(), &file("r001"), &read_options()).unwrap();
    reader.prepare().unwrap();
    let offsets: Vec<usize> = (0..size).step_by(BLOCK).collect();
    thread::scope(|scope| {
        for chunk in offsets.chunks(2) {
            let (reader, generator) = (&reader, &generator);
            scope.spawn(move || {
                let mut buffer = AlignedBuffer::new(BLOCK).unwrap();
                for &offset in chunk {
                    let length = BLOCK.min(size - offset);
                    assert_eq!(reader.read(buffer.bytes_mut(), length, offset as u64).unwrap(), length);
                    assert_eq!(generator.check(&buffer.bytes()[..length], offset as u64), Ok(()));
                }
            });
        }
    });
    let mut buffer = AlignedBuffer::new(BLOCK).unwrap();
    // Across the end and beyond it there is less than asked.
    assert_eq!(reader.read(buffer.bytes_mut(), BLOCK, (size - 1) as u64).unwrap(), 1);
    assert_eq!(reader.read(buffer.bytes_mut(), BLOCK, size as u64).unwrap(), 0);
    assert!(reader.cache().ruled_out);
    reader.close().unwrap();
}

fn update(target: &dyn Target, able: Able) {
    write(target, 2 * BLOCK, Durability::WriteThrough, able);
    let again = target.update(&folder(), &file("r001"), &options(Durability::WriteThrough, 2 * BLOCK));
    if able.updates {
        let writer = again.unwrap();
        let generator = Generator::new(DataKind::Random, 7);
        let mut buffer = AlignedBuffer::new(4096).unwrap();
        generator.fill(buffer.bytes_mut(), 8192);
        writer.write(buffer.bytes(), 8192).unwrap();
        writer.close().unwrap();
        read(target, 2 * BLOCK);
    } else {
        assert_eq!(again.err().map(|failure| failure.code), Some(FailureCode::Unsupported));
    }
    target.remove_file(&folder(), &file("r001")).unwrap();
}

fn absent_and_foreign(target: &dyn Target) {
    let absent = target.open(&folder(), &file("r009"), &read_options()).err().unwrap();
    assert_eq!(absent.code, FailureCode::NotFound);
    assert_eq!(target.size_of(&folder(), &file("r009")).unwrap_err().code, FailureCode::NotFound);
    target.remove_file(&folder(), &file("r009")).unwrap();
    let elsewhere = FolderName::for_run("elsewhere").unwrap();
    target.remove_file(&elsewhere, &file("r001")).unwrap();
    target.remove_folder(&elsewhere).unwrap();
}
