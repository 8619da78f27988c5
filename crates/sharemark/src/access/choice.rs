//! Which of the things that were said about a login holds. Pure: everything that was said is passed in.

use sharemark_model::{Protocol, Secret};

use super::account::Account;
use super::environment::Environment;
use super::file::Credentials;

/// A target, and what its URL and its saved entry say of who asks.
pub(super) struct Wanted<'a> {
    pub(super) label: &'a str,
    pub(super) protocol: Protocol,
    /// The user in the URL.
    pub(super) in_url: Option<Account>,
    /// The password in the URL.
    pub(super) password: Option<Secret>,
    /// The user of the saved target.
    pub(super) saved: Option<Account>,
    /// The domain of the saved target.
    pub(super) saved_domain: Option<String>,
}

/// Everything that is said for all targets.
pub(super) struct Said<'a> {
    /// `--guest`.
    pub(super) guest: bool,
    /// `--ask-password`.
    pub(super) ask: bool,
    /// `--user`.
    pub(super) account: Option<&'a Account>,
    /// The saved target's own credentials file, and that of `--credentials`.
    pub(super) files: &'a [&'a Credentials],
    /// The environment.
    pub(super) environment: &'a Environment,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) account: Option<Account>,
    pub(super) password: Option<Secret>,
    /// What is still to be done for a password.
    pub(super) next: Next,
}

/// Where a password is still to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Nowhere: there is one, or none is needed.
    Nothing,
    /// In the keyring, and nowhere else.
    Keyring,
    /// In the keyring, then the user is asked.
    KeyringThenAsk,
    /// The user is asked.
    Ask,
    /// The user wants to be asked, and is not known.
    NoUser,
}

