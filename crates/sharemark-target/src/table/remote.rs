//! What Windows tells of an open file or folder about the network behind it.

use std::fs::File;
use std::mem::size_of;
use std::os::windows::io::AsRawHandle;

use windows_sys::Wdk::Storage::FileSystem::{FileFsDeviceInformation, NtQueryVolumeInformationFile};
use windows_sys::Wdk::System::SystemServices::{FILE_FS_DEVICE_INFORMATION, FILE_REMOTE_DEVICE};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_REMOTE_PROTOCOL_INFO, FileRemoteProtocolInfo, GetFileInformationByHandleEx,
};
use windows_sys::Win32::Storage::InstallableFileSystems::{WNNC_NET_DAV, WNNC_NET_MS_NFS, WNNC_NET_SMB};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;

/// Whether a file or folder is on a network file system. It is asked of the open handle, as `GetDriveTypeW` asks it of
/// a drive, so that links, `subst` and volumes mounted in folders cannot mislead.
#[expect(unsafe_code, reason = "no library wraps this call")]
pub(crate) fn is_remote(file: &File) -> bool {
    let mut status = IO_STATUS_BLOCK::default();
    let mut device = FILE_FS_DEVICE_INFORMATION::default();
    // SAFETY: the handle is open for as long as `file` is borrowed, and the system writes at most the given length into
    // `device`, whose layout is the one that the class names.
    let answered = unsafe {
        NtQueryVolumeInformationFile(
            file.as_raw_handle(),
            &raw mut status,
            (&raw mut device).cast(),
            length_of::<FILE_FS_DEVICE_INFORMATION>(),
            FileFsDeviceInformation,
        )
    };
    answered >= 0 && device.Characteristics & FILE_REMOTE_DEVICE != 0
}

/// What carries a file over the network.
pub(crate) struct Protocol {
    /// The file system as other systems' tables would name it, where the protocol is a known one.
    pub(crate) file_system: Option<&'static str>,
    /// The version and protection, in the words of Linux's mount options: `vers=3.1.1`, `sign`, `seal`.
    pub(crate) options: Vec<String>,
    /// Offline Files answer out of a copy on this machine.
    pub(crate) offline: bool,
}

/// The protocol behind a file or folder; `None` on a disk, and where the file system does not tell.
#[expect(unsafe_code, reason = "no library wraps this call")]
pub(crate) fn protocol(file: &File) -> Option<Protocol> {
    let mut told = FILE_REMOTE_PROTOCOL_INFO::default();
    // SAFETY: the handle is open for as long as `file` is borrowed, and the system writes at most the given length into
    // `told`, whose layout is the one that the class names.
    let answered = unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileRemoteProtocolInfo,
            (&raw mut told).cast(),
            length_of::<FILE_REMOTE_PROTOCOL_INFO>(),
        )
    };
    (answered != 0).then(|| Protocol::from_told(&told))
}

impl Protocol {
    fn from_told(told: &FILE_REMOTE_PROTOCOL_INFO) -> Self {
        /// `REMOTE_PROTOCOL_INFO_FLAG_…` of winbase.h.
        const LOOPBACK: u32 = 0x1;
        const OFFLINE: u32 = 0x2;
        const PRIVACY: u32 = 0x8;
        const INTEGRITY: u32 = 0x10;
        let mut options = Vec::new();
        if told.ProtocolMajorVersion > 0 {
            let (major, minor) = (told.ProtocolMajorVersion, told.ProtocolMinorVersion);
            options.push(match told.ProtocolRevision {
                0 => format!("vers={major}.{minor}"),
                revision => format!("vers={major}.{minor}.{revision}"),
            });
        }
        for (flag, word) in
            [(INTEGRITY, "sign"), (PRIVACY, "seal"), (LOOPBACK, "loopback"), (OFFLINE, "offline")]
        {
            if told.Flags & flag != 0 {
                options.push(word.to_owned());
            }
        }
        Self {
            file_system: match told.Protocol {
                WNNC_NET_SMB => Some("SMB"),
                WNNC_NET_MS_NFS => Some("NFS"),
                WNNC_NET_DAV => Some("WebDAV"),
                _ => None,
            },
            options,
            offline: told.Flags & OFFLINE != 0,
        }
    }
}

/// The length of a structure as these calls want it.
pub(crate) fn length_of<T>() -> u32 {
    u32::try_from(size_of::<T>()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_and_its_protection_are_read() {
        let told = FILE_REMOTE_PROTOCOL_INFO {
            Protocol: WNNC_NET_SMB,
            ProtocolMajorVersion: 3,
            ProtocolMinorVersion: 1,
            ProtocolRevision: 1,
            Flags: 0x14,
            ..Default::default()
        };
        let protocol = Protocol::from_told(&told);
        assert_eq!(protocol.file_system, Some("SMB"));
        assert_eq!(protocol.options, ["vers=3.1.1", "sign"]);
        assert!(!protocol.offline);
    }
}
