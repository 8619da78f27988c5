//! `sharemark run`: the main job.

use std::path::Path;

use clap::ArgMatches;
use sharemark_model::{Failure, Place, Plan, Report, Warning};
use sharemark_report::failure;
use sharemark_runner::{
    Context, Event, Interrupts, SystemClock, leftovers, new_id, new_seed, run as measure,
};
use sharemark_store::{BlockingHistory, HistoryError};

use crate::access::Access;
use crate::baseline::Baseline;
use crate::console::Console;
use crate::display::Display;
use crate::exit::{Exit, Problem};
use crate::outputs::Outputs;
use crate::plan::plan;
use crate::{interrupt, list, paths};

/// Measures, shows, writes and remembers.
///
/// # Errors
/// When the arguments are wrong or a result cannot be written. A run that fails shows so itself.
pub(crate) fn run(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    let access = Access::new(matches, console)?;
    let plan = plan(matches, new_seed(), &access, words)?;
    let places = access.places(&plan.targets, &plan.wishes)?;
    let data_dir = paths::data_dir(words)?;
    let baseline = Baseline::open(matches, words)?;
    let history = History::open(matches, console)?;
    offer_cleaning(&data_dir, console);
    if let Some(baseline) = &baseline {
        baseline.forewarn(&plan, console);
    }
    conduct(plan, &places, &data_dir, history, baseline.as_ref(), matches, console)
}

/// Measures what a plan says, shows it, and writes it where `--json` and `--csv` say.
///
/// # Errors
/// When a result cannot be written. A run that fails shows so itself.
pub(crate) fn conduct(
    plan: Plan,
    places: &[Place],
    data_dir: &Path,
    mut history: History<'_>,
    baseline: Option<&Baseline>,
    matches: &ArgMatches,
    console: &Console,
) -> Result<Exit, Problem> {
    let words = console.words();
    let executor = list::executor()?;
    let outputs = Outputs::new(matches, words)?;
    let quiet = matches.get_flag("quiet");

    let interrupts = Interrupts::default();
    let mut display = Display::new(console, &plan, quiet);
    interrupt::listen(&interrupts, &display, words.language());
    let context = Context {
        executor: &executor,
        clock: &SystemClock::default(),
        interrupts: &interrupts,
        data_dir,
        stall: plan.stall_ns.to_duration(),
    };
    let report = measured(plan, places, &context, &mut history, &mut display);
    display.finish();

    outputs.write(&report, !report.samples.is_empty() || report.error.is_none(), console)?;
    // Without a sample there is no result to show, only why there is none.
    match &report.error {
        Some(error) if report.samples.is_empty() => Err(Problem::failed(failure::text(error, words))),
        _ => match baseline {
            Some(baseline) => baseline.judge(&report, exit_of(&report), &outputs, console),
            None => Ok(exit_of(&report)),
        },
    }
}

fn measured(
    plan: Plan,
    places: &[Place],
    context: &Context<'_>,
    history: &mut History<'_>,
    display: &mut Display<'_>,
) -> Report {
    let id = new_id(jiff::Timestamp::now());
    let mut begun = false;
    let mut report = measure(plan, places, id.clone(), context, &mut |event| {
        match event {
            Event::Started(report) => {
                begun = true;
                history.keep(|kept| kept.begin(report));
            }
            Event::Sampled(sample) => history.keep(|kept| kept.append(&id, sample)),
            _ => {}
        }
        display.show(event);
    });
    if begun {
        history.keep(|kept| kept.finish(&report));
    }
    if let (Some(system), Some(target)) = (history.trouble.take(), report.targets.first_mut()) {
        target.warnings.push(Warning::HistoryNotWritten { system });
    }
    report
}

fn exit_of(report: &Report) -> Exit {
    match (report.samples.iter().any(sharemark_model::Sample::counts), report.partial) {
        (true, false) => Exit::Done,
        (true, true) => Exit::Partial,
        // A byte that came back wrong is a result, and a refused one.
        (false, _) if report.samples.iter().any(|sample| sample.verified == Some(false)) => Exit::Partial,
        (false, _) => Exit::Failed,
    }
}

/// The history, for as long as it can be written.
pub(crate) struct History<'a> {
    console: &'a Console,
    kept: Option<BlockingHistory>,
    trouble: Option<String>,
}

impl<'a> History<'a> {
    fn open(matches: &ArgMatches, console: &'a Console) -> Result<Self, Problem> {
        let path = paths::history(matches, console.words())?;
        let mut history = Self::none(console);
        match path.map(|path| BlockingHistory::open(&path)) {
            Some(Ok(kept)) => history.kept = Some(kept),
            Some(Err(error)) => history.lose(&error),
            None => {}
        }
        Ok(history)
    }

    /// Keeps nothing.
    pub(crate) const fn none(console: &'a Console) -> Self {
        Self { console, kept: None, trouble: None }
    }

    fn keep(&mut self, what: impl FnOnce(&BlockingHistory) -> Result<(), HistoryError>) {
        if let Some(kept) = &self.kept
            && let Err(error) = what(kept)
        {
            self.lose(&error);
        }
    }

    /// A measurement does not end because it cannot be remembered.
    fn lose(&mut self, error: &HistoryError) {
        let system = error.to_string();
        let words = self.console.words();
        let failure = failure::text(&Failure::from(error), words);
        let mut lines = failure.lines();
        let first = lines.next().unwrap_or_default();
        let text = words.format("cli-history-unavailable", &[("text", first.into())]);
        self.console.say(&words.format("cli-warning", &[("text", text.into())]));
        lines.for_each(|line| self.console.say(line));
        self.kept = None;
        self.trouble = Some(system);
    }
}

fn offer_cleaning(data_dir: &Path, console: &Console) {
    let words = console.words();
    match leftovers(data_dir) {
        Ok(found) if !found.over.is_empty() => {
            let places: Vec<String> = found.over.iter().map(sharemark_runner::Leftover::place).collect();
            let values = [("count", places.len().into()), ("places", places.join(", ").into())];
            let text = words.format("cli-earlier-run", &values);
            console.say(&words.format("cli-warning", &[("text", text.into())]));
        }
        Ok(_) => {}
        Err(error) => console.say(&failure::text(&Failure::from(error), words)),
    }
}
