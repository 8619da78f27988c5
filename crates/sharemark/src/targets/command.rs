//! `sharemark target`: names for locations.

use std::path::Path;

use clap::ArgMatches;
use sharemark_model::{Address, Location, SmbDialect, SmbSigning, without_password};
use sharemark_report::{Words, usage as reasons};

use super::edit::{self, Setting};
use super::{Saved, SavedTargets};
use crate::access::keyring::{self, KeyringError};
use crate::access::{self, Account, prompt, wishes};
use crate::console::Console;
use crate::exit::{Exit, Problem};
use crate::plan::Typed;
use crate::usage::invalid;

/// `sharemark target add`, `list` or `remove`; without any of them, the list.
///
/// # Errors
/// When the arguments are wrong, or the file of targets or the keyring cannot be used.
pub(crate) fn run(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let saved = SavedTargets::read(console.words())?;
    saved.tell_unknown(console);
    match matches.subcommand() {
        Some(("add", matches)) => add(matches, &saved, console)?,
        Some(("remove", matches)) => remove(matches, &saved, console)?,
        _ => list(&saved, console)?,
    }
    Ok(Exit::Done)
}

fn list(saved: &SavedTargets, console: &Console) -> Result<(), Problem> {
    let words = console.words();
    if saved.targets.is_empty() {
        return console.result(&(words.text("cli-target-none") + "\n"));
    }
    let mut text = String::new();
    for target in &saved.targets {
        let name = || (&target.name).into();
        let location = || target.location.to_string().into();
        text.push_str(&match &target.account {
            Some(user) => words.format(
                "cli-target-listed-user",
                &[("name", name()), ("location", location()), ("user", user.to_string().into())],
            ),
            None => words.format("cli-target-listed", &[("name", name()), ("location", location())]),
        });
        text.push('\n');
    }
    console.result(&text)
}

fn add(matches: &ArgMatches, saved: &SavedTargets, console: &Console) -> Result<(), Problem> {
    let words = console.words();
    let typed = Typed { matches, words };
    let name = text(matches, "name");
    if !Saved::is_name(name) {
        return Err(Problem::usage(invalid("NAME", name, &words.text("cli-target-name-form"), words)));
    }
    if saved.get(name).is_some() && !matches.get_flag("force") {
        let values = [("name", name.into()), ("force", "--force".into())];
        return Err(Problem::usage(words.format("cli-target-exists", &values)));
    }
    let location = location(text(matches, "location"), words)?;
    let address = access::typed_share(&location, words)?;
    let account = match matches.get_one::<String>("user") {
        Some(text) => Some(access::account(text, words)?),
        None => None,
    };
    let credentials = typed.file("credentials")?;
    if let Some(path) = &credentials {
        access::check_credentials(Path::new(path), words)?;
    }
    let wishes = wishes::wishes(&typed)?;
    let mut values = vec![("location", Setting::Text(location.to_string()))];
    let mut put = |key, value: Option<String>| values.extend(value.map(|text| (key, Setting::Text(text))));
    put("user", account.as_ref().map(ToString::to_string));
    put("credentials", credentials);
    put("key", typed.file("key")?);
    put("smb_dialect", wishes.smb_dialect.map(|dialect| SmbDialect::name(dialect).to_owned()));
    put("smb_signing", wishes.smb_signing.map(|signing| SmbSigning::name(signing).to_owned()));
    put("ca_file", wishes.ca_file);
    put("known_hosts", wishes.known_hosts);
    if typed.count("connections")?.is_some() {
        values.push(("connections", Setting::Count(wishes.connections)));
    }
    // The password first: a target that was announced with one does not come without it.
    if matches.get_flag("save-password") {
        let address = address.map(|typed| {
            let in_url = typed.user.map(|user| Account { domain: typed.domain, user });
            (in_url.or(account), typed.address)
        });
        save_password(address, console)?;
    }
    edit::put(&saved.path, name, &values).map_err(|error| not_written(&saved.path, &error, words))?;
    let values = [("name", name.into()), ("command", format!("sharemark run {name}").into())];
    console.say(&words.format("cli-target-added", &values));
    Ok(())
}

