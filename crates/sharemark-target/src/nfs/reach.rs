//! From an address to a folder on an NFS server: the version, the export, and the folders in it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sharemark_model::{Address, Failure, FailureCode, Operation, Share};
use tokio::runtime::Runtime;

use super::exports::{self, MOUNT_PROGRAM, NFS_PROGRAM, PORT_MAPPER, joined, longest};
use super::protocol::{Connections, Found, Handle, Protocol};
use super::rpc::Connection;
use super::socket;
use super::trouble::Trouble;
use super::user::User;
use super::v3::V3;
use super::v4::V4;
use crate::{ServerAnswer, dial, failure_from};

/// A folder on a server, with what was seen on the way.
pub(super) struct Reached {
    pub(super) protocol: Arc<dyn Protocol>,
    pub(super) export: String,
    /// The folder, or why there is none.
    pub(super) base: Result<Found, ServerAnswer>,
    pub(super) peer: SocketAddr,
    /// How long the TCP handshake took.
    pub(super) connected: Duration,
    /// How long it took from there to the folder.
    pub(super) mounted: Duration,
}

/// Reaches the share's folder.
pub(super) fn reach(share: &Share, user: &User) -> Result<Reached, Failure> {
    let address = &share.address;
    let versions = versions(address)?;
    let port = numbered(address, "nfsport")?.or(address.port);
    with(dial::runtime(address)?, |runtime| Way { runtime, share, user, port }.reach(versions))
}

/// Gives `work` a runtime, and does not wait for what that left behind: a name's resolution can be given up, but goes on
/// in its thread for as long as the system's resolver likes.
fn with<T>(runtime: Runtime, work: impl FnOnce(&Runtime) -> T) -> T {
    let done = work(&runtime);
    runtime.shutdown_background();
    done
}

/// The minor versions of 4 to try, and whether version 3 may be used.
type Versions = (&'static [u32], bool);

/// The versions that the address asks for.
fn versions(address: &Address) -> Result<Versions, Failure> {
    let asked = address.option("version").or_else(|| address.option("vers"));
    Ok(match asked {
        None => (&[2, 1, 0], true),
        Some("3") => (&[], true),
        Some("4") => (&[2, 1, 0], false),
        Some("4.0") => (&[0], false),
        Some("4.1") => (&[1], false),
        Some("4.2") => (&[2], false),
        Some(other) => {
            let failure = Failure::new(FailureCode::Version, Operation::Connect, address.to_string());
            return Err(failure.with_system(format!("version={other}")));
        }
    })
}

/// A port in the address's query.
fn numbered(address: &Address, name: &str) -> Result<Option<u16>, Failure> {
    let parsed = address.option(name).map(|text| text.parse::<u16>().map_err(|_| text)).transpose();
    parsed.map_err(|text| {
        Failure::new(FailureCode::Unsupported, Operation::Connect, address.to_string())
            .with_system(format!("{name}={text}"))
    })
}

struct Way<'a> {
    runtime: &'a Runtime,
    share: &'a Share,
    user: &'a User,
    /// The port of NFS, where the address names one.
    port: Option<u16>,
}

