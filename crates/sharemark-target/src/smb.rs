//! The engine for SMB 2 and 3.
//!
//! Messages, keys and NTLM are `smb2`'s; the connection is our own. What moves the bytes must cost less than what it
//! measures: a block goes from its buffer to the system and back without a copy in between, and the requests under way
//! are those that the measured loop asks for, with no window, no read-ahead and no retry of anybody else's.

mod buffers;
mod calls;
mod exchange;
mod facts;
mod file;
mod frame;
mod greet;
mod keys;
mod lane;
mod link;
mod login;
mod names;
mod queue;
mod seal;
mod shares;
mod signing;
mod status;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use sharemark_model::{Bytes, Failure, FailureCode, FileName, FolderName, Inspection, Operation, Share};
use smb2::msg::tree_connect::ShareType;
use smb2::types::flags::FileAccessMask;

use crate::dial::runtime;
use crate::{ReadFile, ReadOptions, ServerAnswer, Target, WriteFile, WriteOptions};

use calls::{Kind, Opening};
use lane::Lane;
use names::Names;

/// A share reached by SMB.
pub(crate) struct SmbTarget {
    names: Names,
    /// The connections, each in the share; without a share there are none.
    lanes: Vec<Arc<Lane>>,
    /// The shares to choose from, when the address names none.
    choices: Vec<String>,
    /// The folder that was seen to be sharemark's own, and no link: looked at once, since small files are timed.
    own: Mutex<Option<FolderName>>,
}

impl SmbTarget {
    /// Connects as often as wished, logs in, and enters the share. An address without a share is taken as well, since
    /// what the server offers is an answer to it: looking at such a target tells.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses the login, has no such share, or does not speak what is wished.
    pub(crate) fn connect(share: &Share) -> Result<Self, Failure> {
        let names = Names::of(&share.address);
        let runtime = runtime(&share.address)?;
        let Some(name) = &names.share else {
            // The login is tried for its own answer: who is refused would see an empty list.
            Lane::connect(share, &runtime)?;
            let choices = shares::choices(share, &runtime);
            return Ok(Self { names, lanes: Vec::new(), choices, own: Mutex::default() });
        };
        let refused = |answer: ServerAnswer| answer.failure(Operation::Connect, names.shown());
        let mut lanes = Vec::new();
        for _ in 0..share.wishes.connections.max(1) {
            let mut lane = Lane::connect(share, &runtime)?;
            let kind = lane.enter(&names.unc(name)).map_err(|answer| {
                let failure = refused(answer);
                match failure.code {
                    FailureCode::UnknownShare => failure.with_choices(shares::choices(share, &runtime)),
                    _ => failure,
                }
            })?;
            if kind != ShareType::Disk {
                return Err(Failure::new(FailureCode::NotStorage, Operation::Connect, names.shown()));
            }
            lanes.push(Arc::new(lane));
        }
        lanes.iter().try_for_each(|lane| lane.set_out()).map_err(refused)?;
        Ok(Self { names, lanes, choices: Vec::new(), own: Mutex::default() })
    }

    /// The first connection, for all that needs only one.
    fn lane(&self, operation: Operation) -> Result<&Lane, Failure> {
        self.lanes.first().map(Arc::as_ref).ok_or_else(|| {
            Failure::new(FailureCode::NoShare, operation, self.names.shown())
                .with_choices(self.choices.clone())
        })
    }

    /// Sees to it that files in sharemark's own folder are in that folder, and not where a link in its place leads. Where
    /// there is none, opening the file will say so.
    fn own_folder(&self, folder: &FolderName, operation: Operation) -> Result<(), Failure> {
        let lane = self.lane(operation)?;
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if own.as_ref() != Some(folder) {
            let there = calls::is_own_folder(lane, &self.names.own_folder(folder))
                .map_err(|answer| answer.failure(operation, self.names.shown_folder(folder)))?;
            *own = there.then(|| folder.clone());
        }
        Ok(())
    }

    /// Whether sharemark's own folder is there to remove from: not when it is absent, or leads elsewhere.
    fn is_there(&self, folder: &FolderName) -> Result<bool, Failure> {
        let lane = self.lane(Operation::Remove)?;
        calls::is_own_folder(lane, &self.names.own_folder(folder))
            .map_err(|answer| answer.failure(Operation::Remove, self.names.shown_folder(folder)))
    }
}

