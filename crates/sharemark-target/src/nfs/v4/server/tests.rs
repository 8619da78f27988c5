use std::sync::mpsc::{Receiver, channel};

use super::*;
use crate::nfs::script::{self, NO_HANG};
use crate::nfs::xdr::{Decoder, Encoder};

const SESSION: [u8; 16] = [7; 16];
const DELAY: u32 = 10008;

/// A server that this client has met already, with one slot from 4.1 on.
fn known(
    minor: u32,
    answer: impl FnMut(u32, &mut Decoder<'_>) -> Option<Encoder> + Send + 'static,
) -> Arc<Server> {
    let limits = Limits { read: 8192, write: 8192 };
    let mut server = Server::unmet(script::server(answer), minor);
    server.session = (minor > 0).then(|| Session { id: SESSION, slots: Slots::new(1), limits });
    Arc::new(server)
}

/// A server of 4.1 that makes its answer of each request's sequence and slot, and tells the sequence.
fn sequenced(mut answer: impl FnMut(u32, u32) -> Encoder + Send + 'static) -> (Arc<Server>, Receiver<u32>) {
    let (tell, told) = channel();
    let server = known(1, move |_, arguments| {
        arguments.opaque().unwrap();
        let (_minor, _count, first) = (arguments.u32(), arguments.u32(), arguments.u32());
        // The farewell has no session around it.
        first.ok().filter(|first| *first == op::SEQUENCE)?;
        arguments.fixed(16).unwrap();
        let (sequence, slot) = (arguments.u32().unwrap(), arguments.u32().unwrap());
        tell.send(sequence).unwrap();
        Some(answer(sequence, slot))
    });
    (server, told)
}

/// `COMPOUND4res` with what SEQUENCE answered.
fn of_sequence(session: [u8; 16], sequence: u32, slot: u32) -> Encoder {
    let mut results = Encoder::new();
    results.u32(0).opaque(&[]).u32(1).u32(op::SEQUENCE).u32(0);
    results.fixed(&session).u32(sequence).u32(slot).u32(0).u32(0).u32(0);
    results
}

/// `COMPOUND4res` with a status of its first and only operation.
fn refused(operation: u32, status: u32) -> Encoder {
    let mut results = Encoder::new();
    results.u32(status).opaque(&[]).u32(1).u32(operation).u32(status);
    results
}

fn ask(server: &Server) -> Result<(), Trouble> {
    server.ask_once(&Compound::new(), |_| Ok(()))
}

#[test]
fn a_slot_goes_on_counting_after_what_the_server_did_not_execute() {
    let mut refusals = 1;
    let (server, told) = sequenced(move |sequence, slot| {
        if refusals > 0 {
            refusals -= 1;
            return refused(op::SEQUENCE, DELAY);
        }
        of_sequence(SESSION, sequence, slot)
    });
    assert!(ask(&server).unwrap_err().is_delay());
    ask(&server).unwrap();
    ask(&server).unwrap();
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [1, 1, 2]);
}

#[test]
fn a_slot_is_not_used_again_after_an_answer_that_says_nothing() {
    type Answer = fn(u32, u32) -> Encoder;
    let answers: [Answer; 6] = [
        // No COMPOUND4res; one that breaks off within SEQUENCE; that of another operation, session, request or slot.
        |_, _| Encoder::new(),
        |_, _| {
            let mut results = Encoder::new();
            results.u32(0).opaque(&[]).u32(1).u32(op::SEQUENCE).u32(0).fixed(&SESSION);
            results
        },
        |_, _| refused(op::PUTROOTFH, 0),
        |sequence, slot| of_sequence([8; 16], sequence, slot),
        |sequence, slot| of_sequence(SESSION, sequence + 1, slot),
        |sequence, slot| of_sequence(SESSION, sequence, slot + 1),
    ];
    for (number, answer) in answers.into_iter().enumerate() {
        let (server, told) = sequenced(answer);
        assert!(ask(&server).is_err(), "{number}");
        assert_eq!(ask(&server).unwrap_err().code(), sharemark_model::FailureCode::ServerGone, "{number}");
        assert_eq!(told.try_iter().count(), 1, "{number}");
    }
}

#[test]
fn a_slot_that_the_server_counts_in_another_way_is_not_used_again() {
    for status in MISCOUNTED {
        let (server, told) = sequenced(move |_, _| refused(op::SEQUENCE, status));
        assert!(ask(&server).is_err() && ask(&server).is_err(), "{status}");
        assert_eq!(told.try_iter().count(), 1, "{status}");
    }
}

#[test]
fn a_lease_is_renewed_again_after_a_refusal() {
    for (minor, operation) in [(0, op::RENEW), (1, op::SEQUENCE)] {
        // NFS4ERR_SERVERFAULT may pass as well.
        for status in [DELAY, 10006] {
            let (tell, told) = channel();
            let server = known(minor, move |_, _| {
                tell.send(()).ok()?;
                Some(refused(operation, status))
            });
            assert!(server.renew().is_err(), "the refusal is seen");
            keep_lease(&server, Duration::from_millis(1));
            for _ in 0..4 {
                assert_eq!(told.recv_timeout(NO_HANG), Ok(()), "{minor} {status}");
            }
        }
    }
}
