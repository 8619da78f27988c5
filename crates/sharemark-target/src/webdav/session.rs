//! What all requests of one job share: the server, the login and the connections that wait for their next request.

use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustls::ClientConfig;
use sharemark_model::{Address, Failure, FailureCode, Login, Operation, Protocol, Share};

use super::connection::{Connection, Made};
use super::http::{Body, Head, protocol};
use super::login::Proof;
use super::{status, tls};
use crate::ServerAnswer;
use crate::dial::in_batches;

/// A listing that is longer is none of a folder of sharemark's.
const BODY_LIMIT: usize = 16 << 20;
/// A nonce may become stale between two requests, and for a server that wants its uses in their order each time another
/// connection was quicker; but not over and over.
const LOGINS: u32 = 8;

/// A request whose body, if any, is known before.
pub(super) struct Request<'a> {
    pub(super) method: &'static str,
    pub(super) target: &'a str,
    pub(super) headers: &'a [(&'static str, &'a str)],
    pub(super) body: &'a str,
    /// When the whole answer has to be there, however often the server asks for a login before.
    pub(super) until: Option<Instant>,
}

impl<'a> Request<'a> {
    /// A request without headers of its own, without a body and without a limit.
    pub(super) const fn new(method: &'static str, target: &'a str) -> Self {
        Self { method, target, headers: &[], body: "", until: None }
    }
}

/// An answer whose body is still to be read.
pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) head: Head,
    pub(super) body: Body,
}

/// A server that listened a moment ago and does not now is gone.
fn gone(failure: Failure) -> Failure {
    match failure.code {
        FailureCode::Refused => Failure { code: FailureCode::ServerGone, ..failure },
        _ => failure,
    }
}

/// See the module.
pub(super) struct Session {
    address: Address,
    /// The `Host` header's value.
    authority: String,
    tls: Option<Arc<ClientConfig>>,
    login: Login,
    proof: Mutex<Proof>,
    idle: Mutex<Vec<Connection>>,
    /// The address that the first connection went to: the others follow it.
    peer: Mutex<Option<SocketAddr>>,
    /// The server says nothing to `Expect: 100-continue`, or refuses it.
    ignores_expect: AtomicBool,
}

impl Session {
    pub(super) fn new(share: &Share) -> Result<Self, Failure> {
        let address = share.address.clone();
        let host =
            if address.host.contains(':') { format!("[{}]", address.host) } else { address.host.clone() };
        let authority = match address.port {
            Some(port) if port != address.protocol.port() => format!("{host}:{port}"),
            _ => host,
        };
        let tls = match address.protocol {
            Protocol::Webdavs => Some(tls::configuration(share.wishes.ca_file.as_deref())?),
            _ => None,
        };
        let login = share.login.clone();
        // They become a part of a header, where a new line would begin another one.
        if [&login.user, &login.domain].into_iter().flatten().any(|name| name.contains(char::is_control)) {
            return Err(Failure::new(FailureCode::LoginRefused, Operation::Connect, address.to_string()));
        }
        Ok(Self {
            address,
            authority,
            tls,
            login,
            proof: Mutex::default(),
            idle: Mutex::default(),
            peer: Mutex::default(),
            ignores_expect: AtomicBool::new(false),
        })
    }

