//! Where sharemark keeps its own files on this machine.

use std::env;
use std::path::PathBuf;

use clap::ArgMatches;
use etcetera::BaseStrategy;
use sharemark_report::Words;

use crate::exit::Problem;

/// The folder of manifests and of the history.
///
/// # Errors
/// When the system names no such place.
pub(crate) fn data_dir(words: &Words) -> Result<PathBuf, Problem> {
    if let Some(dir) = env::var_os("SHAREMARK_DATA_DIR").filter(|dir| !dir.is_empty()) {
        return Ok(dir.into());
    }
    etcetera::base_strategy::choose_native_strategy()
        .map(|strategy| strategy.data_dir().join("sharemark"))
        .map_err(|_| Problem::failed(words.text("cli-error-no-data-dir")))
}

/// The folder of the saved targets.
///
/// # Errors
/// When the system names no such place.
pub(crate) fn config_dir(words: &Words) -> Result<PathBuf, Problem> {
    if let Some(dir) = env::var_os("SHAREMARK_CONFIG").filter(|dir| !dir.is_empty()) {
        return Ok(dir.into());
    }
    etcetera::base_strategy::choose_native_strategy()
        .map(|strategy| strategy.config_dir().join("sharemark"))
        .map_err(|_| Problem::failed(words.text("cli-error-no-config-dir")))
}

/// The history's file, unless the user wants none: `--history`, else `SHAREMARK_HISTORY`, else in the data folder.
///
/// # Errors
/// When the user named a database that this version does not speak to, or the system names no place.
pub(crate) fn history(matches: &ArgMatches, words: &Words) -> Result<Option<PathBuf>, Problem> {
    let asked = matches.get_one::<String>("history").cloned();
    let asked = asked.or_else(|| env::var("SHAREMARK_HISTORY").ok()).filter(|text| !text.is_empty());
    match asked {
        Some(text) if text == "none" => Ok(None),
        Some(text) if text.contains("://") => {
            let reason = words.text("cli-history-url");
            Err(Problem::usage(crate::usage::invalid("--history", &text, &reason, words)))
        }
        Some(text) => Ok(Some(text.into())),
        None => Ok(Some(data_dir(words)?.join("history.sqlite"))),
    }
}
