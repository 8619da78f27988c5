//! Every value of every sample comes back bit by bit.

use jiff::Timestamp;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::Value;
use sharemark_model::{Bytes, Evidence, Nanoseconds, Rate, Report, Sample, SeriesPoint};
use sharemark_store::{BlockingHistory, HistoryError};

use crate::{begun_report, full_report, place};

/// Any bit pattern that is a number at all.
fn number() -> impl Strategy<Value = f64> {
    any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("JSON holds finite numbers", |number| number.is_finite())
}

fn evidence() -> impl Strategy<Value = Option<Evidence>> {
    let leaf = prop_oneof![
        number().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| vec(inner, 0..4).prop_map(Value::from));
    proptest::option::of(btree_map(any::<String>(), value, 0..4))
}

fn timestamp() -> impl Strategy<Value = Timestamp> {
    (Timestamp::MIN.as_nanosecond()..=Timestamp::MAX.as_nanosecond())
        .prop_map(|nanoseconds| Timestamp::from_nanosecond(nanoseconds).unwrap())
}

prop_compose! {
    fn sample()(
        base in 0usize..3,
        target in any::<String>(),
        rate in number(),
        ceiling in number(),
        times in any::<[u64; 6]>(),
        round in any::<u32>(),
        started in timestamp(),
        partial in any::<bool>(),
        series in vec(any::<(u64, u64)>(), 0..20),
        path in evidence(),
        nas in evidence(),
    ) -> Sample {
        let mut sample = full_report().samples.swap_remove(base);
        sample.target = target;
        sample.bytes_per_second = Rate(rate);
        sample.source.ceiling_bytes_per_second = Rate(ceiling);
        sample.bytes = Bytes(times[0]);
        sample.open_ns = Nanoseconds(times[1]);
        sample.transfer_ns = Nanoseconds(times[2]);
        sample.flush_ns = Nanoseconds(times[3]);
        sample.close_ns = Nanoseconds(times[4]);
        sample.first_byte_ns = Some(Nanoseconds(times[5]));
        sample.round = round;
        sample.started = started;
        sample.partial = partial;
        sample.series = series
            .into_iter()
            .map(|(t_ms, bytes)| SeriesPoint { t_ms, bytes: Bytes(bytes) })
            .collect();
        sample.path = path;
        sample.nas = nas;
        sample
    }
}

/// Equality calls 0 and -0 the same, so that the bits of the rates are compared as well.
fn bits(sample: &Sample) -> (u64, u64) {
    let ceiling = sample.source.ceiling_bytes_per_second;
    (sample.bytes_per_second.0.to_bits(), ceiling.0.to_bits())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_sample_comes_back_bit_by_bit(samples in vec(sample(), 1..6)) {
        let (_folder, path) = place();
        let report = begun_report();
        let history = BlockingHistory::open(&path).unwrap();
        history.begin(&report).unwrap();
        for sample in &samples {
            history.append(&report.id, sample).unwrap();
        }
        let check = |loaded: &Report| {
            prop_assert_eq!(&loaded.samples, &samples);
            prop_assert!(loaded.samples.iter().map(bits).eq(samples.iter().map(bits)));
            Ok(())
        };
        check(&history.load(&report.id).unwrap())?;
        let report = Report { samples: samples.clone(), ..full_report() };
        history.finish(&report).unwrap();
        check(&history.load(&report.id).unwrap())?;
    }
}

#[test]
fn a_value_that_json_cannot_hold_harms_nothing_else() {
    let (_folder, path) = place();
    let report = full_report();
    let history = BlockingHistory::open(&path).unwrap();
    history.begin(&begun_report()).unwrap();
    history.append(&report.id, &report.samples[0]).unwrap();

    for rate in [f64::INFINITY, f64::NAN] {
        let mut sample = report.samples[1].clone();
        sample.bytes_per_second = Rate(rate);
        let refused = history.append(&report.id, &sample);
        assert!(matches!(refused, Err(HistoryError::Unwritable { .. })));

        let mut head = report.clone();
        head.comparisons[0].ratio = rate;
        assert!(matches!(history.finish(&head), Err(HistoryError::Unwritable { .. })));
    }
    history.append(&report.id, &report.samples[2]).unwrap();
    let loaded = history.load(&report.id).unwrap();
    assert_eq!(loaded.samples, [report.samples[0].clone(), report.samples[2].clone()]);
}
