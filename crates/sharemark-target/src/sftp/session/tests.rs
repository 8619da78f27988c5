use std::thread;

use super::*;

/// A session with a server that answers each request by what `answer` makes of its type and number; `None` ends it.
pub(in crate::sftp) fn scripted(answer: fn(u8, u32) -> Option<Request>) -> Session {
    let (outgoing, mut packets) = mpsc::unbounded_channel::<Bytes>();
    let pending = Arc::new(Pending { waiting: Mutex::new(Some(HashMap::new())), heard: Mutex::new(None) });
    let waiters = Arc::clone(&pending);
    thread::spawn(move || {
        while let Some(packet) = packets.blocking_recv() {
            let number = u32::from_be_bytes(packet[5..9].try_into().unwrap());
            let Some(reply) = answer(packet[4], number) else { break };
            let mut assembler = Assembler::default();
            assembler.push(reply.finish());
            waiters.answer(assembler.next().unwrap().unwrap());
        }
        waiters.waiting().take();
    });
    Session::new(outgoing, pending)
}

#[test]
fn a_list_of_no_names_is_no_end() {
    let session = scripted(|kind, number| match kind {
        packet::OPENDIR => Some(Request::new(packet::HANDLE, number, 0).string(b"h")),
        // Of a server that would go on like this, the first few are enough.
        packet::READDIR if number < 100 => Some(Request::new(packet::NAME, number, 0).u32(0)),
        packet::READDIR => Some(Request::new(packet::STATUS, number, 0).u32(status::EOF)),
        _ => Some(Request::new(packet::STATUS, number, 0).u32(status::OK)),
    });
    assert_eq!(session.entries("f"), Err(Fault::Malformed));
}

#[test]
fn a_limit_is_at_most_what_a_real_client_asks_for() {
    assert_eq!(allowed(0), 32_768);
    assert_eq!(allowed(1), 32_768);
    assert_eq!(allowed(4095), 32_768);
    assert_eq!(allowed(4096), 4096);
    assert_eq!(allowed(20_000), 20_000);
    assert_eq!(allowed(u64::MAX), 261_120);
}
