use std::task::Context;

use super::*;
use crate::classify;

/// Runs a client against a server that sends `answer` and then closes.
fn against<T>(answer: &[u8], client: impl AsyncFnOnce(&mut Wire) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (near, mut far) = tokio::io::duplex(1 << 20);
        far.write_all(answer).await.unwrap();
        drop(far);
        client(&mut Wire::new(Box::new(near))).await
    })
}

fn whole(answer: &str) -> io::Result<(u16, Vec<u8>, bool)> {
    against(answer.as_bytes(), async |wire: &mut Wire| {
        let head = wire.head().await?;
        let mut body = head.body("GET")?;
        let (mut all, mut part) = (Vec::new(), [0; 3]);
        loop {
            match wire.read(&mut body, &mut part).await? {
                0 => return Ok((head.status, all, body.reusable())),
                count => all.extend_from_slice(&part[..count]),
            }
        }
    })
}

#[test]
fn a_body_ends_where_its_head_says() {
    let ok = |text: &str| whole(text).unwrap();
    assert_eq!(
        ok("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello more"),
        (200, b"hello".to_vec(), true)
    );
    assert_eq!(
        ok(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nhell\r\n1\r\no\r\n0\r\nA: b\r\n\r\n"
        ),
        (200, b"hello".to_vec(), true)
    );
    assert_eq!(ok("HTTP/1.1 200 OK\r\n\r\nhello"), (200, b"hello".to_vec(), false));
    assert_eq!(ok("HTTP/1.1 204 No Content\r\n\r\n"), (204, Vec::new(), true));
    assert!(!ok("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").2);
    assert!(!ok("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").2);
}

#[test]
fn a_server_that_goes_is_told_from_one_that_speaks_something_else() {
    let code = |text: &str| classify(&whole(text).unwrap_err());
    assert_eq!(code(""), FailureCode::ServerGone);
    assert_eq!(code("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"), FailureCode::ServerGone);
    assert_eq!(code("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe"), FailureCode::ServerGone);
    assert_eq!(code("SSH-2.0-OpenSSH_9.2\r\n"), FailureCode::Protocol);
    assert_eq!(code("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), FailureCode::Protocol);
    assert_eq!(code("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"), FailureCode::Protocol);
}

/// A server that was killed closes without TLS's farewell, and the next read or write says so.
struct Torn;

impl AsyncRead for Torn {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(ErrorKind::UnexpectedEof.into()))
    }
}

impl AsyncWrite for Torn {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(0))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn a_server_that_is_torn_away_is_gone_and_not_full_or_untrue() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let codes = runtime.block_on(async {
        let mut wire = Wire::new(Box::new(Torn));
        let results = [
            wire.send_part([b"5\r\n", b"hello", b"\r\n"]).await.err(),
            wire.send("GET", "").await.err(),
            wire.head().await.err(),
        ];
        results.map(|error| classify(&error.unwrap()))
    });
    assert_eq!(codes, [FailureCode::ServerGone; 3]);
}

#[test]
fn a_head_is_bounded() {
    let endless = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(2 * HEAD_LIMIT));
    assert_eq!(classify(&whole(&endless).unwrap_err()), FailureCode::Protocol);
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(2 * HEADERS_LIMIT));
    assert_eq!(classify(&whole(&many).unwrap_err()), FailureCode::Protocol);
}

#[test]
fn an_answer_in_the_middle_of_a_body_is_seen() {
    let answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\n\r\n";
    let head = against(answer, async |wire: &mut Wire| wire.send_part([b"5\r\n", b"hello", b"\r\n"]).await);
    assert_eq!(head.unwrap().unwrap().status, 413);
    let silent = against(b"", async |wire: &mut Wire| wire.send_part([b"", b"hello", b""]).await);
    assert_eq!(classify(&silent.unwrap_err()), FailureCode::ServerGone);
}
