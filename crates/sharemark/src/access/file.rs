//! A credentials file, in the form that mount.cifs and smbclient read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sharemark_model::Secret;

use super::account::Account;

/// No credentials are longer; a file that is was named by mistake.
const LONGEST: u64 = 64 * 1024;

/// What a credentials file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Credentials {
    pub(super) account: Option<Account>,
    pub(super) domain: Option<String>,
    pub(super) password: Option<Secret>,
}

/// Why a credentials file cannot be used. None of them repeats what is in it.
#[derive(Debug)]
pub(super) enum CredentialsError {
    /// It cannot be read.
    Unreadable(io::Error),
    /// Others than its owner may read or change it.
    Open,
    /// It is not UTF-8.
    NotUnicode,
    /// It is far longer than credentials are.
    TooLong,
    /// The line of this number, counted from 1, is none that such a file has.
    Line(usize),
}

/// Reads a credentials file that only its owner can read.
pub(super) fn read(path: &Path) -> Result<Credentials, CredentialsError> {
    let file = File::open(path).map_err(CredentialsError::Unreadable)?;
    // Asked of the open file: between a look at the name and the opening it could become another one.
    if open_to_others(&file).map_err(CredentialsError::Unreadable)? {
        return Err(CredentialsError::Open);
    }
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(CredentialsError::Unreadable)?;
    if bytes.len() as u64 > LONGEST {
        return Err(CredentialsError::TooLong);
    }
    let text = Secret::new(String::from_utf8(bytes).map_err(|_| CredentialsError::NotUnicode)?);
    parse(text.expose()).map_err(CredentialsError::Line)
}

#[cfg(unix)]
fn open_to_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

/// Who may read a file is written elsewhere there, and a user's own folder is closed to others from the start.
#[cfg(not(unix))]
fn open_to_others(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Reads `username=`, `password=` and `domain=`, each also by the shorter name that mount.cifs knows.
///
/// The two programs differ in spaces. mount.cifs takes none around the `=` and lets the password begin right behind it;
/// smbclient takes them on both sides. So a password keeps a space behind `password=`, and loses it behind
/// `password =`. Spaces at its end are part of it for both.
fn parse(text: &str) -> Result<Credentials, usize> {
    let mut credentials = Credentials::default();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let start = line.trim_start();
        if start.is_empty() || start.starts_with('#') {
            continue;
        }
        let wrong = number + 1;
        let (key, value) = start.split_once('=').ok_or(wrong)?;
        let spaced = key.ends_with([' ', '\t']);
        match key.trim_end().to_ascii_lowercase().as_str() {
            "username" | "user" => credentials.account = Some(Account::parse(value).ok_or(wrong)?),
            "password" | "pass" => {
                let value = if spaced { value.trim_start() } else { value };
                credentials.password = Some(Secret::new(value.to_owned()));
            }
            "domain" | "dom" | "workgroup" => {
                credentials.domain = Some(value.trim().to_owned()).filter(|domain| !domain.is_empty());
            }
            _ => return Err(wrong),
        }
    }
    Ok(credentials)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> String {
        parse(text).unwrap().password.unwrap().expose().to_owned()
    }

    #[test]
    fn the_forms_of_both_programs_are_read() {
        let mounted = parse("username=me\npassword=p=a#ss\ndomain=WORK\n").unwrap();
        assert_eq!(mounted.account, Account::parse("me"));
        assert_eq!(mounted.domain.as_deref(), Some("WORK"));
        assert_eq!(mounted.password.as_ref().map(Secret::expose), Some("p=a#ss"));
        let samba = parse("# for the NAS\r\n\r\n  username = WORK\\太郎\r\n\tpassword = 秘密 \r\n").unwrap();
        assert_eq!(samba.account, Account::parse("WORK\\太郎"));
        assert_eq!(samba.password.as_ref().map(Secret::expose), Some("秘密 "));
        assert_eq!(parse("\u{feff}user=me\npass=x\ndom=W").unwrap().domain.as_deref(), Some("W"));
        assert_eq!(parse("").unwrap(), Credentials::default());
    }

    #[test]
    fn spaces_in_a_password_are_kept_as_its_program_keeps_them() {
        assert_eq!(password("password= two words "), " two words ");
        assert_eq!(password("password = two words"), "two words");
        assert_eq!(password("password="), "");
    }

    #[test]
    fn a_line_that_says_nothing_is_named_by_its_number_only() {
        assert_eq!(parse("username=me\nhunter2\n"), Err(2));
        assert_eq!(parse("pasword=hunter2\n"), Err(1));
        assert_eq!(parse("username=\npassword=x\n"), Err(1));
        assert_eq!(parse("password=x\nusername=WORK\\\n"), Err(2));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        use std::fs::{Permissions, set_permissions, write};
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nas");
        write(&path, "password=x").unwrap();
        for (mode, refused) in [(0o644, true), (0o640, true), (0o604, true), (0o600, false), (0o400, false)] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let result = read(&path);
            assert_eq!(matches!(result, Err(CredentialsError::Open)), refused, "{mode:o}: {result:?}");
        }
        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        write(&path, b"password=\xff").unwrap();
        assert!(matches!(read(&path), Err(CredentialsError::NotUnicode)));
        assert!(matches!(read(&folder.path().join("none")), Err(CredentialsError::Unreadable(_))));
    }
}
