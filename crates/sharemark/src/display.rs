//! What is shown while a run works: one live line on a terminal, a line a phase elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sharemark_model::{Bytes, Nanoseconds, Plan, Progress, Rate, Sample, Stage, Workload};
use sharemark_report::{Value, live, number, warning};
use sharemark_runner::{Event, Wait};

use crate::console::{self, Console};

/// A rate is taken over at least this long, so that a single block does not make it jump.
const WINDOW: Duration = Duration::from_millis(200);

/// How many rates the curve keeps.
const RATES: usize = 60;

/// Shows a run's events on standard error.
pub(crate) struct Display<'a> {
    console: &'a Console,
    bar: ProgressBar,
    quiet: bool,
    watched: bool,
    rounds_at_least: u32,
    curve: bool,
    phase: Phase,
}

/// The phase under way.
struct Phase {
    target: String,
    /// `None` while a file is written that a later phase needs.
    workload: Option<Workload>,
    round: u32,
    limit: Option<Duration>,
    seen: (Bytes, Nanoseconds),
    rates: Vec<Rate>,
}

impl<'a> Display<'a> {
    pub(crate) fn new(console: &'a Console, plan: &Plan, quiet: bool) -> Self {
        let watched = !quiet && console::is_watched();
        let target =
            if watched { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        let phase = Phase {
            target: String::new(),
            workload: None,
            round: 0,
            limit: None,
            seen: (Bytes(0), Nanoseconds(0)),
            rates: Vec::new(),
        };
        Self {
            console,
            bar,
            quiet,
            watched,
            rounds_at_least: plan.rounds.at_least,
            curve: console::has_narrow_blocks(),
            phase,
        }
    }

    /// A handle by which another thread can write a line without tearing the live one.
    pub(crate) fn voice(&self) -> Voice {
        Voice { bar: self.bar.clone(), watched: self.watched }
    }

    pub(crate) fn show(&mut self, event: Event<'_>) {
        let words = self.console.words();
        match event {
            Event::Started(_) => {}
            Event::Phase { target, workload, round, limit } => {
                self.phase = Phase {
                    target: target.to_owned(),
                    workload,
                    round,
                    limit,
                    seen: (Bytes(0), Nanoseconds(0)),
                    rates: Vec::new(),
                };
            }
            Event::Progress(progress) => self.progress(progress),
            Event::Sampled(sample) => self.sampled(sample),
            Event::Waiting { wait, left } => {
                let time = number::span(whole_seconds(left).into(), words);
                let id = match wait {
                    Wait::Settle => "cli-status-settle",
                    Wait::Pause => "cli-status-pause",
                };
                self.message(words.format(id, &[("time", Value::from(time))]));
            }
            Event::Warned(_, warning) => {
                let text = warning::text(warning, words);
                self.line(&words.format("cli-warning", &[("text", text.what.into())]));
            }
            Event::Cleaning => self.message(words.text("cli-status-cleaning")),
        }
    }

    /// Ends the live line.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn progress(&mut self, progress: &Progress) {
        let phase = &mut self.phase;
        let (bytes, at) = phase.seen;
        let time = Nanoseconds(progress.elapsed_ns.0.saturating_sub(at.0));
        if progress.stage == Stage::Transferring && progress.bytes > bytes && time.to_duration() >= WINDOW {
            phase.rates.push(Bytes(progress.bytes.0 - bytes.0).per(time));
            phase.seen = (progress.bytes, progress.elapsed_ns);
            if phase.rates.len() > RATES {
                phase.rates.remove(0);
            }
        }
        let view = live::LiveView {
            target: &phase.target,
            workload: phase.workload,
            round: phase.round,
            rounds_at_least: self.rounds_at_least,
            stage: progress.stage,
            bytes: progress.bytes,
            total: progress.total,
            elapsed: progress.elapsed_ns,
            time_limit: phase.limit.map(Nanoseconds::from),
            recent_rates: &phase.rates,
            curve: self.curve,
        };
        // The last column stays free: some terminals wrap when it is written.
        let text = live::line(&view, self.console.words(), console::error_width().saturating_sub(1));
        self.message(text);
    }

    fn sampled(&self, sample: &Sample) {
        if !self.watched {
            self.line(&live::phase_done(sample, self.console.words()));
        }
    }

    fn message(&self, text: String) {
        self.bar.set_message(text);
        self.bar.tick();
    }

    fn line(&self, text: &str) {
        if self.quiet {
            return;
        }
        self.voice().say(text, self.console);
    }
}

/// Writes whole lines beside the live one.
#[derive(Clone)]
pub(crate) struct Voice {
    bar: ProgressBar,
    watched: bool,
}

impl Voice {
    pub(crate) fn say(&self, text: &str, console: &Console) {
        if self.watched {
            self.bar.suspend(|| console.say(text));
        } else {
            console.say(text);
        }
    }
}

fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX))
}
