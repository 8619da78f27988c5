//! `sharemark demo`: the main job on a server and wires that are all in this program.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::ArgMatches;
use sharemark_demo::{Demo, Wire};
use sharemark_model::{
    Address, Bytes, Location, Login, Nanoseconds, Place, Plan, Profile, Rounds, Share, TargetSpec,
};
use sharemark_report::Words;
use sharemark_runner::{new_id, new_seed};

use crate::console::Console;
use crate::exit::{Exit, Problem};
use crate::run::{self, History};

/// Enough rounds for an interval.
const ROUNDS: u32 = 5;

/// Says that this is a demonstration, measures it, and shows the report.
///
/// # Errors
/// When it cannot be started, or a result cannot be written.
pub(crate) fn demo(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    let words = console.words();
    let failed =
        |system: String| Problem::failed(words.format("cli-demo-failed", &[("system", system.into())]));
    let demo = Demo::start(Wire::FAST, Wire::SLOW).map_err(|error| failed(error.to_string()))?;
    let targets = targets(&demo).map_err(failed)?;
    let places: Vec<Place> = targets.iter().filter_map(place).collect();
    let folder = Folder::new().map_err(|error| failed(error.to_string()))?;
    console.say(&says(&demo, words));
    run::conduct(plan(targets), &places, folder.path(), History::none(console), None, matches, console)
}

/// What is measured, and that it is not the world.
fn says(demo: &Demo, words: &Words) -> String {
    let [(fast, _), (slow, _)] = demo.locations();
    let rate = |wire: Wire| format!("{:.0}", wire.bytes_per_second.megabits());
    let time = |wire: Wire| (wire.delay.as_secs_f64() * 2e3).to_string();
    words.format(
        "cli-demo-says",
        &[
            ("fast", fast.into()),
            ("fast-rate", rate(Wire::FAST).into()),
            ("fast-time", time(Wire::FAST).into()),
            ("slow", slow.into()),
            ("slow-rate", rate(Wire::SLOW).into()),
            ("slow-time", time(Wire::SLOW).into()),
        ],
    )
}

/// Files and pauses that are small enough for all of it to take half a minute.
fn plan(targets: Vec<TargetSpec>) -> Plan {
    let quick = Profile::Quick.plan(new_seed());
    Plan {
        targets,
        rounds: Rounds { at_least: ROUNDS, at_most: ROUNDS, ..quick.rounds },
        size: Bytes::mebibytes(32),
        block: Bytes::mebibytes(1),
        depth: 8,
        settle_ns: Nanoseconds(0),
        pause_ns: Nanoseconds(0),
        ..quick
    }
}

fn targets(demo: &Demo) -> Result<Vec<TargetSpec>, String> {
    let target = |(label, url): (&str, String)| {
        let location: Location = url.parse().map_err(|error| format!("{url}: {error}"))?;
        Ok(TargetSpec { label: label.to_owned(), location })
    };
    demo.locations().into_iter().map(target).collect()
}

/// The share at a target, for which nobody has to log in: a password that is set for other shares stays where it is.
fn place(target: &TargetSpec) -> Option<Place> {
    let address = Address::of(&target.location).ok().flatten()?.address;
    Some(Place::Share(Box::new(Share { address, login: Login::default(), wishes: Default::default() })))
}

/// A folder for the manifests of this run. What they name is gone with this program, so that no later `clean` is to look
/// for it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("sharemark-demo-{}", new_id(jiff::Timestamp::now())));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // In a temporary folder nothing of it is in anybody's way.
        fs::remove_dir_all(&self.0).ok();
    }
}
