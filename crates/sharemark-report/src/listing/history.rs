//! The runs of the history.

use sharemark_model::{Action, HistoryEntry};

use crate::layout::printable;
use crate::number::significant;
use crate::page::{Ink, Page};
use crate::table::{self, Align, Column};
use crate::{TextStyle, Words};

/// A row: a target of a run. Only a run's first row names the run.
struct Row {
    id: String,
    when: String,
    target: String,
    write: String,
    read: String,
    state: String,
}

/// The runs as a table, one row a target, in the order given and ending in a line break; `to_local` shows a time as
/// the user's clock does.
#[must_use]
pub fn history(
    entries: &[HistoryEntry],
    words: &Words,
    style: &TextStyle,
    to_local: &dyn Fn(jiff::Timestamp) -> String,
) -> String {
    let mut page = Page::new(*style);
    if entries.is_empty() {
        page.paragraph(0, &words.text("listing-history-empty"), Ink::Plain);
        return page.finish();
    }
    let rows: Vec<Row> = entries.iter().flat_map(|entry| rows(entry, words, to_local)).collect();
    let column = |id: &str, align: Align, cell: &dyn Fn(&Row) -> &str| {
        let cells = rows.iter().map(|row| cell(row).to_owned()).collect();
        Column::new(words.text(id), align, cells)
    };
    let mut columns = vec![
        column("listing-history-id", Align::Left, &|row| &row.id),
        column("listing-history-when", Align::Left, &|row| &row.when),
        column("listing-history-target", Align::Left, &|row| &row.target),
        column("listing-history-write", Align::Point, &|row| &row.write),
        column("listing-history-read", Align::Point, &|row| &row.read),
    ];
    if rows.iter().any(|row| !row.state.is_empty()) {
        columns.push(column("listing-history-state", Align::Left, &|row| &row.state));
    }
    if table::width(&columns) > page.columns() {
        // The identifier holds the run's start as well.
        columns.remove(1);
    }
    for (number, line) in table::lines(&columns).into_iter().enumerate() {
        page.line(0, &line, if number == 0 { Ink::Faint } else { Ink::Plain });
    }
    page.gap();
    if let Some(first) = entries.first() {
        let hint = words.format("listing-history-hint", &[("id", (&first.id).into())]);
        page.paragraph(0, &hint, Ink::Plain);
    }
    page.finish()
}

fn rows(entry: &HistoryEntry, words: &Words, to_local: &dyn Fn(jiff::Timestamp) -> String) -> Vec<Row> {
    let rate = |target: &str, action: Action| {
        entry
            .summary
            .iter()
            .find(|summary| summary.target == target && summary.workload.action == action && summary.n > 0)
            .map_or_else(|| "-".to_owned(), |summary| significant(summary.mean.megabytes()))
    };
    let state = match (entry.finished, entry.partial) {
        (None, _) => words.text("listing-history-unfinished"),
        (Some(_), true) => words.text("listing-history-partial"),
        (Some(_), false) => String::new(),
    };
    let nothing = [String::new()];
    let targets = if entry.targets.is_empty() { &nothing[..] } else { &entry.targets[..] };
    targets
        .iter()
        .enumerate()
        .map(|(number, target)| {
            let first = |text: &str| {
                if number == 0 { text.to_owned() } else { String::new() }
            };
            Row {
                id: first(&printable(&entry.id)),
                when: first(&printable(&to_local(entry.started))),
                target: printable(target).into_owned(),
                write: rate(target, Action::SeqWrite),
                read: rate(target, Action::SeqRead),
                state: first(&state),
            }
        })
        .collect()
}
