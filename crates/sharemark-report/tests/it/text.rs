use sharemark_model::{
    Answer, Bytes, CacheProof, Comparison, Failure, FailureCode, MountKind, Operation, ReadMode, Report,
    TrendDirection, Warning, Wire, Workload, WriteMode,
};
use sharemark_report::{Language, TextStyle, Words, layout, text};

use crate::sample_report::{cifs, full, measured, megabytes, nanoseconds, sample, target};
use crate::warnings::every_warning;

fn shown(report: &Report, language: Language, width: usize) -> String {
    let style = TextStyle { width, colour: false };
    text::report(report, &Words::new(language), &style)
}

fn with_first_run_warning(mut report: Report) -> Report {
    report.targets[0].warnings = vec![
        Warning::FirstRunDiffers {
            workload: Workload::SEQ_WRITE,
            first: megabytes(23.1),
            others: megabytes(61.1),
        },
        Warning::ConfidenceNotReached { workload: Workload::SEQ_WRITE, reached: Some(0.391), wanted: 0.03 },
    ];
    report
}

#[test]
fn a_full_report() {
    let report = with_first_run_warning(full());
    insta::assert_snapshot!("full_en", shown(&report, Language::English, 100));
    insta::assert_snapshot!("full_ja", shown(&report, Language::Japanese, 100));
}

#[test]
fn a_full_report_on_narrow_terminals() {
    let report = full();
    for width in [72, 60, 30] {
        insta::assert_snapshot!(format!("width_{width}_en"), shown(&report, Language::English, width));
        insta::assert_snapshot!(format!("width_{width}_ja"), shown(&report, Language::Japanese, width));
    }
}

#[test]
fn a_full_report_in_colour() {
    let style = TextStyle { width: 100, colour: true };
    let shown = text::report(&with_first_run_warning(full()), &Words::new(Language::English), &style);
    insta::assert_snapshot!("colour_en", shown.replace('\x1b', "ESC"));
}

/// The run ended in its third round, when the server stopped answering.
fn partial() -> Report {
    let mut report = full();
    report.samples.clear();
    report.summary.clear();
    measured(&mut report, "/mnt/nas", &[60.4, 61.7], &[112.0, 112.3]);
    let failure = Failure::new(
        FailureCode::Stalled,
        Operation::Write,
        "/mnt/nas/sharemark-20261130-170838-x7f3/r003.bin",
    );
    let mut last = sample("/mnt/nas", Workload::SEQ_WRITE, 3, 60.0);
    last.partial = true;
    last.bytes = Bytes(312_000_000);
    last.error = Some(failure.clone());
    report.samples.push(last);
    report.partial = true;
    report.error = Some(failure);
    report.targets[0].warnings = vec![Warning::LeftBehind {
        place: "/mnt/nas/sharemark-20261130-170838-x7f3".into(),
        reason: FailureCode::ServerGone,
    }];
    report
}

#[test]
fn a_partial_report_says_so_first() {
    insta::assert_snapshot!("partial_en", shown(&partial(), Language::English, 100));
    insta::assert_snapshot!("partial_ja", shown(&partial(), Language::Japanese, 100));
}

#[test]
fn a_report_of_nothing_still_says_what_happened() {
    let mut report = full();
    report.samples.clear();
    report.summary.clear();
    report.targets[0].mount = None;
    report.partial = true;
    report.finished = None;
    insta::assert_snapshot!("nothing_en", shown(&report, Language::English, 80));
    insta::assert_snapshot!("nothing_ja", shown(&report, Language::Japanese, 80));
}

#[test]
fn wrong_content_is_said_before_anything_else() {
    let mut report = full();
    report.partial = true;
    for round in [2, 4, 6, 8] {
        let mut wrong = sample("/mnt/nas", Workload::SEQ_READ, round, 112.0);
        wrong.verified = Some(false);
        wrong.partial = true;
        wrong.error = Some(
            Failure::new(FailureCode::Mismatch, Operation::Verify, format!("/mnt/nas/s/r00{round}.bin"))
                .at(Bytes(8_388_608)),
        );
        report.samples.push(wrong);
    }
    insta::assert_snapshot!("wrong_content_en", shown(&report, Language::English, 80));
    insta::assert_snapshot!("wrong_content_ja", shown(&report, Language::Japanese, 80));
}

#[test]
fn every_warning_in_a_report() {
    let mut report = full();
    report.targets[0].warnings = every_warning();
    insta::assert_snapshot!("every_warning_en", shown(&report, Language::English, 100));
    insta::assert_snapshot!("every_warning_ja", shown(&report, Language::Japanese, 100));
}

