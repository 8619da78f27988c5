//! A TCP connection to an NFS server, from a privileged port where this process may have one.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use sharemark_model::{Address, Failure, FailureCode, Operation};
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use crate::dial::{CONNECT_LIMIT, dial};
use crate::failure_from;

/// Where a kernel's client looks for a port that only root can have: below 1024, as a server without
/// `insecure` demands, and above the well-known services.
const PRIVILEGED: std::ops::RangeInclusive<u16> = 665..=1023;

/// Resolves the server's name and finds which of its addresses answers at `port`. The connection is dropped again.
pub(super) fn find(runtime: &Runtime, address: &Address, port: u16) -> Result<SocketAddr, Failure> {
    let address = Address { port: Some(port), ..address.clone() };
    runtime.block_on(dial(&address)).map(|dialled| dialled.peer)
}

/// A connection to `peer`, and how long its handshake took. Its ends block: the threads that measure write their requests
/// themselves, without a copy or a change of threads in between.
pub(super) fn connect(
    runtime: &Runtime,
    peer: SocketAddr,
    address: &Address,
) -> Result<(TcpStream, Duration), Failure> {
    let connected = runtime.block_on(async {
        let connecting = tokio::time::timeout(CONNECT_LIMIT, from_some_port(peer));
        let (stream, took) = connecting.await.map_err(|_| io::Error::from(ErrorKind::TimedOut))??;
        let stream = stream.into_std()?;
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        Ok((stream, took))
    });
    connected.map_err(|error: io::Error| {
        let failure = failure_from(&error, Operation::Connect, address.to_string());
        let refused = error.kind() == ErrorKind::ConnectionRefused;
        if refused { Failure { code: FailureCode::Refused, ..failure } } else { failure }
    })
}

async fn from_some_port(peer: SocketAddr) -> io::Result<(tokio::net::TcpStream, Duration)> {
    for port in privileged_ports() {
        let socket = socket_for(peer)?;
        let own = if peer.is_ipv4() {
            SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))
        } else {
            SocketAddr::from((Ipv6Addr::UNSPECIFIED, port))
        };
        match socket.bind(own) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AddrInUse => continue,
            // Not root: an ordinary port has to do, and the server says so where it does not.
            Err(_) => break,
        }
        let begun = Instant::now();
        match socket.connect(peer).await {
            Ok(stream) => return Ok((stream, begun.elapsed())),
            // An earlier connection from this port to that server is not forgotten yet.
            Err(error) if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::AddrNotAvailable) => {}
            Err(error) => return Err(error),
        }
    }
    let begun = Instant::now();
    let stream = socket_for(peer)?.connect(peer).await?;
    Ok((stream, begun.elapsed()))
}

/// All of them, from another one each time: a port that an earlier process has just used may be held back by the server,
/// which then lets a new connection from it wait.
fn privileged_ports() -> impl Iterator<Item = u16> {
    let count = PRIVILEGED.end() - PRIVILEGED.start() + 1;
    let mut drawn = [0; 2];
    // Without a source of randomness they begin at the first.
    let start = getrandom::fill(&mut drawn).map_or(0, |()| u16::from_ne_bytes(drawn) % count);
    (0..count).map(move |step| PRIVILEGED.start() + (start + step) % count)
}

fn socket_for(peer: SocketAddr) -> io::Result<TcpSocket> {
    if peer.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_privileged_port_comes_once() {
        let mut ports: Vec<u16> = privileged_ports().collect();
        ports.sort_unstable();
        assert!(ports.into_iter().eq(PRIVILEGED));
    }
}
