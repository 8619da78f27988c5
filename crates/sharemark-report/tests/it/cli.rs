//! The words of the command line.

use sharemark_model::{Bytes, DataKind, Location, parse_duration};
use sharemark_report::{Language, Value, Words, layout, messages, usage};

use crate::all_words;

/// Every message of the command line with its variables shown by their names.
fn cli(words: &Words) -> String {
    let mut shown = String::new();
    for (id, variables) in messages(words.language()) {
        if !id.starts_with("cli-") {
            continue;
        }
        let values: Vec<(&str, Value<'_>)> =
            variables.iter().map(|name| (name.as_str(), Value::from(format!("<{name}>")))).collect();
        let text = words.format(&id, &values);
        shown.push_str(&format!("{id}\n    {text}\n"));
    }
    shown
}

#[test]
fn every_message_of_the_command_line() {
    for (language, tag) in [(Language::English, "en"), (Language::Japanese, "ja")] {
        insta::assert_snapshot!(format!("cli_{tag}"), cli(&Words::new(language)));
    }
}

#[test]
fn mistyped_values_are_explained() {
    let mut shown = String::new();
    for words in all_words() {
        for text in ["", "GB", "1XB", "1M", "99999999TiB", "0.3B"] {
            shown.push_str(&usage::unit(&text.parse::<Bytes>().unwrap_err(), &words));
            shown.push('\n');
        }
        shown.push_str(&usage::unit(&parse_duration("5 moons").unwrap_err(), &words));
        shown.push('\n');
        for text in ["", "http://nas/", "a\0b"] {
            shown.push_str(&usage::location(&text.parse::<Location>().unwrap_err(), &words));
            shown.push('\n');
        }
        shown.push_str(&usage::data_kind(&"compressible=100".parse::<DataKind>().unwrap_err(), &words));
        shown.push('\n');
    }
    insta::assert_snapshot!("usage", shown);
}

#[test]
fn help_texts_are_short_enough_to_scan() {
    for words in all_words() {
        for id in messages(words.language()).into_keys().filter(|id| id.starts_with("cli-option-")) {
            let columns = layout::columns(&words.text(&id));
            assert!(columns <= 160, "{id}: {columns}");
        }
    }
}
