//! A warning in words: what is the matter, and what to do about it.

use sharemark_model::{Action, FilesAction, Rate, RepeatReason, TrendDirection, Warning, Workload};

use crate::{Words, failure, number};

/// A warning in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningText {
    /// What is the matter, in a sentence.
    pub what: String,
    /// What to do about it, in a sentence or two.
    pub advice: String,
}

/// The words of a warning.
#[must_use]
pub fn text(warning: &Warning, words: &Words) -> WarningText {
    WarningText { what: what(warning, words), advice: advice(warning, words) }
}

/// The workload as it stands in a table, where it has a block and depth of its own: `rand-read:4KiB:q32`; else in a plain
/// word, `write`.
pub(crate) fn workload(workload: Workload, words: &Words) -> String {
    match (workload.shape, workload.action) {
        (Some(_), Action::Files(_)) | (None, _) => in_words(workload, words),
        (Some(_), _) => workload.to_string(),
    }
}

/// The workload in plain words: `write`, `random read (4 KiB, 32 at once)`.
pub(crate) fn in_words(workload: Workload, words: &Words) -> String {
    let name = match workload.action {
        Action::SeqWrite => words.text("workload-seq-write"),
        Action::SeqRead => words.text("workload-seq-read"),
        Action::RandRead => words.text("workload-rand-read"),
        Action::RandWrite => words.text("workload-rand-write"),
        Action::Mixed(reads) => words.format("workload-mixed", &[("reads", u32::from(reads).into())]),
        Action::Files(FilesAction::Write) => words.text("workload-files-write"),
        Action::Files(FilesAction::List) => words.text("workload-files-list"),
        Action::Files(FilesAction::Stat) => words.text("workload-files-stat"),
        Action::Files(FilesAction::Read) => words.text("workload-files-read"),
        Action::Files(FilesAction::Delete) => words.text("workload-files-delete"),
    };
    match (workload.shape, workload.action) {
        (Some(shape), Action::Files(_)) if shape.depth == 1 => name,
        (Some(shape), Action::Files(_)) => {
            words.format("workload-depth", &[("name", name.into()), ("depth", shape.depth.into())])
        }
        (Some(shape), _) => words.format(
            "workload-shape",
            &[
                ("name", name.into()),
                ("block", number::chosen_size(shape.block).into()),
                ("depth", shape.depth.into()),
            ],
        ),
        (None, _) => name,
    }
}

fn what(warning: &Warning, words: &Words) -> String {
    let rate = |value| number::rate(value, words);
    let span = |value| number::span(value, words);
    let percent = |value| number::percent(value, words);
    let doing = |value| workload(value, words);
    let measured = |value, of: Workload| number::measured(value, of.quantity(), words);
    match warning {
        Warning::LocalDisk { file_system } => {
            words.format("warning-local-disk", &[("file-system", file_system.into())])
        }
        Warning::MemoryFileSystem { file_system } => {
            words.format("warning-memory", &[("file-system", file_system.into())])
        }
        Warning::FuseCache { file_system } => {
            words.format("warning-fuse-cache", &[("file-system", file_system.into())])
        }
        Warning::CacheNotRuledOut { samples, resident: Some(resident) } => words.format(
            "warning-cache-resident",
            &[("samples", (*samples).into()), ("resident", number::size(*resident).into())],
        ),
        Warning::CacheNotRuledOut { samples, resident: None } => {
            words.format("warning-cache-unknown", &[("samples", (*samples).into())])
        }
        Warning::CacheAllowed { workload } if workload.writes() => words.text("warning-cache-allowed-write"),
        Warning::CacheAllowed { .. } => words.text("warning-cache-allowed-read"),
        Warning::NamesRemembered => words.text("warning-names-remembered"),
        Warning::SizeReduced { asked, used } => words.format(
            "warning-size-reduced",
            &[("asked", number::chosen_size(*asked).into()), ("used", number::chosen_size(*used).into())],
        ),
        Warning::WorkloadUnsupported { workload } => {
            words.format("warning-unsupported", &[("workload", doing(*workload).into())])
        }
        Warning::BlockUnaligned { block, .. } => {
            words.format("warning-block-unaligned", &[("block", number::chosen_size(*block).into())])
        }
        Warning::DirectRefused { workload } => {
            words.format("warning-direct-refused", &[("workload", doing(*workload).into())])
        }
        Warning::DepthReduced { workload, asked, carried } => words.format(
            "warning-depth-reduced",
            &[
                ("workload", doing(*workload).into()),
                ("asked", (*asked).into()),
                ("carried", (*carried).into()),
            ],
        ),
        Warning::FirstRunDiffers { workload, first, others } => words.format(
            "warning-first-run",
            &[
                ("workload", doing(*workload).into()),
                ("first", measured(*first, *workload).into()),
                ("others", measured(*others, *workload).into()),
            ],
        ),
        Warning::Trend { workload, direction, per_round } => {
            let per_round = number::rough_measured(Rate(per_round.0.abs()), workload.quantity(), words);
            trend(*direction, &doing(*workload), &per_round, words)
        }
        Warning::Burst { workload, before, after, at_ns } => {
            let id = if before > after { "warning-burst-slower" } else { "warning-burst-faster" };
            words.format(
                id,
                &[
                    ("workload", doing(*workload).into()),
                    ("before", rate(*before).into()),
                    ("after", rate(*after).into()),
                    ("time", span(*at_ns).into()),
                ],
            )
        }
        Warning::ConfidenceNotReached { workload, reached: Some(reached), wanted } => words.format(
            "warning-confidence",
            &[
                ("workload", doing(*workload).into()),
                ("reached", percent(*reached).into()),
                ("wanted", percent(*wanted).into()),
            ],
        ),
        Warning::ConfidenceNotReached { workload, reached: None, wanted } => words.format(
            "warning-confidence-single",
            &[("workload", doing(*workload).into()), ("wanted", percent(*wanted).into())],
        ),
        Warning::SampleRepeated { workload, round, reason, lost_ns } => {
            let id = match reason {
                RepeatReason::Slept => "warning-repeated-slept",
                RepeatReason::Stopped => "warning-repeated-stopped",
            };
            words.format(
                id,
                &[
                    ("workload", doing(*workload).into()),
                    ("round", (*round).into()),
                    ("lost", span(*lost_ns).into()),
                ],
            )
        }
        Warning::GeneratorBound { workload, share } => words.format(
            "warning-generator",
            &[("workload", doing(*workload).into()), ("share", percent(*share).into())],
        ),
        Warning::LeftBehind { place, reason } => words.format(
            "warning-left-behind",
            &[("place", place.into()), ("reason", failure::matter(*reason, words).into())],
        ),
        Warning::HistoryNotWritten { system } => {
            words.format("warning-history", &[("system", system.trim().into())])
        }
    }
}

