//! SESSION_SETUP ([MS-SMB2] 2.2.5) by NTLM: who asks, and the keys that come of it.

use sharemark_model::{FailureCode, Login, Secret, SmbSigning};
use smb2::auth::{NtlmAuthenticator, NtlmCredentials};
use smb2::crypto::encryption::Cipher;
use smb2::crypto::kdf::derive_session_keys;
use smb2::msg::session_setup::{SessionSetupRequest, SessionSetupRequestFlags, SessionSetupResponse};
use smb2::pack::{ReadCursor, Unpack};
use smb2::types::Command;
use smb2::types::flags::{Capabilities, SecurityMode};

use crate::ServerAnswer;

use super::exchange::Exchange;
use super::frame::Answer;
use super::greet::Agreed;
use super::keys::Keys;
use super::link::Link;
use super::seal::Sealer;
use super::signing::{By, Signer};
use super::status::{self, malformed, unreadable};

/// The name that asks for a guest's session.
const GUEST: &str = "guest";

/// Who one is to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    User,
    Guest,
    Anonymous,
}

impl Who {
    /// The name in the report.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Guest => "guest",
            Self::Anonymous => "anonymous",
        }
    }
}

/// Logs in, and protects the connection as server and wish demand.
///
/// # Errors
/// When the server refuses, or demands what a session of this kind cannot do.
pub(super) fn log_in(
    link: &Link,
    agreed: &Agreed,
    login: &Login,
    wish: Option<SmbSigning>,
) -> Result<Who, ServerAnswer> {
    match &login.user {
        Some(user) => {
            let domain = login.domain.as_deref().unwrap_or_default();
            let password = login.password.as_ref().map_or("", Secret::expose);
            set_up(link, agreed, wish, &Asker::named(user, password, domain))
        }
        None => set_up(link, agreed, wish, &Asker::named(GUEST, "", "")).or_else(|refused| {
            if refused.code != FailureCode::LoginRefused {
                return Err(refused);
            }
            set_up(link, agreed, wish, &Asker::Nobody).map_err(|second| match second.code {
                FailureCode::NoPermission | FailureCode::LoginRefused => refused,
                _ => second,
            })
        }),
    }
}

/// Who asks for a session.
enum Asker<'a> {
    Named { user: &'a str, password: &'a str, domain: &'a str },
    Nobody,
}

impl<'a> Asker<'a> {
    const fn named(user: &'a str, password: &'a str, domain: &'a str) -> Self {
        Self::Named { user, password, domain }
    }

    /// Whether a guest's session is what is asked for.
    fn takes_guest(&self) -> bool {
        match self {
            Self::Named { user, .. } => user.eq_ignore_ascii_case(GUEST),
            Self::Nobody => true,
        }
    }
}

fn set_up(
    link: &Link,
    agreed: &Agreed,
    wish: Option<SmbSigning>,
    asker: &Asker<'_>,
) -> Result<Who, ServerAnswer> {
    let (user, password, domain) = match asker {
        Asker::Named { user, password, domain } => (*user, *password, *domain),
        Asker::Nobody => ("", "", ""),
    };
    let mut ntlm = NtlmAuthenticator::new(NtlmCredentials {
        username: user.to_owned(),
        password: password.to_owned(),
        domain: domain.to_owned(),
    });
    let mut hash = agreed.hash.clone();
    link.set_session(0);
    let (challenge, sent) = round(link, wish, ntlm.negotiate())?;
    if challenge.head.status() != status::MORE_PROCESSING_REQUIRED {
        return Err(status::answer(challenge.head.status()));
    }
    hash.update(&sent);
    hash.update(&[challenge.head.bytes(), challenge.body.as_slice()].concat());
    link.set_session(challenge.head.session());
    let token = response(&challenge)?.security_buffer;
    let proof = match asker {
        Asker::Named { .. } => ntlm.authenticate(&token).map_err(|error| unreadable(&error))?,
        Asker::Nobody => anonymous(),
    };
    let (answer, sent) = round(link, wish, proof)?;
    if answer.head.status() != status::SUCCESS {
        return Err(refusal(agreed, answer.head.status()));
    }
    hash.update(&sent);
    let flags = response(&answer)?.session_flags;
    let who = match asker {
        _ if flags.is_null() => Who::Anonymous,
        Asker::Nobody => Who::Anonymous,
        _ if flags.is_guest() => Who::Guest,
        Asker::Named { .. } => Who::User,
    };
    if who != Who::User && !asker.takes_guest() {
        // A server may take a stranger for a guest, whose rights are others.
        return Err(ServerAnswer::new(FailureCode::LoginRefused, "SMB2_SESSION_FLAG_IS_GUEST"));
    }
    let keys = match (who, ntlm.session_key()) {
        (Who::User, Some(key)) => {
            let keys = keys(agreed, key, hash.value(), answer.head.session(), wish)?;
            check(agreed, &keys, &answer)?;
            keys
        }
        _ if wish == Some(SmbSigning::On) => {
            return Err(ServerAnswer::new(FailureCode::Signing, "SMB2_SESSION_FLAG_IS_GUEST"));
        }
        _ => Keys::default(),
    };
    if flags.encrypt_data() && !keys.seal_from_now_on() {
        return Err(ServerAnswer::new(FailureCode::Encryption, "SMB2_SESSION_FLAG_ENCRYPT_DATA"));
    }
    link.protect(keys);
    Ok(who)
}

