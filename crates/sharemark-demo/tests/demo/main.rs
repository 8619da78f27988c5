//! The demonstration as an NFS client that is not sharemark's own meets it, and its wires as a plain connection does.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, reason = "a test: what fails here fails the test")]

mod wires;

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use nfs_rs::{Mount, parse_url_and_mount};
use sharemark_demo::{Demo, Wire};
use sharemark_model::Rate;
use tokio::runtime::Runtime;

/// As good as no wire at all.
const OPEN: Wire = Wire { bytes_per_second: Rate(1e10), delay: Duration::ZERO };

const MIB: usize = 1024 * 1024;

/// The same, as a client asks for it.
const BLOCK: u32 = 1024 * 1024;

fn runtime() -> Runtime {
    Runtime::new().unwrap()
}

async fn mount(url: &str) -> Box<dyn Mount> {
    // This client finds the port of NFS itself unless it is told here, and begins at a port that only root may have.
    let port = url.split(['?', '&']).find_map(|part| part.strip_prefix("mountport=")).unwrap();
    parse_url_and_mount(&format!("{url}&nfsport={port}&noresvport=true")).await.unwrap()
}

fn block(number: usize) -> Bytes {
    (0..MIB).map(|at| (at.wrapping_mul(31) ^ (at >> 8) ^ number).to_le_bytes()[0]).collect::<Vec<_>>().into()
}

#[test]
fn both_wires_lead_to_one_store_and_nothing_else() {
    let demo = Demo::start(OPEN, OPEN).unwrap();
    let [(fast, fast_url), (slow, slow_url)] = demo.locations();
    assert_eq!((fast, slow), ("fast", "slow"));
    assert_ne!(fast_url, slow_url);
    runtime().block_on(async {
        let (fast, slow) = (mount(&fast_url).await, mount(&slow_url).await);
        let folder = fast.mkdir_path("/sharemark-写真", 0o755).await.unwrap().fh;
        let file = fast.create(folder.clone(), "a", Some(0o600)).await.unwrap().fh;
        assert!(fast.create(folder.clone(), "a", None).await.is_err(), "it is there already");
        // The last block comes first, as may happen when more than one is under way.
        for number in [2, 0, 1] {
            let written = fast.write(file.clone(), (number * MIB) as u64, block(number)).await.unwrap();
            assert_eq!(written.count as usize, MIB);
        }
        fast.commit(file.clone(), 0, 0).await.unwrap();

        let seen = slow.lookup_path("/sharemark-写真/a").await.unwrap().fh;
        let attributes = slow.getattr(seen.clone()).await.unwrap();
        assert_eq!((attributes.filesize, attributes.file_mode), (3 * MIB as u64, 0o600));
        for number in [1, 2, 0] {
            let read = slow.read(seen.clone(), (number * MIB) as u64, BLOCK).await.unwrap();
            assert!(read == block(number), "block {number} came back as it was written");
        }
        let mut entries = slow.readdir_path("/sharemark-写真").await.unwrap();
        let mut names = Vec::new();
        while let Some(entry) = entries.next().await {
            names.push(entry.unwrap().file_name);
        }
        drop(entries);
        names.retain(|name| name != "." && name != "..");
        assert_eq!(names, ["a"]);
        assert!(slow.rmdir_path("/sharemark-写真").await.is_err(), "it is not empty");
        slow.remove_path("/sharemark-写真/a").await.unwrap();
        slow.rmdir_path("/sharemark-写真").await.unwrap();
        assert!(fast.lookup_path("/sharemark-写真").await.is_err());
        let info = fast.fsinfo().await.unwrap();
        assert_eq!((info.rtmax as usize, info.wtmax as usize), (MIB, MIB));
    });
}

#[test]
fn a_full_store_says_so_and_has_room_again_after_a_removal() {
    let demo = Demo::with_limit(OPEN, OPEN, sharemark_model::Bytes::mebibytes(4)).unwrap();
    let [(_, url), _] = demo.locations();
    runtime().block_on(async {
        let share = mount(&url).await;
        let one = share.create_path("/one", None).await.unwrap().fh;
        for number in 0..4 {
            share.write(one.clone(), (number * MIB) as u64, block(number)).await.unwrap();
        }
        let refused = share.write(one.clone(), 4 * MIB as u64, block(4)).await.unwrap_err();
        assert!(format!("{refused:?}").to_lowercase().contains("spc"), "{refused:?}");
        share.remove_path("/one").await.unwrap();
        let two = share.create_path("/two", None).await.unwrap().fh;
        share.write(two, 0, block(0)).await.unwrap();
    });
}

#[test]
fn many_clients_at_once_get_their_own_bytes_back() {
    let wire = Wire { bytes_per_second: Rate(200e6), delay: Duration::from_millis(1) };
    let demo = Demo::start(wire, wire).unwrap();
    let [(_, fast), (_, slow)] = demo.locations();
    runtime().block_on(async {
        let mut clients = tokio::task::JoinSet::new();
        for client in 0..4usize {
            let url = if client % 2 == 0 { fast.clone() } else { slow.clone() };
            clients.spawn(async move {
                let share = mount(&url).await;
                let file = share.create_path(&format!("/{client}"), None).await.unwrap().fh;
                for number in 0..4 {
                    let data = block(client * 8 + number);
                    share.write(file.clone(), (number * MIB) as u64, data).await.unwrap();
                }
                for number in 0..4 {
                    let read = share.read(file.clone(), (number * MIB) as u64, BLOCK).await.unwrap();
                    assert!(read == block(client * 8 + number), "client {client}, block {number}");
                }
                share.remove_path(&format!("/{client}")).await.unwrap();
            });
        }
        clients.join_all().await;
    });
}

#[test]
fn with_the_demonstration_its_ports_are_gone() {
    let demo = Demo::start(OPEN, OPEN).unwrap();
    let address = demo.locations()[0].1.split('/').nth(2).unwrap().to_owned();
    let mut connection = std::net::TcpStream::connect(&address).unwrap();
    drop(demo);
    assert!(std::net::TcpStream::connect(&address).is_err());
    let read = std::io::Read::read(&mut connection, &mut [0]);
    assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
}

#[test]
fn it_may_end_inside_of_another_runtime() {
    let demo = Demo::start(OPEN, OPEN).unwrap();
    let address = demo.locations()[1].1.split('/').nth(2).unwrap().to_owned();
    runtime().block_on(async move { drop(demo) });
    // It is not waited for there, so that the port is closed a moment later.
    let closed = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        std::net::TcpStream::connect(&address).is_err()
    });
    assert!(closed);
}
