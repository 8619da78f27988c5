//! The words: one Fluent bundle a language, made of the files embedded from `locales/`.

mod catalogue;
mod check;
mod language;

use std::borrow::Cow;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

pub use self::catalogue::messages;
pub use self::check::{UnknownWord, check_source};
pub use self::language::Language;
use crate::layout;

/// Every word sharemark can say in one language.
///
/// A message that does not exist is answered with its identifier: tests make sure that no such identifier is used, and
/// a result is worth more than a panic.
pub struct Words {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

/// What is put in for a variable of a message. A number with a fraction is formatted before (see [`crate::number`]),
/// so that it looks the same wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text, shown with its control characters made visible.
    Text(Cow<'a, str>),
    /// A count, by which a message may choose between singular and plural.
    Count(u64),
}

impl Words {
    /// The words of `language`.
    #[must_use]
    pub fn new(language: Language) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.tag().parse().unwrap_or_default()]);
        // The marks isolate right-to-left text, which neither language has, and would count as columns in a table.
        bundle.set_use_isolating(false);
        for source in catalogue::sources(language) {
            // A file with an error still yields its sound messages; a test refuses such files.
            let resource = match FluentResource::try_new((*source).to_owned()) {
                Ok(resource) | Err((resource, _)) => resource,
            };
            bundle.add_resource_overriding(resource);
        }
        Self { language, bundle }
    }

    /// The language of these words.
    #[must_use]
    pub const fn language(&self) -> Language {
        self.language
    }

    /// The message `id`, which has no variables.
    #[must_use]
    pub fn text(&self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The items as a list within a sentence: `a, b`; empty for none.
    #[must_use]
    pub fn list(&self, items: impl IntoIterator<Item = String>) -> String {
        let join = |before: String, after: String| {
            self.format("unit-comma", &[("before", before.into()), ("after", after.into())])
        };
        items.into_iter().reduce(join).unwrap_or_default()
    }

    /// The message `id` with its variables put in.
    #[must_use]
    pub fn format(&self, id: &str, arguments: &[(&str, Value<'_>)]) -> String {
        let pattern = self.bundle.get_message(id).and_then(|message| message.value());
        debug_assert!(pattern.is_some(), "no message `{id}`");
        let Some(pattern) = pattern else {
            return id.to_owned();
        };
        let mut values = FluentArgs::with_capacity(arguments.len());
        for (name, value) in arguments {
            values.set(
                *name,
                match value {
                    Value::Text(text) => FluentValue::from(layout::printable(text)),
                    Value::Count(count) => FluentValue::from(*count),
                },
            );
        }
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&values), &mut errors);
        debug_assert!(errors.is_empty(), "message `{id}`: {errors:?}");
        text.into_owned()
    }
}

// The web page and the terminal share one set of words.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Words>();
};

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<u32> for Value<'_> {
    fn from(count: u32) -> Self {
        Self::Count(u64::from(count))
    }
}

impl From<u64> for Value<'_> {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Value<'_> {
    fn from(count: usize) -> Self {
        Self::Count(u64::try_from(count).unwrap_or(u64::MAX))
    }
}
