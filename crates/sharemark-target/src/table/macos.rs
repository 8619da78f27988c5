//! The kernel's list of mounts, described in getfsstat(2) and statfs(2).

use std::ffi::{c_char, c_int};
use std::mem::size_of;
use std::path::Path;
use std::ptr;
use std::time::{Duration, Instant};

use rustix::fs::StatFs;
use sharemark_model::{MountFacts, MountKind};

use super::macos_names::{kind, shown};
use super::program::answer_of;
use super::{macos_smbutil, server_in};

/// How long the connection of a mount is asked for. It is worth no more: without it, fewer options are told.
const CONNECTION_LIMIT: Duration = Duration::from_secs(3);

pub(super) fn all() -> Vec<MountFacts> {
    mounts()
        .iter()
        .map(|mount| (mount, facts(mount)))
        // The system spreads itself over many volumes of one disk and hides all of them but the first.
        .filter(|(mount, facts)| facts.kind != MountKind::Local || !has(mount, libc::MNT_DONTBROWSE))
        .map(|(_, facts)| facts)
        .collect()
}

pub(super) fn mount_of(path: &Path) -> Option<MountFacts> {
    rustix::fs::statfs(path).ok().map(|mount| facts(&mount))
}

/// Adds what the SMB client tells of its connection, which is in no table: `smbutil` gets it from the kernel for whoever
/// mounted the share. Older systems know one form of it, or none; a missing tool and an answer that is not understood leave
/// the mount as it was.
pub(super) fn with_connection(mut mount: MountFacts) -> MountFacts {
    if mount.file_system != "smbfs" {
        return mount;
    }
    let deadline = Instant::now() + CONNECTION_LIMIT;
    let place = mount.mount_point.as_str();
    let ask = |arguments: &[&str]| answer_of("/usr/bin/smbutil", arguments, deadline);
    let connection = ask(&["statshares", "-m", place, "-f", "JSON"])
        .and_then(|answer| macos_smbutil::connection(&answer))
        .or_else(|| macos_smbutil::connection(&ask(&["statshares", "-m", place])?));
    // Who does not know the share does not know its connections.
    if let Some(connection) = connection {
        let several = ask(&["multichannel", "-i", "-m", place, "-f", "JSON"])
            .is_some_and(|answer| macos_smbutil::is_multichannel(&answer));
        mount.options.extend(connection);
        mount.options.extend(several.then(|| "multichannel".to_owned()));
    }
    mount
}

/// Every mount as the kernel remembers it: `MNT_NOWAIT` asks no file system, so that none can hold the caller.
#[expect(unsafe_code, reason = "no library wraps this call")]
fn mounts() -> Vec<StatFs> {
    // SAFETY: without a list the kernel only counts.
    let count = unsafe { libc::getfsstat(ptr::null_mut(), 0, libc::MNT_NOWAIT) };
    // A few more, should something be mounted in between.
    let room = usize::try_from(count).unwrap_or(0) + 8;
    let mut list: Vec<StatFs> = Vec::with_capacity(room);
    let length = c_int::try_from(room * size_of::<StatFs>()).unwrap_or(c_int::MAX);
    // SAFETY: the list has room for `length` bytes, which the kernel does not exceed.
    let count = unsafe { libc::getfsstat(list.as_mut_ptr(), length, libc::MNT_NOWAIT) };
    // SAFETY: the kernel filled so many entries, at most as many as there is room for; a failure is -1, and then none.
    unsafe { list.set_len(usize::try_from(count).unwrap_or(0).min(room)) };
    list
}

fn facts(mount: &StatFs) -> MountFacts {
    let file_system = text(&mount.f_fstypename);
    let named = text(&mount.f_mntfromname);
    let kind = kind(&file_system, &named);
    let source = shown(&file_system, &named);
    let server = matches!(kind, MountKind::Network | MountKind::Fuse).then(|| server_in(&source)).flatten();
    let options = [
        // As Linux says it: the list of shares goes by the word.
        (libc::MNT_RDONLY, "ro"),
        (libc::MNT_SYNCHRONOUS, "synchronous"),
        (libc::MNT_ASYNC, "asynchronous"),
        (libc::MNT_LOCAL, "local"),
        (libc::MNT_JOURNALED, "journaled"),
        (libc::MNT_AUTOMOUNTED, "automounted"),
        (libc::MNT_DONTBROWSE, "nobrowse"),
    ]
    .into_iter()
    .filter(|(flag, _)| has(mount, *flag))
    .map(|(_, word)| word.to_owned())
    .collect();
    MountFacts { kind, file_system, source, mount_point: text(&mount.f_mntonname), server, options }
}

fn has(mount: &StatFs, flag: c_int) -> bool {
    mount.f_flags & flag.cast_unsigned() != 0
}

/// The characters before the first zero. Names that are not Unicode could not be held by a report.
fn text(characters: &[c_char]) -> String {
    let bytes: Vec<u8> = characters
        .iter()
        .take_while(|character| **character != 0)
        .map(|character| character.cast_unsigned())
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
