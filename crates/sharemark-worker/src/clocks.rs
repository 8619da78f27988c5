//! Two clocks, to notice that the machine slept or that this process was stopped.

use std::thread;
use std::time::{Duration, Instant};

use sharemark_model::{Nanoseconds, Pause, RepeatReason};

/// A nap that lasts this much longer than asked was no scheduling delay.
const NOTICEABLE: Duration = Duration::from_secs(2);

/// Sleeps for `nap`; tells if the machine or the process stood still meanwhile.
///
/// One clock stands still while the machine sleeps, the other does not. When both agree that the nap was far too long,
/// the machine was awake and this process did not run: it was stopped, or starved.
pub(crate) fn nap(nap: Duration) -> Option<Pause> {
    let (awake, always) = (Instant::now(), since_boot());
    thread::sleep(nap);
    judge(nap, awake.elapsed(), since_boot().saturating_sub(always))
}

fn judge(nap: Duration, awake: Duration, always: Duration) -> Option<Pause> {
    let slept = always.saturating_sub(awake);
    if slept > NOTICEABLE {
        return Some(Pause { reason: RepeatReason::Slept, lost: slept.into() });
    }
    let late = awake.saturating_sub(nap);
    (late > NOTICEABLE).then(|| Pause { reason: RepeatReason::Stopped, lost: late.into() })
}

/// Both pauses as one: sleep is the stronger reason.
pub(crate) fn together(a: Option<Pause>, b: Option<Pause>) -> Option<Pause> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Pause {
            reason: if a.reason == RepeatReason::Slept { a.reason } else { b.reason },
            lost: Nanoseconds(a.lost.0.saturating_add(b.lost.0)),
        }),
        (a, b) => a.or(b),
    }
}

/// Time including sleep. `CLOCK_BOOTTIME` is set by nobody; elsewhere the wall clock has to do, and a person who sets it
/// forward in mid-phase has that sample repeated.
#[cfg(target_os = "linux")]
fn since_boot() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(target_os = "linux"))]
fn since_boot() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn sleep_and_stop_are_told_apart() {
        let nap = Duration::from_millis(100);
        assert_eq!(judge(nap, nap, nap), None);
        assert_eq!(judge(nap, s(1), s(1)), None);
        assert_eq!(judge(nap, nap, s(60)).map(|pause| pause.reason), Some(RepeatReason::Slept));
        assert_eq!(judge(nap, s(60), s(60)).map(|pause| pause.reason), Some(RepeatReason::Stopped));
    }

    #[test]
    fn pauses_add_up() {
        let slept = Pause { reason: RepeatReason::Slept, lost: Nanoseconds(5) };
        let stopped = Pause { reason: RepeatReason::Stopped, lost: Nanoseconds(3) };
        assert_eq!(
            together(Some(stopped), Some(slept)).map(|p| (p.reason, p.lost.0)),
            Some((RepeatReason::Slept, 8))
        );
        assert_eq!(together(None, Some(stopped)), Some(stopped));
        assert_eq!(together(None, None), None);
    }
}
