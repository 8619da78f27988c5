//! A Samba server of a test's own: its directories in a temporary folder, its port one that is free.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sharemark_model::{Failure, Wishes};
use sharemark_target::reach;
use tempfile::TempDir;

/// The user that a server knows, and the password.
pub(crate) const USER: &str = "mary";
pub(crate) const PASSWORD: &str = "sesam öffne dich";

/// A server that ends with the test.
pub(crate) struct Samba {
    pub(crate) port: u16,
    home: TempDir,
    process: Child,
}

/// Whether this test may start one: smbd takes other users' parts, which only root can give it.
pub(crate) fn available() -> bool {
    if !crate::server::available("smbd") {
        return false;
    }
    let root = rustix::process::geteuid().is_root();
    if !root {
        writeln!(std::io::stderr(), "skipped: smbd needs root").ok();
    }
    root
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

impl Samba {
    /// Starts a server with these lines in its global section, and these in that of the share `Public`.
    pub(crate) fn start(global: &str, share: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
        let folder = |name: &str| {
            let path = home.path().join(name);
            fs::create_dir_all(&path).unwrap();
            path
        };
        let data = folder("data");
        fs::set_permissions(&data, Permissions::from_mode(0o777)).unwrap();
        let port = free_port();
        let mut lines = format!(
            "[global]\nsmb ports = {port}\ninterfaces = 127.0.0.1\nbind interfaces only = yes\n\
             disable netbios = yes\nserver role = standalone server\nmap to guest = Bad User\n\
             passdb backend = tdbsam\nload printers = no\nlog level = 0\nlog file = {0}/log\n{global}\n",
            home.path().display(),
        );
        for name in ["private", "lock", "state", "cache", "pid", "ncalrpc"] {
            let option = match name {
                "private" => "private dir".to_owned(),
                "ncalrpc" => "ncalrpc dir".to_owned(),
                _ => format!("{name} directory"),
            };
            lines.push_str(&format!("{option} = {}\n", folder(name).display()));
        }
        for (name, more) in [("Public", share), ("家族 $ 2026", ""), ("hidden$", "")] {
            lines.push_str(&format!(
                "[{name}]\npath = {}\nread only = no\nguest ok = yes\nforce user = root\n{more}\n",
                data.display()
            ));
        }
        let settings = home.path().join("smb.conf");
        fs::write(&settings, lines).unwrap();
        add_user(&settings);
        let process = Command::new("smbd")
            .args(["-F", "--no-process-group", "-s"])
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // It signals its whole group when it ends.
            .process_group(0)
            .spawn()
            .unwrap();
        let samba = Self { port, home, process };
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "smbd does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        // It takes connections before it can serve them, and on a busy machine it has no memory for a first session.
        let place = crate::server::share(&format!("smb://127.0.0.1:{port}/Public"), Wishes::default());
        let early = |failure: &Failure| {
            failure.system.as_deref().is_some_and(|text| text.starts_with("STATUS_NO_MEMORY"))
        };
        while reach(&place).err().is_some_and(|failure| early(&failure)) {
            assert!(begun.elapsed() < Duration::from_secs(20), "smbd does not serve");
            thread::sleep(Duration::from_millis(200));
        }
        samba
    }

    /// Where the shares' files are.
    pub(crate) fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// A URL with the user's name in it.
    pub(crate) fn as_user(&self, path: &str) -> String {
        format!("smb://{USER}@127.0.0.1:{}/{path}", self.port)
    }

    /// A URL without a user.
    pub(crate) fn as_guest(&self, path: &str) -> String {
        format!("smb://127.0.0.1:{}/{path}", self.port)
    }

    /// Ends the server and all its processes at once, as a power cut does.
    pub(crate) fn kill(&self) {
        let group = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
    }
}

impl Drop for Samba {
    fn drop(&mut self) {
        self.kill();
        self.process.wait().ok();
    }
}

/// Makes the user known to the server: one that the system knows already, under another name.
fn add_user(settings: &Path) {
    let map = settings.with_file_name("users");
    fs::write(&map, format!("root = {USER}\n")).unwrap();
    let mut text = fs::read_to_string(settings).unwrap();
    text = text.replacen("[global]\n", &format!("[global]\nusername map = {}\n", map.display()), 1);
    fs::write(settings, text).unwrap();
    let mut adding = Command::new("smbpasswd")
        .arg("-c")
        .arg(settings)
        .args(["-s", "-a", "root"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = adding.stdin.take().unwrap();
    input.write_all(format!("{PASSWORD}\n{PASSWORD}\n").as_bytes()).unwrap();
    drop(input);
    let done = adding.wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
