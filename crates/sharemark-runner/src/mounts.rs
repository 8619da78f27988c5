//! The mounts of this machine, each asked for its free space by a worker of its own: one whose server is gone costs the
//! time limit and nothing more.

use std::time::Duration;

use sharemark_model::{
    Failure, FailureCode, Job, ListedMount, MountState, Operation, Outcome, Place, Task, Told,
};
use sharemark_target::table;

use crate::executor::{Executor, Heard, Running};

/// Lists what can be measured here. All mounts are asked at once; who has not answered after `limit` is called silent.
#[must_use]
pub fn list_mounts(executor: &dyn Executor, clock: &dyn crate::Clock, limit: Duration) -> Vec<ListedMount> {
    let asked: Vec<_> = table::list()
        .into_iter()
        .map(|mount| {
            let job = Job { place: Place::Folder(mount.mount_point.clone()), task: Task::Inspect };
            (mount, executor.start(&job))
        })
        .collect();
    let until = clock.now() + limit;
    asked
        .into_iter()
        .map(|(mount, started)| {
            let state = match started {
                Ok(mut running) => answer(&mut *running, clock, until, &mount.mount_point),
                Err(error) => MountState::Refused(
                    Failure::new(FailureCode::WorkerDied, Operation::Worker, mount.mount_point.clone())
                        .with_system(error.to_string()),
                ),
            };
            ListedMount { mount, state }
        })
        .collect()
}

fn answer(running: &mut dyn Running, clock: &dyn crate::Clock, until: Duration, place: &str) -> MountState {
    loop {
        let left = until.saturating_sub(clock.now());
        match running.next(left) {
            Heard::Told(Told::Outcome(outcome)) => {
                return match *outcome {
                    Outcome::Inspected(found) => MountState::Answers { free: found.free, total: found.total },
                    Outcome::Failed(failure) => MountState::Refused(failure),
                    _ => MountState::Refused(crate::clean::unexpected(&place)),
                };
            }
            Heard::Ended(_) => return MountState::Refused(crate::clean::unexpected(&place)),
            // What has come already is heard, however late it is by now.
            Heard::Told(Told::Progress(_)) => {}
            Heard::Silence if clock.now() >= until => {
                running.abandon();
                return MountState::Silent;
            }
            Heard::Silence => {}
        }
    }
}
