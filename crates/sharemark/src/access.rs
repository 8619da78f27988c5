//! From a target to the place a worker can reach: what its name stands for, who asks, and with which secret.

mod account;
mod choice;
mod environment;
mod file;
pub(crate) mod keyring;
pub(crate) mod prompt;
pub(crate) mod wishes;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use sharemark_model::{
    Address, Location, Login, Place, Protocol, Secret, Share, TargetSpec, TypedShare, Wishes,
};
use sharemark_report::{Words, quote, usage as reasons};

pub(crate) use self::account::Account;
use self::choice::{Next, Said, Wanted, choose};
use self::environment::Environment;
use self::file::{Credentials, CredentialsError};
use crate::console::Console;
use crate::exit::Problem;
use crate::plan::Typed;
use crate::targets::{Saved, SavedTargets};
use crate::usage::invalid;

/// Everything that was said about how shares are reached.
pub(crate) struct Access<'a> {
    console: &'a Console,
    guest: bool,
    ask: bool,
    account: Option<Account>,
    key: Option<String>,
    file: Option<Credentials>,
    environment: Environment,
    saved: OnceCell<SavedTargets>,
    /// The saved targets that were named, by the label they have in this run.
    named: RefCell<BTreeMap<String, String>>,
    /// The passwords that were typed, by user and server: nobody is asked twice.
    typed: RefCell<BTreeMap<String, Secret>>,
    warned: Cell<bool>,
}

impl<'a> Access<'a> {
    /// What the options of `run` and `clean` say.
    ///
    /// # Errors
    /// When a value is none, or the credentials file cannot be used.
    pub(crate) fn new(matches: &ArgMatches, console: &'a Console) -> Result<Self, Problem> {
        let words = console.words();
        let typed = Typed { matches, words };
        let account = match matches.get_one::<String>("user") {
            Some(text) => Some(account(text, words)?),
            None => None,
        };
        let file = matches.get_one::<String>("credentials");
        let file = file.map(|path| credentials(Path::new(path), words)).transpose()?;
        Ok(Self {
            console,
            guest: matches.get_flag("guest"),
            ask: matches.get_flag("ask-password"),
            account,
            key: typed.file("key")?,
            file,
            environment: Environment::of_this_process(),
            saved: OnceCell::new(),
            named: RefCell::default(),
            typed: RefCell::default(),
            warned: Cell::new(false),
        })
    }

    /// The target that was meant: one whose location is the name of a saved target stands for that, unless a folder of
    /// that name is here.
    ///
    /// # Errors
    /// When the saved targets cannot be read.
    pub(crate) fn resolved(&self, target: TargetSpec) -> Result<TargetSpec, Problem> {
        let Location::Folder(name) = &target.location else { return Ok(target) };
        if !Saved::is_name(name) {
            return Ok(target);
        }
        let words = self.console.words();
        let saved = self.saved()?;
        let is_here = || Path::new(name).is_dir();
        let Some(found) = saved.get(name) else {
            if let Some(similar) = saved.similar(name).filter(|_| !is_here()) {
                let values = [("name", name.into()), ("similar", similar.into())];
                let text = words.format("cli-target-similar", &values);
                self.console.say(&words.format("cli-hint", &[("text", text.into())]));
            }
            return Ok(target);
        };
        if is_here() {
            let text = words.format("cli-target-folder-taken", &[("name", name.into())]);
            self.console.say(&words.format("cli-warning", &[("text", text.into())]));
            return Ok(target);
        }
        self.named.borrow_mut().insert(target.label.clone(), name.clone());
        Ok(TargetSpec { label: target.label, location: found.location.clone() })
    }

    /// Where each of the targets is, in their order.
    ///
    /// # Errors
    /// When a URL names no share, or a password is missing.
    pub(crate) fn places(&self, targets: &[TargetSpec], wishes: &Wishes) -> Result<Vec<Place>, Problem> {
        let place = |target: &TargetSpec| {
            let named = self.named.borrow().get(&target.label).cloned();
            let saved = match &named {
                Some(name) => self.saved()?.get(name),
                None => None,
            };
            self.place(target, saved, wishes)
        };
        targets.iter().map(place).collect()
    }

    /// Where something was left. Of the saved targets the one at that location tells how to get there.
    ///
    /// # Errors
    /// When the URL names no share, or a password is missing.
    pub(crate) fn place_of(&self, location: &Location, wishes: &Wishes) -> Result<Place, Problem> {
        let saved = match location {
            Location::Url { .. } => self.saved()?.at(location),
            Location::Folder(_) => None,
        };
        let label = saved.map_or_else(|| location.to_string(), |saved| saved.name.clone());
        self.place(&TargetSpec { label, location: location.clone() }, saved, wishes)
    }

    fn place(&self, target: &TargetSpec, saved: Option<&Saved>, wishes: &Wishes) -> Result<Place, Problem> {
        let words = self.console.words();
        let Some(typed) = typed_share(&target.location, words)? else {
            return Ok(Place::Folder(target.location.to_string()));
        };
        if typed.password.is_some() {
            self.warn();
        }
        let own = saved.and_then(|saved| saved.credentials.as_deref());
        let own = own.map(|path| credentials(path, words)).transpose()?;
        let files: Vec<&Credentials> = own.iter().chain(&self.file).collect();
        let TypedShare { address, user, domain, password } = typed;
        let wanted = Wanted {
            label: &target.label,
            protocol: address.protocol,
            in_url: user.map(|user| Account { domain, user }),
            password,
            saved: saved.and_then(|saved| saved.account.clone()),
            saved_domain: saved.and_then(|saved| saved.domain.clone()),
        };
        let said = Said {
            guest: self.guest,
            ask: self.ask,
            account: self.account.as_ref(),
            files: &files,
            environment: &self.environment,
        };
        let choice = choose(wanted, &said);
        let password = match choice.password {
            Some(password) => Some(password),
            None => self.looked_for(choice.next, choice.account.as_ref(), &address)?,
        };
        let key = saved.and_then(|saved| saved.key.clone()).or_else(|| self.key.clone());
        let (user, domain) =
            choice.account.map_or((None, None), |account| (Some(account.user), account.domain));
        let login = Login { user, domain, password, key: key.filter(|_| address.protocol == Protocol::Sftp) };
        let wishes = saved.map_or_else(|| wishes.clone(), |saved| saved.wishes(wishes));
        Ok(Place::Share(Box::new(Share { address, login, wishes })))
    }

