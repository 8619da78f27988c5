//! The numbers of a target: a table of its workloads, and the first round where it stands apart.

use sharemark_model::{Bytes, MeanEstimate, Quantity, Rate, Report, Summary, TargetReport};

use super::INDENT;
use crate::Words;
use crate::number::{self, decimals, fixed, significant};
use crate::page::{Ink, Page};
use crate::table::{self, Align, Column};
use crate::warning::{first_run_advice, workload};

/// What stands where there is no number.
const NONE: &str = "-";

/// The columns in the order in which a narrow terminal gives them up.
const DISPENSABLE: [&str; 3] = ["text-column-megabits", "text-column-mebibytes", "text-column-range"];

/// A row: what was done, and its summary if there is one.
type Row<'r> = (String, Option<&'r Summary>);

/// A table of the workloads that move bytes, and one of those whose operations are counted.
pub(super) fn table(page: &mut Page, report: &Report, target: &TargetReport, words: &Words) {
    let mut before = false;
    for quantity in [Quantity::Bytes, Quantity::Operations] {
        let rows: Vec<Row<'_>> = report
            .plan
            .workloads
            .iter()
            .filter(|workload| workload.quantity() == quantity)
            .map(|workload| {
                let found = report.summaries_of(&target.label).find(|summary| summary.workload == *workload);
                (workload.to_string(), found.filter(|summary| summary.n > 0))
            })
            .collect();
        if rows.is_empty() {
            continue;
        }
        if std::mem::replace(&mut before, true) {
            page.gap();
        }
        let columns = match quantity {
            Quantity::Bytes => byte_columns(&rows, words),
            Quantity::Operations => operation_columns(&rows, report, target, words),
        };
        fitted(page, columns, &rows, words);
    }
}

fn fitted(page: &mut Page, mut columns: Vec<(&'static str, Column)>, rows: &[Row<'_>], words: &Words) {
    let mut dispensable = DISPENSABLE.iter();
    let room = page.columns().saturating_sub(INDENT);
    while width(&columns) > room {
        let Some(next) = dispensable.next() else {
            return narrow(page, rows, words);
        };
        columns.retain(|(id, _)| id != next);
    }
    let columns: Vec<Column> = columns.into_iter().map(|(_, column)| column).collect();
    for (number, line) in table::lines(&columns).into_iter().enumerate() {
        page.line(INDENT, &line, if number == 0 { Ink::Faint } else { Ink::Plain });
    }
}

