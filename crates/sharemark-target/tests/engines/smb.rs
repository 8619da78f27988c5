//! The engine for SMB, against Samba.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use sharemark_model::{
    Bytes, Durability, Failure, FailureCode, FileName, FolderName, Place, SmbDialect, SmbSigning, Wishes,
    WriteMode,
};
use sharemark_target::{ReadOptions, WriteOptions, classify, reach};

use crate::conformance::{self, Able};
use crate::samba::{self, PASSWORD, Samba};
use crate::server::{share, with_password};

const ABLE: Able = Able { any_order: true, updates: true, write_through: WriteMode::DirectWriteThrough };

fn user(samba: &Samba, path: &str, wishes: Wishes) -> Place {
    with_password(&share(&samba.as_user(path), wishes), PASSWORD)
}

fn dialect(dialect: SmbDialect) -> Wishes {
    Wishes { smb_dialect: Some(dialect), ..Wishes::default() }
}

fn signing(signing: SmbSigning) -> Wishes {
    Wishes { smb_signing: Some(signing), ..Wishes::default() }
}

fn fact(place: &Place, name: &str) -> Value {
    reach(place).unwrap().inspect().unwrap().server.unwrap().remove(name).unwrap()
}

fn failure(place: &Place) -> Failure {
    match reach(place) {
        Err(failure) => failure,
        Ok(target) => target.inspect().unwrap_err(),
    }
}

fn names() -> (FolderName, FileName) {
    (FolderName::for_run("smb").unwrap(), FileName::try_from("r001.bin".to_owned()).unwrap())
}

fn writing(durability: Durability) -> WriteOptions {
    WriteOptions { durability, size: Bytes(64 << 20), block: Bytes(1 << 20), depth: 4 }
}

#[test]
fn a_guest_does_everything() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "");
    let place = share(&samba.as_guest("Public"), Wishes::default());
    conformance::check(&place, ABLE);
    let facts = reach(&place).unwrap().inspect().unwrap().server.unwrap();
    assert_eq!(facts["login"], "guest");
    assert_eq!(facts["dialect"], "3.1.1");
    assert_eq!(facts["signing"], "off");
    assert_eq!(facts["encryption"], "off");
    assert_eq!(facts["address"], format!("127.0.0.1:{}", samba.port));
    assert_eq!(facts["connections"], 1);
    assert!(facts["credits"].as_u64().unwrap() >= 512, "{facts:?}");
    for name in ["max_read_bytes", "max_write_bytes", "max_transact_bytes", "connect_ns", "negotiate_ns"]
        .into_iter()
        .chain(["login_ns", "share_ns", "round_trip_ns"])
    {
        assert!(facts[name].as_u64().unwrap() > 0, "{name}");
    }
}

#[test]
fn nobody_is_somebody_where_guests_are_unknown() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("map to guest = Never", "");
    let place = share(&samba.as_guest("Public"), Wishes::default());
    assert_eq!(fact(&place, "login"), "anonymous");
    conformance::check(&place, ABLE);
}

#[test]
fn a_user_does_everything_in_every_dialect() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("server min protocol = SMB2_02", "");
    for (version, algorithm) in [
        (SmbDialect::V2_0_2, "hmac-sha256"),
        (SmbDialect::V2_1, "hmac-sha256"),
        (SmbDialect::V3_0, "cmac"),
        (SmbDialect::V3_0_2, "cmac"),
        (SmbDialect::V3_1_1, "gmac"),
    ] {
        for (wish, shown) in
            [(None, "off"), (Some(SmbSigning::On), algorithm), (Some(SmbSigning::Off), "off")]
        {
            let place = user(&samba, "Public", Wishes { smb_signing: wish, ..dialect(version) });
            conformance::check(&place, ABLE);
            let facts = reach(&place).unwrap().inspect().unwrap().server.unwrap();
            assert_eq!(facts["dialect"], version.name());
            assert_eq!(facts["signing"], shown);
            assert_eq!(facts["login"], "user");
        }
    }
}