    /// The password that nothing told yet.
    fn looked_for(
        &self,
        next: Next,
        account: Option<&Account>,
        address: &Address,
    ) -> Result<Option<Secret>, Problem> {
        let words = self.console.words();
        let login = account.map(|account| account.at(address));
        if matches!(next, Next::Keyring | Next::KeyringThenAsk)
            && let Some(password) = account.and_then(|account| kept(account, address))
        {
            return Ok(Some(password));
        }
        match next {
            Next::Nothing | Next::Keyring => return Ok(None),
            Next::NoUser => {
                let values = [("place", address.shown.as_str().into())];
                return Err(Problem::usage(words.format("cli-access-no-user", &values)));
            }
            Next::Ask | Next::KeyringThenAsk => {}
        }
        let login = login.unwrap_or_else(|| address.host.clone());
        if let Some(password) = self.typed.borrow().get(&login) {
            return Ok(Some(password.clone()));
        }
        let host = address.host.as_str();
        let user = account.map(ToString::to_string);
        if !prompt::can_ask() {
            return Err(Problem::usage(match user {
                Some(user) => {
                    words.format("cli-access-no-password", &[("user", user.into()), ("host", host.into())])
                }
                None => words.text("cli-access-no-terminal"),
            }));
        }
        let password = prompt::ask(&question(user.as_deref(), host, words)).map_err(|error| {
            let values = [("system", error.to_string().into())];
            Problem::failed(words.format("cli-access-not-asked", &values))
        })?;
        self.typed.borrow_mut().insert(login, password.clone());
        Ok(Some(password))
    }

    fn saved(&self) -> Result<&SavedTargets, Problem> {
        if let Some(saved) = self.saved.get() {
            return Ok(saved);
        }
        let saved = SavedTargets::read(self.console.words())?;
        saved.tell_unknown(self.console);
        Ok(self.saved.get_or_init(|| saved))
    }

    /// A password on the command line is seen by more than this program. Said once.
    fn warn(&self) {
        if !self.warned.replace(true) {
            let words = self.console.words();
            let text = words.text("cli-access-password-in-address");
            self.console.say(&words.format("cli-warning", &[("text", text.into())]));
        }
    }
}

/// What the keyring keeps for a user at a server. A domain that was named elsewhere may not have been known then.
fn kept(account: &Account, address: &Address) -> Option<Secret> {
    keyring::find(&account.at(address)).or_else(|| {
        account.domain.as_ref()?;
        keyring::find(&Account { domain: None, user: account.user.clone() }.at(address))
    })
}

/// The question for a password.
pub(crate) fn question(user: Option<&str>, host: &str, words: &Words) -> String {
    let text = match user {
        Some(user) => words.format("cli-access-question", &[("user", user.into()), ("host", host.into())]),
        None => words.format("cli-access-question-host", &[("host", host.into())]),
    };
    format!("{text} ")
}

/// What a URL says; `None` for a folder.
///
/// # Errors
/// When the URL names no share.
pub(crate) fn typed_share(location: &Location, words: &Words) -> Result<Option<TypedShare>, Problem> {
    Address::of(location).map_err(|error| {
        let reason = reasons::address(error, words);
        Problem::usage(invalid("TARGET", &location.to_string(), &reason, words))
    })
}

/// The user that `--user` names.
///
/// # Errors
/// When it names none.
pub(crate) fn account(text: &str, words: &Words) -> Result<Account, Problem> {
    Account::parse(text)
        .ok_or_else(|| Problem::usage(invalid("--user", text, &words.text("cli-access-user-form"), words)))
}

/// Checks that a credentials file can be used.
///
/// # Errors
/// When it cannot.
pub(crate) fn check_credentials(path: &Path, words: &Words) -> Result<(), Problem> {
    credentials(path, words).map(|_| ())
}

fn credentials(path: &Path, words: &Words) -> Result<Credentials, Problem> {
    let path = &expanded(path);
    file::read(path).map_err(|error| {
        let shown = path.display().to_string();
        let path = || shown.as_str().into();
        Problem::usage(match error {
            CredentialsError::Unreadable(error) => words.format(
                "cli-access-file-unreadable",
                &[("path", path()), ("system", error.to_string().into())],
            ),
            CredentialsError::Open => words.format(
                "cli-access-file-open",
                &[("path", path()), ("command", format!("chmod 600 {}", quote::argument(&shown)).into())],
            ),
            CredentialsError::NotUnicode => words.format("cli-access-file-not-unicode", &[("path", path())]),
            CredentialsError::TooLong => words.format("cli-access-file-too-long", &[("path", path())]),
            CredentialsError::Line(line) => {
                words.format("cli-access-file-line", &[("path", path()), ("line", (line as u64).into())])
            }
        })
    })
}

/// `~/x` as the shell would have made it, in a file where no shell looks.
pub(crate) fn expanded(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}
