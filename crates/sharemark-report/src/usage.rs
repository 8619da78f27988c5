//! What is wrong with a value that was typed, in a sentence that fits after a colon.

use sharemark_model::{AddressError, DataKindError, LocationError, ParseUnitError};

use crate::Words;

/// What is wrong with a size or a time.
#[must_use]
pub fn unit(error: &ParseUnitError, words: &Words) -> String {
    match error {
        ParseUnitError::Empty => words.text("cli-unit-empty"),
        ParseUnitError::NotANumber(text) => words.format("cli-unit-not-a-number", &[("text", text.into())]),
        ParseUnitError::UnknownUnit(text) => words.format("cli-unit-unknown", &[("text", text.into())]),
        ParseUnitError::AmbiguousUnit(text) => words.format("cli-unit-ambiguous", &[("text", text.into())]),
        ParseUnitError::TooLarge(text) => words.format("cli-unit-too-large", &[("text", text.into())]),
        ParseUnitError::NotWhole(text) => words.format("cli-unit-not-whole", &[("text", text.into())]),
    }
}

/// What is wrong with a target.
#[must_use]
pub fn location(error: &LocationError, words: &Words) -> String {
    match error {
        LocationError::Empty => words.text("cli-location-empty"),
        LocationError::UnknownScheme(scheme) => {
            words.format("cli-location-unknown-scheme", &[("scheme", scheme.into())])
        }
        LocationError::Nul => words.text("cli-location-nul"),
    }
}

/// What is wrong with a share's URL.
#[must_use]
pub fn address(error: AddressError, words: &Words) -> String {
    words.text(match error {
        AddressError::Malformed => "cli-address-malformed",
        AddressError::Fragment => "cli-address-fragment",
        AddressError::NoHost => "cli-address-no-host",
        AddressError::Path => "cli-address-path",
    })
}

/// What is wrong with a workload.
#[must_use]
pub fn workload(text: &str, words: &Words) -> String {
    words.format("cli-workload", &[("text", text.into())])
}

/// What is wrong with a kind of data.
#[must_use]
pub fn data_kind(error: &DataKindError, words: &Words) -> String {
    words.format("cli-data-kind", &[("text", (&error.0).into())])
}
