//! The engine for WebDAV (RFC 4918): a file is written by one PUT and read by GETs of ranges.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Instant;

use sharemark_model::{
    Address, Bytes, Evidence, Failure, FailureCode, FileName, FolderName, Inspection, Nanoseconds, Operation,
    Share,
};

use crate::answer::{failure_from, is_absent};
use crate::dial::CONNECT_LIMIT;
use crate::{ReadFile, ReadOptions, ServerAnswer, Target, WriteFile, WriteOptions};

mod connection;
mod download;
mod http;
mod login;
mod multistatus;
mod path;
mod session;
mod status;
mod tls;
mod upload;

use download::Download;
use http::{Head, protocol};
use multistatus::Resource;
use session::{Request, Session};
use upload::Upload;

/// Requests that the round trip's time is the best of.
const ROUND_TRIPS: u32 = 5;

/// A share reached by WebDAV.
pub(crate) struct WebdavTarget {
    session: Arc<Session>,
    address: Address,
}

impl WebdavTarget {
    /// Connects and logs in, if the server asks for it.
    ///
    /// # Errors
    /// When the server cannot be reached, is not the one that its certificate has to name, or refuses the login.
    pub(crate) fn connect(share: &Share) -> Result<Self, Failure> {
        let address = share.address.clone();
        let place = address.to_string();
        let target = Self { session: Arc::new(Session::new(share)?), address };
        // The first connection's failure says more than an error of a request could hold.
        let first = target.session.connect()?;
        target.session.keep(first);
        let root = target.root();
        let request =
            Request { until: Some(Instant::now() + CONNECT_LIMIT), ..propfind(&root, &[("Depth", "0")]) };
        let (head, _) =
            target.session.ask(&request).map_err(|error| failure_from(&error, Operation::Connect, &place))?;
        // Everything else that may be wrong is found out by what is done next.
        if head.status == 401 {
            return Err(failure_from(&status::refusal(&head), Operation::Connect, place));
        }
        Ok(target)
    }

    fn root(&self) -> String {
        path::target(self.address.path.iter().map(String::as_str), true)
    }

    fn folder(&self, folder: &FolderName) -> String {
        path::target(self.address.path.iter().map(String::as_str).chain([folder.as_str()]), true)
    }

    fn file(&self, folder: &FolderName, file: &FileName) -> String {
        let names = self.address.path.iter().map(String::as_str).chain([folder.as_str(), file.as_str()]);
        path::target(names, false)
    }

    fn folder_place(&self, folder: &FolderName) -> String {
        format!("{}/{}", self.address.shown.trim_end_matches('/'), folder.as_str())
    }

    /// What the server says of the resources at `target`: of itself, and with a depth of 1 of its members as well.
    fn look(&self, target: &str, depth: &str) -> io::Result<(Head, Vec<Resource>)> {
        let headers = [("Depth", depth)];
        let (head, body) = self.session.expect(&Request {
            body: if depth == "0" { multistatus::ALL } else { multistatus::KINDS },
            ..propfind(target, &headers)
        })?;
        if head.status != 207 {
            return Err(protocol(head.line()));
        }
        let found = multistatus::parse(&body)?;
        if found.is_empty() {
            return Err(protocol(head.line()));
        }
        Ok((head, found))
    }

    fn look_at(&self, target: &str) -> io::Result<(Head, Resource)> {
        let (head, mut found) = self.look(target, "0")?;
        Ok((head, found.swap_remove(0)))
    }

    /// How many members a folder has. A server behind a proxy may call it by another path, so that only the names at the
    /// end of a path are compared; what is not known to be the folder itself is counted.
    fn members(&self, folder: &FolderName) -> io::Result<u64> {
        let (_, found) = self.look(&self.folder(folder), "1")?;
        let own = folder.as_str().as_bytes();
        let is_itself = |resource: &&Resource| {
            let mut names = resource.names.iter().rev().map(Vec::as_slice);
            resource.folder && names.next() == Some(own) && names.next() != Some(own)
        };
        match found.iter().filter(is_itself).count() {
            0 if found.len() == 1 => Err(ErrorKind::NotADirectory.into()),
            itself => Ok((found.len() - itself.min(1)) as u64),
        }
    }

