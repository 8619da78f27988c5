//! The engine for a folder that the operating system can open: a mounted share, or a disk of this machine.
//!
//! What differs from system to system, above all how a cache is gone past and how that is shown, is in a file per
//! system; each offers the same six functions, `create`, `update`, `open`, `space`, `unwritten` and `is_administrator`, and that of
//! Windows a way to follow links, `canonical`.

#[cfg(unix)]
mod closing;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(target_os = "macos", all(unix, test)))]
mod macos_flush;
#[cfg(any(target_os = "linux", windows))]
mod parts;
#[cfg(unix)]
mod residency;
#[cfg(any(windows, test))]
mod sector;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;
#[cfg(windows)]
use windows as system;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use sharemark_model::{
    Bytes, Failure, FailureCode, FileName, FolderName, Inspection, MountFacts, MountKind, Operation,
};

use crate::answer::{failure_from, is_absent};
use crate::{ReadFile, ReadOptions, Target, WriteFile, WriteOptions, table};

/// A folder of this machine's file tree.
#[derive(Clone, Debug)]
pub struct MountTarget {
    path: PathBuf,
}

impl MountTarget {
    /// The folder at `path`, which is not looked at yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    fn folder(&self, folder: &FolderName) -> PathBuf {
        self.path.join(folder.as_str())
    }

    /// The folder, if it is what sharemark made: a folder, and no link to one. What is done to a file goes through the
    /// folder's name, and a link of that name would lead to somebody else's files.
    fn own_folder(&self, folder: &FolderName, operation: Operation) -> Result<PathBuf, Failure> {
        let path = self.folder(folder);
        let found =
            fs::symlink_metadata(&path).map_err(|error| failure_from(&error, operation, shown(&path)))?;
        found
            .is_dir()
            .then(|| path.clone())
            .ok_or_else(|| Failure::new(FailureCode::NotAFolder, operation, shown(&path)))
    }

    /// The same for removing, where a folder that is not there is nothing to be removed.
    fn own_folder_if_any(&self, folder: &FolderName) -> Result<Option<PathBuf>, Failure> {
        match fs::symlink_metadata(self.folder(folder)) {
            Err(error) if is_absent(&error) => Ok(None),
            _ => self.own_folder(folder, Operation::Remove).map(Some),
        }
    }

    /// A failure at the user's folder, with what it most likely means there.
    fn failed(&self, error: &io::Error, operation: Operation, path: &Path) -> Failure {
        let failure = failure_from(error, operation, shown(path));
        let on_nfs = || table::mount_of(&self.path).is_some_and(|mount| mount.file_system.starts_with("nfs"));
        if failure.code == FailureCode::NoPermission && system::is_administrator() && on_nfs() {
            return Failure { code: FailureCode::RootSquash, ..failure };
        }
        #[cfg(windows)]
        if failure.code == FailureCode::NotFound
            && path.to_str().is_some_and(table::windows_path::has_too_long_a_name)
        {
            return Failure { code: FailureCode::NameTooLong, ..failure };
        }
        #[cfg(windows)]
        if failure.code == FailureCode::NotFound
            && let Some(hidden) = table::windows_session::hidden(&self.path)
        {
            let failure = Failure { code: FailureCode::ElevatedDrive, ..failure };
            return failure.with_choices(hidden.instead.into_iter().collect());
        }
        failure
    }

    fn file(&self, folder: &FolderName, file: &FileName) -> PathBuf {
        self.folder(folder).join(file.as_str())
    }
}

impl Target for MountTarget {
    fn inspect(&self) -> Result<Inspection, Failure> {
        let failed = |error: io::Error| self.failed(&error, Operation::Inspect, &self.path);
        #[cfg(unix)]
        let path = fs::canonicalize(&self.path).map_err(failed)?;
        #[cfg(windows)]
        let path = system::canonical(&self.path).map_err(failed)?;
        if !fs::metadata(&path).map_err(failed)?.is_dir() {
            return Err(Failure::new(FailureCode::NotAFolder, Operation::Inspect, shown(&path)));
        }
        let Some(text) = path.to_str() else {
            return Err(Failure::new(FailureCode::NotUnicode, Operation::Inspect, shown(&path)));
        };
        let mount = table::mount_with_connection(&path);
        if mount.as_ref().is_some_and(|mount| mount.kind == MountKind::Pseudo) {
            return Err(Failure::new(FailureCode::NotStorage, Operation::Inspect, shown(&path)));
        }
        let (free, total) = system::space(&path).map_err(failed)?;
        Ok(Inspection { path: text.to_owned(), mount, server: None, free, total })
    }

