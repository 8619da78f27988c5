//! The seam between the runner and whoever does a job: a process in the product, a script in tests.

use std::io;
use std::time::Duration;

use sharemark_model::{Job, Told};

/// Starts jobs.
pub trait Executor {
    /// Starts a job and returns at once.
    ///
    /// # Errors
    /// When nothing could be started.
    fn start(&self, job: &Job) -> io::Result<Box<dyn Running>>;
}

/// A job under way.
pub trait Running {
    /// Waits up to `wait` for the next word.
    fn next(&mut self, wait: Duration) -> Heard;

    /// Asks the job to end after the operation under way.
    fn cancel(&mut self);

    /// Gives the job up: it is told to die, and nobody waits until it does.
    fn abandon(&mut self);
}

/// What came from a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A word.
    Told(Told),
    /// Nothing, for as long as was waited.
    Silence,
    /// The job ended without an outcome; with its last words, if it had any.
    Ended(Option<String>),
}
