//! The lists of known hosts: whose key a server may show.
//!
//! The format is sshd(8)'s, as ssh(1) reads it: names in the clear, with `*`, `?` and `!`, or hashed; `[name]:port` for a
//! port other than 22; `@revoked` in front of a key that nobody may show any more. Keys of certificate authorities are
//! passed over, since sharemark asks servers for no certificates. The files are only read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use ring::hmac;
use russh::keys::ssh_key::known_hosts::{Entry, HostPatterns, Marker};
use russh::keys::{Algorithm, EcdsaCurve, HashAlg, PublicKey};

/// The keys that a host is known by.
#[derive(Debug, Default)]
pub(super) struct KnownHosts {
    keys: Vec<PublicKey>,
    /// Keys known for the host's name without its port, which ssh takes as well when they are the ones shown.
    without_port: Vec<PublicKey>,
    revoked: Vec<PublicKey>,
}

/// What the lists say of a key that a server showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is the host's.
    Known,
    /// No key of that type is known for the host.
    Unknown,
    /// The host is known by this other key of that type.
    Changed(String),
    /// It is marked as one that nobody may show.
    Revoked,
}

impl KnownHosts {
    /// Reads what is known of a host: from one file that has to be there, or from the user's and the system's own, which
    /// need not.
    ///
    /// # Errors
    /// The file that cannot be read, with the system's answer.
    pub(super) fn read(file: Option<&str>, host: &str, port: u16) -> Result<Self, (PathBuf, io::Error)> {
        let (files, needed) = match file {
            Some(file) => (vec![PathBuf::from(file)], true),
            None => (usual_files(), false),
        };
        let mut known = Self::default();
        for file in files {
            match fs::read(&file) {
                Ok(text) => known.add(&String::from_utf8_lossy(&text), host, port),
                Err(error) if error.kind() == ErrorKind::NotFound && !needed => {}
                Err(error) => return Err((file, error)),
            }
        }
        Ok(known)
    }

    /// Adds what a file's text says of a host. A line that cannot be read is passed over, as ssh does.
    fn add(&mut self, text: &str, host: &str, port: u16) {
        let bare = host.to_lowercase();
        let full = if port == 22 { bare.clone() } else { format!("[{bare}]:{port}") };
        for line in text.lines() {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            if line.starts_with('#') {
                continue;
            }
            let Ok(entry) = line.parse::<Entry>() else { continue };
            let key = entry.public_key().clone();
            let names = |name: &str| matches(entry.host_patterns(), name);
            match entry.marker() {
                Some(Marker::CertAuthority) => {}
                Some(Marker::Revoked) if names(&full) || names(&bare) => self.revoked.push(key),
                Some(Marker::Revoked) => {}
                None if names(&full) => self.keys.push(key),
                None if names(&bare) => self.without_port.push(key),
                None => {}
            }
        }
    }

    /// What the lists say of the key that the host showed.
    pub(super) fn verdict(&self, shown: &PublicKey) -> Verdict {
        let same = |key: &PublicKey| key.key_data() == shown.key_data();
        if self.revoked.iter().any(same) {
            return Verdict::Revoked;
        }
        if self.keys.iter().any(same) {
            return Verdict::Known;
        }
        let of_that_type: Vec<String> =
            self.keys.iter().filter(|key| key.algorithm() == shown.algorithm()).map(fingerprint).collect();
        if !of_that_type.is_empty() {
            return Verdict::Changed(of_that_type.join(", "));
        }
        if self.without_port.iter().any(same) { Verdict::Known } else { Verdict::Unknown }
    }

    /// The host key algorithms to offer: first those that a known key belongs to, since a server shows the key of the
    /// first that it has, and it may have one that nobody knows yet.
    pub(super) fn algorithms(&self) -> Vec<Algorithm> {
        let known: Vec<Algorithm> =
            self.keys.iter().chain(&self.without_port).map(PublicKey::algorithm).collect();
        let belongs = |offered: &Algorithm| {
            known.iter().any(|known| known == offered || (is_rsa(known) && is_rsa(offered)))
        };
        let (mut first, then): (Vec<Algorithm>, Vec<Algorithm>) = offered().into_iter().partition(belongs);
        first.extend(then);
        first
    }
}

const fn is_rsa(algorithm: &Algorithm) -> bool {
    matches!(algorithm, Algorithm::Rsa { .. })
}

/// Everything but `ssh-rsa`, whose SHA-1 ssh does not take any more either.
fn offered() -> Vec<Algorithm> {
    let curves = [EcdsaCurve::NistP256, EcdsaCurve::NistP384, EcdsaCurve::NistP521];
    let hashes = [HashAlg::Sha512, HashAlg::Sha256];
    let mut all = vec![Algorithm::Ed25519];
    all.extend(curves.map(|curve| Algorithm::Ecdsa { curve }));
    all.extend(hashes.map(|hash| Algorithm::Rsa { hash: Some(hash) }));
    all
}

/// A key as ssh shows it to be compared: `SHA256:… (ssh-ed25519)`.
pub(super) fn fingerprint(key: &PublicKey) -> String {
    format!("{} ({})", key.fingerprint(HashAlg::Sha256), key.algorithm())
}

fn usual_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    if let Some(home) = std::env::home_dir() {
        files.push(home.join(".ssh").join("known_hosts"));
    }
    if cfg!(unix) {
        files.push(PathBuf::from("/etc/ssh/ssh_known_hosts"));
    }
    files
}

