//! Moves the bytes of one connection in one direction, each when the wire delivers it.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};

use super::lane::Lane;
use super::ring::Ring;

/// Moves bytes until the sender has ended, and then tells that to the receiver. While as much is under way as the wire
/// holds, nothing is taken from the sender, who notices.
///
/// # Errors
/// When either side is reset.
pub(crate) async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    lane: &Lane,
) -> io::Result<()> {
    let mut ring = Ring::new(lane.in_flight());
    let mut end: Option<Instant> = None;
    loop {
        let now = Instant::now();
        ring.deliver(now);
        if ring.is_empty() && end.is_some_and(|end| end <= now) {
            return to.shutdown().await;
        }
        let next = ring.next_delivery().or(end);
        let (room, delivered) = ring.parts(lane.chunk());
        tokio::select! {
            // What has arrived comes first: it makes room.
            biased;
            written = to.write(delivered), if !delivered.is_empty() => match written? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                written => ring.take(written),
            },
            read = from.read(room), if end.is_none() && !room.is_empty() => match (read?, Instant::now()) {
                (0, now) => end = Some(lane.end(now)),
                (read, now) => ring.put(read, lane.send(read, now)),
            },
            // Whoever has not taken what has arrived is waited for first.
            () = sleep_until(next.unwrap_or(now)), if delivered.is_empty() && next.is_some() => {}
            else => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use sharemark_model::Rate;
    use tokio::io::duplex;

    use super::*;
    use crate::Wire;

    fn lane(rate: f64, delay_ms: u64) -> Lane {
        Lane::new(Wire { bytes_per_second: Rate(rate), delay: Duration::from_millis(delay_ms) })
    }

    fn pattern(length: usize) -> Vec<u8> {
        (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect()
    }

    /// The clock stands still while anything can be done, so these times are exact but for the timers' millisecond.
    #[tokio::test(start_paused = true)]
    async fn bytes_come_out_as_they_went_in_at_the_rate_and_after_the_delay() {
        let lane = lane(1e6, 100);
        let (mut sender, mut near) = duplex(64 * 1024);
        let (mut far, mut receiver) = duplex(64 * 1024);
        let begin = Instant::now();
        let sent = pattern(500_000);
        let expected = sent.clone();
        let send = async move {
            sender.write_all(&sent).await.unwrap();
            drop(sender);
        };
        let receive = async move {
            let mut received = vec![0];
            receiver.read_exact(&mut received).await.unwrap();
            let first = begin.elapsed();
            receiver.read_to_end(&mut received).await.unwrap();
            (received, first, begin.elapsed())
        };
        let ((), moved, (received, first, last)) =
            tokio::join!(send, pump(&mut near, &mut far, &lane), receive);
        moved.unwrap();
        assert_eq!(received, expected);
        let near_to = |time: Duration, ms: u64| {
            (Duration::from_millis(ms)..Duration::from_millis(ms + 5)).contains(&time)
        };
        assert!(near_to(first, 101), "{first:?}");
        assert!(near_to(last, 600), "{last:?}");
    }

    /// When each of some connections has received this many bytes over the same lane.
    async fn together(lane: Lane, connections: usize, bytes: usize) -> Vec<Duration> {
        let (begin, lane) = (Instant::now(), Arc::new(lane));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..connections {
            let lane = Arc::clone(&lane);
            tasks.spawn(async move {
                let (mut sender, mut near) = duplex(64 * 1024);
                let (mut far, mut receiver) = duplex(64 * 1024);
                let sent = pattern(bytes);
                let mut received = Vec::new();
                let send = async {
                    sender.write_all(&sent).await.unwrap();
                    sender.shutdown().await.unwrap();
                };
                let ((), moved, read) =
                    tokio::join!(send, pump(&mut near, &mut far, &lane), receiver.read_to_end(&mut received));
                moved.unwrap();
                read.unwrap();
                assert_eq!(received, sent);
                begin.elapsed()
            });
        }
        tasks.join_all().await
    }

    #[tokio::test(start_paused = true)]
    async fn connections_share_the_rate() {
        for done in together(lane(1e6, 10), 4, 250_000).await {
            assert!((Duration::from_millis(900)..Duration::from_millis(1015)).contains(&done), "{done:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_sender_is_held_back_by_a_receiver_that_takes_nothing() {
        let lane = lane(1e6, 30);
        let (mut sender, mut near) = duplex(1);
        let (mut far, _receiver) = duplex(1);
        let mut sent = 0;
        let send = async {
            while sender.write(&[0; 4096]).await.is_ok_and(|written| written > 0) {
                sent += 1;
            }
        };
        let both = async { tokio::join!(send, pump(&mut near, &mut far, &lane)) };
        assert!(tokio::time::timeout(Duration::from_secs(3600), both).await.is_err(), "it goes on for ever");
        // Beside what the wire holds there is a byte in each of the two pipes.
        assert!(sent <= lane.in_flight() + 2, "{sent}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_receiver_that_is_gone_ends_it() {
        let (mut sender, mut near) = duplex(64);
        let (mut far, receiver) = duplex(64);
        drop(receiver);
        sender.write_all(b"anyone?").await.unwrap();
        let error = pump(&mut near, &mut far, &lane(1e6, 1)).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
