//! The manifest: what sharemark made, written down before it is made.
//!
//! One file a target and run, in sharemark's own data folder on this machine, a line of JSON each: first where, then
//! each file's name before the file exists. Every line is on the disk before what it names is created, so that a run
//! that is killed at any moment leaves nothing that is not named. The file is locked while its run lives: a locked
//! manifest is a run under way.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sharemark_model::{Failure, FailureCode, FileName, FolderName, MountFacts, Operation};

/// The version of the manifest's lines.
const VERSION: u32 = 1;

/// A manifest that could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[error("the manifest {}: {source}", path.display())]
pub struct ManifestError {
    path: PathBuf,
    #[source]
    source: io::Error,
}

impl ManifestError {
    fn at(path: &Path) -> impl Fn(io::Error) -> Self + use<'_> {
        |source| Self { path: path.to_owned(), source }
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        let code = match error.source.kind() {
            io::ErrorKind::PermissionDenied => FailureCode::NoPermission,
            io::ErrorKind::StorageFull => FailureCode::NoSpace,
            io::ErrorKind::ReadOnlyFilesystem => FailureCode::ReadOnly,
            _ => FailureCode::Other,
        };
        Self::new(code, Operation::Manifest, error.path.display().to_string())
            .with_system(error.source.to_string())
    }
}

/// The first line: where things are made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) v: u32,
    /// The run's identifier.
    pub(crate) run: String,
    /// The folder the user named, with every link followed, or the share's URL without its password.
    pub(crate) path: String,
    /// What was mounted there, so that another file system in its place is not taken for it.
    pub(crate) source: Option<String>,
    /// sharemark's own folder in it.
    pub(crate) folder: FolderName,
}

#[derive(Serialize, Deserialize)]
struct FileLine {
    file: FileName,
}

/// The manifest of a run under way.
pub(crate) struct Manifest {
    path: PathBuf,
    /// Open and locked as long as the run lives.
    file: File,
    pub(crate) head: Head,
    /// What was named and is not known to be gone.
    pub(crate) files: Vec<FileName>,
    named: u64,
}

impl Manifest {
    /// Begins the manifest of one target's folder; nothing of what it names exists yet.
    pub(crate) fn begin(
        data_dir: &Path,
        run: &str,
        path: &str,
        mount: Option<&MountFacts>,
        folder: FolderName,
    ) -> Result<Self, ManifestError> {
        let dir = manifests(data_dir);
        fs::create_dir_all(&dir).map_err(ManifestError::at(&dir))?;
        let place = dir.join(format!("{}.jsonl", folder.as_str()));
        let unfinished = dir.join(format!("{}.new", folder.as_str()));
        let wrong = ManifestError::at(&place);
        let file = OpenOptions::new().append(true).create_new(true).open(&unfinished).map_err(&wrong)?;
        // A file system without locks shows a run under way as an interrupted one; nothing worse.
        let _ = file.try_lock();
        let head = Head {
            v: VERSION,
            run: run.to_owned(),
            path: path.to_owned(),
            source: mount.map(|mount| mount.source.clone()),
            folder,
        };
        let mut manifest =
            Self { path: place.clone(), file, head: head.clone(), files: Vec::new(), named: 0 };
        manifest.lines(std::slice::from_ref(&head)).map_err(&wrong)?;
        // Under its own name it is complete and locked: whoever finds it finds a run under way.
        fs::rename(&unfinished, &place).map_err(&wrong)?;
        sync_folder(&dir).map_err(&wrong)?;
        Ok(manifest)
    }

    /// The path of the folder it is about.
    pub(crate) fn place(&self) -> String {
        place_of(&self.head)
    }

    /// Names files that are about to be made.
    pub(crate) fn add(&mut self, files: &[FileName]) -> Result<(), ManifestError> {
        let lines: Vec<FileLine> = files.iter().map(|file| FileLine { file: file.clone() }).collect();
        self.lines(&lines).map_err(ManifestError::at(&self.path))?;
        self.files.extend_from_slice(files);
        self.named += files.len() as u64;
        Ok(())
    }

    /// How many files were named so far.
    pub(crate) const fn named(&self) -> u64 {
        self.named
    }

    /// These are gone: the end of the run has not to look for them.
    pub(crate) fn forget(&mut self, gone: &[FileName]) {
        let gone: HashSet<&FileName> = gone.iter().collect();
        self.files.retain(|file| !gone.contains(file));
    }

    /// All that was named is gone: so is the manifest.
    pub(crate) fn finish(self) -> Result<(), ManifestError> {
        fs::remove_file(&self.path).map_err(ManifestError::at(&self.path))
    }

    fn lines(&mut self, lines: &[impl Serialize]) -> io::Result<()> {
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        self.file.write_all(&text)?;
        self.file.sync_data()
    }
}

/// What an earlier run left, by its manifest.
#[derive(Debug)]
pub struct Leftover {
    pub(crate) manifest: PathBuf,
    /// Keeps two cleanings, or a cleaning and a run, apart.
    _lock: File,
    pub(crate) head: Head,
    pub(crate) files: Vec<FileName>,
}