/// Decides. The user: in the URL, of the saved target, `--user`, in a credentials file, `SHAREMARK_USER`. The password: in
/// the URL, in a credentials file, the label's in the environment, the general one there; then the keyring, and the
/// user. A file or a variable that belongs to another user than the one who asks says nothing.
pub(super) fn choose(wanted: Wanted<'_>, said: &Said<'_>) -> Choice {
    let nobody = Choice { account: None, password: None, next: Next::Nothing };
    // Whoever an SSH server lets in has a name: there is no guest.
    if said.guest && wanted.protocol != Protocol::Sftp {
        return nobody;
    }
    let environment = said.environment;
    let named = wanted.in_url.or(wanted.saved).or_else(|| said.account.cloned());
    let fits = |other: Option<&Account>, account: Option<&Account>| match (other, account) {
        (Some(other), Some(account)) => account.is(other),
        _ => true,
    };
    let files: Vec<&Credentials> =
        said.files.iter().copied().filter(|file| fits(file.account.as_ref(), named.as_ref())).collect();
    let account = named
        .or_else(|| files.iter().find_map(|file| file.account.clone()))
        .or_else(|| environment.account.clone());
    // Where nobody was named before, a file without a user or the first with one has named somebody: a file of another
    // user's says nothing any more.
    let files: Vec<&Credentials> =
        files.into_iter().filter(|file| fits(file.account.as_ref(), account.as_ref())).collect();
    let general = fits(environment.account.as_ref(), account.as_ref());
    let account = account.map(|account| {
        let of_file =
            || files.iter().find_map(|file| file.domain.clone().or(file.account.as_ref()?.domain.clone()));
        let of_environment = || environment.domain.clone().filter(|_| general);
        let domain = account.domain.or(wanted.saved_domain).or_else(of_file).or_else(of_environment);
        Account { domain, user: account.user }
    });
    // NFS believes the machine: there is nobody to convince.
    if wanted.protocol == Protocol::Nfs {
        return Choice { account, ..nobody };
    }
    // A password proves who somebody is. Who is nobody needs none; only SSH takes the system's user.
    if account.is_none() && wanted.protocol != Protocol::Sftp {
        return Choice { next: if said.ask { Next::NoUser } else { Next::Nothing }, ..nobody };
    }
    if let Some(password) = wanted.password {
        return Choice { account, password: Some(password), next: Next::Nothing };
    }
    if said.ask {
        return Choice { account, password: None, next: Next::Ask };
    }
    let password = files
        .iter()
        .find_map(|file| file.password.clone())
        .or_else(|| environment.password_for(wanted.label).cloned())
        .or_else(|| environment.password.clone().filter(|_| general));
    let next = match (&password, &account, wanted.protocol) {
        (Some(_), _, _) | (None, None, _) => Next::Nothing,
        // Keys and the agent come first, and nobody types a password where they are enough.
        (None, Some(_), Protocol::Sftp) => Next::Keyring,
        (None, Some(_), _) => Next::KeyringThenAsk,
    };
    Choice { account, password, next }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::from(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    fn file(user: Option<&str>, password: &str) -> Credentials {
        Credentials {
            account: user.and_then(Account::parse),
            domain: None,
            password: Some(Secret::new(password.to_owned())),
        }
    }

    fn wanted(protocol: Protocol, user: Option<&str>, password: Option<&str>) -> Wanted<'static> {
        Wanted {
            label: "lan",
            protocol,
            in_url: user.and_then(Account::parse),
            password: password.map(|text| Secret::new(text.to_owned())),
            saved: None,
            saved_domain: None,
        }
    }

    fn said<'a>(
        account: Option<&'a Account>,
        files: &'a [&'a Credentials],
        environment: &'a Environment,
    ) -> Said<'a> {
        Said { guest: false, ask: false, account, files, environment }
    }

    /// The user, the password, and what is still to be done.
    fn chosen(wanted: Wanted<'_>, said: &Said<'_>) -> (Option<String>, Option<String>, Next) {
        let choice = choose(wanted, said);
        let account = choice.account.map(|account| account.to_string());
        (account, choice.password.map(|password| password.expose().to_owned()), choice.next)
    }

    fn known(user: &str, password: &str) -> (Option<String>, Option<String>, Next) {
        (Some(user.to_owned()), Some(password.to_owned()), Next::Nothing)
    }

    #[test]
    fn a_password_is_taken_from_the_first_that_has_one() {
        let variables =
            environment(&[("SHAREMARK_PASSWORD", "general"), ("SHAREMARK_PASSWORD_LAN", "label")]);
        let general = environment(&[("SHAREMARK_PASSWORD", "general")]);
        let nothing = Environment::default();
        let (own, common) = (file(None, "own"), file(Some("me"), "common"));
        let smb = |password| wanted(Protocol::Smb, Some("me"), password);
        assert_eq!(chosen(smb(Some("url")), &said(None, &[&own, &common], &variables)), known("me", "url"));
        assert_eq!(chosen(smb(None), &said(None, &[&own, &common], &variables)), known("me", "own"));
        assert_eq!(chosen(smb(None), &said(None, &[&common], &variables)), known("me", "common"));
        assert_eq!(chosen(smb(None), &said(None, &[], &variables)), known("me", "label"));
        assert_eq!(chosen(smb(None), &said(None, &[], &general)), known("me", "general"));
        let missing = (Some("me".to_owned()), None, Next::KeyringThenAsk);
        assert_eq!(chosen(smb(None), &said(None, &[], &nothing)), missing);
    }

    #[test]
    fn a_user_is_taken_from_the_first_that_names_one() {
        let variables = environment(&[("SHAREMARK_USER", "env"), ("SHAREMARK_DOMAIN", "HOME")]);
        let (option, credentials) = (Account::parse("option"), file(Some("file"), "x"));
        let user = |wanted, said: &Said<'_>| chosen(wanted, said).0;
        let mut all = wanted(Protocol::Smb, Some("WORK;url"), None);
        all.saved = Account::parse("saved");
        let files = [&credentials];
        let everything = said(option.as_ref(), &files, &variables);
        assert_eq!(user(all, &everything).as_deref(), Some("WORK\\url"));
        let mut saved = wanted(Protocol::Smb, None, None);
        (saved.saved, saved.saved_domain) = (Account::parse("saved"), Some("LAB".to_owned()));
        assert_eq!(user(saved, &everything).as_deref(), Some("LAB\\saved"));
        let smb = || wanted(Protocol::Smb, None, None);
        assert_eq!(user(smb(), &everything).as_deref(), Some("option"));
        assert_eq!(user(smb(), &said(None, &[&credentials], &variables)).as_deref(), Some("file"));
        assert_eq!(user(smb(), &said(None, &[], &variables)).as_deref(), Some("HOME\\env"));
        assert_eq!(user(smb(), &said(None, &[], &Environment::default())), None);
    }

    #[test]
    fn a_password_is_not_given_away_for_another_user() {
        let variables = environment(&[("SHAREMARK_USER", "you"), ("SHAREMARK_PASSWORD", "yours")]);
        let yours = file(Some("you"), "yours");
        let said =
            Said { guest: false, ask: false, account: None, files: &[&yours], environment: &variables };
        let (user, password, next) = chosen(wanted(Protocol::Smb, Some("me"), None), &said);
        assert_eq!((user.as_deref(), password, next), (Some("me"), None, Next::KeyringThenAsk));
        assert_eq!(chosen(wanted(Protocol::Smb, None, None), &said), known("you", "yours"));
        let mine = Credentials { password: None, ..file(Some("me"), "") };
        let said = Said { files: &[&mine, &yours], environment: &Environment::default(), ..said };
        let missing = (Some("me".to_owned()), None, Next::KeyringThenAsk);
        assert_eq!(chosen(wanted(Protocol::Smb, None, None), &said), missing);
    }

    #[test]
    fn nobody_is_asked_where_a_password_may_not_be_needed() {
        let nothing = Environment::default();
        let said = |ask| Said { guest: false, ask, account: None, files: &[], environment: &nothing };
        let next = |protocol, user, ask| chosen(wanted(protocol, user, None), &said(ask)).2;
        assert_eq!(next(Protocol::Sftp, Some("me"), false), Next::Keyring);
        assert_eq!(next(Protocol::Sftp, None, false), Next::Nothing);
        assert_eq!(next(Protocol::Sftp, None, true), Next::Ask);
        assert_eq!(next(Protocol::Smb, None, false), Next::Nothing);
        assert_eq!(next(Protocol::Smb, None, true), Next::NoUser);
        assert_eq!(next(Protocol::Webdavs, Some("me"), false), Next::KeyringThenAsk);
        assert_eq!(next(Protocol::Smb, Some("me"), true), Next::Ask);
        assert_eq!(next(Protocol::Nfs, Some("me"), true), Next::Nothing);
    }

    #[test]
    fn a_guest_takes_nothing_along() {
        let variables = environment(&[("SHAREMARK_USER", "me"), ("SHAREMARK_PASSWORD", "general")]);
        let said = |guest| Said { guest, ask: false, account: None, files: &[], environment: &variables };
        assert_eq!(
            chosen(wanted(Protocol::Smb, Some("me"), Some("url")), &said(true)),
            (None, None, Next::Nothing)
        );
        assert_eq!(chosen(wanted(Protocol::Sftp, None, None), &said(true)), known("me", "general"));
        // Without a user, a password of the environment goes to nobody's guest login.
        let only = environment(&[("SHAREMARK_PASSWORD", "general")]);
        let said = Said { guest: false, ask: false, account: None, files: &[], environment: &only };
        assert_eq!(chosen(wanted(Protocol::Webdav, None, None), &said), (None, None, Next::Nothing));
    }
}
