//! The secret service of a Linux desktop (GNOME Keyring, KWallet, KeePassXC), through `secret-tool` of libsecret.
//!
//! The secret goes through pipes in both directions; the arguments, which everybody on this machine can read, hold only
//! the user's and the server's name.

use std::env;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use sharemark_model::Secret;

use super::KeyringError;

/// A locked keyring asks its user for its own password in a window: this long somebody may take to type it.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn find(name: &str) -> Option<Secret> {
    let (found, output) = call(command("lookup").args(attributes(name)), None).ok()?;
    // Written to a pipe, the secret has no line's end of its own.
    (found && !output.expose().is_empty()).then_some(output)
}

pub(super) fn store(name: &str, label: &str, secret: &Secret) -> Result<(), KeyringError> {
    let (stored, words) =
        call(command("store").arg("--label").arg(label).args(attributes(name)), Some(secret))?;
    if stored { Ok(()) } else { Err(KeyringError::System(words.expose().to_owned())) }
}

pub(super) fn remove(name: &str) -> Result<(), KeyringError> {
    // It also fails where there was nothing to forget.
    call(command("clear").args(attributes(name)), None).map(|_| ())
}

fn command(what: &str) -> Command {
    let mut command = Command::new("secret-tool");
    command.arg(what);
    // What is meant for this process is inherited by no other.
    for (name, _) in env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"SHAREMARK_PASSWORD") {
            command.env_remove(name);
        }
    }
    command
}

fn attributes(name: &str) -> [&str; 4] {
    ["application", "sharemark", "login", name]
}

/// Whether there is a session whose programs talk to each other: without one, `secret-tool` would start a bus of its own
/// and wait for a keyring that cannot come.
fn has_session() -> bool {
    let named = |name| env::var_os(name).filter(|value| !value.is_empty());
    named("DBUS_SESSION_BUS_ADDRESS").is_some()
        || named("XDG_RUNTIME_DIR").is_some_and(|dir| Path::new(&dir).join("bus").exists())
}

/// Whether it succeeded, and what it answered: its result, or its words about why not.
fn call(command: &mut Command, secret: Option<&Secret>) -> Result<(bool, Secret), KeyringError> {
    if !has_session() {
        return Err(KeyringError::Missing);
    }
    let input = if secret.is_some() { Stdio::piped() } else { Stdio::null() };
    let mut child =
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
            match error.kind() {
                io::ErrorKind::NotFound => KeyringError::Missing,
                _ => KeyringError::System(error.to_string()),
            }
        })?;
    if let (Some(secret), Some(mut pipe)) = (secret, child.stdin.take()) {
        // One that has ended already says why.
        pipe.write_all(secret.expose().as_bytes()).ok();
    }
    let (output, errors) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let Ok(output) = output.recv_timeout(LIMIT) else {
        abandon(child);
        return Err(KeyringError::System(io::Error::from(io::ErrorKind::TimedOut).to_string()));
    };
    let succeeded = child.wait().is_ok_and(|status| status.success());
    if succeeded {
        return Ok((true, output));
    }
    let errors = errors.recv_timeout(LIMIT).unwrap_or_else(|_| Secret::new(String::new()));
    Ok((false, Secret::new(errors.expose().trim().to_owned())))
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Secret> {
    let (give, take) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_string(&mut text).ok();
        }
        give.send(Secret::new(text)).ok();
    });
    take
}

fn abandon(mut child: Child) {
    child.kill().ok();
    child.wait().ok();
}
