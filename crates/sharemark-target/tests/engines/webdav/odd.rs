//! Servers that answer what a real one rarely does: each says its lines, whatever it is asked.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sharemark_model::{Bytes, Durability, FailureCode, FileName, FolderName, ReadCache};
use sharemark_target::{AlignedBuffer, ReadOptions, Target, WriteOptions, classify, reach};

use super::{refusal, share};

const FOLDER: &str = "HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n\
    <multistatus xmlns=\"DAV:\"><response><href>/</href><propstat><prop><resourcetype><collection/></resourcetype>\
    </prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>";

/// Answers each request by what `answer` makes of its first line; `None` ends the connection.
fn server(answer: fn(&str) -> Option<String>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let kept = Arc::new(Mutex::new(Vec::new()));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let kept = kept.clone();
            thread::spawn(move || {
                let mut stream = stream.unwrap();
                while let Some(request) = request(&mut stream) {
                    let Some(text) = answer(&request) else { return };
                    // What stands behind a `...` is said when the client has gone on.
                    for part in text.split("...") {
                        if stream.write_all(part.as_bytes()).is_err() {
                            return;
                        }
                        thread::sleep(Duration::from_millis(100));
                    }
                    if text.contains("100 Continue") {
                        // The body is read by nobody, and the connection stays.
                        kept.lock().unwrap().push(stream);
                        return;
                    }
                    if text.contains("Connection: close") {
                        return;
                    }
                }
            });
        }
    });
    address
}

/// Reads a request's head, and its body if that has a length.
fn request(stream: &mut impl Read) -> Option<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    if !head.contains("Expect:") {
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        stream.read_exact(&mut body).ok()?;
    }
    Some(head)
}

fn target(address: SocketAddr) -> Arc<dyn Target> {
    reach(&share(&format!("webdav://{address}/"))).unwrap()
}

fn folder() -> FolderName {
    FolderName::for_run("odd").unwrap()
}

fn file() -> FileName {
    FileName::try_from("r001.bin".to_owned()).unwrap()
}

fn write_options() -> WriteOptions {
    WriteOptions { durability: Durability::Flush, size: Bytes(64 << 20), block: Bytes(1 << 20), depth: 1 }
}

fn read_options() -> ReadOptions {
    ReadOptions { cache: ReadCache::Avoid, trusted: true, block: Bytes(4096), depth: 2, also_written: false }
}

