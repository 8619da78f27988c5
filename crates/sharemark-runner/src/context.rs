//! What every part of a run is given: who does the work, what time it is, and who may stop it.

use std::path::Path;
use std::time::Duration;

use sharemark_model::{Bytes, Failure, FailureCode, Operation, Place, Report, Warning, Workload};

use crate::clock::Clock;
use crate::conduct::Conductor;
use crate::event::{Event, Wait};
use crate::executor::Executor;
use crate::interrupts::Interrupts;
use crate::manifest::Manifest;
use crate::round::HeldFile;

/// Everything around a run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Who does the jobs.
    pub executor: &'a dyn Executor,
    /// What time it is.
    pub clock: &'a dyn Clock,
    /// Whether the user wants to stop.
    pub interrupts: &'a Interrupts,
    /// sharemark's own folder on this machine.
    pub data_dir: &'a Path,
    /// How long a job may stand still.
    pub stall: Duration,
}

impl Context<'_> {
    pub(crate) const fn conductor(&self) -> Conductor<'_> {
        Conductor {
            executor: self.executor,
            clock: self.clock,
            interrupts: self.interrupts,
            stall: self.stall,
        }
    }
}

/// A target whose folder is made.
pub(crate) struct Prepared {
    pub(crate) label: String,
    pub(crate) place: Place,
    pub(crate) manifest: Manifest,
    /// The file that is kept over the rounds, for workloads that need one and write none.
    pub(crate) kept: Option<HeldFile>,
    /// The size of its files, where the server takes none as large as planned.
    pub(crate) size: Option<Bytes>,
    /// Workloads that its protocol has no way to do.
    pub(crate) unable: Vec<Workload>,
}

/// Tells a warning about a target, and keeps it in the report.
pub(crate) fn warn(report: &mut Report, label: &str, warning: Warning, on: &mut dyn FnMut(Event<'_>)) {
    on(Event::Warned(label, &warning));
    if let Some(target) = report.targets.iter_mut().find(|target| target.label == label) {
        target.warnings.push(warning);
    }
}

/// Lets planned time pass; the user can end it.
pub(crate) fn wait(
    context: &Context<'_>,
    wait: Wait,
    time: Duration,
    on: &mut dyn FnMut(Event<'_>),
) -> Result<(), Failure> {
    const STEP: Duration = Duration::from_millis(100);
    let until = context.clock.now() + time;
    loop {
        if context.interrupts.stop() {
            return Err(Failure::new(FailureCode::Interrupted, Operation::Worker, ""));
        }
        let left = until.saturating_sub(context.clock.now());
        if left.is_zero() {
            return Ok(());
        }
        on(Event::Waiting { wait, left });
        context.clock.sleep(left.min(STEP));
    }
}
