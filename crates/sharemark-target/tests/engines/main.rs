//! Every engine that speaks a protocol itself, against a real server of that protocol on this machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper that fails is a test that fails"
)]

mod conformance;
mod nfs;
#[cfg(unix)]
mod samba;
mod server;
#[cfg(unix)]
mod sftp;
#[cfg(unix)]
mod smb;
mod webdav;
