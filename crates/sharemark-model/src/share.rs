//! A share that sharemark reaches by speaking its protocol itself: where it is, who asks for it, and what is wished of
//! the connection.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeroize::Zeroize;

use crate::Location;

mod parse;

use parse::parse;

/// A protocol of shares that sharemark speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// SMB 2 and 3.
    Smb,
    /// NFS 3 and 4.
    Nfs,
    /// SFTP, over SSH.
    Sftp,
    /// WebDAV over HTTP.
    Webdav,
    /// WebDAV over HTTPS.
    Webdavs,
}

impl Protocol {
    /// Every protocol, in the order a list shows them.
    pub const ALL: [Self; 5] = [Self::Smb, Self::Nfs, Self::Sftp, Self::Webdav, Self::Webdavs];

    /// The scheme of its addresses, which is its name in the report as well.
    #[must_use]
    pub const fn scheme(self) -> &'static str {
        match self {
            Self::Smb => "smb",
            Self::Nfs => "nfs",
            Self::Sftp => "sftp",
            Self::Webdav => "webdav",
            Self::Webdavs => "webdavs",
        }
    }

    /// The port its servers listen on unless told otherwise.
    #[must_use]
    pub const fn port(self) -> u16 {
        match self {
            Self::Smb => 445,
            Self::Nfs => 2049,
            Self::Sftp => 22,
            Self::Webdav => 80,
            Self::Webdavs => 443,
        }
    }

    /// The protocol of a scheme in lower case.
    #[must_use]
    pub fn from_scheme(scheme: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.scheme() == scheme)
    }
}

/// Where a share is: the parts of its URL, each decoded. Holds no password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The protocol.
    pub protocol: Protocol,
    /// The server's name or address; an IPv6 address stands without brackets.
    pub host: String,
    /// The port, where the URL names one.
    pub port: Option<u16>,
    /// The path's parts: for SMB the share and the folders in it, for NFS the export and the folders in it.
    pub path: Vec<String>,
    /// The URL's `?name=value` pairs, in their order.
    pub query: Vec<(String, String)>,
    /// The URL as typed, without its password: how messages and the report call the share.
    pub shown: String,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// What a URL says: where, and who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedShare {
    /// Where.
    pub address: Address,
    /// The user in the URL.
    pub user: Option<String>,
    /// The domain in front of the user: `smb://WORK;me@nas/x`.
    pub domain: Option<String>,
    /// The password in the URL.
    pub password: Option<Secret>,
}

/// Why a URL names no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no URL at all, its port or its server is none, or a password in it that is not written as it has to be makes
    /// two things of it.
    #[error("this is no address of a share")]
    Malformed,
    /// It goes on behind a `#`, which is no part of a share's address.
    #[error("the address goes on behind a `#`")]
    Fragment,
    /// It names no server.
    #[error("the address names no server")]
    NoHost,
    /// A part of its path is `.` or `..`, or is no text when decoded.
    #[error("a part of the path is not a name")]
    Path,
}

impl Address {
    /// Reads the parts of a location that is a URL; `None` for a folder.
    ///
    /// # Errors
    /// When the URL names no share.
    pub fn of(location: &Location) -> Result<Option<TypedShare>, AddressError> {
        let Location::Url { scheme, url } = location else { return Ok(None) };
        let protocol = Protocol::from_scheme(scheme).ok_or(AddressError::Malformed)?;
        parse(protocol, url).map(Some)
    }

    /// The port to connect to.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(self.protocol.port())
    }

    /// The value of a `?name=value` pair.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A text that is never shown, and whose memory is overwritten when it is dropped. It can be written as JSON, since it has to reach a worker's pipe; it has no JSON schema, so
/// that nothing that is part of a report can hold one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text secret.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, for the one who has to prove that it is known.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The user; without one the server is asked as a guest.
    pub user: Option<String>,
    /// The user's domain or workgroup.
    pub domain: Option<String>,
    /// The password, or the passphrase of the key.
    pub password: Option<Secret>,
    /// The path of a private key, for SFTP.
    pub key: Option<String>,
}

/// What is wished of a connection, where the protocol knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wishes {
    /// How many connections share the queue.
    pub connections: u32,
    /// The SMB dialect to speak, and no other; `null` for the highest that both sides know.
    pub smb_dialect: Option<SmbDialect>,
    /// Whether SMB messages are to be signed; `null` leaves it to the server.
    pub smb_signing: Option<SmbSigning>,
    /// A file of certificates to trust beside the system's, for WebDAV over HTTPS.
    pub ca_file: Option<String>,
    /// A file of known host keys in place of the user's own, for SFTP.
    pub known_hosts: Option<String>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self { connections: 1, smb_dialect: None, smb_signing: None, ca_file: None, known_hosts: None }
    }
}

/// A version of SMB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum SmbDialect {
    /// SMB 2.0.2.
    #[serde(rename = "2.0.2")]
    V2_0_2,
    /// SMB 2.1.
    #[serde(rename = "2.1")]
    V2_1,
    /// SMB 3.0.
    #[serde(rename = "3.0")]
    V3_0,
    /// SMB 3.0.2.
    #[serde(rename = "3.0.2")]
    V3_0_2,
    /// SMB 3.1.1.
    #[serde(rename = "3.1.1")]
    V3_1_1,
}

impl SmbDialect {
    /// Every dialect, the oldest first.
    pub const ALL: [Self; 5] = [Self::V2_0_2, Self::V2_1, Self::V3_0, Self::V3_0_2, Self::V3_1_1];

    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2_0_2 => "2.0.2",
            Self::V2_1 => "2.1",
            Self::V3_0 => "3.0",
            Self::V3_0_2 => "3.0.2",
            Self::V3_1_1 => "3.1.1",
        }
    }
}

/// Whether SMB messages are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SmbSigning {
    /// Every message is signed.
    On,
    /// None is signed; refused where the server demands it.
    Off,
}

impl SmbSigning {
    /// The name used in the report and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// A share with everything that is needed to reach it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Where it is.
    pub address: Address,
    /// Who asks.
    pub login: Login,
    /// What is wished of the connection.
    pub wishes: Wishes,
}

/// Where a worker does its job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A folder that the operating system can open, by its path.
    Folder(String),
    /// A share whose protocol the worker speaks itself.
    Share(Box<Share>),
}

/// The path, or the share's URL without its password.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => f.write_str(path),
            Self::Share(share) => share.address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let login = Login { password: Some(Secret::new("hunter2".into())), ..Login::default() };
        assert!(!format!("{login:?}").contains("hunter2"));
    }
}
