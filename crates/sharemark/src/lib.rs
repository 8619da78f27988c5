//! The command line: reads what was typed, has it done by the other rooms, and shows what came of it.

mod access;
mod arguments;
mod baseline;
mod clean;
mod compare;
mod console;
mod demo;
mod display;
mod exit;
mod history;
mod interrupt;
mod language;
mod list;
mod outputs;
mod paths;
mod plan;
mod run;
mod targets;
mod usage;

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::ArgMatches;
use sharemark_report::Words;

use crate::console::Console;
use crate::exit::{Exit, Problem};

/// The whole program, from its arguments to its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    // A worker speaks to its parent, not to people.
    if arguments.len() == 2 && arguments[1] == "worker" {
        return worker();
    }
    let words = Words::new(language::choose(&arguments));
    let console = Console::new(words);
    match arguments::command(console.words()).try_get_matches_from(&arguments) {
        Ok(matches) => dispatch(&matches, console),
        Err(error) => usage::answer(&error, &arguments, &console),
    }
    .into()
}

fn worker() -> ExitCode {
    match sharemark_worker::serve(io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The parent shows this as the worker's last words.
            #[expect(clippy::print_stderr, reason = "a worker has no other way to say why it cannot serve")]
            {
                eprintln!("{error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn dispatch(matches: &ArgMatches, console: Console) -> Exit {
    let console = if matches.get_flag("no-colour") { console.without_colour() } else { console };
    let result = language::check(matches, console.words()).and_then(|()| done(matches, &console));
    result.unwrap_or_else(|problem| {
        console.problem(&problem);
        problem.exit
    })
}

fn done(matches: &ArgMatches, console: &Console) -> Result<Exit, Problem> {
    match matches.subcommand() {
        Some(("run", matches)) => run::run(matches, console),
        Some(("demo", matches)) => demo::demo(matches, console),
        Some(("history", matches)) => history::list(matches, console),
        Some(("show", matches)) => history::show(matches, console),
        Some(("target", matches)) => targets::run(matches, console),
        Some(("compare", matches)) => compare::compare(matches, console),
        Some(("clean", matches)) => clean::clean(matches, console),
        Some(("schema", _)) => outputs::schema(console),
        _ => list::list(console),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use sharemark_report::check_source;

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else {
                found.push(path);
            }
        }
    }

    #[test]
    fn every_word_used_here_exists_in_both_languages() {
        let mut paths = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
        let mut looked_at = 0;
        for path in paths {
            assert_eq!(check_source(&fs::read_to_string(&path).unwrap()), [], "{}", path.display());
            looked_at += 1;
        }
        assert!(looked_at > 20);
    }
}
