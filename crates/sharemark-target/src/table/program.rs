//! Asking a program of the system, which may be missing, or be held by a server that is gone.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

/// More is no answer of a program that tells facts.
const LONGEST: u64 = 1 << 20;

/// What the program prints, when it ends well before `deadline`; it is stopped then, and not waited for, since a program
/// that the kernel holds cannot be stopped. It inherits no variable: those of this process may hold a password.
pub(super) fn answer_of(program: &str, arguments: &[&str], deadline: Instant) -> Option<String> {
    let limit = deadline.checked_duration_since(Instant::now())?;
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let output = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut answer = Vec::new();
        let read = output.take(LONGEST).read_to_end(&mut answer);
        sender.send(read.is_ok().then_some(answer)).ok();
    });
    let answer = receiver.recv_timeout(limit).ok().flatten();
    // One that closed its output has nothing more to say. The system forgets it when this process ends, soon, if not now.
    child.kill().ok();
    child.try_wait().ok();
    String::from_utf8(answer?).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn shell(script: &str, limit: Duration) -> Option<String> {
        answer_of("/bin/sh", &["-c", script], Instant::now() + limit)
    }

    #[test]
    fn the_answer_is_what_is_printed() {
        let minute = Duration::from_secs(60);
        assert_eq!(shell("echo 写真; echo no >&2", minute).unwrap(), "写真\n");
        assert_eq!(shell("exit 1", minute).unwrap(), "");
        assert_eq!(shell("printf '\\377'", minute), None);
        assert_eq!(answer_of("/nowhere/smbutil", &[], Instant::now() + minute), None);
    }

    #[test]
    fn who_does_not_answer_is_not_waited_for() {
        assert_eq!(shell("echo begun; exec sleep 600", Duration::from_millis(50)), None);
        assert_eq!(shell("echo late", Duration::ZERO), None);
    }

    #[test]
    fn no_more_is_read_than_an_answer_can_be() {
        let answer = shell("while :; do echo yes; done", Duration::from_secs(60)).unwrap();
        assert_eq!(answer.len() as u64, LONGEST);
    }

    #[test]
    fn no_variable_of_this_process_is_told() {
        let told = shell("echo ${CARGO_MANIFEST_DIR-none}", Duration::from_secs(60)).unwrap();
        assert_eq!(told, "none\n");
    }
}
