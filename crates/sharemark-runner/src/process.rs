//! Jobs done by a worker process of this program.

#[cfg(windows)]
mod tether;

use std::env;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use sharemark_model::{Job, Order, PROTOCOL_VERSION, ParentMessage, WorkerMessage};

use crate::executor::{Executor, Heard, Running};

/// Starts `PROGRAM worker` for each job.
#[derive(Clone, Debug)]
pub struct ProcessExecutor {
    program: PathBuf,
}

impl ProcessExecutor {
    /// Uses the program at this path, which is sharemark itself.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into() }
    }
}

impl Executor for ProcessExecutor {
    fn start(&self, job: &Job) -> io::Result<Box<dyn Running>> {
        let mut command = Command::new(&self.program);
        command.arg("worker").env("RUST_BACKTRACE", "0");
        // A password comes with the job, through the pipe; what is in the environment can be looked at from outside.
        for (name, _) in env::vars_os().filter(|(name, _)| is_password(name)) {
            command.env_remove(name);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        apart(&mut command);
        let mut child = command.spawn()?;
        #[cfg(windows)]
        tether::tie(&child);
        let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let errors = child.stderr.take().ok_or_else(missing)?;
        // A worker that died before it listened says why in its last words.
        send(&mut input, Order::Start(Box::new(job.clone()))).ok();
        Ok(Box::new(Process { child: Some(child), input: Some(input), words: words(output, errors) }))
    }
}

fn is_password(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"SHAREMARK_PASSWORD")
}

/// A Ctrl-C in the terminal goes to every process of the foreground group: the worker must not be in it, since it is
/// the parent that decides what a Ctrl-C ends.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(windows)]
fn apart(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

fn send(input: &mut ChildStdin, order: Order) -> io::Result<()> {
    let mut line = serde_json::to_vec(&ParentMessage { v: PROTOCOL_VERSION, order })?;
    line.push(b'\n');
    input.write_all(&line)?;
    input.flush()
}

struct Process {
    child: Option<Child>,
    input: Option<ChildStdin>,
    words: Receiver<Heard>,
}

/// Reads what the worker says in a thread of its own, since only a channel can be waited on for a limited time.
fn words(output: impl Read + Send + 'static, errors: impl Read + Send + 'static) -> Receiver<Heard> {
    let last_words = thread::spawn(move || last_line(errors));
    let (give, take) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { break };
            let heard = match serde_json::from_str::<WorkerMessage>(&line) {
                Ok(message) if message.v == PROTOCOL_VERSION => Heard::Told(message.told),
                Ok(message) => Heard::Ended(Some(format!("protocol version {}", message.v))),
                Err(error) => Heard::Ended(Some(error.to_string())),
            };
            if give.send(heard).is_err() {
                return;
            }
        }
        give.send(Heard::Ended(last_words.join().ok().flatten())).ok();
    });
    take
}

/// The last line that says something: of a panic, what it was about.
fn last_line(errors: impl Read) -> Option<String> {
    const ENOUGH: usize = 500;
    let mut last = None;
    for line in BufReader::new(errors).lines() {
        let Ok(line) = line else { break };
        if !line.trim().is_empty() && !line.starts_with("note:") {
            last = Some(line.chars().take(ENOUGH).collect());
        }
    }
    last
}

impl Running for Process {
    fn next(&mut self, wait: Duration) -> Heard {
        match self.words.recv_timeout(wait) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::Ended(None),
        }
    }

    fn cancel(&mut self) {
        if let Some(input) = &mut self.input {
            // A worker that does not listen any more is about to end anyway.
            send(input, Order::Cancel).ok();
        }
    }

    fn abandon(&mut self) {
        if let Some(child) = &mut self.child {
            // In an uninterruptible operation it dies when the operation ends: nobody waits for that.
            child.kill().ok();
        }
        self.input = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input ends a worker that still runs.
        self.input = None;
        if let Some(mut child) = self.child.take() {
            // Somebody has to collect its exit, whenever that comes; not this thread.
            thread::spawn(move || child.wait());
        }
    }
}
