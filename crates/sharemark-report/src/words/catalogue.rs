//! The embedded locale files, and what messages and variables they hold.

use std::collections::{BTreeMap, BTreeSet};

use fluent_bundle::FluentResource;
use fluent_syntax::ast;

use super::Language;

/// Every locale file by its name, the same in each language.
macro_rules! files {
    ($language:literal) => {
        files!($language: "units", "text", "comparison", "evidence", "warnings", "failures", "live", "listing", "cli",
            "mistakes", "status", "access", "demo")
    };
    ($language:literal: $($name:literal),+) => {
        &[$(include_str!(concat!("../../locales/", $language, "/", $name, ".ftl"))),+]
    };
}

/// The text of each locale file of `language`.
pub(super) const fn sources(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => files!("en"),
        Language::Japanese => files!("ja"),
    }
}

/// Every message of `language` with the names of its variables, for tests that compare it with what a program uses.
#[must_use]
pub fn messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let mut messages = BTreeMap::new();
    for source in sources(language) {
        let (Ok(resource) | Err((resource, _))) = FluentResource::try_new((*source).to_owned());
        for entry in resource.entries() {
            if let ast::Entry::Message(message) = entry {
                let mut variables = BTreeSet::new();
                if let Some(pattern) = &message.value {
                    in_pattern(pattern, &mut variables);
                }
                messages.insert(message.id.name.to_owned(), variables);
            }
        }
    }
    messages
}

fn in_pattern(pattern: &ast::Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let ast::PatternElement::Placeable { expression } = element {
            in_expression(expression, variables);
        }
    }
}

fn in_expression(expression: &ast::Expression<&str>, variables: &mut BTreeSet<String>) {
    match expression {
        ast::Expression::Inline(inline) => in_inline(inline, variables),
        ast::Expression::Select { selector, variants } => {
            in_inline(selector, variables);
            for variant in variants {
                in_pattern(&variant.value, variables);
            }
        }
    }
}

fn in_inline(inline: &ast::InlineExpression<&str>, variables: &mut BTreeSet<String>) {
    match inline {
        ast::InlineExpression::VariableReference { id } => {
            variables.insert(id.name.to_owned());
        }
        ast::InlineExpression::Placeable { expression } => in_expression(expression, variables),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_sound_and_says_each_message_once() {
        for language in Language::ALL {
            let mut seen = BTreeSet::new();
            for source in sources(language) {
                let resource = FluentResource::try_new((*source).to_owned())
                    .unwrap_or_else(|(_, errors)| panic!("{language:?}: {errors:?}"));
                for entry in resource.entries() {
                    match entry {
                        ast::Entry::Message(message) => {
                            assert!(message.value.is_some(), "{} is empty", message.id.name);
                            assert!(message.attributes.is_empty(), "{}", message.id.name);
                            assert!(seen.insert(message.id.name.to_owned()), "{} twice", message.id.name);
                        }
                        ast::Entry::Comment(_) => {}
                        other => panic!("{language:?}: {other:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn both_languages_have_the_same_messages_with_the_same_variables() {
        let english = messages(Language::English);
        let japanese = messages(Language::Japanese);
        let missing = |of: &BTreeMap<String, BTreeSet<String>>,
                       other: &BTreeMap<String, BTreeSet<String>>| {
            of.keys().filter(|id| !other.contains_key(*id)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(missing(&english, &japanese), Vec::<String>::new(), "only in English");
        assert_eq!(missing(&japanese, &english), Vec::<String>::new(), "only in Japanese");
        for (id, variables) in &english {
            assert_eq!(variables, &japanese[id], "{id}");
        }
    }

    #[test]
    fn japanese_does_not_choose_by_a_plural_it_lacks() {
        for source in sources(Language::Japanese) {
            assert!(!source.contains("[one]"), "Japanese has no singular: use [1]");
        }
    }
}
