use sharemark_model::{Bytes, Failure, FailureCode, Operation, Rate, Sample, Workload};
use sharemark_report::csv;

use crate::sample_report::{full, sample};

#[test]
fn a_row_a_sample() {
    let mut report = full();
    let mut last = sample("/mnt/nas", Workload::SEQ_READ, 6, 80.0);
    last.partial = true;
    last.verified = None;
    last.latency_ns = None;
    last.first_byte_ns = None;
    last.error = Some(
        Failure::new(FailureCode::ServerGone, Operation::Read, "/mnt/nas/x")
            .with_system("say \"no\", twice\nend"),
    );
    report.samples.push(last);
    insta::assert_snapshot!("csv", csv::report(&report).replace('\r', "␍"));
}

#[test]
fn names_from_outside_are_neither_formulas_nor_new_fields() {
    for (name, field) in [
        ("=1+2", "'=1+2"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
        ("a,b", "\"a,b\""),
        ("写真", "写真"),
        (" a", "\" a\""),
    ] {
        let mut report = full();
        report.targets[0].label = name.into();
        for sample in &mut report.samples {
            sample.target = name.into();
        }
        let shown = csv::report(&report);
        assert!(shown.lines().nth(1).unwrap().contains(&format!(",quick,{field},/mnt/nas,cifs,")), "{shown}");
    }
}

/// The field of the one sample's row.
fn field(sample: Sample, column: &str) -> String {
    let mut report = full();
    report.samples = vec![sample];
    let place = csv::COLUMNS.iter().position(|name| *name == column).unwrap();
    csv::report(&report).lines().nth(1).unwrap().split(',').nth(place).unwrap().to_owned()
}

#[test]
fn what_a_report_does_not_know_is_empty() {
    let read = sample("/mnt/nas", Workload::SEQ_READ, 1, 80.0);
    assert_eq!(field(read.clone(), "operations"), "128");
    assert_eq!(field(read.clone(), "operations_per_second"), "9.537");
    // Reports had no count of operations once.
    let old = Sample { operations: 0, operations_per_second: Rate(0.0), ..read };
    assert_eq!(field(old.clone(), "operations"), "");
    assert_eq!(field(old, "operations_per_second"), "");
}

#[test]
fn small_files_have_no_size_of_the_plan() {
    let list = Workload::small_files(1)[1];
    let empty = Sample { bytes: Bytes(0), operations: 0, ..sample("/mnt/nas", list, 1, 80.0) };
    assert_eq!(field(empty.clone(), "size_bytes"), "");
    // A listing that found nothing is known to have found nothing.
    assert_eq!(field(empty, "operations"), "0");
    let read = sample("/mnt/nas", Workload::SEQ_READ, 1, 80.0);
    assert_eq!(field(read, "size_bytes"), "1073741824");
}

#[test]
fn every_row_has_every_column_and_ends_as_the_standard_says() {
    let shown = csv::report(&full());
    assert_eq!(shown.matches("\r\n").count(), 11);
    for line in shown.split_terminator("\r\n") {
        assert_eq!(line.split(',').count(), csv::COLUMNS.len(), "{line}");
    }
}
