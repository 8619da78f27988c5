//! COMPOUND, the one procedure of NFSv4: operations in a row, and what each answered.

use crate::nfs::rpc::Procedure;
use crate::nfs::status::Status;
use crate::nfs::trouble::Trouble;
use crate::nfs::xdr::{Decoder, Encoder};

pub(super) const NULL: Procedure =
    Procedure { program: crate::nfs::exports::NFS_PROGRAM, version: 4, number: 0 };
pub(super) const COMPOUND: Procedure = Procedure { number: 1, ..NULL };

/// The numbers of operations (`nfs_opnum4`).
pub(super) mod op {
    pub(in super::super) const CLOSE: u32 = 4;
    pub(in super::super) const COMMIT: u32 = 5;
    pub(in super::super) const CREATE: u32 = 6;
    pub(in super::super) const GETATTR: u32 = 9;
    pub(in super::super) const GETFH: u32 = 10;
    pub(in super::super) const LOOKUP: u32 = 15;
    pub(in super::super) const OPEN: u32 = 18;
    pub(in super::super) const OPEN_CONFIRM: u32 = 20;
    pub(in super::super) const PUTFH: u32 = 22;
    pub(in super::super) const PUTROOTFH: u32 = 24;
    pub(in super::super) const READ: u32 = 25;
    pub(in super::super) const READDIR: u32 = 26;
    pub(in super::super) const REMOVE: u32 = 28;
    pub(in super::super) const RENEW: u32 = 30;
    pub(in super::super) const SETCLIENTID: u32 = 35;
    pub(in super::super) const SETCLIENTID_CONFIRM: u32 = 36;
    pub(in super::super) const VERIFY: u32 = 37;
    pub(in super::super) const WRITE: u32 = 38;
    pub(in super::super) const EXCHANGE_ID: u32 = 42;
    pub(in super::super) const CREATE_SESSION: u32 = 43;
    pub(in super::super) const DESTROY_SESSION: u32 = 44;
    pub(in super::super) const SEQUENCE: u32 = 53;
    pub(in super::super) const DESTROY_CLIENTID: u32 = 57;
    pub(in super::super) const RECLAIM_COMPLETE: u32 = 58;
}

/// Operations to be sent together.
#[derive(Debug, Default)]
pub(super) struct Compound {
    operations: Encoder,
    count: u32,
}

impl Compound {
    pub(super) fn new() -> Self {
        Self { operations: Encoder::new(), count: 0 }
    }

    /// Another operation; its arguments are written to what this returns.
    pub(super) fn op(&mut self, number: u32) -> &mut Encoder {
        self.count += 1;
        self.operations.u32(number)
    }

    /// The call's arguments, with the operations of `before` in front.
    pub(super) fn arguments(&self, minor: u32, before: &Self) -> Encoder {
        let mut arguments = Encoder::new();
        // No tag.
        arguments.opaque(&[]).u32(minor).u32(before.count + self.count);
        arguments.fixed(before.operations.bytes()).fixed(self.operations.bytes());
        arguments
    }
}

/// The answers of a compound's operations, in their order.
#[derive(Debug)]
pub(super) struct Results<'a> {
    decoder: Decoder<'a>,
    status: u32,
    left: u32,
}

impl<'a> Results<'a> {
    pub(super) fn new(mut decoder: Decoder<'a>) -> Result<Self, Trouble> {
        let status = decoder.u32()?;
        decoder.opaque()?;
        let left = decoder.u32()?;
        Ok(Self { decoder, status, left })
    }

    /// The results of the next operation, which was `number`.
    pub(super) fn op(&mut self, number: u32) -> Result<&mut Decoder<'a>, Trouble> {
        if self.left == 0 {
            return Err(match self.status {
                0 => Trouble::Malformed("COMPOUND4res: count"),
                status => Trouble::Status(Status::nfs4(status)),
            });
        }
        self.left -= 1;
        let answered = self.decoder.u32()?;
        match self.decoder.u32()? {
            0 if answered == number => Ok(&mut self.decoder),
            0 => Err(Trouble::Malformed("COMPOUND4res: opnum")),
            status => Err(Trouble::Status(Status::nfs4(status))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_that_failed_ends_the_answers() {
        let mut answer = Encoder::new();
        answer.u32(2).opaque(&[]).u32(2).u32(op::PUTROOTFH).u32(0).u32(op::LOOKUP).u32(2);
        let mut results = Results::new(Decoder::new(answer.bytes())).unwrap();
        results.op(op::PUTROOTFH).unwrap();
        assert_eq!(results.op(op::LOOKUP).unwrap_err().to_string(), "NFS4ERR_NOENT (2)");
        assert_eq!(results.op(op::GETFH).unwrap_err().to_string(), "NFS4ERR_NOENT (2)");
    }

    #[test]
    fn a_server_without_this_minor_version_answers_no_operation() {
        let mut answer = Encoder::new();
        answer.u32(10021).opaque(&[]).u32(0);
        let mut results = Results::new(Decoder::new(answer.bytes())).unwrap();
        let trouble = results.op(op::EXCHANGE_ID).unwrap_err();
        assert_eq!(trouble.code(), sharemark_model::FailureCode::Version);
    }

    #[test]
    fn operations_are_counted_with_those_in_front() {
        let (mut before, mut compound) = (Compound::new(), Compound::new());
        before.op(op::SEQUENCE).u32(9);
        compound.op(op::PUTROOTFH);
        compound.op(op::GETFH);
        let arguments = compound.arguments(1, &before);
        let words = Decoder::new(arguments.bytes());
        let mut words = words;
        let all: Vec<u32> = (0..7).map(|_| words.u32().unwrap()).collect();
        assert_eq!(all, [0, 1, 3, op::SEQUENCE, 9, op::PUTROOTFH, op::GETFH]);
    }
}
