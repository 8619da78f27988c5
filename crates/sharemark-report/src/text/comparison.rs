//! One target against another, in a sentence that never claims more than its interval.

use sharemark_model::{Answer, CacheUse, Comparison, Difference, Report, ReportComparison, Workload};

use super::{INDENT, difference};
use crate::number::{self, decimals, fixed};
use crate::page::{Ink, Page};
use crate::table::{self, Align, Column};
use crate::{Value, Words, warning};

/// Up to this many pairs of targets are all shown: those of three targets.
const ALL_SHOWN: usize = 3;

/// Below this, two decimals show less than two digits.
const SMALL: f64 = 0.0995;

/// What stands where there is no number.
const NONE: &str = "-";

/// The report's own comparisons, workload by workload.
pub(super) fn write(page: &mut Page, report: &Report, words: &Words) {
    if report.comparisons.is_empty() {
        return;
    }
    page.gap();
    page.paragraph(0, &words.text("comparison-heading"), Ink::Strong);
    for workload in &report.plan.workloads {
        let all: Vec<&Comparison> =
            report.comparisons.iter().filter(|comparison| comparison.workload == *workload).collect();
        let shown = shown(&all);
        match shown.as_slice() {
            [] => continue,
            [single] => {
                page.paragraph(INDENT, &sentence(single, &single.a, &single.b, words), Ink::Plain);
                advice(page, &shown, words);
            }
            several => rows(page, *workload, several, words),
        }
        if let Some(others) = all.len().checked_sub(shown.len()).filter(|others| *others > 0) {
            let text = words.format("comparison-others", &[("n", others.into())]);
            page.paragraph(INDENT, &text, Ink::Faint);
        }
        for comparison in shown {
            unlike(page, report, comparison, words);
        }
    }
}

/// Every pair while they are few, else each target against the first, which is what most people ask.
fn shown<'c>(all: &[&'c Comparison]) -> Vec<&'c Comparison> {
    let first = all.first().map(|comparison| comparison.a.as_str());
    let few = all.len() <= ALL_SHOWN;
    all.iter().copied().filter(|comparison| few || Some(comparison.a.as_str()) == first).collect()
}

/// Two reports against each other.
pub(super) fn reports(page: &mut Page, compared: &ReportComparison, words: &Words) {
    let heading = words
        .format("comparison-reports-heading", &[("a", (&compared.a).into()), ("b", (&compared.b).into())]);
    page.paragraph(0, &heading, Ink::Strong);
    let (forbidding, cautioning): (Vec<_>, Vec<_>) =
        compared.differences.iter().partition(|difference| difference.forbids());
    let forbidden =
        if compared.comparisons.is_empty() { "comparison-forbidden" } else { "comparison-forbidden-some" };
    list(page, &words.text(forbidden), &forbidding, Ink::Alarm, words);
    list(page, &words.text("comparison-care"), &cautioning, Ink::Caution, words);
    if compared.comparisons.is_empty() {
        page.paragraph(0, &words.text("comparison-nothing"), Ink::Strong);
        return;
    }
    for comparison in &compared.comparisons {
        let of = |label: &String, report: &String| {
            words.format("comparison-of-report", &[("label", label.into()), ("report", report.into())])
        };
        let (a, b) = (of(&comparison.a, &compared.a), of(&comparison.b, &compared.b));
        page.paragraph(INDENT, &sentence(comparison, &a, &b, words), Ink::Plain);
    }
    advice(page, &compared.comparisons.iter().collect::<Vec<_>>(), words);
}

fn list(page: &mut Page, heading: &str, differences: &[&Difference], ink: Ink, words: &Words) {
    if differences.is_empty() {
        return;
    }
    page.paragraph(0, heading, ink);
    for difference in differences {
        page.hanging(INDENT, "- ", &difference::text(difference, words), Ink::Plain);
    }
}

fn sentence(comparison: &Comparison, a: &str, b: &str, words: &Words) -> String {
    let workload = warning::workload(comparison.workload, words);
    let margin = number::percent(Comparison::MARGIN, words);
    let rounds = rounds(comparison, words);
    let Some((ratio, interval)) = numbers(comparison, words) else {
        let ratio = fixed(comparison.ratio, places(comparison.ratio));
        return words.format(
            "comparison-single",
            &[
                ("workload", workload.into()),
                ("a", a.into()),
                ("b", b.into()),
                ("margin", margin.into()),
                ("ratio", ratio.into()),
                ("rounds", rounds.into()),
            ],
        );
    };
    let evidence =
        words.format("comparison-evidence", &[("interval", interval.into()), ("rounds", rounds.into())]);
    let mut values: Vec<(&str, Value<'_>)> = vec![
        ("workload", workload.into()),
        ("a", a.into()),
        ("b", b.into()),
        ("ratio", ratio.into()),
        ("evidence", evidence.into()),
    ];
    let id = match comparison.answer {
        Answer::Faster => "comparison-faster",
        Answer::Slower => "comparison-slower",
        Answer::Same => "comparison-same",
        Answer::Inconclusive => "comparison-inconclusive",
    };
    if matches!(comparison.answer, Answer::Same | Answer::Inconclusive) {
        values.push(("margin", margin.into()));
    }
    words.format(id, &values)
}

/// The ratio and its interval; `None` without one.
fn numbers(comparison: &Comparison, words: &Words) -> Option<(String, String)> {
    let [low, high] = comparison.ci95?;
    let usual = places(comparison.ratio);
    // An end that lies far from the ratio has digits of its own: 0.0024 is not 0.00, and 415 not 415.23.
    let low_places = if low < SMALL { places(low) } else { usual };
    let (low, high) = (fixed(low, low_places), fixed(high, usual.min(places(high))));
    Some((fixed(comparison.ratio, usual), number::range(&low, &high, words)))
}

