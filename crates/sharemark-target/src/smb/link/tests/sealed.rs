//! An encrypted connection to a server that answers as no good server does.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use smb2::crypto::encryption::Cipher;
use smb2::crypto::signing::SigningAlgorithm;
use smb2::types::Command;

use super::super::*;
use crate::smb::frame::TRANSFORM;
use crate::smb::signing::Signer;

const CLIENT_KEY: [u8; 32] = [1; 32];
const SERVER_KEY: [u8; 32] = [2; 32];
/// Long enough to be read by its owner.
const BLOCK: usize = 2 * SHORT;

fn sealer(cipher: Cipher, ours: [u8; 32], theirs: [u8; 32]) -> Sealer {
    let length = if matches!(cipher, Cipher::Aes128Ccm | Cipher::Aes128Gcm) { 16 } else { 32 };
    Sealer::new(cipher, &ours[..length], &theirs[..length], 7).unwrap()
}

/// The server's end of a connection.
struct Peer {
    stream: TcpStream,
    sealer: Sealer,
}

impl Peer {
    /// Reads a request; answers its number.
    fn request(&mut self) -> u64 {
        let mut length = [0u8; 4];
        self.stream.read_exact(&mut length).unwrap();
        let mut whole = vec![0u8; u32::from_be_bytes(length) as usize];
        self.stream.read_exact(&mut whole).unwrap();
        let (transform, message) = whole.split_first_chunk_mut::<TRANSFORM>().unwrap();
        self.sealer.open(transform, message).unwrap();
        u64::from_le_bytes(message[24..32].try_into().unwrap())
    }

    /// Sends a READ's answer, full of the message's number, with a bit turned over where it is `bent`.
    fn answer(&mut self, message: u64, bent: Option<usize>) {
        let mut plain = vec![0u8; HEADER + 16];
        plain[..4].copy_from_slice(b"\xFESMB");
        plain[12] = 8;
        plain[14] = 8;
        plain[24..32].copy_from_slice(&message.to_le_bytes());
        plain[HEADER] = 17;
        plain[HEADER + 2] = 80;
        plain[HEADER + 4..HEADER + 8].copy_from_slice(&u32::try_from(BLOCK).unwrap().to_le_bytes());
        let data = [u8::try_from(message).unwrap(); BLOCK];
        let mut whole = self.sealer.seal(&[&plain, &data]).unwrap();
        if let Some(bent) = bent {
            whole[bent] ^= 1;
        }
        let length = u32::try_from(whole.len()).unwrap().to_be_bytes();
        self.stream.write_all(&[&length, &whole[..]].concat()).unwrap();
    }
}

fn connected(cipher: Cipher, serve: impl FnOnce(&mut Peer) + Send + 'static) -> (Link, JoinHandle<()>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let link = Link::new(TcpStream::connect(listener.local_addr().unwrap()).unwrap()).unwrap();
    // Were an answer lost, an error says so.
    link.limit(Some(Duration::from_secs(60))).unwrap();
    let signer = Signer::new(SigningAlgorithm::AesGmac, &[3; 16]).unwrap();
    let keys = Keys::new(signer, Some(sealer(cipher, CLIENT_KEY, SERVER_KEY)), false);
    assert!(keys.seal_from_now_on());
    link.protect(keys);
    let stream = listener.accept().unwrap().0;
    let mut peer = Peer { stream, sealer: sealer(cipher, SERVER_KEY, CLIENT_KEY) };
    (link, thread::spawn(move || serve(&mut peer)))
}

fn read(link: &Link, count: usize) -> Result<Vec<Vec<u8>>, ServerAnswer> {
    let mut blocks = vec![vec![0u8; BLOCK]; count];
    let exchange = |block| Exchange::raw(Command::Read, 1, vec![49; 49]).filling(block);
    let mut exchanges: Vec<_> = blocks.iter_mut().map(|block| exchange(block.as_mut_slice())).collect();
    link.exchange(&mut exchanges)?;
    assert!(exchanges.iter().all(|exchange| exchange.answer().is_ok_and(|answer| answer.read == BLOCK)));
    drop(exchanges);
    Ok(blocks)
}

const CIPHERS: [Cipher; 4] = [Cipher::Aes128Ccm, Cipher::Aes128Gcm, Cipher::Aes256Ccm, Cipher::Aes256Gcm];

#[test]
fn answers_that_come_twice_and_in_any_order_reach_their_blocks() {
    for cipher in CIPHERS {
        let (link, peer) = connected(cipher, |peer| {
            for count in [1, 4, 4, 4] {
                let requests: Vec<u64> = (0..count).map(|_| peer.request()).collect();
                for message in requests.into_iter().rev() {
                    peer.answer(message, None);
                    peer.answer(message, None);
                }
            }
        });
        // The first brings credits for the others.
        assert_eq!(read(&link, 1).unwrap(), [[0; BLOCK]]);
        // Two threads, which take the reading from each other.
        let mut came: Vec<u8> = thread::scope(|scope| {
            let reading = || (0..3).flat_map(|_| read(&link, 2).unwrap()).collect::<Vec<_>>();
            let other = scope.spawn(reading);
            let blocks = reading().into_iter().chain(other.join().unwrap());
            blocks
                .inspect(|block| assert!(block.iter().all(|byte| *byte == block[0])))
                .map(|b| b[0])
                .collect()
        });
        came.sort_unstable();
        assert!(came.iter().copied().eq(1..=12), "{cipher:?} {came:?}");
        drop(link);
        peer.join().unwrap();
    }
}

#[test]
fn an_answer_that_was_changed_ends_the_connection() {
    const NUMBER: usize = TRANSFORM + 24;
    for cipher in CIPHERS {
        for bent in [4, 20, NUMBER, TRANSFORM + HEADER + 16, TRANSFORM + HEADER + BLOCK] {
            let (link, peer) = connected(cipher, move |peer| {
                let message = peer.request();
                peer.answer(message, Some(bent));
            });
            let refused = read(&link, 1).unwrap_err();
            assert_eq!(refused, malformed("an encrypted message is not what its sender sent"), "{bent}");
            assert_eq!(read(&link, 1).unwrap_err(), refused, "it stays dead");
            peer.join().unwrap();
        }
    }
}
