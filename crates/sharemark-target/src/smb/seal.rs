//! Encryption of messages ([MS-SMB2] 3.1.4.3 and 3.2.5.1.1), in place in buffers that are used again: fresh memory for each
//! block would cost the system more time than the encryption costs.

use std::sync::atomic::{AtomicU64, Ordering};

use aes::cipher::{Block, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256};
use ccm::Ccm;
use ccm::aead::AeadInOut;
use ccm::consts::{U11, U16};
use ring::aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use smb2::crypto::encryption::Cipher;

use crate::ServerAnswer;

use super::buffers::{Buffer, Buffers};
use super::frame::{ENCRYPTED, Sealed, TRANSFORM};
use super::status::malformed;

/// The parts of the header ([MS-SMB2] 2.2.41): the tag, and what is authenticated beside the message, in it the rest.
const TAG: std::ops::Range<usize> = 4..20;
const AUTHENTICATED: std::ops::Range<usize> = 20..TRANSFORM;
const NONCE: std::ops::Range<usize> = 20..36;
const SIZE: std::ops::Range<usize> = 36..40;
const FLAGS: std::ops::Range<usize> = 42..44;
const SESSION: std::ops::Range<usize> = 44..TRANSFORM;
/// The only flag; in 3.0 the same number names the only cipher.
const IS_ENCRYPTED: [u8; 2] = [1, 0];

type Ccm128 = Ccm<Aes128, U16, U11>;
type Ccm256 = Ccm<Aes256, U16, U11>;

/// Encrypts and decrypts the messages of one session.
pub(super) struct Sealer {
    pub(super) cipher: Cipher,
    ours: Key,
    theirs: Key,
    /// The server's key, for the blocks that tell whose answer a message is.
    blocks: Blocks,
    session: u64,
    /// The next message's nonce: no number is used twice under one key, and each session has a key of its own.
    nonce: AtomicU64,
    buffers: Buffers,
}

impl Sealer {
    /// A sealer with a session's keys.
    ///
    /// # Errors
    /// When a key has not the length that the cipher wants.
    pub(super) fn new(
        cipher: Cipher,
        encryption_key: &[u8],
        decryption_key: &[u8],
        session: u64,
    ) -> Result<Self, ServerAnswer> {
        Ok(Self {
            cipher,
            ours: Key::new(cipher, encryption_key)?,
            theirs: Key::new(cipher, decryption_key)?,
            blocks: Blocks::new(cipher, decryption_key)?,
            session,
            nonce: AtomicU64::new(0),
            buffers: Buffers::default(),
        })
    }

    /// The message that `pieces` make up, encrypted, with what stands before it.
    ///
    /// # Errors
    /// When the message is too long.
    pub(super) fn seal(&self, pieces: &[&[u8]]) -> Result<Buffer<'_>, ServerAnswer> {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let size = u32::try_from(length).map_err(|_| malformed("a message is too long to be encrypted"))?;
        let mut transform = [0u8; TRANSFORM];
        transform[..TAG.start].copy_from_slice(&ENCRYPTED);
        let number = self.nonce.fetch_add(1, Ordering::Relaxed).to_le_bytes();
        transform[NONCE][..number.len()].copy_from_slice(&number);
        transform[SIZE].copy_from_slice(&size.to_le_bytes());
        transform[FLAGS].copy_from_slice(&IS_ENCRYPTED);
        transform[SESSION].copy_from_slice(&self.session.to_le_bytes());

