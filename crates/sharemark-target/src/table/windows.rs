//! Drive letters, as Windows' own tables of devices and connections translate them.
//!
//! What a letter stands for is asked of the object manager (`QueryDosDeviceW`) and of the providers' lists of
//! connections (`WNetGetConnectionW`), which answer for a server that is gone as well; only a letter that is then known
//! to stand for something on this machine is asked for its type and its file system. Not even `GetDriveTypeW` is asked
//! of others: it may open the root folder.

use std::fs::OpenOptions;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use std::ptr;

use sharemark_model::{MountFacts, MountKind};
use windows_sys::Win32::Foundation::{ERROR_CONNECTION_UNAVAIL, NO_ERROR};
use windows_sys::Win32::NetworkManagement::WNet::WNetGetConnectionW;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_READ_ATTRIBUTES, GetDriveTypeW, GetVolumeInformationW,
    GetVolumePathNameW, QueryDosDeviceW,
};
use windows_sys::Win32::System::Diagnostics::Debug::{SEM_FAILCRITICALERRORS, SetThreadErrorMode};
use windows_sys::Win32::System::SystemServices::{FILE_READ_ONLY_VOLUME, FILE_VOLUME_IS_COMPRESSED};
use windows_sys::Win32::System::WindowsProgramming::{
    DRIVE_CDROM, DRIVE_FIXED, DRIVE_RAMDISK, DRIVE_REMOTE, DRIVE_REMOVABLE,
};

use super::session::Letters;
use super::windows_path::{
    Device, Place, Share, device, is_made_by_a_program, is_wsl, place, plain, verbatim,
};
use super::{remote, windows_session};

/// More than the longest path of Windows, 32,767 characters, and its zero.
pub(super) const LONGEST: usize = 32_768;

pub(super) fn all() -> Vec<MountFacts> {
    let letters = windows_session::letters();
    let mut mounts: Vec<MountFacts> = Vec::new();
    for letter in Letters::ALL {
        if letters.contain(letter)
            && let Some(facts) = lettered(letter)
            // A share with two letters is one share.
            && !mounts.iter().any(|known| known.source.eq_ignore_ascii_case(&facts.source))
        {
            mounts.push(facts);
        }
    }
    mounts
}

/// Beside what the tables tell, the folder itself is asked what carries it, and a share for its file system.
pub(super) fn mount_of(path: &Path) -> Option<MountFacts> {
    // Only the final path shows where a link, a junction or a letter given by `subst` leads.
    let canonical = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let path = canonical.as_deref().unwrap_or(path);
    let text = plain(path.to_str()?);
    // Only this form of a path may be longer than 260 characters here.
    let root = volume_root(&verbatim(path.to_str()?)).map(|root| plain(&root));
    let mut facts = match (place(&text), root) {
        (Place::Share(share), _) => {
            let mount_point = share.source.clone();
            network(share, String::new(), mount_point)
        }
        (Place::Drive(letter), None) => lettered(letter)?,
        (Place::Drive(letter), Some(root)) if root.len() <= r"C:\".len() => lettered(letter)?,
        // A volume is mounted in a folder as well, or named by its identifier.
        (_, root) => {
            let root = root?;
            volume(&root, root.clone())?
        }
    };
    ask(path, &mut facts);
    Some(facts)
}

