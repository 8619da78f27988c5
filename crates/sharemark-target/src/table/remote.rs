//! What Windows tells of an open file or folder about the network behind it.

use std::fs::File;
use std::mem::size_of;
use std::os::windows::io::AsRawHandle;

use windows_sys::Wdk::Storage::FileSystem::{
    FileFsDeviceInformation, FileFsSizeInformation, NtQueryVolumeInformationFile,
};
use windows_sys::Wdk::System::SystemServices::{
    FILE_FS_DEVICE_INFORMATION, FILE_FS_SIZE_INFORMATION, FILE_REMOTE_DEVICE, RtlGetVersion,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_STORAGE_INFO, FileRemoteProtocolInfo, FileStorageInfo, GetFileInformationByHandleEx,
};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;

use super::remote_protocol::{Protocol, WORDS};

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

/// What the volume of an open file tells of its sectors, in bytes, the best answer first: the logical sector, then what
/// `GetDiskFreeSpaceW` tells of a root folder. Network redirectors may answer neither.
#[expect(unsafe_code, reason = "no library wraps these calls")]
pub(crate) fn sectors(file: &File) -> [Option<u32>; 2] {
    let mut storage = FILE_STORAGE_INFO::default();
    // SAFETY: the handle is open for as long as `file` is borrowed, and the system writes at most the given length into
    // `storage`, whose layout is the one that the class names.
    let told = unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileStorageInfo,
            (&raw mut storage).cast(),
            length_of::<FILE_STORAGE_INFO>(),
        )
    };
    let mut status = IO_STATUS_BLOCK::default();
    let mut size = FILE_FS_SIZE_INFORMATION::default();
    // SAFETY: as above, for `status` and `size`.
    let answered = unsafe {
        NtQueryVolumeInformationFile(
            file.as_raw_handle(),
            &raw mut status,
            (&raw mut size).cast(),
            length_of::<FILE_FS_SIZE_INFORMATION>(),
            FileFsSizeInformation,
        )
    };
    [(told != 0).then_some(storage.LogicalBytesPerSector), (answered >= 0).then_some(size.BytesPerSector)]
}

/// The protocol behind a file or folder; `None` on a disk, and where the file system does not tell.
#[expect(unsafe_code, reason = "no library wraps this call")]
pub(crate) fn protocol(file: &File) -> Option<Protocol> {
    // The structure as the words that it consists of.
    let mut told = [0u32; WORDS];
    // SAFETY: the handle is open for as long as `file` is borrowed, and the system writes at most the given length into
    // `told`, which is as long and as aligned as the structure that the class names and made of plain numbers.
    let answered = unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileRemoteProtocolInfo,
            (&raw mut told).cast(),
            length_of::<[u32; WORDS]>(),
        )
    };
    (answered != 0).then(|| Protocol::from_words(&told, build()))
}

/// The build of this Windows, which programs are told truly only here; 0 when it does not tell.
#[expect(unsafe_code, reason = "no safe call tells the system's build")]
fn build() -> u32 {
    let mut version =
        OSVERSIONINFOW { dwOSVersionInfoSize: length_of::<OSVERSIONINFOW>(), ..OSVERSIONINFOW::default() };
    // SAFETY: `version` outlives the call and says its own length.
    let answered = unsafe { RtlGetVersion(&raw mut version) };
    if answered >= 0 { version.dwBuildNumber } else { 0 }
}

/// The length of a structure as these calls want it.
pub(crate) fn length_of<T>() -> u32 {
    u32::try_from(size_of::<T>()).unwrap_or(0)
}
