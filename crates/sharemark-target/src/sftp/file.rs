//! A file that is open in every connection's session.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use sharemark_model::{CacheProof, CacheUse, Durability, Operation, ReadMode, WriteMode};

use super::pool::Pool;
use super::session::{Opening, Session};
use super::status::Fault;
use crate::{ReadFile, WriteFile};

/// A file's handles, one for each session: a handle is good in the session that opened it only.
#[derive(Debug)]
struct Handles {
    pool: Arc<Pool>,
    handles: Vec<Bytes>,
    turn: AtomicUsize,
    path: String,
}

impl Handles {
    fn open(pool: &Arc<Pool>, path: String, opening: Opening) -> Result<Self, NotOpened> {
        let handles = open_in(pool.sessions(), &path, opening)?;
        Ok(Self { pool: Arc::clone(pool), handles, turn: AtomicUsize::new(0), path })
    }

    /// The session whose turn it is, with its handle.
    fn next(&self) -> (&Session, &Bytes) {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.handles.len();
        (self.pool.session(turn), &self.handles[turn])
    }

    fn fsync(&self) -> Result<(), Fault> {
        let mut sessions = self.pool.sessions().zip(&self.handles);
        sessions.try_for_each(|(session, handle)| session.fsync(handle))
    }

    /// Closes every handle; the first that the server does not close well is told.
    fn close(&self) -> Result<(), Fault> {
        let sessions = self.pool.sessions().zip(&self.handles);
        sessions.map(|(session, handle)| session.close(handle)).fold(Ok(()), Result::and)
    }
}

/// Why a file is not open.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotOpened {
    pub(super) fault: Fault,
    /// It was made by the session before the one that failed, so that it is there for no other reason.
    pub(super) made: bool,
}

/// Opens a file in each session; when one fails, it is closed again in those before.
fn open_in<'a>(
    sessions: impl Iterator<Item = &'a Session>,
    path: &str,
    opening: Opening,
) -> Result<Vec<Bytes>, NotOpened> {
    let mut opened: Vec<(&Session, Bytes)> = Vec::new();
    for session in sessions {
        // What the first has made is there for the others.
        let made = matches!(opening, Opening::Create) && !opened.is_empty();
        match session.open(path, if made { Opening::Write } else { opening }) {
            Ok(handle) => opened.push((session, handle)),
            Err(fault) => {
                for (session, handle) in &opened {
                    session.close(handle).ok();
                }
                return Err(NotOpened { fault, made });
            }
        }
    }
    Ok(opened.into_iter().map(|(_, handle)| handle).collect())
}

/// A file open for writing.
#[derive(Debug)]
pub(super) struct Writer {
    file: Handles,
    durability: Durability,
    fsync: bool,
}

impl Writer {
    pub(super) fn open(
        pool: &Arc<Pool>,
        path: String,
        opening: Opening,
        durability: Durability,
    ) -> Result<Self, NotOpened> {
        let fsync = pool.sessions().all(Session::offers_fsync);
        Ok(Self { file: Handles::open(pool, path, opening)?, durability, fsync })
    }

    fn flush_as(&self, asked: Operation) -> io::Result<()> {
        if !self.fsync {
            return Ok(());
        }
        self.file.fsync().map_err(|fault| self.error(&fault, asked, 0))
    }

    /// The error, with what the file system tells of it where the server's words tell nothing.
    fn error(&self, fault: &Fault, asked: Operation, needed: u64) -> io::Error {
        let folder = self.file.path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        self.file.pool.explained(fault, folder, needed).map_or_else(|| fault.error(asked), io::Error::from)
    }
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        let (session, handle) = self.file.next();
        session
            .write(handle, block, offset)
            .map_err(|fault| self.error(&fault, Operation::Write, block.len() as u64))
    }

    fn mode(&self) -> WriteMode {
        match self.durability {
            Durability::WriteThrough | Durability::Flush if self.fsync => WriteMode::Flushed,
            Durability::WriteThrough | Durability::Flush | Durability::Buffered => WriteMode::Acknowledged,
        }
    }

    fn flush(&self) -> io::Result<()> {
        self.flush_as(Operation::Flush)
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        let flushed = match self.durability {
            Durability::WriteThrough => self.flush_as(Operation::Close),
            Durability::Flush | Durability::Buffered => Ok(()),
        };
        let closed = self.file.close().map_err(|fault| self.error(&fault, Operation::Close, 0));
        flushed.and(closed)
    }
}

/// A file open for reading.
#[derive(Debug)]
pub(super) struct Reader(Handles);

impl Reader {
    pub(super) fn open(pool: &Arc<Pool>, path: String) -> Result<Self, NotOpened> {
        Handles::open(pool, path, Opening::Read).map(Self)
    }
}

impl ReadFile for Reader {
    fn prepare(&self) -> io::Result<()> {
        Ok(())
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        let (session, handle) = self.0.next();
        session.read(handle, &mut block[..length], offset).map_err(|fault| fault.error(Operation::Read))
    }

    fn cache(&self) -> CacheUse {
        CacheUse {
            write: None,
            read: Some(ReadMode::Direct),
            proof: CacheProof::OwnProtocol,
            resident_bytes: None,
            ruled_out: true,
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.0.close().map_err(|fault| fault.error(Operation::Close))
    }
}

#[cfg(test)]
mod tests {
    use super::super::packet::{CLOSE, HANDLE, OPEN, Request, STATUS};
    use super::super::session::tests::scripted;
    use super::*;

    fn opens(kind: u8, number: u32) -> Option<Request> {
        match kind {
            OPEN => Some(Request::new(HANDLE, number, 0).string(b"h")),
            CLOSE => Some(Request::new(STATUS, number, 0).u32(0)),
            _ => None,
        }
    }

    fn fails(_: u8, number: u32) -> Option<Request> {
        Some(Request::new(STATUS, number, 0).u32(4).string(b"Failure").string(b""))
    }

    #[test]
    fn only_what_the_first_session_did_not_make_was_there_before() {
        let fault = || Fault::Status(4, "Failure".to_owned());
        let create = |sessions: [Session; 2]| open_in(sessions.iter(), "f", Opening::Create);
        assert_eq!(create([scripted(opens), scripted(opens)]).map(|handles| handles.len()), Ok(2));
        let refused = NotOpened { fault: fault(), made: false };
        assert_eq!(create([scripted(fails), scripted(opens)]), Err(refused));
        let later = NotOpened { fault: fault(), made: true };
        assert_eq!(create([scripted(opens), scripted(fails)]), Err(later));
        let read = open_in([scripted(opens), scripted(fails)].iter(), "f", Opening::Read);
        assert_eq!(read, Err(NotOpened { fault: fault(), made: false }));
    }
}
