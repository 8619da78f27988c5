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

/// What may stand before a path.
const VERBATIM: [&str; 3] = [r"\\?\", r"\\.\", r"\??\"];

/// Where `path` leads: `W:\x`, `\\nas\share\x`, `//nas/share`, and the same behind `\\?\`, `\\.\` and `\??\`.
pub(crate) fn place(path: &str) -> Place {
    let path = path.replace('/', r"\");
    let verbatim = VERBATIM.iter().find_map(|prefix| path.strip_prefix(prefix));
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

/// What stands behind the drive letter in a path, without separators at its ends; `None` without a letter. A path like
/// `W:a` is taken to begin at the drive's root, where every program starts that was not told otherwise.
pub(crate) fn below_drive(path: &str) -> Option<String> {
    let path = path.replace('/', r"\");
    let rest = VERBATIM.iter().find_map(|prefix| path.strip_prefix(prefix)).unwrap_or(&path);
    let (drive_letter, rest) = rest.split_at_checked(2)?;
    matches!(drive(drive_letter), Place::Drive(_)).then(|| rest.trim_matches('\\').to_owned())
}

/// Whether a path, as the system spells it out (`GetFullPathNameW`), names a device and no place for files: `\\.\NUL`,
/// which is also what `C:\a\NUL` is spelt out as, `\\.\PhysicalDrive0`, `\\.\C:`, `\\.\pipe\x`.
///
/// Opening a device may do more than opening: a serial port changes its lines, a console waits for somebody to type.
pub(crate) fn is_device(full: &str) -> bool {
    let Some(rest) = full.replace('/', r"\").strip_prefix(r"\\.\").map(str::to_owned) else {
        return false;
    };
    let first = rest.split('\\').next().unwrap_or_default();
    let is_place = match drive(first) {
        // Without a separator it is the disk itself.
        Place::Drive(_) => first.len() == 2 && rest.len() > 2,
        _ => {
            first.eq_ignore_ascii_case("UNC")
                || strip_prefix_ignoring_case(first, "Volume{").is_some()
                || strip_prefix_ignoring_case(first, "Harddisk").is_some() && rest.len() > first.len()
                || first.eq_ignore_ascii_case("GLOBALROOT")
        }
    };
    !is_place
}

/// A path that the system has spelt out in full, in the form that may be longer than 260 characters everywhere; unchanged
/// where there is no such form.
pub(crate) fn verbatim(full: &str) -> String {
    if VERBATIM.iter().any(|prefix| full.starts_with(prefix)) {
        return full.to_owned();
    }
    match (full.strip_prefix(r"\\"), drive(full)) {
        (Some(share), _) => format!(r"\\?\UNC\{share}"),
        (None, Place::Drive(_)) => format!(r"\\?\{full}"),
        (None, _) => full.to_owned(),
    }
}

/// Whether a part of the path is longer than the names that any file system of Windows takes, 255 units of UTF-16. Some
/// say of such a name that it does not exist.
pub(crate) fn has_too_long_a_name(path: &str) -> bool {
    path.split(['\\', '/']).any(|name| name.encode_utf16().count() > 255)
}

/// Whether a server's name is the one by which Windows reaches its own Linux distributions (WSL): their files are on a
/// disk of this machine.
pub(crate) fn is_wsl(server: &str) -> bool {
    server.eq_ignore_ascii_case("wsl$") || server.eq_ignore_ascii_case("wsl.localhost")
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
        "p9rdr" => "9P",
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
    fn every_form_of_a_path_is_known() {
        let drive = |letter| Place::Drive(letter);
        let other = || Place::Other;
        let share = |server: &str, source: &str| Place::Share(on(server, source));
        for (path, expected) in [
            // A drive, from its root and from where the program is on it.
            (r"C:\a", drive('C')),
            ("C:", drive('C')),
            ("W:x", drive('W')),
            (r"w:x\y", drive('W')),
            // From the root of the current drive, and from where the program is.
            (r"\x", other()),
            ("/x", other()),
            (r"a\b", other()),
            (".", other()),
            (r"..\W:", other()),
            // The same with the prefixes that keep Windows from reading more into a path.
            (r"\\?\C:\a", drive('C')),
            (r"\\.\C:\a", drive('C')),
            (r"\\?\UNC\nas\Public\a", share("nas", r"\\nas\Public")),
            (r"\\.\UNC\nas\Public", share("nas", r"\\nas\Public")),
            (r"\\?\GLOBALROOT\Device\x", other()),
            // Shares: hidden ones, by address, with separators of other systems.
            (r"\\nas\C$", share("nas", r"\\nas\C$")),
            (r"\\nas\C$\x", share("nas", r"\\nas\C$")),
            ("//nas/Public", share("nas", r"\\nas\Public")),
            (r"\\10.0.0.2\Public", share("10.0.0.2", r"\\10.0.0.2\Public")),
            (
                r"\\2001-db8--1.ipv6-literal.net\Public",
                share("2001:db8::1", r"\\2001-db8--1.ipv6-literal.net\Public"),
            ),
            (r"\\wsl$\Debian\home", share("wsl$", r"\\wsl$\Debian")),
            (r"\\wsl.localhost\Debian", share("wsl.localhost", r"\\wsl.localhost\Debian")),
            // Devices.
            ("NUL", other()),
            ("CON", other()),
            (r"\\.\NUL", other()),
            (r"\\.\PhysicalDrive0", other()),
        ] {
            assert_eq!(place(path), expected, "{path}");
        }
        let long = format!(r"\\nas\Public\{}", r"folder\".repeat(100));
        assert_eq!(place(&long), share("nas", r"\\nas\Public"));
        assert_eq!(place(&format!(r"W:\{}", "x".repeat(40_000))), drive('W'));
    }

    #[test]
    fn devices_are_no_folders() {
        for full in [
            r"\\.\NUL",
            r"\\.\nul",
            r"\\.\CON",
            r"\\.\COM1",
            r"\\.\PRN",
            r"\\.\PhysicalDrive0",
            r"\\.\C:",
            r"\\.\pipe\x",
            r"\\.\HarddiskVolume1",
            r"\\.\",
            "//./NUL",
        ] {
            assert!(is_device(full), "{full}");
        }
        for full in [
            r"C:\",
            r"C:\NUL\x",
            r"C:\console",
            r"\\nas\Public",
            r"\\?\C:\NUL",
            r"\\.\C:\",
            r"\\.\C:\a",
            r"\\.\UNC\nas\Public",
            r"\\.\Volume{1}\",
            r"\\.\HarddiskVolume1\a",
            r"\\.\GLOBALROOT\Device\HarddiskVolume1\",
        ] {
            assert!(!is_device(full), "{full}");
        }
    }

    #[test]
    fn what_is_behind_a_letter_keeps_its_spelling() {
        for (path, rest) in [
            (r"W:\", Some("")),
            ("W:", Some("")),
            (r"W:\a\写真 2026\", Some(r"a\写真 2026")),
            ("w:a/b", Some(r"a\b")),
            (r"\\?\W:\a", Some("a")),
            (r"\??\W:\a", Some("a")),
            (r"\\nas\Public", None),
            ("W", None),
            ("写:a", None),
            ("", None),
        ] {
            assert_eq!(below_drive(path).as_deref(), rest, "{path}");
        }
    }

    #[test]
    fn long_paths_have_a_form_that_is_taken_everywhere() {
        for (full, long) in [
            (r"C:\a", r"\\?\C:\a"),
            (r"\\nas\Public\a", r"\\?\UNC\nas\Public\a"),
            (r"\\?\C:\a", r"\\?\C:\a"),
            (r"\\.\C:\a", r"\\.\C:\a"),
            ("a", "a"),
        ] {
            assert_eq!(verbatim(full), long);
            assert_eq!(place(long), place(full));
        }
    }

    #[test]
    fn names_have_a_longest_length_and_paths_do_not() {
        assert!(has_too_long_a_name(&format!(r"W:\a\{}\b", "x".repeat(256))));
        assert!(has_too_long_a_name(&"📷".repeat(128)));
        assert!(!has_too_long_a_name(&format!(r"W:\{}", r"folder\".repeat(100))));
        assert!(!has_too_long_a_name(&"写".repeat(255)));
    }

    #[test]
    fn linux_on_windows_is_this_machine() {
        for server in ["wsl$", "WSL$", "wsl.localhost"] {
            assert!(is_wsl(server), "{server}");
        }
        assert!(!is_wsl("wsl") && !is_wsl("nas") && !is_wsl("localhost"));
        let share = Device::Redirector {
            file_system: "9P".to_owned(),
            share: Some(on("wsl.localhost", r"\\wsl.localhost\Debian")),
        };
        assert_eq!(device(r"\Device\P9Rdr\;Z:00000000000aabbc\wsl.localhost\Debian"), share);
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
            is_device(&text);
            below_drive(&text);
            // A shorter form leads to the same place.
            prop_assert_eq!(place(&plain(&text)), place(&text));
        }
    }
}
