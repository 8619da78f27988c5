//! Past the cache or through it.

use std::fs::OpenOptions;
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use sharemark_model::Bytes;
use windows_sys::Win32::Foundation::ERROR_INVALID_PARAMETER;
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_NO_BUFFERING;

use super::super::sector::Sector;
use super::handles::{Handles, Volume};

/// A file's handles past the cache and through it.
pub(super) struct Ways {
    direct: Option<Handles>,
    /// The system took the first request to go past the cache, at the opening, and refused a later one.
    left: AtomicBool,
    /// For every request when none goes past the cache, else for what no aligned request can do.
    pub(super) plain: Handles,
    /// What the file is on.
    volume: Volume,
}

/// How a file is opened.
pub(super) struct Way {
    pub(super) open: OpenOptions,
    /// Flags of every handle.
    pub(super) flags: u32,
    /// The file does not exist yet.
    pub(super) new: bool,
    /// Requests are to leave this machine's cache out, as far as the system can.
    pub(super) uncached: bool,
    pub(super) block: Bytes,
    pub(super) depth: u32,
}

pub(super) fn refuses_direct(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_INVALID_PARAMETER.cast_signed())
}

impl Ways {
    /// Opens a handle for each operation under way, past the cache when that is wanted and possible, else, after
    /// `refused`, through it.
    pub(super) fn open(path: &Path, way: &Way, refused: impl FnOnce() -> io::Result<()>) -> io::Result<Self> {
        let handles = |flags| {
            let mut open = way.open.clone();
            open.custom_flags(flags);
            Handles::new(path, open, way.uncached)
        };
        let left = AtomicBool::new(false);
        let plain = handles(way.flags);
        // Only an open file tells its volume's sector; a block that fits none needs no question.
        if way.uncached && Sector::SMALLEST.fits(way.block) {
            let direct = handles(way.flags | FILE_FLAG_NO_BUFFERING);
            let opened = direct.first(way.new).and_then(|volume| {
                let fits = volume.sector.fits(way.block);
                if fits {
                    direct.fill(way.depth)?;
                }
                Ok(fits.then_some(volume))
            });
            match opened {
                Ok(Some(volume)) => return Ok(Self { direct: Some(direct), left, plain, volume }),
                Err(error) if !refuses_direct(&error) => return Err(error),
                // A file that is still held keeps its name for as long.
                _ => drop(direct),
            }
            refused()?;
        }
        let volume = plain.first(way.new)?;
        plain.fill(way.depth)?;
        Ok(Self { direct: None, left, plain, volume })
    }

    /// The handles past the cache, while requests go past it.
    pub(super) fn direct(&self) -> Option<&Handles> {
        self.direct.as_ref().filter(|_| !self.left.load(Ordering::Acquire))
    }

    /// The handles in use.
    pub(super) fn any(&self) -> &Handles {
        self.direct().unwrap_or(&self.plain)
    }

    /// Whether the redirector of a network drive took the order to keep nothing of any handle in use.
    pub(super) fn uncached(&self) -> bool {
        self.volume.remote && self.any().all_uncached()
    }

    /// Whether the file is on a network drive.
    pub(super) const fn remote(&self) -> bool {
        self.volume.remote
    }

    /// What requests past the cache are multiples of.
    pub(super) const fn sector(&self) -> Sector {
        self.volume.sector
    }

    /// The handles past the cache for an operation that begins at `offset`. One that cannot begin there goes through the
    /// cache, and so does all that follows: the claim holds for every operation or for none.
    pub(super) fn direct_from(&self, offset: u64) -> Option<&Handles> {
        if !self.volume.sector.begins_at(offset) {
            self.leave_direct();
        }
        self.direct()
    }

    /// Goes on through the cache. Several threads may do so.
    pub(super) fn leave_direct(&self) {
        self.left.store(true, Ordering::Release);
    }

    pub(super) fn close(self) -> io::Result<()> {
        let first = self.direct.map_or(Ok(()), Handles::close);
        first.and(self.plain.close())
    }
}
