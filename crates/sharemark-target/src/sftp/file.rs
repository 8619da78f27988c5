//! A file that is open in every connection's session.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use sharemark_model::{CacheProof, CacheUse, Durability, Operation, ReadMode, WriteMode};

use super::pool::Pool;
use super::session::Opening;
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
    fn open(pool: &Arc<Pool>, path: String, opening: Opening) -> Result<Self, Fault> {
        let mut this = Self { pool: Arc::clone(pool), handles: Vec::new(), turn: AtomicUsize::new(0), path };
        for session in pool.sessions() {
            // What the first has made is there for the others.
            let opening = match opening {
                Opening::Create if !this.handles.is_empty() => Opening::Write,
                opening => opening,
            };
            match session.open(&this.path, opening) {
                Ok(handle) => this.handles.push(handle),
                Err(fault) => {
                    this.close().ok();
                    return Err(fault);
                }
            }
        }
        Ok(this)
    }

    /// The session whose turn it is, with its handle.
    fn next(&self) -> (&super::session::Session, &Bytes) {
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
    ) -> Result<Self, Fault> {
        let fsync = pool.sessions().all(super::session::Session::offers_fsync);
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
    pub(super) fn open(pool: &Arc<Pool>, path: String) -> Result<Self, Fault> {
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
