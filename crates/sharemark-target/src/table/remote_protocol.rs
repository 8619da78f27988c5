//! What `FILE_REMOTE_PROTOCOL_INFO` says, told from its bytes alone: nothing here asks the system, and all of it is tested
//! on every system.
//!
//! It tells of SMB what an ordinary user may know: the dialect, signing, encryption, and what server and share say they
//! can do. It does not tell how many connections SMB Multichannel has made, over which interfaces, nor what compression
//! was agreed on: `Get-SmbMultichannelConnection` and `Get-SmbConnection` do, by way of WMI and elevated, so that
//! sharemark, which is never to be elevated, leaves them alone.

/// How many 32-bit words the structure has: 20 bytes of header, 8 reserved words, 16 words of the protocol's own.
pub(crate) const WORDS: usize = 29;

/// The layout, in bytes from the start; names as in winbase.h.
mod at {
    pub(super) const STRUCTURE_VERSION: usize = 0;
    pub(super) const PROTOCOL: usize = 4;
    pub(super) const MAJOR_VERSION: usize = 8;
    pub(super) const MINOR_VERSION: usize = 10;
    pub(super) const REVISION: usize = 12;
    pub(super) const FLAGS: usize = 16;
    pub(super) const SERVER_CAPABILITIES: usize = 52;
    pub(super) const SHARE_CAPABILITIES: usize = 56;
    pub(super) const SHARE_FLAGS: usize = 60;
}

/// `WNNC_NET_SMB` and `WNNC_NET_LANMAN` of wnnc.h.
const SMB: u32 = 0x0002_0000;

/// `REMOTE_PROTOCOL_FLAG_OFFLINE`.
const OFFLINE: u32 = 0x2;

/// `REMOTE_PROTOCOL_FLAG_…` of ntifs.h, and what they are called here; signing and encryption in the words of Linux's
/// mount options.
const FLAGS: [(u32, &str); 6] = [
    (0x10, "sign"),
    (0x8, "seal"),
    (0x20, "mutual-authentication"),
    (0x1, "loopback"),
    (OFFLINE, "offline"),
    (0x4, "persistent-handle"),
];

/// `RPI_SMB2_SERVERCAP_…`: what the server can do, which is not yet what is done.
const SERVER_CAPABILITIES: [(u32, &str); 1] = [(0x8, "server-multichannel")];

/// `RPI_SMB2_SHARECAP_…`.
const SHARE_CAPABILITIES: [(u32, &str); 2] =
    [(0x10, "share-continuously-available"), (SHARE_ENCRYPTED, "share-encrypted")];

/// `RPI_SMB2_SHARECAP_ENCRYPTED`.
const SHARE_ENCRYPTED: u32 = 0x80;

/// `RPI_SMB2_SHAREFLAG_COMPRESS_DATA`: the share wants its data compressed on the wire. Whether a file's is, the client
/// decides from its content.
const SHARE_FLAGS: [(u32, &str); 1] = [(0x2, "share-compressed")];

/// The first build of Windows whose SMB compresses, that of Server 2022. Older ones keep the caching that the share
/// suggests for Offline Files where these have the share's flags, so that it must not be read there.
const FIRST_WITH_SHARE_FLAGS: u32 = 20_348;

/// What carries a file over the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// The file system as other systems' tables would name it, where the protocol is a known one.
    pub(crate) file_system: Option<&'static str>,
    /// The version, `vers=3.1.1`, and what holds of the connection, the server and the share.
    pub(crate) options: Vec<String>,
    /// Offline Files answer out of a copy on this machine.
    pub(crate) offline: bool,
}

/// The file system that a network provider of this type (`WNNC_NET_…` of wnnc.h) serves, as other systems' tables would
/// name it.
pub(crate) fn file_system(protocol: u32) -> Option<&'static str> {
    match protocol {
        SMB => Some("SMB"),
        0x002E_0000 => Some("WebDAV"),
        0x0036_0000 => Some("RDP"),
        0x0042_0000 => Some("NFS"),
        0x0048_0000 => Some("9P"),
        _ => None,
    }
}

