//! A console window that is closed, and a user who logs off.
//!
//! Windows ends a program as soon as it has answered such an event, and some five seconds later when it has not. So the
//! answer is never given: the run uses that time to clean up, and the program ends by itself when it has. What does not
//! get done in that time is named in the manifest, for `clean`.

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use sharemark_runner::Interrupts;
use windows_sys::Win32::System::Console::{
    CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, SetConsoleCtrlHandler,
};
use windows_sys::core::BOOL;

/// How long the operation under way may take before it is given up, so that cleaning up still fits in.
const PATIENCE: Duration = Duration::from_secs(2);

static INTERRUPTS: OnceLock<Interrupts> = OnceLock::new();

/// Has such an event stop the run. To be called after the handler of Ctrl-C is there: the last one set is asked first.
pub(super) fn listen_for_the_end(interrupts: &Interrupts) {
    if INTERRUPTS.set(interrupts.clone()).is_ok() {
        // SAFETY: the handler is a function that stays for as long as the program.
        #[expect(unsafe_code, reason = "no library tells these events from Ctrl-C")]
        unsafe {
            SetConsoleCtrlHandler(Some(on_event), 1);
        }
    }
}

/// Called by the system in a thread of its own.
extern "system" fn on_event(event: u32) -> BOOL {
    let Some(interrupts) = INTERRUPTS.get().filter(|_| ends_the_program(event)) else {
        return 0;
    };
    interrupts.request();
    thread::sleep(PATIENCE);
    interrupts.request();
    loop {
        thread::park();
    }
}

const fn ends_the_program(event: u32) -> bool {
    matches!(event, CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT)
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT};

    use super::*;

    #[test]
    fn a_closed_window_stops_the_run_and_ctrl_c_is_left_to_its_own_handler() {
        let interrupts = Interrupts::default();
        assert!(INTERRUPTS.set(interrupts.clone()).is_ok());
        for event in [CTRL_C_EVENT, CTRL_BREAK_EVENT] {
            assert_eq!(on_event(event), 0);
        }
        assert!(!interrupts.stop());
        // It never answers, since the answer would end the program.
        thread::spawn(|| on_event(CTRL_CLOSE_EVENT));
        while !interrupts.at_once() {
            thread::yield_now();
        }
    }
}
