//! How macOS makes written bytes durable, decided without asking it and tested on every system that has its numbers.

use std::sync::atomic::{AtomicBool, Ordering};

/// The call that makes a file's bytes durable. On a disk of this machine it is `F_FULLFSYNC` until its file system refuses
/// it, else `fsync`.
#[derive(Debug)]
pub(super) struct Flush(AtomicBool);

impl Flush {
    /// The way for a file on a mount with these flags of statfs(2).
    pub(super) fn on(mount: u32) -> Self {
        /// `MNT_LOCAL` of <sys/mount.h>.
        const LOCAL: u32 = 0x1000;
        Self((mount & LOCAL != 0).into())
    }

    /// Whether it is `F_FULLFSYNC`.
    pub(super) fn is_full(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Takes the error of an `F_FULLFSYNC`: whether it says that the file system has no such call, so that it is `fsync`
    /// from now on. FAT and drivers of other makers refuse it; any other error is a flush that failed.
    pub(super) fn falls_back(&self, error: Option<i32>) -> bool {
        let refused = matches!(error, Some(libc::ENOTSUP | libc::ENOTTY | libc::EINVAL));
        if refused {
            self.0.store(false, Ordering::Release);
        }
        refused
    }
}

/// Whether the error of a map says that a file system has no maps, so that nothing can be taken out of its cache or asked.
pub(super) const fn has_no_maps(error: Option<i32>) -> bool {
    matches!(error, Some(libc::ENODEV | libc::EINVAL | libc::ENOTSUP))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flags of mounts as macOS shows them: an APFS volume (local, journaled, multilabel …), and an SMB share.
    const DISK: u32 = 0x0480_9000;
    const SHARE: u32 = 0x0000_0018;

    #[test]
    fn a_disk_is_flushed_to_its_own_cache_and_a_share_by_its_protocol() {
        assert!(Flush::on(DISK).is_full());
        assert!(!Flush::on(SHARE).is_full());
        #[cfg(target_os = "macos")]
        assert!(Flush::on(libc::MNT_LOCAL.cast_unsigned()).is_full());
    }

    #[test]
    fn who_has_no_such_call_is_asked_once() {
        for error in [libc::ENOTSUP, libc::ENOTTY, libc::EINVAL] {
            let flush = Flush::on(DISK);
            assert!(flush.falls_back(Some(error)));
            assert!(!flush.is_full());
        }
    }

    #[test]
    fn a_flush_that_failed_is_no_refusal() {
        for error in [Some(libc::EIO), Some(libc::ENOSPC), Some(libc::EDQUOT), Some(libc::ENXIO), None] {
            let flush = Flush::on(DISK);
            assert!(!flush.falls_back(error));
            assert!(flush.is_full());
        }
    }

    #[test]
    fn only_what_has_no_maps_is_left_as_it_is() {
        assert!(has_no_maps(Some(libc::ENODEV)));
        // Bytes that could not be written back are a failure of the read's preparation.
        for error in [Some(libc::EIO), Some(libc::ENOSPC), Some(libc::ENOMEM), None] {
            assert!(!has_no_maps(error));
        }
    }
}
