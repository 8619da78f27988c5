//! HTTP/1.1 messages (RFC 9112) over a stream: the head of an answer, and where its body ends.
//!
//! The clients that there are were looked at first. `hyper` sends a body without waiting for `100 Continue` and keeps a
//! body's blocks in a buffer of its own; `ureq` looks at the answer only when the whole body is sent, so that a `413` or
//! a `507` in its middle is lost. Here a block goes from the caller's memory to the socket and back without a copy, and an
//! answer is seen when it comes. Heads are parsed by `httparse`, which is what `hyper` parses them with.

use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::Poll;

use sharemark_model::FailureCode;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};

use crate::ServerAnswer;

/// A head that is longer is no answer of a file server.
const HEAD_LIMIT: usize = 64 << 10;
const HEADERS_LIMIT: usize = 128;
/// What is read where the end is not known: small, as what lies beyond the head has to be copied to its place.
const PART: usize = 4096;

/// A connection's bytes, plain or within TLS.
pub(super) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// The first lines of an answer.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// The status.
    pub(super) status: u16,
    /// The words beside it.
    pub(super) reason: String,
    /// The headers; their names are in lower case.
    pub(super) headers: Vec<(String, String)>,
    /// The server's version is HTTP/1 and this.
    pub(super) minor: u8,
}

impl Head {
    /// The first value of a header.
    pub(super) fn get(&self, name: &'static str) -> Option<&str> {
        self.all(name).next()
    }

