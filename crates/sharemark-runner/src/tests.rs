//! Runs with scripted workers and a clock of the test's own: what must not depend on this machine's speed.

mod workloads;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use sharemark_model::{
    Bytes, CacheUse, DataSource, Failure, FailureCode, Inspection, Job, Nanoseconds, Operation, Outcome,
    Pause, Place, Plan, Profile, Progress, RepeatReason, Report, Rounds, Stage, Task, Told, Transfer,
    Warning, Workload,
};

use crate::{Clock, Context, Event, Executor, Heard, Interrupts, Running, leftovers, run};

/// What a scripted worker says, each word after its delay; then it is silent for ever.
type Script = VecDeque<(Duration, Heard)>;

#[derive(Clone, Default)]
struct FakeClock(Rc<Cell<Duration>>);

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.0.get()
    }

    fn sleep(&self, time: Duration) {
        self.0.set(self.0.get() + time);
    }
}

struct Scripted<F> {
    clock: FakeClock,
    script: RefCell<F>,
    jobs: RefCell<Vec<Job>>,
}

impl<F: FnMut(&Job) -> Script> Executor for Scripted<F> {
    fn start(&self, job: &Job) -> io::Result<Box<dyn Running>> {
        self.jobs.borrow_mut().push(job.clone());
        let script = (self.script.borrow_mut())(job);
        Ok(Box::new(ScriptedJob { clock: self.clock.clone(), script }))
    }
}

struct ScriptedJob {
    clock: FakeClock,
    script: Script,
}

impl Running for ScriptedJob {
    fn next(&mut self, wait: Duration) -> Heard {
        match self.script.pop_front() {
            Some((delay, heard)) if delay <= wait => {
                self.clock.sleep(delay);
                heard
            }
            later => {
                self.clock.sleep(wait);
                if let Some((delay, heard)) = later {
                    self.script.push_front((delay - wait, heard));
                }
                Heard::Silence
            }
        }
    }

    fn cancel(&mut self) {
        // As a worker does: it ends after the operation under way.
        for (_, heard) in &mut self.script {
            if let Heard::Told(Told::Outcome(outcome)) = heard
                && let Outcome::Transferred(transfer) = &mut **outcome
            {
                transfer.failure = Some(Failure::new(FailureCode::Interrupted, Operation::Write, "x"));
            }
        }
    }

    fn abandon(&mut self) {
        self.script.clear();
    }
}

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn outcome(delay: Duration, outcome: Outcome) -> Script {
    [(delay, Heard::Told(Told::Outcome(Box::new(outcome))))].into()
}

fn progress(stage: Stage, operations: u64, unwritten: Option<u64>) -> Heard {
    Heard::Told(Told::Progress(Progress {
        stage,
        operations,
        bytes: Bytes(operations << 20),
        total: Bytes(1 << 30),
        elapsed_ns: Nanoseconds(operations * 1_000_000_000),
        unwritten: unwritten.map(Bytes),
    }))
}

/// 1 GiB in `seconds`.
fn transfer(seconds: f64) -> Transfer {
    let time = Nanoseconds::from(Duration::from_secs_f64(seconds));
    Transfer {
        started: jiff::Timestamp::UNIX_EPOCH,
        bytes: Bytes(1 << 30),
        operations: 128,
        open: Nanoseconds(1),
        transfer: time,
        flush: Nanoseconds(0),
        close: Nanoseconds(0),
        first_byte: Some(Nanoseconds(1)),
        series: Vec::new(),
        latency: None,
        cache: CacheUse::default(),
        source: DataSource::default(),
        verified: None,
        depth: 1,
        pause: None,
        failure: None,
    }
}

/// Its outcome comes before anybody would call it stalled.
fn moved(transfer: Transfer) -> Script {
    outcome(transfer.transfer.to_duration().min(s(20)), Outcome::Transferred(Box::new(transfer)))
}

/// What a target answers to everything but writing and reading.
fn housekeeping(job: &Job) -> Script {
    let answer = match &job.task {
        Task::Inspect => Outcome::Inspected(Inspection {
            path: job.place.to_string(),
            mount: None,
            server: None,
            free: Some(Bytes(2 << 30)),
            total: Some(Bytes(4 << 30)),
        }),
        Task::CreateFolder { .. } => Outcome::FolderCreated,
        _ => Outcome::Removed { left: Vec::new() },
    };
    outcome(Duration::from_millis(1), answer)
}

