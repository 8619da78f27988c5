//! Reading a file: a GET for each block, on as many connections as there are operations under way.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use sharemark_model::{CacheProof, CacheUse, FailureCode, ReadMode};

use super::connection::Connection;
use super::http::{Body, Head, protocol};
use super::session::{Opened, Request, Session, lock};
use super::status;
use crate::{ReadFile, ReadOptions, ServerAnswer};

/// A server has a process or a thread for each connection, and a few hundred of them.
pub(super) const CONNECTIONS: u32 = 64;

/// A file open for reading.
pub(super) struct Download {
    session: Arc<Session>,
    target: String,
    depth: u32,
    /// How many more requests may be sent now.
    places: Mutex<u32>,
    place_free: Condvar,
    /// A cache on the way has answered, or may have.
    cached: AtomicBool,
}

impl Download {
    /// Opens the file: it has to be there, and no more.
    pub(super) fn open(session: Arc<Session>, target: String, options: &ReadOptions) -> io::Result<Self> {
        let (head, _) = session.ask(&Request::new("HEAD", &target))?;
        if !head.succeeded() {
            return Err(status::refusal(&head));
        }
        let depth = options.depth.clamp(1, CONNECTIONS);
        Ok(Self {
            session,
            target,
            depth,
            places: Mutex::new(depth),
            place_free: Condvar::new(),
            cached: AtomicBool::new(false),
        })
    }

    fn in_place<T>(&self, operation: impl FnOnce() -> T) -> T {
        let mut places = lock(&self.places);
        while *places == 0 {
            places = self.place_free.wait(places).unwrap_or_else(PoisonError::into_inner);
        }
        *places -= 1;
        drop(places);
        let result = operation();
        *lock(&self.places) += 1;
        self.place_free.notify_one();
        result
    }

    /// Reads what one answer brings; answers whether the file ends there.
    fn part(&self, into: &mut [u8], offset: u64) -> io::Result<(usize, bool)> {
        let range = format!("bytes={offset}-{}", offset + into.len() as u64 - 1);
        // A cache on the way is to ask the server again.
        let headers = [("Range", range.as_str()), ("Cache-Control", "no-cache"), ("Pragma", "no-cache")];
        let request = Request { headers: &headers, ..Request::new("GET", &self.target) };
        let Opened { connection, head, body } = self.session.open(&request)?;
        if from_cache(&head) {
            self.cached.store(true, Ordering::Relaxed);
        }
        if let Some(coding) = head.get("content-encoding").filter(|coding| *coding != "identity") {
            return Err(protocol(format!("Content-Encoding: {coding}")));
        }
        match head.status {
            206 => {
                let sent = Sent::of(&head).filter(|sent| sent.first == offset && sent.last >= offset);
                let sent = sent.ok_or_else(|| {
                    protocol(format!(
                        "{}, Content-Range: {}",
                        head.line(),
                        head.get("content-range").unwrap_or("-")
                    ))
                })?;
                let length = sent.length().filter(|length| *length <= into.len());
                let length = length
                    .ok_or_else(|| protocol(format!("{}, {}-{}", head.line(), sent.first, sent.last)))?;
                self.fill(connection, body, &mut into[..length])?;
                Ok((length, sent.total.is_some_and(|total| sent.last >= total.saturating_sub(1))))
            }
            // Beyond the end. A server that knows the size says it.
            416 if Sent::total(&head).is_none_or(|total| total <= offset) => {
                self.session.discard(connection, body);
                Ok((0, true))
            }
            // The whole file may be what was asked for.
            200 => match body.left().and_then(|left| usize::try_from(left).ok()) {
                Some(length) if offset == 0 && length <= into.len() => {
                    self.fill(connection, body, &mut into[..length])?;
                    Ok((length, true))
                }
                // An empty file has no range.
                Some(0) => Ok((0, true)),
                _ => Err(ServerAnswer::new(
                    FailureCode::Unsupported,
                    format!("Range: {range}: {}", head.line()),
                )
                .into()),
            },
            _ => Err(status::refusal(&head)),
        }
    }

    fn fill(&self, mut connection: Connection, mut body: Body, into: &mut [u8]) -> io::Result<()> {
        let count = connection.read(&mut body, into, None)?;
        if count < into.len() {
            return Err(protocol(format!("GET: {count} B, Content-Range: {} B", into.len())));
        }
        // The end of a chunked body is read as well.
        self.session.discard(connection, body);
        Ok(())
    }
}