/// A refused login. A server that wants all encrypted refuses so who cannot ([MS-SMB2] 3.3.5.5); a wrong password has
/// numbers of its own.
fn refusal(agreed: &Agreed, number: status::Status) -> ServerAnswer {
    let answer = status::answer(number);
    match (number, agreed.cipher) {
        (status::ACCESS_DENIED, None) => ServerAnswer { code: FailureCode::Encryption, ..answer },
        (status::ACCESS_DENIED, Some(_)) => ServerAnswer { code: FailureCode::LoginRefused, ..answer },
        _ => answer,
    }
}

fn round(link: &Link, wish: Option<SmbSigning>, token: Vec<u8>) -> Result<(Answer, Vec<u8>), ServerAnswer> {
    let security = match wish {
        Some(SmbSigning::On) => SecurityMode::SIGNING_REQUIRED,
        _ => SecurityMode::SIGNING_ENABLED,
    };
    let request = SessionSetupRequest {
        flags: SessionSetupRequestFlags(0),
        security_mode: SecurityMode::new(security),
        capabilities: Capabilities::default(),
        channel: 0,
        previous_session_id: 0,
        security_buffer: token,
    };
    link.call(Exchange::new(Command::SessionSetup, 0, &request))
}

fn response(answer: &Answer) -> Result<SessionSetupResponse, ServerAnswer> {
    let found = SessionSetupResponse::unpack(&mut ReadCursor::new(&answer.body));
    found.map_err(|error| unreadable(&error))
}

/// The keys of a user's session ([MS-SMB2] 3.2.5.3.1).
fn keys(
    agreed: &Agreed,
    key: &[u8],
    hash: &[u8; 64],
    session: u64,
    wish: Option<SmbSigning>,
) -> Result<Keys, ServerAnswer> {
    let sign_all = agreed.signing_required || wish == Some(SmbSigning::On);
    if !agreed.is_third() {
        let signer = Signer::new(agreed.signing, key)?;
        return Ok(Keys::new(signer, None, sign_all));
    }
    let derive = |bits| derive_session_keys(key, agreed.dialect, Some(hash), bits);
    // Signing knows keys of 128 bits only, also beside a cipher of 256.
    let signer = Signer::new(agreed.signing, &derive(128).signing_key)?;
    let sealer = agreed.cipher.map(|cipher| {
        let long = matches!(cipher, Cipher::Aes256Ccm | Cipher::Aes256Gcm);
        let derived = derive(if long { 256 } else { 128 });
        Sealer::new(cipher, &derived.encryption_key, &derived.decryption_key, session)
    });
    Ok(Keys::new(signer, sealer.transpose()?, sign_all))
}

/// In the third family the server proves with its last answer that it knows the password too.
fn check(agreed: &Agreed, keys: &Keys, answer: &Answer) -> Result<(), ServerAnswer> {
    let Some(signer) = keys.signer.as_ref().filter(|_| agreed.is_third()) else { return Ok(()) };
    let pieces = [&answer.head.unsigned()[..], &answer.body];
    if signer.sign(&pieces, answer.head.message(), By::Server) == answer.head.signature() {
        return Ok(());
    }
    Err(malformed("the signature of the server's answer to the login is wrong"))
}

/// NTLM's last message from nobody ([MS-NLMP] 3.2.5.1.2): no names, and a single zero for a proof.
fn anonymous() -> Vec<u8> {
    const FLAGS: u32 = 0x0000_0001 // Unicode
        | 0x0000_0004 // asks for the target's name
        | 0x0000_0200 // NTLM
        | 0x0000_0800 // anonymous
        | 0x0008_0000; // extended session security
    const START: u32 = 64;
    let mut message = b"NTLMSSP\0\x03\0\0\0".to_vec();
    for (length, offset) in
        [(1u16, START), (0, START + 1), (0, START), (0, START), (0, START), (0, START + 1)]
    {
        message.extend_from_slice(&length.to_le_bytes());
        message.extend_from_slice(&length.to_le_bytes());
        message.extend_from_slice(&offset.to_le_bytes());
    }
    message.extend_from_slice(&FLAGS.to_le_bytes());
    message.push(0);
    message
}