fn is_phase(job: &Job) -> bool {
    !matches!(job.task, Task::Inspect | Task::CreateFolder { .. } | Task::Remove { .. })
}

fn plan(targets: &[&str]) -> Plan {
    Plan { targets: targets.iter().map(|text| text.parse().unwrap()).collect(), ..Profile::Quick.plan(1) }
}

struct Ran {
    report: Report,
    jobs: Vec<Job>,
    time: Duration,
    leftovers: usize,
}

fn ran(plan: Plan, interrupts: &Interrupts, script: impl FnMut(&Job) -> Script) -> Ran {
    let data = tempfile::tempdir().unwrap();
    ran_in(data.path(), plan, interrupts, script, &mut |_| {})
}

fn ran_in(
    data: &Path,
    plan: Plan,
    interrupts: &Interrupts,
    script: impl FnMut(&Job) -> Script,
    on: &mut dyn FnMut(Event<'_>),
) -> Ran {
    let clock = FakeClock::default();
    let executor = Scripted { clock: clock.clone(), script: RefCell::new(script), jobs: RefCell::default() };
    let stall = plan.stall_ns.to_duration();
    let context = Context { executor: &executor, clock: &clock, interrupts, data_dir: data, stall };
    let places: Vec<_> = plan.targets.iter().map(|spec| Place::Folder(spec.location.to_string())).collect();
    let report = run(plan, &places, "test".to_owned(), &context, on);
    let leftovers = leftovers(data).unwrap().over.len();
    Ran { report, time: clock.now(), leftovers, jobs: executor.jobs.into_inner() }
}

#[test]
fn even_rates_need_no_more_rounds_than_the_least() {
    let ran = ran(plan(&["/mnt/nas"]), &Interrupts::default(), |job| {
        if is_phase(job) { moved(transfer(10.0)) } else { housekeeping(job) }
    });
    assert!(!ran.report.partial && ran.report.error.is_none());
    assert_eq!(ran.report.samples.len(), 10);
    assert!(ran.report.summary.iter().all(|summary| summary.confidence_reached && summary.n == 5));
    assert_eq!(ran.leftovers, 0);
    // Every file has a name of its own, and each is removed in its round.
    let removals = ran.jobs.iter().filter(|job| matches!(job.task, Task::Remove { folder_too: false, .. }));
    assert_eq!(removals.count(), 5);
}

#[test]
fn uneven_rates_are_measured_until_the_budget_ends_and_that_is_said() {
    let mut turn = 0;
    let ran = ran(plan(&["/mnt/nas"]), &Interrupts::default(), |job| {
        turn += 1;
        if is_phase(job) { moved(transfer([6.0, 9.0, 7.0, 10.0][turn % 4])) } else { housekeeping(job) }
    });
    let rounds = ran.report.samples.iter().map(|sample| sample.round).max().unwrap();
    assert!(rounds > 5 && ran.time < s(320), "{rounds} rounds in {:?}", ran.time);
    let warnings: Vec<_> = ran.report.warnings().map(|(_, warning)| warning).collect();
    assert!(
        warnings.iter().any(|warning| matches!(warning, Warning::ConfidenceNotReached { .. })),
        "{warnings:?}"
    );
}

#[test]
fn two_targets_are_taken_in_turn_and_the_order_turns_round() {
    let rounds = Rounds { at_least: 2, at_most: 2, ..plan(&[]).rounds };
    let plan = Plan { rounds, ..plan(&["a=/mnt/a", "b=/mnt/b"]) };
    let ran = ran(plan, &Interrupts::default(), |job| {
        if is_phase(job) { moved(transfer(1.0)) } else { housekeeping(job) }
    });
    let order: Vec<_> = ran.report.samples.iter().map(|sample| sample.target.as_str()).collect();
    let names = ["a", "b"];
    let [first, second] = [0, 1].map(|place| names[crate::order(1, 2, 1)[place]]);
    assert_eq!(order, [first, first, second, second, second, second, first, first]);
}

#[test]
fn two_targets_are_compared_and_measured_until_their_ratio_is_known() {
    let rounds = Rounds { precision: 0.05, budget_ns: Nanoseconds(3_600_000_000_000), ..plan(&[]).rounds };
    let plan = Plan { rounds, ..plan(&["a=/mnt/a", "b=/mnt/b"]) };
    let mut turns = [0_usize; 4];
    let ran = ran(plan, &Interrupts::default(), |job| {
        if !is_phase(job) {
            return housekeeping(job);
        }
        let (b, write) = (job.place.to_string().contains("/mnt/b"), matches!(job.task, Task::Write(_)));
        let turn = &mut turns[usize::from(b) * 2 + usize::from(write)];
        *turn += 1;
        // Each alone is known to ±4 % after five rounds. Their noise is opposite, so that of the ratio is twice as much.
        let noise = if (*turn % 2 == 0) == b { 0.97 } else { 1.03 };
        moved(transfer(if b { 10.0 } else { 5.0 } * noise))
    });
    let [write, read] = ran.report.comparisons.as_slice() else { panic!("{:?}", ran.report.comparisons) };
    assert_eq!((write.workload, read.workload), (Workload::SEQ_WRITE, Workload::SEQ_READ));
    for comparison in [write, read] {
        assert_eq!((comparison.a.as_str(), comparison.b.as_str()), ("a", "b"));
        assert_eq!(comparison.answer, sharemark_model::Answer::Faster);
        let [low, high] = comparison.ci95.unwrap();
        assert!(
            low < 2.0 && 2.0 < high && comparison.n > 5 && high / comparison.ratio < 1.05,
            "{comparison:?}"
        );
    }
    assert!(!ran.report.partial);
}

#[test]
fn a_worker_that_stands_still_is_abandoned_in_time_and_what_it_did_is_kept() {
    let ran = ran(plan(&["/mnt/nas"]), &Interrupts::default(), |job| {
        match &job.task {
            Task::Write(_) => [
                (s(1), progress(Stage::Transferring, 1, None)),
                (s(1), progress(Stage::Transferring, 2, None)),
                (s(1), progress(Stage::Transferring, 2, None)),
            ]
            .into(),
            // Its server is gone: removing does not return either.
            Task::Remove { .. } => Script::new(),
            _ => housekeeping(job),
        }
    });
    assert_eq!(ran.report.error.as_ref().map(|error| error.code), Some(FailureCode::Stalled));
    assert!(ran.report.partial);
    let sample = &ran.report.samples[0];
    assert!(
        sample.partial && sample.bytes == Bytes(2 << 20) && sample.transfer_ns == Nanoseconds(2_000_000_000)
    );
    assert!(ran.time < s(40), "{:?}", ran.time);
    let left = ran.report.warnings().any(|(_, warning)| matches!(warning, Warning::LeftBehind { .. }));
    assert!(left && ran.leftovers == 1);
}

#[test]
fn a_flush_that_writes_back_is_no_stall_and_one_that_does_not_is() {
    let flush = |unwritten: fn(u64) -> u64| {
        move |job: &Job| {
            let Task::Write(_) = job.task else {
                return housekeeping(job);
            };
            let mut script: Script =
                (0..60u64).map(|i| (s(1), progress(Stage::Flushing, 7, Some(unwritten(i))))).collect();
            script.extend(moved(transfer(70.0)));
            script
        }
    };
    let rounds = Rounds { at_least: 1, at_most: 1, ..plan(&[]).rounds };
    let once = Plan { rounds, workloads: vec![Workload::SEQ_WRITE], ..plan(&["/mnt/nas"]) };
    let moving = ran(once.clone(), &Interrupts::default(), flush(|i| (1 << 30) - (i << 20)));
    assert_eq!(moving.report.samples[0].error, None);
    let stuck = ran(once.clone(), &Interrupts::default(), flush(|_| 1 << 30));
    let error = stuck.report.error.unwrap();
    assert_eq!((error.code, error.operation), (FailureCode::Stalled, Operation::Flush));
    // Other programs write and sync meanwhile: the number goes up and down, and nothing of ours moves.
    let noise = ran(once, &Interrupts::default(), flush(|i| (1 << 30) + ((i % 2) << 20)));
    assert_eq!(noise.report.error.map(|error| error.code), Some(FailureCode::Stalled));
}

#[test]
fn a_sample_that_slept_is_measured_again_and_not_counted() {
    let mut phases = 0;
    let rounds = Rounds { at_least: 1, at_most: 1, ..plan(&[]).rounds };
    let ran = ran(Plan { rounds, ..plan(&["/mnt/nas"]) }, &Interrupts::default(), |job| {
        if !is_phase(job) {
            return housekeeping(job);
        }
        phases += 1;
        // The first write and, after it was repeated, the first read.
        let slept = (phases == 1 || phases == 3)
            .then_some(Pause { reason: RepeatReason::Slept, lost: Nanoseconds(60_000_000_000) });
        moved(Transfer { pause: slept, ..transfer(if slept.is_some() { 70.0 } else { 10.0 }) })
    });
    let kinds: Vec<_> = ran.report.samples.iter().map(|sample| sample.workload).collect();
    assert_eq!(kinds, [Workload::SEQ_WRITE, Workload::SEQ_READ]);
    assert!(ran.report.samples.iter().all(|sample| sample.transfer_ns == Nanoseconds(10_000_000_000)));
    let repeated =
        ran.report.warnings().filter(|(_, warning)| matches!(warning, Warning::SampleRepeated { .. }));
    assert_eq!(repeated.count(), 2);
    assert!(!ran.report.partial && ran.leftovers == 0);
}

#[test]
fn one_interrupt_keeps_what_was_measured_and_cleans_up() {
    let interrupts = Interrupts::default();
    let data = tempfile::tempdir().unwrap();
    let asked = interrupts.clone();
    let ran = ran_in(
        data.path(),
        plan(&["/mnt/nas"]),
        &interrupts,
        |job| {
            if is_phase(job) { moved(transfer(10.0)) } else { housekeeping(job) }
        },
        &mut |event| {
            if matches!(event, Event::Phase { round: 2, workload: Some(Workload::SEQ_READ), .. }) {
                asked.request();
            }
        },
    );
    assert_eq!(ran.report.error.map(|error| error.code), Some(FailureCode::Interrupted));
    assert_eq!(ran.report.samples.iter().filter(|sample| sample.counts()).count(), 3);
    assert_eq!(ran.leftovers, 0);
}

#[test]
fn two_interrupts_end_at_once_and_the_manifest_stays() {
    let interrupts = Interrupts::default();
    let data = tempfile::tempdir().unwrap();
    let asked = interrupts.clone();
    let ran = ran_in(
        data.path(),
        plan(&["/mnt/nas"]),
        &interrupts,
        |job| {
            if is_phase(job) {
                outcome(s(1000), Outcome::Transferred(Box::new(transfer(1000.0))))
            } else {
                housekeeping(job)
            }
        },
        &mut |event| {
            if matches!(event, Event::Phase { .. }) {
                asked.request();
                asked.request();
            }
        },
    );
    assert!(ran.time < s(2), "{:?}", ran.time);
    assert_eq!(ran.leftovers, 1);
    assert!(ran.report.partial && ran.report.finished.is_some());
}

#[test]
fn nothing_is_made_where_there_is_no_room() {
    let small = |job: &Job| match job.task {
        Task::Inspect => outcome(
            s(0),
            Outcome::Inspected(Inspection {
                path: job.place.to_string(),
                mount: None,
                server: None,
                free: Some(Bytes(1 << 30)),
                total: None,
            }),
        ),
        _ => panic!("{job:?}"),
    };
    let ran = ran(plan(&["/mnt/nas"]), &Interrupts::default(), small);
    let error = ran.report.error.unwrap();
    assert_eq!((error.code, error.available), (FailureCode::NoSpace, Some(Bytes(1 << 30))));
    assert!(error.needed > error.available && ran.leftovers == 0);
}

#[test]
fn a_folder_whose_making_was_not_answered_keeps_its_manifest() {
    for (code, kept) in [(FailureCode::ServerGone, 1), (FailureCode::Other, 1), (FailureCode::ReadOnly, 0)] {
        let ran = ran(plan(&["/mnt/nas"]), &Interrupts::default(), |job| match job.task {
            Task::CreateFolder { .. } => {
                outcome(s(1), Outcome::Failed(Failure::new(code, Operation::CreateFolder, "x")))
            }
            _ => housekeeping(job),
        });
        assert_eq!(ran.report.error.as_ref().map(|error| error.code), Some(code));
        assert_eq!(ran.leftovers, kept, "{code:?}");
        let told = ran.report.warnings().filter(|(_, warning)| matches!(warning, Warning::LeftBehind { .. }));
        assert_eq!(told.count(), kept);
    }
}

#[test]
fn a_worker_that_dies_is_told_with_its_last_words() {
    let ran = ran(plan(&["/mnt/nas"]), &Interrupts::default(), |job| match job.task {
        Task::Read(_) => [(s(1), Heard::Ended(Some("out of memory".to_owned())))].into(),
        _ if is_phase(job) => moved(transfer(1.0)),
        _ => housekeeping(job),
    });
    let error = ran.report.error.unwrap();
    assert_eq!((error.code, error.system.as_deref()), (FailureCode::WorkerDied, Some("out of memory")));
    assert_eq!((ran.report.samples.len(), ran.leftovers), (2, 0));
}
