//! ONC RPC over TCP (RFC 5531): many calls under way at once on one connection.
//!
//! A call is sent once and never again. A client that reconnects and repeats, as a mount has to, would hide a stall from
//! the measurement and write some bytes twice.

use std::collections::HashMap;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sharemark_model::FailureCode;

use super::record::{Record, Spare};
use super::trouble::Trouble;
use super::user::User;
use super::xdr::{Decoder, Encoder, padding, word};
use crate::dial::CONNECT_LIMIT;

const CALL: u32 = 0;
const REPLY: u32 = 1;
const RPC_VERSION: u32 = 2;
/// The bit of a record mark that says that no fragment follows.
const LAST_FRAGMENT: u32 = 1 << 31;

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Procedure {
    pub(super) program: u32,
    pub(super) version: u32,
    pub(super) number: u32,
}

/// A connection to one server.
#[derive(Debug)]
pub(super) struct Connection {
    writer: Mutex<TcpStream>,
    waiting: Arc<Mutex<Waiting>>,
    next: AtomicU32,
    user: User,
    /// The set-up is over: from now on an answer may take as long as it takes, and the parent watches.
    patient: AtomicBool,
}

/// The calls that wait for an answer.
#[derive(Debug, Default)]
struct Waiting {
    calls: HashMap<u32, SyncSender<Result<Record, io::Error>>>,
    /// Why no answer will come any more.
    dead: Option<ErrorKind>,
}

impl Connection {
    /// Takes over a connected stream; calls are made in the name of `user`.
    pub(super) fn new(stream: TcpStream, user: User) -> io::Result<Self> {
        let waiting = Arc::new(Mutex::new(Waiting::default()));
        let reader = stream.try_clone()?;
        let answered = Arc::clone(&waiting);
        thread::Builder::new().name("answers".into()).spawn(move || listen(reader, &answered))?;
        Ok(Self {
            writer: Mutex::new(stream),
            waiting,
            // A server may remember its answers by these numbers, and this address and port's earlier owner began somewhere.
            next: AtomicU32::new(getrandom::u32().map_err(io::Error::other)?),
            user,
            patient: AtomicBool::new(false),
        })
    }

    /// The user in whose name calls are made.
    pub(super) const fn user(&self) -> &User {
        &self.user
    }

    /// Ends the set-up's limit on how long an answer may take.
    pub(super) fn become_patient(&self) {
        self.patient.store(true, Ordering::Relaxed);
    }

    /// Whether no call can be made any more.
    pub(super) fn is_dead(&self) -> bool {
        lock(&self.waiting).dead.is_some()
    }

    /// Sends a call without waiting. `payload` follows `arguments` as the bytes of an opaque whose length `arguments`
    /// ended with; it goes out from where it lies.
    pub(super) fn send(
        &self,
        procedure: Procedure,
        arguments: &[u8],
        payload: &[u8],
    ) -> Result<Pending, Trouble> {
        let transaction = self.next.fetch_add(1, Ordering::Relaxed);
        let mut head = Encoder::new();
        // The record mark's place.
        head.u32(0).u32(transaction).u32(CALL).u32(RPC_VERSION);
        head.u32(procedure.program).u32(procedure.version).u32(procedure.number);
        self.user.write_to(&mut head);
        head.fixed(arguments);
        let padding = &[0; 3][..padding(payload.len())];
        let length = head.bytes().len() - 4 + payload.len() + padding.len();
        let mut head = head.bytes().to_vec();
        head[..4].copy_from_slice(&(LAST_FRAGMENT | word(length)).to_be_bytes());

        let (sender, receiver) = sync_channel(1);
        {
            let mut waiting = lock(&self.waiting);
            if let Some(kind) = waiting.dead {
                return Err(io::Error::from(kind).into());
            }
            waiting.calls.insert(transaction, sender);
        }
        let mut writer = lock(&self.writer);
        if let Err(error) = write_all(&mut writer, [&head, payload, padding]) {
            // After a part of a record nothing else can be sent.
            writer.shutdown(Shutdown::Both).ok();
            lock(&self.waiting).calls.remove(&transaction);
            return Err(error.into());
        }
        drop(writer);
        Ok(Pending { receiver, patient: self.patient.load(Ordering::Relaxed) })
    }

    /// Sends a call and waits for its answer.
    pub(super) fn call(&self, procedure: Procedure, arguments: &Encoder) -> Result<Reply, Trouble> {
        self.send(procedure, arguments.bytes(), &[])?.wait()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The thread that listens ends with it.
        lock(&self.writer).shutdown(Shutdown::Both).ok();
    }
}

/// A call under way.
#[derive(Debug)]
pub(super) struct Pending {
    receiver: Receiver<Result<Record, io::Error>>,
    patient: bool,
}

impl Pending {
    /// Waits for the answer.
    pub(super) fn wait(self) -> Result<Reply, Trouble> {
        if !self.patient {
            return self.wait_within(CONNECT_LIMIT);
        }
        Reply::new(self.receiver.recv().map_err(|_| gone())??)
    }

