//! Apache with mod_dav, as Debian packages it.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use sharemark_model::{Bytes, Durability, FailureCode, FileName, FolderName, Place};
use sharemark_target::{WriteOptions, classify, reach};
use tempfile::TempDir;

use super::{ABLE, refusal, share, trusting};
use crate::conformance;
use crate::server::{self, with_password};

/// A server with a folder of its own; ends when it is dropped.
pub(super) struct Daemon {
    child: Child,
    folder: TempDir,
}

impl Daemon {
    pub(super) fn start(program: &str, arguments: &[&str], folder: TempDir, port: u16) -> Self {
        let errors = fs::File::create(folder.path().join("output")).unwrap();
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(errors.try_clone().unwrap())
            .stderr(errors)
            .spawn()
            .unwrap();
        let mut daemon = Self { child, folder };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = daemon.child.try_wait().unwrap() {
                let said = |name| fs::read_to_string(daemon.folder.path().join(name)).unwrap_or_default();
                panic!("{program} ended: {status}\n{}{}", said("output"), said("errors"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        daemon
    }

    fn kill(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // The first process ends its workers when it is asked to end, which a kill would leave running.
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            Command::new("kill").arg(self.child.id().to_string()).status().ok();
            self.child.wait().ok();
        }
    }
}

pub(super) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Gives the folder and what is in it to the user that a server's workers run as, where this is run by root.
pub(super) fn own_by(user: &str, folder: &Path) {
    Command::new("chown").args(["-R", user]).arg(folder).stderr(Stdio::null()).status().ok();
}

/// Everything that a test asks of Apache.
#[derive(Default)]
struct Setup {
    /// Lines of the folder's section.
    folder: &'static str,
    /// Lines of the server.
    server: &'static str,
    /// A certificate for this name.
    certificate: Option<&'static str>,
}

struct Apache {
    daemon: Daemon,
    port: u16,
}

impl Apache {
    /// `None` where it is not installed.
    fn start(setup: &Setup) -> Option<Self> {
        if !server::available("apache2") || !server::available("openssl") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let (root, port) = (folder.path().to_str().unwrap().to_owned(), free_port());
        fs::create_dir_all(format!("{root}/files/写真 $ 2026#?%/📷")).unwrap();
        fs::write(format!("{root}/files/plain"), "x").unwrap();
        let ssl = setup.certificate.map(|name| {
            certificates(&root, name);
            format!("SSLEngine on\nSSLCertificateFile {root}/server.pem\nSSLCertificateKeyFile {root}/server.key\n")
        });
        fs::write(
            format!("{root}/basic"),
            format!("me:{}\n", openssl(&["passwd", "-apr1", "pass word"]).trim()),
        )
        .unwrap();
        let digest = openssl_of(&["dgst", "-md5", "-r"], "me:sharemark test:pass word");
        let digest = digest.split(' ').next().unwrap();
        fs::write(format!("{root}/digest"), format!("me:sharemark test:{digest}\n")).unwrap();
        own_by("www-data", folder.path());
        let modules: String = [
            "mpm_event",
            "authn_core",
            "authn_file",
            "authz_core",
            "authz_user",
            "auth_basic",
            "auth_digest",
            "dav",
            "dav_fs",
            "socache_shmcb",
            "ssl",
        ]
        .iter()
        .map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"))
        .collect();
        let text = format!(
            "{modules}ServerName localhost\nListen 127.0.0.1:{port}\nPidFile {root}/pid\nErrorLog {root}/errors\n\
             User www-data\nGroup www-data\nDefaultRuntimeDir {root}\nMutex file:{root}\nDavLockDB {root}/locks\n\
             DocumentRoot {root}/files\n{}{}\n<Directory {root}/files>\nDav On\n{}\n</Directory>\n",
            ssl.unwrap_or_default(),
            setup.server.replace("ROOT", &root),
            setup.folder.replace("ROOT", &root),
        );
        fs::write(format!("{root}/conf"), text).unwrap();
        let arguments = ["-f", &format!("{root}/conf"), "-DFOREGROUND"];
        Some(Self { daemon: Daemon::start("apache2", &arguments, folder, port), port })
    }

    fn url(&self, scheme: &str, user: &str, path: &str) -> String {
        format!("{scheme}://{user}localhost:{}/{path}", self.port)
    }

    fn file(&self, name: &str) -> String {
        self.daemon.folder.path().join(name).to_str().unwrap().to_owned()
    }
}

fn openssl(arguments: &[&str]) -> String {
    openssl_of(arguments, "")
}

fn openssl_of(arguments: &[&str], input: &str) -> String {
    use std::io::Write as _;

    let mut child = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "openssl {arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// An authority of its own in `ca.pem`, and a certificate for `name` that it has signed.
fn certificates(root: &str, name: &str) {
    let new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let of = |extra: &[&str]| openssl(&[&new[..], extra].concat());
    let (ca, ca_key) = (format!("{root}/ca.pem"), format!("{root}/ca.key"));
    of(&["-x509", "-days", "2", "-subj", "/CN=sharemark test", "-keyout", &ca_key, "-out", &ca]);
    let (request, key) = (format!("{root}/server.csr"), format!("{root}/server.key"));
    of(&["-subj", &format!("/CN={name}"), "-keyout", &key, "-out", &request]);
    let names = format!("{root}/names");
    fs::write(&names, format!("subjectAltName=DNS:{name}\n")).unwrap();
    let pem = format!("{root}/server.pem");
    openssl(&[
        "x509",
        "-req",
        "-days",
        "2",
        "-in",
        &request,
        "-CA",
        &ca,
        "-CAkey",
        &ca_key,
        "-CAcreateserial",
        "-extfile",
        &names,
        "-out",
        &pem,
    ]);
}

fn fact(place: &Place, name: &str) -> String {
    let found = reach(place).unwrap().inspect().unwrap();
    found
        .server
        .unwrap()
        .get(name)
        .map(|value| value.as_str().unwrap_or_default().to_owned())
        .unwrap_or_default()
}

const BASIC: &str =
    "AuthType Basic\nAuthName \"sharemark test\"\nAuthUserFile ROOT/basic\nRequire valid-user";
const DIGEST: &str = "AuthType Digest\nAuthName \"sharemark test\"\nAuthDigestProvider file\nAuthUserFile ROOT/digest\nRequire valid-user";

#[test]
fn apache_conforms_without_a_login() {
    let Some(apache) = Apache::start(&Setup::default()) else { return };
    let place = share(&apache.url("webdav", "", ""));
    conformance::check(&place, ABLE);
    assert_eq!([fact(&place, "login"), fact(&place, "tls")], ["none", "off"]);
    assert!(fact(&place, "software").starts_with("Apache"), "{}", fact(&place, "software"));
    assert!(fact(&place, "dav").starts_with("1,2"), "{}", fact(&place, "dav"));
}

#[test]
fn any_name_is_a_folder() {
    let Some(apache) = Apache::start(&Setup::default()) else { return };
    conformance::check(&share(&apache.url("webdav", "", "写真%20$%202026%23%3F%25/📷")), ABLE);
    assert_eq!(refusal(&share(&apache.url("webdav", "", "nothing"))).0, FailureCode::NotFound);
    assert_eq!(refusal(&share(&apache.url("webdav", "", "plain"))).0, FailureCode::NotAFolder);
}

#[test]
fn apache_conforms_with_a_password() {
    // The server closes a connection after a few requests, and the next one begins with the proof it knows.
    let server = "MaxKeepAliveRequests 3";
    for (folder, login) in [(BASIC, "basic"), (DIGEST, "digest")] {
        let Some(apache) = Apache::start(&Setup { folder, server, ..Setup::default() }) else { return };
        let place = share(&apache.url("webdav", "me:pass%20word@", ""));
        conformance::check(&place, ABLE);
        assert_eq!(fact(&place, "login"), login);
        let (code, text) = refusal(&with_password(&place, "wrong"));
        assert_eq!((code, text.as_str()), (FailureCode::LoginRefused, "401 Unauthorized"));
        assert_eq!(refusal(&share(&apache.url("webdav", "", ""))).0, FailureCode::LoginRefused);
    }
}

#[test]
fn a_nonce_that_is_too_old_is_renewed() {
    let folder = "AuthType Digest\nAuthName \"sharemark test\"\nAuthDigestProvider file\nAuthUserFile ROOT/digest\n\
        AuthDigestNonceLifetime 1\nRequire valid-user";
    let Some(apache) = Apache::start(&Setup { folder, ..Setup::default() }) else { return };
    let target = reach(&share(&apache.url("webdav", "me:pass%20word@", ""))).unwrap();
    thread::sleep(Duration::from_millis(2100));
    assert!(target.inspect().is_ok());
    thread::sleep(Duration::from_millis(2100));
    let name = FolderName::for_run("stale").unwrap();
    target.create_folder(&name).unwrap();
    thread::sleep(Duration::from_millis(2100));
    let writer = target.create(&name, &r001(), &options(2 << 20)).unwrap();
    writer.write(&[7; 1000], 0).unwrap();
    writer.close().unwrap();
    assert_eq!(target.size_of(&name, &r001()).unwrap(), Bytes(1000));
}

#[test]
fn a_certificate_has_to_be_for_the_name_and_signed_by_somebody_trusted() {
    let Some(apache) = Apache::start(&Setup { certificate: Some("localhost"), ..Setup::default() }) else {
        return;
    };
    let (url, ca) = (apache.url("webdavs", "", ""), apache.file("ca.pem"));
    let place = trusting(&url, &ca);
    conformance::check(&place, ABLE);
    assert!(fact(&place, "tls").starts_with("TLS 1.3, TLS13_"), "{}", fact(&place, "tls"));
    let (code, text) = refusal(&share(&url));
    assert_eq!((code, text.contains("UnknownIssuer")), (FailureCode::Certificate, true), "{text}");
    let (code, text) = refusal(&trusting(&url.replace("localhost", "127.0.0.1"), &ca));
    assert_eq!((code, text.contains("127.0.0.1")), (FailureCode::Certificate, true), "{text}");
    assert_eq!(refusal(&trusting(&url, &apache.file("absent.pem"))).0, FailureCode::NotFound);
    assert_eq!(refusal(&trusting(&url, &apache.file("conf"))).0, FailureCode::Certificate);
    // Plain HTTP where TLS is spoken, and the other way round, is no wait without an end.
    let plainly = refusal(&share(&url.replace("webdavs", "webdav")));
    assert!(matches!(plainly.0, FailureCode::ServerGone | FailureCode::Protocol), "{plainly:?}");
    let Some(plain) = Apache::start(&Setup::default()) else { return };
    assert_eq!(refusal(&trusting(&plain.url("webdavs", "", ""), &ca)).0, FailureCode::Protocol);
}

fn r001() -> FileName {
    FileName::try_from("r001.bin".to_owned()).unwrap()
}

fn options(size: u64) -> WriteOptions {
    WriteOptions { durability: Durability::WriteThrough, size: Bytes(size), block: Bytes(1 << 20), depth: 1 }
}

#[test]
fn a_file_too_large_is_refused_before_its_first_byte() {
    let folder = "LimitRequestBody 3000000";
    let Some(apache) = Apache::start(&Setup { folder, ..Setup::default() }) else { return };
    let target = reach(&share(&apache.url("webdav", "", ""))).unwrap();
    let name = FolderName::for_run("large").unwrap();
    target.create_folder(&name).unwrap();
    let failure = target.create(&name, &r001(), &options(3_000_001)).err().unwrap();
    assert_eq!(failure.code, FailureCode::TooLarge);
    assert_eq!(target.list(&name).unwrap(), 0);
    // What a server only finds out on the way ends the file as well.
    let writer = target.create(&name, &r001(), &options(2_000_000)).unwrap();
    let error = write_all(&*writer, 100).and_then(|()| writer.close()).unwrap_err();
    assert_eq!(classify(&error), FailureCode::TooLarge, "{error}");
}

fn write_all(writer: &dyn sharemark_target::WriteFile, blocks: u64) -> std::io::Result<()> {
    let block = vec![3; 1 << 20];
    (0..blocks).try_for_each(|number| writer.write(&block, number << 20))
}

#[test]
fn a_folder_that_somebody_uses_is_left_alone() {
    let Some(apache) = Apache::start(&Setup::default()) else { return };
    let target = reach(&share(&apache.url("webdav", "", ""))).unwrap();
    let name = FolderName::for_run("used").unwrap();
    target.create_folder(&name).unwrap();
    let inner = apache.file("files/sharemark-used/r001.bin");
    fs::create_dir(&inner).unwrap();
    fs::write(format!("{inner}/mine"), "x").unwrap();
    assert!(target.remove_file(&name, &r001()).is_err(), "a folder is no file");
    assert_eq!(target.remove_folder(&name).unwrap_err().code, FailureCode::NotEmpty);
    // A member with the folder's own name is a member.
    fs::remove_dir_all(&inner).unwrap();
    fs::create_dir(apache.file("files/sharemark-used/sharemark-used")).unwrap();
    assert_eq!(target.list(&name).unwrap(), 1);
    assert_eq!(target.remove_folder(&name).unwrap_err().code, FailureCode::NotEmpty);
    assert!(fs::exists(apache.file("files/sharemark-used/sharemark-used")).unwrap());
}

#[test]
fn a_server_that_dies_is_noticed() {
    let server = "StartServers 1\nServerLimit 1\nThreadsPerChild 8\nMaxRequestWorkers 8";
    let folder = "LimitRequestBody 0";
    let Some(mut apache) = Apache::start(&Setup { folder, server, ..Setup::default() }) else { return };
    let place = share(&apache.url("webdav", "", ""));
    let target = reach(&place).unwrap();
    let name = FolderName::for_run("dies").unwrap();
    target.create_folder(&name).unwrap();
    let writer = target.create(&name, &r001(), &options(1 << 40)).unwrap();
    let error = thread::scope(|scope| {
        let writing = scope.spawn(|| write_all(&*writer, u64::MAX));
        thread::sleep(Duration::from_millis(300));
        let parent = apache.daemon.child.id().to_string();
        Command::new("pkill").args(["-KILL", "-P", &parent]).status().unwrap();
        apache.daemon.kill();
        writing.join().unwrap().unwrap_err()
    });
    assert_eq!(classify(&error), FailureCode::ServerGone, "{error}");
    assert_eq!(classify(&writer.close().unwrap_err()), FailureCode::ServerGone);
    assert!(target.size_of(&name, &r001()).is_err());
    assert_eq!(refusal(&place).0, FailureCode::Refused);
}
