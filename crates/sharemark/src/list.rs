//! `sharemark` alone: what can be measured here.

use std::env;
use std::time::Duration;

use sharemark_model::{ListedMount, MountState};
use sharemark_report::listing;
use sharemark_runner::{ProcessExecutor, SystemClock, list_mounts};
use sharemark_target::table::{self, Absent};

use crate::console::Console;
use crate::exit::{Exit, Problem};

/// A mount that has not answered after this time is called silent.
const LIMIT: Duration = Duration::from_secs(3);

/// Lists the mounts, with the command to type.
///
/// # Errors
/// When this program cannot find itself, or standard output cannot be written.
pub(crate) fn list(console: &Console) -> Result<Exit, Problem> {
    let mut listed = list_mounts(&executor()?, &SystemClock::default(), LIMIT);
    let present: Vec<_> = listed.iter().map(|listed| listed.mount.clone()).collect();
    let absent = table::absent(&present);
    let elevated = absent.elevated;
    listed.extend(remembered(absent));
    console.result(&listing::mounts(&listed, elevated, console.words(), &console.style()))?;
    Ok(Exit::Done)
}

/// The drives that are not there. They are not asked: what is not connected has nothing to ask.
fn remembered(absent: Absent) -> impl Iterator<Item = ListedMount> {
    let state = if absent.elevated { MountState::Hidden } else { MountState::Disconnected };
    absent.drives.into_iter().map(move |mount| ListedMount { mount, state: state.clone() })
}

/// Workers are this very program.
pub(crate) fn executor() -> Result<ProcessExecutor, Problem> {
    env::current_exe().map(ProcessExecutor::new).map_err(|error| Problem::failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use sharemark_model::{MountFacts, MountKind};

    use super::*;

    #[test]
    fn a_drive_that_is_not_there_is_called_what_can_be_known_of_it() {
        let drive = MountFacts {
            kind: MountKind::Network,
            file_system: "SMB".to_owned(),
            source: r"\\nas\Public".to_owned(),
            mount_point: r"W:\".to_owned(),
            server: Some("nas".to_owned()),
            options: Vec::new(),
        };
        for (elevated, state) in [(false, MountState::Disconnected), (true, MountState::Hidden)] {
            let absent = Absent { elevated, drives: vec![drive.clone()] };
            let listed: Vec<_> = remembered(absent).collect();
            assert_eq!(listed, [ListedMount { mount: drive.clone(), state }]);
        }
    }
}
