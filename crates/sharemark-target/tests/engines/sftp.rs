//! SFTP against OpenSSH's server, with keys and lists of known hosts of the test's own.

mod passwords;
mod sshd;

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use russh::MethodKind;
use sharemark_model::{
    Bytes, Durability, Evidence, Failure, FailureCode, FileName, FolderName, Place, Wishes, WriteMode,
};
use sharemark_target::{WriteOptions, classify, reach};

use self::passwords::{PasswordServer, SFTP_SERVER};
use self::sshd::{Sshd, fingerprint, make_key, with_key};
use crate::conformance::{Able, check};
use crate::server::{available, share, with_password};

const ABLE: Able = Able { any_order: true, updates: true, write_through: WriteMode::Flushed };

fn refused(place: &Place) -> Failure {
    reach(place).err().expect("this is to fail")
}

fn system(failure: &Failure) -> &str {
    failure.system.as_deref().unwrap_or_default()
}

fn facts(place: &Place) -> Evidence {
    reach(place).unwrap().inspect().unwrap().server.unwrap()
}

fn with_wishes(place: &Place, change: impl FnOnce(&mut Wishes)) -> Place {
    let Place::Share(share) = place else { unreachable!("a share") };
    let mut share = share.clone();
    change(&mut share.wishes);
    Place::Share(share)
}

#[test]
fn it_does_what_every_engine_must() {
    let Some(sshd) = Sshd::start() else { return };
    check(&sshd.place(""), ABLE);
    let inspection = reach(&sshd.place("")).unwrap().inspect().unwrap();
    assert!(inspection.free > Some(Bytes(0)) && inspection.total >= inspection.free, "{inspection:?}");
    let facts = inspection.server.unwrap();
    assert_eq!(facts["login"], "key");
    assert_eq!(facts["cipher"], "aes128-gcm@openssh.com");
    assert_eq!(facts["host_key"], "ssh-ed25519");
    assert_eq!(facts["fsync"], true);
    assert_eq!(facts["compression"], "none");
    assert!(facts["software"].as_str().unwrap().starts_with("OpenSSH"), "{facts:?}");
    assert!(facts["max_read_bytes"].as_u64() > Some(32_768), "{facts:?}");
    assert!(facts["round_trip_ns"].as_u64() > Some(0), "{facts:?}");
}

#[test]
fn two_connections_share_a_file() {
    let Some(sshd) = Sshd::start() else { return };
    let place = with_wishes(&sshd.place(""), |wishes| wishes.connections = 2);
    check(&place, ABLE);
    assert_eq!(facts(&place)["connections"], 2);
    // More than are made at once.
    let many = with_wishes(&place, |wishes| wishes.connections = 20);
    assert_eq!(facts(&many)["connections"], 20);
}

#[test]
fn a_folder_may_have_any_name() {
    let Some(sshd) = Sshd::start() else { return };
    let name = "写真 $HOME 'x' \"y\" 2026 📷 100%";
    fs::create_dir(sshd.path("files").join(name)).unwrap();
    check(&sshd.place("/写真 $HOME 'x' \"y\" 2026 📷 100%25"), ABLE);
}

#[test]
fn what_is_no_folder_is_not_measured() {
    let Some(sshd) = Sshd::start() else { return };
    fs::write(sshd.path("files").join("plain"), "x").unwrap();
    let code = |below: &str| reach(&sshd.place(below)).unwrap().inspect().unwrap_err().code;
    assert_eq!(code("/absent"), FailureCode::NotFound);
    assert_eq!(code("/plain"), FailureCode::NotAFolder);
}

#[test]
fn nothing_is_done_through_a_link() {
    let Some(sshd) = Sshd::start() else { return };
    let (folder, file) = names();
    let (own, elsewhere) = (sshd.path("files").join(folder.as_str()), sshd.path("elsewhere"));
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join(file.as_str()), "somebody's").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &own).unwrap();
    let target = reach(&sshd.place("")).unwrap();
    assert_eq!(target.remove_file(&folder, &file).unwrap_err().code, FailureCode::NotAFolder);
    assert_eq!(target.remove_folder(&folder).unwrap_err().code, FailureCode::NotAFolder);
    assert_eq!(target.create(&folder, &file, &OPTIONS).err().unwrap().code, FailureCode::NotAFolder);
    fs::remove_file(&own).unwrap();
    fs::create_dir(&own).unwrap();
    std::os::unix::fs::symlink(elsewhere.join(file.as_str()), own.join(file.as_str())).unwrap();
    assert!(target.remove_file(&folder, &file).is_err(), "a link is not what sharemark made");
    assert!(target.create(&folder, &file, &OPTIONS).is_err(), "a link is not written through");
    assert_eq!(fs::read_to_string(elsewhere.join(file.as_str())).unwrap(), "somebody's");
}

