//! Blocks of a file: each is several requests, all under way at once.

use tokio::sync::oneshot;

use super::{Session, done, expect};
use crate::sftp::packet::{self, Malformed, Reply};
use crate::sftp::status::{self, Fault};

impl Session {
    /// Writes all of a block, in as many requests as the server's limit makes of it, all under way at once.
    pub(in crate::sftp) fn write(&self, handle: &[u8], block: &[u8], offset: u64) -> Result<(), Fault> {
        let part = part(block.len(), self.write_length);
        let mut answers = Vec::with_capacity(block.len().div_ceil(part));
        let mut at = offset;
        for data in block.chunks(part) {
            let room = 16 + handle.len() + data.len();
            answers.push(
                self.start(packet::WRITE, room, |request| request.string(handle).u64(at).string(data))?,
            );
            at += data.len() as u64;
        }
        answers.into_iter().try_for_each(|answer| done(self.wait(answer)?))
    }

    /// Fills a block, in as many requests as the server's limit makes of it, all under way at once; how many bytes there
    /// were before the end of the file.
    pub(in crate::sftp) fn read(&self, handle: &[u8], block: &mut [u8], offset: u64) -> Result<usize, Fault> {
        let part = part(block.len(), self.read_length);
        let mut answers = Vec::with_capacity(block.len().div_ceil(part));
        let mut at = offset;
        for place in block.chunks(part) {
            answers.push(self.start_read(handle, at, place.len())?);
            at += place.len() as u64;
        }
        let mut total = 0;
        for (place, answer) in block.chunks_mut(part).zip(answers) {
            let from = offset + total as u64;
            let filled = self.fill(handle, place, from, answer)?;
            total += filled;
            if filled < place.len() {
                break;
            }
        }
        Ok(total)
    }

    /// Takes the answer to a read, and asks for the rest as long as it was short.
    fn fill(
        &self,
        handle: &[u8],
        place: &mut [u8],
        offset: u64,
        mut answer: oneshot::Receiver<Reply>,
    ) -> Result<usize, Fault> {
        let mut filled = 0;
        loop {
            let reply = self.wait(answer)?;
            if reply.kind != packet::DATA {
                return match expect(reply, packet::DATA) {
                    Err(Fault::Status(status::EOF, _)) => Ok(filled),
                    Err(fault) => Err(fault),
                    Ok(_) => Err(Fault::Malformed),
                };
            }
            let count = reply.copy_data(&mut place[filled..])?;
            filled += count;
            if filled == place.len() {
                return Ok(filled);
            }
            // No bytes and no end: a server that does this would be asked for ever.
            if count == 0 {
                return Err(Fault::Malformed);
            }
            answer = self.start_read(handle, offset + filled as u64, place.len() - filled)?;
        }
    }

    fn start_read(
        &self,
        handle: &[u8],
        offset: u64,
        length: usize,
    ) -> Result<oneshot::Receiver<Reply>, Fault> {
        let length = u32::try_from(length).map_err(|_| Malformed)?;
        self.start(packet::READ, 16 + handle.len(), |request| request.string(handle).u64(offset).u32(length))
    }
}

/// The bytes of each request but the last: as few requests as possible, of about the same length, on the boundaries that
/// file systems like.
fn part(block: usize, limit: usize) -> usize {
    let even = block.div_ceil(block.div_ceil(limit).max(1));
    even.max(1).next_multiple_of(4096).min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_becomes_few_requests_of_one_length() {
        assert_eq!(part(1 << 20, 261_120), 212_992);
        assert_eq!((1_usize << 20).div_ceil(part(1 << 20, 261_120)), 5);
        assert_eq!(part(100, 32_768), 4096);
        assert_eq!(part(32_768, 32_768), 32_768);
        assert_eq!(part(65_537, 32_768), 24_576);
        // A limit that is no multiple is not passed.
        assert_eq!(part(10_000, 5000), 5000);
        assert_eq!(part(0, 32_768), 4096);
    }
}
