//! Messages on the wire: how one is told from the next ([MS-SMB2] 2.1), and what the connection has to know of each.

use std::io::{self, BufReader, ErrorKind, Read};
use std::net::TcpStream;

use smb2::types::Command;

use super::signing::Signature;
use super::status::{BUFFER_OVERFLOW, PENDING, SUCCESS, Status};

/// The length of a message's header ([MS-SMB2] 2.2.1).
pub(super) const HEADER: usize = 64;
/// The length of what stands before an encrypted message ([MS-SMB2] 2.2.41).
pub(super) const TRANSFORM: usize = 52;
/// How much of an encrypted message is read to see whose it is: up to the end of its number.
pub(super) const START: usize = 32;
/// Where a header's signature stands.
const SIGNATURE: std::ops::Range<usize> = 48..64;
const PLAIN: [u8; 4] = [0xFE, b'S', b'M', b'B'];
/// What an encrypted message begins with.
pub(super) const ENCRYPTED: [u8; 4] = [0xFD, b'S', b'M', b'B'];
/// The fixed part of a READ's answer ([MS-SMB2] 2.2.20).
const READ_ANSWER: usize = 16;
/// No answer is longer: the largest block, with room for what stands around it.
const LONGEST: usize = (16 << 20) - 1;

/// The header of a message that came in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head([u8; HEADER]);

impl Head {
    fn number<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|index| self.0[at + index])
    }

    pub(super) fn status(&self) -> Status {
        u32::from_le_bytes(self.number(8))
    }

    pub(super) fn command(&self) -> u16 {
        u16::from_le_bytes(self.number(12))
    }

    /// How many credits it brings.
    pub(super) fn credits(&self) -> u16 {
        u16::from_le_bytes(self.number(14))
    }

    pub(super) fn message(&self) -> u64 {
        u64::from_le_bytes(self.number(24))
    }

    pub(super) fn tree(&self) -> u32 {
        u32::from_le_bytes(self.number(36))
    }

    pub(super) fn session(&self) -> u64 {
        u64::from_le_bytes(self.number(40))
    }

    pub(super) fn signature(&self) -> Signature {
        self.number(SIGNATURE.start)
    }

    /// The header as it is signed.
    pub(super) fn unsigned(&self) -> [u8; HEADER] {
        let mut bytes = self.0;
        bytes[SIGNATURE].fill(0);
        bytes
    }

    /// The header as it came.
    pub(super) const fn bytes(&self) -> &[u8; HEADER] {
        &self.0
    }

    /// Whether the server only says that it is at work, and the answer will come.
    pub(super) fn is_interim(&self) -> bool {
        self.status() == PENDING
    }
}

/// A message of which the header was read, and the rest was not.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) head: Head,
    /// How many bytes follow.
    pub(super) rest: usize,
}

/// What comes next on a connection.
#[derive(Debug)]
pub(super) enum Next {
    Plain(Begun),
    Sealed(Sealed),
}

/// An encrypted message of which the start was read, and the rest was not.
#[derive(Debug)]
pub(super) struct Sealed {
    /// What stands before it.
    pub(super) transform: [u8; TRANSFORM],
    pub(super) start: [u8; START],
    /// How many bytes follow.
    pub(super) rest: usize,
}

impl Sealed {
    /// How long the message itself is.
    pub(super) const fn length(&self) -> usize {
        START + self.rest
    }
}

/// A message that came in.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) head: Head,
    /// What follows the header; of a READ whose bytes went into their block, what stands before those.
    pub(super) body: Vec<u8>,
    /// How many bytes went into the block.
    pub(super) read: usize,
    /// What stands behind those.
    pub(super) tail: Vec<u8>,
    /// It was encrypted, and is what its sender sent.
    pub(super) opened: bool,
}

