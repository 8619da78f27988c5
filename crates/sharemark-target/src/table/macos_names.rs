//! What macOS' names of file systems and of what is mounted say, told from their text alone and tested on every system.

use std::borrow::Cow;

use sharemark_model::MountKind;

use super::kind_of;

/// What stands behind a mount of this type. FUSE-T, which needs no driver of its own, mounts by NFS or SMB from a server
/// on this machine and names itself in what is mounted.
pub(super) fn kind(file_system: &str, source: &str) -> MountKind {
    let name = source.trim_start_matches('/');
    if name.starts_with("fuse-t:") || name.starts_with("fuse-t@") {
        return MountKind::Fuse;
    }
    match file_system {
        "macfuse" | "osxfuse" | "osxfusefs" => MountKind::Fuse,
        "ftp" | "vmhgfs" => MountKind::Network,
        "nullfs" | "volfs" | "synthfs" => MountKind::Pseudo,
        other => kind_of(other),
    }
}

/// What is mounted without the user it is mounted for, who has no place in a report that people publish:
/// `//me@nas._smb._tcp.local/Public`, `//WORKGROUP;me:secret@nas/Public`, `https://me@nas/dav`.
pub(super) fn without_user(source: &str) -> Cow<'_, str> {
    let Some(start) = source.find("//").map(|start| start + 2) else {
        return Cow::Borrowed(source);
    };
    let (before, rest) = source.split_at(start);
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => Cow::Owned(format!("{before}{}", &rest[at + 1..])),
        None => Cow::Borrowed(source),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nobody_is_named_in_what_is_mounted() {
        for (source, shown) in [
            ("//me@nas._smb._tcp.local/Public", "//nas._smb._tcp.local/Public"),
            ("//WORKGROUP;me:s%40cret@nas/写真 $ 2026", "//nas/写真 $ 2026"),
            ("//GUEST:@192.168.1.20/a@b", "//192.168.1.20/a@b"),
            ("https://me@nas:5006/dav/", "https://nas:5006/dav/"),
            ("nas:/export/home", "nas:/export/home"),
            ("/dev/disk3s5", "/dev/disk3s5"),
            ("//me@nas", "//nas"),
        ] {
            assert_eq!(without_user(source), shown);
        }
    }

    #[test]
    fn the_mounts_of_a_mac_are_told_apart() {
        for (file_system, source, expected) in [
            ("smbfs", "//me@nas/Public", MountKind::Network),
            ("nfs", "nas:/export", MountKind::Network),
            ("nfs", "fuse-t:/rclone", MountKind::Fuse),
            ("macfuse", "nas:", MountKind::Fuse),
            ("webdav", "https://nas/dav/", MountKind::Network),
            ("apfs", "/dev/disk3s5", MountKind::Local),
            ("devfs", "devfs", MountKind::Pseudo),
            ("autofs", "map auto_home", MountKind::Pseudo),
            ("tmpfs", "tmpfs", MountKind::Memory),
            ("somethingfs", "", MountKind::Unknown),
        ] {
            assert_eq!(kind(file_system, source), expected, "{file_system} {source}");
        }
    }

    proptest! {
        #[test]
        fn no_source_makes_it_panic(source in "\\PC{0,20}(//)?\\PC{0,20}@?\\PC{0,20}") {
            let once = without_user(&source).into_owned();
            prop_assert!(once.len() <= source.len());
        }
    }
}
