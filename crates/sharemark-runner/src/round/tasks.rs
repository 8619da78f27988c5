//! From a workload of the plan to what a worker is asked.

use sharemark_model::{
    Action, Bytes, Durability, FileName, FilesAction, FilesJob, FolderName, Nanoseconds, Plan, RandomJob,
    ReadJob, SmallFile, Task, Workload, WriteJob,
};

/// A file that a phase works on.
#[derive(Clone, Debug)]
pub(crate) struct HeldFile {
    pub(crate) name: FileName,
    pub(crate) seed: u64,
    pub(crate) size: Bytes,
    /// It holds what its seed says, all of it.
    pub(crate) fresh: bool,
}

/// The bytes of one operation and the operations at once of a workload: its own, else the plan's.
pub(crate) fn shape(plan: &Plan, workload: Workload) -> (Bytes, u32) {
    workload.shape.map_or((plan.block, plan.depth), |shape| (shape.block, shape.depth))
}

pub(crate) fn write(plan: &Plan, folder: &FolderName, workload: Workload, file: &HeldFile) -> Task {
    let (block, depth) = shape(plan, workload);
    Task::Write(WriteJob {
        folder: folder.clone(),
        file: file.name.clone(),
        size: file.size,
        time_ns: plan.time_ns,
        block,
        depth,
        durability: plan.durability,
        data: plan.data,
        seed: file.seed,
    })
}

/// The file that later phases read, when no phase of the round writes one: whole, unless that would take far longer than
/// the phases themselves.
pub(crate) fn prepare(plan: &Plan, folder: &FolderName, file: &HeldFile) -> Task {
    const LONGER: u64 = 6;
    let limit = plan.time_ns.map(|time| Nanoseconds(time.0.saturating_mul(LONGER)));
    let durability = match plan.durability {
        // Nothing is timed here, and one flush at the end serves as well as many.
        Durability::WriteThrough | Durability::Flush => Durability::Flush,
        Durability::Buffered => Durability::Buffered,
    };
    Task::Write(WriteJob {
        folder: folder.clone(),
        file: file.name.clone(),
        size: file.size,
        time_ns: limit,
        block: plan.block,
        depth: plan.depth,
        durability,
        data: plan.data,
        seed: file.seed,
    })
}

/// Reading a file, in order or not, or writing it over; `new_seed` is for what is written.
pub(crate) fn use_of(
    plan: &Plan,
    folder: &FolderName,
    workload: Workload,
    file: &HeldFile,
    new_seed: u64,
) -> Task {
    let (block, depth) = shape(plan, workload);
    let reads_percent = match workload.action {
        Action::Mixed(percent) => percent,
        Action::RandWrite => 0,
        _ => 100,
    };
    let (folder, name) = (folder.clone(), file.name.clone());
    if workload.action == Action::SeqRead {
        return Task::Read(ReadJob {
            folder,
            file: name,
            size: file.size,
            time_ns: plan.time_ns,
            block,
            depth,
            read_cache: plan.read_cache,
            data: plan.data,
            seed: file.seed,
        });
    }
    Task::Random(RandomJob {
        folder,
        file: name,
        size: file.size,
        time_ns: plan.time_ns,
        block,
        depth,
        reads_percent,
        durability: plan.durability,
        read_cache: plan.read_cache,
        data: plan.data,
        seed: file.seed,
        new_seed,
    })
}

/// One thing to do to small files; `timed` is false for a preparation.
pub(crate) fn small(
    plan: &Plan,
    folder: &FolderName,
    action: FilesAction,
    workload: Workload,
    files: Vec<SmallFile>,
    timed: bool,
) -> Task {
    let (block, depth) = shape(plan, workload);
    Task::Files(FilesJob {
        folder: folder.clone(),
        files,
        action,
        time_ns: plan.time_ns.filter(|_| timed),
        block,
        depth,
        durability: plan.durability,
        read_cache: plan.read_cache,
        data: plan.data,
    })
}
