//! What the parent and a worker say to each other: one [`Job`] in, [`Progress`] and one [`Outcome`] out, each a line of
//! JSON that carries the protocol's version.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Bytes, CacheUse, DataKind, DataSource, Durability, Evidence, Failure, FileName, FilesAction, FolderName,
    Latency, Nanoseconds, Place, ReadCache, RepeatReason, SeriesPoint,
};

/// The version of the lines between parent and worker. A worker refuses a job of another version.
pub const PROTOCOL_VERSION: u32 = 1;

/// A line from the parent to the worker. When the worker's input ends, its parent is gone and it ends as well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParentMessage {
    /// The protocol's version.
    pub v: u32,
    /// What is asked.
    pub order: Order,
}

/// What a parent asks of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Do this; sent once, first.
    Start(Box<Job>),
    /// End the phase after the operation under way and tell what was measured.
    Cancel,
}

/// A line from the worker to the parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerMessage {
    /// The protocol's version.
    pub v: u32,
    /// What is told.
    pub told: Told,
}

/// What a worker tells its parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// How far the job is; sent about ten times a second.
    Progress(Progress),
    /// How the job ended; sent once, last.
    Outcome(Box<Outcome>),
}

/// One task at one place, once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The folder or share the user named.
    pub place: Place,
    /// What to do there.
    pub task: Task,
}

/// What a worker can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Look at the folder and the file system it is on; changes nothing.
    Inspect,
    /// Make sharemark's own folder inside the user's.
    CreateFolder {
        /// The folder to make.
        folder: FolderName,
    },
    /// Write one new file.
    Write(WriteJob),
    /// Read one file and compare it with what was written.
    Read(ReadJob),
    /// Read or write blocks of one file in random order.
    Random(RandomJob),
    /// Do one thing to many small files.
    Files(FilesJob),
    /// Remove the named files and, if it is then empty, the folder.
    Remove {
        /// The folder the files are in.
        folder: FolderName,
        /// The files to remove; one that is not there counts as removed.
        files: Vec<FileName>,
        /// Whether the folder goes as well.
        folder_too: bool,
    },
}

/// A file to write, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteJob {
    /// sharemark's own folder, which exists.
    pub folder: FolderName,
    /// The file, which does not exist.
    pub file: FileName,
    /// The size at which the phase ends.
    pub size: Bytes,
    /// The time at which the phase ends, if it is limited.
    pub time_ns: Option<Nanoseconds>,
    /// The bytes of one operation.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u32,
    /// How durable each write is.
    pub durability: Durability,
    /// What the bytes look like.
    pub data: DataKind,
    /// The seed of the bytes.
    pub seed: u64,
}

/// A file to read, and how. The data kind, seed and size are those it was written with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadJob {
    /// sharemark's own folder.
    pub folder: FolderName,
    /// The file.
    pub file: FileName,
    /// The size the file must have.
    pub size: Bytes,
    /// The time at which the phase ends, if it is limited.
    pub time_ns: Option<Nanoseconds>,
    /// The bytes of one operation.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u32,
    /// Whether this machine's cache may answer.
    pub read_cache: ReadCache,
    /// What the bytes look like.
    pub data: DataKind,
    /// The seed of the bytes.
    pub seed: u64,
}

/// A file whose blocks are read and written over in random order, each at most once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RandomJob {
    /// sharemark's own folder.
    pub folder: FolderName,
    /// The file, which exists.
    pub file: FileName,
    /// The file's size. Only whole blocks are used.
    pub size: Bytes,
    /// The time at which the phase ends, if it is limited.
    pub time_ns: Option<Nanoseconds>,
    /// The bytes of one operation.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u32,
    /// How many of a hundred operations read; the others write.
    pub reads_percent: u8,
    /// How durable each write is.
    pub durability: Durability,
    /// Whether this machine's cache may answer.
    pub read_cache: ReadCache,
    /// What the bytes look like.
    pub data: DataKind,
    /// The seed of the bytes that the file holds.
    pub seed: u64,
    /// The seed of the bytes that are written, and of the order of the blocks.
    pub new_seed: u64,
}

/// One thing to do to many small files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilesJob {
    /// sharemark's own folder.
    pub folder: FolderName,
    /// The files: not there yet when they are to be written, else all there.
    pub files: Vec<SmallFile>,
    /// What to do to each.
    pub action: FilesAction,
    /// The time at which the phase ends, if it is limited.
    pub time_ns: Option<Nanoseconds>,
    /// The most bytes of one operation.
    pub block: Bytes,
    /// Files under way at once.
    pub depth: u32,
    /// How durable each file's bytes are before it counts.
    pub durability: Durability,
    /// Whether this machine's cache may answer.
    pub read_cache: ReadCache,
    /// What the bytes look like.
    pub data: DataKind,
}