impl Target for SmbTarget {
    fn inspect(&self) -> Result<Inspection, Failure> {
        let lane = self.lane(Operation::Inspect)?;
        let look = || -> Result<Inspection, ServerAnswer> {
            let opening = Opening::to_look(Kind::Folder);
            let space = calls::with(lane, &self.names.folder, opening, |found| calls::space(lane, found.id));
            let (free, total) = space?;
            // A server that counts no space says zero of it.
            let known = total > 0;
            Ok(Inspection {
                path: self.names.typed(),
                mount: None,
                server: Some(facts::facts(lane, self.lanes.len())?),
                free: known.then_some(Bytes(free)),
                total: known.then_some(Bytes(total)),
            })
        };
        look().map_err(|answer| answer.failure(Operation::Inspect, self.names.shown()))
    }

    /// No cache of this machine knows of this connection.
    fn remembers_names(&self) -> bool {
        false
    }

    fn keeps_its_word(&self) -> bool {
        true
    }

    fn place(&self, folder: &FolderName, file: &FileName) -> String {
        self.names.shown_file(folder, file)
    }

    fn create_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let lane = self.lane(Operation::CreateFolder)?;
        let access = FileAccessMask::FILE_READ_ATTRIBUTES;
        let opening = Opening { kind: Kind::Folder, access, new: true, options: 0 };
        calls::with(lane, &self.names.own_folder(folder), opening, |_| Ok(()))
            .map_err(|answer| answer.failure(Operation::CreateFolder, self.names.shown_folder(folder)))
    }

    fn create(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        self.own_folder(folder, Operation::Create)?;
        let name = self.names.file(folder, file);
        let writer = file::Writer::open(&self.lanes, &name, true, options.durability)
            .map_err(|answer| answer.failure(Operation::Create, self.place(folder, file)))?;
        Ok(Box::new(writer))
    }

    fn update(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        self.own_folder(folder, Operation::Open)?;
        let name = self.names.file(folder, file);
        let writer = file::Writer::open(&self.lanes, &name, false, options.durability)
            .map_err(|answer| answer.failure(Operation::Open, self.place(folder, file)))?;
        Ok(Box::new(writer))
    }

    fn open(
        &self,
        folder: &FolderName,
        file: &FileName,
        _options: &ReadOptions,
    ) -> Result<Box<dyn ReadFile>, Failure> {
        self.own_folder(folder, Operation::Open)?;
        let reader = file::Reader::open(&self.lanes, &self.names.file(folder, file))
            .map_err(|answer| answer.failure(Operation::Open, self.place(folder, file)))?;
        Ok(Box::new(reader))
    }

    fn size_of(&self, folder: &FolderName, file: &FileName) -> Result<Bytes, Failure> {
        let lane = self.lane(Operation::Verify)?;
        let opening = Opening::to_look(Kind::File);
        calls::with(lane, &self.names.file(folder, file), opening, |found| Ok(Bytes(found.size)))
            .map_err(|answer| answer.failure(Operation::Verify, self.place(folder, file)))
    }

    fn list(&self, folder: &FolderName) -> Result<u64, Failure> {
        let lane = self.lane(Operation::List)?;
        calls::count(lane, &self.names.own_folder(folder))
            .map_err(|answer| answer.failure(Operation::List, self.names.shown_folder(folder)))
    }

    fn remove_file(&self, folder: &FolderName, file: &FileName) -> Result<(), Failure> {
        if !self.is_there(folder)? {
            return Ok(());
        }
        let lane = self.lane(Operation::Remove)?;
        gone(calls::remove(lane, &self.names.file(folder, file), Kind::File))
            .map_err(|answer| answer.failure(Operation::Remove, self.place(folder, file)))
    }

    fn remove_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        if !self.is_there(folder)? {
            return Ok(());
        }
        let lane = self.lane(Operation::Remove)?;
        // A server may keep a removed file's name for a moment, while another program has it open.
        const PATIENCE: u32 = 10;
        let name = self.names.own_folder(folder);
        let mut result = Ok(());
        for attempt in 1..=PATIENCE {
            result = gone(calls::remove(lane, &name, Kind::Folder));
            match &result {
                Err(answer) if answer.code == FailureCode::NotEmpty && attempt < PATIENCE => {
                    thread::sleep(Duration::from_millis(100));
                }
                _ => break,
            }
        }
        result.map_err(|answer| answer.failure(Operation::Remove, self.names.shown_folder(folder)))
    }
}

/// What is not there needs no removing.
fn gone(result: Result<(), ServerAnswer>) -> Result<(), ServerAnswer> {
    match result {
        Err(answer) if answer.code == FailureCode::NotFound => Ok(()),
        other => other,
    }
}
