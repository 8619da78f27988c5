//! What macOS' names of file systems and of what is mounted say, told from their text alone and tested on every system.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
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

/// What is mounted as a report shows it: without a user, and the name of an SMB share as its owner wrote it, since that
/// client keeps it as a part of an address (`//me@nas/%E5%86%99%E7%9C%9F`).
pub(super) fn shown(file_system: &str, source: &str) -> String {
    let source = without_user(source);
    if file_system == "smbfs"
        && let Ok(decoded) = percent_decode_str(&source).decode_utf8()
        && !decoded.contains(char::is_control)
    {
        return decoded.into_owned();
    }
    source.into_owned()
}

/// What is mounted without the user it is mounted for, who has no place in a report that people publish:
/// `//me@nas._smb._tcp.local/Public`, `//WORKGROUP;me:secret@nas/Public`, `https://me@nas/dav`, `me@nas:/folder`.
fn without_user(source: &str) -> Cow<'_, str> {
    let Some(start) = source.find("//").map(|start| start + 2) else {
        // sshfs names the user before the server; `nas:/me@home` names none.
        return match source.split_once('@') {
            Some((user, rest)) if !user.contains(['/', ':']) && rest.contains(':') => Cow::Borrowed(rest),
            _ => Cow::Borrowed(source),
        };
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
            ("me@nas:/home", "nas:/home"),
            ("me@nas:", "nas:"),
            ("nas:/export/me@home", "nas:/export/me@home"),
            ("/Users/shared/me@home.dmg", "/Users/shared/me@home.dmg"),
        ] {
            assert_eq!(without_user(source), shown);
        }
    }

    #[test]
    fn a_share_is_shown_by_its_own_name() {
        for (file_system, source, expected) in [
            (
                "smbfs",
                "//me@nas._smb._tcp.local/%E5%86%99%E7%9C%9F%20$%202026",
                "//nas._smb._tcp.local/写真 $ 2026",
            ),
            ("smbfs", "//me@nas/100%25", "//nas/100%"),
            ("smbfs", "//me%40home:s%2Fecret@nas/a%40b", "//nas/a@b"),
            ("smbfs", "//me@nas/%FF", "//nas/%FF"),
            ("smbfs", "//me@nas/a%0Ab", "//nas/a%0Ab"),
            ("webdav", "https://me@nas/%E5%86%99", "https://nas/%E5%86%99"),
            ("nfs", "nas:/100%25", "nas:/100%25"),
        ] {
            assert_eq!(shown(file_system, source), expected);
        }
    }

    #[test]
    fn the_mounts_of_a_mac_are_told_apart() {
        for (file_system, source, expected) in [
            ("smbfs", "//me@nas/Public", MountKind::Network),
            ("nfs", "nas:/export", MountKind::Network),
            ("nfs", "fuse-t:/rclone", MountKind::Fuse),
            ("smbfs", "//fuse-t@localhost/rclone", MountKind::Fuse),
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
            prop_assert!(without_user(&source).len() <= source.len());
            prop_assert!(shown("smbfs", &source).len() <= source.len());
        }
    }
}