/// A small file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmallFile {
    /// Its name.
    pub file: FileName,
    /// Its size.
    pub size: Bytes,
    /// The seed of its bytes.
    pub seed: u64,
}

/// What a job is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Getting ready: outside every timer.
    Preparing,
    /// Opening or creating the file.
    Opening,
    /// Moving bytes.
    Transferring,
    /// Making the bytes durable.
    Flushing,
    /// Closing the file.
    Closing,
    /// Comparing or checking sizes: outside every timer.
    Verifying,
    /// Looking, making a folder or removing.
    Housekeeping,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What it is busy with.
    pub stage: Stage,
    /// Operations completed in this job so far; a watchdog sees by it that something moves.
    pub operations: u64,
    /// Bytes moved so far.
    pub bytes: Bytes,
    /// Bytes the phase would move without a time limit.
    pub total: Bytes,
    /// Time since the transfer began.
    pub elapsed_ns: Nanoseconds,
    /// Bytes of this machine's cache not yet written back, where the system tells: a flush is seen to move by it.
    pub unwritten: Option<Bytes>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The folder was looked at.
    Inspected(Inspection),
    /// The folder was made.
    FolderCreated,
    /// Bytes were moved, all or some: see [`Transfer::failure`].
    Transferred(Box<Transfer>),
    /// Files were removed; what could not be is told.
    Removed {
        /// What could not be removed, and why.
        left: Vec<Failure>,
    },
    /// Nothing came of it.
    Failed(Failure),
}

/// A folder and the file system it is on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The folder's path with every link followed; a share's address as typed.
    pub path: String,
    /// The mount it is on, where the system tells.
    pub mount: Option<MountFacts>,
    /// What the server of a share said of itself and of the connection, by name.
    #[serde(default)]
    pub server: Option<Evidence>,
    /// Bytes this user can still write, by quota where the system knows it; `null` when unknown.
    pub free: Option<Bytes>,
    /// The file system's size; `null` when unknown.
    pub total: Option<Bytes>,
}

/// What the system's own tables say of a mount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MountFacts {
    /// What stands behind it.
    pub kind: MountKind,
    /// The file system's type as the system names it: `cifs`, `nfs4`, `ext4`, `NTFS`.
    pub file_system: String,
    /// What is mounted: `//nas/Public`, `nas:/export`, `/dev/sda1`.
    pub source: String,
    /// Where it is mounted: `/mnt/nas`, `W:\`.
    pub mount_point: String,
    /// The server's name or address, for a network mount.
    pub server: Option<String>,
    /// The mount's options as the system shows them, without anything that holds a user's secret.
    pub options: Vec<String>,
}

/// What stands behind a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MountKind {
    /// A server reached by a network file system of the kernel.
    Network,
    /// A program of the user's (FUSE), which may keep a cache of its own.
    Fuse,
    /// A disk of this machine.
    Local,
    /// This machine's memory.
    Memory,
    /// Made up by the kernel; stores nothing.
    Pseudo,
    /// Not known to sharemark.
    Unknown,
}

/// Bytes moved by one job, with everything that was measured about it. A failure keeps what came before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// When the job began, by the machine's clock.
    pub started: jiff::Timestamp,
    /// Bytes moved and acknowledged.
    pub bytes: Bytes,
    /// Operations done: blocks, small files, or entries of a listing.
    pub operations: u64,
    /// The time to open or create the file.
    pub open: Nanoseconds,
    /// From the first request to the last answer.
    pub transfer: Nanoseconds,
    /// The time of the flush at the end; zero without one.
    pub flush: Nanoseconds,
    /// The time to close the file.
    pub close: Nanoseconds,
    /// From the first request to its answer.
    pub first_byte: Option<Nanoseconds>,
    /// Bytes moved over time.
    pub series: Vec<SeriesPoint>,
    /// The distribution of the operations' times.
    pub latency: Option<Latency>,
    /// How the cache was really dealt with.
    pub cache: CacheUse,
    /// The data generator's part.
    pub source: DataSource,
    /// Whether every byte read is the byte written; `null` for a write, but for one at random places the answer of a few
    /// of its blocks, read back afterwards.
    pub verified: Option<bool>,
    /// Operations really under way at once: lower than asked when the system could not carry as many.
    pub depth: u32,
    /// The machine slept or the process was stopped meanwhile.
    pub pause: Option<Pause>,
    /// What ended the job before its size or time.
    pub failure: Option<Failure>,
}

/// A time in which the worker did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// What kept it.
    pub reason: RepeatReason,
    /// For how long, as far as two clocks tell.
    pub lost: Nanoseconds,
}
