//! A request and its answer.

use smb2::pack::{Pack, WriteCursor};
use smb2::types::Command;

use crate::ServerAnswer;

use super::frame::Answer;
use super::status::malformed;

/// A credit pays for this many bytes ([MS-SMB2] 3.1.5.2).
pub(super) const PER_CREDIT: u32 = 65536;

/// A request, and its answer when that came.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub(super) command: Command,
    pub(super) tree: u32,
    /// What follows the header.
    pub(super) body: Vec<u8>,
    /// The block that follows the body.
    pub(super) payload: &'a [u8],
    /// Where a READ's bytes go.
    pub(super) into: Option<&'a mut [u8]>,
    /// The protocol wants it signed where a signature is possible.
    pub(super) signed: bool,
    /// The message as it was sent, without the block.
    pub(super) sent: Vec<u8>,
    /// Its number, once it has one.
    pub(super) message: Option<u64>,
    pub(super) answer: Option<Answer>,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(command: Command, tree: u32, body: &dyn Pack) -> Self {
        let mut packed = WriteCursor::new();
        body.pack(&mut packed);
        Self::raw(command, tree, packed.into_inner())
    }

    pub(super) fn raw(command: Command, tree: u32, body: Vec<u8>) -> Self {
        Self {
            command,
            tree,
            body,
            payload: &[],
            into: None,
            signed: false,
            sent: Vec::new(),
            message: None,
            answer: None,
        }
    }

    /// The same with a block behind it.
    pub(super) fn carrying(self, payload: &'a [u8]) -> Self {
        Self { payload, ..self }
    }

    /// The same with a place for the bytes that come.
    pub(super) fn filling(self, into: &'a mut [u8]) -> Self {
        Self { into: Some(into), ..self }
    }

    /// The answer, of an exchange that came to its end.
    pub(super) fn answer(&self) -> Result<&Answer, ServerAnswer> {
        self.answer.as_ref().ok_or_else(|| malformed("no answer"))
    }

    pub(super) fn is_waited_for(&self) -> bool {
        self.message.is_some() && self.answer.is_none()
    }

    /// What it costs ([MS-SMB2] 3.1.5.2).
    pub(super) fn charge(&self) -> u32 {
        let bytes = self.payload.len().max(self.into.as_ref().map_or(0, |into| into.len()));
        u32::try_from(bytes).unwrap_or(u32::MAX).div_ceil(PER_CREDIT).max(1)
    }
}