    /// The values of a header, which may stand there several times.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.headers.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether a header that is a list holds this word.
    pub(super) fn lists(&self, name: &'static str, word: &str) -> bool {
        self.all(name).flat_map(|value| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
    }

    /// The status as a person reads it: `507 Insufficient Storage`.
    pub(super) fn line(&self) -> String {
        format!("{} {}", self.status, self.reason).trim_end().to_owned()
    }

    /// Whether the server did what was asked.
    pub(super) const fn succeeded(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// Where the body ends (RFC 9112, 6.3).
    pub(super) fn body(&self, method: &str) -> io::Result<Body> {
        let end = if method == "HEAD" || matches!(self.status, 204 | 304) {
            End::After(0)
        } else if self.lists("transfer-encoding", "chunked") {
            End::Chunked(Chunk::Head)
        } else if let Some(length) = self.get("content-length") {
            let length = length.parse().map_err(|_| protocol(format!("Content-Length: {length}")))?;
            End::After(length)
        } else {
            End::Closed
        };
        Ok(Body { keeps: self.minor > 0 && !self.lists("connection", "close") && end != End::Closed, end })
    }
}

/// What is left of an answer's body.
#[derive(Debug)]
pub(super) struct Body {
    end: End,
    keeps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    After(u64),
    Chunked(Chunk),
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chunk {
    Head,
    Data(u64),
    /// The end of the line behind a chunk's data.
    Tail,
    Trailer,
    Over,
}

impl Body {
    /// The bytes that are still to come, where they are known before.
    pub(super) const fn left(&self) -> Option<u64> {
        match self.end {
            End::After(left) => Some(left),
            End::Chunked(_) | End::Closed => None,
        }
    }

    /// Whether another request can be sent on the connection.
    pub(super) fn reusable(&self) -> bool {
        self.keeps && matches!(self.end, End::After(0) | End::Chunked(Chunk::Over))
    }
}

/// How far a block was sent.
enum Sent {
    All,
    /// The server has said something before.
    Interrupted,
}

/// A stream of messages.
pub(super) struct Wire {
    stream: Box<dyn Duplex>,
    /// Bytes that were read and belong to nobody yet; those before `start` are used up.
    buffer: Vec<u8>,
    start: usize,
}

impl Wire {
    pub(super) fn new(stream: Box<dyn Duplex>) -> Self {
        Self { stream, buffer: Vec::new(), start: 0 }
    }

    /// Whether the server has closed an idle connection, or said something that nobody asked.
    pub(super) async fn is_stale(&mut self) -> bool {
        if self.start < self.buffer.len() {
            return true;
        }
        // The system is asked only when the runtime gets its turn.
        tokio::task::yield_now().await;
        let mut byte = [0];
        let mut into = ReadBuf::new(&mut byte);
        poll_fn(|context| Poll::Ready(Pin::new(&mut self.stream).poll_read(context, &mut into).is_ready()))
            .await
    }

    /// Sends the whole of a request: in one piece, as a server that refuses it may close after the first.
    pub(super) async fn send(&mut self, head: &str, body: &str) -> io::Result<()> {
        self.stream.write_all([head, body].concat().as_bytes()).await.map_err(lost)?;
        self.stream.flush().await.map_err(lost)
    }

    /// Sends parts of a body, unless the server answers before the body's end; then that answer.
    pub(super) async fn send_part(&mut self, parts: [&[u8]; 3]) -> io::Result<Option<Head>> {
        tokio::task::yield_now().await;
        let mut slices = parts.map(IoSlice::new);
        let mut left = slices.as_mut_slice();
        loop {
            match self.push(&mut left).await {
                Ok(Sent::All) => return Ok(None),
                Ok(Sent::Interrupted) => {
                    let head = self.any_head().await?;
                    // A late 100 Continue is no answer.
                    if head.status >= 200 {
                        return Ok(Some(head));
                    }
                }
                // A server that closes has mostly said why.
                Err(error) => return self.last_words().await.map_or(Err(error), |head| Ok(Some(head))),
            }
        }
    }

    /// Sends until all is sent or something can be read, whichever is first.
    async fn push(&mut self, slices: &mut &mut [IoSlice<'_>]) -> io::Result<Sent> {
        // It may have come together with the 100 Continue.
        if self.start < self.buffer.len() {
            return Ok(Sent::Interrupted);
        }
        let Self { stream, buffer, .. } = self;
        poll_fn(|context| {
            let mut bytes = [0; 1024];
            let mut into = ReadBuf::new(&mut bytes);
            if let Poll::Ready(answer) = Pin::new(&mut *stream).poll_read(context, &mut into) {
                if let Err(error) = answer {
                    return Poll::Ready(Err(lost(error)));
                }
                buffer.extend_from_slice(into.filled());
                let closed = into.filled().is_empty();
                return Poll::Ready(if closed { Err(closed_by_server()) } else { Ok(Sent::Interrupted) });
            }
            IoSlice::advance_slices(slices, 0);
            while !slices.is_empty() {
                match Pin::new(&mut *stream).poll_write_vectored(context, slices) {
                    Poll::Ready(Ok(0)) => return Poll::Ready(Err(closed_by_server())),
                    Poll::Ready(Ok(count)) => IoSlice::advance_slices(slices, count),
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(lost(error))),
                    Poll::Pending => return Poll::Pending,
                }
            }
            Pin::new(&mut *stream).poll_flush(context).map_ok(|()| Sent::All).map_err(lost)
        })
        .await
    }

    /// What the server said before it closed the connection.
    async fn last_words(&mut self) -> Option<Head> {
        const WAIT: std::time::Duration = std::time::Duration::from_millis(200);
        tokio::time::timeout(WAIT, self.head()).await.ok()?.ok()
    }

    /// The head of the answer; a `100 Continue` before it is passed over.
    pub(super) async fn head(&mut self) -> io::Result<Head> {
        loop {
            let head = self.any_head().await?;
            if head.status >= 200 {
                return Ok(head);
            }
        }
    }

    /// The next head, which may be a `100 Continue`.
    pub(super) async fn any_head(&mut self) -> io::Result<Head> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; HEADERS_LIMIT];
            let mut response = httparse::Response::new(&mut headers);
            let bytes = &self.buffer[self.start..];
            match response.parse(bytes).map_err(|error| protocol(format!("HTTP: {error}")))? {
                httparse::Status::Complete(length) => {
                    let head = Head {
                        status: response.code.unwrap_or_default(),
                        reason: response.reason.unwrap_or_default().to_owned(),
                        headers: response
                            .headers
                            .iter()
                            .map(|header| {
                                let value = String::from_utf8_lossy(header.value).trim().to_owned();
                                (header.name.to_ascii_lowercase(), value)
                            })
                            .collect(),
                        minor: response.version.unwrap_or_default(),
                    };
                    self.start += length;
                    return Ok(head);
                }
                httparse::Status::Partial if bytes.len() > HEAD_LIMIT => {
                    return Err(protocol(format!("HTTP: {} B", bytes.len())));
                }
                httparse::Status::Partial => self.fill().await?,
            }
        }
    }

