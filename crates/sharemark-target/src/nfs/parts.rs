//! A block in parts that the server takes, all under way together.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use super::protocol::Refusals;
use super::trouble::Trouble;

/// How often an answer may come without any byte before that counts as a failure.
const PATIENCE: u32 = 8;

/// The pause before a server that said "later" is sent a part again.
const DELAY: Duration = Duration::from_millis(100);

/// Moves `length` bytes in parts of at most `largest`. `begin` sends a part, or declines to when it may not wait and the
/// server takes no more; `end` waits for its answer: how many bytes were moved, and whether the file ends there.
/// What was not moved is sent again as a smaller part. Answers how many bytes there were before the file ended.
///
/// # Errors
/// The first trouble. The answers to everything that was sent have been waited for.
pub(super) fn in_parts<T>(
    length: usize,
    largest: usize,
    begin: impl FnMut(Range<usize>, bool) -> Result<Option<T>, Trouble>,
    end: impl FnMut(T, Range<usize>) -> Result<(usize, bool), Trouble>,
) -> Result<usize, Trouble> {
    in_parts_by(Instant::now, length, largest, begin, end)
}

/// [`in_parts`], with the time told by `now`.
fn in_parts_by<T>(
    now: impl Fn() -> Instant,
    length: usize,
    largest: usize,
    mut begin: impl FnMut(Range<usize>, bool) -> Result<Option<T>, Trouble>,
    mut end: impl FnMut(T, Range<usize>) -> Result<(usize, bool), Trouble>,
) -> Result<usize, Trouble> {
    let starts = (0..length).step_by(largest.max(1));
    let mut rest: VecDeque<_> = starts.map(|start| start..length.min(start + largest)).collect();
    let mut flying = VecDeque::with_capacity(rest.len());
    let (mut reached, mut idle, mut failed) = (length, 0, None);
    let mut refusals = Refusals::default();
    loop {
        while failed.is_none()
            && let Some(part) = rest.pop_front()
        {
            match begin(part.clone(), flying.is_empty()) {
                Ok(Some(ticket)) => flying.push_back((ticket, part)),
                Ok(None) => {
                    rest.push_front(part);
                    break;
                }
                Err(trouble) => failed = Some(trouble),
            }
        }
        let Some((ticket, part)) = flying.pop_front() else {
            return failed.map_or(Ok(reached), Err);
        };
        let answer = end(ticket, part.clone());
        if matches!(answer, Ok((done, ended)) if done > 0 || ended) {
            (idle, refusals) = (0, Refusals::default());
        }
        match answer {
            Ok((done, _)) if done >= part.len() => {}
            Ok((done, true)) => reached = reached.min(part.start + done),
            Ok((done, false)) => {
                idle += u32::from(done == 0);
                if idle > PATIENCE {
                    failed.get_or_insert(Trouble::Transport(ErrorKind::WriteZero.into()));
                }
                rest.push_front(part.start + done..part.end);
            }
            Err(trouble) if failed.is_none() && trouble.is_delay() && refusals.may_pass(now()) => {
                thread::sleep(DELAY);
                rest.push_front(part);
            }
            Err(trouble) => {
                failed.get_or_insert(trouble);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nfs::status::Status;

    #[test]
    fn all_parts_are_sent_before_the_first_answer_is_waited_for() {
        let (mut sent, mut order) = (0, Vec::new());
        let moved = in_parts(
            10,
            4,
            |part, _| {
                sent += 1;
                Ok(Some((part, sent)))
            },
            |(sent_part, number), part| {
                assert_eq!(sent_part, part);
                order.push((part.clone(), number));
                Ok((part.len(), false))
            },
        );
        assert_eq!(moved.unwrap(), 10);
        assert_eq!((sent, order), (3, vec![(0..4, 1), (4..8, 2), (8..10, 3)]));
    }

    #[test]
    fn a_short_answer_is_continued_and_the_end_of_the_file_is_not() {
        let mut asked = Vec::new();
        let moved = in_parts(
            8,
            4,
            |part, _| {
                asked.push(part);
                Ok(Some(()))
            },
            |(), part| match part.start {
                0 => Ok((3, false)),
                3 => Ok((1, false)),
                _ => Ok((2, true)),
            },
        );
        assert_eq!(moved.unwrap(), 6);
        assert_eq!(asked, [0..4, 4..8, 3..4]);
    }

    #[test]
    fn who_takes_no_more_at_once_is_sent_the_rest_later() {
        let flying = std::cell::Cell::new(0);
        let mut most = 0;
        let moved = in_parts(
            100,
            10,
            |_, wait| {
                if flying.get() == 2 && !wait {
                    return Ok(None);
                }
                flying.set(flying.get() + 1);
                most = most.max(flying.get());
                Ok(Some(()))
            },
            |(), part| {
                flying.set(flying.get() - 1);
                Ok((part.len(), false))
            },
        );
        assert_eq!((moved.unwrap(), most), (100, 2));
    }

    #[test]
    fn every_answer_is_waited_for_also_after_a_trouble() {
        let mut answers = 0;
        let moved = in_parts(
            30,
            10,
            |_, _| Ok(Some(())),
            |(), part| {
                answers += 1;
                if part.start == 0 { Err(Trouble::Status(Status::nfs3(28))) } else { Ok((part.len(), false)) }
            },
        );
        assert_eq!(moved.unwrap_err().to_string(), "NFS3ERR_NOSPC (28)");
        assert_eq!(answers, 3);
    }

    #[test]
    fn a_server_that_says_later_is_sent_the_part_again() {
        let mut refused = 0;
        let moved = in_parts(
            5,
            5,
            |_, _| Ok(Some(())),
            |(), part| {
                refused += 1;
                if refused == 1 { Err(Trouble::Status(Status::nfs3(10008))) } else { Ok((part.len(), false)) }
            },
        );
        assert_eq!((moved.unwrap(), refused), (5, 2));
    }

    /// A server that says "later" to each of `answers` that is `false`, five seconds after the last.
    fn moved_by(answers: &[bool]) -> Result<usize, Trouble> {
        let begun = Instant::now();
        let answered = std::cell::Cell::new(0_u32);
        let mut answers = answers.iter();
        in_parts_by(
            || begun + answered.get() * Duration::from_secs(5),
            10,
            5,
            |_, _| Ok(Some(())),
            |(), part| {
                answered.set(answered.get() + 1);
                if *answers.next().unwrap() {
                    return Ok((part.len(), false));
                }
                Err(Trouble::Status(Status::nfs3(10008)))
            },
        )
    }

    #[test]
    fn later_is_waited_for_from_when_it_was_first_said() {
        // The first part's answer takes longer than the limit, in the end.
        assert_eq!(moved_by(&[true, false, false, true]).unwrap(), 10);
        assert_eq!(moved_by(&[false, false, true, false, false, true]).unwrap(), 10);
        assert!(moved_by(&[true, false, false, false]).unwrap_err().is_delay());
    }

    #[test]
    fn who_never_comes_further_is_stuck() {
        let moved = in_parts(5, 5, |_, _| Ok(Some(())), |(), _| Ok((0, false)));
        assert_eq!(moved.unwrap_err().code(), sharemark_model::FailureCode::NoSpace);
    }
}