    fn create_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let path = self.folder(folder);
        fs::create_dir(&path).map_err(|error| self.failed(&error, Operation::CreateFolder, &path))
    }

    fn place(&self, folder: &FolderName, file: &FileName) -> String {
        shown(&self.file(folder, file))
    }

    fn keeps_its_word(&self) -> bool {
        table::mount_of(&self.path).is_some_and(|mount| keeps_its_word(&mount))
    }

    fn create(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        let path = self.own_folder(folder, Operation::Create)?.join(file.as_str());
        let failed = |error: io::Error| failure_from(&error, Operation::Create, shown(&path));
        Ok(Box::new(system::create(&path, options).map_err(failed)?))
    }

    fn update(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure> {
        let path = self.own_folder(folder, Operation::Open)?.join(file.as_str());
        let failed = |error: io::Error| failure_from(&error, Operation::Open, shown(&path));
        Ok(Box::new(system::update(&path, options).map_err(failed)?))
    }

    fn list(&self, folder: &FolderName) -> Result<u64, Failure> {
        let path = self.own_folder(folder, Operation::List)?;
        let failed = |error: io::Error| failure_from(&error, Operation::List, shown(&path));
        let mut count = 0;
        for entry in fs::read_dir(&path).map_err(failed)? {
            entry.map_err(failed)?;
            count += 1;
        }
        Ok(count)
    }

    fn open(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &ReadOptions,
    ) -> Result<Box<dyn ReadFile>, Failure> {
        let path = self.own_folder(folder, Operation::Open)?.join(file.as_str());
        let failed = |error: io::Error| failure_from(&error, Operation::Open, shown(&path));
        Ok(Box::new(system::open(&path, options).map_err(failed)?))
    }

    fn size_of(&self, folder: &FolderName, file: &FileName) -> Result<Bytes, Failure> {
        let path = self.file(folder, file);
        let failed = |error: io::Error| failure_from(&error, Operation::Verify, shown(&path));
        Ok(Bytes(fs::metadata(&path).map_err(failed)?.len()))
    }

    fn remove_file(&self, folder: &FolderName, file: &FileName) -> Result<(), Failure> {
        let Some(own) = self.own_folder_if_any(folder)? else { return Ok(()) };
        let path = own.join(file.as_str());
        // A link or a folder of that name is not what sharemark made: hands off.
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(Failure::new(FailureCode::Other, Operation::Remove, shown(&path))),
            Err(error) => return gone_or_failed(&error, &path),
        }
        fs::remove_file(&path).or_else(|error| gone_or_failed(&error, &path))
    }

    fn remove_folder(&self, folder: &FolderName) -> Result<(), Failure> {
        let Some(path) = self.own_folder_if_any(folder)? else { return Ok(()) };
        // A server may keep a removed file's name for a moment, while a lease on it is given back.
        const PATIENCE: u32 = 10;
        for attempt in 1.. {
            match fs::remove_dir(&path) {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty && attempt < PATIENCE => {
                    thread::sleep(Duration::from_millis(100));
                }
                result => return result.or_else(|error| gone_or_failed(&error, &path)),
            }
        }
        Ok(())
    }

    fn unwritten(&self) -> Option<Bytes> {
        system::unwritten()
    }
}

fn gone_or_failed(error: &io::Error, path: &Path) -> Result<(), Failure> {
    if is_absent(error) {
        return Ok(());
    }
    Err(failure_from(error, Operation::Remove, shown(path)))
}

