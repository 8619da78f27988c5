//! A connection with a session and a share on it: what requests are sent on.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use sharemark_model::{Failure, FailureCode, Operation, Share};
use smb2::msg::echo::EchoRequest;
use smb2::msg::tree_connect::{ShareType, TreeConnectRequest, TreeConnectRequestFlags, TreeConnectResponse};
use smb2::pack::{Pack, ReadCursor, Unpack};
use smb2::types::Command;
use smb2::types::flags::ShareFlags;
use tokio::runtime::Runtime;

use crate::ServerAnswer;
use crate::answer::failure_from;
use crate::dial::{CONNECT_LIMIT, dial};

use super::exchange::Exchange;
use super::frame::Answer;
use super::greet::{Agreed, negotiate};
use super::link::Link;
use super::login::{Who, log_in};
use super::status::{self, malformed, unreadable};

/// How long each step of the way to the share took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) connect: Duration,
    pub(super) negotiate: Duration,
    pub(super) login: Duration,
    pub(super) share: Duration,
}

/// A connection with a session on it, and a share once one is entered.
pub(super) struct Lane {
    pub(super) link: Link,
    pub(super) agreed: Agreed,
    pub(super) who: Who,
    pub(super) peer: SocketAddr,
    pub(super) times: Times,
    tree: u32,
}

impl Lane {
    /// Connects and logs in.
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses.
    pub(super) fn connect(share: &Share, runtime: &Runtime) -> Result<Self, Failure> {
        let place = share.address.to_string();
        let broken = |error: &std::io::Error| failure_from(error, Operation::Connect, place.clone());
        let refused = |answer: ServerAnswer| answer.failure(Operation::Connect, place.clone());
        let dialled = runtime.block_on(dial(&share.address))?;
        let stream = dialled.stream.into_std().map_err(|error| broken(&error))?;
        stream.set_nonblocking(false).map_err(|error| broken(&error))?;
        let link = Link::new(stream).map_err(|error| broken(&error))?;
        link.limit(Some(CONNECT_LIMIT)).map_err(|error| broken(&error))?;
        let begun = Instant::now();
        let agreed = negotiate(&link, &share.wishes).map_err(refused)?;
        let negotiated = begun.elapsed();
        let begun = Instant::now();
        let who = log_in(&link, &agreed, &share.login, share.wishes.smb_signing).map_err(refused)?;
        let times = Times {
            connect: dialled.took,
            negotiate: negotiated,
            login: begun.elapsed(),
            share: Duration::ZERO,
        };
        Ok(Self { link, agreed, who, peer: dialled.peer, times, tree: 0 })
    }

    /// Enters a share: what is called from now on is called there.
    ///
    /// # Errors
    /// When there is none of that name, or this user may not enter it.
    pub(super) fn enter(&mut self, unc: &str) -> Result<ShareType, ServerAnswer> {
        let request = TreeConnectRequest { flags: TreeConnectRequestFlags(0), path: unc.to_owned() };
        let mut exchange = Exchange::new(Command::TreeConnect, 0, &request);
        // A server that speaks 3.1.1 takes it from a user only so ([MS-SMB2] 3.3.5.7).
        exchange.signed = true;
        let begun = Instant::now();
        let answer =
            succeed(self.link.call(exchange)?.0).map_err(|refused| match (refused.code, self.who) {
                // To be somebody would be the next thing to try.
                (FailureCode::NoPermission, Who::Guest | Who::Anonymous) => {
                    ServerAnswer { code: FailureCode::LoginRefused, ..refused }
                }
                _ => refused,
            })?;
        self.times.share = begun.elapsed();
        self.tree = answer.head.tree();
        let found: TreeConnectResponse = unpack(&answer)?;
        if found.share_flags.contains(ShareFlags::ENCRYPT_DATA)
            && !self.link.keys().is_some_and(super::keys::Keys::seal_from_now_on)
        {
            return Err(ServerAnswer::new(FailureCode::Encryption, "SMB2_SHAREFLAG_ENCRYPT_DATA"));
        }
        Ok(found.share_type)
    }

    /// From now on the connection may be silent for as long as it likes: who measures watches over it.
    pub(super) fn set_out(&self) -> Result<(), ServerAnswer> {
        let broken = |error: std::io::Error| ServerAnswer::new(FailureCode::ServerGone, error.to_string());
        self.link.limit(None).map_err(broken)
    }

    /// A request to the share.
    pub(super) fn exchange<'a>(&self, command: Command, body: &dyn Pack) -> Exchange<'a> {
        Exchange::new(command, self.tree, body)
    }

    /// The same from a body that is packed already.
    pub(super) fn raw<'a>(&self, command: Command, body: Vec<u8>) -> Exchange<'a> {
        Exchange::raw(command, self.tree, body)
    }

    /// Sends a request to the share; answers what the server says to it.
    ///
    /// # Errors
    /// When the server refuses, or the connection is dead.
    pub(super) fn call<T: Unpack>(&self, command: Command, body: &dyn Pack) -> Result<T, ServerAnswer> {
        unpack(&succeed(self.link.call(self.exchange(command, body))?.0)?)
    }

    /// The time of the quickest of a few answers to nothing.
    ///
    /// # Errors
    /// When the connection is dead.
    pub(super) fn round_trip(&self) -> Result<Duration, ServerAnswer> {
        const TRIES: u32 = 4;
        let mut best = Duration::MAX;
        for _ in 0..TRIES {
            let begun = Instant::now();
            succeed(self.link.call(self.exchange(Command::Echo, &EchoRequest))?.0)?;
            best = best.min(begun.elapsed());
        }
        Ok(best)
    }
}

/// The answer, if it is that of a success.
pub(super) fn succeed(answer: Answer) -> Result<Answer, ServerAnswer> {
    match answer.head.status() {
        status::SUCCESS => Ok(answer),
        other => Err(status::answer(other)),
    }
}

fn unpack<T: Unpack>(answer: &Answer) -> Result<T, ServerAnswer> {
    if answer.body.is_empty() {
        return Err(malformed("the answer is empty"));
    }
    T::unpack(&mut ReadCursor::new(&answer.body)).map_err(|error| unreadable(&error))
}
