//! A storage that does not answer, made by holding the handle's thread.

use super::*;

#[test]
fn a_storage_that_does_not_answer_is_given_up_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = BlockingHistory::open(&folder.path().join("history.db")).unwrap();
    let (release, held) = channel::<()>();

    history.limit = Duration::from_millis(1);
    let answer = history.ask(Tried::Append, move |_, _| {
        let _ = held.recv();
        Ok(())
    });
    assert!(matches!(answer, Err(HistoryError::Silent { tried: Tried::Append, .. })));

    // While the thread is held, nothing more is sent to it.
    history.limit = LIMIT;
    assert!(matches!(history.list(1), Err(HistoryError::Silent { .. })));
    release.send(()).unwrap();
    while history.is_stuck() {
        thread::yield_now();
    }
    assert_eq!(history.list(1).unwrap(), []);
}

#[test]
fn a_handle_whose_storage_does_not_answer_is_dropped_without_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = BlockingHistory::open(&folder.path().join("history.db")).unwrap();
    let (release, held) = channel::<()>();
    history.limit = Duration::from_millis(1);
    let answer = history.ask(Tried::List, move |_, _| {
        let _ = held.recv();
        Ok(())
    });
    assert!(answer.is_err());
    history.limit = Duration::MAX;
    drop(history);
    release.send(()).unwrap();
}

#[test]
fn a_panic_on_the_thread_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let history = BlockingHistory::open(&folder.path().join("history.db")).unwrap();
    let answer: Result<(), _> = history.ask(Tried::Load, |_, _| panic!("as the database's interface might"));
    assert_eq!(answer.unwrap_err().cause(), Some(Cause::Other));
    assert_eq!(history.list(1).unwrap_err().cause(), Some(Cause::Other));
}

#[test]
fn a_handle_can_be_shared_and_used_where_a_runtime_runs() {
    fn shared<T: Send + Sync>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let history = BlockingHistory::open(&path).unwrap();
        shared(&history);
        assert_eq!(history.list(1).unwrap(), []);
    });
}
