//! Logging in: which keys and answers are offered, in which order.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use russh::client::{AuthResult, Handle, KeyboardInteractiveAuthResponse};
use russh::keys::agent::AgentIdentity;
use russh::keys::agent::client::{AgentClient, AgentStream};
use russh::keys::{HashAlg, PrivateKey, PrivateKeyWithHashAlg, load_secret_key};
use russh::{MethodKind, MethodSet};
use sharemark_model::{Login, Secret};

use super::watcher::Watcher;

/// The keys that ssh tries by itself, in its order, as far as sharemark has use for them.
const USUAL_KEYS: [&str; 3] = ["id_ed25519", "id_ecdsa", "id_rsa"];

/// How many keys are offered when there is a password to fall back to: OpenSSH's server ends the connection at the sixth
/// attempt.
const KEYS_BEFORE_A_PASSWORD: usize = 4;

/// How many rounds of questions are answered: one with the password, and one without any question, as PAM may send.
const ROUNDS: usize = 4;

/// Why nobody could log in, in the server's words: what it accepts. Never a secret.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

/// Logs in; how it was done: `key`, `agent`, `password` or `none`.
pub(super) async fn log_in(
    handle: &mut Handle<Watcher>,
    user: &str,
    login: &Login,
) -> Result<&'static str, Refused> {
    let mut attempt = Attempt { handle, user, accepted: Vec::new(), key_trouble: None };
    // Who asks without anything is told what is accepted.
    let first = attempt.handle.authenticate_none(user).await;
    if attempt.succeeded(first) {
        return Ok("none");
    }
    attempt.log_in(login).await.ok_or_else(|| attempt.refused())
}

struct Attempt<'a> {
    handle: &'a mut Handle<Watcher>,
    user: &'a str,
    /// What the server said that it accepts, at last.
    accepted: Vec<MethodKind>,
    /// What is the matter with the key that was named.
    key_trouble: Option<String>,
}

impl Attempt<'_> {
    async fn log_in(&mut self, login: &Login) -> Option<&'static str> {
        let mut password = login.password.as_ref();
        if let Some(path) = &login.key {
            // Whatever the server accepts: what opens the key is no password of the server's, and is not told to it.
            let (key, passphrase_used) = self.load(path, password)?;
            password = password.filter(|_| !passphrase_used);
            if self.accepts(MethodKind::PublicKey) && self.with_key(key).await {
                return Some("key");
            }
        } else if self.accepts(MethodKind::PublicKey) {
            let mut left = if password.is_some() { KEYS_BEFORE_A_PASSWORD } else { usize::MAX };
            if self.with_agent(&mut left).await {
                return Some("agent");
            }
            if self.with_usual_keys(&mut left).await {
                return Some("key");
            }
        }
        let password = password?;
        if self.accepts(MethodKind::Password) {
            let answer = self.handle.authenticate_password(self.user, password.expose()).await;
            if self.succeeded(answer) {
                return Some("password");
            }
        }
        if self.accepts(MethodKind::KeyboardInteractive) && self.with_answers(password).await {
            return Some("password");
        }
        None
    }

    fn accepts(&self, method: MethodKind) -> bool {
        // A server that tells nothing is tried.
        !self.handle.is_closed() && (self.accepted.is_empty() || self.accepted.contains(&method))
    }

    fn succeeded(&mut self, answer: Result<AuthResult, russh::Error>) -> bool {
        match answer {
            Ok(AuthResult::Success) => true,
            Ok(AuthResult::Failure { remaining_methods, .. }) => {
                self.note(&remaining_methods);
                false
            }
            Err(_) => false,
        }
    }

    fn note(&mut self, methods: &MethodSet) {
        // A connection that ended tells an empty set; what was heard before is worth more.
        if !methods.is_empty() {
            self.accepted = methods.to_vec();
        }
    }

    /// The key in a file, and whether the passphrase was needed.
    fn load(&mut self, path: &str, passphrase: Option<&Secret>) -> Option<(PrivateKey, bool)> {
        let loaded = load(path, passphrase);
        loaded.map_err(|error| self.key_trouble = Some(format!("{path}: {error}"))).ok()
    }

    async fn with_key(&mut self, key: PrivateKey) -> bool {
        let hash = if key.algorithm().is_rsa() { self.rsa_hash().await } else { None };
        let key = PrivateKeyWithHashAlg::new(Arc::new(key), hash);
        let answer = self.handle.authenticate_publickey(self.user, key).await;
        self.succeeded(answer)
    }

    /// SHA-2 unless the server says that it only knows SHA-1.
    async fn rsa_hash(&self) -> Option<HashAlg> {
        match self.handle.best_supported_rsa_hash().await {
            Ok(Some(best)) => best,
            _ => Some(HashAlg::Sha512),
        }
    }

    async fn with_usual_keys(&mut self, left: &mut usize) -> bool {
        let Some(home) = std::env::home_dir() else { return false };
        for path in USUAL_KEYS.map(|name| home.join(".ssh").join(name)) {
            let Some(key) = unencrypted(&path) else { continue };
            if !self.may_try(left) {
                return false;
            }
            if self.with_key(key).await {
                return true;
            }
        }
        false
    }

    async fn with_agent(&mut self, left: &mut usize) -> bool {
        let Some(mut agent) = agent().await else { return false };
        // Keys that are bound to hosts are shown only to who says which host it is; older agents know nothing of it.
        if let Some(binding) = self.handle.agent_session_binding() {
            agent.bind_session(binding, false).await.ok();
        }
        let Ok(identities) = agent.request_identities().await else { return false };
        for identity in identities {
            let AgentIdentity::PublicKey { key, .. } = identity else { continue };
            if !self.may_try(left) {
                return false;
            }
            let hash = if key.algorithm().is_rsa() { self.rsa_hash().await } else { None };
            let answer = self.handle.authenticate_publickey_with(self.user, key, hash, &mut agent).await;
            // Refused, or the agent does not sign: another key may do.
            if answer.is_ok_and(|answer| self.succeeded(Ok(answer))) {
                return true;
            }
        }
        false
    }

    fn may_try(&self, left: &mut usize) -> bool {
        let may = *left > 0 && self.accepts(MethodKind::PublicKey);
        *left = left.saturating_sub(1);
        may
    }

    /// Answers a hidden question with the password, once.
    async fn with_answers(&mut self, password: &Secret) -> bool {
        let mut unused = Some(password.expose());
        let mut answer = self.handle.authenticate_keyboard_interactive_start(self.user, None).await;
        for _ in 0..ROUNDS {
            let prompts = match answer {
                Ok(KeyboardInteractiveAuthResponse::Success) => return true,
                Ok(KeyboardInteractiveAuthResponse::InfoRequest { prompts, .. }) => prompts,
                Ok(KeyboardInteractiveAuthResponse::Failure { remaining_methods, .. }) => {
                    self.note(&remaining_methods);
                    return false;
                }
                Err(_) => return false,
            };
            let mut answers = Vec::with_capacity(prompts.len());
            for prompt in prompts {
                let text = if prompt.echo { Some("") } else { unused.take() };
                // A second hidden question is one for something else, such as a one-time code.
                let Some(text) = text else { return false };
                answers.push(text.to_owned());
            }
            answer = self.handle.authenticate_keyboard_interactive_respond(answers).await;
        }
        false
    }

    fn refused(&self) -> Refused {
        let accepted = self.accepted.iter().map(String::from).collect::<Vec<_>>().join(",");
        Refused(match &self.key_trouble {
            Some(trouble) => trouble.clone(),
            None => accepted,
        })
    }
}

