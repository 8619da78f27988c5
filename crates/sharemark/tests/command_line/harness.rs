//! A share, a data folder and the program, each test its own.

use std::fs;
#[cfg(unix)]
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The options of a run that is over in a moment.
pub(crate) const SMALL: [&str; 12] =
    ["--size", "1MiB", "--block", "128KiB", "--runs", "2", "--pause", "0", "--settle", "0", "--stall", "20s"];

/// A folder to measure, and a place for sharemark's own files.
pub(crate) struct Home {
    share: TempDir,
    data: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        // On the build's own disk, since the system's temporary folder may be memory.
        let here = env!("CARGO_TARGET_TMPDIR");
        Self { share: TempDir::new_in(here).unwrap(), data: TempDir::new_in(here).unwrap() }
    }

    pub(crate) fn share(&self) -> &Path {
        self.share.path()
    }

    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    /// The folder of the saved targets; it need not exist.
    pub(crate) fn config(&self) -> PathBuf {
        self.data.path().join("config")
    }

    /// The share's path as text.
    pub(crate) fn path(&self) -> &str {
        self.share.path().to_str().unwrap()
    }

    pub(crate) fn sharemark(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sharemark"));
        command.args(arguments).env("SHAREMARK_DATA_DIR", self.data.path()).env_remove("SHAREMARK_HISTORY");
        command.env("LC_ALL", "C").env("LANG", "C").env_remove("LANGUAGE");
        command.env("SHAREMARK_CONFIG", self.config());
        // Neither the logins nor the keyring of whoever runs the tests.
        for name in ["USER", "DOMAIN", "PASSWORD"] {
            command.env_remove(format!("SHAREMARK_{name}"));
        }
        command.env_remove("DBUS_SESSION_BUS_ADDRESS").env_remove("XDG_RUNTIME_DIR");
        command
    }

    /// The names in the share.
    pub(crate) fn listed(&self) -> Vec<String> {
        let entries = fs::read_dir(self.share.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// How many manifests there are.
    pub(crate) fn manifests(&self) -> usize {
        let folder: PathBuf = self.data.path().join("manifests");
        fs::read_dir(folder).map_or(0, Iterator::count)
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Says why a test does not run. Written past the test runner, which keeps what a passing test prints to itself.
#[cfg(unix)]
pub(crate) fn skipped(reason: &str) {
    writeln!(std::io::stderr(), "skipped: {reason}").ok();
}
