//! How long single operations take, for workloads whose operations people ask for: random blocks and small files.

use sharemark_model::{Action, Latency, Nanoseconds, Report, Sample, TargetReport, Workload};

use super::INDENT;
use crate::Words;
use crate::number::significant;
use crate::page::{Ink, Page};
use crate::table::{self, Align, Column};

/// A table of operations a second and of the times within which a part of the operations was done, each the median of the
/// rounds; the longest is that of all. Nothing for a plan that only streams.
pub(super) fn table(page: &mut Page, report: &Report, target: &TargetReport, words: &Words) {
    let streams = |workload: &Workload| matches!(workload.action, Action::SeqWrite | Action::SeqRead);
    if report.plan.workloads.iter().all(streams) {
        return;
    }
    let rows: Vec<Row> = report
        .plan
        .workloads
        .iter()
        .filter_map(|workload| {
            let samples = report.samples.iter().filter(|sample| {
                sample.target == target.label && sample.workload == *workload && sample.counts()
            });
            row(*workload, &samples.collect::<Vec<_>>())
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let milliseconds = |id: &str, cell: &dyn Fn(&Row) -> Nanoseconds| {
        let cells = rows.iter().map(|row| significant(cell(row).as_secs_f64() * 1e3)).collect();
        Column::new(words.text(id), Align::Point, cells)
    };
    let columns = [
        Column::new(
            words.text("text-column-workload"),
            Align::Left,
            rows.iter().map(|row| row.workload.to_string()).collect(),
        ),
        Column::new(
            words.text("text-column-operations"),
            Align::Point,
            rows.iter().map(|row| significant(row.per_second)).collect(),
        ),
        milliseconds("text-column-p50", &|row| row.latency.p50),
        milliseconds("text-column-p90", &|row| row.latency.p90),
        milliseconds("text-column-p99", &|row| row.latency.p99),
        milliseconds("text-column-max", &|row| row.latency.max),
    ];
    page.gap();
    if table::width(&columns) > page.columns().saturating_sub(INDENT) {
        for row in &rows {
            let span = |time: Nanoseconds| crate::number::span(time, words);
            let text = words.format(
                "text-latency-narrow",
                &[
                    ("workload", row.workload.to_string().into()),
                    ("p50", span(row.latency.p50).into()),
                    ("p99", span(row.latency.p99).into()),
                ],
            );
            page.hanging(INDENT, "", &text, Ink::Plain);
        }
        return;
    }
    for (number, line) in table::lines(&columns).into_iter().enumerate() {
        page.line(INDENT, &line, if number == 0 { Ink::Faint } else { Ink::Plain });
    }
}

struct Row {
    workload: Workload,
    per_second: f64,
    latency: Latency,
}

fn row(workload: Workload, samples: &[&Sample]) -> Option<Row> {
    let latencies: Vec<Latency> = samples.iter().filter_map(|sample| sample.latency_ns).collect();
    let median_of = |pick: fn(&Latency) -> Nanoseconds| {
        let mut values: Vec<Nanoseconds> = latencies.iter().map(pick).collect();
        values.sort_unstable();
        middle(&values).map(|(low, high)| Nanoseconds(low.0.midpoint(high.0)))
    };
    let mut rates: Vec<f64> = samples.iter().map(|sample| sample.operations_per_second.0).collect();
    rates.sort_by(f64::total_cmp);
    let per_second = middle(&rates).map(|(low, high)| low.midpoint(high));
    Some(Row {
        workload,
        per_second: per_second.filter(|rate| *rate > 0.0)?,
        latency: Latency {
            p50: median_of(|latency| latency.p50)?,
            p90: median_of(|latency| latency.p90)?,
            p99: median_of(|latency| latency.p99)?,
            max: latencies.iter().map(|latency| latency.max).max()?,
        },
    })
}

/// The two values in the middle of sorted ones, between which the median lies; twice the same for an odd number of them.
fn middle<T: Copy>(sorted: &[T]) -> Option<(T, T)> {
    let low = sorted.get(sorted.len().checked_sub(1)? / 2)?;
    Some((*low, *sorted.get(sorted.len() / 2)?))
}
