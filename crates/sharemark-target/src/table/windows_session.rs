//! What this process's logon session has of drives, and what the user's registry remembers beside that. None of it
//! touches a server.

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;

use sharemark_model::MountFacts;
use windows_sys::Win32::Foundation::NO_ERROR;
use windows_sys::Win32::Security::{
    GetTokenInformation, TOKEN_ELEVATION, TOKEN_ELEVATION_TYPE, TOKEN_INFORMATION_CLASS, TOKEN_QUERY,
    TokenElevation, TokenElevationType, TokenElevationTypeFull,
};
use windows_sys::Win32::Storage::FileSystem::GetLogicalDrives;
use windows_sys::Win32::System::Registry::{
    HKEY, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, REG_ROUTINE_FLAGS, RRF_RT_REG_DWORD, RRF_RT_REG_SZ,
    RegGetValueW,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use super::remote::length_of;
use super::session::{Entry, HiddenDrive, Letters, hidden_drive, missing};
use super::windows::{LONGEST, text, wide};

/// The drive letters of this session.
pub(super) fn letters() -> Letters {
    // SAFETY: the call takes nothing and tells a number.
    #[expect(unsafe_code, reason = "no safe call tells the drive letters")]
    let letters = unsafe { GetLogicalDrives() };
    Letters(letters)
}

/// The drives that are remembered and that this session does not have, given those it has.
pub(super) fn remembered(connected: &[MountFacts]) -> Vec<MountFacts> {
    let entries: Vec<Entry> = Letters::ALL.filter_map(entry).collect();
    missing(&entries, letters(), connected)
}

/// What is known of the drive at the start of `path` when this console does not see it because it is elevated.
pub(crate) fn hidden(path: &Path) -> Option<HiddenDrive> {
    hidden_drive(path.to_str()?, sees_no_drives(), letters(), |letter| entry(letter).map(|e| e.remote_path))
}

/// Whether this process runs as administrator, whichever way it came to that.
pub(crate) fn is_administrator() -> bool {
    token_information::<TOKEN_ELEVATION>().is_some_and(|told| told.TokenIsElevated != 0)
}

/// Whether this process has, by elevation, another logon session than its user's desktop, and so none of the drives
/// mapped there. An administrator without User Account Control is elevated as well, but has one session and sees them;
/// and where the registry links the connections of both sessions, each has the drives of the other.
pub(super) fn sees_no_drives() -> bool {
    const POLICIES: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System";
    let mut linked = [0u32];
    value(HKEY_LOCAL_MACHINE, POLICIES, "EnableLinkedConnections", RRF_RT_REG_DWORD, &mut linked);
    token_information::<TOKEN_ELEVATION_TYPE>() == Some(TokenElevationTypeFull) && linked == [0]
}

/// What `HKCU\Network` remembers of a letter.
fn entry(letter: char) -> Option<Entry> {
    let key = format!(r"Network\{letter}");
    let mut characters = vec![0u16; LONGEST];
    // A text that holds variables counts as one too, and comes with them replaced.
    value(HKEY_CURRENT_USER, &key, "RemotePath", RRF_RT_REG_SZ, &mut characters)?;
    let mut provider = [0u32];
    let told = value(HKEY_CURRENT_USER, &key, "ProviderType", RRF_RT_REG_DWORD, &mut provider);
    Some(Entry {
        name: letter.to_string(),
        remote_path: text(&characters),
        provider: told.map_or(0, |()| provider[0]),
    })
}

/// Numbers of which every pattern of bits is one.
trait Plain: Copy {}
impl Plain for u16 {}
impl Plain for u32 {}

/// Reads a value of the registry into `into`; `None` when there is none of these kinds, or there is no room for it.
fn value<T: Plain>(
    hive: HKEY,
    key: &str,
    name: &str,
    kinds: REG_ROUTINE_FLAGS,
    into: &mut [T],
) -> Option<()> {
    let (key, name) = (wide(key), wide(name));
    let mut length = u32::try_from(size_of_val(into)).ok()?;
    // SAFETY: the hive is one of those that are always open, both names end with a zero, the system writes at most
    // `length` bytes into `into`, whose elements are plain numbers, and all outlive the call; the kind that was found may
    // be left out.
    #[expect(unsafe_code, reason = "no library wraps this call")]
    let answer = unsafe {
        RegGetValueW(
            hive,
            key.as_ptr(),
            name.as_ptr(),
            kinds,
            ptr::null_mut(),
            into.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    (answer == NO_ERROR).then_some(())
}

/// What a token can be asked for.
trait Told: Default {
    /// The class whose structure this is, made of plain numbers.
    const CLASS: TOKEN_INFORMATION_CLASS;
}
impl Told for TOKEN_ELEVATION {
    const CLASS: TOKEN_INFORMATION_CLASS = TokenElevation;
}
impl Told for TOKEN_ELEVATION_TYPE {
    const CLASS: TOKEN_INFORMATION_CLASS = TokenElevationType;
}

/// What the token of this process says.
#[expect(unsafe_code, reason = "no safe call tells what a process's token says")]
fn token_information<T: Told>() -> Option<T> {
    let mut token = ptr::null_mut();
    // SAFETY: the process handle is a constant that needs no closing, and `token` outlives the call.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
        return None;
    }
    // SAFETY: the call above succeeded, so this is an open handle, and nobody else closes it.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    let mut told = T::default();
    let mut length = 0;
    // SAFETY: `token` is open, and the system writes at most the given length into `told`, whose layout is the one that
    // the class names.
    let answered = unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            T::CLASS,
            (&raw mut told).cast(),
            length_of::<T>(),
            &raw mut length,
        )
    };
    (answered != 0).then_some(told)
}
