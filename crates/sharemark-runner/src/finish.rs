//! The end of a run: what was made is removed, and the samples become summaries, comparisons and warnings.

use std::time::Duration;

use sharemark_model::{
    Action, Bytes, Failure, FailureCode, FilesAction, Job, Outcome, Plan, ReadMode, Report, Sample, Task,
    Warning, Workload, WriteMode,
};

use crate::conduct::{Conductor, Ended};
use crate::context::{Context, Prepared, warn};
use crate::event::Event;
use crate::round::shape;

/// A target that stopped answering will hardly answer now: cleaning up is tried, but not for long.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a block must be a multiple of to go past the cache.
const ALIGNMENT: u64 = sharemark_target::ALIGNMENT as u64;

/// A wait for data of more than this share of a phase is part of the number.
const NOTICEABLE_WAIT: f64 = 0.01;

/// Removes what the manifests name. What cannot be removed is told, and its manifest stays.
pub(crate) fn clean_up(
    prepared: Vec<Prepared>,
    context: &Context<'_>,
    report: &mut Report,
    error: Option<&Failure>,
    on: &mut dyn FnMut(Event<'_>),
) {
    let gone =
        error.is_some_and(|error| matches!(error.code, FailureCode::Stalled | FailureCode::ServerGone));
    let stall = if gone { context.stall.min(PATIENCE) } else { context.stall };
    for target in prepared {
        let reason = remove(&target, &Conductor { stall, ..context.conductor() });
        let place = target.manifest.place();
        let reason = reason.or_else(|| {
            let failure: Failure = target.manifest.finish().err()?.into();
            Some(failure.code)
        });
        if let Some(reason) = reason {
            let warning = Warning::LeftBehind { place, reason };
            warn(report, &target.label, warning, on);
        }
    }
}

fn remove(target: &Prepared, conductor: &Conductor<'_>) -> Option<FailureCode> {
    if conductor.interrupts.at_once() {
        return Some(FailureCode::Interrupted);
    }
    let head = &target.manifest.head;
    let task =
        Task::Remove { folder: head.folder.clone(), files: target.manifest.files.clone(), folder_too: true };
    match conductor.conduct(&Job { place: target.place.clone(), task }, &mut |_| {}) {
        Ended::Outcome(Outcome::Removed { left }) => left.first().map(|failure| failure.code),
        Ended::Outcome(Outcome::Failed(failure)) | Ended::Lost(failure, _) => Some(failure.code),
        Ended::Outcome(_) => Some(FailureCode::WorkerDied),
    }
}

/// What the samples amount to so far.
pub(crate) fn summarise(report: &mut Report) {
    report.summary = sharemark_stats::summarise(&report.plan, &report.samples);
    report.comparisons = sharemark_stats::compare(&report.plan, &report.samples, &report.summary);
}

/// Turns samples into summaries, comparisons and warnings, and closes the report.
pub(crate) fn conclude(report: &mut Report, error: Option<Failure>) {
    summarise(report);
    for index in 0..report.targets.len() {
        let label = report.targets[index].label.clone();
        let samples: Vec<&Sample> = report.samples.iter().filter(|sample| sample.target == label).collect();
        let target = &report.targets[index];
        let mut cache = target.cache;
        for sample in samples.iter().filter(|sample| !asks(sample)) {
            // The weakest of the ways taken.
            cache.write = cache.write.max(sample.cache.write);
            cache.read = cache.read.max(sample.cache.read);
        }
        let mut warnings = about_cache(report, &samples);
        for workload in &report.plan.workloads {
            warnings.extend(about_queue(&report.plan, *workload, &samples));
            warnings.extend(about_data(*workload, &samples));
        }
        report.targets[index].cache = cache;
        report.targets[index].warnings.extend(warnings);
    }
    for (label, warning) in sharemark_stats::warnings(&report.plan, &report.summary) {
        if let Some(target) = report.targets.iter_mut().find(|target| target.label == label) {
            target.warnings.push(warning);
        }
    }
    report.partial = error.is_some() || report.samples.iter().any(|sample| sample.partial);
    report.error = error;
    report.finished = Some(jiff::Timestamp::now());
}

/// Whether a sample asked for names and sizes only, which is another matter than bytes.
const fn asks(sample: &Sample) -> bool {
    matches!(sample.workload.action, Action::Files(FilesAction::List | FilesAction::Stat))
}

fn about_cache(report: &Report, samples: &[&Sample]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let reads = || samples.iter().filter(|sample| sample.cache.read.is_some() && !asks(sample));
    let writes = || samples.iter().filter(|sample| sample.cache.write.is_some());
    if let Some(sample) = writes().find(|sample| sample.cache.write == Some(WriteMode::Buffered)) {
        warnings.push(Warning::CacheAllowed { workload: sample.workload });
    }
    let names = |sample: &&&Sample| asks(sample) && sample.counts();
    if samples.iter().filter(names).any(|sample| !sample.cache.ruled_out) {
        warnings.push(Warning::NamesRemembered);
    }
    let block = |sample: &Sample| sample.block.unwrap_or(Bytes(ALIGNMENT));
    let aligned = |sample: &&&Sample| block(sample).0.is_multiple_of(ALIGNMENT);
    let cached = |sample: &&&Sample| {
        sample.cache.write == Some(WriteMode::CachedWriteThrough)
            || sample.cache.read == Some(ReadMode::Dropped)
    };
    if let Some(sample) = samples.iter().find(|sample| !aligned(sample) && cached(sample)) {
        let block = block(sample);
        let suggestion = Bytes((block.0 / ALIGNMENT).max(1) * ALIGNMENT);
        warnings.push(Warning::BlockUnaligned { block, suggestion });
    }
    let through = |sample: &&&Sample| sample.cache.write == Some(WriteMode::CachedWriteThrough);
    if let Some(sample) = writes().filter(aligned).find(through) {
        warnings.push(Warning::DirectRefused { workload: sample.workload });
    }
    if let Some(sample) = reads().find(|sample| sample.cache.read == Some(ReadMode::Cached)) {
        warnings.push(Warning::CacheAllowed { workload: reading(sample.workload) });
        return warnings;
    }
    let dropped = |sample: &&&Sample| sample.cache.read == Some(ReadMode::Dropped);
    if let Some(sample) = reads().filter(aligned).find(dropped) {
        warnings.push(Warning::DirectRefused { workload: sample.workload });
    }
    let doubtful: Vec<_> = reads()
        .filter(|sample| !sample.cache.ruled_out && sample.operations > 0 && sample.cache.read.is_some())
        .collect();
    if report.plan.read_cache == sharemark_model::ReadCache::Avoid && !doubtful.is_empty() {
        warnings.push(Warning::CacheNotRuledOut {
            samples: u32::try_from(doubtful.len()).unwrap_or(u32::MAX),
            resident: doubtful.iter().filter_map(|sample| sample.cache.resident_bytes).max(),
        });
    }
    warnings
}

/// The workload by which a cached read is told: one that reads only.
const fn reading(workload: Workload) -> Workload {
    if workload.writes() { Workload::SEQ_READ } else { workload }
}

/// Tells a queue that was not carried, and no file that was only too short to fill it.
fn about_queue(plan: &Plan, workload: Workload, samples: &[&Sample]) -> Option<Warning> {
    if workload.action == Action::Files(FilesAction::List) {
        return None;
    }
    let (_, asked) = shape(plan, workload);
    let filled = of(workload, samples).filter(|sample| sample.operations >= u64::from(asked));
    let carried = filled.map(|sample| sample.depth).min()?;
    (carried < asked).then_some(Warning::DepthReduced { workload, asked, carried })
}

fn about_data(workload: Workload, samples: &[&Sample]) -> Option<Warning> {
    let shares = of(workload, samples).map(|sample| {
        let queue = sample.transfer_ns.as_secs_f64() * f64::from(sample.depth.max(1));
        sample.source.waited_ns.as_secs_f64() / queue.max(f64::MIN_POSITIVE)
    });
    let share = shares.fold(0.0, f64::max);
    (share > NOTICEABLE_WAIT).then_some(Warning::GeneratorBound { workload, share })
}

fn of<'s>(workload: Workload, samples: &'s [&Sample]) -> impl Iterator<Item = &'s Sample> {
    samples.iter().copied().filter(move |sample| sample.workload == workload && sample.counts())
}
