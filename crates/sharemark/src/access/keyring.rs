//! The system's keyring: what a user lets it keep is found there, and never in a file of sharemark's.

#[cfg(any(windows, target_os = "macos"))]
mod native;
#[cfg(not(any(windows, target_os = "macos")))]
mod secret_tool;

#[cfg(any(windows, target_os = "macos"))]
use native as system;
#[cfg(not(any(windows, target_os = "macos")))]
use secret_tool as system;
use sharemark_model::Secret;

/// Why a password cannot be kept.
#[derive(Debug)]
pub(crate) enum KeyringError {
    /// Nobody here keeps passwords: no session with a keyring, or not the program that speaks to it.
    Missing,
    /// The system's own words.
    System(String),
}

/// The password that is kept under this name, if there is one and the keyring can be asked.
pub(super) fn find(name: &str) -> Option<Secret> {
    system::find(name)
}

/// Keeps a password under this name, in place of an earlier one.
///
/// # Errors
/// When there is no keyring, or it refuses.
pub(crate) fn store(name: &str, label: &str, secret: &Secret) -> Result<(), KeyringError> {
    system::store(name, label, secret)
}

/// Forgets the password of this name; whether there was one is not told by every system.
///
/// # Errors
/// When there is no keyring, or it refuses.
pub(crate) fn remove(name: &str) -> Result<(), KeyringError> {
    system::remove(name)
}
