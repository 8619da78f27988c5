//! What the environment says about who asks.

use std::collections::BTreeMap;
use std::env;

use sharemark_model::Secret;

use super::account::Account;

const PASSWORD: &str = "SHAREMARK_PASSWORD";

/// The variables `SHAREMARK_USER`, `SHAREMARK_DOMAIN`, `SHAREMARK_PASSWORD`, and a password for each label.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// The user of `SHAREMARK_USER`.
    pub(super) account: Option<Account>,
    /// The domain of `SHAREMARK_DOMAIN`.
    pub(super) domain: Option<String>,
    /// The password of `SHAREMARK_PASSWORD`.
    pub(super) password: Option<Secret>,
    by_label: BTreeMap<String, Secret>,
}

impl Environment {
    /// This process's environment. A variable that is no Unicode is none of ours.
    pub(super) fn of_this_process() -> Self {
        Self::from(env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok().filter(|name| name.starts_with("SHAREMARK_"))?;
            Some((name, value.into_string().ok()?))
        }))
    }

    /// An empty variable says nothing: that is how a script switches one off.
    pub(super) fn from(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut environment = Self::default();
        for (name, value) in variables.into_iter().filter(|(_, value)| !value.is_empty()) {
            match name.as_str() {
                "SHAREMARK_USER" => environment.account = Account::parse(&value),
                "SHAREMARK_DOMAIN" => environment.domain = Some(value),
                PASSWORD => environment.password = Some(Secret::new(value)),
                _ if name.starts_with("SHAREMARK_PASSWORD_") => {
                    environment.by_label.insert(name, Secret::new(value));
                }
                _ => {}
            }
        }
        environment
    }

    /// The password that is meant for the target of this label: `SHAREMARK_PASSWORD_LAN` for `lan`, and
    /// `SHAREMARK_PASSWORD_BY_VPN` for `by-vpn`.
    pub(super) fn password_for(&self, label: &str) -> Option<&Secret> {
        self.by_label.get(&format!("{PASSWORD}_{}", label.to_uppercase().replace('-', "_")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_a_password_of_its_own() {
        let variables = [
            ("SHAREMARK_PASSWORD", "general"),
            ("SHAREMARK_PASSWORD_LAN", "lan"),
            ("SHAREMARK_PASSWORD_BY_VPN", "vpn"),
            ("SHAREMARK_PASSWORD_写真", "写"),
            ("SHAREMARK_USER", "WORK\\me"),
            ("SHAREMARK_DOMAIN", ""),
        ];
        let environment =
            Environment::from(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let shown = |secret: Option<&Secret>| secret.map(|secret| secret.expose().to_owned());
        assert_eq!(shown(environment.password_for("lan")).as_deref(), Some("lan"));
        assert_eq!(shown(environment.password_for("by-vpn")).as_deref(), Some("vpn"));
        assert_eq!(shown(environment.password_for("写真")).as_deref(), Some("写"));
        assert_eq!(shown(environment.password_for("wifi")), None);
        assert_eq!(shown(environment.password.as_ref()).as_deref(), Some("general"));
        assert_eq!(environment.account, Account::parse("WORK\\me"));
        assert_eq!(environment.domain, None);
        assert!(!format!("{environment:?}").contains("general"));
    }
}
