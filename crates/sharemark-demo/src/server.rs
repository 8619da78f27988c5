//! An NFSv3 server on loopback for a [`Store`]: MOUNT and NFS on one port, without a portmapper.
//!
//! The protocol is spoken by the crate `nfs3_server`, so that sharemark's own client is not judged by its own reading of
//! RFC 1813. Its file system in memory is not used, since it refuses a block that arrives before the one in front of it,
//! as happens when more than one is under way. Two answers are the crate's and cannot be changed: FSSTAT tells 1 TiB free
//! whatever the limit, and REMOVE and RMDIR are the same.

mod filesystem;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use nfs3_server::tcp::{NFSTcp, NFSTcpListener};
use tokio::task::JoinHandle;

use self::filesystem::MemoryFileSystem;
use crate::store::Store;

/// The path that is mounted, without its slash.
pub(crate) const EXPORT: &str = "demo";

/// A server that is running; it ends when this is dropped, or with its runtime.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Server {
    /// Serves a store on a free port of loopback, in the tokio runtime that this is called in.
    ///
    /// # Errors
    /// When the system gives no port.
    pub(crate) async fn start(store: Store) -> io::Result<Self> {
        let mut listener = NFSTcpListener::bind("127.0.0.1:0", MemoryFileSystem::new(store)).await?;
        listener.with_export_name(EXPORT);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, listener.get_listen_port()));
        Ok(Self { address, serving: tokio::spawn(serve(Arc::new(listener))) })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Serves for ever. The crate stops, or panics, when a connection is gone before it was looked at; the next one is not to
/// suffer from that.
async fn serve(listener: Arc<NFSTcpListener<MemoryFileSystem>>) {
    loop {
        let listener = Arc::clone(&listener);
        // Aborted when this is, since it is held by a set.
        let mut accepting = tokio::task::JoinSet::new();
        accepting.spawn(async move { listener.handle_forever().await });
        accepting.join_next().await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
