//! Which files the workloads of a round work on, and what becomes of those that a target cannot do.

use sharemark_model::{
    Bytes, Durability, Failure, FailureCode, FilesAction, Job, Operation, Outcome, Plan, Profile, Rounds,
    Task, Transfer, Warning, Workload,
};

use super::{Script, housekeeping, is_phase, moved, outcome, plan, ran, s, transfer};
use crate::Interrupts;

fn planned(workloads: &[&str], rounds: u32) -> Plan {
    let plan = plan(&["/mnt/nas"]);
    Plan {
        workloads: workloads.iter().map(|text| text.parse().unwrap()).collect(),
        rounds: Rounds { at_least: rounds, at_most: rounds, ..plan.rounds },
        ..plan
    }
}

/// What was done to which file: `w1` writes the first file, `r1` reads it in order, `x1` at random, `-1` removes it.
fn story(jobs: &[Job]) -> String {
    let number = |file: &str| file.trim_start_matches('f').trim_end_matches(".bin").parse::<u32>().unwrap();
    let told: Vec<String> = jobs
        .iter()
        .filter_map(|job| match &job.task {
            Task::Write(task) => Some(format!("w{}", number(task.file.as_str()))),
            Task::Read(task) => Some(format!("r{}", number(task.file.as_str()))),
            Task::Random(task) => Some(format!("x{}", number(task.file.as_str()))),
            Task::Remove { files, folder_too: false, .. } => {
                Some(format!("-{}", number(files.first().unwrap().as_str())))
            }
            Task::Remove { files, .. } => Some(format!("end{}", files.len())),
            _ => None,
        })
        .collect();
    told.join(" ")
}

fn done(job: &Job) -> Script {
    match &job.task {
        Task::Files(task) => {
            let operations = task.files.len() as u64;
            moved(Transfer { operations, bytes: Bytes(operations), ..transfer(1.0) })
        }
        _ if is_phase(job) => moved(transfer(10.0)),
        _ => housekeeping(job),
    }
}

#[test]
fn a_file_to_read_is_prepared_once_and_kept() {
    let ran = ran(planned(&["rand-read", "rand-read:q32"], 2), &Interrupts::default(), done);
    assert_eq!(story(&ran.jobs), "w1 x1 x1 x1 x1 end1");
    assert_eq!(ran.report.samples.len(), 4);
    assert!(
        ran.report.samples.iter().all(|sample| sample.workload.reads() && sample.block == Some(Bytes(4096)))
    );
    // A preparation is written whole and made durable, whatever the phases are limited to.
    let Task::Write(task) = &ran.jobs.iter().find(|job| is_phase(job)).unwrap().task else { panic!() };
    assert_eq!((task.size, task.durability), (Bytes::gibibytes(1), Durability::Flush));
    assert!(task.time_ns > ran.report.plan.time_ns);
}

#[test]
fn what_a_round_writes_is_what_it_reads() {
    let ran = ran(planned(&["seq-write", "seq-read", "rand-read"], 2), &Interrupts::default(), done);
    assert_eq!(story(&ran.jobs), "w1 r1 x1 -1 w2 r2 x2 -2 end0");
}

#[test]
fn what_was_written_over_is_not_read_as_it_was() {
    let ran = ran(planned(&["rand-read", "rand-write"], 2), &Interrupts::default(), done);
    assert_eq!(story(&ran.jobs), "w1 x1 x1 -1 w2 x2 x2 end1");
    let ran_alone = super::ran(planned(&["rand-write"], 3), &Interrupts::default(), done);
    assert_eq!(story(&ran_alone.jobs), "w1 x1 x1 x1 end1");
    let mixed = super::ran(planned(&["mixed"], 2), &Interrupts::default(), done);
    assert_eq!(story(&mixed.jobs), "w1 x1 -1 w2 x2 end1");
}

#[test]
fn crystal_reads_a_test_file_before_it_writes() {
    let mut plan = plan(&["/mnt/nas"]);
    let crystal = Profile::Crystal.plan(1);
    plan.workloads.clone_from(&crystal.workloads);
    // Room for the file that is read and the one that is written.
    plan.size = Bytes::mebibytes(512);
    plan.rounds = Rounds { at_least: 1, at_most: 1, ..crystal.rounds };
    let ran = ran(plan, &Interrupts::default(), done);
    assert_eq!(story(&ran.jobs), "w1 r1 r1 x1 x1 w2 -2 w3 x3 x3 -3 end1");
}

#[test]
fn small_files_go_through_their_life_and_are_forgotten() {
    let mut plan = planned(&[], 2);
    plan.workloads = Workload::small_files(1);
    plan.files = 3;
    let ran = ran(plan, &Interrupts::default(), done);
    let actions: Vec<FilesAction> = ran
        .jobs
        .iter()
        .filter_map(|job| match &job.task {
            Task::Files(task) => Some(task.action),
            _ => None,
        })
        .collect();
    assert_eq!(actions, [FilesAction::ALL, FilesAction::ALL].concat());
    assert_eq!(story(&ran.jobs), "end0");
    assert!(ran.report.samples.iter().all(|sample| sample.operations == 3 && sample.counts()));
}

#[test]
fn a_file_the_server_does_not_take_is_halved_and_that_is_said() {
    let limit = Bytes::mebibytes(300);
    let ran = ran(planned(&["seq-write", "seq-read"], 1), &Interrupts::default(), |job| match &job.task {
        Task::Write(task) if task.size > limit => {
            let failure = Failure::new(FailureCode::TooLarge, Operation::Create, "webdav://nas/x");
            outcome(s(1), Outcome::Failed(failure))
        }
        _ => done(job),
    });
    assert!(ran.report.error.is_none(), "{:?}", ran.report.error);
    let warnings = &ran.report.targets[0].warnings;
    let reduced = Warning::SizeReduced { asked: Bytes::gibibytes(1), used: Bytes::mebibytes(256) };
    assert_eq!(warnings.iter().filter(|warning| **warning == reduced).count(), 1, "{warnings:?}");
    assert_eq!(ran.report.samples.len(), 2);
}

#[test]
fn a_workload_that_a_protocol_has_no_way_for_is_left_out() {
    let ran = ran(planned(&["seq-write", "rand-write"], 2), &Interrupts::default(), |job| match &job.task {
        Task::Random(_) => {
            let failure = Failure::new(FailureCode::Unsupported, Operation::Open, "webdav://nas/x");
            outcome(s(1), Outcome::Failed(failure))
        }
        _ => done(job),
    });
    assert!(ran.report.error.is_none() && !ran.report.partial);
    assert_eq!(ran.report.samples.len(), 2);
    assert_eq!(ran.jobs.iter().filter(|job| matches!(job.task, Task::Random(_))).count(), 1);
    assert!(matches!(ran.report.targets[0].warnings[..], [Warning::WorkloadUnsupported { .. }, ..]));
}
