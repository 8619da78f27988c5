//! The whole demonstration: one store, two wires to it.

use std::io;
use std::time::Duration;

use sharemark_model::Bytes;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::server::{EXPORT, Server};
use crate::store::Store;
use crate::{Proxy, Wire};

/// The store takes no more than this, unless told otherwise.
const LIMIT: Bytes = Bytes::mebibytes(512);

/// How long the end of the demonstration waits for its threads.
const END: Duration = Duration::from_secs(2);

/// Why there is no demonstration.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The system gives no threads or timers for it.
    #[error("could not start the demonstration's threads: {0}")]
    Threads(#[source] io::Error),
    /// The server does not listen.
    #[error("could not start the demonstration's server: {0}")]
    Server(#[source] io::Error),
    /// A wire does not listen, or nothing could pass it.
    #[error("could not start the demonstration's wire: {0}")]
    Wire(#[source] io::Error),
}

/// A running demonstration: an NFSv3 server with one store in memory, reached over a fast and a slow wire. It has threads
/// of its own, listens on loopback only, and is gone, with everything in it, when this is dropped.
#[derive(Debug)]
pub struct Demo {
    /// Taken when it ends.
    runtime: Option<Runtime>,
    fast: Proxy,
    slow: Proxy,
    _server: Server,
}

impl Demo {
    /// Starts it with a store of at most 512 MiB. Not to be called from within a tokio runtime, since it waits until all
    /// of it listens.
    ///
    /// # Errors
    /// When the system gives no threads or ports, or nothing could pass one of the wires.
    pub fn start(fast: Wire, slow: Wire) -> Result<Self, DemoError> {
        Self::with_limit(fast, slow, LIMIT)
    }

    /// Starts it with a store of another size.
    ///
    /// # Errors
    /// As [`Demo::start`].
    pub fn with_limit(fast: Wire, slow: Wire, limit: Bytes) -> Result<Self, DemoError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("demonstration")
            .enable_all()
            .build()
            .map_err(DemoError::Threads)?;
        let (server, fast, slow) = runtime.block_on(async {
            let server = Server::start(Store::new(limit)).await.map_err(DemoError::Server)?;
            let wire = async |wire| Proxy::start(server.address(), wire, wire).await.map_err(DemoError::Wire);
            let (fast, slow) = (wire(fast).await?, wire(slow).await?);
            Ok((server, fast, slow))
        })?;
        Ok(Self { runtime: Some(runtime), fast, slow, _server: server })
    }

    /// The label and the URL of each of the two ways to the store, as `sharemark run` takes them: first the fast one.
    #[must_use]
    pub fn locations(&self) -> [(&'static str, String); 2] {
        let url = |proxy: &Proxy| {
            let address = proxy.address();
            format!("nfs://{address}/{EXPORT}?version=3&mountport={}", address.port())
        };
        [("fast", url(&self.fast)), ("slow", url(&self.slow))]
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        // To wait is refused inside of another runtime; it ends all the same.
        match Handle::try_current() {
            Ok(_) => runtime.shutdown_background(),
            Err(_) => runtime.shutdown_timeout(END),
        }
    }
}
