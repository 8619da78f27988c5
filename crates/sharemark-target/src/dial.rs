//! What every engine that speaks a protocol itself begins with: a runtime for its connections, and a connection.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use sharemark_model::{Address, Failure, FailureCode, Operation};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

use crate::answer::failure_from;

/// A server that has not taken a connection by then does not answer: less than the time after which nobody waits for
/// this process any more, so that it can say so itself.
pub(crate) const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A runtime for an engine's connections. The measured loop's threads wait for what its few threads move.
pub(crate) fn runtime(address: &Address) -> Result<Runtime, Failure> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("connection")
        .enable_all()
        .build()
        .map_err(|error| failure_from(&error, Operation::Worker, address.to_string()))
}

/// A connection, and how long it took from the name's resolution to the handshake.
#[derive(Debug)]
pub(crate) struct Dialled {
    /// The connection, without Nagle's delay.
    pub(crate) stream: TcpStream,
    /// The address it goes to.
    pub(crate) peer: SocketAddr,
    /// The time of the TCP handshake that succeeded.
    pub(crate) took: Duration,
}

/// Connects to the server: to each of its addresses in turn until one answers.
pub(crate) async fn dial(address: &Address) -> Result<Dialled, Failure> {
    let place = || address.to_string();
    let port = address.port();
    let resolved =
        tokio::time::timeout(CONNECT_LIMIT, tokio::net::lookup_host((address.host.as_str(), port)));
    let unknown = |system: String| {
        Failure::new(FailureCode::UnknownHost, Operation::Connect, place()).with_system(system)
    };
    let found: Vec<SocketAddr> = match resolved.await {
        Ok(Ok(found)) => found.collect(),
        Ok(Err(error)) => return Err(unknown(error.to_string())),
        Err(late) => return Err(unknown(late.to_string())),
    };
    let mut last = io::Error::from(ErrorKind::NotFound);
    for peer in &found {
        let begun = Instant::now();
        match tokio::time::timeout(CONNECT_LIMIT, TcpStream::connect(peer)).await {
            Ok(Ok(stream)) => {
                let took = begun.elapsed();
                stream
                    .set_nodelay(true)
                    .map_err(|error| failure_from(&error, Operation::Connect, place()))?;
                return Ok(Dialled { stream, peer: *peer, took });
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = ErrorKind::TimedOut.into(),
        }
    }
    if found.is_empty() {
        return Err(unknown(last.to_string()));
    }
    let failure = failure_from(&last, Operation::Connect, place());
    let refused = last.kind() == ErrorKind::ConnectionRefused;
    Err(if refused { Failure { code: FailureCode::Refused, ..failure } } else { failure })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialled(url: &str) -> Result<SocketAddr, FailureCode> {
        let address = Address::of(&url.parse().unwrap()).unwrap().unwrap().address;
        let found = runtime(&address).unwrap().block_on(dial(&address));
        found.map(|dialled| dialled.peer).map_err(|failure| failure.code)
    }

    #[test]
    fn a_closed_port_and_an_unknown_name_are_told_apart() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let open = listener.local_addr().unwrap();
        assert_eq!(dialled(&format!("smb://{open}/x")), Ok(open));
        drop(listener);
        assert_eq!(dialled(&format!("smb://{open}/x")), Err(FailureCode::Refused));
        assert_eq!(dialled("smb://no-such-host.invalid/x"), Err(FailureCode::UnknownHost));
    }
}
