//! Removing what an interrupted run left: what its manifest names, and nothing else.

use std::fs;
use std::io;
use std::path::Path;

use sharemark_model::{Failure, FailureCode, Inspection, Job, Operation, Outcome, Place, Task};

use crate::conduct::{Conductor, Ended};
use crate::manifest::{Leftover, Leftovers, ManifestError, read_all};

/// What became of one leftover.
#[derive(Debug)]
pub struct Cleaned {
    /// The path of sharemark's folder.
    pub place: String,
    /// What could not be removed, and why; empty when all is gone.
    pub left: Vec<Failure>,
}

/// What earlier runs left, and which runs are under way now.
///
/// # Errors
/// When the manifests cannot be read.
pub fn leftovers(data_dir: &Path) -> Result<Leftovers, ManifestError> {
    read_all(data_dir)
}

/// The path of a folder with every link followed.
///
/// # Errors
/// When it is no folder, or does not answer.
pub fn resolve(path: &str, context: &crate::Context<'_>) -> Result<String, Failure> {
    inspect(&Place::Folder(path.to_owned()), &context.conductor()).map(|(_, found)| found.path)
}

/// Has a worker look at a place; answers with the place as it is to be named from now on: a folder with every link
/// followed. A path is made absolute here, so that it stands on its own.
pub(crate) fn inspect(place: &Place, conductor: &Conductor<'_>) -> Result<(Place, Inspection), Failure> {
    let place = match place {
        Place::Folder(path) => Place::Folder(
            std::path::absolute(path).map_or_else(|_| path.clone(), |path| path.display().to_string()),
        ),
        Place::Share(_) => place.clone(),
    };
    match conductor.conduct(&Job { place: place.clone(), task: Task::Inspect }, &mut |_| {}) {
        Ended::Outcome(Outcome::Inspected(found)) => Ok(match place {
            Place::Folder(_) => (Place::Folder(found.path.clone()), found),
            share @ Place::Share(_) => (share, found),
        }),
        Ended::Outcome(Outcome::Failed(failure)) | Ended::Lost(failure, _) => Err(failure),
        Ended::Outcome(_) => Err(unexpected(&place)),
    }
}

/// Removes one leftover, which is at `at`.
#[must_use]
pub fn clean(leftover: Leftover, at: &Place, context: &crate::Context<'_>) -> Cleaned {
    let conductor = context.conductor();
    let place = leftover.place();
    let mut left = removed(&leftover, at, &conductor).err().unwrap_or_default();
    if left.is_empty()
        && let Err(error) = fs::remove_file(&leftover.manifest)
        && error.kind() != io::ErrorKind::NotFound
    {
        let path = leftover.manifest.display().to_string();
        left.push(Failure::new(FailureCode::Other, Operation::Manifest, path).with_system(error.to_string()));
    }
    Cleaned { place, left }
}

fn removed(leftover: &Leftover, at: &Place, conductor: &Conductor<'_>) -> Result<(), Vec<Failure>> {
    let head = &leftover.head;
    // A share that is not mounted now shows an empty folder: what it holds is not gone.
    let (place, found) = inspect(at, conductor).map_err(|failure| vec![failure])?;
    let job = |task| Job { place: place.clone(), task };
    if !same_file_system(&found, leftover) {
        return Err(vec![Failure::new(FailureCode::NotFound, Operation::Inspect, leftover.place())]);
    }
    let task = Task::Remove { folder: head.folder.clone(), files: leftover.files.clone(), folder_too: true };
    match conductor.conduct(&job(task), &mut |_| {}) {
        Ended::Outcome(Outcome::Removed { left }) if left.is_empty() => Ok(()),
        Ended::Outcome(Outcome::Removed { left }) => Err(left),
        Ended::Outcome(Outcome::Failed(failure)) | Ended::Lost(failure, _) => Err(vec![failure]),
        Ended::Outcome(_) => Err(vec![unexpected(&place)]),
    }
}

fn same_file_system(found: &Inspection, leftover: &Leftover) -> bool {
    match (&found.mount, &leftover.head.source) {
        (Some(mount), Some(source)) => mount.source == *source,
        (None, Some(_)) => false,
        (_, None) => true,
    }
}

/// A worker that answers another question than it was asked.
pub(crate) fn unexpected(place: &impl ToString) -> Failure {
    Failure::new(FailureCode::WorkerDied, Operation::Worker, place.to_string())
}
