//! Cache control on Linux.
//!
//! Past the cache is `O_DIRECT`; write-through is `O_DSYNC`. Where a file system refuses `O_DIRECT`, writes keep
//! `O_DSYNC` and reads begin after `posix_fadvise(POSIX_FADV_DONTNEED)`. Either way the kernel is asked what it still
//! holds of the file (`cachestat`, Linux 6.5, else `mincore`): a read of which nothing was resident came from further
//! away than this machine's page cache.
//!
//! The flags stand at the opening, all at once: a cifs client asks its server for write-through and no buffering only
//! there, and `O_DSYNC` set on an open file changes nothing on the wire.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{Advice, OFlags, fadvise, fcntl_getfl, fcntl_setfl};
use sharemark_model::{Bytes, CacheProof, CacheUse, Durability, ReadCache, ReadMode, WriteMode};

use super::closing::close;
use super::parts::Parts;
use super::residency::resident;
use crate::{ALIGNMENT, ReadFile, ReadOptions, WriteFile, WriteOptions};

/// How often the kernel is asked to drop a file that it still holds.
const PATIENCE: u32 = 8;

pub(super) struct Writer {
    file: File,
    durability: Durability,
    /// Whether requests still go past the cache.
    direct: AtomicBool,
    /// For the last bytes of a file, which no aligned request can write.
    tail: Option<File>,
}

pub(super) struct Reader {
    file: File,
    size: u64,
    cache: ReadCache,
    trusted: bool,
    direct: AtomicBool,
    found: OnceLock<(CacheProof, Option<Bytes>)>,
}

pub(super) fn create(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    let write_through = options.durability == Durability::WriteThrough;
    let create = |direct| {
        OpenOptions::new().write(true).create_new(true).custom_flags(flags(direct, write_through)).open(path)
    };
    let (file, direct) = past_the_cache(write_through && aligned(options.block), create, || {
        // A file system that refuses does so after it has created the file.
        std::fs::remove_file(path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })
    })?;
    let tail = (direct && !aligned(options.size))
        .then(|| OpenOptions::new().write(true).custom_flags(flags(false, true)).open(path))
        .transpose()?;
    Ok(Writer { file, durability: options.durability, direct: direct.into(), tail })
}

pub(super) fn update(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    let write_through = options.durability == Durability::WriteThrough;
    let open = |direct| OpenOptions::new().write(true).custom_flags(flags(direct, write_through)).open(path);
    // The file's tail is nobody's block here.
    let (file, direct) = past_the_cache(write_through && aligned(options.block), open, || Ok(()))?;
    Ok(Writer { file, durability: options.durability, direct: direct.into(), tail: None })
}

pub(super) fn open(path: &Path, options: &ReadOptions) -> io::Result<Reader> {
    let wanted = options.cache == ReadCache::Avoid && aligned(options.block);
    let open = |direct| OpenOptions::new().read(true).custom_flags(flags(direct, false)).open(path);
    let (file, direct) = past_the_cache(wanted, open, || Ok(()))?;
    let size = file.metadata()?.len();
    Ok(Reader {
        file,
        size,
        cache: options.cache,
        trusted: options.trusted,
        direct: direct.into(),
        found: OnceLock::new(),
    })
}

/// Free bytes for this user and the size of the file system; zeros are what a file system says that does not know.
pub(super) fn space(path: &Path) -> io::Result<(Option<Bytes>, Option<Bytes>)> {
    let stat = rustix::fs::statvfs(path)?;
    let total = stat.f_blocks.saturating_mul(stat.f_frsize);
    if total == 0 {
        return Ok((None, None));
    }
    Ok((Some(Bytes(stat.f_bavail.saturating_mul(stat.f_frsize))), Some(Bytes(total))))
}

/// Bytes of the whole machine's page cache that wait to be written back.
pub(super) fn unwritten() -> Option<Bytes> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |name: &str| -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.trim_start_matches(':').trim().split(' ').next()?.parse().ok()
    };
    Some(Bytes((kib("Dirty")? + kib("Writeback")?) * 1024))
}

pub(super) fn is_administrator() -> bool {
    rustix::process::geteuid().is_root()
}

fn aligned(block: Bytes) -> bool {
    block.0.is_multiple_of(ALIGNMENT as u64)
}

fn flags(direct: bool, write_through: bool) -> i32 {
    let mut flags = OFlags::CLOEXEC;
    if direct {
        flags |= OFlags::DIRECT;
    }
    if write_through {
        flags |= OFlags::DSYNC;
    }
    flags.bits().cast_signed()
}

