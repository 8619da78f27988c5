//! NFS version 4: 4.0 (RFC 7530), 4.1 (RFC 8881) and 4.2 (RFC 7862), as far as whole files are written and read.

mod attributes;
mod compound;
mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use self::attributes::{OF_FILE, OF_SERVER, Values, bitmap};
use self::compound::{Compound, NULL, op};
use self::server::{Server, put};
use super::listing::{Listing, Page};
use super::protocol::{
    Attributes, Connections, FILE_SYNC, Found, Handle, Kind, Limits, OpenState, Opened, Protocol, Space,
    Stable, Ticket, Verifier, Written, patiently,
};
use super::trouble::Trouble;
use super::xdr::{Decoder, Encoder, word};

const SHARE_READ: u32 = 1;
const SHARE_WRITE: u32 = 2;
/// From 4.1 on a client says that it wants no delegation. A server of 4.0 sees that it cannot call this one back.
const WANT_NO_DELEGATION: u32 = 0x0400;
/// `OPEN4_RESULT_CONFIRM`: the server has not seen this open-owner yet.
const CONFIRM: u32 = 2;
/// `createmode4`: fails when something of that name exists. EXCLUSIVE4 would find its own file again when a call is sent
/// twice; here none is.
const GUARDED: u32 = 1;
const FOLDER: u32 = 2;
const FILE_MODE: u32 = 0o644;
const FOLDER_MODE: u32 = 0o755;
const LISTING: u32 = 32 * 1024;

/// A server spoken to in version 4.
pub(super) struct V4 {
    server: Arc<Server>,
}

impl V4 {
    /// Makes this client known in a minor version.
    pub(super) fn new(connections: Connections, minor: u32) -> Result<Self, Trouble> {
        Server::meet(connections, minor).map(|server| Self { server })
    }

    /// The root that every path begins at.
    pub(super) fn root() -> Handle {
        Handle::new(&[])
    }

    /// Takes the limits of the file system that `folder` is on.
    pub(super) fn adopt(&self, folder: &Handle) -> Result<(), Trouble> {
        self.server.adopt(folder)
    }

    pub(super) fn connections(&self) -> &Connections {
        &self.server.connections
    }

    /// OPEN, with the file's creation or without.
    fn open_as(&self, folder: &Handle, name: &str, access: u32, create: bool) -> Result<Opened, Trouble> {
        patiently(|| {
            let mut compound = Compound::new();
            let at = put(&mut compound, folder);
            let wish = if self.server.minor == 0 { 0 } else { WANT_NO_DELEGATION };
            // Every open has an owner of its own, so that none waits for another's sequence.
            let owner = self.server.new_owner().to_be_bytes();
            let arguments = compound.op(op::OPEN);
            arguments.u32(0).u32(access | wish).u32(0).u64(self.server.client).opaque(&owner);
            arguments.u32(u32::from(create));
            if create {
                arguments.u32(GUARDED);
                attributes::mode(arguments, FILE_MODE);
            }
            // CLAIM_NULL: by name.
            arguments.u32(0).opaque(name.as_bytes());
            compound.op(op::GETFH);
            let (id, flags, handle) = self.server.ask_once(&compound, |results| {
                results.op(at)?;
                let (id, flags) = opened(results.op(op::OPEN)?)?;
                Ok((id, flags, Handle::new(results.op(op::GETFH)?.opaque()?)))
            })?;
            let mut state = OpenState { id, sequence: AtomicU32::new(1) };
            if flags & CONFIRM != 0 {
                let mut compound = Compound::new();
                let at = put(&mut compound, &handle);
                compound.op(op::OPEN_CONFIRM).fixed(&id).u32(state.sequence.fetch_add(1, Ordering::Relaxed));
                state.id = self.server.ask_once(&compound, |results| {
                    results.op(at)?;
                    results.op(op::OPEN_CONFIRM)?.array()
                })?;
            }
            Ok(Opened { handle, state: Some(state) })
        })
    }
}

