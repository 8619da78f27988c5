//! In what two reports differ.

use sharemark_model::{Difference, Nanoseconds, Workload};

use crate::{Value, Words, number, warning};

pub(super) fn text(difference: &Difference, words: &Words) -> String {
    let both = |id: &str, a: String, b: String| words.format(id, &[("a", a.into()), ("b", b.into())]);
    let span = |time: &Nanoseconds| number::span(*time, words);
    let limit =
        |time: &Option<Nanoseconds>| time.as_ref().map_or_else(|| words.text("difference-no-limit"), span);
    let at = |id: &str, target: &str, workload: Workload, a: &str, b: &str| {
        let workload = warning::workload(workload, words);
        let values: [(&str, Value<'_>); 4] =
            [("target", target.into()), ("workload", workload.into()), ("a", a.into()), ("b", b.into())];
        words.format(id, &values)
    };
    match difference {
        Difference::Size { a, b } => {
            both("difference-size", number::chosen_size(*a), number::chosen_size(*b))
        }
        Difference::TimeLimit { a, b } => both("difference-time-limit", limit(a), limit(b)),
        Difference::Block { a, b } => {
            both("difference-block", number::chosen_size(*a), number::chosen_size(*b))
        }
        Difference::Depth { a, b } => both("difference-depth", a.to_string(), b.to_string()),
        Difference::Durability { a, b } => {
            both("difference-durability", a.name().to_owned(), b.name().to_owned())
        }
        Difference::ReadCache { a, b } => {
            both("difference-read-cache", a.name().to_owned(), b.name().to_owned())
        }
        Difference::Data { a, b } => both("difference-data", a.to_string(), b.to_string()),
        Difference::WriteMode { target, workload, a, b } => {
            at("difference-mode", target, *workload, a.name(), b.name())
        }
        Difference::ReadMode { target, workload, a, b } => {
            at("difference-mode", target, *workload, a.name(), b.name())
        }
        Difference::Workloads { a, b } => {
            let list = |all: &[Workload]| words.list(all.iter().map(|one| warning::workload(*one, words)));
            both("difference-workloads", list(a), list(b))
        }
        Difference::Targets { a, b } => {
            let list = |labels: &[String]| words.list(labels.iter().cloned());
            both("difference-targets", list(a), list(b))
        }
        Difference::Unmeasured { target, workload } => {
            let workload = warning::workload(*workload, words);
            let values = [("target", target.into()), ("workload", workload.into())];
            words.format("difference-unmeasured", &values)
        }
        Difference::Location { target, a, b } => words
            .format("difference-location", &[("target", target.into()), ("a", a.into()), ("b", b.into())]),
        Difference::Files { a, b } => both("difference-files", a.to_string(), b.to_string()),
        Difference::FileMix { a, b } => both("difference-mix", a.name().to_owned(), b.name().to_owned()),
        Difference::Settle { a, b } => both("difference-settle", span(a), span(b)),
        Difference::Pause { a, b } => both("difference-pause", span(a), span(b)),
        Difference::Connections { .. } => words.text("difference-connections"),
        Difference::Host { a, b } => both("difference-host", a.clone(), b.clone()),
        Difference::Version { a, b } => both("difference-version", a.clone(), b.clone()),
    }
}
