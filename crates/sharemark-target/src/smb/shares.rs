//! The shares that a server offers, asked of its SRVSVC service ([MS-SRVS]) over the share `IPC$`.

use sharemark_model::Share;
use smb2::rpc::srvsvc::{build_net_share_enum_all, filter_disk_shares, parse_net_share_enum_all_response};
use smb2::rpc::{build_srvsvc_bind, parse_bind_ack, parse_response_fragment};
use smb2::types::flags::FileAccessMask;
use smb2::types::{Command, FileId};
use tokio::runtime::Runtime;

use crate::ServerAnswer;

use super::calls::{Kind, Opening, with};
use super::file::{read_request, write_request};
use super::lane::Lane;
use super::names::Names;
use super::status::{self, malformed, unreadable};

/// The head of a remote call's answer ([C706] 12.6.4.10).
const PDU_HEAD: usize = 24;
/// No answer of a pipe is longer than this many bytes; a list of shares has fewer.
const LONGEST: usize = 1 << 20;
/// Where its length stands.
const PDU_LENGTH: std::ops::Range<usize> = 8..10;

/// The disk shares by name, for a user who has to choose; none where the server does not tell.
pub(super) fn choices(share: &Share, runtime: &Runtime) -> Vec<String> {
    let mut found =
        Lane::connect(share, runtime).ok().and_then(|lane| list(lane, &Names::of(&share.address)).ok());
    if let Some(names) = &mut found {
        names.sort_unstable();
    }
    found.unwrap_or_default()
}

fn list(mut lane: Lane, names: &Names) -> Result<Vec<String>, ServerAnswer> {
    lane.enter(&names.unc("IPC$"))?;
    let opening = Opening {
        kind: Kind::File,
        access: FileAccessMask::FILE_READ_DATA | FileAccessMask::FILE_WRITE_DATA,
        new: false,
        options: 0,
    };
    with(&lane, "srvsvc", opening, |pipe| {
        say(&lane, pipe.id, &build_srvsvc_bind(1))?;
        parse_bind_ack(&hear(&lane, pipe.id)?).map_err(|error| unreadable(&error))?;
        say(&lane, pipe.id, &build_net_share_enum_all(2, &names.unc_server()))?;
        let shares = parse_net_share_enum_all_response(&hear_all(&lane, pipe.id)?);
        let disks = filter_disk_shares(shares.map_err(|error| unreadable(&error))?);
        Ok(disks.into_iter().map(|share| share.name).collect())
    })
}

fn say(lane: &Lane, pipe: FileId, message: &[u8]) -> Result<(), ServerAnswer> {
    let length = u32::try_from(message.len()).map_err(|_| malformed("a call is too long"))?;
    let body = write_request(pipe, 0, length, 0);
    let exchange = lane.raw(Command::Write, body).carrying(message);
    super::lane::succeed(lane.link.call(exchange)?.0).map(drop)
}

/// A message from the pipe, which may come in several pieces.
fn hear(lane: &Lane, pipe: FileId) -> Result<Vec<u8>, ServerAnswer> {
    let mut heard = Vec::new();
    loop {
        let mut piece = vec![0u8; 65536];
        let body = read_request(pipe, 0, 65536, 0);
        let mut exchange = lane.raw(Command::Read, body).filling(&mut piece);
        lane.link.exchange(std::slice::from_mut(&mut exchange))?;
        let answer = exchange.answer()?;
        let (status, count) = (answer.head.status(), answer.read);
        heard.extend_from_slice(&piece[..count]);
        match status {
            status::SUCCESS => return Ok(heard),
            status::BUFFER_OVERFLOW if count > 0 && heard.len() < LONGEST => {}
            other => return Err(status::answer(other)),
        }
    }
}

/// The answer to a call, put together from its fragments under the head of the first.
fn hear_all(lane: &Lane, pipe: FileId) -> Result<Vec<u8>, ServerAnswer> {
    let mut whole = Vec::new();
    loop {
        let fragment = hear(lane, pipe)?;
        let (stub, last) = parse_response_fragment(&fragment).map_err(|error| unreadable(&error))?;
        if stub.is_empty() && !last {
            return Err(malformed("a part of the list of shares is empty"));
        }
        if whole.is_empty() {
            whole.extend_from_slice(&fragment[..PDU_HEAD]);
        }
        whole.extend_from_slice(stub);
        // The length has 16 bits: a longer list of shares is no choice for a person either.
        let length = u16::try_from(whole.len()).map_err(|_| malformed("the list of shares is too long"))?;
        whole[PDU_LENGTH].copy_from_slice(&length.to_le_bytes());
        if last {
            return Ok(whole);
        }
    }
}
