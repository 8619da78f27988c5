//! Saved targets: added, listed, used and removed.

use std::fs;

use crate::harness::{Home, SMALL, stderr, stdout};

fn file(home: &Home) -> String {
    fs::read_to_string(home.config().join("targets.toml")).unwrap_or_default()
}

/// Runs `sharemark target`, which has to end with this code; answers with all it said.
fn target(home: &Home, arguments: &[&str], code: i32) -> String {
    let mut command = home.sharemark(&["target"]);
    let output = command.args(arguments).args(["--lang", "en"]).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output) + &stderr(&output)
}

#[test]
fn a_target_is_added_listed_and_removed() {
    let home = Home::new();
    assert!(target(&home, &["list"], 0).contains("target add"));
    target(
        &home,
        &["add", "lan", "smb://192.168.1.20/Public", "--user", "WORK\\me", "--connections", "2"],
        0,
    );
    target(&home, &["add", "写真_2026", "nfs://nas/volume1/写真"], 0);
    let listed = target(&home, &["list"], 0);
    assert!(listed.contains("lan = smb://192.168.1.20/Public (user WORK\\me)"), "{listed}");
    assert!(listed.contains("写真_2026 = nfs://nas/volume1/写真"), "{listed}");
    assert!(file(&home).contains("connections = 2") && file(&home).contains("写真"), "{}", file(&home));
    assert!(target(&home, &["add", "lan", "smb://nas/Other"], 2).contains("--force"));
    target(&home, &["add", "lan", "smb://nas/Other", "--force"], 0);
    assert!(!file(&home).contains("WORK") && file(&home).contains("smb://nas/Other"), "{}", file(&home));
    assert!(target(&home, &["remove", "lam"], 1).contains("Did you mean lan?"));
    target(&home, &["remove", "lan"], 0);
    target(&home, &["remove", "写真_2026"], 0);
    assert!(!file(&home).contains("location"), "{}", file(&home));
}

#[test]
fn what_cannot_be_saved_is_told_in_both_languages() {
    let home = Home::new();
    for (arguments, code) in [
        (vec!["add", "lan", "smb://me:hush@nas/Public"], 2),
        (vec!["add", "lan", "smb://me:hu/sh@nas/Public"], 2),
        (vec!["add", "a b", "smb://nas/Public"], 2),
        (vec!["add", "a.b", "smb://nas/Public"], 2),
        (vec!["add", "", "smb://nas/Public"], 2),
        (vec!["add", "lan", "ftp://nas/Public"], 2),
        (vec!["add", "lan", "smb:///Public"], 2),
        (vec!["add", "lan"], 2),
        (vec!["add", "lan", "smb://nas/Public", "--smb-dialect", "1"], 2),
        (vec!["add", "lan", "smb://nas/Public", "--save-password"], 2),
        (vec!["add", "lan", "smb://me@nas/Public", "--save-password"], 1),
        (vec!["add", "lan", "smb://nas/Public", "--credentials", "/nowhere"], 2),
        (vec!["remove", "lan"], 1),
        (vec!["remove"], 2),
        (vec!["lsit"], 2),
    ] {
        for language in ["en", "ja"] {
            let mut command = home.sharemark(&["target"]);
            let output = command.args(&arguments).args(["--lang", language]).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
            let said = stdout(&output) + &stderr(&output);
            assert!(said.len() > 20 && !said.contains("hush") && !said.contains("hu/sh"), "{said}");
        }
    }
    assert_eq!(file(&home), "");
}

#[test]
fn a_saved_name_stands_for_its_location() {
    let home = Home::new();
    fs::create_dir(home.share().join("写真")).unwrap();
    let added =
        home.sharemark(&["target", "add", "アルバム", "写真"]).current_dir(home.share()).output().unwrap();
    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    let elsewhere = home.data().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let run = |target: &str| {
        let mut command = home.sharemark(&["run", target, "--json", "-", "--lang", "en"]);
        let output = command.args(SMALL).current_dir(&elsewhere).output().unwrap();
        let report = serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap_or_default();
        (output.status.code(), report["targets"][0].clone(), stderr(&output))
    };
    let location = home.share().join("写真");
    for (typed, label) in [("アルバム", "アルバム"), ("a=アルバム", "a")] {
        let (code, target, said) = run(typed);
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(target["label"], label);
        assert_eq!(target["location"], location.to_str().unwrap());
    }
    // A path is a path, and an unknown word is looked for as a folder.
    let (code, _, said) = run("./アルバム");
    assert_eq!(code, Some(1), "{said}");
    let (code, _, said) = run("アルバン");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("`アルバム`"), "{said}");
    // A folder of that name is what is meant where it is.
    fs::create_dir(elsewhere.join("アルバム")).unwrap();
    let (code, target, said) = run("アルバム");
    assert_eq!((code, &target["location"]), (Some(0), &"アルバム".into()), "{said}");
    assert!(said.contains("The folder is taken"), "{said}");
}