/// Decimals of a ratio: two, fewer for a large one, more for a small one, so that three digits or so are shown.
fn places(ratio: f64) -> usize {
    if ratio >= SMALL { decimals(ratio).min(2) } else { decimals(ratio) }
}

fn rounds(comparison: &Comparison, words: &Words) -> String {
    let id = if comparison.paired { "unit-rounds" } else { "comparison-rounds-each" };
    let rounds = words.format(id, &[("n", comparison.n.into())]);
    if comparison.without_first {
        return words.format("comparison-without-first", &[("rounds", rounds.into())]);
    }
    rounds
}

/// What would decide what is inconclusive.
fn advice(page: &mut Page, comparisons: &[&Comparison], words: &Words) {
    let open = || comparisons.iter().filter(|comparison| comparison.answer == Answer::Inconclusive);
    if open().any(|comparison| comparison.ci95.is_none()) {
        page.paragraph(INDENT, &words.text("comparison-more-single"), Ink::Plain);
    } else if let Some(most) = open().map(|comparison| comparison.n).max() {
        // The width falls with the root of the number.
        let runs = format!("`--runs {}`", most.saturating_mul(4));
        let text = words.format("comparison-more", &[("runs", runs.into())]);
        page.paragraph(INDENT, &text, Ink::Plain);
    }
}

/// A row a pair; a sentence a pair where the terminal is too narrow for the table.
fn rows(page: &mut Page, workload: Workload, comparisons: &[&Comparison], words: &Words) {
    let cells = |cell: &dyn Fn(&Comparison) -> String| -> Vec<String> {
        comparisons.iter().map(|comparison| cell(comparison)).collect()
    };
    let pair = |comparison: &Comparison| {
        let values = [("a", (&comparison.a).into()), ("b", (&comparison.b).into())];
        words.format("comparison-pair", &values)
    };
    let interval = |comparison: &Comparison| numbers(comparison, words).map_or(NONE.to_owned(), |(_, i)| i);
    let rounds = |comparison: &Comparison| {
        format!("{}{}", comparison.n, if comparison.without_first { "*" } else { "" })
    };
    let columns = [
        Column::new(warning::workload(workload, words), Align::Left, cells(&pair)),
        Column::new(
            words.text("comparison-column-ratio"),
            Align::Point,
            cells(&|comparison| fixed(comparison.ratio, places(comparison.ratio))),
        ),
        Column::new(words.text("comparison-column-interval"), Align::Right, cells(&interval)),
        Column::new(words.text("comparison-column-rounds"), Align::Right, cells(&rounds)),
        Column::new(
            words.text("comparison-column-answer"),
            Align::Left,
            cells(&|comparison| answer(comparison, words)),
        ),
    ];
    if table::width(&columns) > page.columns().saturating_sub(INDENT) {
        for comparison in comparisons {
            let sentence = sentence(comparison, &comparison.a, &comparison.b, words);
            page.paragraph(INDENT, &sentence, Ink::Plain);
        }
    } else {
        for (number, line) in table::lines(&columns).into_iter().enumerate() {
            page.line(INDENT, &line, if number == 0 { Ink::Faint } else { Ink::Plain });
        }
        if comparisons.iter().any(|comparison| comparison.without_first) {
            page.paragraph(INDENT, &words.text("comparison-without-first-note"), Ink::Faint);
        }
    }
    advice(page, comparisons, words);
}

fn answer(comparison: &Comparison, words: &Words) -> String {
    let faster = |name: &String| words.format("comparison-answer-faster", &[("name", name.into())]);
    match comparison.answer {
        Answer::Faster => faster(&comparison.a),
        Answer::Slower => faster(&comparison.b),
        Answer::Same => words.text("comparison-answer-same"),
        Answer::Inconclusive => words.text("comparison-answer-inconclusive"),
    }
}

/// Says so when the two were not written or read in the same way: then the ratio is that of the ways as well.
fn unlike(page: &mut Page, report: &Report, comparison: &Comparison, words: &Words) {
    let writes = ways(report, comparison, |cache| cache.write).map(|(a, b)| (a.name(), b.name()));
    let reads = ways(report, comparison, |cache| cache.read).map(|(a, b)| (a.name(), b.name()));
    let found = [("comparison-unlike-writes", writes), ("comparison-unlike-reads", reads)];
    for (id, way) in found {
        let Some((way_a, way_b)) = way else { continue };
        let values = [
            ("a", (&comparison.a).into()),
            ("b", (&comparison.b).into()),
            ("way-a", way_a.into()),
            ("way-b", way_b.into()),
        ];
        page.paragraph(INDENT, &words.format(id, &values), Ink::Caution);
    }
}

/// The weakest way taken at each of the two, where these differ.
fn ways<T: Ord>(
    report: &Report,
    comparison: &Comparison,
    way: impl Fn(&CacheUse) -> Option<T>,
) -> Option<(T, T)> {
    let weakest = |label: &str| {
        let samples = report.samples.iter().filter(|sample| {
            sample.target == label && sample.workload == comparison.workload && sample.counts()
        });
        samples.filter_map(|sample| way(&sample.cache)).max()
    };
    weakest(&comparison.a).zip(weakest(&comparison.b)).filter(|(a, b)| a != b)
}
