//! One round at one target: each workload once, on files that it writes itself or that are prepared for it.

mod tasks;

use sharemark_model::{
    Action, Bytes, Failure, FailureCode, FileName, FilesAction, Job, Nanoseconds, Operation, Outcome, Pause,
    Progress, Quantity, Sample, SeriesPoint, SmallFile, Task, Transfer, Warning, Workload,
};
use sharemark_target::generator::file_seed;

use crate::clean::unexpected;
use crate::conduct::Ended;
use crate::context::{Context, Prepared, wait, warn};
use crate::event::{Event, Wait};

pub(crate) use self::tasks::{HeldFile, shape};

/// A sample disturbed by sleep is measured again, but not for ever on a machine that keeps falling asleep.
const TRIES: u32 = 3;

pub(crate) struct Round<'r, 'c> {
    pub(crate) number: u32,
    pub(crate) report: &'r mut sharemark_model::Report,
    pub(crate) context: &'c Context<'c>,
    on: &'r mut dyn FnMut(Event<'_>),
    /// The file that this round wrote.
    file: Option<HeldFile>,
    small: Vec<SmallFile>,
    /// The file that the last phase worked on.
    used: Option<FileName>,
    /// Something was written since the last wait for the server to settle.
    unsettled: bool,
}

impl<'r, 'c> Round<'r, 'c> {
    pub(crate) fn new(
        number: u32,
        report: &'r mut sharemark_model::Report,
        context: &'c Context<'c>,
        on: &'r mut dyn FnMut(Event<'_>),
    ) -> Self {
        Self { number, report, context, on, file: None, small: Vec::new(), used: None, unsettled: false }
    }

    /// Measures the round's samples and adds them to the report.
    ///
    /// # Errors
    /// What ended the run; the samples made until then are in the report.
    pub(crate) fn measure(&mut self, target: &mut Prepared) -> Result<(), Failure> {
        for workload in self.report.plan.workloads.clone() {
            if !target.unable.contains(&workload) {
                self.workload(target, workload)?;
            }
        }
        let small = std::mem::take(&mut self.small);
        let mut left: Vec<FileName> = small.into_iter().map(|small| small.file).collect();
        left.extend(self.file.take().map(|file| file.name));
        self.remove(target, left)
    }

    fn workload(&mut self, target: &mut Prepared, workload: Workload) -> Result<(), Failure> {
        let mut attempt = 1;
        loop {
            if self.context.interrupts.stop() {
                return Err(Failure::new(
                    FailureCode::Interrupted,
                    Operation::Worker,
                    target.place.to_string(),
                ));
            }
            let (mut sample, pause) = match workload.action {
                Action::SeqWrite => self.write(target, workload)?,
                Action::SeqRead | Action::RandRead | Action::RandWrite | Action::Mixed(_) => {
                    self.use_file(target, workload)?
                }
                Action::Files(action) => self.small_files(target, workload, action)?,
            };
            if self.shrinks(&sample, target) || self.unable(&sample, target) {
                if target.unable.contains(&workload) {
                    return Ok(());
                }
                continue;
            }
            if self.repeats(&mut sample, pause, attempt, target) {
                attempt += 1;
                self.spoil(target, workload)?;
                continue;
            }
            return self.keep(sample);
        }
    }

    fn write(
        &mut self,
        target: &mut Prepared,
        workload: Workload,
    ) -> Result<(Sample, Option<Pause>), Failure> {
        if let Some(old) = self.file.take() {
            self.remove(target, vec![old.name])?;
        }
        let file = self.new_file(target)?;
        let task = tasks::write(&self.report.plan, &target.manifest.head.folder, workload, &file);
        let (sample, pause) = self.phase(target, workload, &task);
        self.unsettled = true;
        self.used = Some(file.name.clone());
        self.file = Some(HeldFile { size: sample.bytes, ..file });
        Ok((sample, pause))
    }

    fn use_file(
        &mut self,
        target: &mut Prepared,
        workload: Workload,
    ) -> Result<(Sample, Option<Pause>), Failure> {
        // What only writes does not care what it writes over.
        let file = self.file_for(target, workload.action != Action::RandWrite)?;
        if workload.shape.is_some_and(|shape| file.size < shape.block) {
            let failure = Failure::new(FailureCode::FileTooShort, Operation::Open, target.place.to_string());
            return Err(failure.with_sizes(shape(&self.report.plan, workload).0, file.size));
        }
        if workload.reads() {
            self.settle()?;
        }
        let number = u64::from(self.number) << 32 | self.report.samples.len() as u64;
        let new_seed = file_seed(self.report.plan.seed ^ file.seed, number);
        let task = tasks::use_of(&self.report.plan, &target.manifest.head.folder, workload, &file, new_seed);
        let (sample, pause) = self.phase(target, workload, &task);
        if workload.writes() && !refuses(&sample) {
            self.unsettled = true;
            for held in self.file.iter_mut().chain(&mut target.kept) {
                held.fresh &= held.name != file.name;
            }
        }
        self.used = Some(file.name);
        Ok((sample, pause))
    }

    /// A file to work on: this round's, else the one kept over the rounds, else a new one that is kept.
    fn file_for(&mut self, target: &mut Prepared, fresh: bool) -> Result<HeldFile, Failure> {
        let fits = |file: &&HeldFile| file.fresh || !fresh;
        if let Some(file) = self.file.iter().chain(&target.kept).find(fits) {
            return Ok(file.clone());
        }
        if let Some(old) = target.kept.take() {
            self.remove(target, vec![old.name])?;
        }
        loop {
            let file = self.new_file(target)?;
            let task = tasks::prepare(&self.report.plan, &target.manifest.head.folder, &file);
            let transfer = self.prepare(target, &task);
            self.unsettled = true;
            match transfer.failure {
                None => {
                    let file = HeldFile { size: transfer.bytes, ..file };
                    target.kept = Some(file.clone());
                    return Ok(file);
                }
                Some(failure) if failure.code == FailureCode::TooLarge && self.shrink(target) => {}
                Some(failure) => return Err(failure),
            }
        }
    }

    fn small_files(
        &mut self,
        target: &mut Prepared,
        workload: Workload,
        action: FilesAction,
    ) -> Result<(Sample, Option<Pause>), Failure> {
        let folder = target.manifest.head.folder.clone();
        if action == FilesAction::Write || self.small.is_empty() {
            let old = std::mem::take(&mut self.small).into_iter().map(|small| small.file).collect();
            self.remove(target, old)?;
            self.small = self.new_small_files(target)?;
            self.unsettled = true;
            if action != FilesAction::Write {
                let files = self.small.clone();
                let task =
                    tasks::small(&self.report.plan, &folder, FilesAction::Write, workload, files, false);
                let failure = self.prepare(target, &task).failure;
                failure.map_or(Ok(()), Err)?;
            }
        }
        if action != FilesAction::Write {
            self.settle()?;
        }
        let task = tasks::small(&self.report.plan, &folder, action, workload, self.small.clone(), true);
        let (sample, pause) = self.phase(target, workload, &task);
        let done = usize::try_from(sample.operations).unwrap_or(usize::MAX);
        match action {
            // What its time did not reach was never made.
            FilesAction::Write => self.small.truncate(done),
            // After a failure it is not known which of them are gone.
            FilesAction::Delete if sample.error.is_none() => {
                let gone = self.small.drain(..done.min(self.small.len())).map(|small| small.file);
                target.manifest.forget(&gone.collect::<Vec<_>>());
            }
            FilesAction::Delete | FilesAction::List | FilesAction::Stat | FilesAction::Read => {}
        }
        Ok((sample, pause))
    }

    fn new_file(&mut self, target: &mut Prepared) -> Result<HeldFile, Failure> {
        // Each file has a new name, so that nothing kept under an old one can answer for it.
        let number = target.manifest.named() + 1;
        let name = named(format!("f{number:04}.bin"))?;
        target.manifest.add(std::slice::from_ref(&name))?;
        let seed = file_seed(self.report.plan.seed, number);
        Ok(HeldFile { name, seed, size: target.size.unwrap_or(self.report.plan.size), fresh: true })
    }

    fn new_small_files(&self, target: &mut Prepared) -> Result<Vec<SmallFile>, Failure> {
        let plan = &self.report.plan;
        let first = target.manifest.named() + 1;
        let files = (0..plan.files).map(|index| {
            let number = first + u64::from(index);
            let file = named(format!("s{number:06}.bin"))?;
            Ok(SmallFile { file, size: plan.file_mix.size(index), seed: file_seed(plan.seed, number) })
        });
        let files = files.collect::<Result<Vec<_>, Failure>>()?;
        let names: Vec<FileName> = files.iter().map(|small| small.file.clone()).collect();
        target.manifest.add(&names)?;
        Ok(files)
    }

    fn settle(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.unsettled) {
            wait(self.context, Wait::Settle, self.report.plan.settle_ns.to_duration(), self.on)?;
        }
        Ok(())
    }

    /// Has one job done; whatever becomes of it is a sample.
    fn phase(&mut self, target: &Prepared, workload: Workload, task: &Task) -> (Sample, Option<Pause>) {
        let limit = self.report.plan.time_ns.map(Nanoseconds::to_duration);
        let workload_of = Some(workload);
        (self.on)(Event::Phase { target: &target.label, workload: workload_of, round: self.number, limit });
        let transfer = self.conducted(target, task);
        let pause = transfer.pause;
        let block = match workload.action {
            Action::Files(_) => None,
            _ => Some(shape(&self.report.plan, workload).0),
        };
        (Sample::from_transfer(target.label.clone(), workload, block, self.number, transfer), pause)
    }

    /// Has files written that later phases need, and that are no measurement.
    fn prepare(&mut self, target: &Prepared, task: &Task) -> Transfer {
        (self.on)(Event::Phase { target: &target.label, workload: None, round: self.number, limit: None });
        self.conducted(target, task)
    }

    fn conducted(&mut self, target: &Prepared, task: &Task) -> Transfer {
        let job = Job { place: target.place.clone(), task: task.clone() };
        let started = jiff::Timestamp::now();
        let ended =
            self.context.conductor().conduct(&job, &mut |progress| (self.on)(Event::Progress(progress)));
        match ended {
            Ended::Outcome(Outcome::Transferred(transfer)) => *transfer,
            Ended::Outcome(Outcome::Failed(failure)) => lost(started, failure, None),
            Ended::Lost(failure, last) => lost(started, failure, last),
            Ended::Outcome(_) => lost(started, unexpected(&target.place), None),
        }
    }

    /// Whether the server took no file of that size, and a smaller one is tried; says so.
    fn shrinks(&mut self, sample: &Sample, target: &mut Prepared) -> bool {
        let too_large = sample.error.as_ref().is_some_and(|failure| failure.code == FailureCode::TooLarge);
        // Only one large file can be made smaller; small files are as large as their kind is.
        too_large && sample.workload.action == Action::SeqWrite && self.shrink(target)
    }

    /// Halves the size of this target's files from now on, down to one block.
    fn shrink(&mut self, target: &mut Prepared) -> bool {
        let plan = &self.report.plan;
        let asked = target.size.unwrap_or(plan.size);
        let bytes = plan.workloads.iter().filter(|workload| workload.quantity() == Quantity::Bytes);
        let block = bytes.map(|workload| shape(plan, *workload).0).max().unwrap_or(plan.block);
        let smaller = Bytes(asked.0 / 2 / block.0 * block.0);
        if smaller < block {
            return false;
        }
        target.size = Some(smaller);
        let plan_size = plan.size;
        if let Some(found) = self.report.targets.iter_mut().find(|found| found.label == target.label) {
            found.warnings.retain(|warning| !matches!(warning, Warning::SizeReduced { .. }));
        }
        let warning = Warning::SizeReduced { asked: plan_size, used: smaller };
        warn(self.report, &target.label, warning, self.on);
        true
    }

    /// Whether the protocol has no way to do this workload; says so, and leaves it out.
    fn unable(&mut self, sample: &Sample, target: &mut Prepared) -> bool {
        let unable = refuses(sample);
        if unable {
            target.unable.push(sample.workload);
            let warning = Warning::WorkloadUnsupported { workload: sample.workload };
            warn(self.report, &target.label, warning, self.on);
        }
        unable
    }

    /// Whether the sample is to be thrown away because the machine stood still; says so.
    fn repeats(
        &mut self,
        sample: &mut Sample,
        pause: Option<Pause>,
        attempt: u32,
        target: &Prepared,
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
        warn(self.report, &target.label, warning, self.on);
        true
    }

    /// What a disturbed phase has touched is not used again: a file is read under a name that nothing knows yet.
    fn spoil(&mut self, target: &mut Prepared, workload: Workload) -> Result<(), Failure> {
        let names: Vec<FileName> = match workload.action {
            Action::Files(_) => std::mem::take(&mut self.small).into_iter().map(|small| small.file).collect(),
            _ => self.used.take().into_iter().collect(),
        };
        for held in [&mut self.file, &mut target.kept] {
            held.take_if(|file| names.contains(&file.name));
        }
        self.remove(target, names)
    }

    /// Adds the sample; one that ended early ends the run.
    fn keep(&mut self, sample: Sample) -> Result<(), Failure> {
        (self.on)(Event::Sampled(&sample));
        let error = sample.error.clone();
        self.report.samples.push(sample);
        error.map_or(Ok(()), Err)
    }

    /// Removes files. One that cannot be removed now is tried again at the end of the run.
    fn remove(&self, target: &mut Prepared, files: Vec<FileName>) -> Result<(), Failure> {
        if files.is_empty() {
            return Ok(());
        }
        let folder = target.manifest.head.folder.clone();
        let task = Task::Remove { folder, files: files.clone(), folder_too: false };
        match self.context.conductor().conduct(&Job { place: target.place.clone(), task }, &mut |_| {}) {
            Ended::Outcome(Outcome::Removed { left }) => {
                if let Some(first) = left.into_iter().next() {
                    return Err(first);
                }
                target.manifest.forget(&files);
                Ok(())
            }
            Ended::Outcome(Outcome::Failed(failure)) | Ended::Lost(failure, _) => Err(failure),
            Ended::Outcome(_) => Err(unexpected(&target.place)),
        }
    }
}

/// Whether the protocol has no way to write a part of a file.
fn refuses(sample: &Sample) -> bool {
    let unsupported = sample.error.as_ref().is_some_and(|failure| {
        failure.code == FailureCode::Unsupported && failure.operation == Operation::Open
    });
    unsupported && matches!(sample.workload.action, Action::RandWrite | Action::Mixed(_))
}

fn named(name: String) -> Result<FileName, Failure> {
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
        operations: 0,
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