impl Answer {
    /// A message that was encrypted, a READ's bytes copied into their block where there is one.
    pub(super) fn opened(plain: &[u8], into: Option<&mut [u8]>) -> io::Result<Self> {
        let (head, body) = split_head(plain)?;
        let mut answer = Self { head, body: Vec::new(), read: 0, tail: Vec::new(), opened: true };
        let Some(into) = into.filter(|_| answer.carries_data()) else {
            answer.body = body.to_vec();
            return Ok(answer);
        };
        let (before, data, tail) = parts(body)?;
        into.get_mut(..data.len()).ok_or_else(torn)?.copy_from_slice(data);
        (answer.body, answer.read, answer.tail) = (before.to_vec(), data.len(), tail.to_vec());
        Ok(answer)
    }

    /// Moves the bytes of a READ whose answer was read as a whole into their block.
    pub(super) fn fill(&mut self, into: &mut [u8]) -> io::Result<()> {
        if !self.carries_data() || self.read > 0 {
            return Ok(());
        }
        let (before, data, tail) = parts(&self.body)?;
        into.get_mut(..data.len()).ok_or_else(torn)?.copy_from_slice(data);
        (self.read, self.tail) = (data.len(), tail.to_vec());
        self.body.truncate(before.len());
        Ok(())
    }

    fn carries_data(&self) -> bool {
        carries_data(&self.head)
    }
}

/// A pipe's message that goes on in the next answer comes under a status of its own ([MS-SMB2] 3.3.5.12).
fn carries_data(head: &Head) -> bool {
    head.command() == u16::from(Command::Read) && [SUCCESS, BUFFER_OVERFLOW].contains(&head.status())
}

fn split_head(bytes: &[u8]) -> io::Result<(Head, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<HEADER>().ok_or_else(torn)?;
    if head[..4] != PLAIN || head[20..24] != [0; 4] {
        return Err(torn());
    }
    Ok((Head(*head), rest))
}

/// Where in the body a READ's bytes stand, and how many they are.
fn data_of(fixed: &[u8]) -> io::Result<(usize, usize)> {
    let offset = usize::from(fixed[2]).checked_sub(HEADER).filter(|offset| *offset >= READ_ANSWER);
    let length = u32::from_le_bytes([fixed[4], fixed[5], fixed[6], fixed[7]]);
    Ok((offset.ok_or_else(torn)?, usize::try_from(length).map_err(|_| torn())?))
}

/// What stands in a READ's answer before its bytes, these, and what stands behind them.
fn parts(body: &[u8]) -> io::Result<(&[u8], &[u8], &[u8])> {
    let (offset, length) = data_of(body.get(..READ_ANSWER).ok_or_else(torn)?)?;
    let (before, rest) = body.split_at_checked(offset).ok_or_else(torn)?;
    let (data, tail) = rest.split_at_checked(length).ok_or_else(torn)?;
    Ok((before, data, tail))
}

/// A message whose parts do not fit together.
fn torn() -> io::Error {
    ErrorKind::InvalidData.into()
}

/// The receiving end of a connection. Whoever holds it may read.
#[derive(Debug)]
pub(super) struct Reader {
    /// Small: it takes up headers; what is longer than it goes past it, from the system into its block.
    stream: BufReader<TcpStream>,
}

