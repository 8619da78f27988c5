//! One target against another, and one report against another.

use sharemark_model::{
    Answer, Bytes, Comparison, DataKind, Difference, Durability, FileMix, ReadCache, ReadMode, Report,
    ReportComparison, SCHEMA_VERSION, Wishes, Workload, WriteMode,
};
use sharemark_report::{Language, TextStyle, Words, layout, text};

use crate::all_words;
use crate::sample_report::{full, nanoseconds, sample};

fn compared(a: &str, b: &str, ratio: f64, ci95: Option<[f64; 2]>, answer: Answer) -> Comparison {
    Comparison {
        workload: Workload::SEQ_READ,
        a: a.into(),
        b: b.into(),
        ratio,
        ci95,
        answer,
        n: 5,
        paired: true,
        without_first: false,
    }
}

fn with(comparisons: Vec<Comparison>) -> Report {
    Report { comparisons, ..full() }
}

fn style(width: usize) -> TextStyle {
    TextStyle { width, colour: false }
}

/// The same in both languages, one after the other.
fn in_both(show: impl Fn(&Words) -> String) -> String {
    all_words().iter().map(show).collect::<Vec<_>>().join("\n")
}

fn answers() -> Vec<Comparison> {
    let single = Comparison { n: 1, ..compared("lan", "ts", 1.3, None, Answer::Inconclusive) };
    let apart = compared("lan", "ts", 0.52, Some([0.5, 0.54]), Answer::Slower);
    vec![
        compared("lan", "ts", 1.654, Some([1.61, 1.701]), Answer::Faster),
        Comparison { without_first: true, n: 4, ..apart },
        compared("lan", "ts", 0.994, Some([0.981, 1.008]), Answer::Same),
        compared("lan", "ts", 1.02, Some([0.97, 1.073]), Answer::Inconclusive),
        single,
        compared("lan", "ts", 0.0123, Some([0.0119, 0.0127]), Answer::Slower),
        compared("lan", "ts", 1234.5, Some([1190.0, 1281.0]), Answer::Faster),
    ]
}

#[test]
fn every_answer_of_two_targets() {
    let shown = in_both(|words| {
        let one = |comparison| text::comparisons(&with(vec![comparison]), words, &style(100));
        answers().into_iter().map(one).collect()
    });
    insta::assert_snapshot!("answers", shown);
}

fn three() -> Vec<Comparison> {
    vec![
        compared("lan", "遠隔のNAS", 7.003, Some([6.53, 7.49]), Answer::Faster),
        Comparison {
            n: 4,
            without_first: true,
            ..compared("lan", "disk", 0.311, Some([0.3, 0.322]), Answer::Slower)
        },
        compared("遠隔のNAS", "disk", 1.01, Some([0.96, 1.06]), Answer::Inconclusive),
    ]
}

#[test]
fn three_targets_are_a_table() {
    let report = with(three());
    insta::assert_snapshot!("three", in_both(|words| text::comparisons(&report, words, &style(100))));
    insta::assert_snapshot!("three_narrow", in_both(|words| text::comparisons(&report, words, &style(40))));
}

#[test]
fn the_lines_of_the_table_stand_below_each_other() {
    for words in all_words() {
        let shown = text::comparisons(&with(three()), &words, &style(100));
        // Everything up to the ratio's point takes as many columns in each row.
        let rows = shown.lines().filter(|line| line.contains(" : "));
        let places: Vec<usize> = rows.map(|line| layout::columns(&line[..line.find('.').unwrap()])).collect();
        assert!(places.len() == 3 && places.iter().all(|place| *place == places[0]), "{places:?}\n{shown}");
    }
}

#[test]
fn many_targets_are_shown_against_the_first() {
    let names = ["lan", "wifi", "ts", "wg"];
    let mut all = Vec::new();
    for (index, a) in names.iter().enumerate() {
        for b in &names[index + 1..] {
            all.push(compared(a, b, 1.5, Some([1.4, 1.6]), Answer::Faster));
        }
    }
    let shown = in_both(|words| text::comparisons(&with(all.clone()), words, &style(100)));
    insta::assert_snapshot!("many", shown);
}

#[test]
fn two_ways_to_write_are_told() {
    let mut report = with(vec![Comparison {
        workload: Workload::SEQ_WRITE,
        ..compared("/mnt/nas", "smb", 0.8, Some([0.79, 0.81]), Answer::Slower)
    }]);
    let mut other = sample("smb", Workload::SEQ_WRITE, 1, 70.0);
    other.cache.write = Some(WriteMode::Acknowledged);
    report.samples.push(other);
    insta::assert_snapshot!("unlike", in_both(|words| text::comparisons(&report, words, &style(100))));
}

