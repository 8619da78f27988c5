//! A wire on this machine: a TCP proxy that holds each direction to a rate and each byte for a delay.

mod lane;
mod pump;
mod ring;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use self::lane::Lane;
use self::pump::pump;
use crate::Wire;

/// Further connections wait until one of these has ended.
const MOST_CONNECTIONS: usize = 256;

/// A TCP proxy on loopback. What goes through it arrives no earlier than a wire would have carried it: all connections
/// together share one rate in each direction, and every byte is under way for a delay. The end of a connection in one
/// direction is passed on as such, and a reset ends both sides.
///
/// What it cannot imitate: a connection is taken at once, since the system does that; and nothing is ever lost. Its times
/// have the resolution of tokio's timers, 1 ms, by which a single message may be late in each direction; the rate is
/// exact over more than a few milliseconds.
///
/// Dropping it closes the port and every connection.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Listens on a free port of loopback, and forwards what comes there to `to`: `up` is the direction towards it, `down`
    /// that back. It runs in the tokio runtime that this is called in.
    ///
    /// # Errors
    /// When nothing could pass such a wire, or the system gives no port.
    pub async fn start(to: SocketAddr, up: Wire, down: Wire) -> io::Result<Self> {
        let (up, down) = (Lane::new(up.check()?), Lane::new(down.check()?));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let accepting = tokio::spawn(accept(listener, to, Arc::new(up), Arc::new(down)));
        Ok(Self { address, accepting })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Takes connections for ever. They are in this task's hands, so that they end with it.
async fn accept(listener: TcpListener, to: SocketAddr, up: Arc<Lane>, down: Arc<Lane>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < MOST_CONNECTIONS => match accepted {
                Ok((client, _)) => {
                    connections.spawn(carry(client, to, Arc::clone(&up), Arc::clone(&down)));
                }
                // A connection that ended too soon, or no file descriptor left: neither is helped by haste.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
}

/// Carries one connection to its end.
async fn carry(mut client: TcpStream, to: SocketAddr, up: Arc<Lane>, down: Arc<Lane>) {
    let Ok(mut server) = TcpStream::connect(to).await else {
        reset(&client);
        return;
    };
    // The wire's delay is all the delay there is to be.
    let set = client.set_nodelay(true).and_then(|()| server.set_nodelay(true));
    let carried = {
        let (mut from_client, mut to_client) = client.split();
        let (mut from_server, mut to_server) = server.split();
        tokio::try_join!(
            async { set },
            pump(&mut from_client, &mut to_server, &up),
            pump(&mut from_server, &mut to_client, &down),
        )
    };
    if carried.is_err() {
        reset(&client);
        reset(&server);
    }
}

/// Makes the end of a connection a reset.
fn reset(stream: &TcpStream) {
    // Without it the connection ends all the same, only more politely.
    stream.set_zero_linger().ok();
}
