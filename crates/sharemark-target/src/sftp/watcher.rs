//! What is seen of an SSH connection while it is made and while it stands.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use russh::client::{DisconnectReason, Handler, Session};
use russh::keys::{PublicKey, PublicKeyOrCertificate};
use russh::{Names, cipher};

use super::known_hosts::{KnownHosts, Verdict, fingerprint};

/// What was seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The host's key as it is shown to be compared, and what the lists say of it.
    pub(super) host_key: Option<(String, Verdict)>,
    /// The key exchange's algorithm.
    pub(super) kex: Option<String>,
    /// The host key's algorithm.
    pub(super) host_key_algorithm: Option<String>,
    /// The cipher of both directions.
    pub(super) cipher: Option<String>,
    /// The algorithm that protects each packet from change, where the cipher does not do that itself.
    pub(super) mac: Option<String>,
    /// What the server said when it ended the connection.
    pub(super) farewell: Option<String>,
    /// Why the connection broke on this side.
    pub(super) broken: Option<String>,
}

impl Seen {
    /// Why the connection ended.
    pub(super) fn end(self) -> Option<String> {
        self.farewell.or(self.broken)
    }
}

/// Looks at a connection, and lets nobody through whose key is not known.
#[derive(Debug)]
pub(super) struct Watcher {
    known: Arc<KnownHosts>,
    seen: Arc<Mutex<Seen>>,
}

impl Watcher {
    pub(super) fn new(known: Arc<KnownHosts>) -> (Self, Sight) {
        let seen = Arc::new(Mutex::new(Seen::default()));
        (Self { known, seen: Arc::clone(&seen) }, Sight(seen))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a [`Watcher`] has seen so far.
#[derive(Clone, Debug)]
pub(super) struct Sight(Arc<Mutex<Seen>>);

impl Sight {
    pub(super) fn look(&self) -> Seen {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Handler for Watcher {
    type Error = russh::Error;

    async fn check_server_key(&mut self, shown: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        // Certificates are not asked for.
        let PublicKeyOrCertificate::PublicKey { key, .. } = shown else { return Ok(false) };
        let key = PublicKey::from(key.key_data().clone());
        let verdict = self.known.verdict(&key);
        let known = verdict == Verdict::Known;
        self.seen().host_key = Some((fingerprint(&key), verdict));
        Ok(known)
    }

    async fn kex_done(
        &mut self,
        _secret: Option<&[u8]>,
        names: &Names,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        let whole = [cipher::AES_128_GCM, cipher::AES_256_GCM, cipher::CHACHA20_POLY1305];
        let mut seen = self.seen();
        seen.kex = Some(names.kex.as_ref().to_owned());
        seen.host_key_algorithm = Some(names.key.to_string());
        seen.cipher = Some(names.cipher.as_ref().to_owned());
        seen.mac = (!whole.contains(&names.cipher)).then(|| names.client_mac.as_ref().to_owned());
        Ok(())
    }

    async fn disconnected(&mut self, reason: DisconnectReason<Self::Error>) -> Result<(), Self::Error> {
        match reason {
            DisconnectReason::ReceivedDisconnect(said) => {
                self.seen().farewell = Some(said.message);
                Ok(())
            }
            DisconnectReason::Error(error) => {
                self.seen().broken = Some(error.to_string());
                Err(error)
            }
        }
    }
}