        let mut whole = self.buffers.borrow(TRANSFORM + length);
        let (head, message) = whole.split_at_mut(TRANSFORM);
        let mut rest = &mut message[..];
        for piece in pieces {
            let (place, behind) = rest.split_at_mut(piece.len());
            place.copy_from_slice(piece);
            rest = behind;
        }
        let tag = self.ours.seal(&transform, message).ok_or_else(|| malformed("encryption failed"))?;
        transform[TAG].copy_from_slice(&tag);
        head.copy_from_slice(&transform);
        Ok(whole)
    }

    /// Room for an encrypted message of this length.
    pub(super) fn room(&self, length: usize) -> Buffer<'_> {
        self.buffers.borrow(length)
    }

    /// Decrypts in place what the server sent behind this header.
    ///
    /// # Errors
    /// When it is not what the server sent, or not of this session.
    pub(super) fn open(&self, transform: &[u8; TRANSFORM], message: &mut [u8]) -> Result<(), ServerAnswer> {
        let whole = u32::try_from(message.len()).is_ok_and(|size| transform[SIZE] == size.to_le_bytes());
        if !whole || transform[FLAGS] != IS_ENCRYPTED || transform[SESSION] != self.session.to_le_bytes() {
            return Err(malformed("an encrypted message's header is wrong"));
        }
        let opened = self.theirs.open(transform, message);
        opened.ok_or_else(|| malformed("an encrypted message is not what its sender sent"))
    }

    /// The number of the message that begins so, told before it can be known to be genuine: good for nothing but to
    /// choose who reads and opens it. Decrypts its second block alone, in which the number stands.
    pub(super) fn claims(&self, sealed: &Sealed) -> u64 {
        let mut counter = [0u8; 16];
        match self.cipher {
            // Counts from 1 with the tag's block ([NIST SP 800-38D] 7.1).
            Cipher::Aes128Gcm | Cipher::Aes256Gcm => {
                counter[..12].copy_from_slice(&sealed.transform[NONCE][..12]);
                counter[15] = 3;
            }
            // Counts from 0 with the tag's block, behind the counter's length less 1 ([RFC 3610] 2.3).
            Cipher::Aes128Ccm | Cipher::Aes256Ccm => {
                counter[0] = 3;
                counter[1..12].copy_from_slice(&sealed.transform[NONCE][..11]);
                counter[15] = 2;
            }
        }
        let mask = self.blocks.encrypt(counter);
        u64::from_le_bytes(std::array::from_fn(|index| sealed.start[24 + index] ^ mask[8 + index]))
    }
}

fn wrong_key<E>(_: E) -> ServerAnswer {
    malformed("the session's key has a wrong length")
}

/// One direction's key, ready for use.
enum Key {
    Gcm(Box<LessSafeKey>),
    Ccm128(Box<Ccm128>),
    Ccm256(Box<Ccm256>),
}

impl Key {
    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, ServerAnswer> {
        let gcm = |algorithm| {
            let key = UnboundKey::new(algorithm, key).map_err(wrong_key)?;
            Ok(Self::Gcm(Box::new(LessSafeKey::new(key))))
        };
        match cipher {
            Cipher::Aes128Gcm => gcm(&AES_128_GCM),
            Cipher::Aes256Gcm => gcm(&AES_256_GCM),
            Cipher::Aes128Ccm => Ok(Self::Ccm128(Box::new(Ccm128::new_from_slice(key).map_err(wrong_key)?))),
            Cipher::Aes256Ccm => Ok(Self::Ccm256(Box::new(Ccm256::new_from_slice(key).map_err(wrong_key)?))),
        }
    }

    /// Encrypts in place; answers the tag.
    fn seal(&self, transform: &[u8; TRANSFORM], message: &mut [u8]) -> Option<[u8; 16]> {
        let beside = &transform[AUTHENTICATED];
        match self {
            Self::Gcm(key) => {
                let nonce = Nonce::assume_unique_for_key(nonce(transform));
                let tag = key.seal_in_place_separate_tag(nonce, Aad::from(beside), message).ok()?;
                tag.as_ref().try_into().ok()
            }
            Self::Ccm128(key) => {
                let tag = key.encrypt_inout_detached(&nonce(transform).into(), beside, message.into());
                tag.ok().map(Into::into)
            }
            Self::Ccm256(key) => {
                let tag = key.encrypt_inout_detached(&nonce(transform).into(), beside, message.into());
                tag.ok().map(Into::into)
            }
        }
    }

