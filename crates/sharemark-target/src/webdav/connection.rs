//! One connection to the server, driven by the thread that uses it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use sharemark_model::{Address, Failure, FailureCode, Nanoseconds, Operation};
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::TlsConnector;

use super::http::{Body, Duplex, Head, Wire};
use super::tls;
use crate::ServerAnswer;
use crate::answer::failure_from;
use crate::dial::{CONNECT_LIMIT, dial};

/// What was seen when the connection was made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) peer: SocketAddr,
    /// The time of the TCP handshake.
    pub(super) connect: Nanoseconds,
    /// The time of the TLS handshake and what it agreed on; `None` without TLS.
    pub(super) tls: Option<(Nanoseconds, String)>,
}

/// A connection. Its runtime has no thread of its own: nothing is handed from thread to thread between the socket and
/// the thread that measures.
pub(super) struct Connection {
    wire: Wire,
    runtime: Runtime,
    pub(super) made: Made,
    /// It has carried a request already, so that the server may have closed it meanwhile.
    pub(super) used: bool,
}

impl Connection {
    /// Connects to `address`; with `tls` the server has to prove that it is `name`.
    pub(super) fn open(
        address: &Address,
        name: &str,
        tls: Option<&Arc<ClientConfig>>,
    ) -> Result<Self, Failure> {
        let failed = |error: &io::Error| failure_from(error, Operation::Connect, address.to_string());
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        let opened = runtime.block_on(async {
            let dialled = dial(address).await?;
            let mut made = Made { peer: dialled.peer, connect: dialled.took.into(), tls: None };
            let Some(tls) = tls else {
                return Ok((Box::new(dialled.stream) as Box<dyn Duplex>, made));
            };
            let name = ServerName::try_from(name.to_owned()).map_err(|error| {
                failed(&ServerAnswer::new(FailureCode::Certificate, error.to_string()).into())
            })?;
            let begun = Instant::now();
            let handshake = TlsConnector::from(tls.clone()).connect(name, dialled.stream);
            let stream = tokio::time::timeout(CONNECT_LIMIT, handshake)
                .await
                .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
                .map_err(|error| failed(&tls::refusal(error)))?;
            made.tls = Some((begun.elapsed().into(), tls::agreed(stream.get_ref().1)));
            Ok((Box::new(stream) as Box<dyn Duplex>, made))
        });
        match opened {
            Ok((stream, made)) => Ok(Self { wire: Wire::new(stream), runtime, made, used: false }),
            Err(failure) => {
                // A name server that does not answer keeps nobody waiting any longer.
                runtime.shutdown_background();
                Err(failure)
            }
        }
    }

    /// Whether the server has closed it while nobody looked.
    pub(super) fn is_stale(&mut self) -> bool {
        self.runtime.block_on(self.wire.is_stale())
    }

    /// Sends a request and waits for the head of the answer, at the longest `until` then.
    pub(super) fn ask(&mut self, head: &str, body: &str, until: Option<Instant>) -> io::Result<Head> {
        self.used = true;
        self.runtime.block_on(within(until, async {
            self.wire.send(head, body).await?;
            self.wire.head().await
        }))
    }

    /// Sends the head of a request whose body is to follow, and waits for the server's word on it: a final answer, or
    /// `100 Continue`. `None` is a server that says nothing for the time of `limit`.
    pub(super) fn propose(&mut self, head: &str, limit: Duration) -> io::Result<Option<Head>> {
        self.used = true;
        self.runtime.block_on(async {
            self.wire.send(head, "").await?;
            tokio::time::timeout(limit, self.wire.any_head()).await.map_or(Ok(None), |head| head.map(Some))
        })
    }

    /// Sends the head of a request whose body follows at once.
    pub(super) fn begin(&mut self, head: &str) -> io::Result<()> {
        self.runtime.block_on(self.wire.send(head, ""))
    }

    /// Sends a part of a body; answers what the server said before its end, if anything.
    pub(super) fn send_part(&mut self, parts: [&[u8]; 3]) -> io::Result<Option<Head>> {
        self.runtime.block_on(self.wire.send_part(parts))
    }

    /// The head of the answer to what was sent.
    pub(super) fn head(&mut self) -> io::Result<Head> {
        self.runtime.block_on(self.wire.head())
    }

    /// Fills `into` from the body, at the longest `until` then; fewer bytes are read at its end only.
    pub(super) fn read(
        &mut self,
        body: &mut Body,
        into: &mut [u8],
        until: Option<Instant>,
    ) -> io::Result<usize> {
        self.runtime.block_on(within(until, async {
            let mut count = 0;
            while count < into.len() {
                match self.wire.read(body, &mut into[count..]).await? {
                    0 => break,
                    more => count += more,
                }
            }
            Ok(count)
        }))
    }

    /// The beginning of a body, as far as it comes within `limit`.
    pub(super) fn words(&mut self, mut body: Body, most: usize, limit: Duration) -> Vec<u8> {
        let mut text = vec![0; most];
        let mut count = 0;
        self.runtime.block_on(async {
            let read = async {
                while count < most {
                    match self.wire.read(&mut body, &mut text[count..]).await {
                        Ok(more) if more > 0 => count += more,
                        _ => break,
                    }
                }
            };
            tokio::time::timeout(limit, read).await.ok();
        });
        text.truncate(count);
        text
    }

    /// Ends the connection in the middle of a request, and waits for at most `limit` until the server has noticed.
    pub(super) fn finish(mut self, limit: Duration) {
        self.runtime.block_on(async { tokio::time::timeout(limit, self.wire.finish()).await }).ok();
    }
}

/// The result of `done`, or that it came too late.
async fn within<T>(until: Option<Instant>, done: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    match until {
        Some(until) => tokio::time::timeout_at(until.into(), done)
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())),
        None => done.await,
    }
}