/// The part of a file that a server sends (RFC 9110, 14.4).
struct Sent {
    first: u64,
    last: u64,
    /// The file's size; `None` where the server does not tell it.
    total: Option<u64>,
}

impl Sent {
    fn of(head: &Head) -> Option<Self> {
        let (range, total) = head.get("content-range")?.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        Some(Self {
            first: first.trim().parse().ok()?,
            last: last.trim().parse().ok()?,
            total: total.trim().parse().ok(),
        })
    }

    /// Its bytes; `None` for more than can be.
    fn length(&self) -> Option<usize> {
        usize::try_from(self.last.checked_sub(self.first)?.checked_add(1)?).ok()
    }

    /// The size in an answer that no part is sent with.
    fn total(head: &Head) -> Option<u64> {
        head.get("content-range")?.strip_prefix("bytes */")?.trim().parse().ok()
    }
}

/// Whether a cache on the way has answered, or a proxy that may have one. A proxy is told to ask again, but what it does
/// cannot be seen.
fn from_cache(head: &Head) -> bool {
    // Only a cache tells an age (RFC 9111, 5.1), also that of a moment.
    let aged = head.get("age").is_some();
    let says = |names: &[&'static str], words: &[&str]| {
        names.iter().flat_map(|name| head.all(name)).any(|value| {
            let value = value.to_ascii_lowercase();
            value.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| words.contains(&word))
        })
    };
    // RFC 9211 has the word `hit` as a parameter; the others tell it in ways of their own.
    let hit = says(&["cache-status"], &["hit"])
        || head.all("x-cache").any(|value| value.to_ascii_lowercase().contains("hit"))
        || says(
            &["cf-cache-status", "x-cache-status", "x-proxy-cache"],
            &["hit", "stale", "revalidated", "updating"],
        );
    aged || hit || head.get("via").is_some()
}

impl ReadFile for Download {
    fn prepare(&self) -> io::Result<()> {
        self.session.warm(self.depth as usize)
    }

    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize> {
        self.in_place(|| {
            let mut count = 0;
            while count < length {
                let (more, ended) = self.part(&mut block[count..length], offset + count as u64)?;
                count += more;
                if ended {
                    break;
                }
            }
            Ok(count)
        })
    }

    fn cache(&self) -> CacheUse {
        CacheUse {
            read: Some(ReadMode::Direct),
            proof: CacheProof::OwnProtocol,
            ruled_out: !self.cached.load(Ordering::Relaxed),
            ..CacheUse::default()
        }
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(headers: &[(&str, &str)]) -> Head {
        let headers = headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Head { status: 206, reason: String::new(), headers, minor: 1 }
    }

    #[test]
    fn a_cache_on_the_way_is_seen() {
        assert!(!from_cache(&head(&[("x-cache", "MISS from proxy"), ("cache-status", "edge; fwd=miss")])));
        assert!(from_cache(&head(&[("age", "0")])));
        assert!(from_cache(&head(&[("cache-status", "edge; hit; ttl=30")])));
        assert!(from_cache(&head(&[("cf-cache-status", "REVALIDATED")])));
        assert!(from_cache(&head(&[("x-cache-status", "STALE")])));
        assert!(!from_cache(&head(&[("x-proxy-cache", "MISS"), ("cf-cache-status", "DYNAMIC")])));
        assert!(from_cache(&head(&[("age", "3")])));
        assert!(from_cache(&head(&[("x-cache", "MISS"), ("x-cache", "Hit from edge")])));
        assert!(from_cache(&head(&[("via", "1.1 proxy")])));
    }

    #[test]
    fn the_part_that_is_sent_is_read() {
        let of = |text| {
            Sent::of(&head(&[("content-range", text)])).map(|sent| (sent.first, sent.last, sent.total))
        };
        assert_eq!(of("bytes 5-9/20"), Some((5, 9, Some(20))));
        assert_eq!(of("bytes 5-9/*"), Some((5, 9, None)));
        let length = |text| Sent::of(&head(&[("content-range", text)])).unwrap().length();
        assert_eq!(length("bytes 5-9/20"), Some(5));
        assert_eq!(length("bytes 0-18446744073709551615/*"), None);
        assert_eq!(length("bytes 9-5/*"), None);
        for wrong in ["items 1-2/3", "bytes */20", "bytes 5/20", "bytes a-9/20"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(Sent::total(&head(&[("content-range", "bytes */20")])), Some(20));
    }
}
