//! A user, with the domain where there is one.

use sharemark_model::Address;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) domain: Option<String>,
    pub(crate) user: String,
}

impl Account {
    /// Reads `NAME`, `DOMAIN\NAME` or `DOMAIN;NAME`; `None` when there is no name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (domain, user) = match text.split_once([';', '\\']) {
            Some((domain, user)) => (Some(domain.trim()), user.trim()),
            None => (None, text),
        };
        let domain = domain.filter(|domain| !domain.is_empty()).map(str::to_owned);
        (!user.is_empty()).then(|| Self { domain, user: user.to_owned() })
    }

    /// Whether both are the same user; a domain that one of them leaves open is no difference.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let domain = match (&self.domain, &other.domain) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => true,
        };
        domain && self.user == other.user
    }

    /// The name by which the keyring and the one who is asked know this user at that server:
    /// `smb://WORK;me@nas:4450`. What was kept for an encrypted connection is not found for one that is not.
    pub(crate) fn at(&self, address: &Address) -> String {
        let scheme = address.protocol.scheme();
        let domain = self.domain.as_ref().map(|domain| format!("{domain};")).unwrap_or_default();
        let port = address.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{scheme}://{domain}{}@{}{port}", self.user, address.host)
    }
}

/// As it is typed: `WORK\me`.
impl std::fmt::Display for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.domain {
            Some(domain) => write!(f, "{domain}\\{}", self.user),
            None => f.write_str(&self.user),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_stands_before_a_semicolon_or_a_backslash() {
        let account = |domain: Option<&str>, user: &str| Account {
            domain: domain.map(str::to_owned),
            user: user.to_owned(),
        };
        assert_eq!(Account::parse("me"), Some(account(None, "me")));
        assert_eq!(Account::parse(" 太郎 "), Some(account(None, "太郎")));
        assert_eq!(Account::parse("WORK\\me"), Some(account(Some("WORK"), "me")));
        assert_eq!(Account::parse("WORK;me"), Some(account(Some("WORK"), "me")));
        assert_eq!(Account::parse("me@work.example"), Some(account(None, "me@work.example")));
        assert_eq!(Account::parse("WORK\\"), None);
        assert_eq!(Account::parse(" "), None);
        assert!(account(None, "me").is(&account(Some("WORK"), "me")));
        assert!(!account(Some("HOME"), "me").is(&account(Some("WORK"), "me")));
        assert!(!account(None, "me").is(&account(None, "you")));
    }
}
