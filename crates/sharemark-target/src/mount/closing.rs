//! Closing a file and hearing what the system answers.

use std::fs::File;
use std::io;
use std::os::fd::IntoRawFd;

/// Closes the file. Unlike a drop this hears the answer: a network file system may tell a failed write only here.
///
/// # Errors
/// What the system answered.
pub(super) fn close(file: File) -> io::Result<()> {
    // SAFETY: the descriptor was just taken out of its only owner, so it is open and nobody else closes it.
    #[expect(unsafe_code, reason = "no safe close tells its result")]
    let result = unsafe { libc::close(file.into_raw_fd()) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
