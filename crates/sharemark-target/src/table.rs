//! This machine's mounts, by the system's own tables and without touching any of them: a mount whose server is gone
//! would hold whoever asks it.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(target_os = "macos", test))]
mod macos_names;
#[cfg(any(target_os = "macos", test))]
mod macos_smbutil;
#[cfg(any(target_os = "macos", all(unix, test)))]
mod program;
#[cfg(windows)]
pub(crate) mod remote;
#[cfg(any(windows, test))]
mod remote_protocol;
#[cfg(any(windows, test))]
mod session;
#[cfg(windows)]
mod windows;
#[cfg(any(windows, test))]
pub(crate) mod windows_path;
#[cfg(windows)]
pub(crate) mod windows_session;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;
#[cfg(windows)]
use windows as system;

use std::path::Path;

use sharemark_model::{MountFacts, MountKind};

/// The mounts a person might measure: network mounts, FUSE mounts and disks, each device once.
#[must_use]
pub fn list() -> Vec<MountFacts> {
    let mut mounts = system::all();
    mounts.retain(|mount| {
        matches!(mount.kind, MountKind::Network | MountKind::Fuse | MountKind::Local | MountKind::Unknown)
            && !matches!(mount.file_system.as_str(), "squashfs" | "erofs" | "iso9660" | "udf" | "cramfs")
    });
    mounts
}

/// What Windows keeps of the drives that its user mapped beside those that can be seen; nothing on other systems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// This process is elevated, and so does not see the drives of its user's desktop, however well they are connected.
    pub elevated: bool,
    /// The drives that are remembered for the user and are not there.
    pub drives: Vec<MountFacts>,
}

/// What is remembered of drives beside `present`, the mounts that [`list`] told. This reads the system's own memory and
/// touches no server.
#[must_use]
pub fn absent(present: &[MountFacts]) -> Absent {
    #[cfg(windows)]
    {
        Absent { elevated: windows_session::sees_no_drives(), drives: windows_session::remembered(present) }
    }
    #[cfg(not(windows))]
    {
        let _ = present;
        Absent::default()
    }
}

/// The mount that `path`, which must exist and be free of links, is on. This asks the file system and so may be held by
/// a server that is gone.
#[must_use]
pub fn mount_of(path: &Path) -> Option<MountFacts> {
    system::mount_of(path)
}

/// The same with what the mount's client tells of its connection to the server. Linux and Windows tell it with the mount;
/// macOS has a program that is asked, which takes a moment.
#[must_use]
pub fn mount_with_connection(path: &Path) -> Option<MountFacts> {
    let mount = mount_of(path);
    #[cfg(target_os = "macos")]
    let mount = mount.map(system::with_connection);
    mount
}

/// What stands behind a file system of this type.
#[must_use]
pub fn kind_of(file_system: &str) -> MountKind {
    match file_system {
        "cifs" | "smb3" | "smbfs" | "nfs" | "nfs4" | "ceph" | "afs" | "afpfs" | "webdav" | "lustre"
        | "ncpfs" | "coda" => MountKind::Network,
        "tmpfs" | "ramfs" | "devtmpfs" | "rootfs" => MountKind::Memory,
        "proc" | "sysfs" | "cgroup" | "cgroup2" | "securityfs" | "debugfs" | "tracefs" | "pstore" | "bpf"
        | "configfs" | "mqueue" | "devpts" | "autofs" | "fusectl" | "binfmt_misc" | "hugetlbfs" | "nsfs"
        | "rpc_pipefs" | "nfsd" | "efivarfs" | "selinuxfs" | "devfs" | "fdescfs" | "fuse.lxcfs"
        | "fuse.portal" | "sockfs" | "pipefs" => MountKind::Pseudo,
        "ext2" | "ext3" | "ext4" | "xfs" | "btrfs" | "zfs" | "f2fs" | "bcachefs" | "jfs" | "reiserfs"
        | "nilfs2" | "vfat" | "msdos" | "exfat" | "ntfs" | "ntfs3" | "hfs" | "hfsplus" | "apfs" | "ufs"
        | "overlay" | "squashfs" | "erofs" | "iso9660" | "udf" | "cramfs" => MountKind::Local,
        // ntfs-3g and exfat-fuse: a disk of this machine by way of a program.
        "fuseblk" => MountKind::Local,
        other if other.starts_with("fuse") => MountKind::Fuse,
        _ => MountKind::Unknown,
    }
}

/// The server named in what is mounted: `//nas/Public`, `nas:/export`, `user@nas:/folder`, `[fe80::1]:/export`,
/// `https://nas:5006/dav`.
#[must_use]
pub fn server_in(source: &str) -> Option<String> {
    if let Some((_, rest)) = source.split_once("://") {
        let authority = rest.split('/').next()?;
        let host = authority.rsplit('@').next()?;
        let host = match host.strip_prefix('[') {
            Some(address) => address.split(']').next()?,
            None => host.split(':').next()?,
        };
        return (!host.is_empty()).then(|| host.to_owned());
    }
    if let Some(rest) = source.strip_prefix("//").or_else(|| source.strip_prefix(r"\\")) {
        let server = rest.split(['/', '\\']).next()?;
        let server = server.rsplit('@').next()?;
        return (!server.is_empty()).then(|| server.to_owned());
    }
    let host = match source.strip_prefix('[') {
        Some(rest) => rest.split_once("]:").map(|(host, _)| host)?,
        None => source.split_once(":/").map(|(host, _)| host)?,
    };
    let host = host.rsplit('@').next()?;
    (!host.is_empty() && !host.contains('/')).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_found_in_every_way_it_is_written() {
        for (source, server) in [
            ("//nas/Public", Some("nas")),
            ("//192.168.1.20/写真 $ 2026", Some("192.168.1.20")),
            (r"\\nas\Public", Some("nas")),
            ("//user@nas/Public", Some("nas")),
            ("nas:/export/home", Some("nas")),
            ("[fe80::1%eth0]:/export", Some("fe80::1%eth0")),
            ("me@nas:/home/me", Some("nas")),
            ("https://me@nas:5006/dav", Some("nas")),
            ("http://[fe80::1]:80/", Some("fe80::1")),
            ("/dev/sda1", None),
            ("tmpfs", None),
            ("//", None),
        ] {
            assert_eq!(server_in(source).as_deref(), server, "{source}");
        }
    }

    #[test]
    fn the_folder_of_this_source_is_on_a_mount() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
        let mount = mount_of(&here).unwrap();
        assert!(!mount.file_system.is_empty());
        assert!(here.starts_with(&mount.mount_point) || cfg!(windows), "{mount:?}");
        assert!(list().iter().all(|mount| mount.kind != MountKind::Pseudo));
    }
}