#[test]
fn a_host_that_is_not_known_is_not_logged_in_to() {
    let Some(sshd) = Sshd::start() else { return };
    fs::write(sshd.path("known_hosts"), "").unwrap();
    let failure = refused(&sshd.place(""));
    assert_eq!(failure.code, FailureCode::HostKeyUnknown);
    let shown = fingerprint(&sshd.path("host_ed25519.pub"));
    assert_eq!(system(&failure), format!("{shown} (ssh-ed25519)"));
    let absent = with_wishes(&sshd.place(""), |wishes| wishes.known_hosts = Some("/absent/list".into()));
    assert_eq!(refused(&absent).code, FailureCode::NotFound);
}

#[test]
fn a_host_with_another_key_than_before_is_not_logged_in_to() {
    let Some(sshd) = Sshd::start() else { return };
    sshd.write_known_hosts(&["user"]);
    let failure = refused(&sshd.place(""));
    assert_eq!(failure.code, FailureCode::HostKeyChanged);
    assert!(system(&failure).contains(&fingerprint(&sshd.path("host_ed25519.pub"))), "{failure:?}");
    assert!(system(&failure).contains(&fingerprint(&sshd.path("user.pub"))), "{failure:?}");
    sshd.write_known_hosts(&["host_ed25519"]);
    let known = fs::read_to_string(sshd.path("known_hosts")).unwrap();
    fs::write(sshd.path("known_hosts"), format!("{known}@revoked {known}")).unwrap();
    let failure = refused(&sshd.place(""));
    assert_eq!(failure.code, FailureCode::HostKeyChanged);
    assert!(system(&failure).contains("@revoked"), "{failure:?}");
}

#[test]
fn a_host_is_known_by_any_of_its_keys_and_by_a_hashed_name() {
    let Some(sshd) = Sshd::start() else { return };
    sshd.write_known_hosts(&["host_rsa"]);
    assert_eq!(facts(&sshd.place(""))["host_key"], "rsa-sha2-512");
    sshd.write_known_hosts(&["host_ed25519"]);
    let list = sshd.path("known_hosts");
    assert!(Command::new("ssh-keygen").arg("-Hf").arg(&list).output().unwrap().status.success());
    let hashed = fs::read_to_string(&list).unwrap();
    assert!(hashed.starts_with("|1|") && !hashed.contains("127.0.0.1"), "{hashed}");
    assert_eq!(facts(&sshd.place(""))["host_key"], "ssh-ed25519");
}

#[test]
fn keys_of_every_kind_log_in() {
    let Some(sshd) = Sshd::start() else { return };
    for (kind, passphrase) in [("rsa", ""), ("ecdsa", ""), ("ed25519", "open sesame"), ("ecdsa", "in PKCS#8")]
    {
        let key = sshd.path(&format!("login_{kind}{}", passphrase.len()));
        make_key(&key, kind, passphrase);
        if passphrase == "in PKCS#8" {
            let mut again = Command::new("ssh-keygen");
            again.args(["-q", "-p", "-m", "PKCS8", "-P", passphrase, "-N", passphrase, "-f"]).arg(&key);
            assert!(again.output().unwrap().status.success());
            assert!(fs::read_to_string(&key).unwrap().contains("BEGIN ENCRYPTED PRIVATE KEY"));
        }
        fs::copy(key.with_extension("pub"), sshd.path("authorized_keys")).unwrap();
        let place = with_password(&with_key(&sshd.place(""), &key), passphrase);
        assert_eq!(facts(&place)["login"], "key", "{kind}");
    }
}

#[test]
fn a_wrong_key_is_refused_with_what_the_server_accepts() {
    let Some(sshd) = Sshd::start() else { return };
    let key = sshd.path("other");
    make_key(&key, "ed25519", "open sesame");
    let place = with_key(&sshd.place(""), &key);
    let failure = refused(&with_password(&place, "open sesame"));
    assert_eq!((failure.code, system(&failure)), (FailureCode::LoginRefused, "publickey"));
    // A passphrase that is wrong, one that is missing, and a key that is not there.
    for failure in [
        refused(&with_password(&place, "hunter2")),
        refused(&place),
        refused(&with_key(&place, &sshd.path("absent"))),
    ] {
        assert_eq!(failure.code, FailureCode::LoginRefused, "{failure:?}");
        assert!(system(&failure).contains(sshd.home.path().to_str().unwrap()), "{failure:?}");
        assert!(!system(&failure).contains("hunter2"), "{failure:?}");
    }
}

#[test]
fn a_password_logs_in_by_either_way() {
    let Some(sshd) = Sshd::start() else { return };
    if !available(SFTP_SERVER) {
        return;
    }
    for method in [MethodKind::Password, MethodKind::KeyboardInteractive] {
        let server = PasswordServer::start(method, "correct horse", &sshd.path("host_ed25519"));
        let key = fs::read_to_string(sshd.path("host_ed25519.pub")).unwrap();
        let known_hosts = sshd.path("known");
        fs::write(&known_hosts, format!("[127.0.0.1]:{} {key}", server.address.port())).unwrap();
        let url = format!("sftp://me:correct%20horse@{}{}", server.address, sshd.path("files").display());
        let wishes = Wishes { known_hosts: Some(known_hosts.display().to_string()), ..Wishes::default() };
        let place = share(&url, wishes);
        check(&place, ABLE);
        assert_eq!(facts(&place)["login"], "password");
        let failure = refused(&with_password(&place, "wrong horse"));
        let accepted: &str = (&method).into();
        assert_eq!((failure.code, system(&failure)), (FailureCode::LoginRefused, accepted));
    }
}

