//! A wire between plain connections.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use sharemark_demo::{Proxy, Wire};
use sharemark_model::Rate;
use tokio::runtime::Runtime;

const QUICK: Wire = Wire { bytes_per_second: Rate(500e6), delay: Duration::from_millis(1) };

/// A wire to a listener, and the runtime that it lives in.
fn wire() -> (Runtime, Proxy, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let runtime = Runtime::new().unwrap();
    let to = listener.local_addr().unwrap();
    let proxy = runtime.block_on(Proxy::start(to, QUICK, QUICK)).unwrap();
    (runtime, proxy, listener)
}

fn both(proxy: SocketAddr, listener: &TcpListener) -> (TcpStream, TcpStream) {
    let client = TcpStream::connect(proxy).unwrap();
    let (server, _) = listener.accept().unwrap();
    (client, server)
}

#[test]
fn an_end_in_one_direction_leaves_the_other_open() {
    let (_runtime, proxy, listener) = wire();
    let (mut client, mut server) = both(proxy.address(), &listener);
    client.write_all(b"question").unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    let mut received = String::new();
    server.read_to_string(&mut received).unwrap();
    assert_eq!(received, "question");
    server.write_all(b"answer").unwrap();
    drop(server);
    received.clear();
    client.read_to_string(&mut received).unwrap();
    assert_eq!(received, "answer");
}

#[test]
fn a_reset_reaches_the_other_side() {
    let (_runtime, proxy, listener) = wire();
    let (mut client, server) = both(proxy.address(), &listener);
    client.write_all(b"nobody reads this").unwrap();
    // To close with bytes unread is a reset; they have to be there for that.
    server.peek(&mut [0]).unwrap();
    drop(server);
    assert!(client.read(&mut [0]).is_err());
}

#[test]
fn where_nobody_listens_a_connection_ends_at_once() {
    let (_runtime, proxy, listener) = wire();
    drop(listener);
    let mut client = TcpStream::connect(proxy.address()).unwrap();
    assert!(matches!(client.read(&mut [0]), Ok(0) | Err(_)));
}

#[test]
fn a_wire_that_is_gone_ends_its_connections() {
    let (_runtime, proxy, listener) = wire();
    let address = proxy.address();
    let (mut client, mut server) = both(address, &listener);
    drop(proxy);
    assert!(matches!(client.read(&mut [0]), Ok(0) | Err(_)));
    assert!(matches!(server.read(&mut [0]), Ok(0) | Err(_)));
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn bytes_come_right_through_in_both_directions_at_once() {
    const LENGTH: usize = 2 * 1024 * 1024;
    let pattern = |seed: usize| (0..LENGTH).map(move |at| (at.wrapping_mul(seed) >> 5).to_le_bytes()[0]);
    let (_runtime, proxy, listener) = wire();
    let ends: Vec<_> = (1..4)
        .flat_map(|number| {
            let (client, server) = both(proxy.address(), &listener);
            [(client, number * 7919, number * 104_729), (server, number * 104_729, number * 7919)]
        })
        .flat_map(|(stream, sends, receives)| {
            let (mut writing, mut reading) = (stream.try_clone().unwrap(), stream);
            let send = thread::spawn(move || {
                writing.write_all(&pattern(sends).collect::<Vec<_>>()).unwrap();
                writing.shutdown(Shutdown::Write).unwrap();
            });
            let receive = thread::spawn(move || {
                let mut received = Vec::new();
                reading.read_to_end(&mut received).unwrap();
                assert!(received.iter().copied().eq(pattern(receives)), "{receives}");
            });
            [send, receive]
        })
        .collect();
    for end in ends {
        end.join().unwrap();
    }
}
