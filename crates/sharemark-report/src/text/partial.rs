//! What is missing from a report, said before any number.

use sharemark_model::{Failure, Report, Sample};

use crate::page::{Ink, Page};
use crate::warning::workload;
use crate::{Words, failure};

/// Kinds of failure of single samples are told up to this many.
const TOLD: usize = 3;

pub(super) fn write(page: &mut Page, report: &Report, words: &Words) {
    wrong_content(page, report, words);
    if !report.partial && report.error.is_none() && report.finished.is_some() {
        return;
    }
    let id = if report.finished.is_none() {
        "text-unfinished"
    } else if report.error.is_some() {
        "text-partial"
    } else {
        "text-partial-refused"
    };
    page.paragraph(0, &words.text(id), Ink::Alarm);
    if let Some(error) = &report.error {
        told(page, error, words);
    }
    // The same failure in another round says nothing new.
    let mut kinds: Vec<(&Sample, &Failure)> = Vec::new();
    let mut ended: usize = 0;
    for sample in &report.samples {
        if let Some(error) = &sample.error
            && report.error.as_ref() != Some(error)
        {
            ended += 1;
            let known = |(_, kind): &(&Sample, &Failure)| {
                (kind.code, kind.operation) == (error.code, error.operation)
            };
            if kinds.len() < TOLD && !kinds.iter().any(known) {
                kinds.push((sample, error));
            }
        }
    }
    for (sample, error) in &kinds {
        let what = words.format(
            "text-partial-sample",
            &[
                ("round", sample.round.into()),
                ("workload", workload(sample.workload, words).into()),
                ("target", (&sample.target).into()),
            ],
        );
        page.paragraph(super::INDENT, &what, Ink::Plain);
        told(page, error, words);
    }
    if let Some(more) = ended.checked_sub(kinds.len()).filter(|more| *more > 0) {
        page.paragraph(super::INDENT, &words.format("text-partial-more", &[("n", more.into())]), Ink::Plain);
    }
}

fn told(page: &mut Page, error: &Failure, words: &Words) {
    for line in failure::text(error, words).lines() {
        page.paragraph(super::INDENT, line, Ink::Plain);
    }
}

fn wrong_content(page: &mut Page, report: &Report, words: &Words) {
    let checked = report.samples.iter().filter_map(|sample| sample.verified);
    let (total, wrong) =
        checked.fold((0_u32, 0_u32), |(total, wrong), right| (total + 1, wrong + u32::from(!right)));
    if wrong > 0 {
        let text = words.format("text-wrong-content", &[("total", total.into()), ("wrong", wrong.into())]);
        page.paragraph(0, &text, Ink::Alarm);
    }
}