impl Protocol for V4 {
    fn version(&self) -> &'static str {
        ["4.0", "4.1", "4.2"][(self.server.minor as usize).min(2)]
    }

    fn limits(&self) -> Limits {
        self.server.limits()
    }

    fn facts(&self) -> Vec<(&'static str, Value)> {
        let implementation = self.server.implementation.as_ref().map(|name| ("implementation", json!(name)));
        let slots = self.server.slots().map(|slots| ("session_slots", json!(slots)));
        implementation.into_iter().chain(slots).collect()
    }

    fn ping(&self) -> Result<(), Trouble> {
        self.server.connections.first().call(NULL, &Encoder::new()).map(drop)
    }

    fn look_up(&self, folder: &Handle, name: &str) -> Result<Found, Trouble> {
        let mut compound = Compound::new();
        let at = put(&mut compound, folder);
        compound.op(op::LOOKUP).opaque(name.as_bytes());
        compound.op(op::GETFH);
        bitmap(compound.op(op::GETATTR), OF_FILE);
        self.server.ask(&compound, |results| {
            results.op(at)?;
            results.op(op::LOOKUP)?;
            let handle = Handle::new(results.op(op::GETFH)?.opaque()?);
            Ok(Found { handle, attributes: Values::read(results.op(op::GETATTR)?)?.of_file()? })
        })
    }

    fn attributes(&self, handle: &Handle) -> Result<Attributes, Trouble> {
        self.server.values(handle, OF_FILE)?.of_file()
    }

    fn space(&self, handle: &Handle) -> Result<Space, Trouble> {
        let values = self.server.values(handle, OF_SERVER)?;
        Ok(Space { free: values.space_free.unwrap_or(0), total: values.space_total.unwrap_or(0) })
    }

    fn names(&self, folder: &Handle) -> Result<Vec<String>, Trouble> {
        let mut listing = Listing::default();
        loop {
            let mut compound = Compound::new();
            let at = put(&mut compound, folder);
            let arguments = compound.op(op::READDIR).u64(listing.cookie).fixed(&listing.verifier);
            arguments.u32(LISTING).u32(LISTING).words(&[]);
            let page = self.server.ask(&compound, |results| {
                results.op(at)?;
                let results = results.op(op::READDIR)?;
                let (verifier, mut entries) = (results.array()?, Vec::new());
                while results.bool()? {
                    let cookie = results.u64()?;
                    entries.push((results.text()?, cookie));
                    Values::read(results)?;
                }
                Ok(Page { verifier, entries, ended: results.bool()? })
            })?;
            if !listing.goes_on(page)? {
                return Ok(listing.names());
            }
        }
    }

    fn make_folder(&self, folder: &Handle, name: &str) -> Result<(), Trouble> {
        let mut compound = Compound::new();
        let at = put(&mut compound, folder);
        let arguments = compound.op(op::CREATE).u32(FOLDER).opaque(name.as_bytes());
        attributes::mode(arguments, FOLDER_MODE);
        self.server.ask(&compound, |results| {
            results.op(at)?;
            results.op(op::CREATE).map(drop)
        })
    }

    fn remove(&self, folder: &Handle, name: &str, kind: Kind) -> Result<(), Trouble> {
        let mut compound = Compound::new();
        let at = put(&mut compound, folder);
        // REMOVE takes whatever is there; here only what VERIFY, just before, finds to be of that kind.
        compound.op(op::LOOKUP).opaque(name.as_bytes());
        attributes::kind(compound.op(op::VERIFY), kind);
        put(&mut compound, folder);
        compound.op(op::REMOVE).opaque(name.as_bytes());
        self.server.ask(&compound, |results| {
            for operation in [at, op::LOOKUP, op::VERIFY, at, op::REMOVE] {
                results.op(operation)?;
            }
            Ok(())
        })
    }

    fn create(&self, folder: &Handle, name: &str) -> Result<Opened, Trouble> {
        self.open_as(folder, name, SHARE_WRITE, true)
    }

    fn open(&self, folder: &Handle, name: &str, to_write: bool) -> Result<Opened, Trouble> {
        self.open_as(folder, name, if to_write { SHARE_WRITE } else { SHARE_READ }, false)
    }

    fn close(&self, file: &Opened) -> Result<(), Trouble> {
        let Some(state) = &file.state else { return Ok(()) };
        patiently(|| {
            let mut compound = Compound::new();
            let at = put(&mut compound, &file.handle);
            compound.op(op::CLOSE).u32(state.sequence.fetch_add(1, Ordering::Relaxed)).fixed(&state.id);
            self.server.ask_once(&compound, |results| {
                results.op(at)?;
                results.op(op::CLOSE).map(drop)
            })
        })
    }

    fn commit(&self, file: &Opened) -> Result<Verifier, Trouble> {
        let mut compound = Compound::new();
        let at = put(&mut compound, &file.handle);
        // From the start, and 0 is to the end.
        compound.op(op::COMMIT).u64(0).u32(0);
        self.server.ask(&compound, |results| {
            results.op(at)?;
            results.op(op::COMMIT)?.array()
        })
    }

    fn begin_write(
        &self,
        file: &Opened,
        offset: u64,
        data: &[u8],
        stable: Stable,
        wait: bool,
    ) -> Result<Option<Ticket>, Trouble> {
        let mut compound = Compound::new();
        put(&mut compound, &file.handle);
        let arguments = compound.op(op::WRITE).fixed(&state_of(file)).u64(offset).u32(stable.number());
        // The data follows from where it lies: WRITE is the last operation.
        arguments.u32(word(data.len()));
        self.server.begin(self.server.connections.next(), &compound, data, wait)
    }

    fn end_write(&self, ticket: Ticket) -> Result<Written, Trouble> {
        self.server.end(ticket, |results| {
            results.op(op::PUTFH)?;
            let results = results.op(op::WRITE)?;
            let count = results.u32()? as usize;
            let stable = results.u32()? == FILE_SYNC;
            Ok(Written { count, stable, verifier: results.array()? })
        })
    }

    fn begin_read(
        &self,
        file: &Opened,
        offset: u64,
        count: u32,
        wait: bool,
    ) -> Result<Option<Ticket>, Trouble> {
        let mut compound = Compound::new();
        put(&mut compound, &file.handle);
        compound.op(op::READ).fixed(&state_of(file)).u64(offset).u32(count);
        self.server.begin(self.server.connections.next(), &compound, &[], wait)
    }

    fn end_read(&self, ticket: Ticket, block: &mut [u8]) -> Result<(usize, bool), Trouble> {
        self.server.end(ticket, |results| {
            results.op(op::PUTFH)?;
            let results = results.op(op::READ)?;
            let ended = results.bool()?;
            let data = results.opaque()?;
            let place = block.get_mut(..data.len()).ok_or(Trouble::Malformed("READ4res: data"))?;
            place.copy_from_slice(data);
            Ok((data.len(), ended))
        })
    }
}

fn state_of(file: &Opened) -> [u8; 16] {
    file.state.as_ref().map_or([0; 16], |state| state.id)
}

/// Reads what OPEN answered: the state's name, and the flags. A delegation that was given unasked is stepped over; it ends
/// with this client.
fn opened(results: &mut Decoder<'_>) -> Result<([u8; 16], u32), Trouble> {
    let id = results.array()?;
    // change_info4.
    results.fixed(20)?;
    let flags = results.u32()?;
    results.words()?;
    match results.u32()? {
        0 => {}
        kind @ (1 | 2) => {
            // The delegation's state, and whether it is recalled already.
            results.fixed(20)?;
            if kind == 2 {
                // nfs_space_limit4: a size, or blocks of a size; as long as each other.
                results.fixed(12)?;
            }
            results.fixed(12)?;
            results.opaque()?;
        }
        // OPEN_DELEGATE_NONE_EXT, with a reason, and for two of them whether it will be told when that has gone.
        3 => {
            if matches!(results.u32()?, 1 | 2) {
                results.u32()?;
            }
        }
        _ => return Err(Trouble::Malformed("OPEN4res: delegation_type")),
    }
    Ok((id, flags))
}

#[cfg(test)]
mod tests;
