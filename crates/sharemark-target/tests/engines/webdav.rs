//! WebDAV: against a server within this process, and against Apache and nginx where they are installed.

use sharemark_model::{FailureCode, Place, Wishes, WriteMode};

use crate::conformance::Able;
use crate::{conformance, server};

mod apache;
mod nginx;
mod odd;
mod within;

/// What WebDAV can do.
const ABLE: Able = Able { any_order: false, updates: false, write_through: WriteMode::Acknowledged };

fn share(url: &str) -> Place {
    server::share(url, Wishes::default())
}

fn trusting(url: &str, ca_file: &str) -> Place {
    server::share(url, Wishes { ca_file: Some(ca_file.to_owned()), ..Wishes::default() })
}

/// How connecting and looking fails, with the system's words.
fn refusal(place: &Place) -> (FailureCode, String) {
    let failure = sharemark_target::reach(place).and_then(|target| target.inspect()).unwrap_err();
    (failure.code, failure.system.unwrap_or_default())
}

#[test]
fn a_server_within_this_process_conforms() {
    let server = within::Server::start();
    conformance::check(&share(&format!("webdav://{}/", server.address())), ABLE);
}
