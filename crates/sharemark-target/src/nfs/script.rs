//! A server for tests, which answers each call as the test tells it to.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use super::protocol::Connections;
use super::rpc::Connection;
use super::user::User;
use super::xdr::{Decoder, Encoder, word};

/// Longer than anything takes here that does not hang.
pub(super) const NO_HANG: Duration = Duration::from_secs(60);

/// The user that the tests' calls are made for.
pub(super) fn user() -> User {
    let url = "nfs://1000@nas/x".parse().unwrap();
    let typed = sharemark_model::Address::of(&url).unwrap().unwrap();
    let login = sharemark_model::Login { user: typed.user, ..Default::default() };
    User::of(&sharemark_model::Share { address: typed.address, login, wishes: Default::default() }).unwrap()
}

/// A connection to a server that answers every call with what `answer` makes of the procedure's number and arguments;
/// with nothing, and the end of the connection, where that is `None`.
pub(super) fn server(
    mut answer: impl FnMut(u32, &mut Decoder<'_>) -> Option<Encoder> + Send + 'static,
) -> Connections {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let mut server = listener.accept().unwrap().0;
    thread::spawn(move || {
        let mut mark = [0; 4];
        while server.read_exact(&mut mark).is_ok() {
            let mut call = vec![0; (u32::from_be_bytes(mark) & !(1 << 31)) as usize];
            server.read_exact(&mut call).unwrap();
            let mut call = Decoder::new(&call);
            let transaction = call.u32().unwrap();
            // The message's type, the RPC version, the program and its version.
            call.fixed(16).unwrap();
            let procedure = call.u32().unwrap();
            for _credential_and_verifier in 0..2 {
                call.u32().unwrap();
                call.opaque().unwrap();
            }
            let Some(results) = answer(procedure, &mut call) else { return };
            let mut reply = Encoder::new();
            // A reply, accepted, without a verifier, and successful.
            reply.u32(transaction).u32(1).u32(0).u32(0).opaque(&[]).u32(0).fixed(results.bytes());
            server.write_all(&(1 << 31 | word(reply.bytes().len())).to_be_bytes()).unwrap();
            server.write_all(reply.bytes()).unwrap();
        }
    });
    let connection = Connection::new(stream, user()).unwrap();
    connection.become_patient();
    Connections::new(connection, [])
}
