//! Workers that cannot outlive this program: they belong to a job object, and the system ends all that belong to one when
//! its last handle is closed, however the program that held it came to its end.

use std::ffi::c_void;
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr;
use std::sync::OnceLock;

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
};

/// Ties a worker to this program. It is a second rope: the end of its input ends a worker as well, unless it is held by
/// the share. So a system that refuses is no reason not to measure.
pub(super) fn tie(child: &Child) {
    static TETHER: OnceLock<Option<Tether>> = OnceLock::new();
    if let Some(tether) = TETHER.get_or_init(|| Tether::new().ok()) {
        tether.tie(child).ok();
    }
}

/// A job object. Whoever drops it ends all that is tied to it.
struct Tether(OwnedHandle);

impl Tether {
    #[expect(unsafe_code, reason = "no library in use wraps these calls")]
    fn new() -> io::Result<Self> {
        // SAFETY: neither a name nor a description of rights is needed; a job without a name is nobody else's.
        let handle = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call above succeeded, so this is an open handle, and nobody else closes it. No other process
        // inherits it, since the description of rights that would say so was left out.
        let job = unsafe { OwnedHandle::from_raw_handle(handle) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let length = u32::try_from(size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>()).unwrap_or(0);
        // SAFETY: the handle is open, and the system reads the given length of `limits`, whose layout is the one that the
        // class names.
        let answered = unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast::<c_void>(),
                length,
            )
        };
        if answered == 0 { Err(io::Error::last_os_error()) } else { Ok(Self(job)) }
    }

    fn tie(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open for as long as they are borrowed.
        #[expect(unsafe_code, reason = "no library in use wraps this call")]
        let answered = unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) };
        if answered == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// What the test below starts: this test program, waiting for an end of input that does not come.
    #[test]
    #[ignore = "it is no test of its own"]
    fn waits_for_ever() {
        io::copy(&mut io::stdin(), &mut io::sink()).unwrap();
    }

    #[test]
    fn what_is_tied_ends_with_the_tether() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "process::tether::tests::waits_for_ever"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let tether = Tether::new().unwrap();
        tether.tie(&child).unwrap();
        assert!(child.try_wait().unwrap().is_none());
        drop(tether);
        child.wait().unwrap();
        // Held until now, so that it was not the end of its input.
        drop(input);
    }
}
