//! What a server said of itself and of the connection, in one line.

use serde_json::Value;
use sharemark_model::{Bytes, Nanoseconds, TargetReport};

use crate::{Words, layout, number};

/// What is shown of the facts, in this order, each with the words around its value. All of them are in the JSON.
const SHOWN: [(&str, &str); 17] = [
    ("address", "connection-plain"),
    ("software", "connection-plain"),
    ("dialect", "connection-dialect"),
    ("version", "connection-version"),
    ("export", "connection-export"),
    ("tls", "connection-tls"),
    ("cipher", "connection-cipher"),
    ("signing", "connection-signing"),
    ("encryption", "connection-encryption"),
    ("login", "connection-login"),
    ("connections", "connection-connections"),
    ("credits", "connection-credits"),
    ("max_read_bytes", "connection-max-read"),
    ("max_write_bytes", "connection-max-write"),
    ("connect_ns", "connection-connect"),
    ("login_ns", "connection-login-time"),
    ("round_trip_ns", "connection-round-trip"),
];

/// The line; `None` for a folder, whose mount is told elsewhere.
pub(super) fn line(target: &TargetReport, words: &Words) -> Option<String> {
    let facts = target.server.as_ref().filter(|_| target.mount.is_none() && target.kind != "mount")?;
    let told = SHOWN.iter().filter_map(|(name, id)| {
        let value = shown(name, facts.get(*name)?, words)?;
        Some(words.format(id, &[("value", value.into())]))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        let facts = words.list(told);
        words.format("evidence-connection", &[("facts", facts.into())])
    })
}

fn shown(name: &str, value: &Value, words: &Words) -> Option<String> {
    match value {
        Value::String(text) => Some(layout::printable(text).into_owned()).filter(|text| !text.is_empty()),
        Value::Number(count) => {
            let count = count.as_u64()?;
            Some(match name {
                name if name.ends_with("_ns") => number::span(Nanoseconds(count), words),
                name if name.ends_with("_bytes") => number::chosen_size(Bytes(count)),
                _ => count.to_string(),
            })
        }
        _ => None,
    }
}
