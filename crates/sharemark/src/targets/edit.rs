//! Changing `targets.toml`, with everything in it that is not changed left as it was written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use toml_edit::{DocumentMut, Item, Table, value};

/// Puts a target in, in place of one of that name. `values` are its names and texts, in their order.
///
/// # Errors
/// When the file cannot be read or written.
pub(super) fn put(path: &Path, name: &str, values: &[(&str, Setting)]) -> io::Result<()> {
    let _lock = lock(path)?;
    let mut document = load(path)?;
    let targets = document.entry("targets").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let targets = targets.as_table_like_mut().ok_or(io::ErrorKind::InvalidData)?;
    let mut table = Table::new();
    for (key, setting) in values {
        table.insert(
            key,
            match setting {
                Setting::Text(text) => value(text.as_str()),
                Setting::Count(count) => value(i64::from(*count)),
            },
        );
    }
    targets.insert(name, Item::Table(table));
    save(path, &document.to_string())
}

/// A value of a target.
pub(super) enum Setting {
    Text(String),
    Count(u32),
}

/// Takes a target out.
///
/// # Errors
/// When the file cannot be read or written.
pub(super) fn remove(path: &Path, name: &str) -> io::Result<()> {
    let _lock = lock(path)?;
    let mut document = load(path)?;
    if let Some(targets) = document.get_mut("targets").and_then(Item::as_table_like_mut) {
        targets.remove(name);
    }
    save(path, &document.to_string())
}

/// Keeps others from changing the file between its reading and its renaming, until the answer is dropped. It is taken on
/// a file beside it, which stays: the file itself is another one after each change.
fn lock(path: &Path) -> io::Result<File> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join(".targets.lock"))?;
    match file.lock() {
        // A file system without locks is no reason to keep nothing.
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}

fn load(path: &Path) -> io::Result<DocumentMut> {
    match fs::read_to_string(path) {
        Ok(text) => text.parse().map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(DocumentMut::new()),
        Err(error) => Err(error),
    }
}

/// Writes beside the file and renames: whoever reads it finds all of the old or all of the new.
fn save(path: &Path, text: &str) -> io::Result<()> {
    // A link, to a folder of settings kept elsewhere for example, stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let beside: PathBuf = folder.join(format!(".targets.{}.new", process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // What is there already belongs to somebody else, and stays.
    let mut file = options.open(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| fs::rename(&beside, &path));
    if done.is_err() {
        fs::remove_file(&beside).ok();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(text: &str) -> [(&str, Setting); 1] {
        [("location", Setting::Text(text.to_owned()))]
    }

    #[test]
    fn what_somebody_wrote_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made/targets.toml");
        put(&path, "lan", &location("smb://nas/Public")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[targets.lan]\nlocation = \"smb://nas/Public\"\n");
        let own = "# my own\ncolour = \"red\"   # why not\n\n[targets.old]\nlocation='/x'  # as I like it\nshape = 1\n";
        fs::write(&path, own).unwrap();
        put(&path, "写真", &location("/mnt/\"写真\"")).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(own), "{text}");
        let reread: DocumentMut = text.parse().unwrap();
        assert_eq!(reread["targets"]["写真"]["location"].as_str(), Some("/mnt/\"写真\""));
        remove(&path, "写真").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), own);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
