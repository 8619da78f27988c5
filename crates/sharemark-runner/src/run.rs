//! A run from its plan to its report.

use std::time::Duration;

use sharemark_model::{
    Action, Bytes, Failure, FailureCode, FolderName, Inspection, Job, MountKind, Operation, Outcome, Place,
    Plan, Quantity, Report, SCHEMA_VERSION, TargetCache, TargetReport, TargetSpec, Task, Tool, Warning,
    Workload,
};

use crate::clean::unexpected;
use crate::conduct::Ended;
use crate::context::{Context, Prepared, wait, warn};
use crate::event::{Event, Wait};
use crate::finish;
use crate::manifest::Manifest;
use crate::order::order;
use crate::round::Round;

/// Runs `plan`, whose targets are at `places` in the same order, and answers with what was measured, also when it ended early: then the report says so and why. What was
/// made at the targets is removed before this returns, or named in the report as left behind.
pub fn run(
    plan: Plan,
    places: &[Place],
    id: String,
    context: &Context<'_>,
    on: &mut dyn FnMut(Event<'_>),
) -> Report {
    let mut report = Report {
        schema: SCHEMA_VERSION,
        tool: Tool { name: "sharemark".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        id,
        started: jiff::Timestamp::now(),
        finished: None,
        partial: true,
        error: None,
        host: crate::host(),
        plan,
        targets: Vec::new(),
        samples: Vec::new(),
        summary: Vec::new(),
        comparisons: Vec::new(),
        findings: Vec::new(),
        limit: None,
    };
    let mut prepared = Vec::new();
    let mut error = prepare(&mut report, places, context, &mut prepared, on).err();
    if error.is_none() {
        on(Event::Started(&report));
        error = rounds(&mut report, context, &mut prepared, on).err();
    }
    if !prepared.is_empty() {
        on(Event::Cleaning);
    }
    finish::clean_up(prepared, context, &mut report, error.as_ref(), on);
    finish::conclude(&mut report, error);
    report
}

/// Looks at every target, then makes every folder: nothing is made anywhere while something is wrong somewhere.
fn prepare(
    report: &mut Report,
    places: &[Place],
    context: &Context<'_>,
    prepared: &mut Vec<Prepared>,
    on: &mut dyn FnMut(Event<'_>),
) -> Result<(), Failure> {
    let mut found = Vec::new();
    for (spec, place) in report.plan.targets.clone().into_iter().zip(places) {
        let (place, inspection) = crate::clean::inspect(place, &context.conductor())?;
        let target = described(&spec, &place, &inspection);
        for warning in &target.warnings {
            on(Event::Warned(&target.label, warning));
        }
        report.targets.push(target);
        check_space(&inspection, &report.plan)?;
        found.push((spec.label, place, inspection));
    }
    for (index, (label, place, inspection)) in found.into_iter().enumerate() {
        let manifest = begin_manifest(&report.id, index, &place, &inspection, context)?;
        match make_folder(&place, &manifest, context) {
            Ok(()) => {
                prepared.push(Prepared { label, place, manifest, kept: None, size: None, unable: Vec::new() })
            }
            Err(failure) if refused(failure.code) => {
                // Nothing was made: nothing is to be removed. The folder's failure is what matters.
                manifest.finish().ok();
                return Err(failure);
            }
            Err(failure) => {
                // Whether the folder was made is not known: its manifest stays.
                let warning = Warning::LeftBehind { place: manifest.place(), reason: failure.code };
                warn(report, &label, warning, on);
                return Err(failure);
            }
        }
    }
    Ok(())
}

fn described(spec: &TargetSpec, place: &Place, found: &Inspection) -> TargetReport {
    let mut warnings = Vec::new();
    if let Some(mount) = &found.mount {
        let file_system = mount.file_system.clone();
        match mount.kind {
            MountKind::Local => warnings.push(Warning::LocalDisk { file_system }),
            MountKind::Memory => warnings.push(Warning::MemoryFileSystem { file_system }),
            MountKind::Fuse => warnings.push(Warning::FuseCache { file_system }),
            MountKind::Network | MountKind::Pseudo | MountKind::Unknown => {}
        }
    }
    TargetReport {
        label: spec.label.clone(),
        location: spec.location.to_string(),
        kind: match place {
            Place::Folder(_) => "mount".to_owned(),
            Place::Share(share) => share.address.protocol.scheme().to_owned(),
        },
        server: found.server.clone().or_else(|| {
            let name = found.mount.as_ref()?.server.clone()?;
            Some([("name".to_owned(), name.into())].into())
        }),
        mount: found.mount.clone(),
        cache: TargetCache::default(),
        free_bytes: found.free,
        warnings,
    }
}

/// Some room is left beside the file: a share that is filled to its last byte disturbs others, and fails late.
fn check_space(found: &Inspection, plan: &Plan) -> Result<(), Failure> {
    let size = most_at_once(plan).0;
    let needed = Bytes(size.saturating_add(size / 100));
    match found.free {
        Some(free) if free < needed => {
            Err(Failure::new(FailureCode::NoSpace, Operation::Inspect, found.path.clone())
                .with_sizes(needed, free))
        }
        _ => Ok(()),
    }
}

/// The most bytes that the plan's files take at one time.
fn most_at_once(plan: &Plan) -> Bytes {
    let writes = plan.workloads.iter().position(|workload| workload.action == Action::SeqWrite);
    let uses = plan
        .workloads
        .iter()
        .position(|workload| !matches!(workload.action, Action::SeqWrite | Action::Files(_)));
    let spoils = |workload: &Workload| matches!(workload.action, Action::RandWrite | Action::Mixed(_));
    let wants_fresh = |workload: &Workload| workload.reads() && workload.quantity() == Quantity::Bytes;
    let spoilt = plan.workloads.iter().position(spoils);
    let again = spoilt.is_some_and(|at| plan.workloads[at + 1..].iter().any(wants_fresh));
    // A file that is used before the round writes its own is kept beside that one, and so is one that is read after the
    // round's own was written over.
    let files = match (writes, uses) {
        (Some(writes), Some(uses)) if uses < writes || again => 2,
        (None, None) => 0,
        _ => 1,
    };
    let small = plan.workloads.iter().any(|workload| matches!(workload.action, Action::Files(_)));
    let small: u64 = if small { (0..plan.files).map(|number| plan.file_mix.size(number).0).sum() } else { 0 };
    Bytes(plan.size.0.saturating_mul(files).saturating_add(small))
}

fn begin_manifest(
    run: &str,
    index: usize,
    place: &Place,
    found: &Inspection,
    context: &Context<'_>,
) -> Result<Manifest, Failure> {
    // The same folder may be named twice, as two targets.
    let name = if index == 0 { run.to_owned() } else { format!("{run}-{}", index + 1) };
    let folder = FolderName::for_run(&name).map_err(|error| unexpected(&error.0))?;
    Ok(Manifest::begin(context.data_dir, run, &place.to_string(), found.mount.as_ref(), folder)?)
}

fn make_folder(place: &Place, manifest: &Manifest, context: &Context<'_>) -> Result<(), Failure> {
    let task = Task::CreateFolder { folder: manifest.head.folder.clone() };
    match context.conductor().conduct(&Job { place: place.clone(), task }, &mut |_| {}) {
        Ended::Outcome(Outcome::FolderCreated) => Ok(()),
        Ended::Outcome(Outcome::Failed(failure)) | Ended::Lost(failure, _) => Err(failure),
        Ended::Outcome(_) => Err(unexpected(place)),
    }
}

/// Whether a failure to make the folder means that it was not made. When a connection breaks the server may have made it,
/// and the answer was lost.
const fn refused(code: FailureCode) -> bool {
    matches!(
        code,
        FailureCode::NotFound
            | FailureCode::NotAFolder
            | FailureCode::NoPermission
            | FailureCode::RootSquash
            | FailureCode::ReadOnly
            | FailureCode::NoSpace
            | FailureCode::Quota
            | FailureCode::NameTooLong
            | FailureCode::Unsupported
            | FailureCode::UnknownHost
            | FailureCode::Refused
            | FailureCode::LoginRefused
            | FailureCode::UnknownShare
    )
}

/// Makes rounds until the means, and with more than one target their ratios, are known well enough or a limit is reached.
fn rounds(
    report: &mut Report,
    context: &Context<'_>,
    prepared: &mut [Prepared],
    on: &mut dyn FnMut(Event<'_>),
) -> Result<(), Failure> {
    let begun = context.clock.now();
    for number in 1..=report.plan.rounds.at_most {
        if number > 1 {
            wait(context, Wait::Pause, report.plan.pause_ns.to_duration(), on)?;
        }
        for index in order(number, prepared.len(), report.plan.seed) {
            Round::new(number, report, context, on).measure(&mut prepared[index])?;
        }
        // Nothing is left that any target can do.
        let unable =
            |target: &Prepared| report.plan.workloads.iter().all(|workload| target.unable.contains(workload));
        if prepared.iter().all(unable) {
            break;
        }
        if enough(report, prepared, number, context.clock.now().saturating_sub(begun)) {
            break;
        }
    }
    Ok(())
}

fn enough(report: &mut Report, prepared: &[Prepared], number: u32, passed: Duration) -> bool {
    let rounds = report.plan.rounds;
    if number < rounds.at_least {
        return false;
    }
    finish::summarise(report);
    let one_more = passed + passed / number;
    let left_out: Vec<_> = prepared
        .iter()
        .flat_map(|target| target.unable.iter().map(|workload| (target.label.as_str(), *workload)))
        .collect();
    let precise = sharemark_stats::precise_enough(&report.summary, &report.plan, &left_out)
        && sharemark_stats::comparisons_precise(&report.comparisons, &report.plan, &left_out);
    precise || one_more > rounds.budget_ns.to_duration()
}