#[test]
fn a_server_that_demands_signatures_gets_them() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("server signing = mandatory", "");
    for version in [SmbDialect::V2_1, SmbDialect::V3_0_2, SmbDialect::V3_1_1] {
        let place = user(&samba, "Public", dialect(version));
        conformance::check(&place, ABLE);
        assert_ne!(fact(&place, "signing"), "off");
    }
    assert_eq!(failure(&user(&samba, "Public", signing(SmbSigning::Off))).code, FailureCode::Signing);
    let guest = share(&samba.as_guest("Public"), signing(SmbSigning::On));
    assert_eq!(failure(&guest).code, FailureCode::Signing);
}

#[test]
fn what_is_to_be_encrypted_is_encrypted() {
    if !samba::available() {
        return;
    }
    for (global, own) in [("", "smb encrypt = required"), ("smb encrypt = required", "")] {
        let samba = Samba::start(global, own);
        for (version, cipher) in [
            (SmbDialect::V3_0, "aes-128-ccm"),
            (SmbDialect::V3_0_2, "aes-128-ccm"),
            (SmbDialect::V3_1_1, "aes-128-gcm"),
        ] {
            let place = user(&samba, "Public", dialect(version));
            there_and_back(&place);
            assert_eq!(fact(&place, "encryption"), cipher);
        }
        // Who cannot encrypt is not let in, and told so in time.
        let old = failure(&user(&samba, "Public", dialect(SmbDialect::V2_1))).code;
        assert!(matches!(old, FailureCode::NoPermission | FailureCode::Encryption), "{old:?}");
        failure(&share(&samba.as_guest("Public"), Wishes::default()));
    }
    for cipher in ["AES-128-CCM", "AES-256-GCM", "AES-256-CCM"] {
        let more = format!("smb encrypt = required\nserver smb3 encryption algorithms = {cipher}");
        let samba = Samba::start(&more, "");
        let place = user(&samba, "Public", Wishes::default());
        there_and_back(&place);
        assert_eq!(fact(&place, "encryption"), cipher.to_lowercase());
    }
}

#[test]
fn an_encrypted_share_does_everything() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "smb encrypt = required");
    conformance::check(&user(&samba, "Public", Wishes { connections: 2, ..Wishes::default() }), ABLE);
}

/// Less than all that a target does, for the many ciphers: they are slow in a build for tests.
fn there_and_back(place: &Place) {
    let target = reach(place).unwrap();
    let (folder, file) = names();
    target.create_folder(&folder).unwrap();
    let writer = target.create(&folder, &file, &writing(Durability::Flush)).unwrap();
    let data: Vec<u8> = (0..70_001u32).map(|byte| (byte % 251) as u8).collect();
    writer.write(&data, 0).unwrap();
    writer.flush().unwrap();
    writer.close().unwrap();
    let reader = target.open(&folder, &file, &reading()).unwrap();
    let mut block = vec![0u8; 80_000];
    assert_eq!(reader.read(&mut block, 80_000, 0).unwrap(), data.len());
    assert_eq!(block[..data.len()], data);
    assert_eq!(reader.read(&mut block, 80_000, data.len() as u64).unwrap(), 0);
    reader.close().unwrap();
    target.remove_file(&folder, &file).unwrap();
    target.remove_folder(&folder).unwrap();
}

#[test]
fn several_connections_write_one_file() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "");
    for connections in [2, 5] {
        let place = user(&samba, "Public", Wishes { connections, ..signing(SmbSigning::On) });
        conformance::check(&place, ABLE);
        assert_eq!(fact(&place, "connections"), connections);
    }
}

#[test]
fn a_block_longer_than_the_server_takes_goes_in_parts() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("smb2 max write = 65536\nsmb2 max read = 131072\nsmb2 max credits = 64", "");
    let place = user(&samba, "Public", Wishes::default());
    conformance::check(&place, ABLE);
    assert_eq!(fact(&place, "max_write_bytes"), 65536);
}

#[test]
fn names_of_every_kind_lead_to_their_folder() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "");
    fs::create_dir_all(samba.data().join("写真 $ 2026/été 📷")).unwrap();
    let url = samba.as_user("家族 $ 2026/写真 $ 2026/été 📷/");
    conformance::check(&with_password(&share(&url, Wishes::default()), PASSWORD), ABLE);
}

