//! Proving who asks: Basic (RFC 7617) and Digest (RFC 7616).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sharemark_model::Login;

mod challenge;
mod digest;

pub(super) use challenge::Challenge;
use challenge::Scheme;

/// How the server wants to be asked, as far as it has told.
#[derive(Debug, Default)]
pub(super) enum Proof {
    /// It has asked for none.
    #[default]
    None,
    /// The password in each request.
    Basic,
    /// A number made of the password, the request and the server's nonce.
    Digest(digest::Nonce),
}

impl Proof {
    /// The name used in the report.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "basic",
            Self::Digest(_) => "digest",
        }
    }

    /// The strongest of what the server offers that is spoken here; `None` without one.
    pub(super) fn of<'a>(offers: impl Iterator<Item = &'a str>) -> Option<Self> {
        let offers: Vec<Challenge> = offers.flat_map(challenge::parse).collect();
        let digest = offers.iter().filter_map(digest::Nonce::of).max_by_key(digest::Nonce::strength);
        let basic = || offers.iter().any(|offer| offer.scheme == Scheme::Basic).then_some(Self::Basic);
        digest.map(Self::Digest).or_else(basic)
    }

    /// The value of the `Authorization` header of one request; `None` where none is asked for.
    pub(super) fn header(&mut self, login: &Login, method: &str, target: &str) -> Option<String> {
        let user = full_name(login);
        let password = login.password.as_ref().map_or("", |secret| secret.expose());
        match self {
            Self::None => None,
            Self::Basic => Some(format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))),
            Self::Digest(nonce) => Some(nonce.answer(&user, password, method, target)),
        }
    }
}

fn full_name(login: &Login) -> String {
    let user = login.user.as_deref().unwrap_or_default();
    match &login.domain {
        Some(domain) => format!("{domain}\\{user}"),
        None => user.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use sharemark_model::Secret;

    use super::*;

    fn proof(offers: &[&str]) -> Option<&'static str> {
        Proof::of(offers.iter().copied()).map(|proof| proof.name())
    }

    #[test]
    fn the_strongest_offer_is_taken() {
        let digest = r#"Digest realm="a, b", nonce="n", qop="auth-int,auth""#;
        assert_eq!(proof(&[r#"Basic realm="x""#, digest]), Some("digest"));
        assert_eq!(proof(&[&format!(r#"Negotiate, Basic realm="x", {digest}"#)]), Some("digest"));
        assert_eq!(proof(&[r#"Negotiate abc=, basic realm="x""#]), Some("basic"));
        // What cannot be answered is no offer.
        assert_eq!(proof(&[r#"Digest realm="x", nonce="n", qop="auth-int""#]), None);
        assert_eq!(proof(&[r#"Digest realm="x", nonce="n", algorithm=SHA-512-256"#, "Bearer"]), None);
    }

    #[test]
    fn a_domain_stands_before_the_user() {
        let login = Login {
            user: Some("Aladdin".into()),
            password: Some(Secret::new("open sesame".into())),
            ..Login::default()
        };
        let of = |login: &Login| Proof::Basic.header(login, "GET", "/");
        assert_eq!(of(&login).unwrap(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        let login = Login { domain: Some("WORK".into()), ..login };
        assert_eq!(of(&login).unwrap(), format!("Basic {}", STANDARD.encode("WORK\\Aladdin:open sesame")));
    }
}
