//! The words sharemark is written in.
//!
//! Everything that crosses a border between rooms, processes or machines is a type of this crate: units, the plan
//! a user asked for, the job a worker does, the sample it brings home, and the one document that holds them all,
//! the [`Report`]. Nothing here does any input or output.

mod comparison;
mod data_kind;
mod durability;
mod failure;
mod job;
mod listing;
mod location;
mod name;
mod plan;
mod report;
mod sample;
mod share;
mod summary;
mod units;
mod warning;
mod workload;

pub use comparison::{Answer, Comparison, Difference, ReportComparison};
pub use data_kind::{DataKind, DataKindError};
pub use durability::{Durability, ReadCache};
pub use failure::{Failure, FailureCode, Operation};
pub use job::{
    FilesJob, Inspection, Job, MountFacts, MountKind, Order, Outcome, PROTOCOL_VERSION, ParentMessage, Pause,
    Progress, RandomJob, ReadJob, SmallFile, Stage, Task, Told, Transfer, WorkerMessage, WriteJob,
};
pub use listing::{HistoryEntry, ListedMount, MountState};
pub use location::{Location, LocationError, TargetSpec, without_password};
pub use name::{FileName, FileNameError, FolderName};
pub use plan::{Plan, Profile, Rounds};
pub use report::{
    Ceiling, Finding, FindingEvidence, FindingStatus, Host, Limit, Report, ReportError, SCHEMA_VERSION,
    TargetCache, TargetReport, Tool, report_schema,
};
pub use sample::{
    CacheProof, CacheUse, DataSource, Evidence, Latency, ReadMode, Sample, SeriesPoint, Wire, WriteMode,
};
pub use share::{
    Address, AddressError, Login, Place, Protocol, Secret, Share, SmbDialect, SmbSigning, TypedShare, Wishes,
};
pub use summary::{ChangePoint, FirstRun, Interval, MeanEstimate, Summary, Trend, TrendDirection};
pub use units::{Bytes, Nanoseconds, ParseUnitError, Rate, parse_duration};
pub use warning::{RepeatReason, Warning};
pub use workload::{Action, FileMix, FilesAction, Quantity, Shape, Workload, WorkloadError};
