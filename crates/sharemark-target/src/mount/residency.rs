//! What the Linux kernel's page cache holds of a file.

use std::os::fd::RawFd;
use std::ptr;

use sharemark_model::{Bytes, CacheProof};

/// How many bytes of the first `size` of the open file are in the page cache, and which call told so; `None` when
/// neither call is answered.
pub(super) fn resident(file: RawFd, size: u64) -> (CacheProof, Option<Bytes>) {
    if let Some(bytes) = by_cachestat(file) {
        return (CacheProof::Cachestat, Some(bytes));
    }
    match by_mincore(file, size) {
        Some(bytes) => (CacheProof::Mincore, Some(bytes)),
        None => (CacheProof::None, None),
    }
}

fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

/// `struct cachestat_range` and `struct cachestat` of <linux/mman.h>.
#[repr(C)]
struct Range {
    offset: u64,
    /// Zero is to the end of the file.
    length: u64,
}

#[repr(C)]
#[derive(Default)]
struct Counts {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

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
    /// The part of the file looked at in one go, so that the map and the list stay small.
    const WINDOW: u64 = 256 << 20;
    let mut pages = 0u64;
    let mut offset = 0;
    while offset < size {
        let length = usize::try_from(WINDOW.min(size - offset)).ok()?;
        pages += mincore_window(file, offset, length)?;
        offset += WINDOW;
    }
    Some(Bytes(pages * page_size()))
}

#[expect(unsafe_code, reason = "a map is looked at, never dereferenced")]
fn mincore_window(file: RawFd, offset: u64, length: usize) -> Option<u64> {
    let offset = libc::off_t::try_from(offset).ok()?;
    let page = usize::try_from(page_size()).ok()?;
    let mut list = vec![0u8; length.div_ceil(page)];
    // SAFETY: a new shared read-only map of an open file at an aligned offset; it is unmapped below and its memory is
    // never touched.
    let map = unsafe {
        libc::mmap(
            ptr::null_mut(),
            length,
            libc::PROT_READ,
            libc::MAP_SHARED,
            file,
            offset,
        )
    };
    if map == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: `map` is a map of `length` bytes, and `list` has a byte for each of its pages.
    let answered = unsafe { libc::mincore(map, length, list.as_mut_ptr()) } == 0;
    // SAFETY: exactly the map made above.
    unsafe { libc::munmap(map, length) };
    answered.then(|| list.iter().filter(|page| **page & 1 == 1).count() as u64)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn both_calls_see_a_file_that_was_just_written() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("file");
        fs::write(&path, vec![1u8; 1 << 20]).unwrap();
        let file = fs::File::open(&path).unwrap();
        assert_eq!(by_mincore(file.as_raw_fd(), 1 << 20), Some(Bytes(1 << 20)));
        if let Some(bytes) = by_cachestat(file.as_raw_fd()) {
            assert_eq!(bytes, Bytes(1 << 20));
        } else {
            eprintln!("skipped: this kernel has no cachestat");
        }
    }
}
