//! One target against another, in a sentence that never claims more than its interval.

use sharemark_model::{Answer, Comparison, Report};

use super::INDENT;
use crate::number::{self, fixed};
use crate::page::{Ink, Page};
use crate::{Words, warning};

pub(super) fn write(page: &mut Page, report: &Report, words: &Words) {
    if report.comparisons.is_empty() {
        return;
    }
    page.gap();
    page.paragraph(0, &words.text("text-compare-heading"), Ink::Strong);
    for comparison in &report.comparisons {
        page.paragraph(INDENT, &sentence(comparison, words), Ink::Plain);
    }
}

fn sentence(comparison: &Comparison, words: &Words) -> String {
    let id = match comparison.answer {
        Answer::Faster => "text-compare-faster",
        Answer::Slower => "text-compare-slower",
        Answer::Same => "text-compare-same",
        Answer::Inconclusive => "text-compare-inconclusive",
    };
    let [low, high] = comparison.ci95;
    words.format(
        id,
        &[
            ("workload", warning::workload(comparison.workload, words).into()),
            ("a", (&comparison.a).into()),
            ("b", (&comparison.b).into()),
            ("ratio", fixed(comparison.ratio, 2).into()),
            ("interval", number::range(&fixed(low, 2), &fixed(high, 2), words).into()),
        ],
    )
}
