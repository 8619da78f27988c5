//! The embedded server: NFSv3 and MOUNT on one port, and files in memory. It takes no write behind a file's end, so that
//! blocks are written in order here; it is always stable.

use nfs3_server::memfs::{MemFs, MemFsConfig};
use nfs3_server::tcp::{NFSTcp, NFSTcpListener};
use sharemark_model::{Durability, FailureCode, Wishes, WriteMode};
use sharemark_target::reach;
use tokio::runtime::Runtime;

use super::{
    all_say_that_it_is_gone, folder, mode_after_a_write, place, refusal, share, write_until_it_ends,
};
use crate::conformance::{Able, check};

const ABLE: Able = Able { any_order: false, updates: true, write_through: WriteMode::DirectWriteThrough };

struct Memory {
    runtime: Runtime,
    port: u16,
}

impl Memory {
    fn start() -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let mut config = MemFsConfig::default();
        config.add_dir("/deep");
        config.add_dir("/deep/写真 $ 2026 📷");
        config.add_file("/plain.txt", b"text".as_slice());
        let files = MemFs::new(config).unwrap();
        let listener = runtime.block_on(async {
            let mut listener = NFSTcpListener::bind("127.0.0.1:0", files).await.unwrap();
            listener.with_export_name("srv/media");
            listener
        });
        let port = listener.get_listen_port();
        runtime.spawn(async move { listener.handle_forever().await });
        Self { runtime, port }
    }

    fn url(&self, path: &str, query: &str) -> String {
        format!("nfs://127.0.0.1:{0}{path}?mountport={0}{query}", self.port)
    }
}

#[test]
fn the_embedded_server_conforms() {
    let server = Memory::start();
    check(&place(&server.url("/srv/media", "")), ABLE);
    check(&place(&server.url("/srv/media/deep/写真 $ 2026 📷", "&version=3")), ABLE);
    check(
        &share(&server.url("/srv/media", "&uid=1000"), Wishes { connections: 3, ..Wishes::default() }),
        ABLE,
    );
}

#[test]
fn the_server_is_described() {
    let server = Memory::start();
    let url = server.url("/srv/media/deep", "&uid=1000");
    let found = reach(&place(&url)).unwrap().inspect().unwrap();
    let facts = found.server.unwrap();
    assert_eq!((facts["version"].as_str(), facts["export"].as_str()), (Some("3"), Some("/srv/media")));
    assert_eq!((facts["uid"].as_u64(), facts["max_write_bytes"].as_u64()), (Some(1000), Some(1 << 20)));
    assert_eq!(facts["address"], format!("127.0.0.1:{}", server.port));
    assert!(facts["connect_ns"].as_u64() > Some(0) && facts["round_trip_ns"].as_u64() > Some(0));
    assert_eq!((found.free.unwrap().0, found.total.unwrap().0), (1 << 40, 1 << 40));
}

#[test]
fn what_cannot_be_reached_is_told_apart() {
    let server = Memory::start();
    let unknown = refusal(&server.url("/srv/other", ""));
    assert_eq!(
        (unknown.code, &unknown.choices[..]),
        (FailureCode::UnknownShare, &["/srv/media".to_owned()][..])
    );
    let none = refusal(&server.url("", ""));
    assert_eq!((none.code, &none.choices[..]), (FailureCode::NoShare, &["/srv/media".to_owned()][..]));
    let version = refusal(&server.url("/srv/media", "&version=4.1"));
    assert_eq!(version.code, FailureCode::Version);
    assert_eq!(version.system.as_deref(), Some("RPC PROG_MISMATCH (2): 3-3"));
    for (path, code) in [
        ("/srv/media/absent", FailureCode::NotFound),
        ("/srv/media/plain.txt", FailureCode::NotAFolder),
        ("/srv/media/plain.txt/deeper", FailureCode::NotAFolder),
    ] {
        let target = reach(&place(&server.url(path, ""))).unwrap();
        assert_eq!(target.inspect().unwrap_err().code, code, "{path}");
    }
}

#[test]
fn the_mode_is_what_the_answers_said() {
    let server = Memory::start();
    let target = reach(&place(&server.url("/srv/media", ""))).unwrap();
    target.create_folder(&folder()).unwrap();
    for (durability, mode) in [
        (Durability::WriteThrough, WriteMode::DirectWriteThrough),
        (Durability::Flush, WriteMode::Flushed),
        (Durability::Buffered, WriteMode::Acknowledged),
    ] {
        assert_eq!(mode_after_a_write(&*target, durability), mode);
    }
    target.remove_folder(&folder()).unwrap();
}

#[test]
fn a_server_that_dies_is_gone_at_once() {
    let server = Memory::start();
    let (begun, ended) = write_until_it_ends(&place(&server.url("/srv/media", "")));
    begun.recv().unwrap();
    server.runtime.shutdown_background();
    all_say_that_it_is_gone(&ended);
}
