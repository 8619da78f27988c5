//! Several handles on one file at once.

use std::path::Path;
use std::sync::Barrier;
use std::thread;

use sharemark_model::Report;
use sharemark_store::BlockingHistory;

use crate::{begun_report, full_report, place};

const WRITERS: usize = 4;
const ROUNDS: u32 = 10;

/// Keeps a run of its own and adds to the common one.
fn write(path: &Path, together: &Barrier, writer: usize) {
    together.wait();
    let history = BlockingHistory::open(path).unwrap();
    let own = Report { id: format!("own-{writer}"), ..begun_report() };
    history.begin(&own).unwrap();
    // Fails for all but one.
    let _ = history.begin(&begun_report());
    for round in 1..=ROUNDS {
        let mut sample = full_report().samples.swap_remove(0);
        sample.round = round;
        sample.target = own.id.clone();
        history.append(&own.id, &sample).unwrap();
        history.append(&begun_report().id, &sample).unwrap();
    }
}

#[test]
fn handles_that_make_and_write_one_history_lose_nothing() {
    let (_folder, path) = place();
    let together = Barrier::new(WRITERS);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (path, together) = (&path, &together);
            scope.spawn(move || write(path, together, writer));
        }
    });

    let history = BlockingHistory::open_existing(&path).unwrap();
    assert_eq!(history.list(100).unwrap().len(), WRITERS + 1);
    let common = history.load(&begun_report().id).unwrap();
    for writer in 0..WRITERS {
        let own = history.load(&format!("own-{writer}")).unwrap();
        assert!(own.samples.iter().map(|sample| sample.round).eq(1..=ROUNDS));
        let here = common.samples.iter().filter(|sample| sample.target == own.id);
        assert!(here.map(|sample| sample.round).eq(1..=ROUNDS));
    }
}

#[test]
fn one_handle_serves_several_threads() {
    let (_folder, path) = place();
    let history = BlockingHistory::open(&path).unwrap();
    let report = full_report();
    history.begin(&begun_report()).unwrap();
    thread::scope(|scope| {
        for sample in &report.samples {
            scope.spawn(|| history.append(&report.id, sample).unwrap());
        }
    });
    let kept = history.load(&report.id).unwrap().samples;
    assert_eq!(kept.len(), report.samples.len());
    assert!(report.samples.iter().all(|sample| kept.contains(sample)));
}

#[test]
fn a_reader_sees_the_samples_of_a_run_under_way() {
    let (_folder, path) = place();
    let report = full_report();
    let writer = BlockingHistory::open(&path).unwrap();
    let reader = BlockingHistory::open_existing(&path).unwrap();
    writer.begin(&begun_report()).unwrap();
    for (count, sample) in report.samples.iter().enumerate() {
        assert_eq!(reader.load(&report.id).unwrap().samples.len(), count);
        writer.append(&report.id, sample).unwrap();
    }
    writer.finish(&report).unwrap();
    assert_eq!(reader.load(&report.id).unwrap(), report);
}
