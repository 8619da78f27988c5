//! OpenSSH's server on this machine, for the one who runs the tests.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sharemark_model::{Place, Wishes};

use crate::server;

/// A server with keys and a configuration of its own; it ends with this.
pub(crate) struct Sshd {
    child: Child,
    /// Everything that belongs to it, and the files it serves.
    pub(crate) home: tempfile::TempDir,
    port: u16,
}

impl Sshd {
    /// Starts one, where it is installed.
    pub(crate) fn start() -> Option<Self> {
        if !server::available("/usr/sbin/sshd") || !server::available("ssh-keygen") {
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        for (name, kind) in [("host_ed25519", "ed25519"), ("host_rsa", "rsa"), ("user", "ed25519")] {
            make_key(&home.path().join(name), kind, "");
        }
        fs::copy(home.path().join("user.pub"), home.path().join("authorized_keys")).unwrap();
        fs::create_dir(home.path().join("files")).unwrap();
        let port = free_port();
        let config = home.path().join("sshd_config");
        let at = home.path().display();
        let text = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host_ed25519\nHostKey {at}/host_rsa\nPidFile none\n\
             AuthorizedKeysFile {at}/authorized_keys\nStrictModes no\nPermitRootLogin yes\nUsePAM no\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nSubsystem sftp internal-sftp\n"
        );
        fs::write(&config, text).unwrap();
        // What a system's start makes, and a container's may not have.
        fs::create_dir_all("/run/sshd").ok();
        let mut command = Command::new("/usr/sbin/sshd");
        command.args(["-D", "-e", "-f"]).arg(&config).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let this = Self { child, home, port };
        wait_for(this.port);
        this.write_known_hosts(&["host_ed25519"]);
        Some(this)
    }

    /// The path of something that belongs to it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// The name it is known by.
    pub(crate) fn name(&self) -> String {
        format!("[127.0.0.1]:{}", self.port)
    }

    /// Makes it known by these of the keys in its home.
    pub(crate) fn write_known_hosts(&self, keys: &[&str]) {
        let line = |key: &&str| {
            let text = fs::read_to_string(self.path(&format!("{key}.pub"))).unwrap();
            format!("{} {text}", self.name())
        };
        fs::write(self.path("known_hosts"), keys.iter().map(line).collect::<String>()).unwrap();
    }

    /// Its address below the folder of files.
    pub(crate) fn url(&self, below: &str) -> String {
        format!("sftp://{}@127.0.0.1:{}{}{below}", user(), self.port, self.path("files").display())
    }

    /// The share at [`Self::url`], for the user whose key it knows.
    pub(crate) fn place(&self, below: &str) -> Place {
        let known_hosts = Some(self.path("known_hosts").display().to_string());
        let place = server::share(&self.url(below), Wishes { known_hosts, ..Wishes::default() });
        with_key(&place, &self.path("user"))
    }

    /// Ends it at once, with the processes that it made for its connections.
    pub(crate) fn kill(&self) {
        let mut all = vec![self.child.id().to_string()];
        let mut next = 0;
        while let Some(parent) = all.get(next) {
            let output = Command::new("ps").args(["-o", "pid=", "--ppid", parent]).output().unwrap();
            let children = String::from_utf8(output.stdout).unwrap();
            all.extend(children.split_whitespace().map(str::to_owned));
            next += 1;
        }
        Command::new("kill").arg("-KILL").args(&all).stderr(Stdio::null()).status().unwrap();
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        self.kill();
        self.child.wait().ok();
    }
}

/// Who runs the tests.
pub(crate) fn user() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The same share with a key file.
pub(crate) fn with_key(place: &Place, key: &Path) -> Place {
    let Place::Share(share) = place else { unreachable!("a share") };
    let mut share = share.clone();
    share.login.key = Some(key.display().to_string());
    Place::Share(share)
}

/// Makes a key pair.
pub(crate) fn make_key(path: &Path, kind: &str, passphrase: &str) {
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-t", kind, "-N", passphrase, "-C", "", "-f"]).arg(path);
    assert!(command.status().unwrap().success());
}

/// The fingerprint of a public key, as ssh shows it.
pub(crate) fn fingerprint(path: &Path) -> String {
    let output = Command::new("ssh-keygen").arg("-lf").arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split(' ').nth(1).unwrap().to_owned()
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn wait_for(port: u16) {
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(30), "sshd does not listen");
        thread::sleep(Duration::from_millis(20));
    }
}
