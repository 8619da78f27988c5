//! The memory that answers are read into, used again and again: fresh memory for every block costs more than the copy.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex};

use super::rpc::lock;

/// No answer is longer: a block of the largest size asked for, and room for what stands around it.
const LONGEST: usize = 4 << 20;

/// Memory that no answer uses just now.
#[derive(Debug, Default)]
pub(super) struct Spare {
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl Spare {
    /// An empty record, in used memory where there is some.
    pub(super) fn take(spare: &Arc<Self>) -> Record {
        let buffer = lock(&spare.buffers).pop().unwrap_or_default();
        Record { buffer, length: 0, spare: Arc::clone(spare) }
    }
}

/// One message as it came.
#[derive(Debug)]
pub(super) struct Record {
    /// At least `length` bytes; what lies behind is an earlier answer's, kept so that nothing is cleared again.
    buffer: Vec<u8>,
    length: usize,
    spare: Arc<Spare>,
}

impl Record {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Reads a fragment of `count` bytes behind what is there.
    pub(super) fn read_more(&mut self, stream: &mut impl Read, count: usize) -> io::Result<()> {
        let end = self.length + count;
        if end > LONGEST {
            return Err(ErrorKind::InvalidData.into());
        }
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        stream.read_exact(&mut self.buffer[self.length..end])?;
        self.length = end;
        Ok(())
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        lock(&self.spare.buffers).push(std::mem::take(&mut self.buffer));
    }
}