/// The key in a file, and whether the passphrase was needed. Only OpenSSH's own form says that it is encrypted: PKCS#8 and
/// `PuTTY`'s fail as if they were broken.
fn load(path: &str, passphrase: Option<&Secret>) -> Result<(PrivateKey, bool), russh::keys::Error> {
    match (load_secret_key(path, None), passphrase) {
        (Err(_), Some(secret)) => load_secret_key(path, Some(secret.expose())).map(|key| (key, true)),
        (loaded, _) => loaded.map(|key| (key, false)),
    }
}

fn unencrypted(path: &Path) -> Option<PrivateKey> {
    load_secret_key(PathBuf::from(path), None).ok()
}

type Agent = AgentClient<Box<dyn AgentStream + Send + Unpin>>;

/// The agent that holds the user's keys, where one runs.
#[cfg(unix)]
async fn agent() -> Option<Agent> {
    AgentClient::connect_env().await.ok().map(AgentClient::dynamic)
}

/// The agent that holds the user's keys, where one runs: OpenSSH's service, else `PuTTY`'s Pageant.
#[cfg(windows)]
async fn agent() -> Option<Agent> {
    match AgentClient::connect_named_pipe(r"\\.\pipe\openssh-ssh-agent").await {
        Ok(agent) => Some(agent.dynamic()),
        Err(_) => AgentClient::connect_pageant().await.ok().map(AgentClient::dynamic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key of `PuTTY`'s that was made for this test and lets nobody in anywhere.
    const PPK: &str = "\
PuTTY-User-Key-File-3: ssh-ed25519
Encryption: aes256-cbc
Comment: 
Public-Lines: 2
AAAAC3NzaC1lZDI1NTE5AAAAILIwboPg8T2e/FhOsq/kNKGcnxO1FMaRkOFxT1kn
yRMg
Key-Derivation: Argon2id
Argon2-Memory: 64
Argon2-Passes: 1
Argon2-Parallelism: 1
Argon2-Salt: 94745ca31ed56ce1e72c2faf57a17249
Private-Lines: 1
YYOChRVqq8kROOrPSBr0PznmKDkMPbLZ4a6nUlTuDFmIjJy/ekhAhUZmrh0P6EMu
Private-MAC: 411b4ec77122163d7e691ad665994a83a3d0b3a5acf16021aa8fa9609abb2bf9
";

    #[test]
    fn a_key_of_puttys_is_opened_by_its_passphrase() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), PPK).unwrap();
        let path = file.path().to_str().unwrap();
        let open = |passphrase: Option<&str>| {
            load(path, passphrase.map(|text| Secret::new(text.to_owned())).as_ref())
                .map(|(key, used)| (key.algorithm().to_string(), used))
        };
        assert_eq!(open(Some("open sesame")).unwrap(), ("ssh-ed25519".to_owned(), true));
        let wrong = open(Some("hunter2")).unwrap_err();
        assert!(!wrong.to_string().contains("hunter2"), "{wrong}");
        assert!(open(None).is_err());
    }
}
