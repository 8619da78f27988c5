//! The one line that shows a run under way, and the line that a log gets when a phase ends.

use sharemark_model::{Bytes, Nanoseconds, Quantity, Rate, Sample, Stage, Workload};

use crate::layout::{columns, cut, printable};
use crate::{Words, failure, number, warning};

/// What is known of a phase under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveView<'a> {
    /// The target's label.
    pub target: &'a str,
    /// What is being done; `None` while a file is written that a later phase needs.
    pub workload: Option<Workload>,
    /// The round, counted from 1.
    pub round: u32,
    /// The rounds that are made in any case; further ones depend on how the numbers scatter.
    pub rounds_at_least: u32,
    /// What the job is busy with.
    pub stage: Stage,
    /// Bytes moved so far.
    pub bytes: Bytes,
    /// Bytes the phase would move without a time limit; zero where it moves none, as in a listing.
    pub total: Bytes,
    /// Time since the transfer began.
    pub elapsed: Nanoseconds,
    /// The time at which the phase ends, if it is limited.
    pub time_limit: Option<Nanoseconds>,
    /// The rates of the last moments, oldest first; the current rate is the mean of the last few.
    pub recent_rates: &'a [Rate],
    /// The rates are drawn as a curve too: the terminal shows a block character (U+2581 and on) in one column.
    pub curve: bool,
}

/// How many of the last rates make the current one: a single one jumps about.
const CURRENT: usize = 5;
/// The most characters of a sparkline.
const SPARKS: usize = 24;
/// The columns of the bar between its brackets.
const BAR: usize = 20;
/// A label longer than this is cut before anything else gives way.
const LABEL: usize = 24;
/// A label is not cut to fewer columns than this: it goes as a whole.
const SHORTEST_LABEL: usize = 6;
/// The label gives way before the time left, the percentage and what is more important.
const LABEL_WEIGHT: u8 = 2;

/// The line, at most `width` columns wide and without a line break. What matters least gives way first: the bar, the
/// rates' curve, the label, the time left.
#[must_use]
pub fn line(view: &LiveView<'_>, words: &Words, width: usize) -> String {
    let label = printable(view.target);
    let mut parts = vec![
        Part::new(LABEL_WEIGHT, cut(&label, LABEL).into_owned()),
        Part::new(6, round(view, words)),
        Part::new(
            5,
            view.workload
                .map_or_else(|| words.text("live-preparing"), |workload| warning::workload(workload, words)),
        ),
    ];
    if view.stage == Stage::Transferring {
        if let Some(done) = share_done(view) {
            parts.push(Part::new(0, bar(done)));
            parts.push(Part::new(4, percent_done(done, words)));
        } else {
            parts.push(Part::new(4, number::span(whole_seconds(view.elapsed), words)));
        }
        if let Some(current) = current(view.recent_rates) {
            parts.push(Part::new(7, number::rate(current, words)));
        }
        if let Some(left) = time_left(view) {
            let time = number::span(left, words);
            parts.push(Part::new(3, words.format("live-left", &[("time", time.into())])));
        }
        if view.curve {
            parts.push(Part::new(1, sparkline(view.recent_rates)));
        }
    } else {
        parts.push(Part::new(7, stage(view.stage, words)));
    }
    parts.retain(|part| !part.text.is_empty());
    while joined_width(&parts) > width && parts.len() > 1 {
        let weakest = parts.iter().enumerate().min_by_key(|(_, part)| part.weight);
        let Some((weakest, part)) = weakest else { break };
        let room = width.saturating_sub(joined_width(&parts) - columns(&part.text));
        if part.weight == LABEL_WEIGHT && room >= SHORTEST_LABEL {
            parts[weakest].text = cut(&parts[weakest].text, room).into_owned();
            break;
        }
        parts.remove(weakest);
    }
    let texts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
    cut(&texts.join(SPACE), width).into_owned()
}

const SPACE: &str = "  ";

/// A piece of the line; those of the least weight give way first.
struct Part {
    weight: u8,
    text: String,
}

impl Part {
    const fn new(weight: u8, text: String) -> Self {
        Self { weight, text }
    }
}

fn joined_width(parts: &[Part]) -> usize {
    let texts: usize = parts.iter().map(|part| columns(&part.text)).sum();
    texts + SPACE.len() * parts.len().saturating_sub(1)
}

fn round(view: &LiveView<'_>, words: &Words) -> String {
    if view.round <= view.rounds_at_least {
        words.format("live-round-of", &[("round", view.round.into()), ("of", view.rounds_at_least.into())])
    } else {
        words.format("live-round", &[("round", view.round.into())])
    }
}

fn stage(stage: Stage, words: &Words) -> String {
    words.text(match stage {
        Stage::Preparing => "live-stage-preparing",
        Stage::Opening => "live-stage-opening",
        Stage::Transferring => "live-stage-transferring",
        Stage::Flushing => "live-stage-flushing",
        Stage::Closing => "live-stage-closing",
        Stage::Verifying => "live-stage-verifying",
        Stage::Housekeeping => "live-stage-housekeeping",
    })
}

#[expect(clippy::cast_precision_loss, reason = "a share of the whole is shown in percent")]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64).clamp(0.0, 1.0) }
}