impl Protocol {
    /// What the structure says that a Windows of this `build` filled in.
    pub(crate) fn from_words(told: &[u32; WORDS], build: u32) -> Self {
        let bytes: Vec<u8> = told.iter().flat_map(|word| word.to_le_bytes()).collect();
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let word = |at: usize| told[at / size_of::<u32>()];

        let mut options = Vec::new();
        let (major, minor) = (short(at::MAJOR_VERSION), short(at::MINOR_VERSION));
        if major > 0 {
            options.push(match short(at::REVISION) {
                0 => format!("vers={major}.{minor}"),
                revision => format!("vers={major}.{minor}.{revision}"),
            });
        }
        let mut tell = |told: u32, names: &[(u32, &str)]| {
            let set = names.iter().filter(|(flag, _)| told & flag != 0);
            options.extend(set.map(|(_, name)| (*name).to_owned()));
        };
        tell(word(at::FLAGS), &FLAGS);
        // Windows 7 has nothing where later ones tell of SMB 2.
        if word(at::PROTOCOL) == SMB && major >= 2 && short(at::STRUCTURE_VERSION) >= 2 {
            tell(word(at::SERVER_CAPABILITIES), &SERVER_CAPABILITIES);
            tell(word(at::SHARE_CAPABILITIES), &SHARE_CAPABILITIES);
            if build >= FIRST_WITH_SHARE_FLAGS {
                tell(word(at::SHARE_FLAGS), &SHARE_FLAGS);
            }
        }
        Self {
            file_system: file_system(word(at::PROTOCOL)),
            options,
            offline: word(at::FLAGS) & OFFLINE != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOWS_11: u32 = 22_631;

    /// Puts bytes where the structure has them.
    fn words(parts: &[(usize, &[u8])]) -> [u32; WORDS] {
        let mut bytes = [0u8; WORDS * 4];
        for (at, part) in parts {
            bytes[*at..at + part.len()].copy_from_slice(part);
        }
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().unwrap());
        }
        words
    }

    /// `StructureVersion`, `StructureSize`, `Protocol`, version, `Flags`.
    const HEADER: (usize, &[u8]) = (0, b"\x04\0\x74\0\0\0\x02\0\x03\0\x01\0\x01\0\0\0\x10\0\0\0");

    #[test]
    fn the_dialect_and_its_protection_are_read() {
        let protocol = Protocol::from_words(&words(&[HEADER]), WINDOWS_11);
        assert_eq!(protocol.file_system, Some("SMB"));
        assert_eq!(protocol.options, ["vers=3.1.1", "sign"]);
        assert!(!protocol.offline);
        let flags = (at::FLAGS, &b"\x0b\0\0\0"[..]);
        let protocol = Protocol::from_words(&words(&[HEADER, flags]), WINDOWS_11);
        assert_eq!(protocol.options, ["vers=3.1.1", "seal", "loopback", "offline"]);
        assert!(protocol.offline);
    }

    #[test]
    fn what_server_and_share_can_do_is_read() {
        let specific = |bytes: &'static [u8]| words(&[HEADER, (at::SERVER_CAPABILITIES, bytes)]);
        let options = |bytes, build| Protocol::from_words(&specific(bytes), build).options;
        // The server: DFS, leasing, large MTU, multichannel, directory leasing.
        assert_eq!(options(b"\x2f\0\0\0", WINDOWS_11), ["vers=3.1.1", "sign", "server-multichannel"]);
        // The same without multichannel; the share: previous versions, DFS, continuous availability, encrypted.
        assert_eq!(
            options(b"\x27\0\0\0\x9a\0\0\0", WINDOWS_11),
            ["vers=3.1.1", "sign", "share-continuously-available", "share-encrypted"]
        );
        // The share's flags: encrypt, compress.
        let flags = b"\0\0\0\0\0\0\0\0\x03\0\0\0";
        assert_eq!(options(flags, WINDOWS_11), ["vers=3.1.1", "sign", "share-compressed"]);
        // The same place in an older Windows: how the share suggests to cache.
        assert_eq!(options(flags, 19_045), ["vers=3.1.1", "sign"]);
    }

