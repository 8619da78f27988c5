//! NEGOTIATE ([MS-SMB2] 2.2.3): which dialect is spoken, and what of signing and encryption both sides know.

use sharemark_model::{FailureCode, SmbDialect, SmbSigning, Wishes};
use smb2::crypto::encryption::Cipher;
use smb2::crypto::kdf::PreauthHasher;
use smb2::crypto::signing::{SigningAlgorithm, algorithm_for_dialect};
use smb2::msg::negotiate::{
    CIPHER_AES_128_CCM, CIPHER_AES_128_GCM, CIPHER_AES_256_CCM, CIPHER_AES_256_GCM, HASH_ALGORITHM_SHA512,
    NegotiateContext, NegotiateRequest, NegotiateResponse, SIGNING_AES_CMAC, SIGNING_AES_GMAC,
    SIGNING_HMAC_SHA256,
};
use smb2::pack::{Guid, ReadCursor, Unpack};
use smb2::types::flags::{Capabilities, SecurityMode};
use smb2::types::{Command, Dialect};

use crate::ServerAnswer;

use super::exchange::Exchange;
use super::link::Link;
use super::status::{self, malformed, unreadable};

const NOT_SUPPORTED: status::Status = 0xC000_00BB;

/// What both sides agreed on.
#[derive(Clone)]
pub(super) struct Agreed {
    pub(super) dialect: Dialect,
    pub(super) max_read: u32,
    pub(super) max_write: u32,
    pub(super) max_transact: u32,
    /// The server takes signed messages only.
    pub(super) signing_required: bool,
    pub(super) signing: SigningAlgorithm,
    pub(super) cipher: Option<Cipher>,
    /// The hash of what was said so far, which the keys of 3.1.1 are made with.
    pub(super) hash: PreauthHasher,
}

impl Agreed {
    /// The dialect as the report names it.
    pub(super) fn dialect_name(&self) -> &'static str {
        match self.dialect {
            Dialect::Smb2_0_2 => SmbDialect::V2_0_2,
            Dialect::Smb2_1 => SmbDialect::V2_1,
            Dialect::Smb3_0 => SmbDialect::V3_0,
            Dialect::Smb3_0_2 => SmbDialect::V3_0_2,
            Dialect::Smb3_1_1 => SmbDialect::V3_1_1,
        }
        .name()
    }

    /// Whether READ and WRITE know the flags that go past the server's cache: from 3.0.2 on.
    pub(super) fn knows_unbuffered(&self) -> bool {
        matches!(self.dialect, Dialect::Smb3_0_2 | Dialect::Smb3_1_1)
    }

    /// Whether the dialect is of the third family, which has keys of its own for each purpose.
    pub(super) fn is_third(&self) -> bool {
        !matches!(self.dialect, Dialect::Smb2_0_2 | Dialect::Smb2_1)
    }
}

fn dialect(wish: SmbDialect) -> Dialect {
    match wish {
        SmbDialect::V2_0_2 => Dialect::Smb2_0_2,
        SmbDialect::V2_1 => Dialect::Smb2_1,
        SmbDialect::V3_0 => Dialect::Smb3_0,
        SmbDialect::V3_0_2 => Dialect::Smb3_0_2,
        SmbDialect::V3_1_1 => Dialect::Smb3_1_1,
    }
}

fn request(wishes: &Wishes, salt: Vec<u8>, client: [u8; 16]) -> NegotiateRequest {
    let dialects = wishes.smb_dialect.map_or_else(|| Dialect::ALL.to_vec(), |wish| vec![dialect(wish)]);
    let newest = dialects.last().copied().map_or(0, u16::from);
    let security = match wishes.smb_signing {
        Some(SmbSigning::On) => SecurityMode::SIGNING_ENABLED | SecurityMode::SIGNING_REQUIRED,
        _ => SecurityMode::SIGNING_ENABLED,
    };
    // Only the third family tells its client's capabilities.
    let capabilities = match newest >= u16::from(Dialect::Smb3_0) {
        true => Capabilities::LARGE_MTU | Capabilities::ENCRYPTION,
        false => 0,
    };
    let preauth = NegotiateContext::PreauthIntegrity { hash_algorithms: vec![HASH_ALGORITHM_SHA512], salt };
    let ciphers = vec![CIPHER_AES_128_GCM, CIPHER_AES_128_CCM, CIPHER_AES_256_GCM, CIPHER_AES_256_CCM];
    let algorithms = vec![SIGNING_AES_GMAC, SIGNING_AES_CMAC, SIGNING_HMAC_SHA256];
    let contexts =
        vec![preauth, NegotiateContext::Encryption { ciphers }, NegotiateContext::Signing { algorithms }];
    let (data, rest) = client.split_at(8);
    NegotiateRequest {
        security_mode: SecurityMode::new(security),
        capabilities: Capabilities::new(capabilities),
        client_guid: Guid {
            data1: u32::from_le_bytes([data[0], data[1], data[2], data[3]]),
            data2: u16::from_le_bytes([data[4], data[5]]),
            data3: u16::from_le_bytes([data[6], data[7]]),
            data4: std::array::from_fn(|index| rest[index]),
        },
        dialects,
        negotiate_contexts: contexts,
    }
}

