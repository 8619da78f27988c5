//! An NFSv4 server that knows this client: the client's number, its session from 4.1 on, and its lease.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::attributes::{OF_SERVER, Values, bitmap};
use super::compound::{COMPOUND, Compound, Results, op};
use crate::nfs::protocol::{Connections, Handle, LARGEST_PART, Limits, Ticket, patiently};
use crate::nfs::rpc::Connection;
use crate::nfs::slots::{Outcome, Slot, Slots};
use crate::nfs::trouble::Trouble;

/// Room in a request or an answer for everything that stands around the data.
const AROUND: u32 = 4096;
/// Requests at once that a session is asked for. Servers grant fewer: knfsd and Ganesha 64 or so.
const SLOTS: u32 = 256;
/// This client keeps no layouts of files on other servers (EXCHGID4_FLAG_USE_NON_PNFS).
const NO_LAYOUTS: u32 = 0x0001_0000;
/// How long the server is given to forget a client that leaves.
const FAREWELL: Duration = Duration::from_secs(1);
/// What the lease is taken to be where the server does not tell it.
const LEASE: u32 = 30;
/// The longest pause after a renewal that the server refused.
const AGAIN: Duration = Duration::from_secs(1);

/// What SEQUENCE answers when the server counts a slot's requests in another way than this client, or has no such slot:
/// BADSLOT, SEQ_MISORDERED, RETRY_UNCACHED_REP and SEQ_FALSE_RETRY.
const MISCOUNTED: [u32; 4] = [10053, 10063, 10068, 10076];

/// The server, and what it granted.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) connections: Connections,
    pub(super) minor: u32,
    pub(super) client: u64,
    session: Option<Session>,
    limits: OnceLock<Limits>,
    owners: AtomicU64,
    /// The name of its implementation, where it tells it.
    pub(super) implementation: Option<String>,
}

#[derive(Debug)]
struct Session {
    id: [u8; 16],
    slots: Slots,
    limits: Limits,
}

impl Session {
    /// Reads the answer of SEQUENCE, which has to be to the request in `slot`.
    fn sequenced(&self, slot: &Slot, results: &mut Results<'_>) -> Result<(), Trouble> {
        let fields = results.op(op::SEQUENCE)?;
        let (id, sequence, number) = (fields.array::<16>()?, fields.u32()?, fields.u32()?);
        // The highest slots, and flags.
        fields.fixed(12)?;
        let ours = id == self.id && sequence == slot.sequence && number == slot.id;
        if ours { Ok(()) } else { Err(Trouble::Malformed("SEQUENCE4resok")) }
    }
}

/// What the answer of SEQUENCE says of the request. A status other than `OK` leaves the slot as it was (RFC 8881, 18.46.3).
fn outcome_of(sequenced: &Result<(), Trouble>) -> Outcome {
    match sequenced {
        Ok(()) => Outcome::Executed,
        Err(Trouble::Status(status)) if !MISCOUNTED.contains(&status.number()) => Outcome::NotExecuted,
        Err(_) => Outcome::Unknown,
    }
}

impl Server {
    /// Makes this client known in minor version `minor`.
    pub(super) fn meet(connections: Connections, minor: u32) -> Result<Arc<Self>, Trouble> {
        let mut server = Self::unmet(connections, minor);
        let met = if minor == 0 { server.meet_without_session() } else { server.meet_with_session() };
        let root = Handle::new(&[]);
        let values = met.and_then(|()| server.values(&root, OF_SERVER))?;
        let server = Arc::new(server);
        let lease = values.lease_seconds.unwrap_or(LEASE).max(3);
        keep_lease(&server, Duration::from_secs(lease.into()) / 3);
        Ok(server)
    }

    pub(super) fn unmet(connections: Connections, minor: u32) -> Self {
        Self {
            connections,
            minor,
            client: 0,
            session: None,
            limits: OnceLock::new(),
            owners: AtomicU64::new(0),
            implementation: None,
        }
    }

    fn meet_without_session(&mut self) -> Result<(), Trouble> {
        let mut compound = Compound::new();
        let arguments = compound.op(op::SETCLIENTID);
        arguments.u64(moment()).opaque(name().as_bytes());
        // Nobody can be called back, so no delegation is given.
        arguments.u32(0).opaque(b"tcp").opaque(b"0.0.0.0.0.0").u32(0);
        let (client, verifier) = self.ask(&compound, |results| {
            let results = results.op(op::SETCLIENTID)?;
            Ok((results.u64()?, results.array::<8>()?))
        })?;
        self.client = client;
        let mut compound = Compound::new();
        compound.op(op::SETCLIENTID_CONFIRM).u64(client).fixed(&verifier);
        self.ask(&compound, |results| results.op(op::SETCLIENTID_CONFIRM).map(drop))
    }

