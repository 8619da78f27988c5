//! What Windows' paths and device names say about where they lead, told from their text alone: nothing here asks the
//! system, and all of it is tested on every system.

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Below a drive letter, which is upper case.
    Drive(char),
    /// Into a share.
    Share(Share),
    /// Below something else: a volume named by its identifier, or a relative path.
    Other,
}

/// A share of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// The server's name or address, with nothing of the port, the protocol or the spelling that UNC needs.
    pub(crate) server: String,
    /// The share as Windows writes it: `\\server\share`.
    pub(crate) source: String,
}

/// What a drive letter stands for, as `QueryDosDevice` names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// A network drive; the file system is told as far as its redirector's name is known.
    Redirector {
        /// `SMB`, `WebDAV`, `NFS`, or the redirector's own name.
        file_system: String,
        /// The share, where the name holds it.
        share: Option<Share>,
    },
    /// Another path, given a letter by `subst`.
    Substitute(String),
    /// A volume that a program of the user's provides.
    Program,
    /// A disk or anything else that has a driver of its own.
    Disk,
}

/// Where `path` leads: `W:\x`, `\\nas\share\x`, `//nas/share`, and the same behind `\\?\`, `\\.\` and `\??\`.
pub(crate) fn place(path: &str) -> Place {
    let path = path.replace('/', r"\");
    let verbatim = [r"\\?\", r"\\.\", r"\??\"].iter().find_map(|prefix| path.strip_prefix(prefix));
    let share_of = |rest: &str| share(rest).map_or(Place::Other, Place::Share);
    match verbatim {
        Some(rest) => match without_unc(rest) {
            Some(rest) => share_of(rest),
            None => drive(rest),
        },
        None => match path.strip_prefix(r"\\") {
            Some(rest) => share_of(rest),
            None => drive(&path),
        },
    }
}

/// The path as a person writes it, without the `\\?\` that following every link leaves before it; unchanged where
/// Windows would read the shorter form otherwise.
pub(crate) fn plain(path: &str) -> String {
    let shorter = match path.strip_prefix(r"\\?\") {
        Some(rest) => match without_unc(rest) {
            Some(rest) => format!(r"\\{rest}"),
            None if matches!(drive(rest), Place::Drive(_)) => rest.to_owned(),
            None => return path.to_owned(),
        },
        None => return path.to_owned(),
    };
    if shorter.split('\\').any(is_read_otherwise) {
        return path.to_owned();
    }
    shorter
}

/// What a drive letter that `QueryDosDevice` translates to `target` stands for.
///
/// A redirector's device is `\Device\LanmanRedirector\;W:0000000000012345\nas\Public`, by way of the multiple UNC
/// provider also `\Device\Mup\;LanmanRedirector\;W:0000000000012345\nas\Public`; `subst` makes `\??\C:\folder` and
/// `\??\UNC\nas\Public`. The volumes of WinFsp and Dokan, and so of rclone, sshfs and others built on them, are
/// `\Device\Volume{…}`, while those of Windows itself are `\Device\HarddiskVolume3` and the like.
pub(crate) fn device(target: &str) -> Device {
    if target.starts_with(r"\??\") {
        return Device::Substitute(target.to_owned());
    }
    let Some(name) = strip_prefix_ignoring_case(target, r"\Device\") else {
        return Device::Disk;
    };
    if strip_prefix_ignoring_case(name, "Volume{").is_some() {
        return Device::Program;
    }
    let Some((redirector, rest)) = name.split_once(r"\;") else {
        return Device::Disk;
    };
    let (redirector, rest) = match rest.split_once(r"\;") {
        Some((inner, rest)) if !inner.contains(':') => (inner, rest),
        _ => (redirector, rest),
    };
    Device::Redirector {
        file_system: redirector_name(redirector).to_owned(),
        share: rest.split_once('\\').and_then(|(_, rest)| share(rest)),
    }
}

/// Whether a file system of this name is a program's: WinFsp names those of its FUSE layer `FUSE-rclone`, `FUSE-sshfs`.
pub(crate) fn is_made_by_a_program(file_system: &str) -> bool {
    ["FUSE", "DOKAN"].iter().any(|name| strip_prefix_ignoring_case(file_system, name).is_some())
}

fn redirector_name(redirector: &str) -> &str {
    match redirector.to_ascii_lowercase().as_str() {
        "lanmanredirector" | "mrxsmb" => "SMB",
        "webdavredirector" => "WebDAV",
        "rdpdr" => "RDP",
        other if other.contains("nfs") => "NFS",
        _ => redirector,
    }
}

fn drive(path: &str) -> Place {
    let mut letters = path.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => {
            Place::Drive(letter.to_ascii_uppercase())
        }
        _ => Place::Other,
    }
}

fn share(rest: &str) -> Option<Share> {
    let mut names = rest.split('\\').filter(|name| !name.is_empty());
    let server = names.next()?;
    let name = names.next()?;
    Some(Share { server: server_name(server), source: format!(r"\\{server}\{name}") })
}

/// A WebDAV server carries its port and its protocol in its name, `nas@SSL@5006`, and an IPv6 address, whose colons UNC
/// does not allow, is spelt `fe80--1s4.ipv6-literal.net`.
fn server_name(name: &str) -> String {
    let name = name.split('@').next().unwrap_or(name);
    const LITERAL: &str = ".ipv6-literal.net";
    let split = name.len().saturating_sub(LITERAL.len());
    match name.split_at_checked(split) {
        Some((address, suffix)) if suffix.eq_ignore_ascii_case(LITERAL) => {
            address.replace('-', ":").replace(['s', 'S'], "%")
        }
        _ => name.to_owned(),
    }
}

fn without_unc(rest: &str) -> Option<&str> {
    strip_prefix_ignoring_case(rest, r"UNC\")
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Whether a name means something else without `\\?\` before the path: blanks and dots at its end are dropped, `/`
/// separates, and the names of old devices are those devices in every folder, whatever extension follows.
fn is_read_otherwise(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT")).is_some_and(|number| {
            matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
        });
    is_device || name.ends_with([' ', '.']) || name.contains('/')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn on(server: &str, source: &str) -> Share {
        Share { server: server.to_owned(), source: source.to_owned() }
    }

    #[test]
    fn paths_lead_where_windows_says() {
        for path in [
            r"\\nas\写真 $ 2026",
            r"\\nas\写真 $ 2026\",
            r"\\nas\写真 $ 2026\a\b",
            r"//nas/写真 $ 2026/a",
            r"\\?\UNC\nas\写真 $ 2026\a",
            r"\\?\unc\nas\写真 $ 2026",
            r"\\.\UNC\nas\写真 $ 2026",
            r"\??\UNC\nas\写真 $ 2026\a",
        ] {
            assert_eq!(place(path), Place::Share(on("nas", r"\\nas\写真 $ 2026")), "{path}");
        }
        for path in [r"W:\a", "w:", r"\\?\W:\a", r"\\.\w:\", r"\??\W:\a", "W:/a"] {
            assert_eq!(place(path), Place::Drive('W'), "{path}");
        }
        for path in ["", r"\\", r"\\nas", r"\\nas\", "a", r"\a", r"\\?\Volume{1}\a", r"\\?\UNC\nas", "é:"] {
            assert_eq!(place(path), Place::Other, "{path}");
        }
    }

    #[test]
    fn the_server_of_a_share_is_a_name_that_can_be_reached() {
        for (path, server) in [
            (r"\\192.168.1.20\Public", "192.168.1.20"),
            (r"\\nas@SSL@5006\DavWWWRoot\x", "nas"),
            (r"\\fe80--1s4.ipv6-literal.net\Public", "fe80::1%4"),
            (r"\\2001-db8--A.IPv6-Literal.net\Public", "2001:db8::A"),
            (r"\\nas.local\Public", "nas.local"),
        ] {
            match place(path) {
                Place::Share(share) => assert_eq!(share.server, server, "{path}"),
                other => panic!("{path}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_path_is_shown_plainly_only_where_it_stays_the_same() {
        for (path, shown) in [
            (r"\\?\C:\Users\me", r"C:\Users\me"),
            (r"\\?\UNC\nas\写真 $ 2026\a", r"\\nas\写真 $ 2026\a"),
            (r"\\?\W:\", r"W:\"),
            (r"\\nas\Public", r"\\nas\Public"),
            (r"C:\a", r"C:\a"),
            (r"\\?\C:\con.txt", r"\\?\C:\con.txt"),
            (r"\\?\C:\a\Com1", r"\\?\C:\a\Com1"),
            (r"\\?\C:\command", r"C:\command"),
            (r"\\?\C:\a \b", r"\\?\C:\a \b"),
            (r"\\?\C:\a.", r"\\?\C:\a."),
            (r"\\?\UNC\nas\a/b", r"\\?\UNC\nas\a/b"),
            (r"\\?\Volume{1}\a", r"\\?\Volume{1}\a"),
        ] {
            assert_eq!(plain(path), shown);
        }
    }

    #[test]
    fn drive_letters_are_told_apart_by_their_devices() {
        let network = |file_system: &str, server: &str, source: &str| Device::Redirector {
            file_system: file_system.to_owned(),
            share: Some(on(server, source)),
        };
        for (target, expected) in [
            (
                r"\Device\LanmanRedirector\;W:000000000001a2b3\nas\Public\sub",
                network("SMB", "nas", r"\\nas\Public"),
            ),
            (
                r"\Device\Mup\;LanmanRedirector\;W:000000000001a2b3\nas\Public",
                network("SMB", "nas", r"\\nas\Public"),
            ),
            (
                r"\Device\WebDavRedirector\;Z:0000000000012345\nas@SSL@5006\DavWWWRoot",
                network("WebDAV", "nas", r"\\nas@SSL@5006\DavWWWRoot"),
            ),
            (r"\Device\RdpDr\;X:1\tsclient\c", network("RDP", "tsclient", r"\\tsclient\c")),
            (
                r"\Device\vmhgfs\;Z:0000\vmware-host\Shared Folders",
                network("vmhgfs", "vmware-host", r"\\vmware-host\Shared Folders"),
            ),
            (
                r"\Device\LanmanRedirector\;W:0000",
                Device::Redirector { file_system: "SMB".to_owned(), share: None },
            ),
            (r"\??\C:\folder", Device::Substitute(r"\??\C:\folder".to_owned())),
            (r"\Device\Volume{0b1c}", Device::Program),
            (r"\Device\Volume{0b1c}\server\share", Device::Program),
            (r"\Device\HarddiskVolume3", Device::Disk),
            (r"\Device\CdRom0", Device::Disk),
            ("", Device::Disk),
        ] {
            assert_eq!(device(target), expected, "{target}");
        }
    }

    #[test]
    fn file_systems_of_programs_are_known_by_their_names() {
        for name in ["FUSE-rclone", "fuse", "FUSE-sshfs", "DOKAN"] {
            assert!(is_made_by_a_program(name), "{name}");
        }
        for name in ["NTFS", "ReFS", "exFAT", ""] {
            assert!(!is_made_by_a_program(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parsers_panic(text in "\\PC{0,40}", start in r"(\\\\\?\\|\\\\|\\Device\\|\\\?\?\\)?(UNC\\)?") {
            let text = format!("{start}{text}");
            place(&text);
            device(&text);
            // A shorter form leads to the same place.
            prop_assert_eq!(place(&plain(&text)), place(&text));
        }
    }
}
