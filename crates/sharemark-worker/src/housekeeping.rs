//! Everything a worker does that moves no measured bytes.

use sharemark_model::{FileName, FolderName, Outcome};
use sharemark_target::Target;

use crate::shared::Shared;

pub(crate) fn inspect(target: &dyn Target) -> Outcome {
    match target.inspect() {
        Ok(found) => Outcome::Inspected(found),
        Err(failure) => Outcome::Failed(failure),
    }
}

pub(crate) fn create_folder(target: &dyn Target, folder: &FolderName) -> Outcome {
    match target.create_folder(folder) {
        Ok(()) => Outcome::FolderCreated,
        Err(failure) => Outcome::Failed(failure),
    }
}

/// Removes what is named and nothing else; goes on after a failure, so that as little as possible is left.
pub(crate) fn remove(
    target: &dyn Target,
    folder: &FolderName,
    files: &[FileName],
    folder_too: bool,
    shared: &Shared,
) -> Outcome {
    let mut left = Vec::new();
    for file in files {
        left.extend(target.remove_file(folder, file).err());
        shared.step();
    }
    if folder_too {
        left.extend(target.remove_folder(folder).err());
        shared.step();
    }
    Outcome::Removed { left }
}