    fn meet_with_session(&mut self) -> Result<(), Trouble> {
        let mut compound = Compound::new();
        let arguments = compound.op(op::EXCHANGE_ID);
        // SP4_NONE, and no word about this implementation.
        arguments.u64(moment()).opaque(name().as_bytes()).u32(NO_LAYOUTS).u32(0).u32(0);
        let (client, sequence, implementation) = self.ask(&compound, |results| {
            let results = results.op(op::EXCHANGE_ID)?;
            let (client, sequence) = (results.u64()?, results.u32()?);
            // flags, and SP4_NONE again.
            results.fixed(8)?;
            // server_owner, server_scope.
            results.u64()?;
            results.opaque()?;
            results.opaque()?;
            let mut told = None;
            if results.bool()? {
                results.opaque()?;
                told = Some(results.text()?);
            }
            Ok((client, sequence, told.filter(|name| !name.is_empty())))
        })?;
        (self.client, self.implementation) = (client, implementation);

        let mut compound = Compound::new();
        let arguments = compound.op(op::CREATE_SESSION);
        arguments.u64(client).u32(sequence).u32(0);
        let largest = LARGEST_PART + AROUND;
        for (size, requests) in [(largest, SLOTS), (AROUND, 1)] {
            // headerpadsize, maxrequestsize, maxresponsesize, maxresponsesize_cached, maxoperations, maxrequests, no RDMA.
            arguments.u32(0).u32(size).u32(size).u32(AROUND).u32(16).u32(requests).u32(0);
        }
        // The back channel's program, and its one flavour: AUTH_NONE. It is never called.
        arguments.u32(0x4000_0000).u32(1).u32(0);
        let session = self.ask(&compound, |results| {
            let results = results.op(op::CREATE_SESSION)?;
            let id = results.array()?;
            // sequence, flags, headerpadsize.
            results.fixed(12)?;
            let (request, response) = (results.u32()?, results.u32()?);
            // maxresponsesize_cached, maxoperations.
            results.fixed(8)?;
            let slots = Slots::new(results.u32()?.clamp(1, SLOTS));
            let limits =
                Limits { read: response.saturating_sub(AROUND), write: request.saturating_sub(AROUND) };
            Ok(Session { id, slots, limits })
        })?;
        self.session = Some(session);
        let mut compound = Compound::new();
        compound.op(op::RECLAIM_COMPLETE).u32(0);
        self.ask(&compound, |results| results.op(op::RECLAIM_COMPLETE).map(drop))
    }

    /// Takes the limits of the file system that `folder` is on.
    pub(super) fn adopt(&self, folder: &Handle) -> Result<(), Trouble> {
        let values = self.values(folder, OF_SERVER)?;
        let granted = self.session.as_ref().map(|session| session.limits);
        let granted = granted.unwrap_or(Limits { read: LARGEST_PART, write: LARGEST_PART });
        let least = |told: Option<u64>, granted: u32| {
            let told = told.and_then(|told| u32::try_from(told).ok()).unwrap_or(LARGEST_PART);
            told.min(granted).clamp(512, LARGEST_PART)
        };
        let limits = Limits {
            read: least(values.largest_read, granted.read),
            write: least(values.largest_write, granted.write),
        };
        self.limits.set(limits).ok();
        Ok(())
    }

    pub(super) fn limits(&self) -> Limits {
        // Before a folder is known, what every server can do.
        self.limits.get().copied().unwrap_or(Limits { read: 8192, write: 8192 })
    }

    /// Requests that the session allows at once.
    pub(super) fn slots(&self) -> Option<u32> {
        self.session.as_ref().map(|session| session.slots.count)
    }

    /// A number for an open-owner that was never used.
    pub(super) fn new_owner(&self) -> u64 {
        self.owners.fetch_add(1, Ordering::Relaxed)
    }

    /// Attributes of what `handle` names; of the root where it is empty.
    pub(super) fn values(&self, handle: &Handle, numbers: &[u32]) -> Result<Values, Trouble> {
        let mut compound = Compound::new();
        let at = put(&mut compound, handle);
        bitmap(compound.op(op::GETATTR), numbers);
        self.ask(&compound, |results| {
            results.op(at)?;
            Values::read(results.op(op::GETATTR)?)
        })
    }

