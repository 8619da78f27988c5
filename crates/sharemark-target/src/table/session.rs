//! The drives that a user mapped on Windows and that this process does not see: those whose connection was not set up
//! again, and all of them in a console that runs as administrator. Nothing here asks the system, and all of it is tested
//! on every system.
//!
//! Windows keeps drive letters apart by logon session, and a process elevated by way of User Account Control has another
//! session than its user's desktop. What it shares is the user's part of the registry, where `HKCU\Network\W` remembers
//! what `W:` is to be connected to at the next logon. A drive mapped without being remembered is found nowhere.

use sharemark_model::{MountFacts, MountKind};

use super::remote_protocol::file_system;
use super::windows_path::{Place, below_drive, place};

/// A drive as `HKCU\Network` remembers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The key's name: a drive letter.
    pub(crate) name: String,
    /// `RemotePath`: `\\nas\Public`.
    pub(crate) remote_path: String,
    /// `ProviderType`, a `WNNC_NET_…` of wnnc.h; 0 where it is not told.
    pub(crate) provider: u32,
}

/// Drive letters as `GetLogicalDrives` tells them: `A` is the lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters(pub(crate) u32);

impl Letters {
    /// Every letter.
    pub(crate) const ALL: std::ops::RangeInclusive<char> = 'A'..='Z';

    /// Whether this upper case letter is among them.
    pub(crate) fn contain(self, letter: char) -> bool {
        Self::ALL.zip(0..).any(|(known, bit)| known == letter && self.0 & (1 << bit) != 0)
    }
}

/// The remembered drives that are not there: those without a letter among `letters`, of which a share that is connected
/// anyway, or is remembered twice, is left out.
pub(crate) fn missing(entries: &[Entry], letters: Letters, connected: &[MountFacts]) -> Vec<MountFacts> {
    let mut missing: Vec<MountFacts> = Vec::new();
    let mut entries: Vec<_> = entries.iter().filter_map(|entry| Some((letter(entry)?, entry))).collect();
    entries.sort_by_key(|(letter, _)| *letter);
    for (letter, entry) in entries {
        let Some(facts) = facts(letter, entry) else { continue };
        let known = |mount: &MountFacts| mount.source.eq_ignore_ascii_case(&facts.source);
        if !letters.contain(letter) && !connected.iter().chain(&missing).any(known) {
            missing.push(facts);
        }
    }
    missing
}

/// Entries for printers' ports, and whatever else is no drive letter, are none that could be measured.
fn letter(entry: &Entry) -> Option<char> {
    let mut letters = entry.name.chars();
    match (letters.next(), letters.as_str()) {
        (Some(letter), "" | ":") if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
        _ => None,
    }
}

fn facts(letter: char, entry: &Entry) -> Option<MountFacts> {
    let source = entry.remote_path.trim().trim_end_matches('\\');
    let (server, source) = match place(source) {
        Place::Share(share) => (share.server, share.source),
        // A server alone is no drive.
        _ if source.starts_with(r"\\") => return None,
        // Some providers name a server's folder in their own way: `nas:/export`, `https://nas/dav`.
        _ => (super::server_in(source)?, source.to_owned()),
    };
    Some(MountFacts {
        kind: MountKind::Network,
        file_system: file_system(entry.provider).unwrap_or("unknown").to_owned(),
        source,
        mount_point: format!(r"{letter}:\"),
        server: Some(server),
        options: Vec::new(),
    })
}

/// What is known of a drive that this console, elevated, does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HiddenDrive {
    /// The same folder by its share's name, `\\nas\Public\a\b`; `None` where nothing remembers the drive.
    pub(crate) instead: Option<String>,
}

