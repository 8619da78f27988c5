//! Cache control on Windows.
//!
//! Past the cache is `FILE_FLAG_NO_BUFFERING`; write-through is `FILE_FLAG_WRITE_THROUGH`. Where the first is refused, or
//! the blocks are not aligned for it, requests go through the cache, and the effective mode says so.
//!
//! On a network drive those flags are not the whole of it: the redirector may keep a file's bytes on this machine by
//! right of a lease, whoever opens it. `FSCTL_DISABLE_LOCAL_BUFFERING` tells it not to, handle by handle, and only its
//! acceptance counts there as a sign that the bytes came from the server. Windows tells nobody what of a file its cache
//! holds, so an acceptance is all the proof there is.
//!
//! The system carries out one request at a time on a handle opened like these, so that each operation under way has a
//! handle of its own.

mod handles;
mod ways;

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::ptr;

use sharemark_model::{Bytes, CacheProof, CacheUse, Durability, ReadCache, ReadMode, WriteMode};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_WRITE_THROUGH, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, GetDiskFreeSpaceExW,
};

use super::parts::Parts;
use crate::table::windows_path::{is_device, plain, verbatim};
use crate::table::{remote, windows_session};
use crate::{ReadFile, ReadOptions, WriteFile, WriteOptions};
use ways::{Way, Ways, refuses_direct};

/// A path of this length, and a name in it, is too long for Windows (`MAX_PATH`, 260) unless `\\?\` stands before it;
/// the standard library sees to that by itself.
const LONGEST_PLAIN: usize = 247;

pub(super) struct Writer {
    ways: Ways,
    durability: Durability,
}

pub(super) struct Reader {
    ways: Ways,
    size: u64,
    cache: ReadCache,
    trusted: bool,
}

pub(super) fn create(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    // Others may write only because the further handles of this process do. A delete is let through, so that a file
    // which an abandoned process still holds can be removed: it is gone when that process is.
    writer(path, options, true, FILE_SHARE_WRITE | FILE_SHARE_DELETE)
}

pub(super) fn update(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    // This process may read the file at the same time.
    writer(path, options, false, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
}

fn writer(path: &Path, options: &WriteOptions, new: bool, share: u32) -> io::Result<Writer> {
    let write_through = options.durability == Durability::WriteThrough;
    let mut open = OpenOptions::new();
    open.write(true).share_mode(share);
    let flags = if write_through { FILE_FLAG_WRITE_THROUGH } else { 0 };
    let refused = || {
        if !new {
            return Ok(());
        }
        // A file system that refuses may do so after it has created the file.
        std::fs::remove_file(path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })
    };
    let way = Way { open, flags, new, uncached: write_through, block: options.block, depth: options.depth };
    Ok(Writer { ways: Ways::open(path, &way, refused)?, durability: options.durability })
}

pub(super) fn open(path: &Path, options: &ReadOptions) -> io::Result<Reader> {
    let avoid = options.cache == ReadCache::Avoid;
    let mut open = OpenOptions::new();
    let others = if options.also_written { FILE_SHARE_WRITE } else { 0 };
    open.read(true).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE | others);
    let way = Way { open, flags: 0, new: false, uncached: avoid, block: options.block, depth: options.depth };
    let ways = Ways::open(path, &way, || Ok(()))?;
    let (size, offline) = ways.any().with(|file| {
        let offline = remote::protocol(file).is_some_and(|protocol| protocol.offline);
        Ok((file.metadata()?.len(), offline))
    })?;
    // Offline Files answer out of their own copy, whatever the redirector was told.
    Ok(Reader { ways, size, cache: options.cache, trusted: options.trusted && !offline })
}

/// The path with every link followed, as a person writes it. A device, whose name Windows may read in any folder (`NUL`,
/// `COM1`), is not opened for that.
pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
    if std::path::absolute(path)?.to_str().is_some_and(is_device) {
        return Err(ErrorKind::NotADirectory.into());
    }
    match std::fs::canonicalize(path) {
        Ok(found) => Ok(found.to_str().map_or(found.clone(), |text| plain(text).into())),
        // Drivers that the mount manager does not know of, those of memory disks for example, cannot tell a final path.
        Err(error) => match std::fs::metadata(path) {
            Ok(_) => std::path::absolute(path),
            Err(_) => Err(error),
        },
    }
}

/// Free bytes for this user, by quota where there is one, and the size of the file system as far as this user may fill
/// it; zeros are what a file system says that does not know.
pub(super) fn space(path: &Path) -> io::Result<(Option<Bytes>, Option<Bytes>)> {
    let mut name: Vec<u16> = path.as_os_str().encode_wide().collect();
    if name.len() >= LONGEST_PLAIN {
        let full = std::path::absolute(path)?;
        if let Some(full) = full.to_str() {
            name = verbatim(full).encode_utf16().collect();
        }
    }
    // A share's name must end with a separator here.
    if name.last() != Some(&u16::from(b'\\')) {
        name.push(u16::from(b'\\'));
    }
    name.push(0);
    let (mut free, mut total) = (0u64, 0u64);
    // SAFETY: `name` ends with a zero and outlives the call, as do both numbers; the third answer may be left out.
    #[expect(unsafe_code, reason = "no safe call tells a file system's free space")]
    let answered =
        unsafe { GetDiskFreeSpaceExW(name.as_ptr(), &raw mut free, &raw mut total, ptr::null_mut()) };
    match (answered, total) {
        (0, _) => Err(io::Error::last_os_error()),
        (_, 0) => Ok((None, None)),
        _ => Ok((Some(Bytes(free)), Some(Bytes(total)))),
    }
}

