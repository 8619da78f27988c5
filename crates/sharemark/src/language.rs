//! Which language to speak. This is decided before the arguments are read, since their errors are words as well.

use std::ffi::OsString;

use clap::ArgMatches;
use sharemark_report::{Language, Words};

use crate::exit::Problem;
use crate::usage;

/// `--lang` if it is there and known, else the system's language, else English.
pub(crate) fn choose(arguments: &[OsString]) -> Language {
    asked(arguments)
        .or_else(|| sys_locale::get_locales().find_map(|tag| Language::from_tag(&tag)))
        .unwrap_or(Language::English)
}

/// Whether `--lang` names a language there is. It was read before, when nothing could be said about it.
///
/// # Errors
/// When it names none.
pub(crate) fn check(matches: &ArgMatches, words: &Words) -> Result<(), Problem> {
    let Some(tag) = matches.get_one::<String>("lang").filter(|tag| Language::from_tag(tag).is_none()) else {
        return Ok(());
    };
    let tags: Vec<&str> = Language::ALL.iter().map(|language| language.tag()).collect();
    let reason = words.format("cli-error-choice", &[("choices", tags.join(", ").into())]);
    Err(Problem::usage(usage::invalid("--lang", tag, &reason, words)))
}

fn asked(arguments: &[OsString]) -> Option<Language> {
    let mut arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            return None;
        }
        if argument == "--lang" {
            return Language::from_tag(&arguments.next()?);
        }
        if let Some(tag) = argument.strip_prefix("--lang=") {
            return Language::from_tag(tag);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_is_found_wherever_it_stands() {
        let chosen = |text: &str| asked(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(chosen("sharemark run --lang ja /x"), Some(Language::Japanese));
        assert_eq!(chosen("sharemark --lang=en run"), Some(Language::English));
        assert_eq!(chosen("sharemark run -- --lang ja"), None);
        assert_eq!(chosen("sharemark run --lang"), None);
        assert_eq!(chosen("sharemark run --lang tlh"), None);
    }
}