impl Way<'_> {
    fn reach(&self, (minors, three): Versions) -> Result<Reached, Failure> {
        if self.share.address.path.is_empty() {
            return Err(self.nothing_named(minors, three));
        }
        if minors.is_empty() {
            return self.by_version_3();
        }
        let first = match socket::find(self.runtime, &self.share.address, self.nfs_port()) {
            Ok(peer) => match self.by_version_4(peer, minors) {
                Ok(reached) => return Ok(reached),
                Err(failure) => failure,
            },
            Err(failure) => failure,
        };
        // As a kernel does: version 3 when the server has no 4, shows nothing of that name there, or listens elsewhere.
        let elsewhere = first.code == FailureCode::Refused && self.port.is_none();
        let other = matches!(first.code, FailureCode::Version | FailureCode::UnknownShare);
        if !three || !(elsewhere || other) {
            return Err(first);
        }
        self.by_version_3().map_err(|second| match (first.code, second.code) {
            (FailureCode::Version, _) => second,
            (_, FailureCode::UnknownShare | FailureCode::NoPermission) => second,
            _ => first,
        })
    }

    fn nfs_port(&self) -> u16 {
        self.port.unwrap_or(self.share.address.protocol.port())
    }

    fn failed(&self, trouble: Trouble) -> Failure {
        failure_from(&trouble.into(), Operation::Connect, self.share.address.to_string())
    }

    fn failure(&self, code: FailureCode) -> Failure {
        Failure::new(code, Operation::Connect, self.share.address.to_string())
    }

    fn connect(&self, peer: SocketAddr) -> Result<(Connection, Duration), Failure> {
        let (stream, took) = socket::connect(self.runtime, peer, &self.share.address)?;
        let connection = Connection::new(stream, self.user.clone());
        Ok((connection.map_err(|error| self.failed(error.into()))?, took))
    }

    /// All connections that are wished for, and how long the first took.
    fn connect_all(&self, peer: SocketAddr) -> Result<(Connections, Duration), Failure> {
        let (first, took) = self.connect(peer)?;
        let others = (1..self.share.wishes.connections).map(|_| self.connect(peer).map(|(other, _)| other));
        Ok((Connections::new(first, others.collect::<Result<Vec<_>, _>>()?), took))
    }

    fn met_in_version_4(&self, connections: &Connections, minors: &[u32]) -> Result<V4, Failure> {
        let mut last = None;
        for minor in minors {
            match V4::new(connections.clone(), *minor) {
                Ok(server) => return Ok(server),
                Err(trouble) if trouble.code() == FailureCode::Version => last = Some(trouble),
                Err(trouble) => return Err(self.failed(trouble)),
            }
        }
        Err(last.map_or_else(|| self.failure(FailureCode::Version), |trouble| self.failed(trouble)))
    }

    fn by_version_4(&self, peer: SocketAddr, minors: &[u32]) -> Result<Reached, Failure> {
        let (connections, connected) = self.connect_all(peer)?;
        let begun = Instant::now();
        let server = self.met_in_version_4(&connections, minors)?;
        let path = &self.share.address.path;
        let root = V4::root();
        let attributes = server.attributes(&root).map_err(|trouble| self.failed(trouble))?;
        // An export shows itself as another file system than the root that only leads to it.
        let (mut at, mut depth) = (Found { handle: root, attributes }, 0);
        let mut base = Ok(());
        for (number, name) in path.iter().enumerate() {
            match server.look_up(&at.handle, name) {
                Ok(found) => {
                    if found.attributes.file_system != at.attributes.file_system {
                        depth = number + 1;
                    }
                    at = found;
                }
                Err(trouble) if depth == 0 && trouble.code() == FailureCode::NotFound => {
                    let choices = names_of(&server, &at.handle, &path[..number]);
                    let failure = self.failure(FailureCode::UnknownShare).with_system(trouble.to_string());
                    return Err(failure.with_choices(choices));
                }
                Err(trouble) => {
                    base = Err(answer(&trouble));
                    break;
                }
            }
        }
        if base.is_ok() {
            base = server.adopt(&at.handle).map_err(|trouble| answer(&trouble));
        }
        server.connections().become_patient();
        let mounted = begun.elapsed();
        let (protocol, export) = (Arc::new(server), joined(&path[..depth]));
        Ok(Reached { protocol, export, base: base.map(|()| at), peer, connected, mounted })
    }

    fn by_version_3(&self) -> Result<Reached, Failure> {
        let path = &self.share.address.path;
        let (nfs, mount_port) = self.ports_of_version_3()?;
        let begun = Instant::now();
        let (mount, _) = self.connect(SocketAddr::new(nfs.ip(), mount_port))?;
        let (root, depth) = self.mounted(&mount, path)?;
        drop(mount);
        let (connections, connected) = self.connect_all(nfs)?;
        let server = V3::new(connections, &root).map_err(|trouble| self.failed(trouble))?;
        let base = folder(&server, root, &path[depth..]).map_err(|trouble| answer(&trouble));
        server.connections().become_patient();
        let mounted = begun.elapsed().saturating_sub(connected);
        let (protocol, export) = (Arc::new(server), joined(&path[..depth]));
        Ok(Reached { protocol, export, base, peer: nfs, connected, mounted })
    }

    /// Where NFS listens, and the port of MOUNT.
    fn ports_of_version_3(&self) -> Result<(SocketAddr, u16), Failure> {
        let address = &self.share.address;
        if let Some(mount) = numbered(address, "mountport")? {
            return Ok((socket::find(self.runtime, address, self.nfs_port())?, mount));
        }
        let mapper = socket::find(self.runtime, address, PORT_MAPPER)?;
        let (connection, _) = self.connect(mapper)?;
        let ask = |program| exports::port_of(&connection, program).map_err(|trouble| self.failed(trouble));
        let missing = |name| self.failure(FailureCode::Version).with_system(format!("RPC GETPORT: {name} 3"));
        let nfs = match self.port {
            Some(port) => port,
            None => ask(NFS_PROGRAM)?.ok_or_else(|| missing("NFS"))?,
        };
        let mount = ask(MOUNT_PROGRAM)?.ok_or_else(|| missing("MOUNT"))?;
        Ok((SocketAddr::new(mapper.ip(), nfs), mount))
    }

    /// The longest part of the path that the server lets mount, and how many names it has.
    fn mounted(&self, mount: &Connection, path: &[String]) -> Result<(Handle, usize), Failure> {
        let offered = exports::exports(mount);
        if let Err(Trouble::Refused(FailureCode::Version, text)) = offered {
            return Err(self.failure(FailureCode::Version).with_system(text));
        }
        let offered = offered.unwrap_or_default();
        if let Some(depth) = longest(&offered, path) {
            let handle = exports::mount(mount, &joined(&path[..depth]));
            return Ok((handle.map_err(|trouble| self.failed(trouble))?, depth));
        }
        // A server may keep its list to itself, or not list what it lets mount.
        let mut last = None;
        for depth in (1..=path.len()).rev() {
            match exports::mount(mount, &joined(&path[..depth])) {
                Ok(handle) => return Ok((handle, depth)),
                Err(trouble @ Trouble::Status(_)) => last = Some(trouble),
                Err(trouble) => return Err(self.failed(trouble)),
            }
        }
        let mut failure = last.map_or_else(|| self.failure(FailureCode::UnknownShare), |t| self.failed(t));
        if !offered.is_empty() {
            // Servers say "access" as well of what they do not export.
            failure.code = FailureCode::UnknownShare;
        }
        Err(failure.with_choices(offered))
    }

    /// The failure of an address without a path, with what could be named.
    fn nothing_named(&self, minors: &[u32], three: bool) -> Failure {
        let no_share = self.failure(FailureCode::NoShare);
        let listed = || {
            let (nfs, port) = self.ports_of_version_3()?;
            let (mount, _) = self.connect(SocketAddr::new(nfs.ip(), port))?;
            exports::exports(&mount).map_err(|trouble| self.failed(trouble))
        };
        if three {
            match listed() {
                Ok(choices) => return no_share.with_choices(choices),
                // Resolved again, it would only take as long again.
                Err(failure) if failure.code == FailureCode::UnknownHost => return failure,
                Err(_) => {}
            }
        }
        let shown = || {
            let peer = socket::find(self.runtime, &self.share.address, self.nfs_port())?;
            let (connections, _) = self.connect_all(peer)?;
            let server = self.met_in_version_4(&connections, minors)?;
            Ok(names_of(&server, &V4::root(), &[]))
        };
        match shown() {
            Ok(choices) => no_share.with_choices(choices),
            // Without NFSv4 there is nothing to choose from; without a server that is what has to be said.
            Err::<_, Failure>(failure) if failure.code == FailureCode::Version => no_share,
            Err(failure) => failure,
        }
    }
}

