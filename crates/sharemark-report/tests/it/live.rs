use proptest::prelude::*;
use sharemark_model::{Bytes, Failure, FailureCode, Nanoseconds, Operation, Rate, Sample, Stage, Workload};
use sharemark_report::live::{self, LiveView};
use sharemark_report::{Language, Words, layout};

use crate::sample_report::{megabytes, nanoseconds, sample};

fn rates() -> Vec<Rate> {
    (0..30).map(|n| megabytes(40.0 + 15.0 * (f64::from(n) / 3.0).sin() + f64::from(n) / 3.0)).collect()
}

fn view(rates: &[Rate]) -> LiveView<'_> {
    LiveView {
        target: "/mnt/nas",
        workload: Some(Workload::SEQ_WRITE),
        round: 2,
        rounds_at_least: 5,
        stage: Stage::Transferring,
        bytes: Bytes(310_000_000),
        total: Bytes::gibibytes(1),
        elapsed: nanoseconds(6.2),
        time_limit: Some(nanoseconds(10.0)),
        recent_rates: rates,
        curve: true,
    }
}

#[test]
fn a_terminal_that_shows_blocks_too_wide_gets_none() {
    let rates = rates();
    let words = Words::new(Language::Japanese);
    let drawn = live::line(&view(&rates), &words, 120);
    let plain = live::line(&LiveView { curve: false, ..view(&rates) }, &words, 120);
    let is_block = |character: char| ('\u{2581}'..='\u{2588}').contains(&character);
    assert!(drawn.contains(is_block));
    assert_eq!(plain, drawn.trim_end_matches(is_block).trim_end());
}

#[test]
fn lines_at_usual_widths() {
    let rates = rates();
    let views = [
        view(&rates),
        LiveView { time_limit: None, workload: Some(Workload::SEQ_READ), round: 7, ..view(&rates) },
        LiveView { recent_rates: &[], bytes: Bytes(0), elapsed: Nanoseconds(0), ..view(&rates) },
        LiveView { target: "写真とビデオの保管用共有フォルダー 2026年度", ..view(&rates) },
        LiveView {
            workload: Some(Workload::small_files(1)[1]),
            bytes: Bytes(0),
            total: Bytes(0),
            recent_rates: &[],
            ..view(&rates)
        },
        LiveView { stage: Stage::Preparing, ..view(&rates) },
        LiveView { stage: Stage::Opening, ..view(&rates) },
        LiveView { stage: Stage::Flushing, ..view(&rates) },
        LiveView { stage: Stage::Closing, ..view(&rates) },
        LiveView { stage: Stage::Verifying, ..view(&rates) },
        LiveView { stage: Stage::Housekeeping, ..view(&rates) },
    ];
    for (language, tag) in [(Language::English, "en"), (Language::Japanese, "ja")] {
        let words = Words::new(language);
        let mut shown = String::new();
        for width in [120, 80, 60, 40, 20] {
            shown.push_str(&format!("{:-<width$}\n", ""));
            for view in &views {
                shown.push_str(&live::line(view, &words, width));
                shown.push('\n');
            }
        }
        insta::assert_snapshot!(format!("live_{tag}"), shown);
    }
}

/// The five phases of small files; a listing moves nothing.
fn files(workloads: &[Workload]) -> [Sample; 5] {
    std::array::from_fn(|index| {
        let workload = workloads[index];
        let moves = workload.reads() || workload.writes();
        let mut sample = sample("/mnt/nas", workload, 2, 53.2);
        sample.bytes = Bytes(if moves { 52_400_000 } else { 0 });
        sample.operations = 200;
        sample.transfer_ns = nanoseconds(0.48);
        sample.operations_per_second = Rate(416.7);
        sample.verified = workload.reads().then_some(true);
        sample
    })
}

#[test]
fn a_line_for_each_ended_phase() {
    let write = sample("/mnt/nas", Workload::SEQ_WRITE, 2, 53.2);
    let read = sample("/mnt/nas", Workload::SEQ_READ, 2, 112.2);
    let mut wrong = read.clone();
    wrong.verified = Some(false);
    let mut failed = write.clone();
    failed.partial = true;
    failed.bytes = Bytes(312_000_000);
    failed.error = Some(Failure::new(FailureCode::Stalled, Operation::Write, "/mnt/nas/x"));
    let mut cancelled = failed.clone();
    cancelled.error = None;
    let [files_write, files_list, _, files_read, _] = files(&Workload::small_files(1));
    let mut files_failed = files_list.clone();
    files_failed.partial = true;
    files_failed.error = failed.error.clone();
    let all =
        [&write, &read, &wrong, &failed, &cancelled, &files_write, &files_list, &files_read, &files_failed];
    let mut shown = String::new();
    for language in Language::ALL {
        let words = Words::new(language);
        for sample in all {
            shown.push_str(&live::phase_done(sample, &words));
            shown.push('\n');
        }
    }
    insta::assert_snapshot!("phase_done", shown);
}

proptest! {
    #[test]
    fn a_line_fits_whatever_it_says(
        target in "\\PC{0,40}|[\\x00-\\x1f]{1,8}|[あ-ん漢字👨‍👩‍👧e\u{301}]{0,30}",
        width in 0usize..200,
        rates in prop::collection::vec(prop::num::f64::ANY, 0..60),
        (bytes, total, elapsed) in any::<(u64, u64, u64)>(),
        limit in any::<Option<u64>>(),
        (round, rounds_at_least) in any::<(u32, u32)>(),
    ) {
        let rates: Vec<Rate> = rates.into_iter().map(Rate).collect();
        let view = LiveView {
            target: &target,
            round,
            rounds_at_least,
            bytes: Bytes(bytes),
            total: Bytes(total),
            elapsed: Nanoseconds(elapsed),
            time_limit: limit.map(Nanoseconds),
            ..view(&rates)
        };
        for language in Language::ALL {
            let line = live::line(&view, &Words::new(language), width);
            prop_assert!(layout::columns(&line) <= width, "{line:?}");
            prop_assert!(!line.chars().any(char::is_control));
        }
    }
}