impl Reader {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream: BufReader::with_capacity(1024, stream) }
    }

    /// Waits for the next message.
    pub(super) fn next(&mut self) -> io::Result<Next> {
        let mut start = [0u8; 8];
        self.stream.read_exact(&mut start)?;
        let [kind, high, middle, low, id @ ..] = start;
        let length = u32::from_be_bytes([0, high, middle, low]) as usize;
        if kind != 0 || length < HEADER {
            return Err(torn());
        }
        match id {
            PLAIN => {
                let mut head = [0u8; HEADER];
                head[..4].copy_from_slice(&id);
                self.stream.read_exact(&mut head[4..])?;
                let (head, _) = split_head(&head)?;
                Ok(Next::Plain(Begun { head, rest: length - HEADER }))
            }
            ENCRYPTED => {
                if length < TRANSFORM + HEADER {
                    return Err(torn());
                }
                let rest = length - TRANSFORM - START;
                let (mut transform, mut start) = ([0u8; TRANSFORM], [0u8; START]);
                transform[..4].copy_from_slice(&id);
                self.stream.read_exact(&mut transform[4..])?;
                self.stream.read_exact(&mut start)?;
                Ok(Next::Sealed(Sealed { transform, start, rest }))
            }
            _ => Err(torn()),
        }
    }

    fn append(&mut self, bytes: &mut Vec<u8>, length: usize) -> io::Result<()> {
        if length > LONGEST {
            return Err(torn());
        }
        let taken = (&mut self.stream).take(length as u64).read_to_end(bytes)?;
        if taken == length { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads the rest of an encrypted message, as it came, into a buffer of its length.
    pub(super) fn take_up(&mut self, sealed: &Sealed, into: &mut [u8]) -> io::Result<()> {
        let (start, rest) = into.split_at_mut(START);
        start.copy_from_slice(&sealed.start);
        self.stream.read_exact(rest)
    }

    /// Reads the rest of a message, a READ's bytes into their block where there is one.
    pub(super) fn finish(&mut self, begun: &Begun, into: Option<&mut [u8]>) -> io::Result<Answer> {
        let mut answer =
            Answer { head: begun.head, body: Vec::new(), read: 0, tail: Vec::new(), opened: false };
        let Some(into) = into.filter(|_| carries_data(&begun.head)) else {
            self.append(&mut answer.body, begun.rest)?;
            return Ok(answer);
        };
        self.append(&mut answer.body, READ_ANSWER.min(begun.rest))?;
        let (offset, length) = data_of(answer.body.get(..READ_ANSWER).ok_or_else(torn)?)?;
        let tail = begun.rest.checked_sub(offset + length).ok_or_else(torn)?;
        self.append(&mut answer.body, offset - READ_ANSWER)?;
        self.stream.read_exact(into.get_mut(..length).ok_or_else(torn)?)?;
        self.append(&mut answer.tail, tail)?;
        answer.read = length;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_answer(data: &[u8], padding: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; HEADER];
        bytes[..4].copy_from_slice(&PLAIN);
        bytes[12] = 8;
        let offset = u8::try_from(HEADER + READ_ANSWER + padding).unwrap();
        let mut fixed = [17, 0, offset, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        fixed[4..8].copy_from_slice(&u32::try_from(data.len()).unwrap().to_le_bytes());
        bytes.extend_from_slice(&fixed);
        bytes.extend(vec![0; padding]);
        bytes.extend_from_slice(data);
        bytes
    }

    #[test]
    fn a_read_that_came_as_a_whole_goes_into_its_block() {
        for padding in [0, 8] {
            for at_once in [false, true] {
                let mut whole = read_answer(b"abc", padding);
                whole.push(9);
                let mut block = [0u8; 5];
                let mut answer = Answer::opened(&whole, at_once.then_some(&mut block)).unwrap();
                answer.fill(&mut block).unwrap();
                assert_eq!((answer.read, &block), (3, b"abc\0\0"));
                assert_eq!((answer.body.len(), answer.tail.as_slice()), (READ_ANSWER + padding, &[9][..]));
            }
        }
    }

    #[test]
    fn a_part_of_a_pipe_s_message_is_data_and_a_refusal_is_none() {
        for (status, count) in [(BUFFER_OVERFLOW, 3), (0xC000_0022, 0)] {
            let mut whole = read_answer(b"abc", 0);
            whole[8..12].copy_from_slice(&status.to_le_bytes());
            let mut block = [0u8; 5];
            let answer = Answer::opened(&whole, Some(&mut block)).unwrap();
            assert_eq!((answer.read, &block[..count]), (count, &b"abc"[..count]));
        }
    }

    #[test]
    fn more_than_was_asked_for_and_what_is_cut_off_are_refused() {
        let long = read_answer(b"abcdef", 0);
        let mut answer = Answer::opened(&long, None).unwrap();
        assert!(answer.fill(&mut [0u8; 5]).is_err());
        let mut cut = read_answer(b"abc", 0);
        cut.pop();
        assert!(Answer::opened(&cut, None).unwrap().fill(&mut [0u8; 5]).is_err());
        for whole in [&long[..], &cut, &cut[..70], &cut[..63]] {
            assert!(Answer::opened(whole, Some(&mut [0u8; 5])).is_err());
        }
    }
}
