//! NFS version 3 (RFC 1813).

use serde_json::Value;

use super::exports::NFS_PROGRAM;
use super::listing::{Listing, Page};
use super::protocol::{
    Attributes, Connections, FILE_SYNC, Found, Handle, Kind, LARGEST_PART, Limits, Opened, Protocol, Space,
    Stable, Ticket, Verifier, Written, patiently,
};
use super::rpc::{Procedure, Reply};
use super::status::Status;
use super::trouble::Trouble;
use super::xdr::{Decoder, Encoder, word};

const NULL: u32 = 0;
const GETATTR: u32 = 1;
const LOOKUP: u32 = 3;
const READ: u32 = 6;
const WRITE: u32 = 7;
const CREATE: u32 = 8;
const MKDIR: u32 = 9;
const REMOVE: u32 = 12;
const RMDIR: u32 = 13;
const READDIR: u32 = 16;
const FSSTAT: u32 = 18;
const FSINFO: u32 = 19;
const COMMIT: u32 = 21;

/// `createmode3`: fails when something of that name exists. EXCLUSIVE would find its own file again when a call is sent
/// twice; here none is, and a file created so has no mode until it is set.
const GUARDED: u32 = 1;
/// The mode of a new file, and of a new folder.
const FILE_MODE: u32 = 0o644;
const FOLDER_MODE: u32 = 0o755;
/// The most bytes of one answer of READDIR.
const LISTING: u32 = 32 * 1024;
/// The size of `fattr3`.
const ATTRIBUTES: usize = 84;

/// A server spoken to in version 3.
pub(super) struct V3 {
    connections: Connections,
    limits: Limits,
}

impl V3 {
    /// Asks for the limits of the file system at `root`.
    pub(super) fn new(connections: Connections, root: &Handle) -> Result<Self, Trouble> {
        let mut server = Self { connections, limits: Limits { read: LARGEST_PART, write: LARGEST_PART } };
        let reply = server.ask(FSINFO, Encoder::new().opaque(root.bytes()))?;
        let mut results = server.results(&reply)?;
        optional_attributes(&mut results)?;
        // rtmax, rtpref, rtmult, wtmax.
        let [read, _, _, write] = [results.u32()?, results.u32()?, results.u32()?, results.u32()?];
        server.limits = Limits { read: read.clamp(512, LARGEST_PART), write: write.clamp(512, LARGEST_PART) };
        Ok(server)
    }

    pub(super) fn connections(&self) -> &Connections {
        &self.connections
    }

    fn ask(&self, procedure: u32, arguments: &Encoder) -> Result<Reply, Trouble> {
        self.connections.first().call(numbered(procedure), arguments)
    }

    /// What follows a status that is `OK`.
    fn results<'a>(&self, reply: &'a Reply) -> Result<Decoder<'a>, Trouble> {
        let mut results = reply.results();
        match results.u32()? {
            0 => Ok(results),
            number => {
                Err(Trouble::Status(Status::nfs3(number)).for_user(self.connections.first().user().uid))
            }
        }
    }

    fn ask_patiently<T>(
        &self,
        procedure: u32,
        arguments: &Encoder,
        read: impl Fn(&mut Decoder<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        patiently(|| {
            let reply = self.ask(procedure, arguments)?;
            read(&mut self.results(&reply)?)
        })
    }
}