/// The path as a person reads it.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Whether a request past the cache, once this file system took it, is known to go past every cache of this machine.
///
/// FUSE programs (also those that serve a disk, `fuseblk`) keep caches nobody can look into; ZFS keeps its own outside of
/// the page cache and took such requests for years without honouring them; AFS and Coda keep theirs on a disk; the pages
/// of an overlay's file belong to the file below; a loop device has the cache of the file it is made of; Windows' way to
/// its Linux distributions (9P) leads into another system with a cache of its own; and memory has nothing behind its
/// cache.
fn keeps_its_word(mount: &MountFacts) -> bool {
    matches!(mount.kind, MountKind::Network | MountKind::Local)
        && !matches!(mount.file_system.as_str(), "zfs" | "overlay" | "fuseblk" | "afs" | "coda" | "9P")
        && !mount.source.starts_with("/dev/loop")
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use std::io::Write as _;

    use sharemark_model::{Durability, ReadCache, ReadMode, WriteMode};

    use super::*;
    use crate::AlignedBuffer;
    use crate::generator::Generator;

    fn names() -> (FolderName, FileName) {
        (FolderName::for_run("test").unwrap(), FileName::try_from("r001.bin".to_owned()).unwrap())
    }

    /// Not the system's temporary folder, which may be memory: the file system the program is built on.
    fn disk() -> tempfile::TempDir {
        tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap()
    }

    fn written(target: &MountTarget, size: usize, durability: Durability) -> WriteMode {
        let (folder, file) = names();
        let options = WriteOptions { durability, size: Bytes(size as u64), block: Bytes(8192), depth: 1 };
        let writer = target.create(&folder, &file, &options).unwrap();
        let mut buffer = AlignedBuffer::new(8192).unwrap();
        for offset in (0..size).step_by(8192) {
            let length = 8192.min(size - offset);
            Generator::new(sharemark_model::DataKind::Random, 1)
                .fill(&mut buffer.bytes_mut()[..length], offset as u64);
            writer.write(&buffer.bytes()[..length], offset as u64).unwrap();
        }
        let mode = writer.mode();
        writer.flush().unwrap();
        writer.close().unwrap();
        mode
    }

    fn read_back(target: &MountTarget, size: usize, cache: ReadCache) -> sharemark_model::CacheUse {
        let (folder, file) = names();
        let reader = target
            .open(
                &folder,
                &file,
                &ReadOptions {
                    cache,
                    block: Bytes(8192),
                    depth: 1,
                    trusted: target.keeps_its_word(),
                    also_written: false,
                },
            )
            .unwrap();
        reader.prepare().unwrap();
        let mut buffer = AlignedBuffer::new(8192).unwrap();
        let generator = Generator::new(sharemark_model::DataKind::Random, 1);
        for offset in (0..size).step_by(8192) {
            let length = 8192.min(size - offset);
            assert_eq!(reader.read(buffer.bytes_mut(), length, offset as u64).unwrap(), length);
            assert_eq!(generator.check(&buffer.bytes()[..length], offset as u64), Ok(()));
        }
        assert_eq!(reader.read(buffer.bytes_mut(), 8192, size.next_multiple_of(8192) as u64).unwrap(), 0);
        let cache = reader.cache();
        reader.close().unwrap();
        cache
    }

    #[test]
    fn a_file_of_any_size_comes_back_in_every_mode() {
        for durability in [Durability::WriteThrough, Durability::Flush, Durability::Buffered] {
            for size in [1, 4095, 8192, 20_000, 65_536] {
                let home = disk();
                let target = MountTarget::new(home.path());
                let (folder, file) = names();
                target.create_folder(&folder).unwrap();
                let mode = written(&target, size, durability);
                assert_eq!(matches!(mode, WriteMode::Buffered), durability == Durability::Buffered);
                assert_eq!(target.size_of(&folder, &file).unwrap(), Bytes(size as u64));
                for cache in [ReadCache::Avoid, ReadCache::Allow] {
                    let used = read_back(&target, size, cache);
                    assert_eq!(used.read == Some(ReadMode::Cached), cache == ReadCache::Allow, "{used:?}");
                    assert!(!(used.ruled_out && cache == ReadCache::Allow), "{used:?}");
                }
                target.remove_file(&folder, &file).unwrap();
                target.remove_folder(&folder).unwrap();
                assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_left_in_the_cache_is_dropped_and_that_is_shown() {
        let home = disk();
        let target = MountTarget::new(home.path());
        if target.inspect().unwrap().mount.is_none_or(|mount| !keeps_its_word(&mount)) {
            writeln!(io::stderr(), "skipped: the build folder is not on a disk's file system").ok();
            return;
        }
        let (folder, _) = names();
        target.create_folder(&folder).unwrap();
        written(&target, 1 << 20, Durability::Buffered);
        let used = read_back(&target, 1 << 20, ReadCache::Avoid);
        assert!(used.ruled_out, "{used:?}");
        assert_ne!(used.proof, sharemark_model::CacheProof::None);
        assert_eq!(used.resident_bytes, Some(Bytes(0)));
    }

    #[test]
    fn what_sharemark_did_not_make_is_not_removed() {
        let home = disk();
        let target = MountTarget::new(home.path());
        let (folder, file) = names();
        target.create_folder(&folder).unwrap();
        // A folder stands where the manifest names a file.
        fs::create_dir(target.file(&folder, &file)).unwrap();
        assert!(target.remove_file(&folder, &file).is_err());
        fs::remove_dir(target.file(&folder, &file)).unwrap();
        // Somebody put a file of their own into the folder.
        fs::write(target.folder(&folder).join("holiday.jpg"), b"mine").unwrap();
        let failure = target.remove_folder(&folder).unwrap_err();
        assert_eq!((failure.operation, failure.code), (Operation::Remove, FailureCode::NotEmpty));
        assert_eq!(fs::read(target.folder(&folder).join("holiday.jpg")).unwrap(), b"mine");
        // What is not there needs no removing.
        target.remove_file(&folder, &file).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_the_folder_leads_nowhere() {
        let home = disk();
        let target = MountTarget::new(home.path());
        let (folder, file) = names();
        let theirs = home.path().join("theirs");
        fs::create_dir(&theirs).unwrap();
        fs::write(theirs.join(file.as_str()), b"mine").unwrap();
        std::os::unix::fs::symlink(&theirs, home.path().join(folder.as_str())).unwrap();
        assert!(target.remove_file(&folder, &file).is_err());
        assert!(target.remove_folder(&folder).is_err());
        let options =
            WriteOptions { durability: Durability::Buffered, size: Bytes(1), block: Bytes(4096), depth: 1 };
        let other = FileName::try_from("r002.bin".to_owned()).unwrap();
        assert!(target.create(&folder, &other, &options).is_err());
        assert_eq!(fs::read(theirs.join(file.as_str())).unwrap(), b"mine");
        assert_eq!(fs::read_dir(&theirs).unwrap().count(), 1);
    }

    #[test]
    fn an_existing_file_is_never_opened_for_writing() {
        let home = disk();
        let target = MountTarget::new(home.path());
        let (folder, file) = names();
        target.create_folder(&folder).unwrap();
        fs::write(target.file(&folder, &file), b"mine").unwrap();
        let options = WriteOptions {
            durability: Durability::Buffered,
            size: Bytes(4096),
            block: Bytes(4096),
            depth: 1,
        };
        assert!(target.create(&folder, &file, &options).is_err());
        assert_eq!(fs::read(target.file(&folder, &file)).unwrap(), b"mine");
        assert!(target.create_folder(&folder).is_err());
    }

    #[test]
    fn a_missing_path_and_a_file_are_told_apart() {
        let home = disk();
        let missing = MountTarget::new(home.path().join("ない 📷 $"));
        assert_eq!(missing.inspect().unwrap_err().code, FailureCode::NotFound);
        let file = home.path().join("file");
        fs::write(&file, b"").unwrap();
        assert_eq!(MountTarget::new(&file).inspect().unwrap_err().code, FailureCode::NotAFolder);
        let long = MountTarget::new(home.path().join("x".repeat(300)));
        assert_eq!(long.inspect().unwrap_err().code, FailureCode::NameTooLong);
    }

    #[cfg(windows)]
    #[test]
    fn a_path_longer_than_old_programs_take_is_measured() {
        let home = disk();
        let deep = (0..10).fold(home.path().to_owned(), |path, _| path.join("folder ".repeat(5) + "写真"));
        assert!(deep.as_os_str().len() > 300);
        fs::create_dir_all(&deep).unwrap();
        let target = MountTarget::new(&deep);
        let found = target.inspect().unwrap();
        assert!(found.total.is_some(), "{found:?}");
        let here = MountTarget::new(home.path()).inspect().unwrap();
        assert_eq!(found.mount.unwrap().source, here.mount.unwrap().source);
        let (folder, file) = names();
        target.create_folder(&folder).unwrap();
        written(&target, 20_000, Durability::WriteThrough);
        read_back(&target, 20_000, ReadCache::Avoid);
        target.remove_file(&folder, &file).unwrap();
        target.remove_folder(&folder).unwrap();
    }

    #[cfg(windows)]
    #[test]
    fn a_device_is_no_folder_and_is_not_opened() {
        for name in
            ["NUL", "CON", "PRN", "AUX", "COM1", r"C:\NUL", r"\\.\NUL", r"\\.\PhysicalDrive0", r"\\.\C:"]
        {
            let failure = MountTarget::new(name).inspect().unwrap_err();
            assert_eq!(failure.code, FailureCode::NotAFolder, "{name}: {failure}");
        }
        // By its full spelling a folder may be called so.
        let home = disk();
        let folder = fs::canonicalize(home.path()).unwrap().join("NUL");
        fs::create_dir(&folder).unwrap();
        let found = MountTarget::new(&folder).inspect().unwrap();
        assert!(found.path.ends_with(r"\NUL"), "{found:?}");
        fs::remove_dir(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_kernel_makes_up_is_no_storage() {
        for path in ["/proc", "/sys"] {
            assert_eq!(MountTarget::new(path).inspect().unwrap_err().code, FailureCode::NotStorage, "{path}");
        }
    }
}
