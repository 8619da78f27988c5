//! XDR (RFC 4506), as far as NFS needs it: big-endian words, and bytes padded to four.

use super::trouble::Trouble;

/// The bytes that fill `length` up to a multiple of four.
pub(super) const fn padding(length: usize) -> usize {
    (4 - length % 4) % 4
}

/// A length as the protocol's word. No request of this engine comes near its limit.
pub(super) fn word(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Writes values one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::with_capacity(256) }
    }

    /// An unsigned or enumerated word, or a boolean as 0 or 1.
    pub(super) fn u32(&mut self, value: u32) -> &mut Self {
        self.fixed(&value.to_be_bytes())
    }

    /// A hyper: two words.
    pub(super) fn u64(&mut self, value: u64) -> &mut Self {
        self.fixed(&value.to_be_bytes())
    }

    /// Bytes whose number both sides know; a multiple of four everywhere in NFS.
    pub(super) fn fixed(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Bytes with their number in front: a file handle, a name.
    pub(super) fn opaque(&mut self, bytes: &[u8]) -> &mut Self {
        self.u32(word(bytes.len())).fixed(bytes).fixed(&[0; 3][..padding(bytes.len())])
    }

    /// Words with their number in front: the numbers of groups, a bitmap.
    pub(super) fn words(&mut self, words: &[u32]) -> &mut Self {
        self.u32(word(words.len()));
        for value in words {
            self.u32(*value);
        }
        self
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads values one after the other out of a server's answer, none of which it believes unseen.
#[derive(Clone, Debug)]
pub(super) struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn u32(&mut self) -> Result<u32, Trouble> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, Trouble> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    pub(super) fn bool(&mut self) -> Result<bool, Trouble> {
        Ok(self.u32()? != 0)
    }

    pub(super) fn fixed(&mut self, length: usize) -> Result<&'a [u8], Trouble> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(cut_off)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Trouble> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or_else(cut_off)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn opaque(&mut self) -> Result<&'a [u8], Trouble> {
        let length = self.u32()? as usize;
        let taken = self.fixed(length)?;
        self.fixed(padding(length))?;
        Ok(taken)
    }

    pub(super) fn text(&mut self) -> Result<String, Trouble> {
        Ok(String::from_utf8_lossy(self.opaque()?).into_owned())
    }

    pub(super) fn words(&mut self) -> Result<Vec<u32>, Trouble> {
        let count = self.u32()?;
        (0..count).map(|_| self.u32()).collect()
    }

    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }
}

fn cut_off() -> Trouble {
    Trouble::Malformed("XDR: truncated")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut encoder = Encoder::new();
        encoder.u32(7).u64(1 << 40).opaque("日本".as_bytes()).opaque(b"abcde").words(&[1, 2]).fixed(b"1234");
        assert_eq!(encoder.bytes().len(), 4 + 8 + 4 + 8 + 4 + 8 + 12 + 4);
        let mut decoder = Decoder::new(encoder.bytes());
        assert_eq!((decoder.u32().unwrap(), decoder.u64().unwrap()), (7, 1 << 40));
        assert_eq!((decoder.text().unwrap().as_str(), decoder.opaque().unwrap()), ("日本", &b"abcde"[..]));
        assert_eq!((decoder.words().unwrap(), decoder.fixed(4).unwrap()), (vec![1, 2], &b"1234"[..]));
        assert_eq!(decoder.left(), 0);
    }

    #[test]
    fn an_answer_cut_off_anywhere_is_an_error() {
        let mut encoder = Encoder::new();
        encoder.opaque(b"abcde");
        for length in 0..encoder.bytes().len() {
            assert!(Decoder::new(&encoder.bytes()[..length]).opaque().is_err(), "{length}");
        }
        assert!(Decoder::new(&[0xff; 4]).opaque().is_err());
        assert!(Decoder::new(&[0xff; 8]).words().is_err());
    }
}