    /// The folder that was typed.
    fn look_at_root(&self) -> io::Result<(Head, Resource)> {
        let root = self.root();
        let found = match self.look_at(&root) {
            // A file is not found by a folder's name (nginx), or that makes no sense (Apache).
            Err(error) if root.len() > 1 => match self.look_at(root.trim_end_matches('/')) {
                Ok(found) if !found.1.folder => found,
                _ => return Err(error),
            },
            found => found?,
        };
        if found.1.folder { Ok(found) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    fn facts(&self, head: &Head) -> io::Result<Evidence> {
        let root = self.root();
        let mut best = Nanoseconds(u64::MAX);
        let mut dav = None;
        for _ in 0..ROUND_TRIPS {
            let begun = Instant::now();
            let (head, _) = self.session.ask(&Request::new("OPTIONS", &root))?;
            best = best.min(begun.elapsed().into());
            let said: Vec<&str> = head.all("dav").collect();
            dav = Some(said.join(", ")).filter(|dav| !dav.is_empty());
        }
        let mut facts = Evidence::new();
        let mut tell = |name: &str, value: serde_json::Value| facts.insert(name.to_owned(), value);
        tell("http", format!("1.{}", head.minor).into());
        tell("login", self.session.login_name().into());
        tell("round_trip_ns", best.0.into());
        if let Some(software) = head.get("server") {
            tell("software", software.into());
        }
        if let Some(dav) = dav {
            tell("dav", dav.into());
        }
        if let Some(made) = self.session.made() {
            tell("address", made.peer.to_string().into());
            tell("connect_ns", made.connect.0.into());
            match made.tls {
                Some((took, agreed)) => {
                    tell("tls", agreed.into());
                    tell("handshake_ns", took.0.into());
                }
                None => {
                    tell("tls", "off".into());
                }
            }
        }
        tell("connections_max", download::CONNECTIONS.into());
        Ok(facts)
    }

    /// Removes what is at `target`; what is not there counts as removed.
    fn remove(&self, target: &str) -> io::Result<()> {
        let (head, body) = self.session.ask(&Request::new("DELETE", target))?;
        match head.status {
            404 | 410 => Ok(()),
            // Some of it could not be removed.
            207 => Err(protocol(head.line())),
            _ if head.succeeded() => Ok(()),
            _ => Err(status::refusal_with(&head, &body)),
        }
    }

    fn remove_plain(&self, target: &str) -> io::Result<()> {
        // A folder of that name is not what sharemark made: hands off.
        if self.look_at(target)?.1.folder {
            return Err(ErrorKind::IsADirectory.into());
        }
        self.remove(target)
    }

    fn remove_empty(&self, folder: &FolderName) -> io::Result<()> {
        // DELETE removes whatever is in a folder, and the protocol has no way to ask for less (RFC 4918, 9.6.1). A file that
        // somebody puts into it between these two requests goes with it.
        match self.members(folder)? {
            0 => self.remove(&self.folder(folder)),
            _ => Err(ErrorKind::DirectoryNotEmpty.into()),
        }
    }
}

const fn propfind<'a>(target: &'a str, headers: &'a [(&'static str, &'a str)]) -> Request<'a> {
    Request { headers, body: multistatus::ALL, ..Request::new("PROPFIND", target) }
}

fn absent_is_done(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if is_absent(&error) { Ok(()) } else { Err(error) })
}

impl Target for WebdavTarget {
    fn inspect(&self) -> Result<Inspection, Failure> {
        let looked = self.look_at_root().and_then(|(head, root)| Ok((self.facts(&head)?, root)));
        let (facts, root) =
            looked.map_err(|error| failure_from(&error, Operation::Inspect, self.address.to_string()))?;
        let total = root.available.zip(root.used).and_then(|(free, used)| free.checked_add(used));
        Ok(Inspection {
            path: self.address.to_string(),
            mount: None,
            server: Some(facts),
            free: root.available.map(Bytes),
            total: total.map(Bytes),
        })
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
        let target = self.folder(folder);
        let made =
            self.session.ask(&Request::new("MKCOL", &target)).and_then(|(head, body)| match head.status {
                // The method is not allowed where something is (RFC 4918, 9.3.1).
                405 => Err(ErrorKind::AlreadyExists.into()),
                201 => Ok(()),
                _ => Err(status::refusal_with(&head, &body)),
            });
        made.map_err(|error| failure_from(&error, Operation::CreateFolder, self.folder_place(folder)))
    }

    fn create(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        match Upload::begin(&self.session, &self.file(folder, file), options) {
            Ok(upload) => Ok(Box::new(upload)),
            Err(error) => Err(failure_from(&error, Operation::Create, self.place(folder, file))),
        }
    }

    fn update(
        &self,
        folder: &FolderName,
        file: &FileName,
        _: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        // A PUT replaces the whole.
        Err(Failure::new(FailureCode::Unsupported, Operation::Open, self.place(folder, file)))
    }

    fn open(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &ReadOptions,
    ) -> Result<Box<dyn ReadFile>, Failure> {
        match Download::open(self.session.clone(), self.file(folder, file), options) {
            Ok(download) => Ok(Box::new(download)),
            Err(error) => Err(failure_from(&error, Operation::Open, self.place(folder, file))),
        }
    }

    fn size_of(&self, folder: &FolderName, file: &FileName) -> Result<Bytes, Failure> {
        let size = self.look_at(&self.file(folder, file)).and_then(|(head, found)| {
            let unknown =
                || ServerAnswer::new(FailureCode::Protocol, format!("{}: getcontentlength", head.line()));
            Ok(Bytes(found.length.ok_or_else(unknown)?))
        });
        size.map_err(|error| failure_from(&error, Operation::Inspect, self.place(folder, file)))
    }

    fn list(&self, folder: &FolderName) -> Result<u64, Failure> {
        self.members(folder).map_err(|error| failure_from(&error, Operation::List, self.folder_place(folder)))
    }

    fn remove_file(&self, folder: &FolderName, file: &FileName) -> Result<(), Failure> {
        absent_is_done(self.remove_plain(&self.file(folder, file)))
            .map_err(|error| failure_from(&error, Operation::Remove, self.place(folder, file)))
    }

    fn remove_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        absent_is_done(self.remove_empty(folder))
            .map_err(|error| failure_from(&error, Operation::Remove, self.folder_place(folder)))
    }

    /// A body is sent from its beginning to its end.
    fn writes_at_once(&self) -> Option<u32> {
        Some(1)
    }
}
