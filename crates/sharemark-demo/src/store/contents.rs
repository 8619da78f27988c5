//! What is in one file.

/// Files grow by segments of this size, so that growing one never moves what is in it.
const SEGMENT: usize = 1024 * 1024;

/// The bytes of a file. What was never written takes no memory and reads as zeros.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Each holds the bytes from a multiple of [`SEGMENT`] on, as far as any were written there.
    segments: Vec<Vec<u8>>,
    size: u64,
}

/// A part of a range of a file that lies in one segment.
struct Piece {
    segment: usize,
    start: usize,
    length: usize,
}

/// The parts of a range, in order.
fn pieces(offset: u64, length: usize) -> impl Iterator<Item = Piece> {
    let (mut at, mut left) = (offset, length);
    std::iter::from_fn(move || {
        let start = usize::try_from(at % SEGMENT as u64).ok()?;
        let length = left.min(SEGMENT - start);
        let segment = usize::try_from(at / SEGMENT as u64).ok()?;
        (at, left) = (at + length as u64, left - length);
        (length > 0).then_some(Piece { segment, start, length })
    })
}

impl Contents {
    /// The size of the file in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// How many bytes it keeps in memory.
    pub(crate) fn stored(&self) -> u64 {
        self.segments.iter().map(|segment| segment.len() as u64).sum()
    }

    /// How many bytes more it would keep after writing so many at `offset`.
    pub(crate) fn growth(&self, offset: u64, length: usize) -> u64 {
        let stored = |piece: &Piece| self.segments.get(piece.segment).map_or(0, Vec::len);
        pieces(offset, length)
            .map(|piece| (piece.start + piece.length).saturating_sub(stored(&piece)) as u64)
            .sum()
    }

    pub(crate) fn write(&mut self, offset: u64, mut data: &[u8]) {
        self.size = self.size.max(offset + data.len() as u64);
        for Piece { segment, start, length } in pieces(offset, data.len()) {
            if self.segments.len() <= segment {
                self.segments.resize_with(segment + 1, Vec::new);
            }
            let (now, later) = data.split_at(length);
            data = later;
            let segment = &mut self.segments[segment];
            if segment.len() < start {
                segment.resize(start, 0);
            }
            let over = length.min(segment.len() - start);
            segment[start..start + over].copy_from_slice(&now[..over]);
            segment.extend_from_slice(&now[over..]);
        }
    }

    /// The bytes of a range, as far as the file goes.
    pub(crate) fn read(&self, offset: u64, length: usize) -> Vec<u8> {
        let there = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let length = length.min(there);
        let mut data = Vec::with_capacity(length);
        for Piece { segment, start, length } in pieces(offset, length) {
            let end = data.len() + length;
            let written =
                self.segments.get(segment).and_then(|segment| segment.get(start..)).unwrap_or_default();
            data.extend_from_slice(&written[..length.min(written.len())]);
            data.resize(end, 0);
        }
        data
    }

    /// Cuts the file off, or makes it longer by zeros that take no memory.
    pub(crate) fn resize(&mut self, size: u64) {
        let segments = usize::try_from(size.div_ceil(SEGMENT as u64)).unwrap_or(usize::MAX);
        self.segments.truncate(segments);
        if let Ok(rest @ 1..) = usize::try_from(size % SEGMENT as u64)
            && let Some(last) = self.segments.get_mut(segments - 1)
        {
            last.truncate(rest);
            last.shrink_to_fit();
        }
        self.size = size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the same contents in one piece.
    fn written(parts: &[(u64, usize)]) -> (Contents, Vec<u8>) {
        let (mut contents, mut expected) = (Contents::default(), Vec::new());
        for (number, (offset, length)) in parts.iter().enumerate() {
            let data = vec![u8::try_from(number + 1).unwrap(); *length];
            let growth = contents.growth(*offset, *length);
            let stored = contents.stored();
            contents.write(*offset, &data);
            assert_eq!(contents.stored(), stored + growth, "{number}");
            let begin = usize::try_from(*offset).unwrap();
            expected.resize(expected.len().max(begin + length), 0);
            expected[begin..begin + length].copy_from_slice(&data);
        }
        (contents, expected)
    }

    #[test]
    fn parts_in_any_order_make_the_file_and_holes_are_zeros() {
        let parts =
            [(3 * SEGMENT as u64 + 5, 700), (SEGMENT as u64 - 9, 2 * SEGMENT), (0, 10), (4, 3), (20, 1)];
        let (contents, expected) = written(&parts);
        assert_eq!(contents.size(), expected.len() as u64);
        for (offset, length) in
            [(0, expected.len()), (SEGMENT as u64 - 20, 40), (15, 10), (contents.size() - 3, 99)]
        {
            let begin = usize::try_from(offset).unwrap();
            let end = (begin + length).min(expected.len());
            assert!(contents.read(offset, length) == expected[begin..end], "{offset} {length}");
        }
        assert!(contents.read(contents.size() + 1, 5).is_empty());
    }

    #[test]
    fn what_was_cut_off_is_gone_and_does_not_come_back() {
        let (mut contents, _) = written(&[(0, SEGMENT + 10)]);
        contents.resize(7);
        assert_eq!((contents.size(), contents.stored()), (7, 7));
        contents.resize(1 << 40);
        assert_eq!((contents.size(), contents.stored()), (1 << 40, 7));
        assert_eq!(contents.read(5, 4), [1, 1, 0, 0]);
        contents.resize(0);
        assert_eq!((contents.size(), contents.stored()), (0, 0));
    }
}