/// The folder that `path` leads to.
fn folder(server: &dyn Protocol, root: Handle, path: &[String]) -> Result<Found, Trouble> {
    let attributes = server.attributes(&root)?;
    let mut at = Found { handle: root, attributes };
    for name in path {
        at = server.look_up(&at.handle, name)?;
    }
    Ok(at)
}

/// What a path could go on with; nothing where the server does not tell.
fn names_of(server: &V4, folder: &Handle, path: &[String]) -> Vec<String> {
    let names = server.names(folder).unwrap_or_default();
    let mut choices: Vec<_> =
        names.into_iter().map(|name| joined(&[path, std::slice::from_ref(&name)].concat())).collect();
    choices.sort_unstable();
    choices
}

fn answer(trouble: &Trouble) -> ServerAnswer {
    ServerAnswer::new(trouble.code(), trouble.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use super::*;
    use crate::nfs::script::NO_HANG;

    fn address(url: &str) -> Address {
        Address::of(&url.parse().unwrap()).unwrap().unwrap().address
    }

    #[test]
    fn a_resolution_that_does_not_end_is_not_waited_for() {
        let (release, released) = channel();
        let (tell, told) = channel();
        thread::spawn(move || {
            let runtime = dial::runtime(&address("nfs://nas/x")).unwrap();
            let (running, runs) = channel();
            let resolve = move || {
                running.send(()).unwrap();
                // As long as the test lasts.
                released.recv().unwrap_err();
            };
            with(runtime, |runtime| {
                drop(runtime.spawn_blocking(resolve));
                runs.recv().unwrap();
            });
            tell.send(()).unwrap();
        });
        assert_eq!(told.recv_timeout(NO_HANG), Ok(()));
        drop::<Sender<()>>(release);
    }

    #[test]
    fn a_version_is_asked_for_by_number() {
        assert_eq!(versions(&address("nfs://nas/x")).unwrap(), (&[2, 1, 0][..], true));
        assert_eq!(versions(&address("nfs://nas/x?version=3")).unwrap(), (&[][..], true));
        assert_eq!(versions(&address("nfs://nas/x?version=4")).unwrap(), (&[2, 1, 0][..], false));
        assert_eq!(versions(&address("nfs://nas/x?version=4.1")).unwrap(), (&[1][..], false));
        let failure = versions(&address("nfs://nas/x?version=2")).unwrap_err();
        assert_eq!((failure.code, failure.system.as_deref()), (FailureCode::Version, Some("version=2")));
    }

    #[test]
    fn a_port_is_a_number() {
        assert_eq!(numbered(&address("nfs://nas/x?mountport=20048"), "mountport").unwrap(), Some(20048));
        assert_eq!(numbered(&address("nfs://nas/x"), "mountport").unwrap(), None);
        assert!(numbered(&address("nfs://nas/x?mountport=many"), "mountport").is_err());
    }
}