    /// Decrypts in place, if the tag in the header is right.
    fn open(&self, transform: &[u8; TRANSFORM], message: &mut [u8]) -> Option<()> {
        let beside = &transform[AUTHENTICATED];
        let tag: [u8; 16] = transform[TAG].try_into().ok()?;
        match self {
            Self::Gcm(key) => {
                let nonce = Nonce::assume_unique_for_key(nonce(transform));
                let opened =
                    key.open_in_place_separate_tag(nonce, Aad::from(beside), tag.into(), message, 0..);
                opened.ok().map(drop)
            }
            Self::Ccm128(key) => {
                let nonce = nonce(transform).into();
                key.decrypt_inout_detached(&nonce, beside, message.into(), &tag.into()).ok()
            }
            Self::Ccm256(key) => {
                let nonce = nonce(transform).into();
                key.decrypt_inout_detached(&nonce, beside, message.into(), &tag.into()).ok()
            }
        }
    }
}

/// As much of the header's nonce as the cipher takes: 12 bytes for GCM, 11 for CCM.
fn nonce<const N: usize>(transform: &[u8; TRANSFORM]) -> [u8; N] {
    std::array::from_fn(|index| transform[NONCE.start + index])
}

/// The cipher below both modes.
enum Blocks {
    Aes128(Box<Aes128>),
    Aes256(Box<Aes256>),
}

impl Blocks {
    fn new(cipher: Cipher, key: &[u8]) -> Result<Self, ServerAnswer> {
        match cipher {
            Cipher::Aes128Ccm | Cipher::Aes128Gcm => {
                Ok(Self::Aes128(Box::new(Aes128::new_from_slice(key).map_err(wrong_key)?)))
            }
            Cipher::Aes256Ccm | Cipher::Aes256Gcm => {
                Ok(Self::Aes256(Box::new(Aes256::new_from_slice(key).map_err(wrong_key)?)))
            }
        }
    }

    fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        let mut block = Block::<Aes128>::from(block);
        match self {
            Self::Aes128(cipher) => cipher.encrypt_block(&mut block),
            Self::Aes256(cipher) => cipher.encrypt_block(&mut block),
        }
        block.into()
    }
}

#[cfg(test)]
mod tests {
    use smb2::crypto::encryption::{decrypt_message, encrypt_message};

    use super::super::frame::START;
    use super::*;

    const SESSION_ID: u64 = 0x1122_3344_5566_7788;
    const NUMBER: u64 = 0x0102_0304_0506_0708;

    fn ciphers() -> [(Cipher, Vec<u8>, Vec<u8>); 4] {
        [(Cipher::Aes128Ccm, 16), (Cipher::Aes128Gcm, 16), (Cipher::Aes256Ccm, 32), (Cipher::Aes256Gcm, 32)]
            .map(|(cipher, length)| (cipher, (1..=length).collect(), (101..=100 + length).collect()))
    }

    fn message(length: u32) -> Vec<u8> {
        let mut message: Vec<u8> = (0..length).map(|byte| (byte * 7 % 251) as u8).collect();
        message[24..32].copy_from_slice(&NUMBER.to_le_bytes());
        message
    }

    fn parts(whole: &[u8]) -> ([u8; TRANSFORM], Vec<u8>) {
        let (transform, message) = whole.split_first_chunk().unwrap();
        (*transform, message.to_vec())
    }