    /// How the server wanted to be asked: the name used in the report.
    pub(super) fn login_name(&self) -> &'static str {
        lock(&self.proof).name()
    }

    /// What was seen when a connection was made; `None` without one.
    pub(super) fn made(&self) -> Option<Made> {
        lock(&self.idle).first().map(|connection| connection.made.clone())
    }

    /// A new connection.
    pub(super) fn connect(&self) -> Result<Connection, Failure> {
        let peer = *lock(&self.peer);
        let connection = match peer {
            Some(peer) => {
                let address =
                    Address { host: host_of(peer), port: Some(peer.port()), ..self.address.clone() };
                Connection::open(&address, &self.address.host, self.tls.as_ref()).map_err(gone)?
            }
            None => Connection::open(&self.address, &self.address.host, self.tls.as_ref())?,
        };
        *lock(&self.peer) = Some(connection.made.peer);
        Ok(connection)
    }

    /// Makes connections until this many wait, or are in use by the caller.
    pub(super) fn warm(&self, count: usize) -> io::Result<()> {
        let missing = count.saturating_sub(lock(&self.idle).len());
        let made = in_batches(missing, || self.connect()).map_err(as_error)?;
        lock(&self.idle).extend(made);
        Ok(())
    }

    /// Whether the server was found not to know `Expect`.
    pub(super) fn ignores_expect(&self) -> bool {
        self.ignores_expect.load(Ordering::Relaxed)
    }

    pub(super) fn note_ignores_expect(&self) {
        self.ignores_expect.store(true, Ordering::Relaxed);
    }

    /// Keeps a connection that has carried no request yet.
    pub(super) fn keep(&self, connection: Connection) {
        lock(&self.idle).push(connection);
    }

    fn idle(&self) -> io::Result<Connection> {
        loop {
            let waiting = lock(&self.idle).pop();
            let Some(mut connection) = waiting else { return self.connect().map_err(as_error) };
            if !connection.is_stale() {
                return Ok(connection);
            }
        }
    }

    /// Keeps the connection for the next request, if the server keeps it.
    pub(super) fn give_back(&self, connection: Connection, body: &Body) {
        if body.reusable() {
            lock(&self.idle).push(connection);
        }
    }

    /// The head of a request, with the login as far as the server has asked for one.
    pub(super) fn head(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> String {
        let mut head = format!(
            "{method} {target} HTTP/1.1\r\nHost: {}\r\nUser-Agent: sharemark/{}\r\nAccept-Encoding: identity\r\n",
            self.authority,
            env!("CARGO_PKG_VERSION"),
        );
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").ok();
        }
        if let Some(value) = lock(&self.proof).header(&self.login, method, target) {
            write!(head, "Authorization: {value}\r\n").ok();
        }
        head.push_str("\r\n");
        head
    }

    /// Takes from a `401` how to log in; answers whether another try makes sense. `attempt` counts from 1.
    pub(super) fn learn(&self, head: &Head, attempt: u32) -> bool {
        if head.status != 401 || attempt >= LOGINS || self.login.user.is_none() {
            return false;
        }
        let Some(offer) = Proof::of(head.all("www-authenticate")) else { return false };
        let mut proof = lock(&self.proof);
        // Whoever answers instead of the server, or a server that changed its mind, does not get the password itself.
        if matches!((&*proof, &offer), (Proof::Digest(_), Proof::Basic)) {
            return false;
        }
        // What was refused once is refused again, unless only the nonce was too old. Whether the nonce was an old one is
        // known to be so only where it had been used before.
        let again = match (&*proof, &offer) {
            (Proof::None, _) | (Proof::Basic, Proof::Digest(_)) => true,
            (Proof::Digest(_), Proof::Digest(new)) => new.stale() || attempt == 1,
            _ => false,
        };
        *proof = offer;
        again
    }

    /// Sends a request, logs in if the server asks for it, and reads the answer's head.
    pub(super) fn open(&self, request: &Request<'_>) -> io::Result<Opened> {
        let length = request.body.len().to_string();
        let mut headers = request.headers.to_vec();
        if !request.body.is_empty() {
            headers.extend([("Content-Type", "application/xml; charset=utf-8"), ("Content-Length", &length)]);
        }
        let mut attempt = 1;
        loop {
            let mut connection = self.idle()?;
            let used = connection.used;
            let head = self.head(request.method, request.target, &headers);
            let head = match connection.ask(&head, request.body, request.until) {
                Ok(head) => head,
                // The server may close an idle connection just when it is used: the next one is not that old. A folder is
                // not made twice.
                Err(error) if used && request.method != "MKCOL" && is_broken(&error) => continue,
                Err(error) => return Err(error),
            };
            let body = head.body(request.method)?;
            if self.learn(&head, attempt) {
                attempt += 1;
                self.discard_until(connection, body, request.until);
                continue;
            }
            return Ok(Opened { connection, head, body });
        }
    }

    /// Sends a request and reads the whole answer.
    pub(super) fn ask(&self, request: &Request<'_>) -> io::Result<(Head, Vec<u8>)> {
        let Opened { mut connection, head, mut body } = self.open(request)?;
        let (mut all, mut part) = (Vec::new(), [0; 16 << 10]);
        loop {
            match connection.read(&mut body, &mut part, request.until)? {
                0 => break,
                count => all.extend_from_slice(&part[..count]),
            }
            if all.len() > BODY_LIMIT {
                return Err(protocol(format!("{}: {} B", request.method, all.len())));
            }
        }
        self.give_back(connection, &body);
        Ok((head, all))
    }

    /// Reads what is left of an answer that nobody needs, so that the connection can be used again; a long one is not
    /// worth it.
    pub(super) fn discard(&self, connection: Connection, body: Body) {
        self.discard_until(connection, body, None);
    }

    fn discard_until(&self, mut connection: Connection, mut body: Body, until: Option<Instant>) {
        let mut part = [0; 16 << 10];
        if connection.read(&mut body, &mut part, until).is_ok() {
            self.give_back(connection, &body);
        }
    }

    /// Sends a request that has to succeed.
    pub(super) fn expect(&self, request: &Request<'_>) -> io::Result<(Head, Vec<u8>)> {
        let (head, body) = self.ask(request)?;
        if head.succeeded() { Ok((head, body)) } else { Err(status::refusal_with(&head, &body)) }
    }
}

/// A peer as a host that is resolved to itself.
fn host_of(peer: SocketAddr) -> String {
    match peer {
        SocketAddr::V6(v6) if v6.scope_id() != 0 => format!("{}%{}", v6.ip(), v6.scope_id()),
        _ => peer.ip().to_string(),
    }
}

fn is_broken(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset)
}

pub(super) fn as_error(failure: Failure) -> io::Error {
    ServerAnswer::new(failure.code, failure.system.unwrap_or_default()).into()
}

/// What a thread that panicked left behind is as good as before: nothing here is changed in steps.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::sync::mpsc;
    use std::time::Duration;

    use sharemark_model::Wishes;

    use super::*;

    fn session(peer: SocketAddr) -> Session {
        let address = Address::of(&format!("webdav://{peer}/").parse().unwrap()).unwrap().unwrap().address;
        Session::new(&Share { address, login: Login::default(), wishes: Wishes::default() }).unwrap()
    }

    #[test]
    fn a_limit_holds_for_the_answers_body_as_well() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let peer = listener.local_addr().unwrap();
        let (release, released) = mpsc::channel::<()>();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            assert!(stream.read(&mut [0; 4096]).unwrap() > 0);
            stream.write_all(b"HTTP/1.1 207 Multi-Status\r\nContent-Length: 100\r\n\r\n<").unwrap();
            // Without a limit, the connection's end is what ends it.
            released.recv_timeout(Duration::from_secs(10)).ok();
        });
        let until = Some(Instant::now() + Duration::from_millis(300));
        let error = session(peer).ask(&Request { until, ..Request::new("PROPFIND", "/") }).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(release);
        server.join().unwrap();
    }
}