impl Leftover {
    /// The path of the folder that was left.
    #[must_use]
    pub fn place(&self) -> String {
        place_of(&self.head)
    }

    /// The folder or the share's URL that it was left in.
    #[must_use]
    pub fn location(&self) -> &str {
        &self.head.path
    }

    /// Whether it was left in the folder of this path, or is the folder of this path.
    #[must_use]
    pub fn is_in(&self, folder: &str) -> bool {
        Path::new(&self.head.path) == Path::new(folder) || Path::new(&self.place()) == Path::new(folder)
    }
}

/// The manifests there are.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Those whose run is over.
    pub over: Vec<Leftover>,
    /// The folders of those whose run goes on.
    pub running: Vec<String>,
}

/// Reads every manifest.
pub(crate) fn read_all(data_dir: &Path) -> Result<Leftovers, ManifestError> {
    let dir = manifests(data_dir);
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Leftovers::default()),
        Err(error) => return Err(ManifestError::at(&dir)(error)),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    for unfinished in
        paths.extract_if(.., |path| path.extension().is_some_and(|extension| extension == "new"))
    {
        // Killed before its manifest had its name, a run had made nothing else.
        if OpenOptions::new().append(true).open(&unfinished).is_ok_and(|file| file.try_lock().is_ok()) {
            fs::remove_file(&unfinished).ok();
        }
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let mut found = Leftovers::default();
    for path in paths {
        let Ok(file) = OpenOptions::new().read(true).append(true).open(&path) else {
            continue;
        };
        let running = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        match parse(&file) {
            Some((head, _)) if running => found.running.push(place_of(&head)),
            Some((head, files)) => found.over.push(Leftover { manifest: path, _lock: file, head, files }),
            // Windows lets nobody read a file that another has locked.
            None if running => found.running.push(path.display().to_string()),
            None => {}
        }
    }
    Ok(found)
}

/// Makes the names in a folder last through a power cut, where the system has a way to ask for it.
#[cfg(unix)]
fn sync_folder(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn place_of(head: &Head) -> String {
    if head.path.contains("://") {
        return format!("{}/{}", head.path.trim_end_matches('/'), head.folder.as_str());
    }
    Path::new(&head.path).join(head.folder.as_str()).display().to_string()
}

/// Reads what is whole; a line cut short by a crash names nothing that exists, since it was not yet on the disk.
fn parse(file: &File) -> Option<(Head, Vec<FileName>)> {
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    let head: Head = serde_json::from_str(&lines.next()?).ok()?;
    if head.v != VERSION {
        return None;
    }
    let files = lines.map_while(|line| serde_json::from_str::<FileLine>(&line).ok()).map(|line| line.file);
    Some((head, files.collect()))
}

fn manifests(data_dir: &Path) -> PathBuf {
    data_dir.join("manifests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> FileName {
        text.to_owned().try_into().unwrap()
    }

    fn begin(dir: &Path, run: &str) -> Manifest {
        let folder = FolderName::for_run(run).unwrap();
        Manifest::begin(dir, run, "/mnt/写真 $", None, folder).unwrap()
    }

    #[test]
    fn a_killed_run_leaves_what_it_named_and_a_living_one_is_not_touched() {
        let dir = tempfile::tempdir().unwrap();
        let mut manifest = begin(dir.path(), "a");
        manifest.add(&[name("r001.bin")]).unwrap();
        let Leftovers { over, running } = read_all(dir.path()).unwrap();
        assert_eq!((over.len(), running.len()), (0, 1));
        // The run is killed: its lock goes with it.
        drop(manifest);
        let Leftovers { over, running } = read_all(dir.path()).unwrap();
        assert_eq!((over.len(), running.len()), (1, 0));
        assert_eq!(over[0].files, [name("r001.bin")]);
        assert_eq!(over[0].place(), Path::new("/mnt/写真 $").join("sharemark-a").display().to_string());
    }

    #[test]
    fn a_line_cut_short_is_left_out_and_names_that_lead_away_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut manifest = begin(dir.path(), "a");
        manifest.add(&[name("r001.bin")]).unwrap();
        manifest.file.write_all(b"{\"file\":\"r0").unwrap();
        drop(manifest);
        assert_eq!(read_all(dir.path()).unwrap().over[0].files, [name("r001.bin")]);

        let mut manifest = begin(dir.path(), "b");
        manifest.file.write_all(b"{\"file\":\"../../home/me/thesis.bin\"}\n").unwrap();
        drop(manifest);
        assert_eq!(read_all(dir.path()).unwrap().over[1].files, []);

        let path = manifests(dir.path()).join("c.jsonl");
        fs::write(&path, "{\"v\":1,\"run\":\"x\",\"path\":\"/home\",\"source\":null,\"folder\":\"me\"}\n")
            .unwrap();
        assert_eq!(read_all(dir.path()).unwrap().over.len(), 2);
    }

    #[test]
    fn a_finished_run_leaves_no_manifest() {
        let dir = tempfile::tempdir().unwrap();
        begin(dir.path(), "a").finish().unwrap();
        assert_eq!(fs::read_dir(manifests(dir.path())).unwrap().count(), 0);
        assert!(read_all(&dir.path().join("not there")).unwrap().over.is_empty());
    }
}
