//! `sharemark clean`: removes what an interrupted run left.

use std::time::Duration;

use clap::ArgMatches;
use sharemark_model::{Failure, Location, TargetSpec};
use sharemark_report::{Words, failure};
use sharemark_runner::{
    Cleaned, Context, Interrupts, Leftovers, SystemClock, clean as remove, leftovers, resolve,
};

use crate::access::{Access, wishes};
use crate::console::Console;
use crate::exit::{Exit, Problem};
use crate::plan::Typed;
use crate::{list, paths};

/// Looking and removing take a moment each: a share that has said nothing for this long does not answer now.
const STALL: Duration = Duration::from_secs(15);

/// Removes everything that earlier runs left, or what they left in one folder.
///
/// # Errors
/// When the manifests cannot be read.
pub(crate) fn clean(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    let access = Access::new(matches, console)?;
    let trust = wishes::trust(&Typed { matches, words })?;
    let data_dir = paths::data_dir(words)?;
    let executor = list::executor()?;
    let context = Context {
        executor: &executor,
        clock: &SystemClock::default(),
        interrupts: &Interrupts::default(),
        data_dir: &data_dir,
        stall: STALL,
    };
    let Leftovers { mut over, mut running } =
        leftovers(&data_dir).map_err(|error| Problem::failed(failure::text(&Failure::from(error), words)))?;
    let target = matches.get_one::<String>("target");
    if let Some(target) = target {
        // A URL stands for itself. A folder that cannot be looked at, because its share is gone, may still be named as it was.
        let folder = match named(target, &access)? {
            Location::Folder(path) => resolve(&path, &context).unwrap_or_else(|_| absolute(&path)),
            url @ Location::Url { .. } => url.to_string(),
        };
        over.retain(|leftover| leftover.is_in(&folder));
        running.retain(|place| std::path::Path::new(place).starts_with(&folder));
    }
    for place in &running {
        console.say(&words.format("cli-clean-running", &[("place", place.into())]));
    }
    if over.is_empty() && running.is_empty() {
        console.result(&match target {
            Some(target) => words.format("cli-clean-nothing-at", &[("place", target.into())]) + "\n",
            None => words.text("cli-clean-nothing") + "\n",
        })?;
        return Ok(Exit::Done);
    }
    let mut exit = Exit::Done;
    for leftover in over {
        // A location was one when it was written down.
        let Ok(location) = leftover.location().parse::<Location>() else { continue };
        let place = match access.place_of(&location, &trust) {
            Ok(place) => place,
            Err(problem) => {
                // One that cannot be reached keeps nobody from cleaning the others.
                exit = problem.exit;
                console.problem(&problem);
                continue;
            }
        };
        let cleaned = remove(leftover, &place, &context);
        if !cleaned.left.is_empty() && exit == Exit::Done {
            exit = Exit::Failed;
        }
        console.result(&told(&cleaned, words))?;
    }
    Ok(exit)
}

/// The location that was typed, or that a saved target of this name has.
fn named(typed: &str, access: &Access<'_>) -> Result<Location, Problem> {
    let location = typed.parse().unwrap_or_else(|_| Location::Folder(typed.to_owned()));
    Ok(access.resolved(TargetSpec { label: location.to_string(), location })?.location)
}

fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn told(cleaned: &Cleaned, words: &Words) -> String {
    let place = (&cleaned.place).into();
    let Some(first) = cleaned.left.first() else {
        return words.format("cli-clean-removed", &[("place", place)]) + "\n";
    };
    let reason = failure::matter(first.code, words);
    let mut text = words.format("cli-clean-remains", &[("place", place), ("reason", reason.into())]) + "\n";
    for failure in &cleaned.left {
        text.push_str(failure::text(failure, words).trim_end());
        text.push('\n');
    }
    text
}