/// Whether `path` is not found because this console is `elevated` and its drive letter belongs to the user's desktop:
/// there is no drive of that letter among `letters`. `remembered` tells the share that a letter is remembered with.
pub(crate) fn hidden_drive(
    path: &str,
    elevated: bool,
    letters: Letters,
    remembered: impl FnOnce(char) -> Option<String>,
) -> Option<HiddenDrive> {
    let Place::Drive(letter) = place(path) else { return None };
    if !elevated || letters.contain(letter) {
        return None;
    }
    let share = remembered(letter).filter(|share| matches!(place(share), Place::Share(_)));
    let instead = share.map(|share| {
        let share = share.trim_end_matches('\\').to_owned();
        match below_drive(path) {
            Some(rest) if !rest.is_empty() => format!(r"{share}\{rest}"),
            _ => share,
        }
    });
    Some(HiddenDrive { instead })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, remote_path: &str, provider: u32) -> Entry {
        Entry { name: name.to_owned(), remote_path: remote_path.to_owned(), provider }
    }

    fn letters(text: &str) -> Letters {
        Letters(text.bytes().map(|letter| 1 << (letter - b'A')).sum())
    }

    #[test]
    fn letters_are_those_of_the_system() {
        assert!(letters("AWZ").contain('W') && letters("AWZ").contain('A') && letters("AWZ").contain('Z'));
        assert!(!letters("AWZ").contain('B') && !Letters(u32::MAX).contain('é') && !Letters(0).contain('A'));
    }

    #[test]
    fn a_remembered_drive_is_told_with_its_letter_and_its_share() {
        let entries = [
            entry("W", r"\\nas\写真 2026", 0x0002_0000),
            entry("m", r"\\nas@SSL@5006\DavWWWRoot\", 0x002E_0000),
            entry("N", r"\\nas\export", 0x0042_0000),
            entry("X", r"\\vmware-host\Shared Folders", 0x0041_0000),
            entry("V", "https://nas:5006/dav", 0),
        ];
        let told: Vec<_> = missing(&entries, letters("C"), &[])
            .into_iter()
            .map(|mount| (mount.mount_point, mount.file_system, mount.source, mount.server.unwrap()))
            .collect();
        let expected = [
            (r"M:\", "WebDAV", r"\\nas@SSL@5006\DavWWWRoot", "nas"),
            (r"N:\", "NFS", r"\\nas\export", "nas"),
            (r"V:\", "unknown", "https://nas:5006/dav", "nas"),
            (r"W:\", "SMB", r"\\nas\写真 2026", "nas"),
            (r"X:\", "unknown", r"\\vmware-host\Shared Folders", "vmware-host"),
        ]
        .map(|(point, system, source, server)| (point.into(), system.into(), source.into(), server.into()));
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_connected_is_not_told_again() {
        let entries = [
            entry("W", r"\\nas\Public", 0),
            entry("X", r"\\NAS\public", 0),
            entry("Y", r"\\nas\Music", 0),
            entry("Z", r"\\nas\Video", 0),
        ];
        let points = |connected: &[MountFacts], visible| {
            missing(&entries, letters(visible), connected)
                .into_iter()
                .map(|mount| mount.mount_point)
                .collect::<Vec<_>>()
        };
        assert_eq!(points(&[], ""), [r"W:\", r"Y:\", r"Z:\"]);
        // The letter is there, whatever it is connected to by now.
        assert_eq!(points(&[], "WZ"), [r"X:\", r"Y:\"]);
        // The share is there by another letter.
        let connected = facts('Q', &entry("Q", r"\\nas\PUBLIC", 0)).unwrap();
        assert_eq!(points(&[connected], "QZ"), [r"Y:\"]);
    }

    #[test]
    fn what_is_no_drive_is_left_out() {
        for (name, remote_path) in [
            ("LPT1", r"\\nas\printer"),
            ("", r"\\nas\Public"),
            ("é", r"\\nas\Public"),
            ("W", ""),
            ("W", "  "),
            ("W", r"\\nas"),
            ("W", "nowhere"),
        ] {
            assert_eq!(missing(&[entry(name, remote_path, 0)], letters(""), &[]), [], "{name} {remote_path}");
        }
    }

    #[test]
    fn a_drive_of_the_desktop_is_hidden_from_an_elevated_console() {
        let nas = |letter| (letter == 'W').then(|| r"\\nas\Public".to_owned());
        let instead = |path| hidden_drive(path, true, letters("CD"), nas).map(|hidden| hidden.instead);
        for (path, share) in [
            (r"W:\", r"\\nas\Public"),
            ("w:", r"\\nas\Public"),
            (r"W:\a\b", r"\\nas\Public\a\b"),
            (r"W:a\b\", r"\\nas\Public\a\b"),
            ("W:/a/b", r"\\nas\Public\a\b"),
            (r"\\?\W:\写真 2026", r"\\nas\Public\写真 2026"),
        ] {
            assert_eq!(instead(path), Some(Some(share.to_owned())), "{path}");
        }
        // Nothing remembers it.
        assert_eq!(instead(r"X:\a"), Some(None));
        // The drive is there, or the path has none.
        for path in [r"C:\nowhere", r"d:\x", r"\\nas\Public", r"nowhere", r"\W:\"] {
            assert_eq!(instead(path), None, "{path}");
        }
        // An ordinary console sees what its user mapped: the drive is not there.
        assert_eq!(hidden_drive(r"W:\", false, letters("CD"), nas), None);
    }

    #[test]
    fn what_is_remembered_but_no_share_is_not_offered() {
        for remembered in ["", "https://nas/dav", r"\\nas"] {
            let hidden = hidden_drive(r"W:\a", true, Letters(0), |_| Some(remembered.to_owned()));
            assert_eq!(hidden, Some(HiddenDrive { instead: None }), "{remembered}");
        }
    }
}