    #[test]
    fn pieces_are_sealed_as_the_codec_seals_the_whole() {
        for (cipher, ours, theirs) in ciphers() {
            let sealer = Sealer::new(cipher, &ours, &theirs, SESSION_ID).unwrap();
            let mut number = 0u64;
            // A long message before a short one: what a buffer held before shows nowhere.
            for length in [70_001, 64, 113, 128, 1000] {
                for first in [0, 64, 112, length as usize] {
                    let plain = message(length);
                    let first = first.min(plain.len());
                    let mut nonce = [0u8; 16];
                    nonce[..8].copy_from_slice(&number.to_le_bytes());
                    let (mut expected, ciphertext) =
                        encrypt_message(&plain, &ours, cipher, &nonce, SESSION_ID).unwrap();
                    expected.extend_from_slice(&ciphertext);
                    let sealed = sealer.seal(&[&plain[..first], &plain[first..]]).unwrap();
                    assert!(*sealed == expected, "{cipher:?} {length} {first}");
                    let (transform, ciphertext) = parts(&sealed);
                    let opened = decrypt_message(&transform, &ciphertext, &ours, cipher).unwrap();
                    assert!(opened == plain, "{cipher:?} {length} {first}");
                    number += 1;
                }
            }
        }
    }

    #[test]
    fn what_the_codec_sealed_is_opened_and_its_number_told_before() {
        for (cipher, ours, theirs) in ciphers() {
            let sealer = Sealer::new(cipher, &ours, &theirs, SESSION_ID).unwrap();
            for length in [64, 113, 70_001] {
                let plain = message(length);
                // A server's nonce may be any, in all of its bytes.
                let nonce = std::array::from_fn(|index| u8::try_from(0xF0 + index).unwrap());
                let (transform, mut bytes) =
                    encrypt_message(&plain, &theirs, cipher, &nonce, SESSION_ID).unwrap();
                let transform: [u8; TRANSFORM] = transform.try_into().unwrap();
                let start = *bytes.first_chunk::<START>().unwrap();
                let sealed = Sealed { transform, start, rest: bytes.len() - START };
                assert_eq!(sealer.claims(&sealed), NUMBER);
                sealer.open(&transform, &mut bytes).unwrap();
                assert!(bytes == plain, "{cipher:?} {length}");
            }
        }
    }

    #[test]
    fn what_was_changed_on_its_way_is_refused() {
        for (cipher, ours, theirs) in ciphers() {
            let sealer = Sealer::new(cipher, &ours, &theirs, SESSION_ID).unwrap();
            let plain = message(100);
            let (transform, bytes) = encrypt_message(&plain, &theirs, cipher, &[7; 16], SESSION_ID).unwrap();
            let transform: [u8; TRANSFORM] = transform.try_into().unwrap();
            let open = |mut transform: [u8; TRANSFORM], mut bytes: Vec<u8>, at: Option<usize>| {
                if let Some(at) = at {
                    match at.checked_sub(TRANSFORM) {
                        None => transform[at] ^= 0x10,
                        Some(at) => bytes[at] ^= 0x10,
                    }
                }
                sealer.open(&transform, &mut bytes)
            };
            open(transform, bytes.clone(), None).unwrap();
            for at in TAG.start..TRANSFORM + bytes.len() {
                assert!(open(transform, bytes.clone(), Some(at)).is_err(), "{cipher:?} {at}");
            }
            assert!(open(transform, bytes[..99].to_vec(), None).is_err());
            assert!(open(transform, Vec::new(), None).is_err());
            // Another session's message, though under the same key.
            let (other, bytes) = encrypt_message(&plain, &theirs, cipher, &[7; 16], 1).unwrap();
            assert!(open(other.try_into().unwrap(), bytes, None).is_err());
            // The client's own message, sent back to it.
            let (transform, bytes) = parts(&sealer.seal(&[&plain]).unwrap());
            assert!(open(transform, bytes, None).is_err());
        }
    }

    #[test]
    fn a_key_of_another_length_is_refused() {
        for (cipher, ours, theirs) in ciphers() {
            assert!(Sealer::new(cipher, &ours[1..], &theirs, 0).is_err());
            assert!(Sealer::new(cipher, &ours, &theirs[..8], 0).is_err());
        }
    }
}
