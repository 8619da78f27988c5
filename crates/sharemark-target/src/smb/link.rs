//! One connection. Requests go out from the threads that make them; of the threads that wait for answers, one reads the
//! socket for all. When a READ's answer comes, its owner takes over the reading, so that the bytes go from the system
//! straight into their block, and passes it on when they are there. Nothing waits but for the server.

use std::io::{self, ErrorKind, IoSlice, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use sharemark_model::FailureCode;
use smb2::msg::Header;
use smb2::pack::{Pack, WriteCursor};
use smb2::types::flags::HeaderFlags;
use smb2::types::{CreditCharge, MessageId, SessionId, TreeId};

use crate::ServerAnswer;

use super::exchange::{Exchange, PER_CREDIT};
use super::frame::{Answer, HEADER, Next, Reader};
use super::keys::Keys;
use super::queue::{Arrival, Queue, Slot};
use super::seal::Sealer;
use super::signing::By;
use super::status::{self, malformed};

/// The credits that are asked for: what Samba and Windows give at most unless told otherwise.
const CREDITS: u32 = 8192;
/// An answer up to this length is read by whoever reads; a longer one by its owner. A READ's of 4 KiB is a short one.
const SHORT: usize = 4096 + 64;

/// A connection to a server, with or without a session on it.
pub(super) struct Link {
    socket: TcpStream,
    /// Held while a message goes out.
    out: Mutex<()>,
    queue: Mutex<Queue>,
    session: AtomicU64,
    keys: OnceLock<Keys>,
    /// The dialect has credits of many to a request; without, a request costs one.
    large: OnceLock<bool>,
}

impl Link {
    pub(super) fn new(socket: TcpStream) -> io::Result<Self> {
        let reader = Reader::new(socket.try_clone()?);
        let queue = Queue::new(reader);
        Ok(Self {
            socket,
            out: Mutex::new(()),
            queue: Mutex::new(queue),
            session: AtomicU64::new(0),
            keys: OnceLock::new(),
            large: OnceLock::new(),
        })
    }

    /// Sets how long nothing may come before the connection counts as dead.
    pub(super) fn limit(&self, limit: Option<Duration>) -> io::Result<()> {
        self.socket.set_read_timeout(limit)?;
        self.socket.set_write_timeout(limit)
    }

    /// Says that requests may cost more than one credit from now on, or may not.
    pub(super) fn set_large(&self, large: bool) {
        self.large.get_or_init(|| large);
    }

    pub(super) fn set_session(&self, session: u64) {
        self.session.store(session, Ordering::Release);
    }

    /// Protects the session from now on.
    pub(super) fn protect(&self, keys: Keys) {
        self.keys.get_or_init(|| keys);
    }

    pub(super) fn keys(&self) -> Option<&Keys> {
        self.keys.get()
    }

    /// Credits that the server gave, in use or not.
    pub(super) fn credits(&self) -> u32 {
        let queue = lock(&self.queue);
        queue.available + queue.spent
    }

    /// The longest block that one request can carry: what the server takes, and its credits pay for.
    pub(super) fn longest(&self, server: u32) -> usize {
        let paid = match self.large.get() {
            Some(true) => self.credits().max(1).saturating_mul(PER_CREDIT),
            _ => PER_CREDIT,
        };
        // A message's length has 24 bits.
        server.min(paid).min(8 << 20) as usize
    }

    /// Sends a request and waits for its answer, whatever its status.
    ///
    /// # Errors
    /// When the connection is dead, or an answer is not what its sender signed.
    pub(super) fn call(&self, mut exchange: Exchange<'_>) -> Result<(Answer, Vec<u8>), ServerAnswer> {
        self.exchange(std::slice::from_mut(&mut exchange))?;
        let answer = exchange.answer.ok_or_else(|| malformed("no answer"))?;
        Ok((answer, exchange.sent))
    }

    /// Sends requests one behind the other and waits for all their answers.
    ///
    /// # Errors
    /// When the connection is dead, or an answer is not what its sender signed.
    pub(super) fn exchange(&self, exchanges: &mut [Exchange<'_>]) -> Result<(), ServerAnswer> {
        let bell = Arc::new(Condvar::new());
        let sent = self.send_all(exchanges, &bell);
        let done = |_: &Queue, exchanges: &[Exchange<'_>]| !exchanges.iter().any(Exchange::is_waited_for);
        sent.and_then(|()| self.attend(exchanges, &bell, done).map(drop))?;
        exchanges.iter_mut().try_for_each(|exchange| self.check(exchange))
    }

    fn send_all(&self, exchanges: &mut [Exchange<'_>], bell: &Arc<Condvar>) -> Result<(), ServerAnswer> {
        for index in 0..exchanges.len() {
            let charge = exchanges[index].charge();
            let affordable =
                |queue: &Queue, _: &[Exchange<'_>]| queue.available >= charge || queue.spent == 0;
            let mut queue = self.attend(exchanges, bell, affordable)?;
            if queue.available < charge {
                let given = queue.available;
                let text = format!("the server gives {given} credits where {charge} are needed");
                drop(queue);
                return Err(self.die(&malformed(text).into()));
            }
            let large = self.large.get().copied().unwrap_or(false);
            let message = queue.next_message;
            queue.next_message += u64::from(charge);
            queue.available -= charge;
            queue.spent += charge;
            let wanted = CREDITS.saturating_sub(queue.available + queue.spent) + charge;
            let slot = Slot { bell: Arc::clone(bell), charge, arrival: Arrival::Awaited };
            queue.slots.insert(message, slot);
            drop(queue);

            let exchange = &mut exchanges[index];
            exchange.message = Some(message);
            let mut header = Header::new_request(exchange.command);
            header.message_id = MessageId(message);
            header.session_id = SessionId(self.session.load(Ordering::Acquire));
            header.tree_id = Some(TreeId(exchange.tree));
            header.credits = u16::try_from(wanted).unwrap_or(u16::MAX);
            header.credit_charge =
                CreditCharge(if large { u16::try_from(charge).unwrap_or(u16::MAX) } else { 0 });
            self.send(exchange, header)?;
        }
        Ok(())
    }

    fn send(&self, exchange: &mut Exchange<'_>, mut header: Header) -> Result<(), ServerAnswer> {
        let message = header.message_id.0;
        let keys = self.keys.get();
        let sealer = keys.filter(|keys| keys.seals()).and_then(|keys| keys.sealer.as_ref());
        let signer = keys.filter(|keys| sealer.is_none() && (keys.sign_all || exchange.signed));
        let signer = signer.and_then(|keys| keys.signer.as_ref());
        if signer.is_some() {
            header.flags |= HeaderFlags::new(HeaderFlags::SIGNED);
        }
        let mut packed = WriteCursor::with_capacity(HEADER + exchange.body.len());
        header.pack(&mut packed);
        packed.write_bytes(&exchange.body);
        exchange.sent = packed.into_inner();
        if let Some(signer) = signer {
            let signature = signer.sign(&[&exchange.sent, exchange.payload], message, By::Client);
            exchange.sent[48..64].copy_from_slice(&signature);
        }
        let sealed = sealer.map(|sealer| sealer.seal(&[&exchange.sent, exchange.payload])).transpose();
        let sealed = sealed.map_err(|answer| self.die(&answer.into()))?;
        let pieces: [&[u8]; 2] = match &sealed {
            Some(sealed) => [sealed, &[]],
            None => [&exchange.sent, exchange.payload],
        };
        let length = u32::try_from(pieces[0].len() + pieces[1].len()).unwrap_or(u32::MAX).to_be_bytes();
        let turn = lock(&self.out);
        let sent = write_all(&self.socket, &[&length, pieces[0], pieces[1]]);
        drop(turn);
        sent.map_err(|error| self.die(&error))
    }

    /// Takes part in the reading until `enough`; answers what came for `exchanges` meanwhile.
    fn attend(
        &self,
        exchanges: &mut [Exchange<'_>],
        bell: &Arc<Condvar>,
        enough: impl Fn(&Queue, &[Exchange<'_>]) -> bool,
    ) -> Result<MutexGuard<'_, Queue>, ServerAnswer> {
        let mut reading: Option<Reader> = None;
        let mut queue = lock(&self.queue);
        'look: loop {
            for exchange in exchanges.iter_mut().filter(|exchange| exchange.is_waited_for()) {
                let Some(slot) = exchange.message.and_then(|message| queue.slots.get_mut(&message)) else {
                    continue;
                };
                let answer = match std::mem::replace(&mut slot.arrival, Arrival::Taken) {
                    Arrival::Here(answer) => answer,
                    Arrival::AtTheDoor(reader, next) => {
                        drop(queue);
                        let taken = self.take_in(reader, &next, exchange);
                        let (answer, reader) = taken.map_err(|error| self.die(&error))?;
                        reading = reader;
                        queue = lock(&self.queue);
                        queue.settle(&answer);
                        exchange.answer = Some(answer);
                        // Meanwhile another may have come for one that was looked at already.
                        continue 'look;
                    }
                    other => {
                        slot.arrival = other;
                        continue;
                    }
                };
                queue.settle(&answer);
                exchange.answer = Some(answer);
            }
            if let Some(dead) = &queue.dead {
                return Err(dead.clone());
            }
            if enough(&queue, exchanges) {
                queue.leave(reading);
                return Ok(queue);
            }
            if let Some(reader) = reading.take().or_else(|| queue.reader.take()) {
                drop(queue);
                reading = self.read_one(reader, exchanges).map_err(|error| self.die(&error))?;
                queue = lock(&self.queue);
                continue;
            }
            let first = exchanges.iter().filter(|exchange| exchange.is_waited_for());
            let place = first.filter_map(|exchange| exchange.message).min();
            if place.is_none() || exchanges.iter().any(|exchange| exchange.message.is_none()) {
                queue.hungry.push(Arc::clone(bell));
            }
            // Who waits for credits alone comes behind all who wait for an answer.
            let place = place.unwrap_or(u64::MAX - Arc::as_ptr(bell) as u64);
            queue.asleep.insert(place, Arc::clone(bell));
            queue.sleepers.push(Arc::clone(bell));
            queue = bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.sleepers.retain(|sleeper| !Arc::ptr_eq(sleeper, bell));
            queue.asleep.remove(&place);
        }
    }

    /// Reads one message and gives it to its owner; the reader comes back unless the owner has it now.
    fn read_one(&self, mut reader: Reader, own: &[Exchange<'_>]) -> io::Result<Option<Reader>> {
        let next = reader.next()?;
        let (message, length) = match &next {
            Next::Plain(begun) => (begun.head.message(), begun.rest),
            Next::Sealed(sealed) => (self.sealer()?.claims(sealed), sealed.length()),
        };
        let mine = own.iter().any(|exchange| exchange.message == Some(message));
        let mut queue = lock(&self.queue);
        let sleeps = queue.sleeps(message);
        let hands_over = match &next {
            Next::Plain(begun) => !begun.head.is_interim() && (mine || (sleeps && length > SHORT)),
            // What a short one says shows only when it is open.
            Next::Sealed(_) => (mine || sleeps) && length > SHORT,
        };
        if let Some(slot) = queue.slots.get_mut(&message).filter(|slot| hands_over && slot.is_awaited()) {
            let bell = Arc::clone(&slot.bell);
            let head = match &next {
                Next::Plain(begun) => Some(begun.head),
                // What it brings shows when its owner has opened it, who does so at once.
                Next::Sealed(_) => None,
            };
            slot.arrival = Arrival::AtTheDoor(reader, next);
            if let Some(head) = head {
                queue.arrive(&head);
            }
            bell.notify_one();
            return Ok(None);
        }
        drop(queue);
        let answer = match &next {
            Next::Plain(begun) => reader.finish(begun, None)?,
            Next::Sealed(sealed) => {
                let sealer = self.sealer()?;
                let mut bytes = sealer.room(sealed.length());
                reader.take_up(sealed, &mut bytes)?;
                sealer.open(&sealed.transform, &mut bytes)?;
                Answer::opened(&bytes, None)?
            }
        };
        lock(&self.queue).deliver(answer);
        Ok(Some(reader))
    }

    /// Reads the answer to an exchange. The reader comes back unless it was left to others: they read on while an
    /// encrypted answer is opened.
    fn take_in(
        &self,
        mut reader: Reader,
        next: &Next,
        exchange: &mut Exchange<'_>,
    ) -> io::Result<(Answer, Option<Reader>)> {
        let into = exchange.into.as_deref_mut();
        let sealed = match next {
            Next::Plain(begun) => return Ok((reader.finish(begun, into)?, Some(reader))),
            Next::Sealed(sealed) => sealed,
        };
        let sealer = self.sealer()?;
        let mut bytes = sealer.room(sealed.length());
        reader.take_up(sealed, &mut bytes)?;
        lock(&self.queue).leave(Some(reader));
        sealer.open(&sealed.transform, &mut bytes)?;
        let answer = Answer::opened(&bytes, into)?;
        // It is what it claimed to be, and the last word: no server says at such length that it is at work.
        if exchange.message != Some(answer.head.message()) || answer.head.is_interim() {
            return Err(ErrorKind::InvalidData.into());
        }
        Ok((answer, None))
    }

    /// What opens encrypted messages; without it, there should be none.
    fn sealer(&self) -> io::Result<&Sealer> {
        let sealer = self.keys.get().and_then(|keys| keys.sealer.as_ref());
        sealer.ok_or_else(|| ErrorKind::InvalidData.into())
    }

    /// Looks whether an answer is what the server sent, and puts a READ's bytes where they belong.
    fn check(&self, exchange: &mut Exchange<'_>) -> Result<(), ServerAnswer> {
        let Some(answer) = &mut exchange.answer else { return Ok(()) };
        if answer.head.command() != u16::from(exchange.command) {
            return Err(malformed("the answer is to another request"));
        }
        let signed = exchange.sent.get(16).is_some_and(|flags| u32::from(*flags) & HeaderFlags::SIGNED != 0);
        let keys = self.keys.get();
        let sealed = keys.is_some_and(Keys::seals);
        // A session that the server has forgotten has no keys there any more.
        let forgotten = [status::USER_SESSION_DELETED, status::NETWORK_SESSION_EXPIRED];
        if let (true, false) = (signed || sealed, forgotten.contains(&answer.head.status())) {
            let data = exchange.into.as_deref().and_then(|into| into.get(..answer.read)).unwrap_or_default();
            let pieces = [&answer.head.unsigned()[..], &answer.body, data, &answer.tail];
            let signer = keys.and_then(|keys| keys.signer.as_ref());
            let genuine = answer.opened
                || signer.filter(|_| !sealed || signed).is_some_and(|signer| {
                    signer.sign(&pieces, answer.head.message(), By::Server) == answer.head.signature()
                });
            if !genuine {
                return Err(malformed("the answer's signature is wrong"));
            }
        }
        match &mut exchange.into {
            Some(into) => answer.fill(into).map_err(|error| malformed(error.to_string())),
            None => Ok(()),
        }
    }

    /// Ends the connection: whoever waits, and whoever comes later, is answered with the reason.
    fn die(&self, error: &io::Error) -> ServerAnswer {
        let mut queue = lock(&self.queue);
        let answer = queue.dead.get_or_insert_with(|| reason(error)).clone();
        for bell in queue.asleep.values().chain(queue.slots.values().map(|slot| &slot.bell)) {
            bell.notify_one();
        }
        drop(queue);
        // Wakes who is reading or writing; a socket that is closed already needs none.
        self.socket.shutdown(Shutdown::Both).ok();
        answer
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.socket.shutdown(Shutdown::Both).ok();
    }
}

/// What an error of the socket says of the server.
fn reason(error: &io::Error) -> ServerAnswer {
    if let Some(answer) = error.get_ref().and_then(|inner| inner.downcast_ref::<ServerAnswer>()) {
        return answer.clone();
    }
    match error.kind() {
        ErrorKind::InvalidData => malformed("the server's message is none of SMB 2 or 3"),
        // The other side closed; the library's own words for it tell of a buffer that was not filled.
        ErrorKind::UnexpectedEof => {
            ServerAnswer::new(FailureCode::ServerGone, ErrorKind::ConnectionReset.to_string())
        }
        // A socket's time limit is told so.
        ErrorKind::WouldBlock => ServerAnswer::new(FailureCode::ServerGone, ErrorKind::TimedOut.to_string()),
        _ => ServerAnswer::new(FailureCode::ServerGone, error.to_string()),
    }
}

fn write_all(mut socket: &TcpStream, pieces: &[&[u8]]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    // Goes past pieces that are empty.
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        match socket.write_vectored(rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut rest, count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
