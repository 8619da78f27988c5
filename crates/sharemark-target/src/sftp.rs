//! The engine for SFTP.
//!
//! `sftp://user@host/absolute/path`, `sftp://user@host/~/folder` below the user's home, `sftp://user@host` for the home
//! itself. SSH is `russh`'s; SFTP version 3 is spoken here, since what a measurement needs of it is small: handles
//! are bytes and not texts, a server's status may be any number, and nothing ends by a timer of its own.
//!
//! **What a write means.** SFTP has no write that is durable when it is answered: an answered write is in the server's
//! hands. OpenSSH's extension `fsync@openssh.com` makes a whole file durable. An fsync after each block would be
//! write-through by its meaning, and nobody copies like that over SFTP, so the number would say nothing of the share.
//! Write-through is therefore one fsync at the end, inside of the timed close, and the mode says `Flushed`; where the
//! server does not offer it, the mode says `Acknowledged`.
//!
//! **What is in flight.** A block becomes requests of the length that the server's `limits@openssh.com` allows, else of
//! 32 KiB, all under way at once. What of it is on the way is bound by SSH's windows as well: reads by ours, which is
//! OpenSSH's 2 MiB, so that on a long way a connection reads at most 2 MiB in each round trip, as OpenSSH's own client
//! does, and several connections (`--connections`) as many times that; writes by the server's, which is opened step by
//! step and not told beforehand.

mod connection;
mod file;
mod known_hosts;
mod login;
mod packet;
mod pool;
mod session;
mod status;
mod watcher;

use std::sync::Arc;
use std::time::{Duration, Instant};

use sharemark_model::{
    Address, Bytes, Failure, FailureCode, FileName, FolderName, Inspection, Operation, Share,
};

use self::connection::nanoseconds;
use self::file::{NotOpened, Reader, Writer};
use self::pool::Pool;
use self::session::{Opening, Session};
use self::status::Fault;
use crate::{ReadFile, ReadOptions, Target, WriteFile, WriteOptions};

/// How often the round trip is timed; the shortest counts.
const ROUND_TRIPS: usize = 3;

/// A share reached by SFTP.
#[derive(Debug)]
pub(crate) struct SftpTarget {
    address: Address,
    /// The user's folder as the server is asked for it.
    base: String,
    pool: Arc<Pool>,
}

impl SftpTarget {
    /// Connects, checks the host's key against the lists of known hosts, and logs in.
    pub(crate) fn connect(share: &Share) -> Result<Self, Failure> {
        let pool = Arc::new(Pool::connect(share)?);
        Ok(Self { address: share.address.clone(), base: base(&share.address.path), pool })
    }

    fn session(&self) -> &Session {
        self.pool.first()
    }

    fn folder(&self, folder: &FolderName) -> String {
        join(&self.base, folder.as_str())
    }

    fn file(&self, folder: &FolderName, file: &FileName) -> String {
        join(&self.folder(folder), file.as_str())
    }

    /// What is at `path` as a person reads it, below the address.
    fn shown(&self, below: &[&str]) -> String {
        below.iter().fold(self.address.to_string(), |place, name| join(place.trim_end_matches('/'), name))
    }

    /// The path of sharemark's own folder, which has to be a folder and no link to one: nothing is written, read or
    /// removed through a link that somebody put in its place.
    fn own_folder(&self, folder: &FolderName, asked: Operation) -> Result<String, Failure> {
        self.own_folder_if_any(folder, asked)?
            .ok_or_else(|| Failure::new(FailureCode::NotFound, asked, self.shown(&[folder.as_str()])))
    }

    fn own_folder_if_any(&self, folder: &FolderName, asked: Operation) -> Result<Option<String>, Failure> {
        let path = self.folder(folder);
        let shown = || self.shown(&[folder.as_str()]);
        match self.session().own_attributes(&path) {
            Ok(found) if found.is_folder() != Some(false) => Ok(Some(path)),
            Ok(_) => Err(Failure::new(FailureCode::NotAFolder, asked, shown())),
            Err(fault) if fault.is_absent() => Ok(None),
            Err(fault) => Err(fault.failure(asked, shown())),
        }
    }

    /// A failure to make something, with what is known of why.
    fn not_made(&self, fault: &Fault, asked: Operation, path: &str, shown: String) -> Failure {
        if fault.says_little() && self.session().own_attributes(path).is_ok() {
            return Failure::new(FailureCode::Other, asked, shown)
                .with_system(format!("{}: EEXIST", fault.text()));
        }
        self.explained(fault, asked, shown)
    }

    /// A failure with what the file system tells of it where the server's words tell nothing.
    fn explained(&self, fault: &Fault, asked: Operation, shown: String) -> Failure {
        match self.pool.explained(fault, &self.base, 0) {
            Some(answer) => answer.failure(asked, shown),
            None => fault.failure(asked, shown),
        }
    }

    fn round_trip(&self) -> Option<Duration> {
        let timed = || {
            let begun = Instant::now();
            self.session().own_attributes(&self.base).ok().map(|_| begun.elapsed())
        };
        (0..ROUND_TRIPS).filter_map(|_| timed()).min()
    }
}

