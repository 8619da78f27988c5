//! Results in files, or on standard output.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use clap::ArgMatches;
use sharemark_model::{Report, ReportComparison, report_schema};
use sharemark_report::{TextStyle, Words, csv, text};

use crate::console::Console;
use crate::exit::{Exit, Problem};

/// Where results go besides, or instead of, the text on standard output.
pub(crate) struct Outputs {
    json: Option<String>,
    csv: Option<String>,
}

impl Outputs {
    /// What `--json` and `--csv` ask for. The files are tried now, without changing what is in them: a run of minutes
    /// is not to end in "no such folder".
    ///
    /// # Errors
    /// When both ask for standard output, or a file cannot be written.
    pub(crate) fn new(matches: &ArgMatches, words: &Words) -> Result<Self, Problem> {
        let outputs = Self {
            json: matches.get_one::<String>("json").cloned(),
            csv: matches.get_one::<String>("csv").cloned(),
        };
        if outputs.json.as_deref() == Some("-") && outputs.csv.as_deref() == Some("-") {
            return Err(Problem::usage(words.text("cli-error-both-stdout")));
        }
        if let (Some(json), Some(csv)) = (&outputs.json, &outputs.csv)
            && json == csv
        {
            return Err(Problem::usage(words.format("cli-error-same-file", &[("path", json.into())])));
        }
        for path in [&outputs.json, &outputs.csv].into_iter().flatten() {
            try_out(path, words)?;
        }
        Ok(outputs)
    }

    /// Writes the report wherever it was asked for; the text, if it is `told`, goes to standard output unless that is
    /// taken.
    ///
    /// # Errors
    /// When something could not be written; everything else was.
    pub(crate) fn write(&self, report: &Report, told: bool, console: &Console) -> Result<(), Problem> {
        let words = console.words();
        let mut result = Ok(());
        // Otherwise there is nothing to show but why there is nothing, and that is said elsewhere.
        if told {
            result = self.tell(|style| text::report(report, words, style), console);
        }
        if let Some(path) = &self.json {
            let json = report.to_json().map_err(io::Error::other);
            result = result.and(
                json.map_err(|error| cannot_write(path, &error, words))
                    .and_then(|json| put(path, &json, console)),
            );
        }
        if let Some(path) = &self.csv {
            result = result.and(put(path, &csv::report(report), console));
        }
        result
    }

    /// Shows a text on standard output, or beside it when that is taken.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn tell(&self, text: impl Fn(&TextStyle) -> String, console: &Console) -> Result<(), Problem> {
        let taken = [&self.json, &self.csv].into_iter().flatten().any(|path| path == "-");
        tell(taken, text, console)
    }
}

/// Where a comparison goes besides, or instead of, the text on standard output.
pub(crate) struct Beside {
    json: Option<String>,
}

impl Beside {
    /// What `--json` asks for. The file is tried now.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn new(matches: &ArgMatches, words: &Words) -> Result<Self, Problem> {
        let json = matches.get_one::<String>("json").cloned();
        json.iter().try_for_each(|path| try_out(path, words))?;
        Ok(Self { json })
    }

    /// Writes the comparison wherever it was asked for.
    ///
    /// # Errors
    /// When something could not be written; everything else was.
    pub(crate) fn write(
        &self,
        compared: &ReportComparison,
        text: impl Fn(&TextStyle) -> String,
        console: &Console,
    ) -> Result<(), Problem> {
        let told = tell(self.json.as_deref() == Some("-"), text, console);
        let Some(path) = &self.json else { return told };
        let json = serde_json::to_string_pretty(compared).map_err(io::Error::other);
        let json = json.map_err(|error| cannot_write(path, &error, console.words()));
        told.and(json.and_then(|json| put(path, &(json + "\n"), console)))
    }
}

fn tell(taken: bool, text: impl Fn(&TextStyle) -> String, console: &Console) -> Result<(), Problem> {
    if taken {
        console.say(&text(&console.error_style()));
        return Ok(());
    }
    console.result(&text(&console.style()))
}

/// Whether a file can be written, without changing what is in it.
fn try_out(path: &str, words: &Words) -> Result<(), Problem> {
    if path == "-" {
        return Ok(());
    }
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).map_err(|error| cannot_write(path, &error, words))
}

fn put(path: &str, content: &str, console: &Console) -> Result<(), Problem> {
    if path == "-" {
        return console.result(content);
    }
    fs::write(Path::new(path), content).map_err(|error| cannot_write(path, &error, console.words()))?;
    console.say(&console.words().format("cli-status-saved", &[("path", path.into())]));
    Ok(())
}

fn cannot_write(path: &str, error: &io::Error, words: &Words) -> Problem {
    let values = [("path", path.into()), ("system", error.to_string().into())];
    Problem::failed(words.format("cli-error-output", &values))
}

/// `sharemark schema`.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn schema(console: &Console) -> Result<Exit, Problem> {
    console.result(&format!("{:#}\n", report_schema()))?;
    Ok(Exit::Done)
}
