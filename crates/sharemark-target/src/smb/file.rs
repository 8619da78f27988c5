//! An open file: blocks to it and from it, in as many requests as the server's limits make needed, all under way at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sharemark_model::{Bytes, CacheProof, CacheUse, Durability, ReadMode, WriteMode};
use smb2::msg::flush::{FlushRequest, FlushResponse};
use smb2::msg::read::SMB2_READFLAG_READ_UNBUFFERED;
use smb2::msg::write::{SMB2_WRITEFLAG_WRITE_THROUGH, SMB2_WRITEFLAG_WRITE_UNBUFFERED};
use smb2::pack::WriteCursor;
use smb2::types::flags::FileAccessMask;
use smb2::types::{Command, FileId};

use crate::{ReadFile, ServerAnswer, WriteFile};

use super::calls::{self, Kind, OPEN_REPARSE_POINT, Opened, Opening, WRITE_THROUGH};
use super::exchange::Exchange;
use super::lane::Lane;
use super::status::{self, malformed};

/// How often a short write may come no further before it counts as a failure.
const PATIENCE: u32 = 8;
/// Where a WRITE's block begins, and a READ's is asked to: behind the header and the fixed part.
const WRITE_BLOCK: u16 = 64 + 48;
const READ_BLOCK: u8 = 64 + 16;

/// A file, opened once on each connection.
struct Handles {
    lanes: Vec<(Arc<Lane>, FileId)>,
    next: AtomicUsize,
}

impl Handles {
    fn open(lanes: &[Arc<Lane>], name: &str, mut opening: Opening) -> Result<Self, ServerAnswer> {
        let mut opened: Vec<(Arc<Lane>, FileId)> = Vec::with_capacity(lanes.len());
        for lane in lanes {
            match open_no_link(lane, name, opening) {
                Ok(file) => opened.push((Arc::clone(lane), file.id)),
                Err(refused) => {
                    // What was opened is closed as far as possible; the refusal is what counts.
                    Self { lanes: opened, next: AtomicUsize::new(0) }.close().ok();
                    return Err(refused);
                }
            }
            // The first connection made it.
            opening.new = false;
        }
        Ok(Self { lanes: opened, next: AtomicUsize::new(0) })
    }

    /// The connection whose turn it is.
    fn turn(&self) -> &(Arc<Lane>, FileId) {
        &self.lanes[self.next.fetch_add(1, Ordering::Relaxed) % self.lanes.len()]
    }

    fn close(&self) -> io::Result<()> {
        let mut result = Ok(());
        for (lane, id) in &self.lanes {
            result = result.and(calls::close(lane, *id));
        }
        Ok(result?)
    }
}

/// Opens a file that is one, and no link that leads to another.
fn open_no_link(lane: &Lane, name: &str, opening: Opening) -> Result<Opened, ServerAnswer> {
    let opened = calls::open(lane, name, opening)?;
    if let Err(link) = calls::no_link(&opened) {
        calls::close(lane, opened.id).ok();
        return Err(link);
    }
    Ok(opened)
}

/// A file open for writing.
pub(super) struct Writer {
    handles: Handles,
    durability: Durability,
}

impl Writer {
    /// Opens a file on every connection; a new one is made by the first of them.
    ///
    /// # Errors
    /// What the server answers, also when a new file's name is taken.
    pub(super) fn open(
        lanes: &[Arc<Lane>],
        name: &str,
        new: bool,
        durability: Durability,
    ) -> Result<Self, ServerAnswer> {
        let access = FileAccessMask::FILE_WRITE_DATA | FileAccessMask::FILE_READ_ATTRIBUTES;
        let through = if durability == Durability::WriteThrough { WRITE_THROUGH } else { 0 };
        let opening = Opening { kind: Kind::File, access, new, options: through | OPEN_REPARSE_POINT };
        Ok(Self { handles: Handles::open(lanes, name, opening)?, durability })
    }

    fn flags(&self, lane: &Lane) -> u32 {
        match (self.durability, lane.agreed.knows_unbuffered()) {
            // Windows refuses the first without the second from 3.0.2 on.
            (Durability::WriteThrough, true) => {
                SMB2_WRITEFLAG_WRITE_THROUGH | SMB2_WRITEFLAG_WRITE_UNBUFFERED
            }
            (Durability::WriteThrough, false) => SMB2_WRITEFLAG_WRITE_THROUGH,
            _ => 0,
        }
    }

