//! An SSH server in this process that asks for a password, which OpenSSH's would compare with this machine's accounts.
//! What comes after the login goes to OpenSSH's own `sftp-server`.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use russh::keys::load_secret_key;
use russh::server::{Auth, ChannelOpenHandle, Config, Handler, Msg, Response, Session, run_stream};
use russh::{Channel, ChannelId, MethodKind, MethodSet};
use tokio::io::{AsyncWriteExt, copy};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::runtime::Runtime;

/// Debian's place for it.
pub(crate) const SFTP_SERVER: &str = "/usr/lib/openssh/sftp-server";

/// A server that lets in who knows the password.
pub(crate) struct PasswordServer {
    pub(crate) address: SocketAddr,
    _runtime: Runtime,
}

impl PasswordServer {
    pub(crate) fn start(method: MethodKind, password: &'static str, host_key: &Path) -> Self {
        let config = Arc::new(Config {
            methods: MethodSet::from([method].as_slice()),
            auth_rejection_time: Duration::ZERO,
            keys: vec![load_secret_key(host_key, None).unwrap()],
            ..Config::default()
        });
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let login = Login { method, password, channel: None };
                let running = run_stream(Arc::clone(&config), stream, login).await;
                tokio::spawn(async move { running.unwrap().await.ok() });
            }
        });
        Self { address, _runtime: runtime }
    }
}

struct Login {
    method: MethodKind,
    password: &'static str,
    channel: Option<Channel<Msg>>,
}

impl Login {
    fn answer(&self, method: MethodKind, password: &[u8]) -> Auth {
        if method == self.method && password == self.password.as_bytes() {
            Auth::Accept
        } else {
            Auth::reject()
        }
    }
}

impl Handler for Login {
    type Error = russh::Error;

    async fn auth_password(&mut self, _user: &str, password: &str) -> Result<Auth, Self::Error> {
        Ok(self.answer(MethodKind::Password, password.as_bytes()))
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        _user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, Self::Error> {
        Ok(match response.and_then(|mut answers| answers.next()) {
            Some(password) => self.answer(MethodKind::KeyboardInteractive, &password),
            None => Auth::Partial {
                name: Cow::Borrowed(""),
                instructions: Cow::Borrowed(""),
                prompts: Cow::Borrowed(&[(Cow::Borrowed("Password: "), false)]),
            },
        })
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.channel = Some(channel);
        reply.accept().await;
        Ok(())
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        name: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        let Some(channel) = self.channel.take().filter(|_| name == "sftp") else {
            return session.channel_failure(id);
        };
        let mut command = Command::new(SFTP_SERVER);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
        let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        session.channel_success(id)?;
        tokio::spawn(async move {
            let (mut from, mut to) = tokio::io::split(channel.into_stream());
            tokio::select! {
                _ = copy(&mut from, &mut input) => {}
                _ = copy(&mut output, &mut to) => {}
            }
            to.shutdown().await.ok();
            drop(child);
        });
        Ok(())
    }
}
