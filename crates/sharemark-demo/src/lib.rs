//! A demonstration that needs nothing but this machine: an NFS server that keeps its files in memory, reached over two
//! simulated wires. Everything is inside this process and listens on loopback only, so it needs no root, changes nothing
//! outside and is gone with [`Demo`]. Tests that need a real server without root use it as well.

mod demo;
mod proxy;
mod server;
mod store;
mod wire;

pub use demo::{Demo, DemoError};
pub use proxy::Proxy;
pub use wire::Wire;
