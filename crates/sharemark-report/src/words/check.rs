//! A check for tests: that the messages a source file asks for exist, with the variables it gives.

use std::fmt;

use super::{Language, messages};

/// A use of words in a source file that no locale file answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownWord {
    /// No message has this identifier.
    Message(String),
    /// The message is called with other variables than it has.
    Variables {
        /// The message.
        id: String,
        /// The variables the source gives.
        given: Vec<String>,
        /// The variables the message has.
        wanted: Vec<String>,
    },
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(id) => write!(f, "no message `{id}`"),
            Self::Variables { id, given, wanted } => {
                write!(f, "message `{id}` has the variables {wanted:?}, given are {given:?}")
            }
        }
    }
}

/// Finds what is wrong with the words a Rust source file uses, for a test of the crate the file belongs to.
///
/// Looked at are calls as `words.text("id")` and `words.format("id", &[("name", ...), ...])` with the identifier
/// written out, and every other string that begins as a message's identifier does (`cli-`, `failure-`, ...).
#[must_use]
pub fn check_source(source: &str) -> Vec<UnknownWord> {
    let known = messages(Language::English);
    let mut unknown = Vec::new();
    for literal in literals(source) {
        let looks_like_a_message = literal.split_once('-').is_some_and(|(first, rest)| {
            !rest.is_empty() && known.keys().any(|id| id.split('-').next() == Some(first))
        });
        if looks_like_a_message && !known.contains_key(literal) {
            unknown.push(UnknownWord::Message(literal.to_owned()));
        }
    }
    for (id, given) in calls(source) {
        let Some(wanted) = known.get(id) else { continue };
        let mut given: Vec<String> = given.into_iter().map(str::to_owned).collect();
        given.sort();
        let wanted: Vec<String> = wanted.iter().cloned().collect();
        if given != wanted {
            let id = id.to_owned();
            unknown.push(UnknownWord::Variables { id, given, wanted });
        }
    }
    unknown
}

/// The string literals that hold nothing but lower-case letters, digits and hyphens.
pub(super) fn literals(source: &str) -> impl Iterator<Item = &str> {
    source.split('"').skip(1).filter(|text| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    })
}

/// The calls of `text` and `format` with a written identifier, and the names of the variables they give.
fn calls(source: &str) -> Vec<(&str, Vec<&str>)> {
    let mut calls = Vec::new();
    for (position, name) in [".text(", ".format("].into_iter().flat_map(|name| source.match_indices(name)) {
        let rest = source[position + name.len()..].trim_start();
        let Some((id, rest)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else {
            continue;
        };
        if name == ".text(" {
            calls.push((id, Vec::new()));
            continue;
        }
        let rest = rest.trim_start().trim_start_matches(',').trim_start();
        // Arguments that are not written out here cannot be checked here.
        if let Some(list) = rest.strip_prefix("&[") {
            calls.push((id, names(list)));
        }
    }
    calls
}

/// The first string of each parenthesis at the outermost level of a list whose opening bracket was passed.
fn names(list: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut depth = 0_u32;
    let mut rest = list;
    while let Some(position) = rest.find(['(', ')', '[', ']', '"']) {
        let (found, after) = (rest.as_bytes()[position], &rest[position + 1..]);
        rest = after;
        match found {
            b'(' | b'[' => {
                depth += 1;
                if depth == 1
                    && let Some(text) = rest.trim_start().strip_prefix('"')
                    && let Some((name, after)) = text.split_once('"')
                {
                    names.push(name);
                    rest = after;
                }
            }
            b')' | b']' => {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            _ => rest = rest.split_once('"').map_or("", |(_, after)| after),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_messages_and_variables_are_found() {
        let sound = r#"words.text("evidence-heading"); words.format( "unit-range", &[("low", a("x").into()), ("high", b[0].into())])"#;
        assert_eq!(check_source(sound), []);
        let unknown = r#"words.text("evidence-nonsense")"#;
        assert_eq!(check_source(unknown), [UnknownWord::Message("evidence-nonsense".into())]);
        let wrong = r#"words.format("unit-range", &[("low", a.into())])"#;
        assert!(matches!(&check_source(wrong)[..], [UnknownWord::Variables { .. }]));
        let missing = r#"words.text("unit-range")"#;
        assert!(matches!(&check_source(missing)[..], [UnknownWord::Variables { .. }]));
    }
}
