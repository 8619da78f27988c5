//! The connections that share the queue.

use std::sync::Arc;

use sharemark_model::{Evidence, Failure, FailureCode, Operation, Share};
use tokio::runtime::Runtime;

use super::connection::Connection;
use super::known_hosts::KnownHosts;
use super::session::Session;
use super::status::Fault;
use crate::ServerAnswer;
use crate::answer::failure_from;
use crate::dial::{in_batches, runtime};

/// The connections, with the runtime that moves them.
pub(super) struct Pool {
    connections: Vec<Connection>,
    runtime: Runtime,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("connections", &self.connections.len()).finish_non_exhaustive()
    }
}

impl Pool {
    pub(super) fn connect(share: &Share) -> Result<Self, Failure> {
        let address = &share.address;
        let user = share.login.user.clone().or_else(user_here).ok_or_else(|| {
            Failure::new(FailureCode::LoginRefused, Operation::Connect, address.to_string())
                .with_system("sftp://USER@…: USER, USERNAME")
        })?;
        let known = KnownHosts::read(share.wishes.known_hosts.as_deref(), &address.host, address.port());
        let known =
            Arc::new(known.map_err(|(file, error)| {
                failure_from(&error, Operation::Connect, file.display().to_string())
            })?);
        let runtime = runtime(address)?;
        let open = || runtime.block_on(Connection::open(address, &user, &share.login, &known));
        let more = share.wishes.connections.saturating_sub(1) as usize;
        // The first one alone: a password that is wrong is to be refused once, and not often enough to lock somebody out.
        let opened = open().and_then(|first| Ok((first, in_batches(more, open)?)));
        match opened {
            Ok((first, others)) => {
                Ok(Self { connections: [first].into_iter().chain(others).collect(), runtime })
            }
            Err(failure) => {
                // Whatever of it is still under way keeps nobody waiting any longer.
                runtime.shutdown_background();
                Err(failure)
            }
        }
    }

    pub(super) fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.connections.iter().map(|connection| &connection.session)
    }

    pub(super) fn session(&self, index: usize) -> &Session {
        &self.connections[index].session
    }

    /// The session for what is asked once.
    pub(super) fn first(&self) -> &Session {
        self.session(0)
    }

    /// What the first connection and its server said of themselves.
    pub(super) fn facts(&self) -> Evidence {
        let mut facts = self.connections[0].facts.clone();
        facts.insert("connections".to_owned(), self.connections.len().into());
        facts
    }

    /// What a fault that says little means, as far as the file system at `folder` tells: `SSH_FX_FAILURE` is all that
    /// OpenSSH's server answers on a full or a read-only one.
    pub(super) fn explained(&self, fault: &Fault, folder: &str, needed: u64) -> Option<ServerAnswer> {
        if !fault.says_little() {
            return None;
        }
        let found = self.first().file_system(folder).ok().flatten()?;
        let code = if found.read_only {
            FailureCode::ReadOnly
        } else if found.total > 0 && found.free <= needed {
            FailureCode::NoSpace
        } else {
            return None;
        };
        Some(ServerAnswer::new(code, fault.text()))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for connection in &self.connections {
            self.runtime.block_on(connection.close());
        }
    }
}

/// Who sits here, as ssh takes it where no user is named.
fn user_here() -> Option<String> {
    ["USER", "USERNAME", "LOGNAME"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|user| !user.is_empty()))
}
