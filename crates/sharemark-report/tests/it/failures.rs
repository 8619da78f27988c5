use sharemark_model::{Bytes, Failure, FailureCode, Operation};
use sharemark_report::{Language, Words, failure};

use crate::all_words;

fn at(code: FailureCode, operation: Operation, place: &str) -> Failure {
    Failure::new(code, operation, place)
}

/// Every code with an operation it is likely to come from, as the engines would fill it in.
fn every_code() -> Vec<Failure> {
    let file = "/mnt/nas/sharemark-20261130-170838-x7f3/r003.bin";
    vec![
        at(FailureCode::NotFound, Operation::Inspect, "/mnt/nsa")
            .with_system("No such file or directory (os error 2)"),
        at(FailureCode::NotAFolder, Operation::Inspect, "/mnt/my nas/film.mkv"),
        at(FailureCode::NoPermission, Operation::CreateFolder, "/mnt/nas")
            .with_system("Permission denied (os error 13)"),
        at(FailureCode::RootSquash, Operation::CreateFolder, "/mnt/nfs")
            .with_system("Permission denied (os error 13)"),
        at(FailureCode::ElevatedDrive, Operation::Inspect, r"W:\a b")
            .with_system("The system cannot find the path specified. (os error 3)")
            .with_choices(vec![r"\\nas\Public\a b".to_owned()]),
        at(FailureCode::ReadOnly, Operation::CreateFolder, "/media/cdrom")
            .with_system("Read-only file system (os error 30)"),
        at(FailureCode::NoSpace, Operation::Create, "/mnt/nas")
            .with_sizes(Bytes::gibibytes(1), Bytes(512_340_992)),
        at(FailureCode::Quota, Operation::Write, file).with_system("Disk quota exceeded (os error 122)"),
        at(FailureCode::NameTooLong, Operation::CreateFolder, "/mnt/nas/very/deep")
            .with_system("File name too long (os error 36)"),
        at(FailureCode::NotStorage, Operation::Inspect, "/proc"),
        at(FailureCode::NotUnicode, Operation::Inspect, "/mnt/\u{fffd}\u{fffd}"),
        at(FailureCode::ServerGone, Operation::Write, file).with_system("Host is down (os error 112)"),
        at(FailureCode::InputOutput, Operation::Read, file)
            .with_system("Input/output error (os error 5)")
            .at(Bytes(134_217_728)),
        at(FailureCode::Stalled, Operation::Write, file),
        at(FailureCode::WorkerDied, Operation::Worker, "/mnt/nas").with_system("killed by signal 9"),
        at(FailureCode::Interrupted, Operation::Write, file),
        at(FailureCode::Mismatch, Operation::Verify, file).at(Bytes(8_388_608)),
        at(FailureCode::WrongSize, Operation::Verify, file)
            .with_sizes(Bytes::gibibytes(1), Bytes(1_073_741_823)),
        at(FailureCode::NotEmpty, Operation::Remove, "/mnt/nas/sharemark-20261130-170838-x7f3"),
        at(FailureCode::Unsupported, Operation::Inspect, "smb://nas/Public"),
        at(FailureCode::Other, Operation::Open, file).with_system("Too many open files (os error 24)"),
    ]
}

/// Failures whose advice depends on the operation or the place.
fn special_cases() -> Vec<Failure> {
    let file = "/mnt/nas/sharemark-20261130-170838-x7f3/r003.bin";
    vec![
        at(FailureCode::NotFound, Operation::Inspect, r"W:\")
            .with_system("指定されたパスが見つかりません。 (os error 3)"),
        at(FailureCode::ElevatedDrive, Operation::Inspect, r"W:\").with_system("os error 3"),
        at(FailureCode::NotFound, Operation::Open, file),
        at(FailureCode::NotFound, Operation::Output, "results/run.json"),
        at(FailureCode::NotAFolder, Operation::Inspect, "film.mkv"),
        at(FailureCode::NoPermission, Operation::Open, file),
        at(FailureCode::NoPermission, Operation::Output, "/root/run.csv"),
        at(FailureCode::NoSpace, Operation::Output, "run.csv"),
        at(FailureCode::InputOutput, Operation::Output, "run.csv"),
        at(FailureCode::Other, Operation::Output, "run.csv"),
        at(FailureCode::ServerGone, Operation::Inspect, "/mnt/nas"),
        at(FailureCode::Stalled, Operation::Inspect, "/mnt/nas"),
        at(FailureCode::Stalled, Operation::Flush, file),
        at(FailureCode::Stalled, Operation::Close, file),
        at(FailureCode::NoPermission, Operation::Remove, file),
        at(FailureCode::ReadOnly, Operation::Manifest, "/home/me/.local/state/sharemark/x.json"),
        at(FailureCode::Other, Operation::History, "/home/me/.local/share/sharemark/history.db")
            .with_system("database is locked"),
        at(FailureCode::Other, Operation::Inspect, "/mnt/a\n\x1b[31mb").with_system("line one\nline two"),
    ]
}

fn shown(failures: &[Failure], words: &Words) -> String {
    let texts: Vec<String> = failures.iter().map(|failure| failure::text(failure, words)).collect();
    texts.join("\n\n")
}

#[test]
fn every_failure_code() {
    insta::assert_snapshot!("every_code_en", shown(&every_code(), &Words::new(Language::English)));
    insta::assert_snapshot!("every_code_ja", shown(&every_code(), &Words::new(Language::Japanese)));
}

#[test]
fn advice_that_depends_on_the_operation() {
    insta::assert_snapshot!("special_en", shown(&special_cases(), &Words::new(Language::English)));
    insta::assert_snapshot!("special_ja", shown(&special_cases(), &Words::new(Language::Japanese)));
}

#[test]
fn every_code_of_every_operation_says_what_to_do() {
    let operations = [
        Operation::Inspect,
        Operation::CreateFolder,
        Operation::Create,
        Operation::Write,
        Operation::Flush,
        Operation::Close,
        Operation::Open,
        Operation::Read,
        Operation::Verify,
        Operation::Remove,
        Operation::Worker,
        Operation::Manifest,
        Operation::History,
        Operation::Output,
    ];
    for words in all_words() {
        for failure in every_code() {
            for operation in operations {
                let text = failure::text(&Failure { operation, ..failure.clone() }, &words);
                assert!(text.lines().count() >= 2, "{text}");
                assert!(!text.contains("failure-"), "{text}");
            }
        }
    }
}