/// How much of the phase is done: a phase ends at its size or its time, whichever comes first. `None` where no bytes are
/// to move, as in a listing: it ends long before its time limit, and nothing tells when.
fn share_done(view: &LiveView<'_>) -> Option<f64> {
    let by_size = share(view.bytes.0, view.total.0);
    let by_time = view.time_limit.map_or(0.0, |limit| share(view.elapsed.0, limit.0));
    (view.total > Bytes(0)).then_some(by_size.max(by_time))
}

fn percent_done(done: f64, words: &Words) -> String {
    let text = number::fixed((done * 100.0).floor(), 0);
    words.format("unit-percent", &[("n", format!("{text:>3}").into())])
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the share lies between 0 and 1")]
fn filled(share: f64, of: usize) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "a few columns")]
    let of = of as f64;
    (share.clamp(0.0, 1.0) * of).round() as usize
}

fn bar(done: f64) -> String {
    let full = filled(done, BAR);
    format!("[{}{}]", "#".repeat(full), ".".repeat(BAR.saturating_sub(full)))
}

/// The mean of the last few rates; `None` before the first.
fn current(rates: &[Rate]) -> Option<Rate> {
    let last = &rates[rates.len().saturating_sub(CURRENT)..];
    let sound: Vec<f64> = last.iter().map(|rate| rate.0).filter(|rate| rate.is_finite()).collect();
    let count = u32::try_from(sound.len()).ok().filter(|count| *count > 0)?;
    Some(Rate(sound.iter().sum::<f64>() / f64::from(count)))
}

/// The time until the phase ends by its size at the current rate or by its time limit, whichever comes first; in
/// whole seconds, since it is an estimate. `None` where no bytes are to move.
fn time_left(view: &LiveView<'_>) -> Option<Nanoseconds> {
    if view.total == Bytes(0) {
        return None;
    }
    let by_time = view.time_limit.map(|limit| Nanoseconds(limit.0.saturating_sub(view.elapsed.0)));
    let by_size = current(view.recent_rates)
        .filter(|rate| rate.0 > 0.0)
        .and_then(|rate| {
            #[expect(clippy::cast_precision_loss, reason = "an estimate in whole seconds")]
            let seconds = view.total.0.saturating_sub(view.bytes.0) as f64 / rate.0;
            std::time::Duration::try_from_secs_f64(seconds).ok()
        })
        .map(Nanoseconds::from);
    let left = match (by_time, by_size) {
        (Some(time), Some(size)) => time.min(size),
        (left, None) | (None, left) => left?,
    };
    Some(Nanoseconds(left.0.div_ceil(1_000_000_000).saturating_mul(1_000_000_000)))
}

/// Whole seconds gone by, so that the line does not flicker.
const fn whole_seconds(time: Nanoseconds) -> Nanoseconds {
    Nanoseconds(time.0 / 1_000_000_000 * 1_000_000_000)
}

/// The last rates as a curve from zero to the fastest of them.
fn sparkline(rates: &[Rate]) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let last = &rates[rates.len().saturating_sub(SPARKS)..];
    let fastest = last.iter().map(|rate| rate.0).filter(|rate| rate.is_finite()).fold(0.0, f64::max);
    last.iter()
        .map(|rate| {
            let share = if fastest > 0.0 && rate.0.is_finite() { rate.0 / fastest } else { 0.0 };
            LEVELS[filled(share, LEVELS.len() - 1).min(LEVELS.len() - 1)]
        })
        .collect()
}

/// One line without a line break about a phase that ended, for a log.
#[must_use]
pub fn phase_done(sample: &Sample, words: &Words) -> String {
    let target = (&sample.target).into();
    let workload = warning::workload(sample.workload, words).into();
    let quantity = sample.workload.quantity();
    let size = match quantity {
        Quantity::Bytes => number::size(sample.bytes),
        Quantity::Operations => words.format("live-operations", &[("n", sample.operations.into())]),
    };
    if sample.verified == Some(false) {
        return words.format(
            "live-done-wrong",
            &[("target", target), ("round", sample.round.into()), ("workload", workload)],
        );
    }
    if let Some(error) = &sample.error {
        return words.format(
            "live-done-partial",
            &[
                ("target", target),
                ("round", sample.round.into()),
                ("workload", workload),
                ("size", size.into()),
                ("matter", failure::matter(error.code, words).into()),
            ],
        );
    }
    if sample.partial {
        return words.format(
            "live-done-partial-plain",
            &[
                ("target", target),
                ("round", sample.round.into()),
                ("workload", workload),
                ("size", size.into()),
            ],
        );
    }
    let id = match (quantity, sample.verified) {
        (Quantity::Bytes, Some(true)) => "live-done-verified",
        (Quantity::Bytes, _) => "live-done",
        (Quantity::Operations, Some(true)) => "live-done-files-verified",
        (Quantity::Operations, _) => "live-done-files",
    };
    let amount = match quantity {
        Quantity::Bytes => ("size", size.into()),
        Quantity::Operations => ("n", sample.operations.into()),
    };
    words.format(
        id,
        &[
            ("target", target),
            ("round", sample.round.into()),
            ("workload", workload),
            ("rate", number::measured(sample.measured(), quantity, words).into()),
            amount,
            ("time", number::span(sample.counted(), words).into()),
        ],
    )
}