/// What a letter stands for. Nothing that could be measured is behind an optical drive, and what stands for a folder of
/// another letter has that one's entry.
fn lettered(letter: char) -> Option<MountFacts> {
    let root = format!(r"{letter}:\");
    let target = dos_device(letter)?;
    match (device(&target), connection(letter)) {
        // The bytes go wherever the program sends them, also when it makes up a server's name.
        (Device::Program, connection) => {
            let source = connection.map_or(target, |share| share.source);
            let facts = volume(&root, source)?;
            Some(MountFacts { kind: MountKind::Fuse, ..facts })
        }
        (Device::Redirector { file_system, share }, connection) => {
            let nameless = Share { server: String::new(), source: target };
            let share = connection.or(share).unwrap_or(nameless);
            Some(network(share, file_system, root))
        }
        (_, Some(share)) => Some(network(share, String::new(), root)),
        (Device::Substitute(path), None) => match place(&path) {
            Place::Share(share) => Some(network(share, String::new(), root)),
            _ => None,
        },
        (Device::Disk, None) => volume(&root, target),
    }
}

fn network(share: Share, file_system: String, mount_point: String) -> MountFacts {
    // Files of a Linux distribution (WSL) are on a disk of this machine, whatever protocol leads there.
    let kind = if is_wsl(&share.server) { MountKind::Local } else { MountKind::Network };
    MountFacts {
        kind,
        file_system: if file_system.is_empty() { "unknown".to_owned() } else { file_system },
        source: share.source,
        mount_point,
        server: (kind == MountKind::Network && !share.server.is_empty()).then_some(share.server),
        options: Vec::new(),
    }
}

/// A volume of this machine, which is asked for its type and its file system; `None` for an optical drive.
fn volume(root: &str, source: String) -> Option<MountFacts> {
    let name = wide(root);
    // SAFETY: `name` ends with a zero and outlives the call.
    #[expect(unsafe_code, reason = "no safe call tells a drive's type")]
    let kind = match unsafe { GetDriveTypeW(name.as_ptr()) } {
        DRIVE_CDROM => return None,
        DRIVE_FIXED | DRIVE_REMOVABLE => MountKind::Local,
        DRIVE_RAMDISK => MountKind::Memory,
        DRIVE_REMOTE => MountKind::Network,
        _ => MountKind::Unknown,
    };
    // A server that is gone would hold whoever asks a network drive.
    let told = if kind == MountKind::Network { None } else { file_system(root) };
    let (file_system, flags) = told.unwrap_or_else(|| ("unknown".to_owned(), 0));
    let options = [(FILE_READ_ONLY_VOLUME, "read-only"), (FILE_VOLUME_IS_COMPRESSED, "compressed")]
        .into_iter()
        .filter(|(flag, _)| flags & flag != 0)
        .map(|(_, word)| word.to_owned())
        .collect();
    Some(MountFacts {
        kind: if is_made_by_a_program(&file_system) { MountKind::Fuse } else { kind },
        file_system,
        source,
        mount_point: root.to_owned(),
        server: None,
        options,
    })
}

/// Asks the folder at `path` what carries it; a server that is gone holds whoever asks.
fn ask(path: &Path, facts: &mut MountFacts) {
    if matches!(place(&facts.source), Place::Share(share) if is_wsl(&share.server)) {
        "9P".clone_into(&mut facts.file_system);
        return;
    }
    let opened = OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(path);
    let Ok(folder) = opened else { return };
    if facts.kind == MountKind::Local && remote::is_remote(&folder) {
        facts.kind = MountKind::Network;
    }
    if facts.kind != MountKind::Network {
        return;
    }
    let protocol = remote::protocol(&folder);
    let named = protocol.as_ref().and_then(|protocol| protocol.file_system);
    if let Some(named) = named {
        named.clone_into(&mut facts.file_system);
    } else if let Some((told, _)) = file_system(&format!(r"{}\", facts.mount_point.trim_end_matches('\\'))) {
        // The server's own disk has no place here, but no other protocol tells one.
        if is_made_by_a_program(&told) {
            facts.kind = MountKind::Fuse;
        }
        facts.file_system = told;
    }
    facts.options.extend(protocol.into_iter().flat_map(|protocol| protocol.options));
}

/// What a drive letter is a name for.
fn dos_device(letter: char) -> Option<String> {
    let name = wide(&format!("{letter}:"));
    let mut target = vec![0u16; LONGEST];
    // SAFETY: `name` ends with a zero, the system writes at most the given number of characters, and both outlive the
    // call.
    #[expect(unsafe_code, reason = "no safe call tells what a letter stands for")]
    let length = unsafe { QueryDosDeviceW(name.as_ptr(), target.as_mut_ptr(), length_of(&target)) };
    (length > 0).then(|| text(&target))
}

/// The share that a drive letter is connected to, also while it is out of reach.
fn connection(letter: char) -> Option<Share> {
    let name = wide(&format!("{letter}:"));
    let mut source = vec![0u16; LONGEST];
    let mut length = length_of(&source);
    // SAFETY: `name` ends with a zero, the system writes at most `length` characters into `source`, and all outlive the
    // call.
    #[expect(unsafe_code, reason = "no safe call tells a drive's connection")]
    let answer = unsafe { WNetGetConnectionW(name.as_ptr(), source.as_mut_ptr(), &raw mut length) };
    if !matches!(answer, NO_ERROR | ERROR_CONNECTION_UNAVAIL) {
        return None;
    }
    let source = text(&source);
    match place(&source) {
        Place::Share(share) => Some(share),
        // Some providers name a server's folder in their own way: `nas:/export`.
        _ => super::server_in(&source).map(|server| Share { server, source }),
    }
}

/// Where the volume that `path` is on is mounted: `C:\`, or a folder.
fn volume_root(path: &str) -> Option<String> {
    let path = wide(path);
    let mut root = vec![0u16; LONGEST];
    // SAFETY: `path` ends with a zero, the system writes at most the given number of characters into `root`, and both
    // outlive the call.
    #[expect(unsafe_code, reason = "no safe call tells a volume's root")]
    let answered = unsafe { GetVolumePathNameW(path.as_ptr(), root.as_mut_ptr(), length_of(&root)) };
    (answered != 0).then(|| text(&root))
}

/// The name and the flags of the file system at a root, whose name ends with a separator.
#[expect(unsafe_code, reason = "no safe call tells a volume's file system")]
fn file_system(root: &str) -> Option<(String, u32)> {
    let root = wide(root);
    let mut name = [0u16; 261];
    let (mut flags, mut before) = (0, 0);
    // An empty card reader is to fail, not to ask the user for a card.
    // SAFETY: the mode concerns this thread alone, and `before` outlives the call.
    unsafe { SetThreadErrorMode(SEM_FAILCRITICALERRORS, &raw mut before) };
    // SAFETY: `root` ends with a zero, the system writes at most the given number of characters into `name`, what is
    // left out may be, and all outlive the call.
    let answered = unsafe {
        GetVolumeInformationW(
            root.as_ptr(),
            ptr::null_mut(),
            0,
            ptr::null_mut(),
            ptr::null_mut(),
            &raw mut flags,
            name.as_mut_ptr(),
            length_of(&name),
        )
    };
    // SAFETY: the mode is the one found above, and the former one may be left out.
    unsafe { SetThreadErrorMode(before, ptr::null_mut()) };
    let name = text(&name);
    (answered != 0 && !name.is_empty()).then_some((name, flags))
}

fn length_of(characters: &[u16]) -> u32 {
    u32::try_from(characters.len()).unwrap_or(u32::MAX)
}

pub(super) fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

/// The characters before the first zero.
pub(super) fn text(characters: &[u16]) -> String {
    let end = characters.iter().position(|character| *character == 0);
    String::from_utf16_lossy(&characters[..end.unwrap_or(characters.len())])
}
