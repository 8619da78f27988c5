//! What the engine needs of a version of NFS.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::rpc::{Connection, Pending};
use super::slots::Slot;
use super::trouble::Trouble;

/// The most bytes of one READ or WRITE. Servers may offer more (Ganesha 64 MiB), but this is what the kernels' clients
/// use at most, and so what a mount of the share would show.
pub(super) const LARGEST_PART: u32 = 1 << 20;

/// How long a server that says "later" is asked again before its answer stands.
const DELAY_LIMIT: Duration = Duration::from_secs(10);

/// The server's name for a file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Handle(Arc<[u8]>);

impl Handle {
    pub(super) fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// What something in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    /// A link, a device, a socket.
    Other,
}

impl Kind {
    /// `ftype3` and `nfs_ftype4` agree in these.
    pub(super) const fn from_number(number: u32) -> Self {
        match number {
            1 => Self::File,
            2 => Self::Folder,
            _ => Self::Other,
        }
    }

    /// The number of a file or folder; what is neither has none that is ever sent.
    pub(super) const fn number(self) -> u32 {
        match self {
            Self::File => 1,
            Self::Folder => 2,
            Self::Other => 0,
        }
    }
}

/// What a server says of a file or folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes {
    pub(super) kind: Kind,
    pub(super) size: u64,
    /// The file system it is on.
    pub(super) file_system: (u64, u64),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) handle: Handle,
    pub(super) attributes: Attributes,
}

/// What an NFSv4 server remembers of an open file.
#[derive(Debug)]
pub(super) struct OpenState {
    pub(super) id: [u8; 16],
    /// The next number of an operation that changes the state; NFSv4.0 only.
    pub(super) sequence: AtomicU32,
}

/// An open file. NFSv3 knows none, and only the handle counts.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) handle: Handle,
    pub(super) state: Option<OpenState>,
}

/// How durable a WRITE is to be before it is answered (`stable_how`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stable {
    /// Not at all: a COMMIT follows, or none.
    Unstable,
    /// Data and file attributes.
    FileSync,
}

impl Stable {
    pub(super) const fn number(self) -> u32 {
        match self {
            Self::Unstable => 0,
            Self::FileSync => FILE_SYNC,
        }
    }
}

/// `FILE_SYNC`, as it is asked for and answered.
pub(super) const FILE_SYNC: u32 = 2;

/// What a WRITE answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) count: usize,
    /// The server says that data and attributes are durable.
    pub(super) stable: bool,
    /// Changes when the server restarts, and with it loses what was not stable.
    pub(super) verifier: Verifier,
}

/// The number that tells a server's lives apart.
pub(super) type Verifier = [u8; 8];

/// Room in a file system, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    /// What this user can still write.
    pub(super) free: u64,
    pub(super) total: u64,
}

/// The most bytes of one READ and one WRITE.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) read: u32,
    pub(super) write: u32,
}

/// A READ or WRITE under way. It has to be ended, or its slot is lost.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) pending: Pending,
    pub(super) slot: Option<Slot>,
}

/// A version of NFS. Nothing here is sent twice, unless the server itself asks for it.
pub(super) trait Protocol: Send + Sync {
    /// The version: `3`, `4.1`.
    fn version(&self) -> &'static str;

    fn limits(&self) -> Limits;

    /// Other things the server said of itself, by name.
    fn facts(&self) -> Vec<(&'static str, Value)>;

    /// The cheapest round trip there is.
    fn ping(&self) -> Result<(), Trouble>;

    fn look_up(&self, folder: &Handle, name: &str) -> Result<Found, Trouble>;

    fn attributes(&self, handle: &Handle) -> Result<Attributes, Trouble>;

    fn space(&self, handle: &Handle) -> Result<Space, Trouble>;

    /// The names in a folder, without `.` and `..`.
    fn names(&self, folder: &Handle) -> Result<Vec<String>, Trouble>;

    fn make_folder(&self, folder: &Handle, name: &str) -> Result<(), Trouble>;

    /// Removes a plain file or an empty folder, and nothing that is of another `kind`.
    fn remove(&self, folder: &Handle, name: &str, kind: Kind) -> Result<(), Trouble>;

    /// Creates a file that does not exist and opens it for writing.
    fn create(&self, folder: &Handle, name: &str) -> Result<Opened, Trouble>;

    /// Opens a plain file.
    fn open(&self, folder: &Handle, name: &str, to_write: bool) -> Result<Opened, Trouble>;

    fn close(&self, opened: &Opened) -> Result<(), Trouble>;

    /// Makes everything written durable.
    fn commit(&self, opened: &Opened) -> Result<Verifier, Trouble>;

    /// Sends a WRITE. `None`, only where the caller does not want to `wait`, when the server takes no more at once.
    fn begin_write(
        &self,
        opened: &Opened,
        offset: u64,
        data: &[u8],
        stable: Stable,
        wait: bool,
    ) -> Result<Option<Ticket>, Trouble>;

    fn end_write(&self, ticket: Ticket) -> Result<Written, Trouble>;

    /// Sends a READ, as [`Self::begin_write`] sends a WRITE.
    fn begin_read(
        &self,
        opened: &Opened,
        offset: u64,
        count: u32,
        wait: bool,
    ) -> Result<Option<Ticket>, Trouble>;

    /// Puts what was read at the start of `block`: how many bytes, and whether the file ends there.
    fn end_read(&self, ticket: Ticket, block: &mut [u8]) -> Result<(usize, bool), Trouble>;
}

/// The connections to one server: data goes over each in turn, everything else over the first.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    all: Arc<[Connection]>,
    turn: Arc<AtomicUsize>,
}

impl Connections {
    /// `first` and the `others`.
    pub(super) fn new(first: Connection, others: impl IntoIterator<Item = Connection>) -> Self {
        Self { all: std::iter::once(first).chain(others).collect(), turn: Arc::default() }
    }

    pub(super) fn first(&self) -> &Connection {
        &self.all[0]
    }

    pub(super) fn next(&self) -> &Connection {
        &self.all[self.turn.fetch_add(1, Ordering::Relaxed) % self.all.len()]
    }

    pub(super) fn become_patient(&self) {
        self.all.iter().for_each(Connection::become_patient);
    }
}

/// For how long a server has said "later" without a break.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    since: Option<Instant>,
}

impl Refusals {
    /// Takes a refusal at `now`: whether to ask once more.
    pub(super) fn may_pass(&mut self, now: Instant) -> bool {
        now.duration_since(*self.since.get_or_insert(now)) < DELAY_LIMIT
    }
}

/// Asks again while the server says "later", for a while.
pub(super) fn patiently<T>(mut ask: impl FnMut() -> Result<T, Trouble>) -> Result<T, Trouble> {
    let mut refusals = Refusals::default();
    let mut pause = Duration::from_millis(50);
    loop {
        match ask() {
            Err(trouble) if trouble.is_delay() && refusals.may_pass(Instant::now()) => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_secs(1));
            }
            answer => return answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_may_be_said_for_as_long_as_the_limit_from_the_first_time() {
        let (mut refusals, first) = (Refusals::default(), Instant::now() + 2 * DELAY_LIMIT);
        assert!(refusals.may_pass(first));
        assert!(refusals.may_pass(first + DELAY_LIMIT - Duration::from_millis(1)));
        assert!(!refusals.may_pass(first + DELAY_LIMIT));
    }
}
