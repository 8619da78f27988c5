//! What is told of the server and of the connection to it.

use serde_json::Value;
use sharemark_model::Evidence;
use smb2::crypto::encryption::Cipher;
use smb2::crypto::signing::SigningAlgorithm;

use crate::ServerAnswer;

use super::keys::Keys;
use super::lane::Lane;

/// The facts of the first connection, by name.
///
/// # Errors
/// When the connection is dead.
pub(super) fn facts(lane: &Lane, connections: usize) -> Result<Evidence, ServerAnswer> {
    let round_trip = lane.round_trip()?;
    let agreed = &lane.agreed;
    let mut facts = Evidence::new();
    let mut note = |name: &str, value: Value| facts.insert(name.to_owned(), value);
    note("address", lane.peer.to_string().into());
    note("dialect", agreed.dialect_name().into());
    note("signing", signing(lane).into());
    note("encryption", encryption(lane).into());
    note("login", lane.who.name().into());
    note("max_read_bytes", agreed.max_read.into());
    note("max_write_bytes", agreed.max_write.into());
    note("max_transact_bytes", agreed.max_transact.into());
    note("credits", lane.link.credits().into());
    note("connections", connections.into());
    let times = &lane.times;
    for (name, time) in [
        ("connect_ns", times.connect),
        ("negotiate_ns", times.negotiate),
        ("login_ns", times.login),
        ("share_ns", times.share),
        ("round_trip_ns", round_trip),
    ] {
        note(name, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).into());
    }
    Ok(facts)
}

fn signing(lane: &Lane) -> &'static str {
    let signs = lane.link.keys().is_some_and(|keys| keys.sign_all && keys.signer.is_some() && !keys.seals());
    match lane.agreed.signing {
        _ if !signs => "off",
        SigningAlgorithm::AesGmac => "gmac",
        SigningAlgorithm::AesCmac => "cmac",
        SigningAlgorithm::HmacSha256 => "hmac-sha256",
    }
}

fn encryption(lane: &Lane) -> &'static str {
    let sealer = lane.link.keys().filter(|keys| Keys::seals(keys)).and_then(|keys| keys.sealer.as_ref());
    match sealer.map(|sealer| sealer.cipher) {
        None => "off",
        Some(Cipher::Aes128Ccm) => "aes-128-ccm",
        Some(Cipher::Aes128Gcm) => "aes-128-gcm",
        Some(Cipher::Aes256Ccm) => "aes-256-ccm",
        Some(Cipher::Aes256Gcm) => "aes-256-gcm",
    }
}
