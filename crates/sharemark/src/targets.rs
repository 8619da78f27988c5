//! Saved targets: a name for a location, who asks there, and what is wished of the connection.

mod command;
mod edit;
mod read;

use std::path::PathBuf;

use sharemark_model::{Location, SmbDialect, SmbSigning, Wishes};
use sharemark_report::Words;

pub(crate) use self::command::run;
use crate::access::Account;
use crate::console::Console;
use crate::exit::Problem;
use crate::paths;

/// Names less alike than this are not what somebody meant.
const ALIKE: f64 = 0.8;

/// One saved target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) name: String,
    pub(crate) location: Location,
    pub(crate) account: Option<Account>,
    pub(crate) domain: Option<String>,
    /// The path of a credentials file.
    pub(crate) credentials: Option<PathBuf>,
    /// The path of a private key.
    pub(crate) key: Option<String>,
    connections: Option<u32>,
    smb_dialect: Option<SmbDialect>,
    smb_signing: Option<SmbSigning>,
    ca_file: Option<String>,
    known_hosts: Option<String>,
}

impl Saved {
    /// Whether a text could be a name: letters of any script, digits, `-` and `_`, as a label.
    pub(crate) fn is_name(text: &str) -> bool {
        !text.is_empty()
            && !text.starts_with('-')
            && text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    }

    /// What is wished of connections to it: its own wishes where it has some.
    pub(crate) fn wishes(&self, general: &Wishes) -> Wishes {
        Wishes {
            connections: self.connections.unwrap_or(general.connections),
            smb_dialect: self.smb_dialect.or(general.smb_dialect),
            smb_signing: self.smb_signing.or(general.smb_signing),
            ca_file: self.ca_file.clone().or_else(|| general.ca_file.clone()),
            known_hosts: self.known_hosts.clone().or_else(|| general.known_hosts.clone()),
        }
    }
}

/// All that are saved, in the order of their file.
#[derive(Debug, Default)]
pub(crate) struct SavedTargets {
    path: PathBuf,
    targets: Vec<Saved>,
    /// Words in the file that say nothing to this version, with their lines.
    unknown: Vec<(usize, String)>,
}

impl SavedTargets {
    /// Reads the file; without one, nothing is saved.
    ///
    /// # Errors
    /// When there is one and it cannot be understood.
    pub(crate) fn read(words: &Words) -> Result<Self, Problem> {
        read::read(paths::config_dir(words)?.join("targets.toml"), words)
    }

    /// The one of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Saved> {
        self.targets.iter().find(|saved| saved.name == name)
    }

    /// The first at this location.
    pub(crate) fn at(&self, location: &Location) -> Option<&Saved> {
        let shown = location.to_string();
        self.targets.iter().find(|saved| saved.location.to_string() == shown)
    }

    /// The name most like this one, if any is.
    pub(crate) fn similar(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        let alike = |saved: &Saved| strsim::jaro_winkler(&name, &saved.name.to_lowercase());
        let best = self.targets.iter().max_by(|one, other| alike(one).total_cmp(&alike(other)))?;
        (alike(best) >= ALIKE).then_some(best.name.as_str())
    }

    /// Says which words of the file were passed over: most likely they are mistyped.
    pub(crate) fn tell_unknown(&self, console: &Console) {
        let words = console.words();
        for (line, key) in &self.unknown {
            let values = [
                ("path", self.path.display().to_string().into()),
                ("line", (*line as u64).into()),
                ("key", key.into()),
            ];
            let text = words.format("cli-target-unknown-key", &values);
            console.say(&words.format("cli-warning", &[("text", text.into())]));
        }
    }
}
