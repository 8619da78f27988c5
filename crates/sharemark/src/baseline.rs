//! `sharemark run --baseline ID`: the run against an earlier one, for scripts that watch a share.

use clap::ArgMatches;
use sharemark_model::{Answer, Difference, Report, ReportComparison};
use sharemark_report::{Words, text};
use sharemark_stats::{compare_reports, plan_differences};
use sharemark_store::HistoryError;

use crate::compare;
use crate::console::Console;
use crate::exit::{Exit, Problem};
use crate::history;
use crate::outputs::Outputs;

/// The report to compare with.
pub(crate) struct Baseline {
    report: Report,
}

impl Baseline {
    /// The report that `--baseline` names, if it was given: a run of minutes is not to end in "no such report".
    ///
    /// # Errors
    /// Wrong usage when there is no such report, and the history's refusal.
    pub(crate) fn open(matches: &ArgMatches, words: &Words) -> Result<Option<Self>, Problem> {
        let Some(id) = matches.get_one::<String>("baseline") else { return Ok(None) };
        let wrong = |error: HistoryError| {
            let problem = history::problem(&error, words);
            let mistyped = matches!(error, HistoryError::UnknownRun { .. } | HistoryError::Ambiguous { .. });
            if mistyped { Problem { exit: Exit::Usage, ..problem } } else { problem }
        };
        let none = || Problem::usage(words.text("cli-error-no-reports"));
        let history = history::existing(matches, words)?.ok_or_else(none)?;
        Ok(Some(Self { report: history::load(&history, id).map_err(wrong)? }))
    }

    /// Says before the run that its result will not be compared, where the plan alone shows it.
    pub(crate) fn forewarn(&self, plan: &sharemark_model::Plan, console: &Console) {
        let (now, before) = (labels(plan), labels(&self.report.plan));
        let nothing = Difference::Targets { a: now, b: before }.forbids();
        if nothing || plan_differences(plan, &self.report.plan).iter().any(Difference::forbids) {
            let words = console.words();
            let text = words.format("cli-baseline-unlike", &[("id", (&self.report.id).into())]);
            console.say(&words.format("cli-warning", &[("text", text.into())]));
        }
    }

    /// Tells how the run compares, target by target of the same label, and how the program ends by that; `measured` is how
    /// it would end without.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn judge(
        &self,
        report: &Report,
        measured: Exit,
        outputs: &Outputs,
        console: &Console,
    ) -> Result<Exit, Problem> {
        let compared = self.compared(report);
        outputs.tell(|style| text::report_comparison(&compared, console.words(), style), console)?;
        let slower = compared.comparisons.iter().any(|comparison| comparison.answer == Answer::Slower);
        Ok(match (measured, compare::exit_of(&compared)) {
            (Exit::Failed | Exit::Usage, _) => measured,
            _ if slower => Exit::Regression,
            (Exit::Done, refused) => refused,
            _ => measured,
        })
    }

    /// Only targets of the same label: a script that renames one is not to be told of a regression of another.
    fn compared(&self, report: &Report) -> ReportComparison {
        let (now, before) = (labels(&report.plan), labels(&self.report.plan));
        let nothing = Difference::Targets { a: now, b: before };
        if nothing.forbids() {
            return ReportComparison {
                schema: report.schema,
                a: report.id.clone(),
                b: self.report.id.clone(),
                differences: vec![nothing],
                comparisons: Vec::new(),
            };
        }
        compare_reports(report, &self.report)
    }
}

fn labels(plan: &sharemark_model::Plan) -> Vec<String> {
    plan.targets.iter().map(|target| target.label.clone()).collect()
}