    /// Writes parts of a block; answers what the server left out of each.
    fn write_parts<'a>(
        &self,
        lane: &Lane,
        id: FileId,
        parts: &[(u64, &'a [u8])],
    ) -> Result<Vec<(u64, &'a [u8])>, ServerAnswer> {
        let flags = self.flags(lane);
        let request = |&(offset, part): &(u64, &'a [u8])| {
            let body = write_request(id, offset, u32::try_from(part.len()).unwrap_or(u32::MAX), flags);
            lane.raw(Command::Write, body).carrying(part)
        };
        let mut exchanges: Vec<_> = parts.iter().map(request).collect();
        lane.link.exchange(&mut exchanges)?;
        let mut left = Vec::new();
        for (exchange, &(offset, part)) in exchanges.iter().zip(parts) {
            let written = written(exchange)?;
            let rest = part.get(written..).ok_or_else(|| malformed("more was written than was sent"))?;
            if !rest.is_empty() {
                left.push((offset + written as u64, rest));
            }
        }
        Ok(left)
    }
}

impl WriteFile for Writer {
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        let (lane, id) = self.handles.turn();
        let longest = lane.link.longest(lane.agreed.max_write);
        let mut parts: Vec<(u64, &[u8])> = block
            .chunks(longest)
            .enumerate()
            .map(|(index, part)| (offset + (index * longest) as u64, part))
            .collect();
        let mut idle = 0;
        while !parts.is_empty() {
            let before: usize = parts.iter().map(|(_, part)| part.len()).sum();
            parts = self.write_parts(lane, *id, &parts)?;
            let after: usize = parts.iter().map(|(_, part)| part.len()).sum();
            idle = if after < before { 0 } else { idle + 1 };
            if idle > PATIENCE {
                return Err(io::ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }

    fn mode(&self) -> WriteMode {
        match self.durability {
            Durability::WriteThrough => WriteMode::DirectWriteThrough,
            Durability::Flush => WriteMode::Flushed,
            Durability::Buffered => WriteMode::Acknowledged,
        }
    }

    /// One connection asks for all of them: the file is one to the server, and every write was answered.
    fn flush(&self) -> io::Result<()> {
        if let Some((lane, id)) = self.handles.lanes.first() {
            lane.call::<FlushResponse>(Command::Flush, &FlushRequest { file_id: *id })?;
        }
        Ok(())
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.handles.close()
    }
}

/// A file open for reading.
pub(super) struct Reader {
    handles: Handles,
}

impl Reader {
    /// Opens a file on every connection.
    ///
    /// # Errors
    /// What the server answers.
    pub(super) fn open(lanes: &[Arc<Lane>], name: &str) -> Result<Self, ServerAnswer> {
        let access = FileAccessMask::FILE_READ_DATA | FileAccessMask::FILE_READ_ATTRIBUTES;
        let opening = Opening { kind: Kind::File, access, new: false, options: OPEN_REPARSE_POINT };
        Ok(Self { handles: Handles::open(lanes, name, opening)? })
    }
}

impl ReadFile for Reader {
    fn prepare(&self) -> io::Result<()> {
        Ok(())
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        let (lane, id) = self.handles.turn();
        let flags = if lane.agreed.knows_unbuffered() { SMB2_READFLAG_READ_UNBUFFERED } else { 0 };
        let longest = lane.link.longest(lane.agreed.max_read);
        let block = &mut block[..length];
        let mut done = 0;
        while done < length {
            let at = offset + done as u64;
            let request = |(index, into): (usize, &mut [u8])| {
                let (start, wanted) = (at + (index * longest) as u64, into.len());
                let body = read_request(*id, start, u32::try_from(wanted).unwrap_or(u32::MAX), flags);
                (wanted, body)
            };
            let mut wants = Vec::new();
            let mut exchanges: Vec<Exchange<'_>> = Vec::new();
            for (index, into) in block[done..].chunks_mut(longest).enumerate() {
                let (wanted, body) = request((index, &mut *into));
                wants.push(wanted);
                exchanges.push(lane.raw(Command::Read, body).filling(into));
            }
            lane.link.exchange(&mut exchanges)?;
            // What comes behind a gap is asked for again: a gap is rare, and at the end of a file nothing comes behind it.
            let mut came = 0;
            for (exchange, wanted) in exchanges.iter().zip(wants) {
                let count = read(exchange)?;
                came += count;
                if count < wanted {
                    break;
                }
            }
            if came == 0 {
                break;
            }
            done += came;
        }
        Ok(done)
    }

    fn cache(&self) -> CacheUse {
        CacheUse {
            write: None,
            read: Some(ReadMode::Direct),
            proof: CacheProof::OwnProtocol,
            resident_bytes: None::<Bytes>,
            ruled_out: true,
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        self.handles.close()
    }
}

/// WRITE ([MS-SMB2] 2.2.21) without its block.
pub(super) fn write_request(id: FileId, offset: u64, length: u32, flags: u32) -> Vec<u8> {
    let mut body = WriteCursor::with_capacity(48);
    body.write_u16_le(49);
    body.write_u16_le(WRITE_BLOCK);
    body.write_u32_le(length);
    body.write_u64_le(offset);
    body.write_u64_le(id.persistent);
    body.write_u64_le(id.volatile);
    // Channel, remaining bytes, the channel's information.
    body.write_zeros(12);
    body.write_u32_le(flags);
    body.into_inner()
}

/// READ ([MS-SMB2] 2.2.19).
pub(super) fn read_request(id: FileId, offset: u64, length: u32, flags: u8) -> Vec<u8> {
    let mut body = WriteCursor::with_capacity(49);
    body.write_u16_le(49);
    body.write_u8(READ_BLOCK);
    body.write_u8(flags);
    body.write_u32_le(length);
    body.write_u64_le(offset);
    body.write_u64_le(id.persistent);
    body.write_u64_le(id.volatile);
    // Least count, channel, remaining bytes, the channel's information, and the byte that stands for it.
    body.write_zeros(17);
    body.into_inner()
}

/// How many bytes a WRITE's answer says were written ([MS-SMB2] 2.2.22).
fn written(exchange: &Exchange<'_>) -> Result<usize, ServerAnswer> {
    let answer = exchange.answer()?;
    match answer.head.status() {
        status::SUCCESS => {}
        other => return Err(status::answer(other)),
    }
    let count = answer.body.get(4..8).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    count.map(|count| count as usize).ok_or_else(|| malformed("the answer is cut off"))
}

/// How many bytes a READ brought; none at the end of the file.
fn read(exchange: &Exchange<'_>) -> Result<usize, ServerAnswer> {
    let answer = exchange.answer()?;
    match answer.head.status() {
        status::SUCCESS => Ok(answer.read),
        status::END_OF_FILE => Ok(0),
        other => Err(status::answer(other)),
    }
}

#[cfg(test)]
mod tests {
    use smb2::msg::read::ReadRequest;
    use smb2::msg::write::WriteRequest;
    use smb2::pack::{Pack, ReadCursor, Unpack};

    use super::*;

    const ID: FileId = FileId { persistent: 0x0102_0304_0506_0708, volatile: 0x1112_1314_1516_1718 };

    #[test]
    fn requests_are_what_the_codec_reads() {
        let mut body = write_request(ID, 1 << 40, 3, 3);
        body.extend_from_slice(b"abc");
        let found = WriteRequest::unpack(&mut ReadCursor::new(&body)).unwrap();
        assert_eq!((found.file_id, found.offset, found.flags), (ID, 1 << 40, 3));
        assert_eq!((found.data.as_slice(), found.data_offset), (b"abc".as_slice(), WRITE_BLOCK));
        let body = read_request(ID, 1 << 40, 1 << 20, 1);
        let found = ReadRequest::unpack(&mut ReadCursor::new(&body)).unwrap();
        let mut packed = WriteCursor::new();
        found.pack(&mut packed);
        assert_eq!(packed.into_inner(), body);
        assert_eq!((found.file_id, found.offset, found.length, found.flags), (ID, 1 << 40, 1 << 20, 1));
    }
}
