//! One round at one target: write a new file, let it settle, read it once, remove it.

use sharemark_model::{
    Bytes, Failure, FailureCode, FileName, Job, Nanoseconds, Operation, Outcome, Pause, Progress, ReadJob,
    Sample, SeriesPoint, Task, Transfer, Warning, Workload, WriteJob,
};
use sharemark_target::generator::file_seed;

use crate::clean::unexpected;
use crate::conduct::Ended;
use crate::context::{Context, Prepared, wait, warn};
use crate::event::{Event, Wait};

/// A sample disturbed by sleep is measured again, but not for ever on a machine that keeps falling asleep.
const TRIES: u32 = 3;

pub(crate) struct Round<'r, 'c> {
    pub(crate) number: u32,
    pub(crate) report: &'r mut sharemark_model::Report,
    pub(crate) context: &'c Context<'c>,
}

impl Round<'_, '_> {
    /// Measures the round's samples and adds them to the report.
    ///
    /// # Errors
    /// What ended the run; the samples made until then are in the report.
    pub(crate) fn measure(
        &mut self,
        target: &mut Prepared,
        on: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Failure> {
        let mut written = false;
        for attempt in 1..=TRIES {
            if self.context.interrupts.stop() {
                return Err(Failure::new(
                    FailureCode::Interrupted,
                    Operation::Worker,
                    target.place.to_string(),
                ));
            }
            let file = next_file(target)?;
            target.manifest.add(&file)?;
            let seed = file_seed(self.report.plan.seed, target.manifest.files.len() as u64);
            let (mut sample, pause) =
                self.phase(target, Workload::SeqWrite, &self.write_task(target, &file, seed), on);
            let size = sample.bytes;
            if self.repeats(&mut sample, pause, attempt, target, on) {
                self.remove(target, &file)?;
                continue;
            }
            // When only the read was disturbed, the file is written again but not counted again.
            if !std::mem::replace(&mut written, true) || sample.error.is_some() {
                self.keep(sample, on)?;
            }
            wait(self.context, Wait::Settle, self.report.plan.settle_ns.to_duration(), on)?;
            let task = self.read_task(target, &file, seed, size);
            let (mut sample, pause) = self.phase(target, Workload::SeqRead, &task, on);
            if self.repeats(&mut sample, pause, attempt, target, on) {
                self.remove(target, &file)?;
                continue;
            }
            self.keep(sample, on)?;
            return self.remove(target, &file);
        }
        Ok(())
    }

    fn write_task(&self, target: &Prepared, file: &FileName, seed: u64) -> Task {
        let plan = &self.report.plan;
        Task::Write(WriteJob {
            folder: target.manifest.head.folder.clone(),
            file: file.clone(),
            size: plan.size,
            time_ns: plan.time_ns,
            block: plan.block,
            depth: plan.depth,
            durability: plan.durability,
            data: plan.data,
            seed,
        })
    }

    fn read_task(&self, target: &Prepared, file: &FileName, seed: u64, size: Bytes) -> Task {
        let plan = &self.report.plan;
        Task::Read(ReadJob {
            folder: target.manifest.head.folder.clone(),
            file: file.clone(),
            size,
            time_ns: plan.time_ns,
            block: plan.block,
            depth: plan.depth,
            read_cache: plan.read_cache,
            data: plan.data,
            seed,
        })
    }

    /// Has one job done; whatever becomes of it is a sample.
    fn phase(
        &self,
        target: &Prepared,
        workload: Workload,
        task: &Task,
        on: &mut dyn FnMut(Event<'_>),
    ) -> (Sample, Option<Pause>) {
        let limit = self.report.plan.time_ns.map(Nanoseconds::to_duration);
        on(Event::Phase { target: &target.label, workload, round: self.number, limit });
        let job = Job { place: target.place.clone(), task: task.clone() };
        let started = jiff::Timestamp::now();
        let ended = self.context.conductor().conduct(&job, &mut |progress| on(Event::Progress(progress)));
        let transfer = match ended {
            Ended::Outcome(Outcome::Transferred(transfer)) => *transfer,
            Ended::Outcome(Outcome::Failed(failure)) => lost(started, failure, None),
            Ended::Lost(failure, last) => lost(started, failure, last),
            Ended::Outcome(_) => lost(started, unexpected(&target.place), None),
        };
        let pause = transfer.pause;
        (Sample::from_transfer(target.label.clone(), workload, self.number, transfer), pause)
    }

    /// Whether the sample is to be thrown away because the machine stood still; says so.
    fn repeats(
        &mut self,
        sample: &mut Sample,
        pause: Option<Pause>,
        attempt: u32,
        target: &Prepared,
        on: &mut dyn FnMut(Event<'_>),
    ) -> bool {
        let Some(pause) = pause else { return false };
        if sample.error.is_some() {
            return false;
        }
        if attempt == TRIES {
            sample.partial = true;
            sample.error =
                Some(Failure::new(FailureCode::Stalled, Operation::Worker, target.place.to_string()));
            return false;
        }
        let warning = Warning::SampleRepeated {
            workload: sample.workload,
            round: self.number,
            reason: pause.reason,
            lost_ns: pause.lost,
        };
        warn(self.report, &target.label, warning, on);
        true
    }

    /// Adds the sample; one that ended early ends the run.
    fn keep(&mut self, sample: Sample, on: &mut dyn FnMut(Event<'_>)) -> Result<(), Failure> {
        on(Event::Sampled(&sample));
        let error = sample.error.clone();
        self.report.samples.push(sample);
        error.map_or(Ok(()), Err)
    }

    /// Removes the round's file. One that cannot be removed now is tried again at the end of the run.
    fn remove(&self, target: &Prepared, file: &FileName) -> Result<(), Failure> {
        let task = Task::Remove {
            folder: target.manifest.head.folder.clone(),
            files: vec![file.clone()],
            folder_too: false,
        };
        match self.context.conductor().conduct(&Job { place: target.place.clone(), task }, &mut |_| {}) {
            Ended::Outcome(Outcome::Removed { left }) => left.into_iter().next().map_or(Ok(()), Err),
            Ended::Outcome(Outcome::Failed(failure)) | Ended::Lost(failure, _) => Err(failure),
            Ended::Outcome(_) => Err(unexpected(&target.place)),
        }
    }
}

/// The next name: each file has a new one, so that nothing kept under an old one can answer for it.
fn next_file(target: &Prepared) -> Result<FileName, Failure> {
    let name = format!("f{:04}.bin", target.manifest.files.len() + 1);
    FileName::try_from(name).map_err(|error| unexpected(&error.0))
}

/// What is known of a transfer whose worker did not come to tell.
fn lost(started: jiff::Timestamp, failure: Failure, last: Option<Progress>) -> Transfer {
    let bytes = last.map(|last| last.bytes).unwrap_or_default();
    let transfer = last.map(|last| last.elapsed_ns).unwrap_or_default();
    let series = last.map(|_| SeriesPoint { t_ms: transfer.0 / 1_000_000, bytes });
    Transfer {
        started,
        bytes,
        open: Nanoseconds(0),
        transfer,
        flush: Nanoseconds(0),
        close: Nanoseconds(0),
        first_byte: None,
        series: series.into_iter().collect(),
        latency: None,
        cache: sharemark_model::CacheUse::default(),
        source: sharemark_model::DataSource::default(),
        verified: None,
        depth: 0,
        pause: None,
        failure: Some(failure),
    }
}