impl Target for SftpTarget {
    fn inspect(&self) -> Result<Inspection, Failure> {
        let failed = |fault: Fault| fault.failure(Operation::Inspect, self.address.to_string());
        let session = self.session();
        // OpenSSH tells a path's canonical form even when its last part is not there; the second question finds out.
        let path = session.real_path(&self.base).map_err(failed)?;
        let is_folder = match session.attributes(&path).map_err(failed)?.is_folder() {
            Some(is_folder) => is_folder,
            None => session.entries(&path).map(|_| true).map_err(failed)?,
        };
        if !is_folder {
            return Err(Failure::new(FailureCode::NotAFolder, Operation::Inspect, self.address.to_string()));
        }
        let space = session.file_system(&path).ok().flatten().filter(|found| found.total > 0);
        let mut facts = self.pool.facts();
        facts.insert("path".to_owned(), path.into());
        facts.insert("round_trip_ns".to_owned(), self.round_trip().map(nanoseconds).into());
        Ok(Inspection {
            path: self.address.to_string(),
            mount: None,
            server: Some(facts),
            free: space.map(|found| Bytes(found.free)),
            total: space.map(|found| Bytes(found.total)),
        })
    }

    fn remembers_names(&self) -> bool {
        false
    }

    fn keeps_its_word(&self) -> bool {
        true
    }

    fn place(&self, folder: &FolderName, file: &FileName) -> String {
        self.shown(&[folder.as_str(), file.as_str()])
    }

    fn create_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let path = self.folder(folder);
        self.session().make_folder(&path).map_err(|fault| {
            self.not_made(&fault, Operation::CreateFolder, &path, self.shown(&[folder.as_str()]))
        })
    }

    fn create(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        self.own_folder(folder, Operation::Create)?;
        let path = self.file(folder, file);
        let writer = Writer::open(&self.pool, path.clone(), Opening::Create, options.durability);
        let failed = |NotOpened { fault, made }| {
            let shown = self.place(folder, file);
            if made {
                self.explained(&fault, Operation::Create, shown)
            } else {
                self.not_made(&fault, Operation::Create, &path, shown)
            }
        };
        Ok(Box::new(writer.map_err(failed)?))
    }

    fn update(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        self.own_folder(folder, Operation::Open)?;
        let writer = Writer::open(&self.pool, self.file(folder, file), Opening::Write, options.durability);
        let failed = |NotOpened { fault, .. }| fault.failure(Operation::Open, self.place(folder, file));
        Ok(Box::new(writer.map_err(failed)?))
    }

    fn open(
        &self,
        folder: &FolderName,
        file: &FileName,
        _options: &ReadOptions,
    ) -> Result<Box<dyn ReadFile>, Failure> {
        self.own_folder(folder, Operation::Open)?;
        let failed = |NotOpened { fault, .. }| fault.failure(Operation::Open, self.place(folder, file));
        Ok(Box::new(Reader::open(&self.pool, self.file(folder, file)).map_err(failed)?))
    }

    fn size_of(&self, folder: &FolderName, file: &FileName) -> Result<Bytes, Failure> {
        let failed = |fault: Fault| fault.failure(Operation::Verify, self.place(folder, file));
        let found = self.session().own_attributes(&self.file(folder, file)).map_err(failed)?;
        found.size.map(Bytes).ok_or_else(|| failed(Fault::Malformed))
    }

    fn list(&self, folder: &FolderName) -> Result<u64, Failure> {
        let path = self.own_folder(folder, Operation::List)?;
        let failed = |fault: Fault| fault.failure(Operation::List, self.shown(&[folder.as_str()]));
        self.session().entries(&path).map_err(failed)
    }

    fn remove_file(&self, folder: &FolderName, file: &FileName) -> Result<(), Failure> {
        if self.own_folder_if_any(folder, Operation::Remove)?.is_none() {
            return Ok(());
        }
        let path = self.file(folder, file);
        let failed = |fault: Fault| fault.failure(Operation::Remove, self.place(folder, file));
        match self.session().own_attributes(&path) {
            // A link or a folder of that name is not what sharemark made: hands off.
            Ok(found) if found.is_file() == Some(false) => {
                return Err(Failure::new(FailureCode::Other, Operation::Remove, self.place(folder, file)));
            }
            Ok(_) => {}
            Err(fault) if fault.is_absent() => return Ok(()),
            Err(fault) => return Err(failed(fault)),
        }
        match self.session().remove(&path) {
            Err(fault) if !fault.is_absent() => Err(failed(fault)),
            _ => Ok(()),
        }
    }

    fn remove_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let Some(path) = self.own_folder_if_any(folder, Operation::Remove)? else { return Ok(()) };
        let shown = self.shown(&[folder.as_str()]);
        match self.session().remove_folder(&path) {
            Ok(()) => Ok(()),
            Err(fault) if fault.is_absent() => Ok(()),
            // All that most servers answer for a folder that is not empty.
            Err(fault)
                if fault.says_little() && self.session().entries(&path).is_ok_and(|count| count > 0) =>
            {
                Err(Failure::new(FailureCode::NotEmpty, Operation::Remove, shown).with_system(fault.text()))
            }
            Err(fault) => Err(fault.failure(Operation::Remove, shown)),
        }
    }
}

/// The folder of an address as a server is asked for it: a path without a slash in front begins at the user's home.
fn base(path: &[String]) -> String {
    match path {
        [] => ".".to_owned(),
        [home] if home == "~" => ".".to_owned(),
        [home, below @ ..] if home == "~" => below.join("/"),
        _ => format!("/{}", path.join("/")),
    }
}

fn join(folder: &str, name: &str) -> String {
    format!("{folder}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_absolute_unless_it_begins_at_the_home() {
        let asked = |url: &str| base(&Address::of(&url.parse().unwrap()).unwrap().unwrap().address.path);
        assert_eq!(asked("sftp://nas"), ".");
        assert_eq!(asked("sftp://nas/~"), ".");
        assert_eq!(asked("sftp://nas/~/写真/2026"), "写真/2026");
        assert_eq!(asked("sftp://nas/volume1/x"), "/volume1/x");
    }
}
