//! No message may be missing, called with the wrong variables, or left over.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sharemark_report::{Language, check_source, messages};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The program's own text, without the tests at a file's end, which use messages that do not exist.
fn program() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
    assert!(paths.len() > 20, "{paths:?}");
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let program = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            (path, program)
        })
        .collect()
}

#[test]
fn every_message_used_exists_and_gets_its_variables() {
    for (path, text) in program() {
        let unknown: Vec<String> = check_source(&text).iter().map(ToString::to_string).collect();
        assert!(unknown.is_empty(), "{}: {unknown:#?}", path.display());
    }
}

#[test]
fn every_message_is_used() {
    let text: String = program().into_iter().map(|(_, text)| text).collect();
    let used: BTreeSet<&str> = text.split('"').collect();
    // The command line's messages are used in its own crate.
    let unused: Vec<String> = messages(Language::English)
        .into_keys()
        .filter(|id| !id.starts_with("cli-") && !used.contains(id.as_str()))
        .collect();
    assert!(unused.is_empty(), "{unused:#?}");
}