/// A share over the LAN beside one over a tunnel, whose system refused to go past the cache now and then.
fn two_targets() -> Report {
    let mut report = full();
    report.targets = vec![
        target("lan", "/mnt/nas", Some(cifs("/mnt/nas"))),
        target("トンネル", "/mnt/遠隔", Some(cifs("/mnt/遠隔"))),
    ];
    report.samples.clear();
    report.summary.clear();
    measured(&mut report, "lan", &[67.2, 67.4, 67.3], &[112.0, 112.3, 112.2]);
    measured(&mut report, "トンネル", &[9.61, 9.82, 9.43], &[67.8, 67.9, 67.6]);
    let remote = report.samples.iter_mut().filter(|sample| sample.target == "トンネル");
    for sample in remote.filter(|sample| sample.round > 1) {
        if sample.workload == Workload::SEQ_READ {
            sample.cache.read = Some(ReadMode::Dropped);
            sample.cache.proof = CacheProof::Mincore;
            sample.cache.resident_bytes = Some(Bytes(4_194_304));
            sample.wire =
                Some(Wire { interface: "tailscale0".into(), bytes: Bytes(1_090_000_000), agrees: true });
        } else {
            sample.cache.write = Some(WriteMode::CachedWriteThrough);
        }
    }
    report.targets[1].cache.read = Some(ReadMode::Dropped);
    report.targets[1].warnings = vec![
        Warning::CacheNotRuledOut { samples: 2, resident: Some(Bytes(4_194_304)) },
        Warning::Trend {
            workload: Workload::SEQ_READ,
            direction: TrendDirection::Falling,
            per_round: megabytes(-0.1),
        },
    ];
    let compared = |workload, ratio, ci95, answer| Comparison {
        workload,
        a: "lan".into(),
        b: "トンネル".into(),
        ratio,
        ci95: Some(ci95),
        answer,
        n: 3,
        paired: true,
        without_first: false,
    };
    report.comparisons = vec![
        compared(Workload::SEQ_WRITE, 6.998, [6.53, 7.49], Answer::Faster),
        compared(Workload::SEQ_READ, 1.655, [1.641, 1.668], Answer::Faster),
    ];
    report.plan.time_ns = None;
    report.plan.depth = 8;
    report.plan.rounds.at_least = 3;
    report.plan.rounds.at_most = 3;
    report.plan.pause_ns = nanoseconds(30.0);
    report
}

#[test]
fn two_targets_are_told_apart() {
    insta::assert_snapshot!("two_targets_en", shown(&two_targets(), Language::English, 100));
    insta::assert_snapshot!("two_targets_ja", shown(&two_targets(), Language::Japanese, 100));
}

#[test]
fn a_client_that_kept_its_copy_is_named() {
    let mut report = full();
    report.host.os = "windows".into();
    for sample in report.samples.iter_mut().filter(|sample| sample.cache.read.is_some()) {
        sample.cache.proof = CacheProof::Refused;
        sample.cache.resident_bytes = None;
        sample.cache.ruled_out = false;
    }
    for (language, words) in [(Language::English, "copy of its own"), (Language::Japanese, "を拒否")] {
        let shown = shown(&report, language, 400);
        let line = shown.lines().find(|line| line.contains("FSCTL_DISABLE_LOCAL_BUFFERING"));
        assert!(line.is_some_and(|line| line.contains(words)), "{shown}");
    }
    let json = serde_json::to_string(&report).unwrap();
    assert!(json.contains(r#""proof":"refused""#), "{json}");
}

#[test]
fn what_is_no_share_is_called_by_its_name() {
    let mut report = full();
    let mut mount = cifs("/");
    mount.kind = MountKind::Local;
    mount.file_system = "ext4".into();
    mount.source = "/dev/sda2".into();
    report.targets[0].mount = Some(mount);
    report.targets[0].warnings = vec![Warning::LocalDisk { file_system: "ext4".into() }];
    report.targets[0].cache.read = Some(ReadMode::Cached);
    report.targets[0].cache.write = Some(WriteMode::Buffered);
    for sample in &mut report.samples {
        sample.cache.proof = CacheProof::None;
        sample.cache.read = sample.cache.read.map(|_| ReadMode::Cached);
        sample.cache.write = sample.cache.write.map(|_| WriteMode::Buffered);
    }
    insta::assert_snapshot!("local_disk_en", shown(&report, Language::English, 80));
    insta::assert_snapshot!("local_disk_ja", shown(&report, Language::Japanese, 80));
}

#[test]
fn the_lines_of_a_table_are_equally_wide() {
    for language in Language::ALL {
        for width in [200, 100, 80, 72, 64, 56] {
            let shown = shown(&two_targets(), language, width);
            let lines: Vec<&str> = shown.lines().collect();
            let mut tables = 0;
            for (number, _) in lines.iter().enumerate().filter(|(_, line)| line.contains("  seq-write ")) {
                tables += 1;
                let widths: Vec<usize> =
                    lines[number - 1..=number + 1].iter().map(|line| layout::columns(line)).collect();
                assert!(widths.iter().all(|w| *w == widths[0]), "{language:?} {width}: {widths:?}\n{shown}");
            }
            assert!(tables == 2 || width < 72, "{language:?} {width}\n{shown}");
        }
    }
}

#[test]
fn names_from_outside_cannot_steer_the_terminal() {
    let evil = "a\x1b[2J\r\nb\u{202e}c";
    let mut report = two_targets();
    report.id = evil.into();
    report.tool.version = evil.into();
    report.host.os = evil.into();
    report.partial = true;
    report.error = Some(Failure::new(FailureCode::Other, Operation::Write, evil).with_system(evil));
    for target in &mut report.targets {
        target.label = evil.into();
        target.location = evil.into();
        if let Some(mount) = &mut target.mount {
            mount.file_system = evil.into();
            mount.source = evil.into();
        }
        target.warnings.push(Warning::LeftBehind { place: evil.into(), reason: FailureCode::Other });
    }
    for summary in &mut report.summary {
        summary.target = evil.into();
    }
    for sample in &mut report.samples {
        sample.target = evil.into();
        sample.error = report.error.clone().map(|error| error.at(Bytes(7)));
        if let Some(wire) = &mut sample.wire {
            wire.interface = evil.into();
        }
    }
    for comparison in &mut report.comparisons {
        comparison.a = evil.into();
    }
    for language in Language::ALL {
        let shown = shown(&report, language, 100);
        let steering = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!shown.contains(steering), "{shown:?}");
        assert!(!shown.lines().any(|line| line.starts_with("b\\u")), "{shown}");
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for report in [full(), partial(), two_targets()] {
        for language in Language::ALL {
            for width in [0, 20, 30, 40, 60, 80, 100] {
                for line in shown(&report, language, width).lines() {
                    assert!(layout::columns(line) <= width.max(20), "{language:?} {width}: {line}");
                }
            }
        }
    }
}
