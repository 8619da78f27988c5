//! Reading `targets.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sharemark_model::{Address, Location, SmbDialect, SmbSigning, without_password};
use sharemark_report::{Words, usage as reasons};
use toml_edit::{Document, Item, TableLike};

use super::{Saved, SavedTargets};
use crate::access::wishes::MOST_CONNECTIONS;
use crate::access::{Account, expanded};
use crate::exit::Problem;

/// Reads the file at `path`.
///
/// # Errors
/// When it cannot be read, or something in it is wrong: with its line.
pub(super) fn read(path: PathBuf, words: &Words) -> Result<SavedTargets, Problem> {
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(SavedTargets { path, ..SavedTargets::default() });
        }
        Err(error) => {
            let values = [("path", path.display().to_string().into()), ("system", error.to_string().into())];
            return Err(Problem::usage(words.format("cli-target-file-unreadable", &values)));
        }
    };
    match parse(&text, words) {
        Ok((targets, unknown)) => Ok(SavedTargets { path, targets, unknown }),
        Err(Wrong { line, reason }) => Err(Problem::usage(words.format(
            "cli-target-file-wrong",
            &[
                ("path", path.display().to_string().into()),
                ("line", (line as u64).into()),
                ("reason", reason.into()),
            ],
        ))),
    }
}

/// What is wrong with the file, and in which line, counted from 1.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    line: usize,
    reason: String,
}

type Parsed = (Vec<Saved>, Vec<(usize, String)>);

fn parse(text: &str, words: &Words) -> Result<Parsed, Wrong> {
    let line = |at: Option<std::ops::Range<usize>>| {
        let before = text.get(..at.map_or(0, |at| at.start)).unwrap_or_default();
        before.matches('\n').count() + 1
    };
    let document = Document::parse(text).map_err(|error| {
        // The parser's own words may run over several lines, with what is written in the file.
        let reason = error.message().lines().next().unwrap_or_default().to_owned();
        Wrong { line: line(error.span()), reason }
    })?;
    let mut unknown = Vec::new();
    let mut found = Vec::new();
    for (key, item) in document.iter() {
        if key != "targets" {
            unknown.push((line(document.key(key).and_then(toml_edit::Key::span)), key.to_owned()));
            continue;
        }
        let no_table =
            |item: &Item| Wrong { line: line(item.span()), reason: words.text("cli-target-no-table") };
        let targets = item.as_table_like().ok_or_else(|| no_table(item))?;
        for (name, item) in targets.iter() {
            let table = item.as_table_like().ok_or_else(|| no_table(item))?;
            let at = line(targets.key(name).and_then(toml_edit::Key::span).or(item.span()));
            let mut entry = Entry { table, at, line: &line, words, unknown: &mut unknown };
            found.push(entry.read(name)?);
        }
    }
    Ok((found, unknown))
}

/// The names a target's table may hold.
const KEYS: [&str; 10] = [
    "location",
    "user",
    "domain",
    "credentials",
    "key",
    "connections",
    "smb_dialect",
    "smb_signing",
    "ca_file",
    "known_hosts",
];

/// A target's table, with what is needed to say where something in it is wrong.
struct Entry<'a> {
    table: &'a dyn TableLike,
    /// The line of its name.
    at: usize,
    line: &'a dyn Fn(Option<std::ops::Range<usize>>) -> usize,
    words: &'a Words,
    unknown: &'a mut Vec<(usize, String)>,
}

