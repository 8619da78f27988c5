//! Windows' Credential Manager and the macOS keychain.

use keyring_core::{Entry, Error};
use sharemark_model::Secret;

use super::KeyringError;

const SERVICE: &str = "sharemark";

pub(super) fn find(name: &str) -> Option<Secret> {
    entry(name).and_then(|entry| entry.get_password()).ok().map(Secret::new)
}

pub(super) fn store(name: &str, _label: &str, secret: &Secret) -> Result<(), KeyringError> {
    entry(name).and_then(|entry| entry.set_password(secret.expose())).map_err(|error| wrong(&error))
}

pub(super) fn remove(name: &str) -> Result<(), KeyringError> {
    match entry(name).and_then(|entry| entry.delete_credential()) {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(wrong(&error)),
    }
}

fn entry(name: &str) -> Result<Entry, Error> {
    #[cfg(windows)]
    let store = windows_native_keyring_store::Store::new()?;
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new()?;
    let store: std::sync::Arc<keyring_core::CredentialStore> = store;
    Entry::new_in_store(&store, SERVICE, name)
}

fn wrong(error: &Error) -> KeyringError {
    match error {
        Error::NoDefaultStore => KeyringError::Missing,
        // What such an error holds beside its words may be a secret that could not be read.
        Error::BadEncoding(_) => KeyringError::System(String::from("no UTF-8")),
        error => KeyringError::System(error.to_string()),
    }
}
