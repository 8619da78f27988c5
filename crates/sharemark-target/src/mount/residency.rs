//! What the kernel's page cache holds of a file, on the systems that tell it.

use std::ffi::c_void;
#[cfg(target_os = "macos")]
use std::io;
use std::os::fd::RawFd;
use std::ptr;

use sharemark_model::{Bytes, CacheProof};

/// The part of a file that is mapped in one go, so that the map and the list of its pages stay small.
const PART: u64 = 256 << 20;

/// How many bytes of the first `size` of the open file are in the page cache, and which call told so; `None` when
/// no call is answered.
pub(super) fn resident(file: RawFd, size: u64) -> (CacheProof, Option<Bytes>) {
    #[cfg(target_os = "linux")]
    if let Some(bytes) = by_cachestat(file) {
        return (CacheProof::Cachestat, Some(bytes));
    }
    match by_mincore(file, size) {
        Some(bytes) => (CacheProof::Mincore, Some(bytes)),
        None => (CacheProof::None, None),
    }
}

/// Takes the first `size` bytes of the open file out of the page cache. macOS has no advice for that, but writes back and
/// frees every page of a map that is to be invalidated (`msync` with `MS_INVALIDATE`; fio does the same).
///
/// # Errors
/// When the file cannot be mapped, or what the system answered.
#[cfg(target_os = "macos")]
pub(super) fn discard(file: RawFd, size: u64) -> io::Result<()> {
    for (offset, length) in parts(size) {
        let answer = with_map(file, offset, length, |map| {
            // SAFETY: `map` is a map of `length` bytes, and nobody looks into its memory.
            #[expect(unsafe_code, reason = "a map is invalidated, never dereferenced")]
            let answer = unsafe { libc::msync(map, length, libc::MS_INVALIDATE) };
            if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        });
        // The failed map left the system's answer behind.
        answer.unwrap_or_else(|| Err(io::Error::last_os_error()))?;
    }
    Ok(())
}

fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

/// `struct cachestat_range` and `struct cachestat` of <linux/mman.h>.
#[cfg(target_os = "linux")]
#[repr(C)]
struct Range {
    offset: u64,
    /// Zero is to the end of the file.
    length: u64,
}

#[cfg(target_os = "linux")]
#[repr(C)]
#[derive(Default)]
struct Counts {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

#[cfg(target_os = "linux")]
fn by_cachestat(file: RawFd) -> Option<Bytes> {
    /// The same number on every architecture (include/uapi/asm-generic/unistd.h).
    const SYS_CACHESTAT: libc::c_long = 451;
    let range = Range { offset: 0, length: 0 };
    let mut counts = Counts::default();
    // SAFETY: the kernel reads `range` and writes `counts`, which have the layouts it names and outlive the call.
    #[expect(unsafe_code, reason = "no library wraps this call")]
    let result = unsafe { libc::syscall(SYS_CACHESTAT, file, &raw const range, &raw mut counts, 0) };
    (result == 0).then(|| Bytes(counts.cached.saturating_mul(page_size())))
}

fn by_mincore(file: RawFd, size: u64) -> Option<Bytes> {
    let mut pages = 0u64;
    for (offset, length) in parts(size) {
        pages += mincore_part(file, offset, length)?;
    }
    Some(Bytes(pages * page_size()))
}

/// The offsets and lengths of the parts that a file of `size` bytes is mapped in.
fn parts(size: u64) -> impl Iterator<Item = (u64, usize)> {
    (0..size.div_ceil(PART)).map_while(move |number| {
        let offset = number * PART;
        Some((offset, usize::try_from(PART.min(size - offset)).ok()?))
    })
}

fn mincore_part(file: RawFd, offset: u64, length: usize) -> Option<u64> {
    let page = usize::try_from(page_size()).ok()?;
    let mut list = vec![0u8; length.div_ceil(page)];
    let answered = with_map(file, offset, length, |map| {
        // SAFETY: `map` is a map of `length` bytes, and `list` has a byte for each of its pages.
        #[expect(unsafe_code, reason = "a map is looked at, never dereferenced")]
        let answer = unsafe { libc::mincore(map, length, list.as_mut_ptr().cast()) };
        answer == 0
    })?;
    // The lowest bit says that the page is in memory, on macOS as well (`MINCORE_INCORE`).
    answered.then(|| list.iter().filter(|page| **page & 1 == 1).count() as u64)
}

/// Maps a part of the file, lends the map to `look` and unmaps it; `None` when it cannot be mapped.
#[expect(unsafe_code, reason = "a map is made and unmade, never dereferenced")]
fn with_map<T>(file: RawFd, offset: u64, length: usize, look: impl FnOnce(*mut c_void) -> T) -> Option<T> {
    let offset = libc::off_t::try_from(offset).ok()?;
    // SAFETY: a new shared read-only map of an open file at an aligned offset; it is unmapped below and its memory is
    // never touched.
    let map = unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, file, offset) };
    if map == libc::MAP_FAILED {
        return None;
    }
    let seen = look(map);
    // SAFETY: exactly the map made above.
    unsafe { libc::munmap(map, length) };
    Some(seen)
}

#[cfg(test)]
mod tests {
    use std::fs;
    #[cfg(target_os = "linux")]
    use std::io::Write as _;
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn a_file_that_was_just_written_is_seen() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("file");
        fs::write(&path, vec![1u8; 1 << 20]).unwrap();
        let file = fs::File::open(&path).unwrap();
        assert_eq!(by_mincore(file.as_raw_fd(), 1 << 20), Some(Bytes(1 << 20)));
        #[cfg(target_os = "linux")]
        if let Some(bytes) = by_cachestat(file.as_raw_fd()) {
            assert_eq!(bytes, Bytes(1 << 20));
        } else {
            writeln!(std::io::stderr(), "skipped: this kernel has no cachestat").ok();
        }
    }

    #[test]
    fn the_parts_of_a_file_cover_it_once() {
        for size in [0, 1, PART, PART + 1, 3 * PART - 1] {
            let mut end = 0;
            for (offset, length) in parts(size) {
                assert_eq!((offset, offset % PART), (end, 0));
                end += length as u64;
            }
            assert_eq!(end, size);
        }
    }
}
