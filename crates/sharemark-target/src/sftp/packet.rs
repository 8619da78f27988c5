//! The packets of SFTP version 3: how a request is put into bytes and an answer is read from them.
//!
//! Source: draft-ietf-secsh-filexfer-02, and OpenSSH's `PROTOCOL` for the extensions. A packet is its length (4 bytes),
//! its type (1 byte), the request's number (4 bytes) and what belongs to the type; numbers are big-endian, and a string
//! is its length and its bytes.

use std::collections::VecDeque;

use bytes::{BufMut, Bytes, BytesMut};

pub(super) const INIT: u8 = 1;
pub(super) const VERSION: u8 = 2;
pub(super) const OPEN: u8 = 3;
pub(super) const CLOSE: u8 = 4;
pub(super) const READ: u8 = 5;
pub(super) const WRITE: u8 = 6;
pub(super) const LSTAT: u8 = 7;
pub(super) const OPENDIR: u8 = 11;
pub(super) const READDIR: u8 = 12;
pub(super) const REMOVE: u8 = 13;
pub(super) const MKDIR: u8 = 14;
pub(super) const RMDIR: u8 = 15;
pub(super) const REALPATH: u8 = 16;
pub(super) const STAT: u8 = 17;
pub(super) const STATUS: u8 = 101;
pub(super) const HANDLE: u8 = 102;
pub(super) const DATA: u8 = 103;
pub(super) const NAME: u8 = 104;
pub(super) const ATTRS: u8 = 105;
pub(super) const EXTENDED: u8 = 200;
pub(super) const EXTENDED_REPLY: u8 = 201;

/// The version that every server speaks.
pub(super) const SPOKEN: u32 = 3;

/// An answer longer than this is none: no read asks for as much, and a list of names comes in smaller pieces.
const LONGEST: usize = 16 << 20;

/// What the protocol does not allow there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// A request while it is being put together.
#[derive(Debug)]
pub(super) struct Request(BytesMut);

impl Request {
    /// A request of a type, with room for `room` bytes after its number.
    pub(super) fn new(kind: u8, number: u32, room: usize) -> Self {
        let mut bytes = BytesMut::with_capacity(9 + room);
        bytes.put_u32(0);
        bytes.put_u8(kind);
        bytes.put_u32(number);
        Self(bytes)
    }

    pub(super) fn u32(mut self, value: u32) -> Self {
        self.0.put_u32(value);
        self
    }

    pub(super) fn u64(mut self, value: u64) -> Self {
        self.0.put_u64(value);
        self
    }

    pub(super) fn string(mut self, value: &[u8]) -> Self {
        self.0.put_u32(length(value.len()));
        self.0.put_slice(value);
        self
    }

    /// The request as it is sent.
    pub(super) fn finish(mut self) -> Bytes {
        let rest = length(self.0.len() - 4);
        self.0[..4].copy_from_slice(&rest.to_be_bytes());
        self.0.freeze()
    }
}

/// Nothing that is sent is as long as a length can say; if it were, the server would refuse it.
fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// What a server answered to a request.
#[derive(Debug)]
pub(super) struct Reply {
    /// The type.
    pub(super) kind: u8,
    /// The request's number; the version's own in the answer to [`INIT`].
    pub(super) number: u32,
    /// What follows, in the pieces in which it came: what was read is not copied together before it is where it belongs.
    body: Vec<Bytes>,
}

impl Reply {
    /// What follows the number, in one piece.
    pub(super) fn flat(&self) -> Bytes {
        match self.body.as_slice() {
            [] => Bytes::new(),
            [all] => all.clone(),
            pieces => Bytes::from(pieces.concat()),
        }
    }

    /// Copies the bytes of a [`DATA`] to where they belong; how many they are.
    pub(super) fn copy_data(mut self, into: &mut [u8]) -> Result<usize, Malformed> {
        let mut header = [0; 4];
        fill(&mut self.body, &mut header)?;
        let count = usize::try_from(u32::from_be_bytes(header)).map_err(|_| Malformed)?;
        let place = into.get_mut(..count).ok_or(Malformed)?;
        fill(&mut self.body, place)?;
        Ok(count)
    }
}

/// Fills `into` with the first bytes of the pieces, which lose them.
fn fill(pieces: &mut [Bytes], into: &mut [u8]) -> Result<(), Malformed> {
    let mut filled = 0;
    for piece in pieces {
        let count = piece.len().min(into.len() - filled);
        into[filled..filled + count].copy_from_slice(&piece.split_to(count));
        filled += count;
    }
    if filled == into.len() { Ok(()) } else { Err(Malformed) }
}

/// Puts answers together from what comes through the channel.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    pieces: VecDeque<Bytes>,
    held: usize,
}

impl Assembler {
    /// Takes what came.
    pub(super) fn push(&mut self, piece: Bytes) {
        self.held += piece.len();
        self.pieces.push_back(piece);
    }

    /// The next answer, when all of it is there.
    pub(super) fn next(&mut self) -> Result<Option<Reply>, Malformed> {
        let mut header = [0; 9];
        if !self.peek(&mut header) {
            return Ok(None);
        }
        let [l0, l1, l2, l3, kind, n0, n1, n2, n3] = header;
        let length = usize::try_from(u32::from_be_bytes([l0, l1, l2, l3])).map_err(|_| Malformed)?;
        if !(5..=LONGEST).contains(&length) {
            return Err(Malformed);
        }
        if self.held < 4 + length {
            return Ok(None);
        }
        self.take(9);
        Ok(Some(Reply { kind, number: u32::from_be_bytes([n0, n1, n2, n3]), body: self.take(length - 5) }))
    }

