//! `sharemark` alone: what can be measured here.

use std::env;
use std::time::Duration;

use sharemark_report::listing;
use sharemark_runner::{ProcessExecutor, SystemClock, list_mounts};

use crate::console::Console;
use crate::exit::{Exit, Problem};

/// A mount that has not answered after this time is called silent.
const LIMIT: Duration = Duration::from_secs(3);

/// Lists the mounts, with the command to type.
///
/// # Errors
/// When this program cannot find itself, or standard output cannot be written.
pub(crate) fn list(console: &Console) -> Result<Exit, Problem> {
    let listed = list_mounts(&executor()?, &SystemClock::default(), LIMIT);
    console.result(&listing::mounts(&listed, console.words(), &console.style()))?;
    Ok(Exit::Done)
}

/// Workers are this very program.
pub(crate) fn executor() -> Result<ProcessExecutor, Problem> {
    env::current_exe().map(ProcessExecutor::new).map_err(|error| Problem::failed(error.to_string()))
}
