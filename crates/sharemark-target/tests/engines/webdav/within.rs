//! A WebDAV server within this process, which keeps its files in memory.

use std::convert::Infallible;
use std::net::SocketAddr;

use dav_server::DavHandler;
use dav_server::fakels::FakeLs;
use dav_server::memfs::MemFs;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Ends when it is dropped.
pub(super) struct Server {
    address: SocketAddr,
    _runtime: Runtime,
}

impl Server {
    pub(super) fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let handler =
            DavHandler::builder().filesystem(MemFs::new()).locksystem(FakeLs::new()).build_handler();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let handler = handler.clone();
                tokio::spawn(http1::Builder::new().serve_connection(
                    TokioIo::new(stream),
                    service_fn(move |request| {
                        let handler = handler.clone();
                        async move { Ok::<_, Infallible>(handler.handle(request).await) }
                    }),
                ));
            }
        });
        Self { address, _runtime: runtime }
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }
}