/// What the location is; a folder by its whole path, so that it is the same from everywhere.
fn location(typed: &str, words: &Words) -> Result<Location, Problem> {
    let wrong = |reason: &str| Problem::usage(invalid("LOCATION", typed, reason, words));
    let location: Location = typed.parse().map_err(|error| wrong(&reasons::location(&error, words)))?;
    match &location {
        Location::Url { .. } => {
            let share = Address::of(&location).map_err(|error| wrong(&reasons::address(error, words)))?;
            let holds_password = share.is_some_and(|share| share.password.is_some());
            if holds_password || without_password(typed) != typed {
                return Err(Problem::usage(words.text("cli-target-password-refused")));
            }
            Ok(location)
        }
        Location::Folder(path) => {
            let path = std::path::absolute(path).map_err(|error| wrong(&error.to_string()))?;
            let path = path.to_str().ok_or_else(|| wrong(&words.text("cli-error-not-text")))?;
            Ok(Location::Folder(path.to_owned()))
        }
    }
}

fn save_password(share: Option<(Option<Account>, Address)>, console: &Console) -> Result<(), Problem> {
    let words = console.words();
    let Some((Some(account), address)) = share else {
        return Err(Problem::usage(words.text("cli-target-save-needs-user")));
    };
    let user = account.to_string();
    let question = access::question(Some(&user), &address.host, words);
    let password = prompt::ask_or_read(&question).map_err(|error| {
        let values = [("system", error.to_string().into())];
        Problem::failed(words.format("cli-access-not-asked", &values))
    })?;
    let login = account.at(&address);
    keyring::store(&login, &format!("sharemark: {login}"), &password).map_err(|error| {
        Problem::failed(match error {
            KeyringError::Missing if cfg!(target_os = "linux") => words.text("cli-keyring-missing-linux"),
            KeyringError::Missing => words.text("cli-keyring-missing"),
            KeyringError::System(system) => words.format("cli-keyring-failed", &[("system", system.into())]),
        })
    })?;
    console.say(&words.format("cli-keyring-stored", &[("user", user.into()), ("host", address.host.into())]));
    Ok(())
}

fn remove(matches: &ArgMatches, saved: &SavedTargets, console: &Console) -> Result<(), Problem> {
    let words = console.words();
    let name = text(matches, "name");
    let Some(target) = saved.get(name) else {
        return Err(Problem::failed(match saved.similar(name) {
            Some(similar) => words
                .format("cli-target-unknown-similar", &[("name", name.into()), ("similar", similar.into())]),
            None => words.format("cli-target-unknown", &[("name", name.into())]),
        }));
    };
    edit::remove(&saved.path, name).map_err(|error| not_written(&saved.path, &error, words))?;
    // Another target may log in with the same password.
    if let Some(login) = login(target)
        && !saved
            .targets
            .iter()
            .any(|other| other.name != name && self::login(other).as_ref() == Some(&login))
        && let Err(KeyringError::System(system)) = keyring::remove(&login)
    {
        let text = words.format("cli-keyring-not-removed", &[("system", system.into())]);
        console.say(&words.format("cli-warning", &[("text", text.into())]));
    }
    console.say(&words.format("cli-target-removed", &[("name", name.into())]));
    Ok(())
}

/// The name under which a target's password is kept, if it can have one.
fn login(target: &Saved) -> Option<String> {
    let typed = Address::of(&target.location).ok()??;
    let in_url = typed.user.map(|user| Account { domain: typed.domain, user });
    let account = in_url.or_else(|| target.account.clone())?;
    let domain = account.domain.or_else(|| target.domain.clone());
    Some(Account { domain, ..account }.at(&typed.address))
}

fn text<'a>(matches: &'a ArgMatches, id: &str) -> &'a str {
    matches.get_one::<String>(id).map_or("", String::as_str)
}

fn not_written(path: &Path, error: &std::io::Error, words: &Words) -> Problem {
    let values = [("path", path.display().to_string().into()), ("system", error.to_string().into())];
    Problem::failed(words.format("cli-error-output", &values))
}