fn trend(direction: TrendDirection, doing: &str, per_round: &str, words: &Words) -> String {
    match direction {
        TrendDirection::Rising => words
            .format("warning-trend-rising", &[("workload", doing.into()), ("per-round", per_round.into())]),
        TrendDirection::Falling => words
            .format("warning-trend-falling", &[("workload", doing.into()), ("per-round", per_round.into())]),
        TrendDirection::None => words.format("warning-trend-none", &[("workload", doing.into())]),
    }
}

fn advice(warning: &Warning, words: &Words) -> String {
    let id = match warning {
        Warning::LocalDisk { .. } => "warning-local-disk-advice",
        Warning::MemoryFileSystem { .. } => "warning-memory-advice",
        Warning::FuseCache { .. } => "warning-fuse-cache-advice",
        Warning::CacheNotRuledOut { .. } => "warning-cache-advice",
        Warning::CacheAllowed { workload } if workload.writes() => "warning-cache-allowed-write-advice",
        Warning::CacheAllowed { .. } => "warning-cache-allowed-read-advice",
        Warning::NamesRemembered => "warning-names-remembered-advice",
        Warning::SizeReduced { .. } => "warning-size-reduced-advice",
        Warning::WorkloadUnsupported { .. } => "warning-unsupported-advice",
        Warning::DirectRefused { .. } => "warning-direct-refused-advice",
        Warning::DepthReduced { carried, .. } => {
            return words.format("warning-depth-reduced-advice", &[("carried", (*carried).into())]);
        }
        Warning::FirstRunDiffers { first, others, .. } => return first_run_advice(first < others, words),
        Warning::Trend { direction, .. } => match direction {
            TrendDirection::Rising => "warning-trend-rising-advice",
            TrendDirection::Falling => "warning-trend-falling-advice",
            TrendDirection::None => "warning-trend-none-advice",
        },
        Warning::Burst { before, after, .. } => {
            let id =
                if before > after { "warning-burst-slower-advice" } else { "warning-burst-faster-advice" };
            return words.format(id, &[("after", number::rate(*after, words).into())]);
        }
        Warning::ConfidenceNotReached { .. } => "warning-confidence-advice",
        Warning::SampleRepeated { reason, .. } => match reason {
            RepeatReason::Slept => "warning-repeated-slept-advice",
            RepeatReason::Stopped => "warning-repeated-stopped-advice",
        },
        Warning::GeneratorBound { .. } => "warning-generator-advice",
        Warning::LeftBehind { .. } => "warning-left-behind-advice",
        Warning::HistoryNotWritten { .. } => "warning-history-advice",
        Warning::BlockUnaligned { suggestion, .. } => {
            // As it is typed: without a blank.
            let values = [("suggestion", suggestion.to_string().into())];
            return words.format("warning-block-unaligned-advice", &values);
        }
    };
    words.text(id)
}

/// What to do about a first round that differs.
pub(crate) fn first_run_advice(slow: bool, words: &Words) -> String {
    words.text(if slow { "warning-first-run-slow-advice" } else { "warning-first-run-fast-advice" })
}
