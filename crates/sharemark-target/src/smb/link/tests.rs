mod sealed;

use std::net::TcpListener;

use smb2::types::Command;

use super::*;

/// A connection, and the server's end of it.
fn pair() -> (Link, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (Link::new(stream).unwrap(), listener.accept().unwrap().0)
}

/// A request under way that cost three credits, of an owner whose bell this is.
fn under_way(link: &Link, message: u64) -> Arc<Condvar> {
    let bell = Arc::new(Condvar::new());
    let mut queue = lock(&link.queue);
    queue.spent += 3;
    queue.slots.insert(message, Slot { bell: Arc::clone(&bell), charge: 3, arrival: Arrival::Awaited });
    bell
}

/// Lets the server answer a READ, and give five credits with it.
fn answer(server: &mut TcpStream, message: u64, length: u16) {
    let mut bytes = vec![0u8; HEADER + usize::from(length)];
    bytes[..4].copy_from_slice(b"\xFESMB");
    bytes[12] = 8;
    bytes[14] = 5;
    bytes[24..32].copy_from_slice(&message.to_le_bytes());
    let count = u32::try_from(bytes.len()).unwrap();
    server.write_all(&[&count.to_be_bytes(), bytes.as_slice()].concat()).unwrap();
}

fn read_one(link: &Link) -> Option<Reader> {
    let reader = lock(&link.queue).reader.take().unwrap();
    link.read_one(reader, &[]).unwrap()
}

#[test]
fn credits_count_before_the_owner_of_the_answer_wakes() {
    for (length, sleeps) in [(100, true), (100, false), (9000, true), (9000, false)] {
        let (link, mut server) = pair();
        let bell = under_way(&link, 7);
        if sleeps {
            lock(&link.queue).sleepers.push(bell);
        }
        lock(&link.queue).available = 0;
        answer(&mut server, 7, length);
        read_one(&link);
        let queue = lock(&link.queue);
        assert_eq!((queue.available, queue.spent), (5, 0), "{length} {sleeps}");
    }
}

#[test]
fn what_an_answer_brings_counts_once() {
    let (link, mut server) = pair();
    under_way(&link, 7);
    let other = under_way(&link, 8);
    answer(&mut server, 7, 100);
    read_one(&link);
    let mut queue = lock(&link.queue);
    let slot = queue.slots.get_mut(&7).unwrap();
    let Arrival::Here(came) = std::mem::replace(&mut slot.arrival, Arrival::Awaited) else {
        panic!("a short answer is read by who reads");
    };
    queue.settle(&came);
    assert_eq!((queue.available, queue.spent), (6, 3));
    assert!(queue.slots.len() == 1 && Arc::ptr_eq(&queue.slots[&8].bell, &other));
}

#[test]
fn a_long_answer_is_left_to_its_owner_only_while_that_one_sleeps() {
    for (length, sleeps, left) in
        [(9000, true, true), (9000, false, false), (4096 + 16, true, false), (100, true, false)]
    {
        let (link, mut server) = pair();
        let bell = under_way(&link, 7);
        if sleeps {
            lock(&link.queue).sleepers.push(bell);
        }
        answer(&mut server, 7, length);
        assert_eq!(read_one(&link).is_none(), left, "{length} {sleeps}");
        let queue = lock(&link.queue);
        let at_the_door = matches!(queue.slots[&7].arrival, Arrival::AtTheDoor(..));
        let here = matches!(queue.slots[&7].arrival, Arrival::Here(_));
        assert_eq!((at_the_door, here), (left, !left), "{length} {sleeps}");
    }
}

#[test]
fn who_wants_more_credits_than_there_will_be_is_told() {
    let (link, mut server) = pair();
    let other = under_way(&link, 7);
    lock(&link.queue).available = 0;
    answer(&mut server, 7, 100);
    link.set_large(true);
    let mut block = vec![0; 1 << 20];
    let wish = Exchange::raw(Command::Read, 0, Vec::new()).filling(&mut block);
    // Sixteen are needed, and with five nothing is under way any more, though the answer's owner never woke.
    let refused = link.call(wish).unwrap_err();
    assert_eq!(refused.code, FailureCode::Protocol);
    drop(other);
}
