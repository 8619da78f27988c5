//! Where bytes go.
//!
//! A [`Target`] is a place that can be written to and read from with the cache control a measurement needs; each kind
//! of location has its engine in a file of its own. Beside them live the data [`generator`] and verifier, and the
//! [`table`] of this machine's mounts.

pub mod generator;
pub mod table;

mod answer;
mod buffer;
mod dial;
mod mount;
mod nfs;
mod reach;
mod sftp;
mod smb;
mod target;
mod webdav;

pub use answer::{ServerAnswer, classify, failure_from};
pub use buffer::AlignedBuffer;
pub use mount::MountTarget;
pub use reach::reach;
pub use target::{ReadFile, ReadOptions, Target, WriteFile, WriteOptions};

/// What the kernels that sharemark knows want buffers, offsets and lengths to be multiples of when a request goes past
/// the cache: no disk in use has larger logical blocks.
pub const ALIGNMENT: usize = 4096;