    /// Reads the next bytes of a body into `into`; none at its end.
    pub(super) async fn read(&mut self, body: &mut Body, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            match &mut body.end {
                End::After(0) | End::Chunked(Chunk::Over) => return Ok(0),
                End::Closed => {
                    return match self.take(into, u64::MAX).await {
                        Err(error) if error.kind() == ErrorKind::ConnectionAborted => Ok(0),
                        result => result,
                    };
                }
                End::After(left) => {
                    let count = self.take(into, *left).await?;
                    *left -= count as u64;
                    return Ok(count);
                }
                End::Chunked(Chunk::Data(left)) => {
                    let count = self.take(into, *left).await?;
                    *left -= count as u64;
                    if *left == 0 {
                        body.end = End::Chunked(Chunk::Tail);
                    }
                    return Ok(count);
                }
                End::Chunked(chunk) => *chunk = self.next_chunk(*chunk).await?,
            }
        }
    }

    async fn next_chunk(&mut self, chunk: Chunk) -> io::Result<Chunk> {
        let line = self.line().await?;
        Ok(match chunk {
            Chunk::Head => {
                let size = line.split(';').next().unwrap_or_default().trim();
                match u64::from_str_radix(size, 16) {
                    Ok(0) => Chunk::Trailer,
                    Ok(size) => Chunk::Data(size),
                    Err(_) => return Err(protocol(format!("chunked: {size}"))),
                }
            }
            Chunk::Trailer if line.is_empty() => Chunk::Over,
            Chunk::Trailer => Chunk::Trailer,
            _ if line.is_empty() => Chunk::Head,
            _ => return Err(protocol(format!("chunked: {line}"))),
        })
    }

    async fn line(&mut self) -> io::Result<String> {
        loop {
            let bytes = &self.buffer[self.start..];
            if let Some(length) = bytes.iter().position(|&byte| byte == b'\n') {
                let line = String::from_utf8_lossy(&bytes[..length]).trim_end().to_owned();
                self.start += length + 1;
                return Ok(line);
            }
            if bytes.len() > PART {
                return Err(protocol("chunked".to_owned()));
            }
            self.fill().await?;
        }
    }

    /// Reads at least one and at most `most` bytes: what is there already, or straight from the stream.
    async fn take(&mut self, into: &mut [u8], most: u64) -> io::Result<usize> {
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(into.len());
        let there = &self.buffer[self.start..];
        if !there.is_empty() {
            let count = most.min(there.len());
            into[..count].copy_from_slice(&there[..count]);
            self.start += count;
            return Ok(count);
        }
        some(self.stream.read(&mut into[..most]).await)
    }

    /// Reads some more into the buffer.
    async fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let mut part = [0; PART];
        let count = some(self.stream.read(&mut part).await)?;
        self.buffer.extend_from_slice(&part[..count]);
        Ok(())
    }

    /// Tells the server that nothing more comes, and waits until it has closed as well: then it is done with what it got.
    pub(super) async fn finish(&mut self) {
        if self.stream.shutdown().await.is_ok() {
            while self.stream.read(&mut [0; PART]).await.is_ok_and(|count| count > 0) {}
        }
    }
}

/// A connection's end within a message is a server that is gone.
fn some(result: io::Result<usize>) -> io::Result<usize> {
    match result {
        Ok(0) => Err(closed_by_server()),
        result => result.map_err(lost),
    }
}

/// What a stream's failure means here: going without TLS's farewell is going, and not a file that is too short; taking no
/// more bytes is no disk that is full; and what TLS cannot read is no TLS.
fn lost(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::WriteZero => closed_by_server(),
        ErrorKind::InvalidData => protocol(error.to_string()),
        _ => error,
    }
}

fn closed_by_server() -> io::Error {
    ErrorKind::ConnectionAborted.into()
}

/// An answer that HTTP does not allow.
pub(super) fn protocol(text: String) -> io::Error {
    ServerAnswer::new(FailureCode::Protocol, text).into()
}

#[cfg(test)]
mod tests;
