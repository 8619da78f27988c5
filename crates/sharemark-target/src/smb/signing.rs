//! Signatures of messages ([MS-SMB2] 3.1.4.1), made over a message's pieces where they lie: a block is not copied to be
//! signed.

use aes::Aes128;
use aes::cipher::{Block, BlockCipherEncrypt, KeyInit};
use cmac::{Cmac, Mac};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use hmac::Hmac;
use sha2::Sha256;
use smb2::crypto::signing::SigningAlgorithm;

use crate::ServerAnswer;

use super::status::malformed;

/// A message's signature, as it stands in the header.
pub(super) type Signature = [u8; 16];

/// Signs the messages of one session.
pub(super) struct Signer {
    method: Method,
}

enum Method {
    HmacSha256(Box<Hmac<Sha256>>),
    Cmac(Box<Cmac<Aes128>>),
    Gmac { cipher: Box<Aes128>, hash: Box<GHash> },
}

/// Who signs, which is a part of the nonce of a GMAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Client,
    Server,
}

impl Signer {
    /// A signer with a session's key.
    ///
    /// # Errors
    /// When the key has not the length that the algorithm wants.
    pub(super) fn new(algorithm: SigningAlgorithm, key: &[u8]) -> Result<Self, ServerAnswer> {
        let wrong = |_| malformed("the session's key has a wrong length");
        let method = match algorithm {
            SigningAlgorithm::HmacSha256 => {
                Method::HmacSha256(Box::new(Hmac::new_from_slice(key).map_err(wrong)?))
            }
            SigningAlgorithm::AesCmac => Method::Cmac(Box::new(Cmac::new_from_slice(key).map_err(wrong)?)),
            SigningAlgorithm::AesGmac => {
                let cipher = Aes128::new_from_slice(key).map_err(wrong)?;
                let mut subkey = Block::<Aes128>::default();
                cipher.encrypt_block(&mut subkey);
                Method::Gmac { cipher: Box::new(cipher), hash: Box::new(GHash::new(&subkey)) }
            }
        };
        Ok(Self { method })
    }

    /// The signature of the message that `pieces` make up, with zeros where its signature stands.
    pub(super) fn sign(&self, pieces: &[&[u8]], message: u64, by: By) -> Signature {
        let mut signature = Signature::default();
        match &self.method {
            Method::HmacSha256(mac) => {
                let mut mac = mac.clone();
                pieces.iter().for_each(|piece| mac.update(piece));
                let whole = mac.finalize().into_bytes();
                signature.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
            }
            Method::Cmac(mac) => {
                let mut mac = mac.clone();
                pieces.iter().for_each(|piece| mac.update(piece));
                signature = mac.finalize().into_bytes().into();
            }
            Method::Gmac { cipher, hash } => {
                signature = gmac(cipher, GHash::clone(hash), pieces, message, by);
            }
        }
        signature
    }
}

/// AES-128-GMAC: GCM without a plaintext ([NIST SP 800-38D] 6.4 and 7.1), its nonce made of the message's number.
fn gmac(cipher: &Aes128, mut hash: GHash, pieces: &[&[u8]], message: u64, by: By) -> Signature {
    let mut rest = [0u8; 16];
    let mut kept = 0;
    let mut length = 0u64;
    for piece in pieces {
        length += piece.len() as u64;
        let mut piece = *piece;
        if kept > 0 {
            let taken = piece.len().min(16 - kept);
            rest[kept..kept + taken].copy_from_slice(&piece[..taken]);
            (kept, piece) = (kept + taken, &piece[taken..]);
            if kept < 16 {
                continue;
            }
            hash.update(&[rest.into()]);
        }
        let (blocks, end) = ghash::Block::slice_as_chunks(piece);
        hash.update(blocks);
        rest[..end.len()].copy_from_slice(end);
        kept = end.len();
    }
    hash.update_padded(&rest[..kept]);
    let mut lengths = [0u8; 16];
    lengths[..8].copy_from_slice(&(length * 8).to_be_bytes());
    hash.update(&[lengths.into()]);
    let mut counter = [0u8; 16];
    counter[..8].copy_from_slice(&message.to_le_bytes());
    counter[8] = u8::from(by == By::Server);
    counter[15] = 1;
    let mut mask = Block::<Aes128>::from(counter);
    cipher.encrypt_block(&mut mask);
    let hashed = hash.finalize();
    std::array::from_fn(|index| hashed[index] ^ mask[index])
}

#[cfg(test)]
mod tests {
    use smb2::crypto::signing::sign_message;

    use super::*;

    #[test]
    fn pieces_are_signed_as_the_codec_signs_the_whole() {
        let message: Vec<u8> = (0..1000u32).map(|byte| (byte * 7 % 251) as u8).collect();
        for algorithm in [SigningAlgorithm::HmacSha256, SigningAlgorithm::AesCmac, SigningAlgorithm::AesGmac]
        {
            let signer = Signer::new(algorithm, &[9; 16]).unwrap();
            for (first, second) in [(64, 64), (64, 80), (64, 81), (70, 71), (79, 80), (112, 999), (64, 1000)]
            {
                let mut whole = message.clone();
                whole[48..64].fill(0);
                let pieces = [&whole[..first], &whole[first..second], &whole[second..]];
                let signature = signer.sign(&pieces, 0x1234_5678, By::Client);
                sign_message(&mut whole, &[9; 16], algorithm, 0x1234_5678, false).unwrap();
                assert_eq!(whole[48..64], signature, "{algorithm:?} {first} {second}");
            }
        }
    }
}