fn empty(status: &str) -> Option<String> {
    Some(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n"))
}

#[test]
fn a_server_of_web_pages_is_no_share() {
    let page = server(|head| match head.split(' ').next() {
        Some("PROPFIND") => empty("405 Method Not Allowed"),
        _ => empty("200 OK"),
    });
    let (code, text) = refusal(&share(&format!("webdav://{page}/")));
    assert_eq!((code, text.as_str()), (FailureCode::Protocol, "405 Method Not Allowed"));
    let any = server(|_| empty("200 OK"));
    assert_eq!(refusal(&share(&format!("webdav://{any}/"))).0, FailureCode::Protocol);
    let moved =
        server(|_| Some("HTTP/1.1 301 Moved\r\nLocation: https://nas/\r\nContent-Length: 0\r\n\r\n".into()));
    assert_eq!(
        refusal(&share(&format!("webdav://{moved}/"))),
        (FailureCode::Other, "301 Moved: https://nas/".into())
    );
}

#[test]
fn a_server_without_ranges_is_told_at_once() {
    let address = server(|head| match head.split(' ').next() {
        // The body never comes: who waits for it waits for ever.
        Some("GET") => Some("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n".into()),
        Some("HEAD") => empty("200 OK"),
        _ => Some(FOLDER.into()),
    });
    let reader = target(address).open(&folder(), &file(), &read_options()).unwrap();
    let mut block = AlignedBuffer::new(4096).unwrap();
    let error = reader.read(block.bytes_mut(), 4096, 8192).unwrap_err();
    assert_eq!(classify(&error), FailureCode::Unsupported);
    assert_eq!(error.to_string(), "Range: bytes=8192-12287: 200 OK");
}

#[test]
fn a_cache_on_the_way_is_not_ruled_out() {
    let address = server(|head| {
        match head.split(' ').next() {
        Some("GET") => Some(
            "HTTP/1.1 206 Partial Content\r\nAge: 7\r\nContent-Range: bytes 0-3/4\r\nContent-Length: 4\r\n\r\ndata".into(),
        ),
        Some("HEAD") => empty("200 OK"),
        _ => Some(FOLDER.into()),
    }
    });
    let reader = target(address).open(&folder(), &file(), &read_options()).unwrap();
    reader.prepare().unwrap();
    assert!(reader.cache().ruled_out);
    let mut block = AlignedBuffer::new(4096).unwrap();
    assert_eq!(reader.read(block.bytes_mut(), 4096, 0).unwrap(), 4);
    assert_eq!(&block.bytes()[..4], b"data");
    assert!(!reader.cache().ruled_out);
}

/// A server that takes a file, and thinks better of it.
fn changes_its_mind(answer: fn(&str) -> Option<String>) {
    let writer = target(server(answer)).create(&folder(), &file(), &write_options()).unwrap();
    let block = vec![0; 64 << 20];
    let error = writer.write(&block, 0).unwrap_err();
    assert_eq!(
        (classify(&error), error.to_string().as_str()),
        (FailureCode::NoSpace, "507 Insufficient Storage")
    );
    let again = writer.write(&block, block.len() as u64).unwrap_err();
    assert_eq!(classify(&again), FailureCode::NoSpace);
    assert_eq!(classify(&writer.close().unwrap_err()), FailureCode::NoSpace);
}

#[test]
fn an_answer_in_the_middle_of_a_file_ends_it() {
    fn answer(head: &str, between: &str) -> Option<String> {
        match head.split(' ').next() {
            Some("PUT") if head.contains("chunked") => {
                let last = "HTTP/1.1 507 Insufficient Storage\r\nContent-Length: 0\r\n\r\n";
                Some(format!("HTTP/1.1 100 Continue\r\n\r\n{between}{last}"))
            }
            Some("PUT") => Some("HTTP/1.1 100 Continue\r\n\r\n".into()),
            Some("HEAD" | "DELETE") => empty("404 Not Found"),
            _ => Some(FOLDER.into()),
        }
    }
    changes_its_mind(|head| answer(head, ""));
    changes_its_mind(|head| answer(head, "..."));
}

#[test]
fn the_words_of_a_refusal_in_the_middle_tell_of_a_quota() {
    let address = server(|head| match head.split(' ').next() {
        Some("PUT") if head.contains("chunked") => {
            let words = "<error xmlns=\"DAV:\"><quota-not-exceeded/></error>";
            let last = format!(
                "HTTP/1.1 507 Insufficient Storage\r\nContent-Length: {}\r\n\r\n...{words}",
                words.len()
            );
            Some(format!("HTTP/1.1 100 Continue\r\n\r\n...{last}"))
        }
        Some("PUT") => Some("HTTP/1.1 100 Continue\r\n\r\n".into()),
        Some("HEAD" | "DELETE") => empty("404 Not Found"),
        _ => Some(FOLDER.into()),
    });
    let writer = target(address).create(&folder(), &file(), &write_options()).unwrap();
    let error = writer.write(&vec![0; 64 << 20], 0).unwrap_err();
    assert_eq!(classify(&error), FailureCode::Quota, "{error}");
    assert_eq!(classify(&writer.close().unwrap_err()), FailureCode::Quota);
}

#[test]
fn a_server_that_needs_the_length_is_told() {
    let address = server(|head| match head.split(' ').next() {
        Some("PUT") if head.contains("chunked") => empty("411 Length Required"),
        Some("PUT") => Some("HTTP/1.1 100 Continue\r\n\r\n".into()),
        Some("HEAD" | "DELETE") => empty("404 Not Found"),
        _ => Some(FOLDER.into()),
    });
    let failure = target(address).create(&folder(), &file(), &write_options()).err().unwrap();
    assert_eq!(
        (failure.code, failure.system.as_deref()),
        (FailureCode::Unsupported, Some("411 Length Required"))
    );
}

#[test]
fn blocks_wait_for_their_turn() {
    let address = server(|head| match head.split(' ').next() {
        Some("PUT") => Some("HTTP/1.1 100 Continue\r\n\r\n".into()),
        Some("HEAD" | "DELETE") => empty("404 Not Found"),
        _ => Some(FOLDER.into()),
    });
    let options = WriteOptions { size: Bytes(3), ..write_options() };
    let writer = target(address).create(&folder(), &file(), &options).unwrap();
    let order = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for offset in [2, 1, 0] {
            let (writer, order) = (&writer, &order);
            scope.spawn(move || {
                writer.write(b"x", offset).unwrap();
                order.lock().unwrap().push(offset);
            });
        }
    });
    assert_eq!(order.into_inner().unwrap().len(), 3);
    assert!(writer.write(b"x", 1).is_err(), "what is sent cannot be sent again");
}
