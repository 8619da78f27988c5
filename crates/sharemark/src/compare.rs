//! `sharemark compare`: two reports against each other, or the targets of one.

use clap::ArgMatches;
use sharemark_model::{Report, ReportComparison, SCHEMA_VERSION};
use sharemark_report::{Words, text};
use sharemark_stats::{compare as compare_targets, compare_reports};

use crate::console::Console;
use crate::exit::{Exit, Problem};
use crate::history;
use crate::outputs::Beside;

/// Compares the reports named; with one, shows how its targets compared. What cannot be compared is said, and the
/// program ends as after a result that was refused.
///
/// # Errors
/// When there is no such report, one report has a single target, or the result cannot be written.
pub(crate) fn compare(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    let (id, other) = (matches.get_one::<String>("id"), matches.get_one::<String>("other"));
    let beside = Beside::new(matches, words)?;
    let history = history::existing(matches, words)?;
    let history = history.ok_or_else(|| Problem::failed(words.text("cli-error-no-reports")))?;
    let load = |id: &str| history::load(&history, id).map_err(|error| history::problem(&error, words));
    match (id, other) {
        (Some(id), None) => within(&load(id)?, &beside, console),
        (Some(a), Some(b)) => between(&load(a)?, &load(b)?, &beside, console),
        // The grammar asks for the first.
        (None, _) => Err(Problem::usage(words.text("cli-error-missing-report"))),
    }
}

fn between(a: &Report, b: &Report, beside: &Beside, console: &Console) -> Result<Exit, Problem> {
    let compared = compare_reports(a, b);
    beside.write(&compared, |style| text::report_comparison(&compared, console.words(), style), console)?;
    Ok(exit_of(&compared))
}

/// Refused, when something could not be compared.
pub(crate) fn exit_of(compared: &ReportComparison) -> Exit {
    let refused = compared.differences.iter().any(sharemark_model::Difference::forbids);
    if refused || compared.comparisons.is_empty() { Exit::Partial } else { Exit::Done }
}

fn within(report: &Report, beside: &Beside, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    if report.plan.targets.len() < 2 {
        return Err(Problem::usage(single(report, words)));
    }
    // A run that was killed has no comparisons of its own, and one of an earlier version neither.
    let report = Report {
        comparisons: compare_targets(&report.plan, &report.samples, &report.summary),
        ..report.clone()
    };
    let compared = ReportComparison {
        schema: SCHEMA_VERSION,
        a: report.id.clone(),
        b: report.id.clone(),
        differences: Vec::new(),
        comparisons: report.comparisons.clone(),
    };
    let told = |style: &_| match text::comparisons(&report, words, style) {
        text if text.is_empty() => words.text("cli-compare-nothing") + "\n",
        text => text,
    };
    beside.write(&compared, told, console)?;
    Ok(exit_of(&compared))
}

fn single(report: &Report, words: &Words) -> String {
    words.format("cli-error-compare-single", &[("id", (&report.id).into())])
}
