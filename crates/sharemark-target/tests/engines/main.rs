//! Every engine that speaks a protocol itself, against a real server of that protocol on this machine.

mod conformance;
mod server;
mod webdav;
