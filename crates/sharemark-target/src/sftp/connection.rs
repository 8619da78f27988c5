//! An SSH connection with an SFTP session in it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use russh::client::{self, Handle};
use russh::{ChannelMsg, Disconnect, Limits, Preferred, cipher, compression};
use sharemark_model::{Address, Evidence, Failure, FailureCode, Login, Operation};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::known_hosts::{KnownHosts, Verdict};
use super::login::{Refused, log_in};
use super::session::Session;
use super::status::Fault;
use super::watcher::{Seen, Sight, Watcher};
use crate::answer::failure_from;
use crate::dial::{CONNECT_LIMIT, dial};

/// What the server may send before it waits to hear that it arrived: what OpenSSH's own client allows (`channels.h`:
/// `CHAN_SES_WINDOW_DEFAULT`, 64 packets of 32 KiB). With a larger one sshd buffers all that is asked for and gets slower
/// by it: with 64 MiB and 8 MiB in flight, reads fell to half of a wire of 100 Mbit/s that this window fills.
const WINDOW: u32 = 2 << 20;

/// The largest packet that the server may send. OpenSSH makes none larger than this in any case.
const PACKET: u32 = 32 << 10;

/// Packets that may wait for the session: they are taken at once.
const QUEUE: usize = 256;

/// The bytes after which new keys are agreed on. RFC 4344 (section 3.2) lets a cipher with 16-byte blocks, as AES is,
/// stand for 2^32 blocks, 64 GiB, and OpenSSH does so; the pause that an exchange makes is no part of a share's speed.
const REKEY_AFTER: u64 = 32 << 30;

/// How long a server may take to say who it is, before it is asked without knowing it.
const BANNER_LIMIT: Duration = Duration::from_secs(2);

/// The ciphers in the order in which they are offered: AES-GCM first, which took about two thirds of the
/// processor time of ChaCha20-Poly1305 (russh with ring, x86 with AES instructions), then that one. The facts tell which
/// one it became.
const CIPHERS: &[cipher::Name] = &[
    cipher::AES_128_GCM,
    cipher::AES_256_GCM,
    cipher::CHACHA20_POLY1305,
    cipher::AES_128_CTR,
    cipher::AES_192_CTR,
    cipher::AES_256_CTR,
];

/// A connection that is logged in and speaks SFTP.
pub(super) struct Connection {
    /// The session in it.
    pub(super) session: Session,
    handle: Handle<Watcher>,
    /// What the server and the connection said of themselves.
    pub(super) facts: Evidence,
}

impl Connection {
    /// Connects, checks the host's key, logs in and starts SFTP.
    pub(super) async fn open(
        address: &Address,
        user: &str,
        login: &Login,
        known: &Arc<KnownHosts>,
    ) -> Result<Self, Failure> {
        let failed = |code: FailureCode| Failure::new(code, Operation::Connect, address.to_string());
        let late = || failed(FailureCode::ServerGone).with_system("timed out");
        let dialled = dial(address).await?;

        let begun = Instant::now();
        let banner = banner(&dialled.stream).await;
        if let Some(text) = banner.as_deref().filter(|text| !text.starts_with("SSH-")) {
            return Err(failed(FailureCode::Protocol).with_system(text));
        }
        let (watcher, sight) = Watcher::new(Arc::clone(known));
        let connected = client::connect_stream(Arc::new(config(known)), dialled.stream, watcher);
        let mut handle = timeout(CONNECT_LIMIT, connected)
            .await
            .map_err(|_| late())?
            .map_err(|error| handshake_failure(error, &sight.look(), address))?;
        let handshake = begun.elapsed();

        let begun = Instant::now();
        let way = timeout(CONNECT_LIMIT, log_in(&mut handle, user, login))
            .await
            .map_err(|_| late())?
            .map_err(|Refused(text)| {
                // A server that ends the connection instead of refusing says why.
                let said = sight.look().farewell.unwrap_or_default();
                let text = [said, text].into_iter().filter(|text| !text.is_empty());
                failed(FailureCode::LoginRefused).with_system(text.collect::<Vec<_>>().join("; "))
            })?;
        let logged_in = begun.elapsed();

        let session = timeout(CONNECT_LIMIT, start(&handle, &sight))
            .await
            .map_err(|_| late())?
            .map_err(|fault| fault.failure(Operation::Connect, address.to_string()))?;

        let seen = sight.look();
        let mut facts = Evidence::new();
        let mut fact = |name: &str, value| facts.insert(name.to_owned(), value);
        fact("address", dialled.peer.to_string().into());
        fact("software", banner.map(|text| text.trim_start_matches("SSH-2.0-").to_owned()).into());
        fact("kex", seen.kex.into());
        fact("host_key", seen.host_key_algorithm.into());
        fact("host_key_fingerprint", seen.host_key.map(|(shown, _)| shown).into());
        fact("cipher", seen.cipher.into());
        fact("mac", seen.mac.into());
        fact("compression", "none".into());
        fact("login", way.into());
        fact("max_read_bytes", session.read_length.into());
        fact("max_write_bytes", session.write_length.into());
        fact("fsync", session.offers_fsync().into());
        fact("connect_ns", nanoseconds(dialled.took).into());
        fact("handshake_ns", nanoseconds(handshake).into());
        fact("login_ns", nanoseconds(logged_in).into());
        Ok(Self { session, handle, facts })
    }

