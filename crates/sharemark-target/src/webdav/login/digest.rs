//! Digest (RFC 7616) with MD5 and SHA-256, and `qop=auth` or none.

use std::fmt::Write as _;

use md5::Md5;
use sha2::{Digest as _, Sha256};

use super::challenge::{Challenge, Scheme};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Algorithm {
    Md5,
    Sha256,
}

/// A server's nonce, with what its challenge asks for and how often it was used.
#[derive(Debug)]
pub(crate) struct Nonce {
    realm: String,
    nonce: String,
    opaque: Option<String>,
    algorithm: Algorithm,
    /// The algorithm's name as the server wrote it.
    written: Option<String>,
    /// The password's digest is made for this nonce alone.
    session: bool,
    /// The server counts the uses.
    counted: bool,
    uses: u32,
    stale: bool,
}

impl Nonce {
    /// The nonce of an offer; `None` when it is none that is spoken here.
    pub(super) fn of(offer: &Challenge) -> Option<Self> {
        if offer.scheme != Scheme::Digest {
            return None;
        }
        let written = offer.get("algorithm");
        let name = written.unwrap_or("MD5").to_ascii_uppercase();
        let (name, session) = name.strip_suffix("-SESS").map_or((name.as_str(), false), |name| (name, true));
        let algorithm = match name {
            "MD5" => Algorithm::Md5,
            "SHA-256" => Algorithm::Sha256,
            _ => return None,
        };
        let counted = match offer.get("qop") {
            Some(offered) if offered.split(',').any(|qop| qop.trim().eq_ignore_ascii_case("auth")) => true,
            // Only for requests whose body is part of the digest.
            Some(_) => return None,
            None => false,
        };
        Some(Self {
            realm: offer.get("realm").unwrap_or_default().to_owned(),
            nonce: offer.get("nonce")?.to_owned(),
            opaque: offer.get("opaque").map(str::to_owned),
            algorithm,
            written: written.map(str::to_owned),
            session,
            counted,
            uses: 0,
            stale: offer.get("stale").is_some_and(|stale| stale.eq_ignore_ascii_case("true")),
        })
    }

    /// The higher the better.
    pub(super) fn strength(&self) -> impl Ord + use<> {
        self.algorithm
    }

    /// The server took the proof, and only the nonce was too old.
    pub(crate) const fn stale(&self) -> bool {
        self.stale
    }

    /// The header's value for one request.
    pub(super) fn answer(&mut self, user: &str, password: &str, method: &str, target: &str) -> String {
        self.uses = self.uses.wrapping_add(1);
        self.answer_with(user, password, method, target, &client_nonce())
    }

    fn answer_with(&self, user: &str, password: &str, method: &str, target: &str, client: &str) -> String {
        let Self { realm, nonce, .. } = self;
        let mut secret = self.hash(&format!("{user}:{realm}:{password}"));
        if self.session {
            secret = self.hash(&format!("{secret}:{nonce}:{client}"));
        }
        let request = self.hash(&format!("{method}:{target}"));
        let uses = format!("{:08x}", self.uses);
        let response = if self.counted {
            self.hash(&format!("{secret}:{nonce}:{uses}:{client}:auth:{request}"))
        } else {
            self.hash(&format!("{secret}:{nonce}:{request}"))
        };
        let mut header = format!(
            r#"Digest username="{}", realm="{}", nonce="{}", uri="{target}", response="{response}""#,
            quoted(user),
            quoted(realm),
            quoted(nonce),
        );
        let mut add = |text: String| header.push_str(&text);
        if self.counted {
            add(format!(r#", qop=auth, nc={uses}, cnonce="{client}""#));
        } else if self.session {
            add(format!(r#", cnonce="{client}""#));
        }
        if let Some(written) = &self.written {
            add(format!(", algorithm={written}"));
        }
        if let Some(opaque) = &self.opaque {
            add(format!(r#", opaque="{}""#, quoted(opaque)));
        }
        header
    }

    fn hash(&self, text: &str) -> String {
        match self.algorithm {
            Algorithm::Md5 => hex(&Md5::digest(text)),
            Algorithm::Sha256 => hex(&Sha256::digest(text)),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").ok();
        text
    })
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A number that the server cannot foresee. Without the system's random numbers there is still a changing one.
fn client_nonce() -> String {
    let mut bytes = [0; 16];
    let random = rustls::crypto::ring::default_provider().secure_random;
    if random.fill(&mut bytes).is_err() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes = now.as_nanos().to_le_bytes();
    }
    hex(&bytes)
}

#[cfg(test)]
mod tests {
    use super::super::challenge::parse;
    use super::*;

    /// The example of RFC 7616, 3.9.1.
    fn example(algorithm: &str) -> String {
        let header = format!(
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm={algorithm}, \
             nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        );
        let mut nonce = Nonce::of(&parse(&header)[0]).unwrap();
        nonce.uses = 1;
        let client = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
        nonce.answer_with("Mufasa", "Circle of Life", "GET", "/dir/index.html", client)
    }

    #[test]
    fn the_standards_own_example_comes_out() {
        let md5 = example("MD5");
        assert!(md5.contains(r#"response="8ca523f5e9506fed4657c9700eebdbec""#), "{md5}");
        assert!(md5.contains(r#"qop=auth, nc=00000001, cnonce="f2/w"#), "{md5}");
        let sha = example("SHA-256");
        assert!(sha.contains("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"), "{sha}");
    }

    #[test]
    fn each_use_of_a_nonce_is_counted() {
        let mut nonce =
            Nonce::of(&parse(r#"Digest realm="a\"b", nonce="n", qop=auth, stale=TRUE"#)[0]).unwrap();
        assert!(nonce.stale());
        assert!(nonce.answer("me", "x", "GET", "/").contains("nc=00000001"));
        let second = nonce.answer("m\"e", "x", "GET", "/");
        assert!(second.contains("nc=00000002") && second.contains(r#"username="m\"e""#), "{second}");
        assert!(second.contains(r#"realm="a\"b""#), "{second}");
    }

    #[test]
    fn an_old_server_gets_the_old_answer() {
        let mut nonce = Nonce::of(&parse(r#"Digest realm="r", nonce="n""#)[0]).unwrap();
        let answer = nonce.answer("me", "x", "GET", "/");
        assert!(!answer.contains("qop") && !answer.contains("cnonce"), "{answer}");
    }
}
