//! Cache control on macOS.
//!
//! There is no `O_DIRECT`. `F_NOCACHE` makes requests go past the cache where the file system can (its SMB client then
//! sends each request as it is, its NFS client keeps nothing of it), and pages that are in the cache already are still
//! used. So a read begins after the file was taken out of the cache, and the kernel is asked what is left (`mincore`):
//! only a read of which nothing was resident counts as coming from further away, never the acceptance of `F_NOCACHE`.
//! `F_RDAHEAD` turns off what would be read before it is asked for.
//!
//! Write-through is a flush after each block, inside its time. On a disk of this machine that is `F_FULLFSYNC`, the only
//! call that empties the drive's own cache as well. On a network mount it is `fsync`, which sends what the protocol has
//! for it (SMB: FLUSH, NFS: COMMIT) and waits for the acknowledgement; `F_FULLFSYNC` there is refused by the SMB client
//! unless the server announces it for Time Machine, so that it would measure the announcement. `O_SYNC` is no way at all:
//! the SMB client takes it for a promise that the server writes through, sends no such request in SMB 2 and 3, and then
//! leaves the flush out.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::OnceLock;

use rustix::fs::{fcntl_fullfsync, fcntl_nocache, fstatfs, fsync, statfs};
use sharemark_model::{Bytes, CacheProof, CacheUse, Durability, ReadCache, ReadMode, WriteMode};

use super::closing::close;
use super::macos_flush::{Flush, has_no_maps};
use super::residency::{discard, resident};
use crate::{ReadFile, ReadOptions, WriteFile, WriteOptions};

/// How often the cache is asked to let go of a file.
const PATIENCE: u32 = 8;

pub(super) struct Writer {
    file: File,
    durability: Durability,
    /// The system took `F_NOCACHE`.
    uncached: bool,
    flush: Flush,
}

pub(super) struct Reader {
    file: File,
    size: u64,
    cache: ReadCache,
    trusted: bool,
    /// The system took `F_NOCACHE`.
    uncached: bool,
    found: OnceLock<(CacheProof, Option<Bytes>)>,
}

pub(super) fn create(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    Ok(writer(OpenOptions::new().write(true).create_new(true).open(path)?, options))
}

pub(super) fn update(path: &Path, options: &WriteOptions) -> io::Result<Writer> {
    Ok(writer(OpenOptions::new().write(true).open(path)?, options))
}

fn writer(file: File, options: &WriteOptions) -> Writer {
    let write_through = options.durability == Durability::WriteThrough;
    Writer {
        uncached: write_through && fcntl_nocache(&file, true).is_ok(),
        flush: Flush::on(fstatfs(&file).map_or(0, |mount| mount.f_flags)),
        durability: options.durability,
        file,
    }
}

pub(super) fn open(path: &Path, options: &ReadOptions) -> io::Result<Reader> {
    let file = OpenOptions::new().read(true).open(path)?;
    let avoid = options.cache == ReadCache::Avoid;
    if avoid {
        // A file system without reading ahead may refuse to turn it off.
        turn_off_reading_ahead(&file);
    }
    Ok(Reader {
        size: file.metadata()?.len(),
        cache: options.cache,
        trusted: options.trusted,
        uncached: avoid && fcntl_nocache(&file, true).is_ok(),
        found: OnceLock::new(),
        file,
    })
}

/// Free bytes for this user and the size of the file system; zeros are what a file system says that does not know.
/// `statvfs` counts blocks in 32 bits here, too few for a large NAS.
pub(super) fn space(path: &Path) -> io::Result<(Option<Bytes>, Option<Bytes>)> {
    let stat = statfs(path)?;
    let block = u64::from(stat.f_bsize);
    let total = stat.f_blocks.saturating_mul(block);
    if total == 0 {
        return Ok((None, None));
    }
    Ok((Some(Bytes(stat.f_bavail.saturating_mul(block))), Some(Bytes(total))))
}

/// The system does not tell how much of its cache waits to be written back.
pub(super) fn unwritten() -> Option<Bytes> {
    None
}

pub(super) fn is_administrator() -> bool {
    rustix::process::geteuid().is_root()
}

fn turn_off_reading_ahead(file: &File) {
    // SAFETY: the descriptor is open for as long as `file` is borrowed, and the order takes a number.
    #[expect(unsafe_code, reason = "no library wraps this order")]
    unsafe {
        libc::fcntl(file.as_raw_fd(), libc::F_RDAHEAD, 0);
    }
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(block, offset)?;
        if self.durability == Durability::WriteThrough {
            self.flush()?;
        }
        Ok(())
    }

    fn mode(&self) -> WriteMode {
        match self.durability {
            Durability::WriteThrough if self.uncached => WriteMode::DirectWriteThrough,
            Durability::WriteThrough => WriteMode::CachedWriteThrough,
            Durability::Flush => WriteMode::Flushed,
            Durability::Buffered => WriteMode::Buffered,
        }
    }

    fn flush(&self) -> io::Result<()> {
        if self.flush.is_full() {
            match fcntl_fullfsync(&self.file).map_err(io::Error::from) {
                Err(error) if self.flush.falls_back(error.raw_os_error()) => {}
                result => return result,
            }
        }
        Ok(fsync(&self.file)?)
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        close(self.file)
    }
}

impl ReadFile for Reader {
    fn prepare(&self) -> io::Result<()> {
        let descriptor = self.file.as_raw_fd();
        if self.cache == ReadCache::Avoid {
            for _ in 0..PATIENCE {
                match discard(descriptor, self.size) {
                    Err(error) if has_no_maps(error.raw_os_error()) => break,
                    result => result?,
                }
                if matches!(resident(descriptor, self.size), (_, Some(Bytes(0)) | None)) {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        self.found.set(resident(descriptor, self.size)).ok();
        Ok(())
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        let mut done = 0;
        while done < length {
            match self.file.read_at(&mut block[done..length], offset + done as u64) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn cache(&self) -> CacheUse {
        let (method, resident_bytes) = self.found.get().copied().unwrap_or_default();
        let avoid = self.cache == ReadCache::Avoid;
        let empty = avoid && resident_bytes == Some(Bytes(0));
        CacheUse {
            write: None,
            read: Some(match (avoid, self.uncached) {
                (false, _) => ReadMode::Cached,
                (true, true) => ReadMode::Direct,
                (true, false) => ReadMode::Dropped,
            }),
            proof: if empty { method } else { CacheProof::None },
            resident_bytes,
            ruled_out: empty && self.trusted,
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        close(self.file)
    }
}
