//! The numbers of a target: a table of its workloads, and the first round where it stands apart.

use sharemark_model::{MeanEstimate, Rate, Report, Summary, TargetReport};

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

pub(super) fn table(page: &mut Page, report: &Report, target: &TargetReport, words: &Words) {
    let rows: Vec<(&str, Option<&Summary>)> = report
        .plan
        .workloads
        .iter()
        .map(|workload| {
            let found = report.summaries_of(&target.label).find(|summary| summary.workload == *workload);
            (workload.name(), found.filter(|summary| summary.n > 0))
        })
        .collect();
    let mut columns = all_columns(&rows, words);
    let mut dispensable = DISPENSABLE.iter();
    let room = page.columns().saturating_sub(INDENT);
    while width(&columns) > room {
        let Some(next) = dispensable.next() else {
            return narrow(page, &rows, words);
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

fn all_columns(rows: &[(&str, Option<&Summary>)], words: &Words) -> Vec<(&'static str, Column)> {
    let column = |id: &'static str, align: Align, cell: &dyn Fn(&Summary) -> String| {
        let cells = rows.iter().map(|(_, summary)| summary.map_or_else(|| NONE.to_owned(), cell)).collect();
        (id, Column::new(words.text(id), align, cells))
    };
    let names = rows.iter().map(|(name, _)| (*name).to_owned()).collect();
    let rounds = rows.iter().map(|(_, summary)| summary.map_or(0, |summary| summary.n).to_string()).collect();
    vec![
        ("text-column-workload", Column::new(words.text("text-column-workload"), Align::Left, names)),
        column("text-column-mean", Align::Point, &|s| significant(s.mean.megabytes())),
        column("text-column-interval", Align::Right, &|s| interval(s, words)),
        column("text-column-mebibytes", Align::Point, &|s| significant(s.mean.mebibytes())),
        column("text-column-megabits", Align::Point, &|s| significant(s.mean.megabits())),
        column("text-column-range", Align::Right, &|s| {
            let decimals = decimals(s.mean.megabytes());
            let shown = |rate: Rate| fixed(rate.megabytes(), decimals);
            number::range(&shown(s.min), &shown(s.max), words)
        }),
        ("text-column-rounds", Column::new(words.text("text-column-rounds"), Align::Right, rounds)),
    ]
}

fn interval(summary: &Summary, words: &Words) -> String {
    summary.ci95.map_or_else(|| NONE.to_owned(), |ci95| number::interval(ci95, summary.mean, words))
}

/// A terminal too narrow for any table gets a sentence a workload.
fn narrow(page: &mut Page, rows: &[(&str, Option<&Summary>)], words: &Words) {
    for (name, summary) in rows {
        let text = match summary {
            None => words.format("text-row-none", &[("workload", (*name).into())]),
            Some(summary) => words.format(
                "text-row-narrow",
                &[
                    ("workload", (*name).into()),
                    ("mean", significant(summary.mean.megabytes()).into()),
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
    let first = number::rate(summary.first_run.value, words);
    let mean = significant(without.mean.megabytes());
    let rounds = rounds(without.n, words);
    match without.ci95 {
        Some(ci95) => words.format(
            "text-first",
            &[
                ("workload", name.into()),
                ("first", first.into()),
                ("mean", mean.into()),
                ("interval", number::interval(ci95, without.mean, words).into()),
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
