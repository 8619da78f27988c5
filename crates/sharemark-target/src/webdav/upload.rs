//! Writing a file: one PUT whose body grows block by block.

use std::io::{self, ErrorKind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use sharemark_model::{FailureCode, WriteMode};

use super::connection::Connection;
use super::http::Head;
use super::session::{Request, Session, as_error, lock};
use super::status;
use crate::{ServerAnswer, WriteFile, WriteOptions};

/// How long a server may take to say `100 Continue` (RFC 9110, 10.1.1: nobody waits for ever, as many servers never do).
const CONTINUE_LIMIT: Duration = Duration::from_secs(2);
/// Smaller files are not asked about before: no server has a lower limit unless by mistake, and it still says so.
const ASK_FROM: u64 = 1 << 20;

/// As much of the words of a refusal is read, for as long.
const WORDS: usize = 4096;
const WORDS_LIMIT: Duration = Duration::from_secs(1);

/// A file that is being written.
pub(super) struct Upload {
    state: Mutex<State>,
    turn: Condvar,
}

struct State {
    /// `None` once the server has answered or the connection has broken.
    connection: Option<Connection>,
    next: u64,
    first: bool,
    refused: Option<ServerAnswer>,
}

impl Upload {
    /// Begins a new file.
    ///
    /// # Errors
    /// When something is there already, or the server refuses the file before its first byte.
    pub(super) fn begin(session: &Session, target: &str, options: &WriteOptions) -> io::Result<Self> {
        // The condition of the request below is what makes it exclusive; some servers do not look at it.
        let (head, _) = session.ask(&Request::new("HEAD", target))?;
        match head.status {
            404 | 410 => {}
            200..300 => return Err(ErrorKind::AlreadyExists.into()),
            _ => return Err(status::refusal(&head)),
        }
        let answers = options.size.0 <= ASK_FROM || ask_for_size(session, target, options.size.0)?;
        // The phase may end before the size is reached, so that the length is not known.
        let connection =
            propose(session, target, ("Transfer-Encoding", "chunked"), answers, |proposal| match proposal {
                Proposal::Go(connection) | Proposal::Silence(connection) => Ok(connection),
                Proposal::Final(mut connection, head) => Err(refusal_in_full(&mut connection, &head)),
            })?;
        let state = State { connection: Some(connection), next: 0, first: true, refused: None };
        Ok(Self { state: Mutex::new(state), turn: Condvar::new() })
    }
}

/// What became of a request whose body is to follow.
enum Proposal {
    Go(Connection),
    Silence(Connection),
    Final(Connection, Head),
}

/// Whether the server takes a file of that size, before a byte of it is sent: a chunked body has no length that it could
/// refuse. The request is given up as soon as the server has answered, and what it may have left is removed. Answers
/// whether the server understands `Expect`.
fn ask_for_size(session: &Session, target: &str, size: u64) -> io::Result<bool> {
    let length = size.to_string();
    let answers = propose(session, target, ("Content-Length", &length), true, |proposal| match proposal {
        Proposal::Go(connection) => {
            connection.finish(CONTINUE_LIMIT);
            Ok(true)
        }
        Proposal::Silence(connection) => {
            connection.finish(CONTINUE_LIMIT);
            Ok(false)
        }
        // It has taken an empty file for the whole: the file is removed below.
        Proposal::Final(_, head) if head.succeeded() => Ok(true),
        Proposal::Final(mut connection, head) => Err(refusal_in_full(&mut connection, &head)),
    })?;
    let (head, body) = session.ask(&Request::new("DELETE", target))?;
    // A server on which nothing can be removed is found out before anything is there.
    if head.succeeded() || matches!(head.status, 404 | 409 | 410) {
        Ok(answers)
    } else {
        Err(status::refusal_with(&head, &body))
    }
}

/// Sends the head of a PUT, logs in if the server asks for it, and goes on by what the server says of it.
fn propose<T>(
    session: &Session,
    target: &str,
    framing: (&str, &str),
    mut expect: bool,
    then: impl FnOnce(Proposal) -> io::Result<T>,
) -> io::Result<T> {
    let mut attempt = 1;
    loop {
        // A connection of its own: after a final answer nobody knows whether the server waits for the body.
        let mut connection = session.connect().map_err(as_error)?;
        let mut headers = vec![("If-None-Match", "*"), ("Content-Type", "application/octet-stream"), framing];
        if !expect || session.ignores_expect() {
            let head = session.head("PUT", target, &headers);
            connection.begin(&head)?;
            return then(Proposal::Silence(connection));
        }
        headers.push(("Expect", "100-continue"));
        let head = session.head("PUT", target, &headers);
        let answer = connection.propose(&head, CONTINUE_LIMIT)?;
        match answer {
            None => {
                // Waiting again would add the limit to each file.
                session.note_ignores_expect();
                return then(Proposal::Silence(connection));
            }
            Some(head) if head.status < 200 => return then(Proposal::Go(connection)),
            Some(head) if session.learn(&head, attempt) => attempt += 1,
            Some(head) if head.status == 417 => {
                session.note_ignores_expect();
                expect = false;
            }
            Some(head) => return then(Proposal::Final(connection, head)),
        }
    }
}

/// An answer before the body's end; a success is none that HTTP allows there.
fn refusal(head: &Head) -> io::Error {
    match head.status {
        412 => ErrorKind::AlreadyExists.into(),
        _ => status::refusal(head),
    }
}

/// The same with the server's words in the body, which tell of a quota for example; they follow at once or not at all.
fn refusal_in_full(connection: &mut Connection, head: &Head) -> io::Error {
    match head.body("PUT") {
        Ok(body) if head.status != 412 => {
            status::refusal_with(head, &connection.words(body, WORDS, WORDS_LIMIT))
        }
        _ => refusal(head),
    }
}

impl State {
    /// Sends, and keeps what the server says about it for whoever asks later.
    fn send(&mut self, parts: [&[u8]; 3]) -> io::Result<()> {
        let Some(connection) = &mut self.connection else { return Err(self.refused()) };
        let error = match connection.send_part(parts) {
            Ok(None) => return Ok(()),
            Ok(Some(head)) => refusal_in_full(connection, &head),
            Err(error) => error,
        };
        self.connection = None;
        self.refused = Some(ServerAnswer::new(crate::classify(&error), error.to_string()));
        Err(error)
    }

    fn refused(&self) -> io::Error {
        match &self.refused {
            Some(answer) => answer.clone().into(),
            None => {
                ServerAnswer::new(FailureCode::ServerGone, ErrorKind::ConnectionAborted.to_string()).into()
            }
        }
    }
}

impl WriteFile for Upload {
    /// Returns when the block is with the system's socket: the server answers for the whole of the body, in `close`.
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        let mut state = lock(&self.state);
        while state.connection.is_some() && state.next < offset {
            state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.connection.is_some() && state.next != offset {
            return Err(ErrorKind::InvalidInput.into());
        }
        // The end of the chunk before goes with the head of this one, so that nothing is left to send after a block.
        let end = if state.first { "" } else { "\r\n" };
        let head = format!("{end}{:X}\r\n", block.len());
        let result = state.send([head.as_bytes(), block, b""]);
        state.first = false;
        state.next += block.len() as u64;
        self.turn.notify_all();
        result
    }

    fn mode(&self) -> WriteMode {
        WriteMode::Acknowledged
    }

    /// Nothing can be asked for in the middle of a body; what the server answers in `close` is all that it ever says.
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        let mut state = lock(&self.state);
        let end: &[u8] = if state.first { b"0\r\n\r\n" } else { b"\r\n0\r\n\r\n" };
        // What is sent here may well be answered before it is known to be sent.
        let Some(mut connection) = state.connection.take() else { return Err(state.refused()) };
        let head = match connection.send_part([end, b"", b""])? {
            Some(head) => head,
            None => connection.head()?,
        };
        if head.succeeded() {
            return Ok(());
        }
        Err(refusal_in_full(&mut connection, &head))
    }
}
