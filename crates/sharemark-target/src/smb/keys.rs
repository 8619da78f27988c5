//! How a session's messages are protected: signed, encrypted, or neither.

use std::sync::atomic::{AtomicBool, Ordering};

use super::seal::Sealer;
use super::signing::Signer;

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
