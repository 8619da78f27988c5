//! The process: one job in, progress and one outcome out.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use sharemark_model::{
    Failure, FailureCode, Job, Operation, Order, Outcome, PROTOCOL_VERSION, ParentMessage, Place, Stage,
    Task, Told, WorkerMessage,
};
use sharemark_target::{Target, reach};

use crate::shared::{Shared, lock};
use crate::{clocks, files, housekeeping, random, read, write};

/// How often a worker tells how far it is.
const HEARTBEAT: Duration = Duration::from_millis(100);

/// Why a worker could not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The parent's line could not be read, or there was none.
    #[error("no job came in")]
    NoJob(#[source] Option<io::Error>),
    /// The line is no message of this protocol.
    #[error("the line is no job: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The parent speaks another version of the protocol.
    #[error("the parent speaks version {0} of the protocol, this worker version {PROTOCOL_VERSION}")]
    Version(u32),
    /// The outcome could not be written.
    #[error("the parent does not listen")]
    Output(#[source] io::Error),
}

/// Reads one job from `input`, does it, and writes progress and its outcome to `output`, a line of JSON each. When
/// `input` ends before, the parent is gone, and this process ends at once.
///
/// # Errors
/// When no job came in or the outcome could not be written. A job that fails is no error here: its outcome says so.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let mut lines = BufReader::new(input).lines();
    let line = match lines.next() {
        Some(Ok(line)) => line,
        Some(Err(error)) => return Err(ServeError::NoJob(Some(error))),
        None => return Err(ServeError::NoJob(None)),
    };
    let message: ParentMessage = serde_json::from_str(&line)?;
    if message.v != PROTOCOL_VERSION {
        return Err(ServeError::Version(message.v));
    }
    let Order::Start(job) = message.order else {
        return Err(ServeError::NoJob(None));
    };

    let output = Arc::new(Mutex::new(output));
    let shared = Arc::new(Shared::default());
    let reached = Arc::new(OnceLock::new());
    listen(lines, Arc::clone(&shared));
    shared.enter(Stage::Housekeeping);
    tell_progress(Arc::clone(&shared), Arc::clone(&reached), Arc::clone(&output));
    let outcome = match reach(&job.place) {
        Ok(target) => perform(&job, &**reached.get_or_init(|| target), &shared),
        Err(failure) => Outcome::Failed(failure),
    };
    tell(&output, Told::Outcome(Box::new(outcome))).map_err(ServeError::Output)
}

pub(crate) fn perform(job: &Job, target: &dyn Target, shared: &Shared) -> Outcome {
    let moved = |result: Result<_, Failure>| match result {
        Ok(transfer) => Outcome::Transferred(Box::new(transfer)),
        Err(failure) => Outcome::Failed(failure),
    };
    shared.enter(Stage::Housekeeping);
    match &job.task {
        Task::Inspect => housekeeping::inspect(target),
        Task::CreateFolder { folder } => housekeeping::create_folder(target, folder),
        Task::Remove { folder, files, folder_too } => {
            housekeeping::remove(target, folder, files, *folder_too, shared)
        }
        Task::Write(task) if task.block.0 == 0 || task.depth == 0 => impossible(&job.place),
        Task::Read(task) if task.block.0 == 0 || task.depth == 0 => impossible(&job.place),
        Task::Random(task) if task.block.0 == 0 || task.depth == 0 => impossible(&job.place),
        Task::Files(task) if task.block.0 == 0 || task.depth == 0 => impossible(&job.place),
        Task::Write(task) => moved(write::write(target, task, shared)),
        Task::Read(task) => moved(read::read(target, task, shared)),
        Task::Random(task) => moved(random::random(target, task, shared)),
        Task::Files(task) => moved(files::files(target, task, shared)),
    }
}

fn impossible(place: &Place) -> Outcome {
    Outcome::Failed(Failure::new(FailureCode::Unsupported, Operation::Worker, place.to_string()))
}

/// Waits for the parent's word, and for its end.
fn listen(lines: impl Iterator<Item = io::Result<String>> + Send + 'static, shared: Arc<Shared>) {
    thread::spawn(move || {
        for line in lines {
            let Ok(line) = line else { break };
            let message = serde_json::from_str::<ParentMessage>(&line);
            if matches!(message, Ok(ParentMessage { order: Order::Cancel, .. })) {
                shared.cancel();
            }
        }
        // Nobody is left to tell; what was begun is in the manifest.
        process::exit(1);
    });
}

fn tell_progress(
    shared: Arc<Shared>,
    target: Arc<OnceLock<Arc<dyn Target>>>,
    output: Arc<Mutex<impl Write + Send + 'static>>,
) {
    thread::spawn(move || {
        loop {
            let mut progress = shared.progress();
            if matches!(progress.stage, Stage::Flushing | Stage::Closing) {
                progress.unwritten = target.get().and_then(|target| target.unwritten());
            }
            if tell(&output, Told::Progress(progress)).is_err() {
                process::exit(1);
            }
            if let Some(pause) = clocks::nap(HEARTBEAT) {
                shared.note_pause(pause);
            }
        }
    });
}

fn tell(output: &Mutex<impl Write>, told: Told) -> io::Result<()> {
    let mut line = serde_json::to_vec(&WorkerMessage { v: PROTOCOL_VERSION, told })?;
    line.push(b'\n');
    let mut output = lock(output);
    output.write_all(&line)?;
    output.flush()
}
