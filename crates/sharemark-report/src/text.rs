//! A report for a terminal: the answer first, then the numbers, then what they rest on.

mod comparison;
mod connection;
mod difference;
mod evidence;
mod headline;
mod latency;
mod method;
mod partial;
mod rates;

pub(crate) use self::headline::protocol;

use sharemark_model::{Report, ReportComparison, TargetReport, Warning};

use crate::page::{Ink, Page};
use crate::{TextStyle, Words, layout, warning};

/// The report as a person reads it, ending in a line break.
///
/// Order: what is missing, if the run is partial; a sentence a target; comparisons; for each target its tables, the first
/// round where it stands apart, how the numbers came about, and warnings with advice; the method, so that a number can
/// be repeated; the report's identifier.
#[must_use]
pub fn report(report: &Report, words: &Words, style: &TextStyle) -> String {
    let mut page = Page::new(*style);
    partial::write(&mut page, report, words);
    page.gap();
    for target in &report.targets {
        page.paragraph(0, &headline::sentence(report, target, words), Ink::Strong);
    }
    comparison::write(&mut page, report, words);
    for target in &report.targets {
        page.gap();
        // The headline has just named a single target.
        if report.targets.len() > 1 {
            page.paragraph(0, &layout::printable(&target.label), Ink::Strong);
        }
        rates::table(&mut page, report, target, words);
        latency::table(&mut page, report, target, words);
        rates::first_rounds(&mut page, report, target, words);
        evidence::write(&mut page, report, target, words);
        warnings(&mut page, report, target, words);
    }
    method::write(&mut page, report, words);
    page.finish()
}

/// A report's own comparisons alone, as [`report`] shows them, ending in a line break; empty where there are none.
#[must_use]
pub fn comparisons(report: &Report, words: &Words, style: &TextStyle) -> String {
    let mut page = Page::new(*style);
    comparison::write(&mut page, report, words);
    page.finish()
}

/// Two reports against each other, ending in a line break: what keeps them from being compared, what asks for care, and
/// an answer for each target and workload.
#[must_use]
pub fn report_comparison(compared: &ReportComparison, words: &Words, style: &TextStyle) -> String {
    let mut page = Page::new(*style);
    comparison::reports(&mut page, compared, words);
    page.finish()
}

fn warnings(page: &mut Page, report: &Report, target: &TargetReport, words: &Words) {
    let mut shown = target.warnings.iter().filter(|warning| !told_before(report, target, warning)).peekable();
    if shown.peek().is_none() {
        return;
    }
    page.gap();
    page.paragraph(INDENT, &words.text("text-warnings-heading"), Ink::Faint);
    // What is to be done about several in the same way is said once.
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for warning in shown {
        let text = warning::text(warning, words);
        match groups.iter_mut().find(|(advice, _)| *advice == text.advice) {
            Some((_, whats)) => whats.push(text.what),
            None => groups.push((text.advice, vec![text.what])),
        }
    }
    for (advice, whats) in groups {
        for what in whats {
            page.hanging(INDENT, "! ", &what, Ink::Caution);
        }
        page.paragraph(INDENT + 2, &advice, Ink::Plain);
    }
}

/// A first round that differs is told with its numbers and the mean without it, where there is one.
fn told_before(report: &Report, target: &TargetReport, warning: &Warning) -> bool {
    let Warning::FirstRunDiffers { workload, .. } = warning else {
        return false;
    };
    report
        .summaries_of(&target.label)
        .any(|summary| summary.workload == *workload && rates::first_stands_apart(summary).is_some())
}

/// The columns by which everything below a headline is indented.
const INDENT: usize = 2;