/// Set for the process in which [`the_users_own_agent_keys_and_lists_are_used`] looks.
const INSIDE: &str = "SHAREMARK_TEST_SFTP_URL";

#[test]
fn the_users_own_agent_keys_and_lists_are_used() {
    if let Ok(url) = std::env::var(INSIDE) {
        let found = facts(&share(&url, Wishes::default()));
        assert_eq!(found["login"].as_str(), std::env::var("SHAREMARK_TEST_SFTP_LOGIN").ok().as_deref());
        return;
    }
    let Some(sshd) = Sshd::start() else { return };
    if !available("ssh-agent") {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let dot_ssh = home.path().join(".ssh");
    fs::create_dir(&dot_ssh).unwrap();
    fs::copy(sshd.path("known_hosts"), dot_ssh.join("known_hosts")).unwrap();
    let socket = home.path().join("agent");
    let agent = Agent(Command::new("ssh-agent").arg("-D").arg("-a").arg(&socket).spawn().unwrap());
    let begun = Instant::now();
    while !socket.exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "ssh-agent does not listen");
        thread::sleep(Duration::from_millis(20));
    }
    let look = |login: &str, socket: PathBuf| {
        let this = std::env::current_exe().unwrap();
        let mut command = Command::new(this);
        command.args(["--exact", "sftp::the_users_own_agent_keys_and_lists_are_used"]);
        command.env(INSIDE, sshd.url("")).env("SHAREMARK_TEST_SFTP_LOGIN", login);
        command.env("HOME", home.path()).env("SSH_AUTH_SOCK", socket).output().unwrap()
    };
    let add = Command::new("ssh-add").arg("-q").arg(sshd.path("user")).env("SSH_AUTH_SOCK", &socket).output();
    assert!(add.unwrap().status.success());
    let by_agent = look("agent", socket);
    assert!(by_agent.status.success(), "{by_agent:?}");
    drop(agent);
    fs::copy(sshd.path("user"), dot_ssh.join("id_ed25519")).unwrap();
    let by_key = look("key", home.path().join("absent"));
    assert!(by_key.status.success(), "{by_key:?}");
}

struct Agent(Child);

impl Drop for Agent {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

const OPTIONS: WriteOptions =
    WriteOptions { durability: Durability::Buffered, size: Bytes(1 << 40), block: Bytes(1 << 20), depth: 4 };

fn names() -> (FolderName, FileName) {
    (FolderName::for_run("sftp").unwrap(), FileName::try_from("r001.bin".to_owned()).unwrap())
}

#[test]
fn a_server_that_dies_is_gone_at_once() {
    let Some(sshd) = Sshd::start() else { return };
    let target = reach(&sshd.place("")).unwrap();
    let (folder, file) = names();
    target.create_folder(&folder).unwrap();
    let writer = target.create(&folder, &file, &OPTIONS).unwrap();
    let (told, tells) = mpsc::channel();
    thread::scope(|scope| {
        for lane in 0..4_u64 {
            let (told, writer) = (told.clone(), &writer);
            scope.spawn(move || {
                let block = vec![7; 1 << 20];
                // The same few blocks over and over, so that no disk fills up; and an end, should nothing else make one.
                let result = (0..20_000).map(|turn: u64| (lane + 4 * (turn % 4)) << 20);
                let error = result.map(|offset| writer.write(&block, offset)).find_map(Result::err);
                told.send(error.map(|error| classify(&error))).unwrap();
            });
        }
        thread::sleep(Duration::from_millis(100));
        sshd.kill();
        for _ in 0..4 {
            let code = tells.recv_timeout(Duration::from_secs(60)).expect("a write ends");
            assert_eq!(code, Some(FailureCode::ServerGone));
        }
    });
    assert_eq!(classify(&writer.close().unwrap_err()), FailureCode::ServerGone);
    assert_eq!(target.list(&folder).unwrap_err().code, FailureCode::ServerGone);
}

#[test]
fn what_is_no_ssh_server_is_told_apart() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answering = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
    });
    let list = tempfile::NamedTempFile::new().unwrap();
    let wishes = Wishes { known_hosts: Some(list.path().display().to_string()), ..Wishes::default() };
    let failure = refused(&share(&format!("sftp://me@{address}/x"), wishes));
    assert_eq!(failure.code, FailureCode::Protocol);
    assert_eq!(system(&failure), "HTTP/1.1 400 Bad Request");
    answering.join().unwrap();
}
