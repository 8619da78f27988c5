//! Who asks: passwords from everywhere they can come from, and nowhere they could be seen.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::harness::{Home, SMALL, stderr, stdout};

/// A password that is nothing else.
const SECRET: &str = "Zq7-geheim-秘密";

/// A port of this machine at which nothing listens.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A credentials file that only its owner can read.
fn credentials(home: &Home, text: &str) -> PathBuf {
    let path = home.data().join("credentials");
    fs::write(&path, text).unwrap();
    mode(&path, 0o600);
    path
}

#[cfg(unix)]
fn mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(not(unix))]
fn mode(_: &Path, _: u32) {}

/// Every file below a folder that holds the text.
fn holding(folder: &Path, text: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holding(&path, text, found);
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        {
            found.push(path);
        }
    }
}

#[test]
fn no_password_is_seen_whichever_way_it_came() {
    let port = closed_port();
    for scheme in ["smb", "webdav", "sftp"] {
        for way in ["address", "file", "variable", "label", "saved"] {
            let home = Home::new();
            let json = home.data().join("report.json");
            let mut address = format!("{scheme}://me@127.0.0.1:{port}/share");
            let mut command = home.sharemark(&["run", "--lang", "en", "--json", json.to_str().unwrap()]);
            let mut allowed = Vec::new();
            match way {
                "address" => address = address.replace("me@", &format!("me:{SECRET}@")),
                "file" => {
                    let path = credentials(&home, &format!("username=me\npassword={SECRET}\n"));
                    command.arg("--credentials").arg(&path);
                    allowed.push(path);
                }
                "variable" => drop(command.env("SHAREMARK_PASSWORD", SECRET)),
                "label" => drop(command.env("SHAREMARK_PASSWORD_BY_VPN", SECRET)),
                _ => {
                    let path = credentials(&home, &format!("password={SECRET}\n"));
                    let add = ["target", "add", "nas", &address, "--credentials", path.to_str().unwrap()];
                    let added = home.sharemark(&add).output().unwrap();
                    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
                    allowed.push(path);
                    address = "nas".to_owned();
                }
            }
            let output = command.arg(format!("by-vpn={address}")).args(SMALL).output().unwrap();
            // It was understood, and could not be reached.
            assert_eq!(output.status.code(), Some(1), "{scheme} {way}: {}", stderr(&output));
            let said = stdout(&output) + &stderr(&output);
            assert!(!said.contains(SECRET) && !said.contains("geheim"), "{scheme} {way}: {said}");
            assert_eq!(said.contains("shell's history"), way == "address", "{scheme} {way}: {said}");
            let mut found = Vec::new();
            holding(home.data(), SECRET, &mut found);
            assert_eq!(found, allowed, "{scheme} {way}");
            assert!(fs::metadata(&json).is_ok(), "{scheme} {way}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_shows_no_password_in_its_arguments_or_environment() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    let home = Home::new();
    let path = credentials(&home, &format!("password={SECRET}\n"));
    let mut child = home
        .sharemark(&["run", home.path(), "--credentials", path.to_str().unwrap(), "--settle", "1s"])
        .args(["--size", "64MiB", "--block", "4KiB", "--runs", "50"])
        .env("SHAREMARK_PASSWORD", SECRET)
        .env("SHAREMARK_PASSWORD_LAN", SECRET)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let mut seen = 0;
    let marker = |bytes: &[u8]| bytes.windows(4).any(|part| part == &SECRET.as_bytes()[..4]);
    while seen < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no worker");
        let parent = child.id().to_string();
        let workers = Command::new("ps").args(["-o", "pid=", "--ppid", &parent]).output().unwrap();
        for pid in stdout(&workers).split_whitespace() {
            let of = |what: &str| fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
            let (arguments, environment) = (of("cmdline"), of("environ"));
            // Between fork and exec it is still its parent.
            if arguments.ends_with(b"\0worker\0") && !environment.is_empty() {
                assert!(!marker(&arguments) && !marker(&environment));
                assert!(environment.windows(18).any(|part| part == b"SHAREMARK_DATA_DIR"));
                seen += 1;
            }
        }
        let own = fs::read(format!("/proc/{parent}/cmdline")).unwrap_or_default();
        assert!(!marker(&own));
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn credentials_that_others_can_read_are_refused() {
    let home = Home::new();
    let path = credentials(&home, &format!("username=me\npassword={SECRET}\n"));
    let address = format!("smb://127.0.0.1:{}/share", closed_port());
    let run = |language| {
        let arguments = ["run", &address, "--credentials", path.to_str().unwrap(), "--lang", language];
        home.sharemark(&arguments).args(SMALL).output().unwrap()
    };
    for (open, code) in [(0o644, 2), (0o640, 2), (0o600, 1), (0o400, 1)] {
        mode(&path, open);
        for language in ["en", "ja"] {
            let output = run(language);
            assert_eq!(output.status.code(), Some(code), "{open:o}: {}", stderr(&output));
            let advised = stderr(&output).contains(&format!("chmod 600 {}", path.display()));
            assert_eq!(advised, code == 2, "{open:o}: {}", stderr(&output));
        }
    }
    fs::remove_file(&path).unwrap();
    fs::write(&path, format!("username=me\n{SECRET}\n")).unwrap();
    mode(&path, 0o600);
    let output = run("en");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Line 2") && !stderr(&output).contains("geheim"), "{}", stderr(&output));
}

#[test]
fn without_a_terminal_nobody_is_asked_and_that_is_said() {
    let home = Home::new();
    let port = closed_port();
    let smb = format!("smb://127.0.0.1:{port}/share");
    let named = format!("smb://me@127.0.0.1:{port}/share");
    let sftp = format!("sftp://me@127.0.0.1:{port}/share");
    let nfs = format!("nfs://127.0.0.1:{port}/share");
    for (arguments, code, word) in [
        (vec![named.as_str()], 2, "--credentials"),
        (vec![&smb, "--user", "WORK\\me"], 2, "WORK\\me"),
        (vec![&named, "--ask-password"], 2, "--credentials"),
        (vec![&smb, "--ask-password"], 2, "--user"),
        (vec![&sftp, "--ask-password"], 2, "--credentials"),
        (vec![&smb, "--user", "WORK\\"], 2, "DOMAIN"),
        (vec![&smb, "--user", "me", "--guest"], 2, "--guest"),
        (vec![&smb], 1, "127.0.0.1"),
        (vec![&named, "--guest"], 1, "127.0.0.1"),
        // An agent or a key may be enough.
        (vec![&sftp], 1, "127.0.0.1"),
        (vec![&nfs, "--user", "me"], 1, "127.0.0.1"),
    ] {
        for language in ["en", "ja"] {
            let mut command = home.sharemark(&["run", "--lang", language]);
            let output = command.args(&arguments).args(SMALL).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
        }
    }
}

#[test]
fn wishes_are_checked_before_anything_is_done() {
    let home = Home::new();
    let missing = home.data().join("missing.pem");
    let missing = missing.to_str().unwrap();
    for arguments in [
        ["--connections", "0"],
        ["--connections", "65"],
        ["--connections", "many"],
        ["--smb-dialect", "1.0"],
        ["--smb-signing", "maybe"],
        ["--ca-file", missing],
        ["--known-hosts", home.path()],
        ["--key", missing],
        ["--credentials", missing],
    ] {
        for language in ["en", "ja"] {
            let mut command = home.sharemark(&["run", home.path(), "--lang", language]);
            let output = command.args(arguments).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        }
    }
    assert!(home.listed().is_empty());
    let known = home.data().join("known_hosts");
    fs::write(&known, "").unwrap();
    let output = home
        .sharemark(&["run", home.path(), "--json", "-", "--connections", "4", "--smb-dialect", "3.0.2"])
        .args(["--smb-signing", "off", "--known-hosts", "known_hosts"])
        .args(SMALL)
        .current_dir(home.data())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let wishes = &report["plan"]["wishes"];
    assert_eq!((&wishes["connections"], &wishes["smb_dialect"]), (&4.into(), &"3.0.2".into()));
    assert_eq!(wishes["smb_signing"], "off");
    assert!(Path::new(wishes["known_hosts"].as_str().unwrap()).is_absolute(), "{wishes}");
}

#[test]
fn what_was_left_on_a_saved_target_is_cleaned_with_its_credentials() {
    let home = Home::new();
    let address = format!("smb://127.0.0.1:{}/share", closed_port());
    let path = credentials(&home, &format!("password={SECRET}\n"));
    let manifests = home.data().join("manifests");
    fs::create_dir_all(&manifests).unwrap();
    let head = serde_json::json!({
        "v": 1, "run": "x", "path": address, "source": null, "folder": "sharemark-20261130-182642-wmnv"
    });
    fs::write(manifests.join("sharemark-20261130-182642-wmnv.jsonl"), format!("{head}\n")).unwrap();
    let add = |more: &[&str]| {
        let added =
            home.sharemark(&["target", "add", "nas", &address, "--user", "me"]).args(more).output().unwrap();
        assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    };
    add(&[]);
    // A user and no password: that is told for this one.
    let without = home.sharemark(&["clean", "--lang", "en"]).output().unwrap();
    assert_eq!(without.status.code(), Some(2), "{}", stderr(&without));
    assert!(stderr(&without).contains("no terminal"), "{}", stderr(&without));
    // With a password the server is asked, which is not there.
    add(&["--force", "--credentials", path.to_str().unwrap()]);
    for arguments in [vec!["clean", "--lang", "en"], vec!["clean", "nas", "--lang", "en"]] {
        let with = home.sharemark(&arguments).output().unwrap();
        assert_eq!(with.status.code(), Some(1), "{}", stderr(&with));
        assert!(stdout(&with).contains(&address), "{}", stdout(&with));
        assert!(!(stdout(&with) + &stderr(&with)).contains("geheim"));
    }
    assert_eq!(home.manifests(), 1);
}