/// Agrees with the server on a dialect.
///
/// # Errors
/// When it speaks none that is wished, or demands what is not wished.
pub(super) fn negotiate(link: &Link, wishes: &Wishes) -> Result<Agreed, ServerAnswer> {
    let random = |_| malformed("this system gives no random numbers");
    let (mut salt, mut client) = ([0u8; 32], [0u8; 16]);
    getrandom::fill(&mut salt).map_err(random)?;
    getrandom::fill(&mut client).map_err(random)?;
    let request = request(wishes, salt.to_vec(), client);
    let (answer, sent) = link.call(Exchange::new(Command::Negotiate, 0, &request))?;
    match answer.head.status() {
        status::SUCCESS => {}
        NOT_SUPPORTED => {
            let text = status::answer(NOT_SUPPORTED).text;
            return Err(ServerAnswer::new(FailureCode::Version, text));
        }
        other => return Err(status::answer(other)),
    }
    let mut hash = PreauthHasher::new();
    hash.update(&sent);
    hash.update(&[answer.head.bytes(), answer.body.as_slice()].concat());
    let found = NegotiateResponse::unpack(&mut ReadCursor::new(&answer.body));
    let found = found.map_err(|error| unreadable(&error))?;
    if !request.dialects.contains(&found.dialect_revision) {
        return Err(ServerAnswer::new(FailureCode::Version, found.dialect_revision.to_string()));
    }
    let signing_required = found.security_mode.contains(SecurityMode::SIGNING_REQUIRED);
    if signing_required && wishes.smb_signing == Some(SmbSigning::Off) {
        return Err(ServerAnswer::new(FailureCode::Signing, "SMB2_NEGOTIATE_SIGNING_REQUIRED"));
    }
    blocks(found.max_read_size, found.max_write_size, found.max_transact_size)?;
    link.set_large(
        found.capabilities.contains(Capabilities::LARGE_MTU) && found.dialect_revision != Dialect::Smb2_0_2,
    );
    let gmac = found.negotiate_contexts.iter().any(
        |context| matches!(context, NegotiateContext::Signing { algorithms } if algorithms.contains(&SIGNING_AES_GMAC)),
    );
    Ok(Agreed {
        dialect: found.dialect_revision,
        max_read: found.max_read_size,
        max_write: found.max_write_size,
        max_transact: found.max_transact_size,
        signing_required,
        signing: algorithm_for_dialect(found.dialect_revision, gmac),
        cipher: cipher(&found),
        hash,
    })
}

/// Looks whether blocks go into the server's requests at all. They are to take 65536 bytes at least ([MS-SMB2] 3.3.5.4);
/// with some thousands one can work still.
fn blocks(read: u32, write: u32, transact: u32) -> Result<(), ServerAnswer> {
    const LEAST: u32 = 4096;
    match read.min(write).min(transact) < LEAST {
        true => {
            let told = format!("MaxReadSize {read}, MaxWriteSize {write}, MaxTransactSize {transact}");
            Err(malformed(told))
        }
        false => Ok(()),
    }
}

/// The cipher that the server chose; 3.0 and 3.0.2 know one only.
fn cipher(found: &NegotiateResponse) -> Option<Cipher> {
    match found.dialect_revision {
        Dialect::Smb3_1_1 => found.negotiate_contexts.iter().find_map(|context| match context {
            NegotiateContext::Encryption { ciphers } => match *ciphers.first()? {
                CIPHER_AES_128_CCM => Some(Cipher::Aes128Ccm),
                CIPHER_AES_128_GCM => Some(Cipher::Aes128Gcm),
                CIPHER_AES_256_CCM => Some(Cipher::Aes256Ccm),
                CIPHER_AES_256_GCM => Some(Cipher::Aes256Gcm),
                _ => None,
            },
            _ => None,
        }),
        Dialect::Smb3_0 | Dialect::Smb3_0_2 => {
            found.capabilities.contains(Capabilities::ENCRYPTION).then_some(Cipher::Aes128Ccm)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_whose_requests_carry_nothing_is_refused() {
        assert_eq!(blocks(1 << 20, 4096, 4096), Ok(()));
        for (read, write, transact) in
            [(0, 65536, 65536), (65536, 0, 65536), (65536, 4095, 65536), (65536, 65536, 0)]
        {
            assert_eq!(blocks(read, write, transact).unwrap_err().code, FailureCode::Protocol);
        }
    }
}
