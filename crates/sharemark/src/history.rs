//! `sharemark history` and `sharemark show`.

use clap::ArgMatches;
use sharemark_model::{Failure, Report, without_password};
use sharemark_report::{Words, failure, listing};
use sharemark_store::{BlockingHistory, Cause, HistoryError};

use crate::console::Console;
use crate::exit::{Exit, Problem};
use crate::outputs::Outputs;
use crate::paths;

/// Lists runs, the newest first.
///
/// # Errors
/// When the history cannot be read.
pub(crate) fn list(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    let limit = match matches.get_one::<String>("limit") {
        Some(text) => text.parse().map_err(|_| {
            let reason = words.text("cli-error-not-a-count");
            Problem::usage(crate::usage::invalid("--limit", text, &reason, words))
        })?,
        None => 20,
    };
    let mut entries = Vec::new();
    if let Some(history) = existing(matches, words)? {
        entries = history.list(limit).map_err(|error| problem(&error, words))?;
        for entry in entries.iter_mut().filter(|entry| entry.summary.is_empty()) {
            // A run that was killed has samples and no summary.
            if let Ok(report) = history.load(&entry.id) {
                entry.summary = sharemark_stats::summarise(&report.plan, &report.samples);
            }
        }
    }
    let to_local = |time: jiff::Timestamp| {
        time.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
    };
    console.result(&listing::history(&entries, words, &console.style(), &to_local))?;
    Ok(Exit::Done)
}

/// Shows a run's report again: the one named, else the latest.
///
/// # Errors
/// When there is no such run, or the history cannot be read.
pub(crate) fn show(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    let outputs = Outputs::new(matches, words)?;
    let none = || Problem::failed(words.text("cli-error-no-reports"));
    let history = existing(matches, words)?.ok_or_else(none)?;
    let id = match matches.get_one::<String>("id") {
        Some(id) => id.clone(),
        None => {
            let latest = history.list(1).map_err(|error| problem(&error, words))?;
            latest.into_iter().next().ok_or_else(none)?.id
        }
    };
    let report = load(&history, &id).map_err(|error| problem(&error, words))?;
    outputs.write(&report, true, console)?;
    Ok(Exit::Done)
}

/// The run of this identifier, or whose identifier begins so; one that was killed with the summaries it did not come to.
///
/// # Errors
/// When there is no such run, or the history cannot be read.
pub(crate) fn load(history: &BlockingHistory, id: &str) -> Result<Report, HistoryError> {
    let mut report = history.load(id)?;
    finish_killed(&mut report);
    Ok(report)
}

/// What a run that was killed had measured is worth a summary.
fn finish_killed(report: &mut Report) {
    if report.finished.is_none() {
        report.summary = sharemark_stats::summarise(&report.plan, &report.samples);
        report.comparisons = sharemark_stats::compare(&report.plan, &report.samples, &report.summary);
    }
}

/// The history, if there is one.
///
/// # Errors
/// When it cannot be opened.
pub(crate) fn existing(matches: &ArgMatches, words: &Words) -> Result<Option<BlockingHistory>, Problem> {
    let Some(path) = paths::history(matches, words)? else { return Ok(None) };
    match BlockingHistory::open_existing(&path) {
        Ok(history) => Ok(Some(history)),
        Err(error) if error.cause() == Some(Cause::Missing) => Ok(None),
        Err(error) => Err(problem(&error, words)),
    }
}

/// A failure of the history in the user's words.
pub(crate) fn problem(error: &HistoryError, words: &Words) -> Problem {
    Problem::failed(match error {
        HistoryError::UnknownRun { id, .. } => {
            words.format("cli-error-no-such-report", &[("id", without_password(id).into())])
        }
        HistoryError::Ambiguous { prefix, candidates, .. } => words.format(
            "cli-error-ambiguous-report",
            &[("id", prefix.into()), ("matches", candidates.join(", ").into())],
        ),
        HistoryError::Unreadable { id, source, .. } => words
            .format("cli-error-report-damaged", &[("id", id.into()), ("system", source.to_string().into())]),
        other => failure::text(&Failure::from(other), words),
    })
}
