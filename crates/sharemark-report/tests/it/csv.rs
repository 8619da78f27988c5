use sharemark_model::{Failure, FailureCode, Operation, Workload};
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

#[test]
fn every_row_has_every_column_and_ends_as_the_standard_says() {
    let shown = csv::report(&full());
    assert_eq!(shown.matches("\r\n").count(), 11);
    for line in shown.split_terminator("\r\n") {
        assert_eq!(line.split(',').count(), csv::COLUMNS.len(), "{line}");
    }
}