#[test]
fn what_cannot_be_reached_says_why() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "");
    fs::write(samba.data().join("note.txt"), b"mine").unwrap();
    let place = user(&samba, "Public", Wishes::default());
    let wrong = failure(&with_password(&place, "guess"));
    assert_eq!(wrong.code, FailureCode::LoginRefused);
    assert_eq!(wrong.system.as_deref(), Some("STATUS_LOGON_FAILURE (0xC000006D)"));
    // A server that takes a stranger for a guest has not taken the user.
    let stranger = share(&format!("smb://nobody-here:x@127.0.0.1:{}/Public", samba.port), Wishes::default());
    assert_eq!(failure(&stranger).code, FailureCode::LoginRefused);
    let unknown = failure(&user(&samba, "Publik", Wishes::default()));
    assert_eq!((unknown.code, unknown.choices), (FailureCode::UnknownShare, choices().into()));
    let none = failure(&user(&samba, "", Wishes::default()));
    assert_eq!((none.code, none.choices), (FailureCode::NoShare, choices().into()));
    let none = failure(&share(&samba.as_guest(""), Wishes::default()));
    assert_eq!((none.code, none.choices), (FailureCode::NoShare, choices().into()));
    assert_eq!(failure(&user(&samba, "Public/absent/deep", Wishes::default())).code, FailureCode::NotFound);
    assert_eq!(failure(&user(&samba, "Public/note.txt", Wishes::default())).code, FailureCode::NotAFolder);
    assert_eq!(failure(&user(&samba, "IPC$", Wishes::default())).code, FailureCode::NotStorage);
    let old = Samba::start("server min protocol = SMB3_11", "");
    assert_eq!(failure(&user(&old, "Public", dialect(SmbDialect::V2_1))).code, FailureCode::Version);
}

fn choices() -> Vec<String> {
    vec!["Public".to_owned(), "家族 $ 2026".to_owned()]
}

#[test]
fn a_share_that_only_reads_and_one_for_others_refuse_by_name() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "read only = yes");
    let target = reach(&user(&samba, "Public", Wishes::default())).unwrap();
    let (folder, _) = names();
    let refused = target.create_folder(&folder).unwrap_err();
    assert!(matches!(refused.code, FailureCode::ReadOnly | FailureCode::NoPermission), "{refused:?}");
    assert!(refused.system.unwrap().starts_with("STATUS_"), "the status is named");
    let samba = Samba::start("", "guest ok = no");
    assert_eq!(failure(&share(&samba.as_guest("Public"), Wishes::default())).code, FailureCode::LoginRefused);
    conformance::check(&user(&samba, "Public", Wishes::default()), ABLE);
}

#[test]
fn what_sharemark_did_not_make_is_not_removed() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "");
    let target = reach(&user(&samba, "Public", Wishes::default())).unwrap();
    let (folder, file) = names();
    target.create_folder(&folder).unwrap();
    let own = samba.data().join(folder.as_str());
    // A folder stands where the manifest names a file.
    fs::create_dir(own.join(file.as_str())).unwrap();
    assert!(target.remove_file(&folder, &file).is_err());
    assert!(own.join(file.as_str()).is_dir());
    fs::remove_dir(own.join(file.as_str())).unwrap();
    // Somebody put a file of their own into the folder.
    fs::write(own.join("holiday.jpg"), b"mine").unwrap();
    let failure = target.remove_folder(&folder).unwrap_err();
    assert_eq!(failure.code, FailureCode::NotEmpty);
    assert_eq!(failure.system.as_deref(), Some("STATUS_DIRECTORY_NOT_EMPTY (0xC0000101)"));
    assert_eq!(fs::read(own.join("holiday.jpg")).unwrap(), b"mine");
}

