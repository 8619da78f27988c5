//! Where the file may be, and whose it is.

use std::fs;
#[cfg(unix)]
use std::io::Write as _;

use sharemark_model::{Failure, FailureCode, Operation};
use sharemark_store::{BlockingHistory, Cause};

use crate::{full_report, place};

#[test]
fn any_name_that_the_system_takes_is_a_history_s() {
    let folder = tempfile::tempdir().unwrap();
    let names = if cfg!(windows) {
        ["日本語 の履歴", "$HOME & 100%", "a#b%20c", "'quoted'"]
    } else {
        ["日本語 の履歴", "$HOME ? 100%", "a#b?mode=memory&c%20d", "file:'\"x\\y"]
    };
    for name in names {
        let path = folder.path().join(name).join(name).join(format!("{name}.db"));
        let history = BlockingHistory::open(&path).unwrap();
        history.finish(&full_report()).unwrap();
        drop(history);
        // The file is where it was asked for, under no other name, and nothing is left beside it.
        let parent = path.parent().unwrap();
        let found: Vec<_> = fs::read_dir(parent).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(found, std::slice::from_ref(&path));
        let history = BlockingHistory::open_existing(&path).unwrap();
        assert_eq!(history.load("2026").unwrap(), full_report());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), names.len());
}

#[test]
fn a_mistyped_path_makes_no_file_when_only_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/history.db");
    let error = BlockingHistory::open_existing(&path).unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Missing));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let failure = Failure::from(error);
    assert_eq!((failure.code, failure.operation), (FailureCode::NotFound, Operation::History));
    assert_eq!(failure.place, path.display().to_string());
}

#[test]
fn a_file_in_place_of_a_folder_is_told() {
    let (_folder, path) = place();
    fs::write(&path, "a note").unwrap();
    let error = BlockingHistory::open(&path.join("history.db")).unwrap_err();
    assert_eq!(error.cause(), Some(Cause::NotAFolder), "{error}");
}

#[test]
fn a_name_that_is_too_long_is_told() {
    let (folder, _) = place();
    let error = BlockingHistory::open(&folder.path().join("x".repeat(300))).unwrap_err();
    if cfg!(unix) {
        assert_eq!(error.cause(), Some(Cause::NameTooLong), "{error}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_history_is_its_owner_s_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/deep/history.db");
        let history = BlockingHistory::open(&path).unwrap();
        history.finish(&full_report()).unwrap();
        assert_eq!(mode(&folder.path().join("new")), 0o700);
        let files: Vec<_> =
            fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
        // The database, its log and the log's index.
        assert_eq!(files.len(), 3, "{files:?}");
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
    }

    #[test]
    fn a_path_that_is_not_unicode_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(OsStr::from_bytes(b"\xff.db"));
        let error = BlockingHistory::open(&path).unwrap_err();
        assert_eq!(error.cause(), Some(Cause::NotUnicode), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_read_only_folder_is_told() {
        let folder = tempfile::tempdir().unwrap();
        set_mode(folder.path(), 0o555);
        if fs::write(folder.path().join("probe"), "").is_ok() {
            writeln!(std::io::stderr(), "skipped: this user may write everywhere").ok();
            return;
        }
        let path = folder.path().join("history.db");
        for path in [path, folder.path().join("deep/history.db")] {
            let error = BlockingHistory::open(&path).unwrap_err();
            assert_eq!(error.cause(), Some(Cause::NoPermission), "{error}");
            assert_eq!(Failure::from(&error).code, FailureCode::NoPermission);
        }
        set_mode(folder.path(), 0o755);
    }

    #[test]
    fn a_history_that_may_not_be_written_or_read_is_told() {
        let (_folder, path) = place();
        BlockingHistory::open(&path).unwrap().finish(&full_report()).unwrap();
        set_mode(&path, 0o000);
        if fs::read(&path).is_ok() {
            writeln!(std::io::stderr(), "skipped: this user may read everything").ok();
            return;
        }
        let error = BlockingHistory::open(&path).unwrap_err();
        assert_eq!(error.cause(), Some(Cause::NoPermission), "{error}");

        // What may only be read still shows its runs.
        set_mode(&path, 0o444);
        let history = BlockingHistory::open(&path).unwrap();
        assert_eq!(history.load("2026").unwrap(), full_report());
        let error = history.finish(&full_report()).unwrap_err();
        assert_eq!(error.cause(), Some(Cause::ReadOnly), "{error}");
    }

    #[test]
    fn a_history_whose_log_cannot_be_made_is_told() {
        let (folder, path) = place();
        BlockingHistory::open(&path).unwrap().finish(&full_report()).unwrap();
        set_mode(folder.path(), 0o555);
        if fs::write(folder.path().join("probe"), "").is_ok() {
            writeln!(std::io::stderr(), "skipped: this user may write everywhere").ok();
            return;
        }
        let error = BlockingHistory::open(&path).unwrap_err();
        assert_eq!(error.cause(), Some(Cause::NoPermission), "{error}");
        set_mode(folder.path(), 0o755);
    }
}