/// Windows counts its modified pages, but without telling those of files from those of programs.
pub(super) fn unwritten() -> Option<Bytes> {
    None
}

/// Whether this process runs as administrator.
pub(super) fn is_administrator() -> bool {
    windows_session::is_administrator()
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        let mut parts = Parts::default();
        let sector = self.ways.sector();
        while parts.done() < block.len() {
            let done = parts.done();
            let rest = &block[done..];
            let at = offset + done as u64;
            let whole = sector.whole(rest.len());
            // The last bytes of a file no aligned request can write.
            let direct = if whole > 0 { self.ways.direct_from(at) } else { None };
            let result = match direct {
                Some(handles) => handles.with(|file| file.seek_write(&rest[..whole], at)),
                None => self.ways.plain.with(|file| file.seek_write(rest, at)),
            };
            match result {
                Ok(count) => {
                    let unit = if direct.is_some() && count < whole { sector.unit() } else { 1 };
                    parts.advance(count, unit, ErrorKind::WriteZero)?;
                }
                Err(error) if refuses_direct(&error) && direct.is_some() => self.ways.leave_direct(),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn mode(&self) -> WriteMode {
        match self.durability {
            Durability::WriteThrough if self.ways.direct().is_some() || self.ways.uncached() => {
                WriteMode::DirectWriteThrough
            }
            Durability::WriteThrough => WriteMode::CachedWriteThrough,
            Durability::Flush => WriteMode::Flushed,
            Durability::Buffered => WriteMode::Buffered,
        }
    }

    fn flush(&self) -> io::Result<()> {
        // The flush of one handle is the flush of the file.
        self.ways.any().with(std::fs::File::sync_data)
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.ways.close()
    }
}

impl ReadFile for Reader {
    /// Nothing is left to do: a handle past the cache frees what the cache holds of the file by itself, and nobody can
    /// look into what another one leaves.
    fn prepare(&self) -> io::Result<()> {
        Ok(())
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        let mut parts = Parts::default();
        let sector = self.ways.sector();
        while parts.done() < length {
            let done = parts.done();
            let at = offset + done as u64;
            let whole = sector.read_length(length - done, block.len() - done);
            if whole.is_none() {
                self.ways.leave_direct();
            }
            let direct = self.ways.direct_from(at).zip(whole);
            let (handles, part) = direct.unwrap_or((&self.ways.plain, length - done));
            match handles.with(|file| file.seek_read(&mut block[done..done + part], at)) {
                Ok(0) => break,
                Ok(count) => {
                    let at_end = at + count as u64 >= self.size;
                    let aligned = direct.is_some() && done + count < length && !at_end;
                    parts.advance(
                        count,
                        if aligned { sector.unit() } else { 1 },
                        ErrorKind::UnexpectedEof,
                    )?;
                    if at_end {
                        break;
                    }
                }
                Err(error) if refuses_direct(&error) && direct.is_some() => self.ways.leave_direct(),
                Err(error) => return Err(error),
            }
        }
        Ok(parts.done().min(length))
    }

    fn cache(&self) -> CacheUse {
        let avoid = self.cache == ReadCache::Avoid;
        let direct = self.ways.direct().is_some();
        let uncached = self.ways.uncached();
        let remote = self.ways.remote();
        let accepted = avoid && if remote { uncached } else { direct };
        CacheUse {
            write: None,
            read: Some(if avoid && (direct || uncached) { ReadMode::Direct } else { ReadMode::Cached }),
            proof: match (accepted, avoid && remote) {
                (true, _) => CacheProof::Accepted,
                (false, true) => CacheProof::Refused,
                (false, false) => CacheProof::None,
            },
            resident_bytes: None,
            ruled_out: accepted && self.trusted,
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.ways.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AlignedBuffer;

    const BLOCK: usize = 8192;

    fn read_options(block: u64, depth: u32) -> ReadOptions {
        ReadOptions {
            cache: ReadCache::Avoid,
            trusted: true,
            block: Bytes(block),
            depth,
            also_written: false,
        }
    }

    fn written(path: &Path, block: usize, depth: u8) -> WriteMode {
        let options = WriteOptions {
            durability: Durability::WriteThrough,
            size: Bytes(block as u64 * u64::from(depth)),
            block: Bytes(block as u64),
            depth: depth.into(),
        };
        let writer = create(path, &options).unwrap();
        std::thread::scope(|scope| {
            for number in 0..depth {
                let writer = &writer;
                scope.spawn(move || {
                    let mut buffer = AlignedBuffer::new(block).unwrap();
                    buffer.bytes_mut().fill(number + 1);
                    let offset = u64::from(number) * block as u64;
                    writer.write(&buffer.bytes()[..block], offset).unwrap();
                });
            }
        });
        let mode = writer.mode();
        writer.flush().unwrap();
        Box::new(writer).close().unwrap();
        mode
    }

    #[test]
    fn several_operations_are_under_way_at_once() {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = home.path().join("file");
        assert_eq!(written(&path, BLOCK, 4), WriteMode::DirectWriteThrough);
        let bytes = std::fs::read(&path).unwrap();
        for (number, block) in bytes.chunks(BLOCK).enumerate() {
            assert!(block.iter().all(|byte| usize::from(*byte) == number + 1));
        }
        let options = read_options(BLOCK as u64, 4);
        let reader = open(&path, &options).unwrap();
        std::thread::scope(|scope| {
            for number in 0..4u8 {
                let reader = &reader;
                scope.spawn(move || {
                    let mut buffer = AlignedBuffer::new(BLOCK).unwrap();
                    let offset = u64::from(number) * BLOCK as u64;
                    assert_eq!(reader.read(buffer.bytes_mut(), BLOCK, offset).unwrap(), BLOCK);
                    assert!(buffer.bytes().iter().all(|byte| *byte == number + 1));
                });
            }
        });
        Box::new(reader).close().unwrap();
    }

    #[test]
    fn blocks_that_are_not_aligned_go_through_the_cache_and_that_is_said() {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = home.path().join("file");
        assert_eq!(written(&path, 1000, 1), WriteMode::CachedWriteThrough);
        let options = read_options(1000, 1);
        let reader = open(&path, &options).unwrap();
        let mut buffer = AlignedBuffer::new(1000).unwrap();
        assert_eq!(reader.read(buffer.bytes_mut(), 1000, 0).unwrap(), 1000);
        let used = reader.cache();
        assert_eq!((used.read, used.ruled_out), (Some(ReadMode::Cached), false));
        Box::new(reader).close().unwrap();
    }

    #[test]
    fn the_volume_tells_which_blocks_go_past_the_cache() {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = home.path().join("probe");
        let probe = std::fs::File::create(&path).unwrap();
        let told = remote::sectors(&probe);
        let unit = super::super::sector::Sector::from_told(told).unit();
        for (number, block) in [unit, unit * 3, unit / 2].into_iter().enumerate() {
            let path = home.path().join(number.to_string());
            let mode = written(&path, block, 1);
            let direct = block.is_multiple_of(unit);
            assert_eq!(mode == WriteMode::DirectWriteThrough, direct, "{told:?} {block}");
            assert_eq!(std::fs::metadata(&path).unwrap().len(), block as u64);
            let reader = open(&path, &read_options(block as u64, 1)).unwrap();
            let mut buffer = AlignedBuffer::new(block).unwrap();
            assert_eq!(reader.read(buffer.bytes_mut(), block, 0).unwrap(), block);
            assert_eq!(reader.cache().read == Some(ReadMode::Direct), direct, "{told:?} {block}");
            Box::new(reader).close().unwrap();
        }
    }

    #[test]
    fn a_request_that_cannot_begin_there_ends_the_claim() {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = home.path().join("file");
        assert_eq!(written(&path, BLOCK, 2), WriteMode::DirectWriteThrough);
        let reader = open(&path, &read_options(BLOCK as u64, 1)).unwrap();
        let mut buffer = AlignedBuffer::new(BLOCK).unwrap();
        assert_eq!(reader.read(buffer.bytes_mut(), BLOCK, 0).unwrap(), BLOCK);
        assert_eq!(reader.cache().read, Some(ReadMode::Direct));
        assert_eq!(reader.read(buffer.bytes_mut(), 100, 8100).unwrap(), 100);
        assert_eq!(buffer.bytes()[..100], [[1; 92].as_slice(), &[2; 8]].concat());
        assert_eq!(reader.cache().read, Some(ReadMode::Cached));
        Box::new(reader).close().unwrap();
    }

    #[test]
    fn a_file_that_is_opened_again_is_never_removed() {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = home.path().join("file");
        written(&path, BLOCK, 2);
        for block in [512, 1000, BLOCK] {
            let options = WriteOptions {
                durability: Durability::WriteThrough,
                size: Bytes(2 * BLOCK as u64),
                block: Bytes(block as u64),
                depth: 1,
            };
            Box::new(update(&path, &options).unwrap()).close().unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().len(), 2 * BLOCK as u64);
        }
    }

    #[test]
    fn a_file_that_is_still_held_can_be_removed() {
        let home = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = home.path().join("file");
        let options = WriteOptions {
            durability: Durability::WriteThrough,
            size: Bytes(0),
            block: Bytes(BLOCK as u64),
            depth: 2,
        };
        let writer = create(&path, &options).unwrap();
        std::fs::remove_file(&path).unwrap();
        Box::new(writer).close().unwrap();
        assert!(!path.exists());
    }
}
