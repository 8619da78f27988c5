use sharemark_model::{Bytes, FailureCode, Rate, RepeatReason, TrendDirection, Warning, Workload};
use sharemark_report::warning;

use crate::all_words;
use crate::sample_report::{megabytes, nanoseconds};

/// Each kind of warning, and each of its forms.
pub(crate) fn every_warning() -> Vec<Warning> {
    let (write, read) = (Workload::SEQ_WRITE, Workload::SEQ_READ);
    let files = Workload::small_files(1)[0];
    let trend =
        |direction, per_round| Warning::Trend { workload: write, direction, per_round: megabytes(per_round) };
    vec![
        Warning::LocalDisk { file_system: "ext4".into() },
        Warning::MemoryFileSystem { file_system: "tmpfs".into() },
        Warning::FuseCache { file_system: "fuse.rclone".into() },
        Warning::CacheNotRuledOut { samples: 1, resident: Some(Bytes(12_582_912)) },
        Warning::CacheNotRuledOut { samples: 5, resident: None },
        Warning::CacheAllowed { workload: write },
        Warning::CacheAllowed { workload: read },
        Warning::NamesRemembered,
        Warning::SizeReduced { asked: Bytes(1 << 30), used: Bytes(1 << 28) },
        Warning::WorkloadUnsupported { workload: "rand-write:q32".parse().unwrap() },
        Warning::DirectRefused { workload: "mixed:30%".parse().unwrap() },
        Warning::DirectRefused { workload: read },
        Warning::DepthReduced { workload: write, asked: 64, carried: 16 },
        Warning::FirstRunDiffers { workload: write, first: megabytes(23.1), others: megabytes(61.1) },
        Warning::FirstRunDiffers { workload: read, first: megabytes(112.3), others: megabytes(61.1) },
        trend(TrendDirection::Falling, -29.04),
        trend(TrendDirection::Rising, 3.117),
        trend(TrendDirection::None, 0.01),
        Warning::FirstRunDiffers { workload: files, first: Rate(61.4), others: Rate(417.2) },
        Warning::Trend { workload: files, direction: TrendDirection::Falling, per_round: Rate(-12.34) },
        Warning::Burst {
            workload: write,
            before: megabytes(110.4),
            after: megabytes(61.2),
            at_ns: nanoseconds(3.2),
        },
        Warning::Burst {
            workload: read,
            before: megabytes(8.2),
            after: megabytes(61.2),
            at_ns: nanoseconds(0.75),
        },
        Warning::ConfidenceNotReached { workload: write, reached: Some(0.124), wanted: 0.03 },
        Warning::ConfidenceNotReached { workload: read, reached: None, wanted: 0.03 },
        Warning::SampleRepeated {
            workload: read,
            round: 3,
            reason: RepeatReason::Slept,
            lost_ns: nanoseconds(272.0),
        },
        Warning::SampleRepeated {
            workload: write,
            round: 4,
            reason: RepeatReason::Stopped,
            lost_ns: nanoseconds(8.1),
        },
        Warning::GeneratorBound { workload: write, share: 0.23 },
        Warning::LeftBehind {
            place: "/mnt/nas/sharemark-20261130-170838-x7f3".into(),
            reason: FailureCode::ServerGone,
        },
        Warning::HistoryNotWritten { system: "unable to open database file".into() },
    ]
}

#[test]
fn what_and_advice_are_whole_sentences() {
    for (words, ends) in all_words().iter().zip([['.', '?', 'e'], ['。', '。', 'e']]) {
        for warning in every_warning() {
            let text = warning::text(&warning, words);
            assert!(text.advice.ends_with(ends), "{}", text.advice);
            // The history's own answer ends as the system ended it.
            assert!(text.what.ends_with(ends), "{}", text.what);
        }
    }
}
