//! Several handles of one file, opened alike.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::io::{AsRawHandle, IntoRawHandle};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::CloseHandle;
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::FSCTL_DISABLE_LOCAL_BUFFERING;

use super::super::sector::Sector;
use crate::table::remote::{is_remote, sectors};

/// What a file is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Volume {
    /// A network drive.
    pub(super) remote: bool,
    /// What requests past the cache are multiples of there.
    pub(super) sector: Sector,
}

/// Handles lent out to one operation each, all opened with the same flags. One more is opened whenever none is idle.
pub(super) struct Handles {
    path: PathBuf,
    open: OpenOptions,
    /// The redirector of a network drive is to keep nothing of these handles.
    ask_uncached: bool,
    /// It refused that for one of them.
    refused: AtomicBool,
    idle: Mutex<Vec<File>>,
}

impl Handles {
    /// No handle yet, and how to open them.
    pub(super) fn new(path: &Path, open: OpenOptions, ask_uncached: bool) -> Self {
        Self { path: path.to_owned(), open, ask_uncached, refused: false.into(), idle: Mutex::default() }
    }

    /// Opens the first handle, by creating the file when it is `new`, and tells what the file is on.
    pub(super) fn first(&self, new: bool) -> io::Result<Volume> {
        let first = self.opened(new)?;
        let volume = Volume { remote: is_remote(&first), sector: Sector::from_told(sectors(&first)) };
        self.idle().push(first);
        Ok(volume)
    }

    /// Opens handles until there are `count`, so that none has to be opened while the time runs.
    pub(super) fn fill(&self, count: u32) -> io::Result<()> {
        while self.idle().len() < count as usize {
            let file = self.opened(false)?;
            self.idle().push(file);
        }
        Ok(())
    }

    /// Lends a handle to `operate`.
    pub(super) fn with<T>(&self, operate: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
        let idle = self.idle().pop();
        let file = match idle {
            Some(file) => file,
            None => self.opened(false)?,
        };
        let result = operate(&file);
        self.idle().push(file);
        result
    }

    /// Whether the redirector took the order to keep nothing of any of these handles.
    pub(super) fn all_uncached(&self) -> bool {
        self.ask_uncached && !self.refused.load(Ordering::Acquire)
    }

    /// Closes them all and, unlike a drop, hears what the system answers: a network file system may tell a failed write
    /// only here. The first failure is the one told.
    pub(super) fn close(self) -> io::Result<()> {
        let files = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Every handle is closed, also after a failure.
        files.into_iter().map(close).fold(Ok(()), io::Result::and)
    }

    fn opened(&self, new: bool) -> io::Result<File> {
        let file = self.open.clone().create_new(new).open(&self.path)?;
        if self.ask_uncached && is_remote(&file) && !disable_local_buffering(&file) {
            self.refused.store(true, Ordering::Release);
        }
        Ok(file)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<File>> {
        // A list of handles is whole after every step, whatever became of the thread that held it.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the redirector to keep nothing of this handle on this machine (Windows 8 and later); `false` when it refuses.
fn disable_local_buffering(file: &File) -> bool {
    let mut length = 0;
    // SAFETY: the handle is open for as long as `file` is borrowed and was not opened for overlapped requests; the order
    // has neither input nor output, and `length` outlives the call.
    #[expect(unsafe_code, reason = "no library wraps this order")]
    let answered = unsafe {
        DeviceIoControl(
            file.as_raw_handle(),
            FSCTL_DISABLE_LOCAL_BUFFERING,
            ptr::null(),
            0,
            ptr::null_mut(),
            0,
            &raw mut length,
            ptr::null_mut(),
        )
    };
    answered != 0
}

fn close(file: File) -> io::Result<()> {
    // SAFETY: the handle was just taken out of its only owner, so it is open and nobody else closes it.
    #[expect(unsafe_code, reason = "no safe close tells its result")]
    let result = unsafe { CloseHandle(file.into_raw_handle()) };
    if result == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_one_of_the_protocol_documents() {
        // CTL_CODE(FILE_DEVICE_FILE_SYSTEM 9, function 174, METHOD_BUFFERED 0, FILE_ANY_ACCESS 0).
        assert_eq!(FSCTL_DISABLE_LOCAL_BUFFERING, 9 << 16 | 174 << 2);
        assert_eq!(FSCTL_DISABLE_LOCAL_BUFFERING, 0x0009_02B8);
    }
}
