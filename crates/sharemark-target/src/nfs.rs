//! The engine for NFS: version 3, and 4.0 to 4.2, spoken by this process itself.
//!
//! No NFS client from elsewhere is used. What there is creates files over existing ones, cannot ask for stable writes,
//! and reconnects and repeats requests unseen, each of which would make a measurement say what is not so.

mod exports;
mod file;
mod listing;
mod parts;
mod protocol;
mod reach;
mod record;
mod rpc;
#[cfg(test)]
mod script;
mod slots;
mod socket;
mod status;
mod trouble;
mod user;
mod v3;
mod v4;
mod xdr;

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use sharemark_model::{
    Address, Bytes, Evidence, Failure, FailureCode, FileName, FolderName, Inspection, Operation, Share,
};

use self::file::{Reader, Seen, Writer};
use self::protocol::{Found, Handle, Kind, Protocol};
use self::reach::Reached;
use self::rpc::lock;
use self::trouble::Trouble;
use self::user::User;
use crate::{ReadFile, ReadOptions, Target, WriteFile, WriteOptions, failure_from};

/// Round trips of which the shortest is told.
const ROUND_TRIPS: u32 = 5;

/// How long a folder may stay full after its last file was removed: some servers keep a file that is open somewhere under
/// another name (`.nfsXXXX`) until that ends.
const EMPTYING: Duration = Duration::from_secs(1);

/// A share reached by NFS.
pub(crate) struct NfsTarget {
    address: Address,
    user: User,
    connections: u32,
    reached: Reached,
    /// sharemark's own folder once it was found, as a kernel would remember it.
    folder: Mutex<Option<(FolderName, Handle)>>,
}

impl NfsTarget {
    /// Connects to the server and mounts what the address names.
    ///
    /// # Errors
    /// When the server cannot be reached, does not speak the version asked for, or exports no such folder.
    pub(crate) fn connect(share: &Share) -> Result<Self, Failure> {
        let user = User::of(share)?;
        let reached = reach::reach(share, &user)?;
        let connections = share.wishes.connections.max(1);
        Ok(Self { address: share.address.clone(), user, connections, reached, folder: Mutex::new(None) })
    }

    fn protocol(&self) -> &dyn Protocol {
        &*self.reached.protocol
    }

    /// The folder that the address names.
    fn base(&self, operation: Operation) -> Result<&Found, Failure> {
        self.reached
            .base
            .as_ref()
            .map_err(|answer| answer.clone().failure(operation, self.address.to_string()))
    }

    /// sharemark's own folder; `None` when it is not there.
    fn folder(&self, folder: &FolderName, operation: Operation) -> Result<Option<Handle>, Failure> {
        let mut known = lock(&self.folder);
        if let Some((name, handle)) = &*known
            && name == folder
        {
            return Ok(Some(handle.clone()));
        }
        let found = self.look_up(folder, operation)?;
        if let Some(handle) = &found {
            *known = Some((folder.clone(), handle.clone()));
        }
        Ok(found)
    }

    /// The folder that has the name of sharemark's own just now; `None` when there is nothing.
    fn look_up(&self, folder: &FolderName, operation: Operation) -> Result<Option<Handle>, Failure> {
        let base = self.base(operation)?;
        match self.protocol().look_up(&base.handle, folder.as_str()) {
            Ok(found) if found.attributes.kind != Kind::Folder => {
                Err(Failure::new(FailureCode::NotAFolder, operation, self.folder_place(folder)))
            }
            Ok(found) => Ok(Some(found.handle)),
            Err(trouble) if trouble.code() == FailureCode::NotFound => Ok(None),
            Err(trouble) => Err(failed(trouble, operation, self.folder_place(folder))),
        }
    }

    /// sharemark's own folder, which has to be there.
    fn own(&self, folder: &FolderName, operation: Operation) -> Result<Handle, Failure> {
        let found = self.folder(folder, operation)?;
        found.ok_or_else(|| Failure::new(FailureCode::NotFound, operation, self.folder_place(folder)))
    }

    fn folder_place(&self, folder: &FolderName) -> String {
        // The query stands at the end of an address, behind its path.
        let shown = self.address.shown.split(['?', '#']).next().unwrap_or_default();
        format!("{}/{}", shown.trim_end_matches('/'), folder.as_str())
    }

    fn facts(&self) -> Result<Evidence, Trouble> {
        let limits = self.protocol().limits();
        let mut round_trip = Duration::MAX;
        for _ in 0..ROUND_TRIPS {
            let begun = Instant::now();
            self.protocol().ping()?;
            round_trip = round_trip.min(begun.elapsed());
        }
        let nanoseconds = |time: Duration| json!(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let mut facts = Evidence::from([
            ("address".into(), json!(self.reached.peer.to_string())),
            ("version".into(), json!(self.protocol().version())),
            ("export".into(), json!(self.reached.export)),
            ("max_read_bytes".into(), json!(limits.read)),
            ("max_write_bytes".into(), json!(limits.write)),
            ("connections".into(), json!(self.connections)),
            ("connect_ns".into(), nanoseconds(self.reached.connected)),
            ("mount_ns".into(), nanoseconds(self.reached.mounted)),
            ("round_trip_ns".into(), nanoseconds(round_trip)),
            ("uid".into(), json!(self.user.uid)),
        ]);
        facts.extend(self.protocol().facts().into_iter().map(|(name, value)| (name.to_owned(), value)));
        Ok(facts)
    }

    fn writer(&self, opened: protocol::Opened, options: &WriteOptions) -> Box<dyn WriteFile> {
        Box::new(Writer {
            protocol: Arc::clone(&self.reached.protocol),
            opened,
            durability: options.durability,
            seen: Seen::default(),
        })
    }
}

impl Target for NfsTarget {
    fn inspect(&self) -> Result<Inspection, Failure> {
        let base = self.base(Operation::Inspect)?;
        let place = self.address.to_string();
        if base.attributes.kind != Kind::Folder {
            return Err(Failure::new(FailureCode::NotAFolder, Operation::Inspect, place));
        }
        let asked = self.protocol().space(&base.handle).and_then(|space| Ok((space, self.facts()?)));
        let (space, facts) = asked.map_err(|trouble| failed(trouble, Operation::Inspect, &place))?;
        // A size of zero is what servers say that do not know it.
        let known = |bytes| Some(Bytes(bytes)).filter(|_| space.total > 0);
        let (free, total) = (known(space.free), known(space.total));
        Ok(Inspection { path: place, mount: None, server: Some(facts), free, total })
    }