impl Entry<'_> {
    fn read(&mut self, name: &str) -> Result<Saved, Wrong> {
        let words = self.words;
        if !Saved::is_name(name) {
            return Err(Wrong { line: self.at, reason: words.text("cli-target-name-form") });
        }
        for (key, item) in self.table.iter() {
            let line = (self.line)(item.span());
            if matches!(key, "password" | "pass" | "passwd" | "secret") {
                return Err(Wrong { line, reason: words.text("cli-target-no-password") });
            }
            if !KEYS.contains(&key) {
                self.unknown.push((line, key.to_owned()));
            }
        }
        let location = self.text("location")?.ok_or_else(|| Wrong {
            line: self.at,
            reason: words.format("cli-target-no-location", &[("name", name.into())]),
        })?;
        Ok(Saved {
            name: name.to_owned(),
            location: self.location(&location)?,
            account: self.parsed("user", |text| {
                Account::parse(text).ok_or_else(|| words.text("cli-access-user-form"))
            })?,
            domain: self.text("domain")?,
            credentials: self.text("credentials")?.map(|path| expanded(Path::new(&path))),
            key: self.path("key")?,
            connections: self.connections()?,
            smb_dialect: self.choice("smb_dialect", &SmbDialect::ALL, SmbDialect::name)?,
            smb_signing: self.choice("smb_signing", &[SmbSigning::On, SmbSigning::Off], SmbSigning::name)?,
            ca_file: self.path("ca_file")?,
            known_hosts: self.path("known_hosts")?,
        })
    }

    fn wrong(&self, key: &str, reason: String) -> Wrong {
        Wrong { line: (self.line)(self.table.get(key).and_then(Item::span)), reason }
    }

    fn text(&self, key: &str) -> Result<Option<String>, Wrong> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        match item.as_str() {
            Some(text) if !text.trim().is_empty() => Ok(Some(text.to_owned())),
            _ => {
                let values = [("key", key.into())];
                Err(self.wrong(key, self.words.format("cli-target-not-a-text", &values)))
            }
        }
    }

    fn parsed<T>(&self, key: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, Wrong> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        parse(&text).map(Some).map_err(|reason| self.wrong(key, format!("{key}: {reason}")))
    }

    fn path(&self, key: &str) -> Result<Option<String>, Wrong> {
        Ok(self.text(key)?.map(|path| expanded(Path::new(&path)).display().to_string()))
    }

    fn choice<T: Copy>(
        &self,
        key: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Wrong> {
        self.parsed(key, |text| {
            all.iter().copied().find(|known| name(*known) == text).ok_or_else(|| {
                let choices: Vec<&str> = all.iter().map(|known| name(*known)).collect();
                self.words.format("cli-error-choice", &[("choices", choices.join(", ").into())])
            })
        })
    }

    fn connections(&self) -> Result<Option<u32>, Wrong> {
        let Some(item) = self.table.get("connections") else { return Ok(None) };
        let count = item.as_integer().and_then(|count| u32::try_from(count).ok());
        match count {
            Some(count) if (1..=MOST_CONNECTIONS).contains(&count) => Ok(Some(count)),
            _ => Err(self.wrong("connections", self.words.text("cli-target-connections"))),
        }
    }

    fn location(&self, text: &str) -> Result<Location, Wrong> {
        let words = self.words;
        let location: Location =
            text.parse().map_err(|error| self.wrong("location", reasons::location(&error, words)))?;
        let typed =
            Address::of(&location).map_err(|error| self.wrong("location", reasons::address(error, words)))?;
        if typed.is_some_and(|typed| typed.password.is_some()) || without_password(text) != text {
            return Err(self.wrong("location", words.text("cli-target-no-password")));
        }
        Ok(location)
    }
}

#[cfg(test)]
mod tests {
    use sharemark_report::Language;

    use super::*;

    fn parsed(text: &str) -> Result<Parsed, Wrong> {
        parse(text, &Words::new(Language::English))
    }

    #[test]
    fn everything_a_target_can_hold_is_read() {
        let (targets, unknown) = parsed(
            "# mine\n[targets.lan]\nlocation = \"smb://192.168.1.20/Public\"\nuser = \"WORK\\\\me\"\n\
             credentials = \"/home/me/.nas\"\nconnections = 4\nsmb_dialect = \"3.1.1\"\nsmb_signing = \"off\"\n\
             colour = \"red\"\n\n[targets.\"写真\"]\nlocation = \"/mnt/写真 $\"\n",
        )
        .unwrap();
        assert_eq!(targets.len(), 2);
        let wishes = targets[0].wishes(&sharemark_model::Wishes::default());
        assert_eq!((wishes.connections, wishes.smb_dialect), (4, Some(SmbDialect::V3_1_1)));
        assert_eq!(wishes.smb_signing, Some(SmbSigning::Off));
        assert_eq!(targets[0].account, Account::parse("WORK\\me"));
        assert_eq!(targets[0].credentials, Some(PathBuf::from("/home/me/.nas")));
        assert_eq!(
            (targets[1].name.as_str(), targets[1].location.to_string().as_str()),
            ("写真", "/mnt/写真 $")
        );
        assert_eq!(unknown, [(9, "colour".to_owned())]);
        assert!(parsed("").unwrap().0.is_empty());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line) in [
            ("[targets.lan]\nlocation = smb\n", 2),
            ("[targets.lan]\nuser = \"me\"\n", 1),
            ("\n[targets.\"a b\"]\nlocation = \"/x\"\n", 2),
            ("[targets.lan]\nlocation = \"/x\"\npassword = \"hunter2\"\n", 3),
            ("[targets.lan]\nlocation = \"smb://me:hunter2@nas/x\"\n", 2),
            ("[targets.lan]\nlocation = \"smb:///x\"\n", 2),
            ("[targets.lan]\nlocation = \"/x\"\nconnections = 65\n", 3),
            ("[targets.lan]\nlocation = \"/x\"\nsmb_dialect = \"4\"\n", 3),
            ("[targets.lan]\nlocation = 5\n", 2),
            ("targets = 1\n", 1),
            ("[targets]\nlan = \"smb://me:hunter2@nas/x\"\n", 2),
        ] {
            let wrong = parsed(text).unwrap_err();
            assert_eq!(wrong.line, line, "{text}: {wrong:?}");
            assert!(!wrong.reason.is_empty() && !wrong.reason.contains("hunter2"), "{text}: {wrong:?}");
        }
    }
}
