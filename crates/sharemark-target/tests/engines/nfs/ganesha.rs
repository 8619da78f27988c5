//! NFS-Ganesha, a server in user space: NFSv3 and 4.0 to 4.2 over real folders.

use std::fs;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sharemark_model::{Durability, FailureCode, Wishes, WriteMode};
use sharemark_target::reach;
use tempfile::TempDir;

use super::{
    all_say_that_it_is_gone, file, folder, mode_after_a_write, place, refusal, share, write_until_it_ends,
};
use crate::conformance::{Able, check};
use crate::server::available;

const ABLE: Able = Able { any_order: true, updates: true, write_through: WriteMode::DirectWriteThrough };
const ODD: &str = "写真 $ 2026 📷";

struct Ganesha {
    process: Child,
    /// The port mapper, where none ran; Ganesha serves no NFSv3 without one.
    mapper: Option<Child>,
    folders: TempDir,
    nfs: u16,
    mount: u16,
    /// Two servers at once would quarrel about their names.
    _alone: MutexGuard<'static, ()>,
}

impl Ganesha {
    /// Starts it, or says why not.
    fn start() -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::new(());
        if !available("ganesha.nfsd") || !available("rpcbind") {
            return None;
        }
        let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        if !root {
            writeln!(io::stderr(), "skipped: ganesha.nfsd needs root").ok();
            return None;
        }
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folders = TempDir::new().unwrap();
        for name in ["rw", "ro", "squashed", "state"] {
            fs::create_dir(folders.path().join(name)).unwrap();
        }
        fs::set_permissions(folders.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(folders.path().join("rw").join(ODD)).unwrap();
        fs::write(folders.path().join("rw").join("plain.txt"), "text").unwrap();
        let mapper = TcpStream::connect("127.0.0.1:111").is_err().then(|| {
            let mut command = Command::new("rpcbind");
            command.args(["-f", "-i"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        });
        let mapped = || TcpStream::connect("127.0.0.1:111").is_ok();
        wait_for(mapped);
        let [nfs, mount] = free_ports();
        let process = Self::run(folders.path(), nfs, mount);
        let server = Self { process, mapper, folders, nfs, mount, _alone: alone };
        wait_for(|| [nfs, mount].iter().all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok()));
        Some(server)
    }

    fn run(folders: &Path, nfs: u16, mount: u16) -> Child {
        let state = folders.join("state");
        let mut config = format!(
            "NFS_CORE_PARAM {{ Protocols = 3, 4; NFS_Port = {nfs}; MNT_Port = {mount}; Bind_addr = 127.0.0.1;
                Enable_UDP = false; Enable_NLM = false; Enable_RQUOTA = false; }}
             NFSv4 {{ Graceless = true; Only_Numeric_Owners = true; RecoveryBackend = \"fs\";
                RecoveryRoot = \"{0}\"; RecoveryDir = \"recovery\"; }}
             LOG {{ Default_Log_Level = EVENT; }}\n",
            state.display()
        );
        for (id, name, access, squash) in [
            (1, "rw", "RW", "No_Root_Squash"),
            (2, "ro", "RO", "No_Root_Squash"),
            (3, "squashed", "RW", "Root_Squash"),
        ] {
            let path = folders.join(name);
            config += &format!(
                "EXPORT {{ Export_Id = {id}; Path = \"{}\"; Pseudo = \"/{name}\"; Filesystem_Id = 77.{id};
                    Protocols = 3, 4; Transports = TCP; Access_Type = {access}; Squash = {squash}; SecType = sys;
                    FSAL {{ Name = VFS; }} }}\n",
                path.display()
            );
        }
        fs::write(state.join("ganesha.conf"), config).unwrap();
        Command::new("ganesha.nfsd")
            .arg("-F")
            .arg("-f")
            .arg(state.join("ganesha.conf"))
            .arg("-L")
            .arg(state.join("log"))
            .arg("-p")
            .arg(state.join("pid"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folders.path().join(name)
    }

    /// The export `name` and what follows it, in a version.
    fn url(&self, name: &str, version: &str) -> String {
        let Self { nfs, mount, .. } = self;
        if version == "3" {
            let root = self.folders.path().display();
            return format!("nfs://127.0.0.1:{nfs}{root}/{name}?version=3&mountport={mount}");
        }
        format!("nfs://127.0.0.1:{nfs}/{name}?version={version}")
    }
}

impl Drop for Ganesha {
    fn drop(&mut self) {
        // Asked to end, it takes its ports out of the port mapper's list.
        Command::new("kill").arg(self.process.id().to_string()).status().ok();
        for _ in 0..100 {
            if !matches!(self.process.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(Duration::from_millis(50));
        }
        for process in [Some(&mut self.process), self.mapper.as_mut()].into_iter().flatten() {
            process.kill().ok();
            process.wait().ok();
        }
    }
}

fn wait_for(happened: impl Fn() -> bool) {
    for _ in 0..600 {
        if happened() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the server does not answer");
}

fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

#[test]
fn every_version_conforms() {
    let Some(server) = Ganesha::start() else { return };
    for version in ["3", "4.0", "4.1", "4.2"] {
        let url = server.url("rw", version);
        check(&place(&url), ABLE);
        let facts = reach(&place(&url)).unwrap().inspect().unwrap().server.unwrap();
        assert_eq!(facts["version"], version);
        check(&place(&server.url(&format!("rw/{ODD}"), version)), ABLE);
        check(&share(&url, Wishes { connections: 3, ..Wishes::default() }), ABLE);
    }
    // The best that the server has, and the port mapper's word for where MOUNT is.
    let facts = |url: &str| reach(&place(url)).unwrap().inspect().unwrap().server.unwrap();
    assert_eq!(facts(&format!("nfs://127.0.0.1:{}/rw", server.nfs))["version"], "4.2");
    assert_eq!(facts(&format!("nfs://127.0.0.1:{}/rw?version=4", server.nfs))["version"], "4.2");
    let by_path = format!("nfs://127.0.0.1:{}{}", server.nfs, server.path("rw").display());
    let found = facts(&by_path);
    assert_eq!(
        (&found["version"], &found["export"]),
        (&"3".into(), &server.path("rw").to_str().unwrap().into())
    );
    assert_eq!(fs::read_dir(server.path("rw")).unwrap().count(), 2, "nothing is left");
}

#[test]
fn every_refusal_is_told_apart() {
    let Some(server) = Ganesha::start() else { return };
    for version in ["3", "4.0", "4.1", "4.2"] {
        let create = |url: &str| reach(&place(url)).unwrap().create_folder(&folder()).unwrap_err();
        assert_eq!(create(&server.url("ro", version)).code, FailureCode::ReadOnly, "{version}");
        let squashed = server.url("squashed", version);
        let root = create(&squashed);
        assert_eq!(root.code, FailureCode::RootSquash, "{version}: {root}");
        let user = create(&squashed.replace("127.0.0.1", "1234@127.0.0.1"));
        assert_eq!(user.code, FailureCode::NoPermission, "{version}: {user}");

        let unknown = refusal(&server.url("other", version));
        assert_eq!(unknown.code, FailureCode::UnknownShare, "{version}: {unknown}");
        let named = if version == "3" { server.path("ro").display().to_string() } else { "/ro".to_owned() };
        assert!(unknown.choices.contains(&named), "{version}: {:?}", unknown.choices);
        let inspect = |url: &str| reach(&place(url)).unwrap().inspect().unwrap_err().code;
        assert_eq!(inspect(&server.url("rw/absent", version)), FailureCode::NotFound, "{version}");
        assert_eq!(inspect(&server.url("rw/plain.txt", version)), FailureCode::NotAFolder, "{version}");
    }
    let none = refusal(&format!("nfs://127.0.0.1:{}?mountport={}", server.nfs, server.mount));
    assert_eq!(none.code, FailureCode::NoShare);
    assert!(none.choices.contains(&server.path("rw").display().to_string()), "{:?}", none.choices);
    let none = refusal(&format!("nfs://127.0.0.1:{}?version=4", server.nfs));
    assert_eq!((none.code, none.choices.contains(&"/rw".to_owned())), (FailureCode::NoShare, true));
}

#[test]
fn modes_and_what_is_not_sharemarks_own() {
    let Some(server) = Ganesha::start() else { return };
    for version in ["3", "4.0", "4.1", "4.2"] {
        let target = reach(&place(&server.url("rw", version))).unwrap();
        target.create_folder(&folder()).unwrap();
        for (durability, mode) in [
            (Durability::WriteThrough, WriteMode::DirectWriteThrough),
            (Durability::Flush, WriteMode::Flushed),
            (Durability::Buffered, WriteMode::Acknowledged),
        ] {
            assert_eq!(mode_after_a_write(&*target, durability), mode, "{version}");
        }
        let own = server.path("rw").join(folder().as_str());
        fs::create_dir(own.join(file().as_str())).unwrap();
        assert_eq!(target.remove_file(&folder(), &file()).unwrap_err().code, FailureCode::Other);
        fs::remove_dir(own.join(file().as_str())).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", own.join(file().as_str())).unwrap();
        assert_eq!(target.remove_file(&folder(), &file()).unwrap_err().code, FailureCode::Other);
        assert_eq!(target.list(&folder()).unwrap(), 1);
        fs::remove_file(own.join(file().as_str())).unwrap();
        target.remove_folder(&folder()).unwrap();
    }
}

#[test]
fn a_server_killed_while_it_is_written_to_is_gone_at_once() {
    for version in ["3", "4.1"] {
        let Some(mut server) = Ganesha::start() else { return };
        let (begun, ended) = write_until_it_ends(&place(&server.url("rw", version)));
        begun.recv().unwrap();
        server.process.kill().unwrap();
        all_say_that_it_is_gone(&ended);
    }
}
