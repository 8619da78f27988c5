use std::net::TcpListener;

use super::*;
use crate::nfs::script::user;

const PROCEDURE: Procedure = Procedure { program: 100_003, version: 3, number: 0 };

/// A connection, and the server's end of it.
fn pair() -> (Connection, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (Connection::new(stream, user()).unwrap(), listener.accept().unwrap().0)
}

fn transaction_of_call(server: &mut TcpStream) -> u32 {
    let (transaction, answer) = read_answer(server, &Arc::default()).unwrap();
    assert!(answer.is_none(), "a call is no answer");
    transaction
}

fn answer(server: &mut TcpStream, words: &[u32], fragments: usize) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let chunks: Vec<&[u8]> = bytes.chunks(bytes.len().div_ceil(fragments)).collect();
    for (at, chunk) in chunks.iter().enumerate() {
        let last = if at + 1 == chunks.len() { LAST_FRAGMENT } else { 0 };
        server.write_all(&(last | word(chunk.len())).to_be_bytes()).unwrap();
        server.write_all(chunk).unwrap();
    }
}

#[test]
fn answers_find_their_calls_in_any_order_and_in_fragments() {
    let (connection, mut server) = pair();
    let first = connection.send(PROCEDURE, &[], b"abc").unwrap();
    let second = connection.send(PROCEDURE, &[], &[]).unwrap();
    let transactions = [transaction_of_call(&mut server), transaction_of_call(&mut server)];
    answer(&mut server, &[transactions[1], REPLY, 0, 0, 0, 0, 22], 3);
    answer(&mut server, &[transactions[0], REPLY, 0, 0, 0, 0, 11], 1);
    assert_eq!(first.wait().unwrap().results().u32().unwrap(), 11);
    assert_eq!(second.wait().unwrap().results().u32().unwrap(), 22);
}

#[test]
fn a_refusal_is_told_by_name() {
    for (words, code, text) in [
        (&[0, 0, 0, 2, 2, 3][..], FailureCode::Version, "RPC PROG_MISMATCH (2): 2-3"),
        (&[1, 1, 5], FailureCode::NoPermission, "RPC AUTH_TOOWEAK (5)"),
        (&[0, 0, 0, 1], FailureCode::Version, "RPC PROG_UNAVAIL (1)"),
        (&[0, 0], FailureCode::Protocol, "XDR: truncated"),
    ] {
        let (connection, mut server) = pair();
        let call = connection.send(PROCEDURE, &[], &[]).unwrap();
        let transaction = transaction_of_call(&mut server);
        answer(&mut server, &[&[transaction, REPLY], words].concat(), 1);
        let trouble = call.wait().unwrap_err();
        assert_eq!((trouble.code(), trouble.to_string().as_str()), (code, text));
    }
}

#[test]
fn a_connection_that_ends_fails_what_waits_and_what_comes_after() {
    let (connection, server) = pair();
    let call = connection.send(PROCEDURE, &[], &[]).unwrap();
    drop(server);
    assert_eq!(call.wait().unwrap_err().code(), FailureCode::ServerGone);
    let after = connection.send(PROCEDURE, &[], &[]).and_then(Pending::wait);
    assert_eq!(after.unwrap_err().code(), FailureCode::ServerGone);
}

#[test]
fn an_answer_of_absurd_length_ends_the_connection() {
    let (connection, mut server) = pair();
    let call = connection.send(PROCEDURE, &[], &[]).unwrap();
    server.write_all(&[0xff; 4]).unwrap();
    assert!(call.wait().is_err());
}

#[test]
fn no_connection_begins_with_the_number_of_another() {
    let (first, mut first_server) = pair();
    let (second, mut second_server) = pair();
    let calls = [&first, &second].map(|connection| connection.send(PROCEDURE, &[], &[]).unwrap());
    let begun = [&mut first_server, &mut second_server].map(transaction_of_call);
    assert_ne!(begun[0], begun[1]);
    drop(calls);
}

#[test]
fn a_call_of_the_servers_own_takes_no_callers_answer() {
    let (connection, mut server) = pair();
    let call = connection.send(PROCEDURE, &[], &[]).unwrap();
    let transaction = transaction_of_call(&mut server);
    answer(&mut server, &[transaction, CALL, RPC_VERSION, 1, 1, 0, 0, 0, 0, 0], 1);
    answer(&mut server, &[transaction, REPLY, 0, 0, 0, 0, 11], 1);
    assert_eq!(call.wait().unwrap().results().u32().unwrap(), 11);
}

#[test]
fn fragments_of_nothing_end_the_connection() {
    let (connection, mut server) = pair();
    let call = connection.send(PROCEDURE, &[], &[]).unwrap();
    server.write_all(&[0; 4]).unwrap();
    assert_eq!(call.wait().unwrap_err().code(), FailureCode::Protocol);
}
