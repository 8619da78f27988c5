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
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use std::path::{Path, PathBuf};
use std::ptr;

use sharemark_model::{Bytes, CacheProof, CacheUse, Durability, ReadCache, ReadMode, WriteMode};
use windows_sys::Win32::Security::{GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_WRITE_THROUGH, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, GetDiskFreeSpaceExW,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use super::parts::Parts;
use crate::table::remote::{self, length_of};
use crate::table::windows_path::plain;
use crate::{ALIGNMENT, ReadFile, ReadOptions, WriteFile, WriteOptions};
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

/// The path with every link followed, as a person writes it.
pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
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
        name = std::fs::canonicalize(path)?.as_os_str().encode_wide().collect();
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

/// Whether this process runs elevated. Such a process does not see the drives that the user mapped.
#[expect(unsafe_code, reason = "no safe call tells whether a process is elevated")]
pub(super) fn is_administrator() -> bool {
    let mut token = ptr::null_mut();
    // SAFETY: the process handle is a constant that needs no closing, and `token` outlives the call.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
        return false;
    }
    // SAFETY: the call above succeeded, so this is an open handle, and nobody else closes it.
    let _closed_at_the_end = unsafe { OwnedHandle::from_raw_handle(token) };
    let mut elevation = TOKEN_ELEVATION::default();
    let mut length = 0;
    // SAFETY: `token` is open, and the system writes at most the given length into `elevation`, whose layout is the one
    // that the class names.
    let answered = unsafe {
        GetTokenInformation(
            token,
            TokenElevation,
            (&raw mut elevation).cast(),
            length_of::<TOKEN_ELEVATION>(),
            &raw mut length,
        )
    };
    answered != 0 && elevation.TokenIsElevated != 0
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        let mut parts = Parts::default();
        while parts.done() < block.len() {
            let done = parts.done();
            let rest = &block[done..];
            let at = offset + done as u64;
            let whole = rest.len() / ALIGNMENT * ALIGNMENT;
            // The last bytes of a file no aligned request can write.
            let direct = self.ways.direct().filter(|_| whole > 0);
            let result = match direct {
                Some(handles) => handles.with(|file| file.seek_write(&rest[..whole], at)),
                None => self.ways.plain.with(|file| file.seek_write(rest, at)),
            };
            match result {
                Ok(count) => {
                    parts.advance(count, direct.is_some() && count < whole, ErrorKind::WriteZero)?;
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
        while parts.done() < length {
            let done = parts.done();
            let direct = self.ways.direct().is_some();
            let end = if direct { length.next_multiple_of(ALIGNMENT).min(block.len()) } else { length };
            let (part, at) = (&mut block[done..end], offset + done as u64);
            match self.ways.any().with(|file| file.seek_read(part, at)) {
                Ok(0) => break,
                Ok(count) => {
                    let at_end = offset + (done + count) as u64 >= self.size;
                    let aligned = direct && done + count < length && !at_end;
                    parts.advance(count, aligned, ErrorKind::UnexpectedEof)?;
                    if at_end {
                        break;
                    }
                }
                Err(error) if refuses_direct(&error) && direct => self.ways.leave_direct(),
                Err(error) => return Err(error),
            }
        }
        Ok(parts.done().min(length))
    }

    fn cache(&self) -> CacheUse {
        let avoid = self.cache == ReadCache::Avoid;
        let direct = self.ways.direct().is_some();
        let uncached = self.ways.uncached();
        let accepted = avoid && if self.ways.remote { uncached } else { direct };
        CacheUse {
            write: None,
            read: Some(if avoid && (direct || uncached) { ReadMode::Direct } else { ReadMode::Cached }),
            proof: if accepted { CacheProof::Accepted } else { CacheProof::None },
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