#[test]
fn a_file_that_is_wrong_is_told_with_its_line_and_left_alone() {
    let home = Home::new();
    fs::create_dir_all(home.config()).unwrap();
    let path = home.config().join("targets.toml");
    for text in [
        "[targets.lan]\nlocation = smb\n",
        "[targets.lan]\nlocation = \"smb://me:hush@nas/x\"\n",
        "[targets]\nlan = \"hush\"\n",
        "[targets.lan]\npassword = \"hush\"\n",
    ] {
        fs::write(&path, text).unwrap();
        for arguments in [vec!["run", "lan"], vec!["target", "list"], vec!["target", "add", "b", "/x"]] {
            for (language, line) in [("en", "Line 2"), ("ja", "2行目")] {
                let output = home.sharemark(&arguments).args(["--lang", language]).output().unwrap();
                assert_eq!(output.status.code(), Some(2), "{text}: {}", stderr(&output));
                assert!(stderr(&output).contains(line), "{text}: {}", stderr(&output));
                assert!(stderr(&output).contains("targets.toml"), "{text}: {}", stderr(&output));
                assert!(!stderr(&output).contains("hush"), "{text}: {}", stderr(&output));
            }
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        // Who names a path does not need the file.
        let output = home.sharemark(&["run", home.path()]).args(SMALL).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    fs::write(&path, "[targets.lan]\nlocation = \"/x\"\nconections = 2\n").unwrap();
    let said = target(&home, &["list"], 0);
    assert!(said.contains("line 3") && said.contains("`conections`"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_keyring_keeps_a_password_that_no_argument_shows() {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};

    let home = Home::new();
    let tools = home.data().join("tools");
    fs::create_dir(&tools).unwrap();
    let tool = tools.join("secret-tool");
    // Stands in for libsecret's program: keeps one secret, and writes down how it was called.
    let script = "#!/bin/sh\nkept=$(dirname \"$0\")/kept\nprintf '%s\\n' \"$*\" >>\"$kept.calls\"\n\
                  case $1 in store) cat >\"$kept\" ;; lookup) exec cat \"$kept\" ;; clear) rm \"$kept\" ;; esac\n";
    fs::write(&tool, script).unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let with_keyring = |command: &mut Command| {
        command.env("PATH", &path).env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere").output().unwrap()
    };
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("smb://127.0.0.1:{port}/share");
    let mut add = home.sharemark(&["target", "add", "nas", &address, "--user", "me", "--save-password"]);
    add.env("PATH", &path).env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    let mut child = add.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("hush 秘密\n".as_bytes()).unwrap();
    let added = child.wait_with_output().unwrap();
    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    assert_eq!(fs::read_to_string(tools.join("kept")).unwrap(), "hush 秘密");
    assert!(!file(&home).contains("hush") && !stderr(&added).contains("hush"));

    let run = with_keyring(home.sharemark(&["run", "nas", "--lang", "en"]).args(SMALL));
    assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
    assert!(!stderr(&run).contains("hush") && !stderr(&run).contains("no terminal"), "{}", stderr(&run));
    let removed = with_keyring(&mut home.sharemark(&["target", "remove", "nas"]));
    assert_eq!(removed.status.code(), Some(0), "{}", stderr(&removed));
    assert!(!tools.join("kept").exists());
    let calls = fs::read_to_string(tools.join("kept.calls")).unwrap();
    assert_eq!(calls.lines().count(), 3, "{calls}");
    assert!(
        calls.contains(&format!("login smb://me@127.0.0.1:{port}")) && !calls.contains("hush"),
        "{calls}"
    );
    let without =
        with_keyring(home.sharemark(&["run", &address, "--user", "me", "--lang", "en"]).args(SMALL));
    assert_eq!(without.status.code(), Some(2), "{}", stderr(&without));
}
