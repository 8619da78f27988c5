//! Open files on an NFS server.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sharemark_model::{CacheProof, CacheUse, Durability, FailureCode, ReadMode, WriteMode};

use super::parts::in_parts;
use super::protocol::{Opened, Protocol, Stable, Verifier, Written};
use super::rpc::lock;
use super::trouble::Trouble;
use crate::{ReadFile, WriteFile};

/// A file being written.
pub(super) struct Writer {
    pub(super) protocol: Arc<dyn Protocol>,
    pub(super) opened: Opened,
    pub(super) durability: Durability,
    pub(super) seen: Seen,
}

/// What the answers to the writes said.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Something was answered that is not stable yet.
    unstable: AtomicBool,
    /// The server's life in which that was.
    verifier: Mutex<Option<Verifier>>,
}

impl Seen {
    /// Takes an answer to a WRITE.
    fn note(&self, written: &Written) -> Result<(), Trouble> {
        if written.stable {
            return Ok(());
        }
        self.unstable.store(true, Ordering::Relaxed);
        self.same_life(written.verifier)
    }

    /// A server that restarted may have lost what was not stable (RFC 1813, 3.3.7).
    fn same_life(&self, verifier: Verifier) -> Result<(), Trouble> {
        if *lock(&self.verifier).get_or_insert(verifier) == verifier {
            return Ok(());
        }
        Err(Trouble::Refused(FailureCode::ServerGone, "WRITE/COMMIT verifier: changed".into()))
    }

    fn anything_unstable(&self) -> bool {
        self.unstable.load(Ordering::Relaxed)
    }
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        // Asking for stable writes is one round trip for each, as a mount with O_DIRECT and O_DSYNC needs: its WRITE is
        // FILE_SYNC too when one carries the whole operation.
        let stable = match self.durability {
            Durability::WriteThrough => Stable::FileSync,
            Durability::Flush | Durability::Buffered => Stable::Unstable,
        };
        in_parts(
            block.len(),
            self.protocol.limits().write as usize,
            |part, wait| {
                let at = offset + part.start as u64;
                self.protocol.begin_write(&self.opened, at, &block[part], stable, wait)
            },
            |ticket, part| {
                let written = self.protocol.end_write(ticket)?;
                if written.count > part.len() {
                    return Err(Trouble::Malformed("WRITE: count"));
                }
                self.seen.note(&written)?;
                Ok((written.count, false))
            },
        )?;
        Ok(())
    }

    fn mode(&self) -> WriteMode {
        match self.durability {
            Durability::WriteThrough if self.seen.anything_unstable() => WriteMode::Acknowledged,
            Durability::WriteThrough => WriteMode::DirectWriteThrough,
            Durability::Flush => WriteMode::Flushed,
            Durability::Buffered => WriteMode::Acknowledged,
        }
    }

    fn flush(&self) -> io::Result<()> {
        // What every answer called stable needs no COMMIT; kernels send none either.
        if self.seen.anything_unstable() {
            self.seen.same_life(self.protocol.commit(&self.opened)?)?;
        }
        Ok(())
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        Ok(self.protocol.close(&self.opened)?)
    }
}

/// A file being read.
pub(super) struct Reader {
    pub(super) protocol: Arc<dyn Protocol>,
    pub(super) opened: Opened,
}

impl ReadFile for Reader {
    fn prepare(&self) -> io::Result<()> {
        Ok(())
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        let block = &mut block[..length];
        let done = in_parts(
            length,
            self.protocol.limits().read as usize,
            |part, wait| {
                let count = super::xdr::word(part.len());
                self.protocol.begin_read(&self.opened, offset + part.start as u64, count, wait)
            },
            |ticket, part| {
                let answer = self.protocol.end_read(ticket, &mut block[part])?;
                // Less than what was asked for is allowed, nothing at all only at the file's end.
                if answer == (0, false) { Err(Trouble::Malformed("READ: count")) } else { Ok(answer) }
            },
        )?;
        Ok(done)
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
        Ok(self.protocol.close(&self.opened)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nfs::protocol::{Handle, LARGEST_PART};
    use crate::nfs::script;
    use crate::nfs::v3::V3;
    use crate::nfs::xdr::Encoder;

    /// What a reader of 10 bytes is told when a server of version 3 answers READ with `count` bytes and `ended`.
    fn read_of(count: usize, ended: bool) -> Result<usize, FailureCode> {
        const FSINFO: u32 = 19;
        let connections = script::server(move |procedure, _| {
            let mut results = Encoder::new();
            // OK, and no attributes.
            results.u32(0).u32(0);
            if procedure == FSINFO {
                results.u32(LARGEST_PART).u32(0).u32(0).u32(LARGEST_PART);
            } else {
                results.u32(0).u32(u32::from(ended)).opaque(&vec![7; count]);
            }
            Some(results)
        });
        let handle = Handle::new(b"root");
        let protocol = Arc::new(V3::new(connections, &handle).unwrap());
        let reader = Reader { protocol, opened: Opened { handle, state: None } };
        reader.read(&mut [0; 10], 10, 0).map_err(|error| crate::classify(&error))
    }

    #[test]
    fn nothing_is_read_only_at_the_end_of_a_file() {
        assert_eq!(read_of(10, false), Ok(10));
        assert_eq!(read_of(0, true), Ok(0));
        assert_eq!(read_of(0, false), Err(FailureCode::Protocol));
    }

    fn unstable(life: u8) -> Written {
        Written { count: 1, stable: false, verifier: [life; 8] }
    }

    #[test]
    fn a_server_that_restarted_between_writes_has_lost_some() {
        let seen = Seen::default();
        seen.note(&Written { stable: true, ..unstable(9) }).unwrap();
        assert!(!seen.anything_unstable());
        seen.note(&unstable(1)).unwrap();
        seen.note(&unstable(1)).unwrap();
        assert!(seen.anything_unstable());
        assert_eq!(seen.note(&unstable(2)).unwrap_err().code(), FailureCode::ServerGone);
        assert!(seen.same_life([1; 8]).is_ok() && seen.same_life([2; 8]).is_err());
    }
}
