//! How a session's messages are protected: signed, encrypted, or neither.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use smb2::crypto::encryption::{Cipher, decrypt_message, encrypt_message};

use crate::ServerAnswer;

use super::frame::TRANSFORM;
use super::signing::Signer;
use super::status::{malformed, unreadable};

/// The keys of one session. A guest's session has none.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) signer: Option<Signer>,
    pub(super) sealer: Option<Sealer>,
    /// Every message is signed; otherwise only those that the protocol wants signed in any case.
    pub(super) sign_all: bool,
    /// Every message is encrypted, which makes a signature needless.
    seal_all: AtomicBool,
}

impl Keys {
    /// The keys of a user's session.
    pub(super) fn new(signer: Signer, sealer: Option<Sealer>, sign_all: bool) -> Self {
        Self { signer: Some(signer), sealer, sign_all, seal_all: AtomicBool::new(false) }
    }

    pub(super) fn seals(&self) -> bool {
        self.seal_all.load(Ordering::Acquire)
    }

    /// Encrypts from now on; answers whether it can.
    pub(super) fn seal_from_now_on(&self) -> bool {
        self.seal_all.store(self.sealer.is_some(), Ordering::Release);
        self.sealer.is_some()
    }
}

/// Encrypts the messages of one session.
pub(super) struct Sealer {
    pub(super) cipher: Cipher,
    pub(super) encryption_key: Vec<u8>,
    pub(super) decryption_key: Vec<u8>,
    pub(super) session: u64,
    /// No number is used twice under one key.
    pub(super) nonce: AtomicU64,
}

impl Sealer {
    /// The message with what stands before it, encrypted.
    pub(super) fn seal(&self, message: &[u8]) -> Result<Vec<u8>, ServerAnswer> {
        let mut nonce = [0u8; 16];
        nonce[..8].copy_from_slice(&self.nonce.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        let sealed = encrypt_message(message, &self.encryption_key, self.cipher, &nonce, self.session);
        let (mut whole, ciphertext) = sealed.map_err(|error| unreadable(&error))?;
        whole.extend_from_slice(&ciphertext);
        Ok(whole)
    }

    /// The message that was encrypted by the server.
    pub(super) fn open(&self, whole: &[u8]) -> Result<Vec<u8>, ServerAnswer> {
        let Some((header, ciphertext)) = whole.split_at_checked(TRANSFORM) else {
            return Err(malformed("an encrypted message is cut off"));
        };
        decrypt_message(header, ciphertext, &self.decryption_key, self.cipher)
            .map_err(|error| unreadable(&error))
    }
}