    /// Says goodbye, so that the server's log shows no broken connection.
    pub(super) async fn close(&self) {
        if !self.handle.is_closed() {
            let said = self.handle.disconnect(Disconnect::ByApplication, "", "");
            timeout(Duration::from_secs(1), said).await.ok();
        }
    }
}

pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn config(known: &KnownHosts) -> client::Config {
    let rekey = usize::try_from(REKEY_AFTER).unwrap_or(1 << 30);
    client::Config {
        limits: Limits { rekey_read_limit: rekey, rekey_write_limit: rekey, ..Limits::default() },
        window_size: WINDOW,
        maximum_packet_size: PACKET,
        channel_buffer_size: QUEUE,
        preferred: Preferred {
            key: Cow::Owned(known.algorithms()),
            cipher: Cow::Borrowed(CIPHERS),
            // What is compressed would be measured as if the share were faster.
            compression: Cow::Borrowed(&[compression::NONE]),
            ..Preferred::DEFAULT
        },
        ..client::Config::default()
    }
}

/// The line with which a server says who it is (RFC 4253, section 4.2), left where it is. Another line than `SSH-…` is
/// answered only when the server is none of SSH.
async fn banner(stream: &TcpStream) -> Option<String> {
    let looked = async {
        let mut bytes = [0; 1024];
        loop {
            let count = stream.peek(&mut bytes).await.ok()?;
            let text = String::from_utf8_lossy(&bytes[..count]);
            let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            if let Some(line) = whole.map(str::trim_end).find(|line| line.starts_with("SSH-")) {
                return Some(line.to_owned());
            }
            // Lines may stand before it, so only what cannot be followed by it is something else.
            if text.starts_with("HTTP/") || text.starts_with("220 ") {
                return text.lines().next().map(str::to_owned);
            }
            if count == 0 || count == bytes.len() {
                return None;
            }
            sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(BANNER_LIMIT, looked).await.ok().flatten()
}

/// Why no connection came about, after TCP stood.
fn handshake_failure(error: russh::Error, seen: &Seen, address: &Address) -> Failure {
    let failed = |code: FailureCode| Failure::new(code, Operation::Connect, address.to_string());
    match &seen.host_key {
        Some((shown, Verdict::Unknown)) => return failed(FailureCode::HostKeyUnknown).with_system(shown),
        Some((shown, Verdict::Changed(known))) => {
            return failed(FailureCode::HostKeyChanged).with_system(format!("{shown}; known_hosts: {known}"));
        }
        Some((shown, Verdict::Revoked)) => {
            return failed(FailureCode::HostKeyChanged)
                .with_system(format!("{shown}; known_hosts: @revoked"));
        }
        Some((_, Verdict::Known)) | None => {}
    }
    match error {
        russh::Error::IO(error) => failure_from(&error, Operation::Connect, address.to_string()),
        russh::Error::NoCommonAlgo { kind, theirs, .. } => {
            failed(FailureCode::Encryption).with_system(format!("{kind:?}: {}", theirs.join(",")))
        }
        russh::Error::HUP | russh::Error::Disconnect => {
            failed(FailureCode::ServerGone).with_system(error.to_string())
        }
        _ => failed(FailureCode::Protocol).with_system(error.to_string()),
    }
}

/// Opens a channel and starts SFTP in it.
async fn start(handle: &Handle<Watcher>, sight: &Sight) -> Result<Session, Fault> {
    let gone = |error: russh::Error| Fault::Gone(sight.look().end().unwrap_or_else(|| error.to_string()));
    let mut channel = handle.channel_open_session().await.map_err(gone)?;
    channel.request_subsystem(true, "sftp").await.map_err(gone)?;
    loop {
        match channel.wait().await {
            Some(ChannelMsg::Success) => return Session::begin(channel).await,
            Some(ChannelMsg::Failure) => return Err(Fault::Refused),
            Some(ChannelMsg::Eof | ChannelMsg::Close) | None => return Err(gone(russh::Error::Disconnect)),
            Some(_) => {}
        }
    }
}