    /// Sends a compound and reads its answer, again while the server says "later".
    pub(super) fn ask<T>(
        &self,
        compound: &Compound,
        read: impl Fn(&mut Results<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        patiently(|| self.ask_once(compound, &read))
    }

    /// Sends a compound and reads its answer.
    pub(super) fn ask_once<T>(
        &self,
        compound: &Compound,
        read: impl FnOnce(&mut Results<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        match self.begin(self.connections.first(), compound, &[], true)? {
            Some(ticket) => self.end(ticket, read),
            None => Err(Trouble::Malformed("SEQUENCE: slots")),
        }
    }

    /// Sends a compound; `None` when all slots are in use and the caller does not `wait`.
    pub(super) fn begin(
        &self,
        connection: &Connection,
        compound: &Compound,
        payload: &[u8],
        wait: bool,
    ) -> Result<Option<Ticket>, Trouble> {
        let mut before = Compound::new();
        let mut slot = None;
        if let Some(session) = &self.session {
            let Some(taken) = session.slots.take(wait)? else { return Ok(None) };
            let arguments = before.op(op::SEQUENCE).fixed(&session.id).u32(taken.sequence).u32(taken.id);
            // No answer is kept for a repetition, since nothing is repeated.
            arguments.u32(session.slots.count - 1).u32(0);
            slot = Some(taken);
        }
        match connection.send(COMPOUND, compound.arguments(self.minor, &before).bytes(), payload) {
            Ok(pending) => Ok(Some(Ticket { pending, slot })),
            Err(trouble) => {
                if let (Some(session), Some(slot)) = (&self.session, slot) {
                    // A record that could not be sent to its end is no request.
                    session.slots.give_back(slot, Outcome::NotExecuted);
                }
                Err(trouble)
            }
        }
    }

    /// Waits for the answer to a compound.
    pub(super) fn end<T>(
        &self,
        ticket: Ticket,
        read: impl FnOnce(&mut Results<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let Ticket { pending, slot } = ticket;
        let mut outcome = Outcome::Unknown;
        let found = pending.wait().and_then(|reply| {
            let mut results = Results::new(reply.results())?;
            if let (Some(session), Some(slot)) = (&self.session, &slot) {
                let sequenced = session.sequenced(slot, &mut results);
                outcome = outcome_of(&sequenced);
                sequenced?;
            }
            read(&mut results)
        });
        if let (Some(session), Some(slot)) = (&self.session, slot) {
            session.slots.give_back(slot, outcome);
        }
        found.map_err(|trouble| trouble.for_user(self.connections.first().user().uid))
    }

    /// Tells the server that this client is still there, unless it sees that by other requests.
    fn renew(&self) -> Result<(), Trouble> {
        let mut compound = Compound::new();
        if self.minor == 0 {
            compound.op(op::RENEW).u64(self.client);
        }
        match self.begin(self.connections.first(), &compound, &[], false)? {
            // From 4.1 on SEQUENCE renews, and that has been looked at.
            Some(ticket) if self.minor > 0 => self.end(ticket, |_| Ok(())),
            Some(ticket) => self.end(ticket, |results| results.op(op::RENEW).map(drop)),
            None => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(session) = &self.session else { return };
        let mut ends = [Compound::new(), Compound::new()];
        ends[0].op(op::DESTROY_SESSION).fixed(&session.id);
        ends[1].op(op::DESTROY_CLIENTID).u64(self.client);
        for compound in ends {
            // A server that is gone, or does not answer, forgets this client when the lease ends.
            let arguments = compound.arguments(self.minor, &Compound::new());
            let sent = self.connections.first().send(COMPOUND, arguments.bytes(), &[]);
            if sent.and_then(|pending| pending.wait_within(FAREWELL)).is_err() {
                return;
            }
        }
    }
}

/// Writes the operation that chooses what the next ones are about, and gives its number.
pub(super) fn put(compound: &mut Compound, handle: &Handle) -> u32 {
    if handle.bytes().is_empty() {
        compound.op(op::PUTROOTFH);
        return op::PUTROOTFH;
    }
    compound.op(op::PUTFH).opaque(handle.bytes());
    op::PUTFH
}

/// Renews the lease from a thread of its own while the server is in use: a pause may be longer than it. What the server
/// refuses is asked for again, since it may have passed by then.
fn keep_lease(server: &Arc<Server>, pause: Duration) {
    let server: Weak<Server> = Arc::downgrade(server);
    let renewing = move || {
        let mut next = pause;
        loop {
            thread::sleep(next);
            let Some(server) = server.upgrade() else { return };
            next = match server.renew() {
                Ok(()) => pause,
                Err(_) if server.connections.first().is_dead() => return,
                Err(_) => pause.min(AGAIN),
            };
        }
    };
    // Without the thread a long pause is answered by an error, which says so.
    thread::Builder::new().name("lease".into()).spawn(renewing).ok();
}

/// A number that no earlier life of this client had.
fn moment() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().wrapping_mul(1_000_000_000).wrapping_add(u64::from(since.subsec_nanos()))
}

/// A name that no other client of the server has, on this machine or another.
fn name() -> String {
    static CLIENTS: AtomicU64 = AtomicU64::new(0);
    let count = CLIENTS.fetch_add(1, Ordering::Relaxed);
    format!("sharemark/{}/{}/{count}", std::process::id(), moment())
}

#[cfg(test)]
mod tests;
