//! Where bytes are kept, and the label a user gives it.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where bytes are kept: a folder as the system names it (`/mnt/nas`, `W:\`, `\\nas\share`), or a URL of a protocol
/// that sharemark would speak itself. Written and read as the string the user typed, without its password.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Location {
    /// A folder that the operating system can open.
    Folder(String),
    /// A share addressed by protocol; `scheme` is lower case and without `://`.
    Url {
        /// The protocol: `smb`, `nfs`, `sftp`, `webdav` or `webdavs`.
        scheme: String,
        /// The whole URL as typed, with its password if it holds one.
        url: String,
    },
}

/// Why a text names no location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocationError {
    /// The text is empty or only white space.
    #[error("the location is empty")]
    Empty,
    /// The text is a URL of a protocol that holds no shares.
    #[error("`{0}` is not a protocol of a share")]
    UnknownScheme(String),
    /// The text holds a NUL character, which no system accepts in a path.
    #[error("the location holds a NUL character")]
    Nul,
}

const SCHEMES: [&str; 5] = ["smb", "nfs", "sftp", "webdav", "webdavs"];

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() {
            return Err(LocationError::Empty);
        }
        if text.contains('\0') {
            return Err(LocationError::Nul);
        }
        if let Some((scheme, _)) = text.split_once("://") {
            let scheme = scheme.to_ascii_lowercase();
            if SCHEMES.contains(&scheme.as_str()) {
                return Ok(Self::Url { scheme, url: text.to_owned() });
            }
            if !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric()) {
                return Err(LocationError::UnknownScheme(scheme));
            }
        }
        Ok(Self::Folder(text.to_owned()))
    }
}

/// `smb://me:secret@nas/x` without the secret, and any other text as it is. A secret may hold any character, also the `@`
/// and the `/` that an address should write otherwise: it goes up to the last `@`. Only a port is no secret.
#[must_use]
pub fn without_password(text: &str) -> String {
    let Some(start) = text.find("://").map(|at| at + 3) else { return text.to_owned() };
    let rest = &text[start..];
    let first = |of: &[char]| rest.find(of).unwrap_or(rest.len());
    let (colon, slash) = (first(&[':']), first(&['/', '?', '#']));
    let Some(at) = rest.rfind('@').filter(|at| *at > colon && colon < slash) else { return text.to_owned() };
    // Only where a path follows it is what stands behind the colon a port, if it is a number or nothing.
    let path_follows = at > slash && rest[slash..].starts_with('/');
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if path_follows && (is_port(&rest[colon + 1..slash]) || is_ipv6(&rest[..slash], is_port)) {
        return text.to_owned();
    }
    format!("{}{}{}", &text[..start], &rest[..colon], &rest[at..])
}

/// Whether a server is an IPv6 address in brackets, with or without a user before and a port behind it.
fn is_ipv6(server: &str, is_port: impl Fn(&str) -> bool) -> bool {
    let Some((before, rest)) = server.split_once('[') else { return false };
    let Some((address, port)) = rest.split_once(']') else { return false };
    (before.is_empty() || before.ends_with('@') && !before.contains(':'))
        && address.parse::<Ipv6Addr>().is_ok()
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

/// Shows the location as typed, but never a password: what is shown ends up in logs and reports.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => f.write_str(path),
            Self::Url { url, .. } => f.write_str(&without_password(url)),
        }
    }
}

/// The text that is shown, in quotes: a password must not get out through somebody's debugging either.
impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl TryFrom<String> for Location {
    type Error = LocationError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Location> for String {
    fn from(location: Location) -> Self {
        location.to_string()
    }
}

/// A location with the label it goes by in the output; without a label of its own it is labelled by its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetSpec {
    /// The name used in tables and as `samples[].target`.
    pub label: String,
    /// Where the bytes are kept.
    pub location: Location,
}

/// Reads `lan=/mnt/nas` or `/mnt/nas`. A label holds letters (of any script), digits, `-` and `_`, so that a path with
/// an equals sign in a later part is still a path; a folder called `a=b` is typed as `./a=b`.
impl FromStr for TargetSpec {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((label, rest)) = text.split_once('=')
            && !label.is_empty()
            && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        {
            return Ok(Self { label: label.to_owned(), location: rest.parse()? });
        }
        let location: Location = text.parse()?;
        Ok(Self { label: location.to_string(), location })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_every_system_are_folders() {
        for text in ["/mnt/nas", "W:\\", "\\\\nas\\写真 $ 2026", ".", "./a=b", "C:/x", "/mnt/a://b"] {
            assert_eq!(text.parse(), Ok(Location::Folder(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn urls_are_known_by_their_scheme() {
        let location: Location = "SMB://nas/Public".parse().unwrap();
        assert_eq!(location, Location::Url { scheme: "smb".into(), url: "SMB://nas/Public".into() });
        assert_eq!("http://nas/".parse::<Location>(), Err(LocationError::UnknownScheme("http".into())));
        assert_eq!("  ".parse::<Location>(), Err(LocationError::Empty));
    }

    #[test]
    fn only_what_is_a_password_is_left_out() {
        for (text, shown) in [
            ("smb://me:se@cr/et@nas/Public", "smb://me@nas/Public"),
            ("postgres://me:secret@nas:5432/db", "postgres://me@nas:5432/db"),
            ("curlftpfs#ftp://me:secret@nas/a", "curlftpfs#ftp://me@nas/a"),
            ("smb://me@nas/Public", "smb://me@nas/Public"),
            ("smb://nas:445/a@b", "smb://nas:445/a@b"),
            ("smb://nas:/a@b", "smb://nas:/a@b"),
            ("nfs://[fe80::1]/export@2", "nfs://[fe80::1]/export@2"),
            ("smb://me@[fe80::1]:445/a@b", "smb://me@[fe80::1]:445/a@b"),
            ("smb://me:pw@[fe80::1]/a", "smb://me@[fe80::1]/a"),
            ("smb://[x:pw@nas/a", "smb://[x@nas/a"),
            ("smb://me:2024#abc@nas/x", "smb://me@nas/x"),
            ("smb://me:2024?abc@nas/x", "smb://me@nas/x"),
            ("https://nas/a:b@c", "https://nas/a:b@c"),
            ("//nas/Public", "//nas/Public"),
            ("C:\\x", "C:\\x"),
            ("smb://:@", "smb://@"),
        ] {
            assert_eq!(without_password(text), shown);
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        for text in ["smb://me:se@cret@nas/Public", "lan=smb://me:se@cret@nas/Public"] {
            let spec: TargetSpec = text.parse().unwrap();
            let shown = format!("{} {spec:?} {}", spec.label, serde_json::to_string(&spec).unwrap());
            assert!(!shown.contains("cret") && shown.contains("smb://me@nas/Public"), "{shown}");
        }
    }

    #[test]
    fn labels_are_split_off_only_where_they_are_labels() {
        let spec: TargetSpec = "lan=/mnt/nas".parse().unwrap();
        assert_eq!((spec.label.as_str(), spec.location.to_string().as_str()), ("lan", "/mnt/nas"));
        let spec: TargetSpec = "/mnt/a=b".parse().unwrap();
        assert_eq!(spec.label, "/mnt/a=b");
        assert_eq!("lan=".parse::<TargetSpec>(), Err(LocationError::Empty));
    }
}