    fn remembers_names(&self) -> bool {
        false
    }

    fn keeps_its_word(&self) -> bool {
        true
    }

    fn place(&self, folder: &FolderName, file: &FileName) -> String {
        format!("{}/{}", self.folder_place(folder), file.as_str())
    }

    fn create_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let base = self.base(Operation::CreateFolder)?;
        // Asked beforehand as well: the memory server of `nfs3_server` makes a second folder of the same name.
        if self.folder(folder, Operation::CreateFolder)?.is_some() {
            let place = self.folder_place(folder);
            return Err(Failure::new(FailureCode::Other, Operation::CreateFolder, place));
        }
        let made = self.protocol().make_folder(&base.handle, folder.as_str());
        made.map_err(|trouble| failed(trouble, Operation::CreateFolder, self.folder_place(folder)))
    }

    fn create(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        let own = self.own(folder, Operation::Create)?;
        let opened = self.protocol().create(&own, file.as_str());
        let opened =
            opened.map_err(|trouble| failed(trouble, Operation::Create, self.place(folder, file)))?;
        Ok(self.writer(opened, options))
    }

    fn update(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        let own = self.own(folder, Operation::Open)?;
        let opened = self.protocol().open(&own, file.as_str(), true);
        let opened = opened.map_err(|trouble| failed(trouble, Operation::Open, self.place(folder, file)))?;
        Ok(self.writer(opened, options))
    }

    fn open(
        &self,
        folder: &FolderName,
        file: &FileName,
        _: &ReadOptions,
    ) -> Result<Box<dyn ReadFile>, Failure> {
        let own = self.own(folder, Operation::Open)?;
        let opened = self.protocol().open(&own, file.as_str(), false);
        let opened = opened.map_err(|trouble| failed(trouble, Operation::Open, self.place(folder, file)))?;
        Ok(Box::new(Reader { protocol: Arc::clone(&self.reached.protocol), opened }))
    }

    fn size_of(&self, folder: &FolderName, file: &FileName) -> Result<Bytes, Failure> {
        let own = self.own(folder, Operation::Inspect)?;
        let found = self.protocol().look_up(&own, file.as_str());
        let found = found.map_err(|trouble| failed(trouble, Operation::Inspect, self.place(folder, file)))?;
        Ok(Bytes(found.attributes.size))
    }

    fn list(&self, folder: &FolderName) -> Result<u64, Failure> {
        let own = self.own(folder, Operation::List)?;
        let names = self.protocol().names(&own);
        let names = names.map_err(|trouble| failed(trouble, Operation::List, self.folder_place(folder)))?;
        Ok(names.len() as u64)
    }

    fn remove_file(&self, folder: &FolderName, file: &FileName) -> Result<(), Failure> {
        let Some(own) = self.folder(folder, Operation::Remove)? else { return Ok(()) };
        let removed = self.protocol().look_up(&own, file.as_str()).and_then(|found| {
            // Only what sharemark could have made is removed.
            if found.attributes.kind != Kind::File {
                return Ok(false);
            }
            self.protocol().remove(&own, file.as_str(), Kind::File).map(|()| true)
        });
        match removed {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::new(FailureCode::Other, Operation::Remove, self.place(folder, file))),
            Err(trouble) if trouble.code() == FailureCode::NotFound => Ok(()),
            Err(trouble) => Err(failed(trouble, Operation::Remove, self.place(folder, file))),
        }
    }

    fn remove_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let base = self.base(Operation::Remove)?;
        // Removing goes by the name. What is known of it is asked for again each time: another program may have removed the
        // folder and made something else of that name.
        let known = lock(&self.folder).take().filter(|(name, _)| name == folder);
        let mut own = known.map(|(_, handle)| handle);
        let begun = Instant::now();
        loop {
            let Some(found) = self.look_up(folder, Operation::Remove)? else { return Ok(()) };
            if *own.get_or_insert_with(|| found.clone()) != found {
                let place = self.folder_place(folder);
                return Err(Failure::new(FailureCode::Other, Operation::Remove, place)
                    .with_system("LOOKUP: another file handle"));
            }
            let trouble = match self.protocol().remove(&base.handle, folder.as_str(), Kind::Folder) {
                Ok(()) => return Ok(()),
                Err(trouble) => trouble.of_removing_a_folder(),
            };
            match trouble.code() {
                FailureCode::NotFound => return Ok(()),
                FailureCode::NotEmpty if begun.elapsed() < EMPTYING => thread::sleep(EMPTYING / 10),
                _ => return Err(failed(trouble, Operation::Remove, self.folder_place(folder))),
            }
        }
    }
}

fn failed(trouble: Trouble, operation: Operation, place: impl Into<String>) -> Failure {
    failure_from(&trouble.into(), operation, place)
}

#[cfg(test)]
mod tests;