impl Protocol for V3 {
    fn version(&self) -> &'static str {
        "3"
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn facts(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    fn ping(&self) -> Result<(), Trouble> {
        self.ask(NULL, &Encoder::new()).map(drop)
    }

    fn look_up(&self, folder: &Handle, name: &str) -> Result<Found, Trouble> {
        let (handle, attributes) = self.ask_patiently(LOOKUP, &at(folder, name), |results| {
            Ok((Handle::new(results.opaque()?), optional_attributes(results)?))
        })?;
        let attributes = match attributes {
            Some(attributes) => attributes,
            None => self.attributes(&handle)?,
        };
        Ok(Found { handle, attributes })
    }

    fn attributes(&self, handle: &Handle) -> Result<Attributes, Trouble> {
        self.ask_patiently(GETATTR, Encoder::new().opaque(handle.bytes()), attributes)
    }

    fn space(&self, handle: &Handle) -> Result<Space, Trouble> {
        self.ask_patiently(FSSTAT, Encoder::new().opaque(handle.bytes()), |results| {
            optional_attributes(results)?;
            // tbytes, fbytes, abytes.
            let [total, _, free] = [results.u64()?, results.u64()?, results.u64()?];
            Ok(Space { free, total })
        })
    }

    fn names(&self, folder: &Handle) -> Result<Vec<String>, Trouble> {
        let mut listing = Listing::default();
        loop {
            let mut arguments = Encoder::new();
            arguments.opaque(folder.bytes()).u64(listing.cookie).fixed(&listing.verifier).u32(LISTING);
            let page = self.ask_patiently(READDIR, &arguments, |results| {
                optional_attributes(results)?;
                let (verifier, mut entries) = (results.array()?, Vec::new());
                while results.bool()? {
                    results.u64()?;
                    entries.push((results.text()?, results.u64()?));
                }
                Ok(Page { verifier, entries, ended: results.bool()? })
            })?;
            if !listing.goes_on(page)? {
                return Ok(listing.names());
            }
        }
    }

    fn make_folder(&self, folder: &Handle, name: &str) -> Result<(), Trouble> {
        let mut arguments = at(folder, name);
        mode(&mut arguments, FOLDER_MODE);
        self.ask_patiently(MKDIR, &arguments, |_| Ok(()))
    }

    fn remove(&self, folder: &Handle, name: &str, kind: Kind) -> Result<(), Trouble> {
        let procedure = if kind == Kind::Folder { RMDIR } else { REMOVE };
        self.ask_patiently(procedure, &at(folder, name), |_| Ok(()))
    }

    fn create(&self, folder: &Handle, name: &str) -> Result<Opened, Trouble> {
        let mut arguments = at(folder, name);
        arguments.u32(GUARDED);
        mode(&mut arguments, FILE_MODE);
        let handle = self.ask_patiently(CREATE, &arguments, |results| {
            Ok(if results.bool()? { Some(Handle::new(results.opaque()?)) } else { None })
        })?;
        let handle = match handle {
            Some(handle) => handle,
            // A server need not tell it here.
            None => self.look_up(folder, name)?.handle,
        };
        Ok(Opened { handle, state: None })
    }

    fn open(&self, folder: &Handle, name: &str, _: bool) -> Result<Opened, Trouble> {
        let found = self.look_up(folder, name)?;
        match found.attributes.kind {
            Kind::File => Ok(Opened { handle: found.handle, state: None }),
            Kind::Folder | Kind::Other => Err(Trouble::Status(Status::nfs3(21))),
        }
    }

    fn close(&self, _: &Opened) -> Result<(), Trouble> {
        Ok(())
    }

    fn commit(&self, opened: &Opened) -> Result<Verifier, Trouble> {
        // From the start, and 0 is to the end.
        let mut arguments = Encoder::new();
        arguments.opaque(opened.handle.bytes()).u64(0).u32(0);
        self.ask_patiently(COMMIT, &arguments, |results| {
            change(results)?;
            results.array()
        })
    }

    fn begin_write(
        &self,
        opened: &Opened,
        offset: u64,
        data: &[u8],
        stable: Stable,
        _: bool,
    ) -> Result<Option<Ticket>, Trouble> {
        let count = word(data.len());
        let mut arguments = Encoder::new();
        arguments.opaque(opened.handle.bytes()).u64(offset).u32(count).u32(stable.number()).u32(count);
        let pending = self.connections.next().send(numbered(WRITE), arguments.bytes(), data)?;
        Ok(Some(Ticket { pending, slot: None }))
    }

    fn end_write(&self, ticket: Ticket) -> Result<Written, Trouble> {
        let reply = ticket.pending.wait()?;
        let mut results = self.results(&reply)?;
        change(&mut results)?;
        let count = results.u32()? as usize;
        let stable = results.u32()? == FILE_SYNC;
        Ok(Written { count, stable, verifier: results.array()? })
    }

    fn begin_read(
        &self,
        opened: &Opened,
        offset: u64,
        count: u32,
        _: bool,
    ) -> Result<Option<Ticket>, Trouble> {
        let mut arguments = Encoder::new();
        arguments.opaque(opened.handle.bytes()).u64(offset).u32(count);
        let pending = self.connections.next().send(numbered(READ), arguments.bytes(), &[])?;
        Ok(Some(Ticket { pending, slot: None }))
    }

    fn end_read(&self, ticket: Ticket, block: &mut [u8]) -> Result<(usize, bool), Trouble> {
        let reply = ticket.pending.wait()?;
        let mut results = self.results(&reply)?;
        optional_attributes(&mut results)?;
        results.u32()?;
        let ended = results.bool()?;
        let data = results.opaque()?;
        let place = block.get_mut(..data.len()).ok_or(Trouble::Malformed("READ3res: count"))?;
        place.copy_from_slice(data);
        Ok((data.len(), ended))
    }
}

const fn numbered(number: u32) -> Procedure {
    Procedure { program: NFS_PROGRAM, version: 3, number }
}

/// `diropargs3`: a name in a folder.
fn at(folder: &Handle, name: &str) -> Encoder {
    let mut arguments = Encoder::new();
    arguments.opaque(folder.bytes()).opaque(name.as_bytes());
    arguments
}

/// `sattr3` with a mode and nothing else.
fn mode(arguments: &mut Encoder, mode: u32) {
    arguments.u32(1).u32(mode).u32(0).u32(0).u32(0).u32(0).u32(0);
}

/// `fattr3`.
fn attributes(results: &mut Decoder<'_>) -> Result<Attributes, Trouble> {
    let mut fields = Decoder::new(results.fixed(ATTRIBUTES)?);
    let kind = Kind::from_number(fields.u32()?);
    // mode, nlink, uid, gid.
    fields.fixed(16)?;
    let size = fields.u64()?;
    // used, rdev.
    fields.fixed(16)?;
    Ok(Attributes { kind, size, file_system: (fields.u64()?, 0) })
}

/// `post_op_attr`.
fn optional_attributes(results: &mut Decoder<'_>) -> Result<Option<Attributes>, Trouble> {
    if results.bool()? { attributes(results).map(Some) } else { Ok(None) }
}

/// `wcc_data`: what changed, of which nothing is needed.
fn change(results: &mut Decoder<'_>) -> Result<(), Trouble> {
    if results.bool()? {
        results.fixed(24)?;
    }
    optional_attributes(results).map(drop)
}

#[cfg(test)]
mod tests;