fn matches(patterns: &HostPatterns, name: &str) -> bool {
    match patterns {
        HostPatterns::HashedName { salt, hash } => {
            let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, salt);
            hmac::verify(&key, name.as_bytes(), hash).is_ok()
        }
        HostPatterns::Patterns(patterns) => {
            let mut found = false;
            for pattern in patterns {
                let pattern = pattern.to_lowercase();
                if let Some(excluded) = pattern.strip_prefix('!') {
                    if matches_glob(excluded.as_bytes(), name.as_bytes()) {
                        return false;
                    }
                } else {
                    found |= matches_glob(pattern.as_bytes(), name.as_bytes());
                }
            }
            found
        }
    }
}

fn matches_glob(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=name.len()).any(|skipped| matches_glob(rest, &name[skipped..])),
        (Some((b'?', pattern)), Some((_, name))) => matches_glob(pattern, name),
        (Some((wanted, pattern)), Some((found, name))) => wanted == found && matches_glob(pattern, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ";
    const SECOND: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA6rWI3G1sz07DnfFlrouTcysQlj2P+jpNSOEWD9OJ3X";
    const ECDSA: &str = "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBIl1PDj/lPZ2g7Lo67\
        xsSMUIniEM9lEjQbejZxZuI3+z3ZsL2sP+XUWhXFvGWNPQapg0xDr9sEH0VBGsSxwMLiecW0lw/GZfGNSP44D/gFBr\
        Mq5zRM3b2dcjKNUUNw0vtA==";
    const RSA: &str = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC2Bh/bt6mVpZ71xr9QReklSX2TdJY124OpXxZTx6SJAQSufMNWJc\
        0LbYO5RK+SErOaDFI0NuvkOml4rRpXxALa/dUUFgIFtUWtEUz8AAB+bqxlrKwZ3BuYkVWJm/MOhE5xt3w0o6ZTxMLH\
        D2nN1StHqyeF9DyMytpE+qKUxBKbZdwiNtXKvlCriwH3k8N29KoL+vYmnskVNtpfSJYJxZYeiTrtAGvyroJNq/Jaos\
        KKrcc+TWj0vQybtN1e9JfUUNExdSANMkEVivHceOX7Nxlc65Uz918QJ6YTOZCJ3EjIXZtcMNPSBjFkpndl+NrtFQat\
        GkGxvSnHqm16cxyGwDhl";
    /// `example.com`, hashed by ssh-keygen -H.
    const HASHED: &str = "|1|O33ESRMWPVkMYIwJ1Uw+n877jTo=|nuuC5vEqXlEZ/8BXQR7m619W6Ak=";

    fn known(text: &str, host: &str, port: u16) -> KnownHosts {
        let mut known = KnownHosts::default();
        known.add(text, host, port);
        known
    }

    fn verdict(text: &str, host: &str, port: u16) -> Verdict {
        known(text, host, port).verdict(&FIRST.parse().unwrap())
    }

    #[test]
    fn a_host_is_found_under_every_form_of_its_name() {
        for (names, host, port) in [
            ("nas", "nas", 22),
            ("NAS,192.168.1.20", "nas", 22),
            ("other,192.168.1.20", "192.168.1.20", 22),
            ("[nas]:2222", "Nas", 2222),
            ("[fe80::1]:2222", "fe80::1", 2222),
            ("*.lan,!old.lan", "nas.lan", 22),
            ("nas?", "nas1", 22),
            (HASHED, "example.com", 22),
            // ssh takes the name without its port too, when the key is the same.
            ("nas", "nas", 2222),
        ] {
            assert_eq!(verdict(&format!("{names} {FIRST} comment"), host, port), Verdict::Known, "{names}");
        }
        for (names, host, port) in [
            ("nas", "nas2", 22),
            ("[nas]:2222", "nas", 22),
            ("*.lan,!old.lan", "old.lan", 22),
            (HASHED, "example.org", 22),
            ("#nas", "nas", 22),
        ] {
            assert_eq!(verdict(&format!("{names} {FIRST}"), host, port), Verdict::Unknown, "{names}");
        }
    }

    #[test]
    fn another_key_of_the_type_is_a_change_and_another_type_is_not() {
        let other = fingerprint(&SECOND.parse().unwrap());
        assert_eq!(verdict(&format!("nas {SECOND}"), "nas", 22), Verdict::Changed(other));
        // Several keys of a type: one of them suffices.
        assert_eq!(verdict(&format!("nas {SECOND}\nnas\t{FIRST}"), "nas", 22), Verdict::Known);
        // A host behind another port is another host: its other key is no change.
        assert_eq!(verdict(&format!("nas {SECOND}"), "nas", 2222), Verdict::Unknown);
        let garbage = format!("nas ssh-ed25519 %%%\n\nnas 1024 37 159 x\nnas {FIRST}");
        assert_eq!(verdict(&garbage, "nas", 22), Verdict::Known);
    }

    #[test]
    fn a_revoked_key_is_no_key_even_where_it_is_known() {
        let text = format!("nas {FIRST}\n@revoked * {FIRST}");
        assert_eq!(verdict(&text, "nas", 22), Verdict::Revoked);
        assert_eq!(verdict(&format!("@cert-authority nas {FIRST}"), "nas", 22), Verdict::Unknown);
    }

    #[test]
    fn the_known_keys_algorithms_are_offered_first() {
        assert_eq!(known("", "nas", 22).algorithms(), offered());
        let ecdsa = known(&format!("nas {ECDSA}"), "nas", 22).algorithms();
        assert_eq!(ecdsa[0], Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 });
        let rsa = known(&format!("nas {RSA}"), "nas", 22).algorithms();
        assert_eq!(
            rsa[..2],
            [HashAlg::Sha512, HashAlg::Sha256].map(|hash| Algorithm::Rsa { hash: Some(hash) })
        );
        assert_eq!((ecdsa.len(), rsa.len()), (offered().len(), offered().len()));
    }
}