#[test]
fn a_folder_that_is_gone_is_told_when_a_file_is_wanted_in_it() {
    if !samba::available() {
        return;
    }
    let samba = Samba::start("", "");
    let target = reach(&user(&samba, "Public", Wishes::default())).unwrap();
    let (folder, file) = names();
    let failure = target.create(&folder, &file, &writing(Durability::Flush)).err().unwrap();
    assert_eq!(failure.code, FailureCode::NotFound);
    // What was not there when it was looked for may be there the next time.
    target.create_folder(&folder).unwrap();
    target.create(&folder, &file, &writing(Durability::Flush)).unwrap().close().unwrap();
    assert!(samba.data().join(folder.as_str()).join(file.as_str()).is_file());
    target.remove_file(&folder, &file).unwrap();
    target.remove_folder(&folder).unwrap();
}

#[test]
fn many_large_requests_are_under_way_at_once() {
    if !samba::available() {
        return;
    }
    for encrypted in ["", "smb encrypt = required"] {
        many_at_once(&Samba::start("", encrypted));
    }
}

fn many_at_once(samba: &Samba) {
    const BLOCK: usize = 1 << 20;
    const DEPTH: usize = 32;
    let target = reach(&user(samba, "Public", Wishes::default())).unwrap();
    let (folder, file) = names();
    target.create_folder(&folder).unwrap();
    let writer = target.create(&folder, &file, &writing(Durability::Flush)).unwrap();
    at_once(DEPTH, |place| {
        writer.write(&vec![u8::try_from(place).unwrap(); BLOCK], (place * BLOCK) as u64).unwrap()
    });
    writer.flush().unwrap();
    writer.close().unwrap();
    assert_eq!(target.size_of(&folder, &file).unwrap(), Bytes((DEPTH * BLOCK) as u64));
    let reader = target.open(&folder, &file, &reading()).unwrap();
    at_once(DEPTH, |place| {
        let mut block = vec![0u8; BLOCK];
        assert_eq!(reader.read(&mut block, BLOCK, (place * BLOCK) as u64).unwrap(), BLOCK);
        assert!(block.iter().all(|byte| usize::from(*byte) == place));
    });
    // One block of many megabytes is carried too, in as many requests as it takes.
    let mut whole = vec![0u8; DEPTH * BLOCK];
    assert_eq!(reader.read(&mut whole, DEPTH * BLOCK, 0).unwrap(), DEPTH * BLOCK);
    assert!(whole.chunks(BLOCK).enumerate().all(|(place, block)| usize::from(block[BLOCK - 1]) == place));
}

fn at_once(depth: usize, work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for place in 0..depth {
            let work = &work;
            scope.spawn(move || work(place));
        }
    });
}

fn reading() -> ReadOptions {
    ReadOptions {
        cache: sharemark_model::ReadCache::Avoid,
        trusted: true,
        block: Bytes(1 << 20),
        depth: 4,
        also_written: false,
    }
}

#[test]
fn a_server_that_dies_is_gone_at_once_for_all_who_wait() {
    if !samba::available() {
        return;
    }
    for encrypted in ["", "smb encrypt = required"] {
        dies(&Samba::start("", encrypted));
    }
}

fn dies(samba: &Samba) {
    let target = reach(&user(samba, "Public", Wishes::default())).unwrap();
    let (folder, file) = names();
    target.create_folder(&folder).unwrap();
    let writer = target.create(&folder, &file, &writing(Durability::WriteThrough)).unwrap();
    let written = AtomicUsize::new(0);
    let block = vec![7u8; 1 << 20];
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let error = loop {
                    match writer.write(&block, 0) {
                        Ok(()) => written.fetch_add(1, Ordering::Relaxed),
                        Err(error) => break error,
                    };
                };
                assert_eq!(classify(&error), FailureCode::ServerGone, "{error}");
            });
        }
        while written.load(Ordering::Relaxed) < 16 {
            thread::sleep(Duration::from_millis(1));
        }
        samba.kill();
    });
    assert_eq!(classify(&writer.close().unwrap_err()), FailureCode::ServerGone);
    let gone = target.list(&folder).unwrap_err();
    assert_eq!(gone.code, FailureCode::ServerGone);
    assert!(!gone.system.unwrap().contains("buffer"), "the words are about the connection");
}