#[test]
fn without_comparisons_nothing_is_said() {
    assert_eq!(text::comparisons(&full(), &Words::new(Language::English), &style(100)), "");
}

fn every_difference() -> Vec<Difference> {
    vec![
        Difference::Size { a: Bytes::gibibytes(1), b: Bytes(1_000_000_000) },
        Difference::TimeLimit { a: Some(nanoseconds(10.0)), b: None },
        Difference::Block { a: Bytes::mebibytes(8), b: Bytes::mebibytes(1) },
        Difference::Depth { a: 1, b: 8 },
        Difference::Durability { a: Durability::WriteThrough, b: Durability::Flush },
        Difference::ReadCache { a: ReadCache::Avoid, b: ReadCache::Allow },
        Difference::Data { a: DataKind::Random, b: DataKind::Compressible(50) },
        Difference::WriteMode {
            target: "lan".into(),
            workload: Workload::SEQ_WRITE,
            a: WriteMode::DirectWriteThrough,
            b: WriteMode::CachedWriteThrough,
        },
        Difference::ReadMode {
            target: "lan".into(),
            workload: Workload::SEQ_READ,
            a: ReadMode::Direct,
            b: ReadMode::Dropped,
        },
        Difference::Unmeasured { target: "lan".into(), workload: Workload::SEQ_READ },
        Difference::Workloads {
            a: vec![Workload::SEQ_WRITE, Workload::SEQ_READ],
            b: vec![Workload::SEQ_WRITE],
        },
        Difference::Targets { a: vec!["lan".into()], b: vec!["lan".into(), "ts".into()] },
        Difference::Location { target: "lan".into(), a: "/mnt/nas".into(), b: "/mnt/写真".into() },
        Difference::Files { a: 200, b: 300 },
        Difference::FileMix { a: FileMix::Documents, b: FileMix::Photos },
        Difference::Settle { a: nanoseconds(1.0), b: nanoseconds(5.0) },
        Difference::Pause { a: nanoseconds(1.0), b: nanoseconds(30.0) },
        Difference::Connections { a: Wishes::default(), b: Wishes { connections: 4, ..Wishes::default() } },
        Difference::Host { a: "linux 6.12 x86_64 (8)".into(), b: "macos 26.1 aarch64 (10)".into() },
        Difference::Version { a: "0.1.0".into(), b: "0.2.0".into() },
    ]
}

fn reports(differences: Vec<Difference>, comparisons: Vec<Comparison>) -> ReportComparison {
    ReportComparison {
        schema: SCHEMA_VERSION,
        a: "20261130-170838-x7f3".into(),
        b: "20261028-091500-ab12".into(),
        differences,
        comparisons,
    }
}

fn unpaired(comparison: Comparison) -> Comparison {
    Comparison { paired: false, ..comparison }
}

#[test]
fn two_reports_are_compared() {
    let slower = unpaired(compared("nas", "nas", 0.8, Some([0.78, 0.82]), Answer::Slower));
    let open = unpaired(compared("nas", "nas", 1.01, Some([0.96, 1.06]), Answer::Inconclusive));
    let compared = reports(
        vec![Difference::Version { a: "0.1.0".into(), b: "0.2.0".into() }],
        vec![
            Comparison { workload: Workload::SEQ_WRITE, ..slower },
            Comparison { without_first: true, ..open },
        ],
    );
    insta::assert_snapshot!(
        "reports",
        in_both(|words| text::report_comparison(&compared, words, &style(100)))
    );
}

#[test]
fn every_difference_of_two_reports() {
    let compared = reports(every_difference(), Vec::new());
    insta::assert_snapshot!(
        "differences",
        in_both(|words| text::report_comparison(&compared, words, &style(100)))
    );
}

#[test]
fn no_line_of_a_comparison_is_wider_than_the_terminal() {
    for words in all_words() {
        for width in [20, 30, 40, 60, 80, 100] {
            let mut shown =
                text::report_comparison(&reports(every_difference(), answers()), &words, &style(width));
            shown += &text::comparisons(&with(three()), &words, &style(width));
            shown += &text::comparisons(&with(answers()), &words, &style(width));
            for line in shown.lines() {
                assert!(layout::columns(line) <= width, "{width}: {line}");
            }
        }
    }
}
