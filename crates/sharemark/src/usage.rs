//! What is wrong with what was typed, in the user's words.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use sharemark_model::without_password;
use sharemark_report::{Words, quote};

use crate::console::Console;
use crate::exit::{Exit, Problem};

/// Answers a command line that the grammar did not take: with help, the version, or what is wrong.
pub(crate) fn answer(error: &clap::Error, arguments: &[OsString], console: &Console) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let text = error.render();
        let text = if console.style().colour { text.ansi().to_string() } else { text.to_string() };
        return match console.result(&text) {
            Ok(()) => Exit::Done,
            Err(problem) => problem.exit,
        };
    }
    let typed = arguments.get(1).map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let known = ["run", "demo", "history", "show", "compare", "target", "clean", "schema"];
    let known = known.contains(&typed.as_str());
    let command = if known { format!("sharemark {typed} --help") } else { "sharemark --help".to_owned() };
    let problem =
        Problem { hint: Some(command), ..Problem::usage(words_for(error, arguments, console.words())) };
    console.problem(&problem);
    problem.exit
}

fn words_for(error: &clap::Error, arguments: &[OsString], words: &Words) -> String {
    // What was typed goes back to a terminal, or into the log of a script: a password in an address does not.
    let first = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(without_password(text)),
        Some(ContextValue::Strings(texts)) => texts.first().map(|text| without_password(text)),
        _ => None,
    };
    let option = || option_name(&first(ContextKind::InvalidArg).unwrap_or_default());
    let value = || first(ContextKind::InvalidValue).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let option = first(ContextKind::InvalidArg).unwrap_or_default();
            if !option.starts_with('-') {
                return words.format("cli-error-unexpected-argument", &[("argument", option.into())]);
            }
            match first(ContextKind::SuggestedArg) {
                Some(similar) => words.format(
                    "cli-error-unknown-option-similar",
                    &[("option", option.into()), ("similar", option_name(&similar).into())],
                ),
                None => words.format("cli-error-unknown-option", &[("option", option.into())]),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let command = first(ContextKind::InvalidSubcommand).unwrap_or_default();
            unknown_command(&command, first(ContextKind::SuggestedSubcommand), words)
        }
        ErrorKind::InvalidValue if value().is_empty() => {
            words.format("cli-error-missing-value", &[("option", option().into())])
        }
        ErrorKind::WrongNumberOfValues | ErrorKind::TooFewValues => {
            words.format("cli-error-missing-value", &[("option", option().into())])
        }
        ErrorKind::TooManyValues => words
            .format("cli-error-unexpected-value", &[("option", option().into()), ("value", value().into())]),
        ErrorKind::ArgumentConflict => {
            let (one, other) = (option(), option_name(&first(ContextKind::PriorArg).unwrap_or_default()));
            if one == other || other.is_empty() {
                return words.format("cli-error-repeated-option", &[("option", one.into())]);
            }
            words.format("cli-error-conflict", &[("first", one.into()), ("second", other.into())])
        }
        ErrorKind::InvalidUtf8 => {
            let argument = arguments.iter().find(|word| word.to_str().is_none());
            let shown = argument.map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
            words.format("cli-error-not-unicode", &[("argument", shown.into())])
        }
        _ if arguments.get(1).is_some_and(|command| command == "target") => {
            words.text("cli-target-missing-argument")
        }
        _ if arguments.get(1).is_some_and(|word| word == "compare") => words.text("cli-error-missing-report"),
        // The only other thing that must be there is a target.
        _ => words.text("cli-error-missing-target"),
    }
}

/// A folder in place of a command is what many will type first.
fn unknown_command(command: &str, similar: Option<String>, words: &Words) -> String {
    if command.contains(['/', '\\', ':']) || command.starts_with('.') {
        let suggestion = quote::run_command(command);
        let values = [("command", command.into()), ("suggestion", suggestion.into())];
        return words.format("cli-error-unknown-command-folder", &values);
    }
    match similar {
        Some(similar) => words.format(
            "cli-error-unknown-command-similar",
            &[("command", command.into()), ("similar", similar.into())],
        ),
        None => words.format("cli-error-unknown-command", &[("command", command.into())]),
    }
}

/// A value that an option does not take, and why.
pub(crate) fn invalid(option: &str, value: &str, reason: &str, words: &Words) -> String {
    let values =
        [("option", option.into()), ("value", without_password(value).into()), ("reason", reason.into())];
    words.format("cli-error-invalid-value", &values)
}

/// `--size` of `--size <SIZE>`.
fn option_name(shown: &str) -> String {
    shown.split([' ', '=', '<']).next().unwrap_or_default().to_owned()
}