fn width(columns: &[(&'static str, Column)]) -> usize {
    let columns: Vec<Column> = columns.iter().map(|(_, column)| column.clone()).collect();
    table::width(&columns)
}

/// A column of the rows' summaries.
fn column(
    rows: &[Row<'_>],
    id: &'static str,
    align: Align,
    words: &Words,
    cell: &dyn Fn(&Summary) -> String,
) -> (&'static str, Column) {
    let cells = rows.iter().map(|(_, summary)| summary.map_or_else(|| NONE.to_owned(), cell)).collect();
    (id, Column::new(words.text(id), align, cells))
}

fn names(rows: &[Row<'_>], words: &Words) -> (&'static str, Column) {
    let names = rows.iter().map(|(name, _)| name.clone()).collect();
    ("text-column-workload", Column::new(words.text("text-column-workload"), Align::Left, names))
}

fn range(summary: &Summary, words: &Words) -> String {
    let value = |rate| number::in_table(rate, summary.quantity);
    let decimals = decimals(value(summary.mean));
    let shown = |rate: Rate| fixed(value(rate), decimals);
    number::range(&shown(summary.min), &shown(summary.max), words)
}

fn byte_columns(rows: &[Row<'_>], words: &Words) -> Vec<(&'static str, Column)> {
    let column = |id, align, cell: &dyn Fn(&Summary) -> String| column(rows, id, align, words, cell);
    let rounds = rows.iter().map(|(_, summary)| summary.map_or(0, |summary| summary.n).to_string()).collect();
    vec![
        names(rows, words),
        column("text-column-mean", Align::Point, &|s| significant(s.mean.megabytes())),
        column("text-column-interval", Align::Right, &|s| interval(s, words)),
        column("text-column-mebibytes", Align::Point, &|s| significant(s.mean.mebibytes())),
        column("text-column-megabits", Align::Point, &|s| significant(s.mean.megabits())),
        column("text-column-range", Align::Right, &|s| range(s, words)),
        ("text-column-rounds", Column::new(words.text("text-column-rounds"), Align::Right, rounds)),
    ]
}

fn operation_columns(
    rows: &[Row<'_>],
    report: &Report,
    target: &TargetReport,
    words: &Words,
) -> Vec<(&'static str, Column)> {
    let column = |id, align, cell: &dyn Fn(&Summary) -> String| column(rows, id, align, words, cell);
    let moved = |summary: &Summary| {
        let rates: Vec<f64> = report
            .samples
            .iter()
            .filter(|sample| sample.target == target.label && sample.workload == summary.workload)
            .filter(|sample| sample.counts() && sample.bytes > Bytes(0))
            .map(|sample| sample.bytes_per_second.megabytes())
            .collect();
        let count = u32::try_from(rates.len()).ok().filter(|count| *count > 0);
        count.map_or_else(|| NONE.to_owned(), |n| significant(rates.iter().sum::<f64>() / f64::from(n)))
    };
    let rounds = rows.iter().map(|(_, summary)| summary.map_or(0, |summary| summary.n).to_string()).collect();
    vec![
        names(rows, words),
        column("text-column-per-second", Align::Point, &|s| significant(s.mean.0)),
        column("text-column-interval", Align::Right, &|s| interval(s, words)),
        column("text-column-megabytes", Align::Point, &moved),
        column("text-column-range", Align::Right, &|s| range(s, words)),
        ("text-column-rounds", Column::new(words.text("text-column-rounds"), Align::Right, rounds)),
    ]
}

fn interval(summary: &Summary, words: &Words) -> String {
    let shown = |ci95| number::interval(ci95, summary.mean, summary.quantity, words);
    summary.ci95.map_or_else(|| NONE.to_owned(), shown)
}

/// A terminal too narrow for any table gets a sentence a workload.
fn narrow(page: &mut Page, rows: &[Row<'_>], words: &Words) {
    for (name, summary) in rows {
        let text = match summary {
            None => words.format("text-row-none", &[("workload", name.into())]),
            Some(summary) => words.format(
                "text-row-narrow",
                &[
                    ("workload", name.into()),
                    ("mean", number::measured(summary.mean, summary.quantity, words).into()),
                    ("interval", interval(summary, words).into()),
                    ("rounds", rounds(summary.n, words).into()),
                ],
            ),
        };
        page.hanging(INDENT, "", &text, Ink::Plain);
    }
}

fn rounds(count: u32, words: &Words) -> String {
    words.format("unit-rounds", &[("n", count.into())])
}

/// The mean without the first round, where the first round is an outlier.
pub(super) fn first_stands_apart(summary: &Summary) -> Option<MeanEstimate> {
    summary.without_first.filter(|_| summary.first_run.outlier)
}

pub(super) fn first_rounds(page: &mut Page, report: &Report, target: &TargetReport, words: &Words) {
    let apart: Vec<(&Summary, MeanEstimate)> = report
        .summaries_of(&target.label)
        .filter_map(|summary| Some((summary, first_stands_apart(summary)?)))
        .collect();
    if apart.is_empty() {
        return;
    }
    page.gap();
    page.paragraph(INDENT, &words.text("text-first-heading"), Ink::Faint);
    for (summary, without) in apart {
        page.paragraph(INDENT, &first_round(summary, without, words), Ink::Plain);
        let slow = summary.first_run.value < without.mean;
        page.paragraph(INDENT, &first_run_advice(slow, words), Ink::Plain);
    }
}

fn first_round(summary: &Summary, without: MeanEstimate, words: &Words) -> String {
    let name = workload(summary.workload, words);
    let first = number::measured(summary.first_run.value, summary.quantity, words);
    let mean = number::measured(without.mean, summary.quantity, words);
    let rounds = rounds(without.n, words);
    match without.ci95 {
        Some(ci95) => words.format(
            "text-first",
            &[
                ("workload", name.into()),
                ("first", first.into()),
                ("mean", mean.into()),
                ("interval", number::interval(ci95, without.mean, summary.quantity, words).into()),
                ("rounds", rounds.into()),
            ],
        ),
        None => words.format(
            "text-first-single",
            &[
                ("workload", name.into()),
                ("first", first.into()),
                ("mean", mean.into()),
                ("rounds", rounds.into()),
            ],
        ),
    }
}