    /// Looks at the first bytes, if they are there.
    fn peek(&self, into: &mut [u8; 9]) -> bool {
        let bytes = self.pieces.iter().flat_map(|piece| piece.iter());
        into.iter_mut().zip(bytes).map(|(place, byte)| *place = *byte).count() == into.len()
    }

    /// Takes the first `count` bytes, which are there.
    fn take(&mut self, mut count: usize) -> Vec<Bytes> {
        self.held -= count;
        let mut taken = Vec::new();
        while count > 0 {
            let Some(mut piece) = self.pieces.pop_front() else { break };
            if piece.len() > count {
                self.pieces.push_front(piece.split_off(count));
            }
            count -= piece.len();
            taken.push(piece);
        }
        taken
    }
}

/// Reads the fields of an answer in their order.
#[derive(Debug)]
pub(super) struct Fields(Bytes);

impl Fields {
    pub(super) const fn new(bytes: Bytes) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bytes(&mut self, count: usize) -> Result<Bytes, Malformed> {
        if self.0.len() < count { Err(Malformed) } else { Ok(self.0.split_to(count)) }
    }

    pub(super) fn u32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.bytes(4)?;
        bytes.as_ref().try_into().map(u32::from_be_bytes).map_err(|_| Malformed)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Malformed> {
        let bytes = self.bytes(8)?;
        bytes.as_ref().try_into().map(u64::from_be_bytes).map_err(|_| Malformed)
    }

    pub(super) fn string(&mut self) -> Result<Bytes, Malformed> {
        let count = usize::try_from(self.u32()?).map_err(|_| Malformed)?;
        self.bytes(count)
    }

    /// A text of the server's, readable in any case.
    pub(super) fn text(&mut self) -> Result<String, Malformed> {
        Ok(String::from_utf8_lossy(&self.string()?).into_owned())
    }

    pub(super) fn attributes(&mut self) -> Result<Attributes, Malformed> {
        let flags = self.u32()?;
        let given = |flag: u32| flags & flag != 0;
        let size = if given(0x1) { Some(self.u64()?) } else { None };
        if given(0x2) {
            self.bytes(8)?;
        }
        let mode = if given(0x4) { Some(self.u32()?) } else { None };
        if given(0x8) {
            self.bytes(8)?;
        }
        if given(0x8000_0000) {
            for _ in 0..self.u32()? {
                self.string()?;
                self.string()?;
            }
        }
        Ok(Attributes { size, mode })
    }
}

/// What a server says of a file, as far as it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attributes {
    /// Its length in bytes.
    pub(super) size: Option<u64>,
    /// Its type and permissions as POSIX has them.
    mode: Option<u32>,
}

impl Attributes {
    /// Whether it is a folder, where the server tells types at all.
    pub(super) fn is_folder(self) -> Option<bool> {
        self.has_type(0o040_000)
    }

    /// Whether it is a plain file, where the server tells types at all.
    pub(super) fn is_file(self) -> Option<bool> {
        self.has_type(0o100_000)
    }

    fn has_type(self, wanted: u32) -> Option<bool> {
        self.mode.map(|mode| mode & 0o170_000).filter(|kind| *kind != 0).map(|kind| kind == wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_put_together_however_it_is_cut() {
        let first = Request::new(DATA, 7, 0).string(b"what was read").finish();
        let second = Request::new(STATUS, 8, 0).u32(4).string(b"Failure").string(b"").finish();
        let stream = [first, second].concat();
        for cut in 1..stream.len() {
            let mut assembler = Assembler::default();
            let mut replies = Vec::new();
            for piece in stream.chunks(cut) {
                assembler.push(Bytes::copy_from_slice(piece));
                while let Some(reply) = assembler.next().unwrap() {
                    replies.push(reply);
                }
            }
            let [data, status] = <[Reply; 2]>::try_from(replies).unwrap();
            assert_eq!((data.kind, data.number, status.kind, status.number), (DATA, 7, STATUS, 8));
            let mut place = [0; 20];
            assert_eq!(data.copy_data(&mut place), Ok(13));
            assert_eq!(&place[..13], b"what was read");
            let mut fields = Fields::new(status.flat());
            assert_eq!((fields.u32(), fields.text()), (Ok(4), Ok("Failure".to_owned())));
        }
    }

    #[test]
    fn what_the_protocol_does_not_allow_is_refused() {
        let mut assembler = Assembler::default();
        assembler.push(Bytes::from_static(b"\xff\xff\xff\xff\x65\0\0\0\0"));
        assert_eq!(assembler.next().err(), Some(Malformed));
        // More than was asked for.
        let mut assembler = Assembler::default();
        assembler.push(Request::new(DATA, 1, 0).string(b"too much").finish());
        assert_eq!(assembler.next().unwrap().unwrap().copy_data(&mut [0; 4]), Err(Malformed));
        assert_eq!(Fields::new(Bytes::from_static(b"\0\0\0\x09short")).string(), Err(Malformed));
    }

    #[test]
    fn attributes_are_read_past_what_is_not_needed() {
        let all = Request::new(ATTRS, 1, 0).u32(0x8000_000f).u64(42).u32(0).u32(0).u32(0o100_644);
        let all = all.u32(1).u32(2).u32(1).string(b"a@b").string(b"c").finish();
        let mut fields = Fields::new(all.slice(9..));
        let found = fields.attributes().unwrap();
        assert_eq!((found.size, found.is_file(), found.is_folder()), (Some(42), Some(true), Some(false)));
        assert!(fields.is_empty());
        let nothing = Fields::new(Bytes::from_static(b"\0\0\0\0")).attributes().unwrap();
        assert_eq!((nothing.size, nothing.is_file()), (None, None));
    }
}