/// Opens past the cache when wanted and possible, else, after `refused`, through it; `true` beside the file says that
/// requests go past the cache.
fn past_the_cache(
    wanted: bool,
    open: impl Fn(bool) -> io::Result<File>,
    refused: impl FnOnce() -> io::Result<()>,
) -> io::Result<(File, bool)> {
    if wanted {
        match open(true) {
            Err(error) if refuses_direct(&error) => refused()?,
            result => return result.map(|file| (file, true)),
        }
    }
    Ok((open(false)?, false))
}

fn refuses_direct(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EINVAL | libc::EOPNOTSUPP))
}

/// Turns `O_DIRECT` off for a file system that took it at the opening and refuses it now. Several threads may do so.
fn leave_direct(file: &File, direct: &AtomicBool) -> io::Result<()> {
    fcntl_setfl(file, fcntl_getfl(file)? - OFlags::DIRECT)?;
    direct.store(false, Ordering::Release);
    Ok(())
}

impl Writer {
    fn write_some(&self, block: &[u8], offset: u64) -> io::Result<usize> {
        if !self.direct.load(Ordering::Acquire) || block.len().is_multiple_of(ALIGNMENT) {
            return self.file.write_at(block, offset);
        }
        let whole = block.len() / ALIGNMENT * ALIGNMENT;
        if whole > 0 {
            return self.file.write_at(&block[..whole], offset);
        }
        // Without a second way in, the file itself is asked, and if it refuses the cache is no longer gone past.
        self.tail.as_ref().unwrap_or(&self.file).write_at(block, offset)
    }
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        let mut parts = Parts::default();
        while parts.done() < block.len() {
            let done = parts.done();
            match self.write_some(&block[done..], offset + done as u64) {
                Ok(count) => {
                    let aligned = self.direct.load(Ordering::Acquire) && done + count < block.len();
                    parts.advance(count, if aligned { ALIGNMENT } else { 1 }, ErrorKind::WriteZero)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if refuses_direct(&error) && self.direct.load(Ordering::Acquire) => {
                    leave_direct(&self.file, &self.direct)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn mode(&self) -> WriteMode {
        match self.durability {
            Durability::WriteThrough if self.direct.load(Ordering::Acquire) => WriteMode::DirectWriteThrough,
            Durability::WriteThrough => WriteMode::CachedWriteThrough,
            Durability::Flush => WriteMode::Flushed,
            Durability::Buffered => WriteMode::Buffered,
        }
    }

    fn flush(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        if let Some(tail) = self.tail {
            close(tail)?;
        }
        close(self.file)
    }
}

impl ReadFile for Reader {
    fn prepare(&self) -> io::Result<()> {
        if self.cache == ReadCache::Avoid {
            match self.file.sync_data() {
                // Some file systems cannot flush through a file that is open for reading only.
                Err(error)
                    if !matches!(error.raw_os_error(), Some(libc::EBADF | libc::EINVAL | libc::EACCES)) =>
                {
                    return Err(error);
                }
                _ => {}
            }
            for _ in 0..PATIENCE {
                fadvise(&self.file, 0, None, Advice::DontNeed)?;
                if matches!(resident(self.file.as_raw_fd(), self.size), (_, Some(Bytes(0)) | None)) {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        self.found.set(resident(self.file.as_raw_fd(), self.size)).ok();
        Ok(())
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        let mut parts = Parts::default();
        while parts.done() < length {
            let done = parts.done();
            let direct = self.direct.load(Ordering::Acquire);
            let end = if direct { length.next_multiple_of(ALIGNMENT).min(block.len()) } else { length };
            match self.file.read_at(&mut block[done..end], offset + done as u64) {
                Ok(0) => break,
                Ok(count) => {
                    let at_end = offset + (done + count) as u64 >= self.size;
                    let aligned = direct && done + count < length && !at_end;
                    parts.advance(count, if aligned { ALIGNMENT } else { 1 }, ErrorKind::UnexpectedEof)?;
                    if at_end {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if refuses_direct(&error) && direct => leave_direct(&self.file, &self.direct)?,
                Err(error) => return Err(error),
            }
        }
        Ok(parts.done().min(length))
    }

    fn cache(&self) -> CacheUse {
        let direct = self.direct.load(Ordering::Acquire);
        let (method, resident_bytes) = self.found.get().copied().unwrap_or_default();
        let empty = resident_bytes == Some(Bytes(0));
        let avoid = self.cache == ReadCache::Avoid;
        CacheUse {
            write: None,
            read: Some(match (avoid, direct) {
                (false, _) => ReadMode::Cached,
                (true, true) => ReadMode::Direct,
                (true, false) => ReadMode::Dropped,
            }),
            proof: match (avoid && empty, avoid && direct) {
                (true, _) => method,
                (false, true) => CacheProof::Accepted,
                (false, false) => CacheProof::None,
            },
            resident_bytes,
            ruled_out: avoid && self.trusted && (empty || direct),
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        close(self.file)
    }
}