    #[test]
    fn nothing_is_read_where_nothing_is_told() {
        let all: &[u8] = b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
        let seven = (0, &b"\x01\0\x74\0\0\0\x02\0\x02\0\x01\0\0\0\0\0\0\0\0\0"[..]);
        let specific = (at::SERVER_CAPABILITIES, all);
        assert_eq!(Protocol::from_words(&words(&[seven, specific]), 7601).options, ["vers=2.1"]);
        let webdav = (0, &b"\x02\0\x74\0\0\0\x2e\0"[..]);
        let protocol = Protocol::from_words(&words(&[webdav, specific]), WINDOWS_11);
        assert_eq!((protocol.file_system, protocol.options.len()), (Some("WebDAV"), 0));
        assert_eq!(Protocol::from_words(&[0; WORDS], WINDOWS_11), Protocol::default());
    }

    #[test]
    fn the_offsets_are_those_of_the_structure() {
        assert_eq!(at::SERVER_CAPABILITIES, 20 + 8 * 4);
        assert_eq!(WORDS * 4, at::SERVER_CAPABILITIES + 16 * 4);
    }

    #[cfg(windows)]
    #[test]
    fn the_layout_and_the_numbers_are_those_of_windows() {
        use std::mem::{offset_of, size_of};

        use windows_sys::Wdk::Storage::FileSystem as ntifs;
        use windows_sys::Win32::Storage::FileSystem::FILE_REMOTE_PROTOCOL_INFO;
        use windows_sys::Win32::Storage::InstallableFileSystems as wnnc;
        use windows_sys::Win32::System::WindowsProgramming as winbase;

        assert_eq!(size_of::<FILE_REMOTE_PROTOCOL_INFO>(), WORDS * 4);
        assert_eq!(offset_of!(FILE_REMOTE_PROTOCOL_INFO, Protocol), at::PROTOCOL);
        assert_eq!(offset_of!(FILE_REMOTE_PROTOCOL_INFO, ProtocolMajorVersion), at::MAJOR_VERSION);
        assert_eq!(offset_of!(FILE_REMOTE_PROTOCOL_INFO, ProtocolRevision), at::REVISION);
        assert_eq!(offset_of!(FILE_REMOTE_PROTOCOL_INFO, Flags), at::FLAGS);
        assert_eq!(offset_of!(FILE_REMOTE_PROTOCOL_INFO, ProtocolSpecific), at::SERVER_CAPABILITIES);
        assert_eq!(
            FLAGS.map(|(flag, _)| flag),
            [
                ntifs::REMOTE_PROTOCOL_FLAG_INTEGRITY,
                ntifs::REMOTE_PROTOCOL_FLAG_PRIVACY,
                ntifs::REMOTE_PROTOCOL_FLAG_MUTUAL_AUTH,
                ntifs::REMOTE_PROTOCOL_FLAG_LOOPBACK,
                ntifs::REMOTE_PROTOCOL_FLAG_OFFLINE,
                ntifs::REMOTE_PROTOCOL_FLAG_PERSISTENT_HANDLE,
            ]
        );
        assert_eq!(SERVER_CAPABILITIES[0].0, ntifs::RPI_SMB2_SERVERCAP_MULTICHANNEL);
        assert_eq!(SHARE_CAPABILITIES[0].0, ntifs::RPI_SMB2_SHARECAP_CONTINUOUS_AVAILABILITY);
        assert_eq!(SHARE_ENCRYPTED, ntifs::RPI_SMB2_SHARECAP_ENCRYPTED);
        assert_eq!(SHARE_FLAGS[0].0, winbase::RPI_SMB2_SHAREFLAG_COMPRESS_DATA);
        for (number, name) in
            [(wnnc::WNNC_NET_SMB, "SMB"), (wnnc::WNNC_NET_DAV, "WebDAV"), (wnnc::WNNC_NET_MS_NFS, "NFS")]
        {
            assert_eq!(file_system(number), Some(name));
        }
    }
}