    /// Waits for the answer, but no longer than `limit`.
    pub(super) fn wait_within(self, limit: Duration) -> Result<Reply, Trouble> {
        let answer = self.receiver.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => Trouble::Transport(ErrorKind::TimedOut.into()),
            RecvTimeoutError::Disconnected => gone(),
        })?;
        Reply::new(answer?)
    }
}

/// What a procedure answered.
#[derive(Debug)]
pub(super) struct Reply {
    record: Record,
    results: usize,
}

impl Reply {
    fn new(record: Record) -> Result<Self, Trouble> {
        let whole = record.bytes();
        let mut decoder = Decoder::new(whole);
        // The transaction's number and the message's type have been looked at.
        decoder.fixed(8)?;
        if decoder.u32()? != 0 {
            return Err(denied(&mut decoder)?);
        }
        // The server's verifier means nothing in AUTH_SYS.
        decoder.u32()?;
        decoder.opaque()?;
        match decoder.u32()? {
            0 => {
                let results = whole.len() - decoder.left();
                Ok(Self { record, results })
            }
            1 => Err(Trouble::Refused(FailureCode::Version, "RPC PROG_UNAVAIL (1)".into())),
            2 => {
                let text = format!("RPC PROG_MISMATCH (2): {}-{}", decoder.u32()?, decoder.u32()?);
                Err(Trouble::Refused(FailureCode::Version, text))
            }
            3 => Err(Trouble::Refused(FailureCode::Unsupported, "RPC PROC_UNAVAIL (3)".into())),
            4 => Err(Trouble::Refused(FailureCode::Protocol, "RPC GARBAGE_ARGS (4)".into())),
            5 => Err(Trouble::Refused(FailureCode::InputOutput, "RPC SYSTEM_ERR (5)".into())),
            _ => Err(Trouble::Malformed("RPC: accept_stat")),
        }
    }

    /// The procedure's results.
    pub(super) fn results(&self) -> Decoder<'_> {
        Decoder::new(&self.record.bytes()[self.results..])
    }
}

/// Why a call was denied before any procedure saw it.
fn denied(decoder: &mut Decoder<'_>) -> Result<Trouble, Trouble> {
    if decoder.u32()? == 0 {
        return Ok(Trouble::Refused(FailureCode::Version, "RPC RPC_MISMATCH (0)".into()));
    }
    let number = decoder.u32()?;
    let name = match number {
        1 => "BADCRED",
        2 => "REJECTEDCRED",
        3 => "BADVERF",
        4 => "REJECTEDVERF",
        // Among others what a server says to an ordinary source port where it wants a privileged one.
        5 => "TOOWEAK",
        7 => "FAILED",
        _ => "",
    };
    Ok(Trouble::Refused(FailureCode::NoPermission, format!("RPC AUTH_{name} ({number})")))
}

fn gone() -> Trouble {
    Trouble::Transport(ErrorKind::ConnectionAborted.into())
}

fn write_all(stream: &mut TcpStream, parts: [&[u8]; 3]) -> io::Result<()> {
    let mut slices = parts.map(IoSlice::new);
    let mut slices = &mut slices[..];
    IoSlice::advance_slices(&mut slices, 0);
    while !slices.is_empty() {
        match stream.write_vectored(slices) {
            Ok(0) => return Err(ErrorKind::BrokenPipe.into()),
            Ok(count) => IoSlice::advance_slices(&mut slices, count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Hands every answer to who waits for it, until the connection ends; then tells everybody.
fn listen(mut stream: TcpStream, waiting: &Mutex<Waiting>) {
    let spare = Arc::new(Spare::default());
    let kind = loop {
        match read_answer(&mut stream, &spare) {
            Ok((transaction, record)) => {
                // A call of the server's own counts as it likes, and answers none of ours.
                let Some(record) = record else { continue };
                if let Some(caller) = lock(waiting).calls.remove(&transaction) {
                    caller.send(Ok(record)).ok();
                }
            }
            // The other side closed: an end of file would be taken for the file's.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break ErrorKind::ConnectionReset,
            Err(error) => break error.kind(),
        }
    };
    stream.shutdown(Shutdown::Both).ok();
    let mut waiting = lock(waiting);
    waiting.dead = Some(kind);
    for (_, caller) in waiting.calls.drain() {
        caller.send(Err(kind.into())).ok();
    }
}

/// The next message: an answer with its transaction's number, or something that is none.
fn read_answer(stream: &mut impl Read, spare: &Arc<Spare>) -> io::Result<(u32, Option<Record>)> {
    let mut record = Spare::take(spare);
    loop {
        let mut mark = [0; 4];
        stream.read_exact(&mut mark)?;
        let mark = u32::from_be_bytes(mark);
        let length = (mark & !LAST_FRAGMENT) as usize;
        record.read_more(stream, length)?;
        if mark & LAST_FRAGMENT != 0 {
            break;
        }
        if length == 0 {
            // Such could come for ever.
            return Err(ErrorKind::InvalidData.into());
        }
    }
    let mut decoder = Decoder::new(record.bytes());
    let (Ok(transaction), Ok(kind)) = (decoder.u32(), decoder.u32()) else {
        return Err(ErrorKind::InvalidData.into());
    };
    Ok((transaction, (kind == REPLY).then_some(record)))
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
