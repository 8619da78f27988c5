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

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use sharemark_model::{Bytes, CacheProof, CacheUse, Durability, ReadCache, ReadMode, WriteMode};
use windows_sys::Win32::Foundation::ERROR_INVALID_PARAMETER;
use windows_sys::Win32::Security::{GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_NO_BUFFERING, FILE_FLAG_WRITE_THROUGH, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE,
    GetDiskFreeSpaceExW,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use crate::table::remote::{self, length_of};
use crate::table::windows_path::plain;
use crate::{ALIGNMENT, ReadFile, ReadOptions, WriteFile, WriteOptions};
use handles::Handles;

/// How often a short answer may be asked again without coming further before it counts as a failure.
const PATIENCE: u32 = 8;

/// A file's handles past the cache and through it.
struct Ways {
    direct: Option<Handles>,
    /// The system took the first request to go past the cache, at the opening, and refused a later one.
    left: AtomicBool,
    /// For every request when none goes past the cache, else for what no aligned request can do.
    plain: Handles,
    /// The file is on a network drive.
    remote: bool,
}

/// How a file is opened.
struct Way {
    open: OpenOptions,
    /// Flags of every handle.
    flags: u32,
    /// The file does not exist yet.
    new: bool,
    /// Requests are to leave this machine's cache out, as far as the system can.
    uncached: bool,
    block: Bytes,
    depth: u32,
}

pub(super) struct Writer {
    ways: Ways,
    durability: Durability,
}

pub(super) struct Reader {
    ways: Ways,
    size: u64,
    cache: ReadCache,
    honest: bool,
}

pub(super) fn create(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    let write_through = options.durability == Durability::WriteThrough;
    let mut open = OpenOptions::new();
    // Others may write only because the further handles of this process do. A delete is let through, so that a file
    // which an abandoned process still holds can be removed: it is gone when that process is.
    open.write(true).share_mode(FILE_SHARE_WRITE | FILE_SHARE_DELETE);
    let flags = if write_through { FILE_FLAG_WRITE_THROUGH } else { 0 };
    let refused = || {
        // A file system that refuses may do so after it has created the file.
        std::fs::remove_file(path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })
    };
    let way =
        Way { open, flags, new: true, uncached: write_through, block: options.block, depth: options.depth };
    Ok(Writer { ways: Ways::open(path, &way, refused)?, durability: options.durability })
}

pub(super) fn open(path: &Path, options: &ReadOptions, honest: bool) -> io::Result<Reader> {
    let avoid = options.cache == ReadCache::Avoid;
    let mut open = OpenOptions::new();
    open.read(true).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    let way = Way { open, flags: 0, new: false, uncached: avoid, block: options.block, depth: options.depth };
    let ways = Ways::open(path, &way, || Ok(()))?;
    let (size, offline) = ways.any().with(|file| {
        let offline = remote::protocol(file).is_some_and(|protocol| protocol.offline);
        Ok((file.metadata()?.len(), offline))
    })?;
    // Offline Files answer out of their own copy, whatever the redirector was told.
    Ok(Reader { ways, size, cache: options.cache, honest: honest && !offline })
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

fn aligned(block: Bytes) -> bool {
    block.0.is_multiple_of(ALIGNMENT as u64)
}

fn refuses_direct(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_INVALID_PARAMETER.cast_signed())
}

impl Ways {
    /// Opens a handle for each operation under way, past the cache when that is wanted and possible, else, after
    /// `refused`, through it.
    fn open(path: &Path, way: &Way, refused: impl FnOnce() -> io::Result<()>) -> io::Result<Self> {
        let handles = |flags| {
            let mut open = way.open.clone();
            open.custom_flags(flags);
            Handles::new(path, open, way.uncached)
        };
        let left = AtomicBool::new(false);
        let plain = handles(way.flags);
        if way.uncached && aligned(way.block) {
            let direct = handles(way.flags | FILE_FLAG_NO_BUFFERING);
            match direct.fill(way.depth, way.new) {
                Err(error) if refuses_direct(&error) => refused()?,
                result => {
                    let remote = result?;
                    return Ok(Self { direct: Some(direct), left, plain, remote });
                }
            }
        }
        let remote = plain.fill(way.depth, way.new)?;
        Ok(Self { direct: None, left, plain, remote })
    }

    /// The handles past the cache, while requests go past it.
    fn direct(&self) -> Option<&Handles> {
        self.direct.as_ref().filter(|_| !self.left.load(Ordering::Acquire))
    }

    /// The handles in use.
    fn any(&self) -> &Handles {
        self.direct().unwrap_or(&self.plain)
    }

    /// Whether the redirector of a network drive took the order to keep nothing of any handle in use.
    fn uncached(&self) -> bool {
        self.remote && self.any().all_uncached()
    }

    /// Goes on through the cache. Several threads may do so.
    fn leave_direct(&self) {
        self.left.store(true, Ordering::Release);
    }

    fn close(self) -> io::Result<()> {
        let first = self.direct.map_or(Ok(()), Handles::close);
        first.and(self.plain.close())
    }
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        let mut done = 0;
        let mut idle = 0;
        while done < block.len() {
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
                    let mut reached = done + count;
                    // The rest of a short direct write must begin aligned again; some bytes are written twice.
                    if direct.is_some() && count < whole {
                        reached = reached / ALIGNMENT * ALIGNMENT;
                    }
                    idle = if reached > done { 0 } else { idle + 1 };
                    if idle > PATIENCE {
                        return Err(ErrorKind::WriteZero.into());
                    }
                    done = reached.max(done);
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
        let mut done = 0;
        let mut idle = 0;
        while done < length {
            let direct = self.ways.direct().is_some();
            let end = if direct { length.next_multiple_of(ALIGNMENT).min(block.len()) } else { length };
            let (part, at) = (&mut block[done..end], offset + done as u64);
            match self.ways.any().with(|file| file.seek_read(part, at)) {
                Ok(0) => break,
                Ok(count) => {
                    let mut reached = done + count;
                    let at_end = offset + reached as u64 >= self.size;
                    // The rest of a short direct read must begin aligned again; some bytes are read twice.
                    if direct && reached < length && !at_end {
                        reached = reached / ALIGNMENT * ALIGNMENT;
                    }
                    idle = if reached > done { 0 } else { idle + 1 };
                    if idle > PATIENCE {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                    done = reached.max(done);
                    if at_end {
                        break;
                    }
                }
                Err(error) if refuses_direct(&error) && direct => self.ways.leave_direct(),
                Err(error) => return Err(error),
            }
        }
        Ok(done.min(length))
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
            ruled_out: accepted && self.honest,
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.ways.close()
    }
}
