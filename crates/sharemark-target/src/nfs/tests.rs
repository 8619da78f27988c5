use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use super::protocol::{Attributes, LARGEST_PART};
use super::v3::V3;
use super::xdr::Encoder;
use super::*;

/// The procedures of version 3 that come here.
const LOOKUP: u32 = 3;
const RMDIR: u32 = 13;
const FSINFO: u32 = 19;
/// `nfsstat3`.
const NOT_FOUND: u32 = 2;
const NOT_EMPTY: u32 = 66;

fn own() -> FolderName {
    FolderName::for_run("nfs").unwrap()
}

/// What a name stands for on the server: nothing, or a kind and a handle.
type Named = Option<(u32, &'static str)>;

/// A share of a server of version 3 that finds `names` one after the other, the last again and again, and answers RMDIR
/// with `removal`; and a word for each RMDIR.
fn share(names: &'static [Named], removal: u32) -> (NfsTarget, Receiver<()>) {
    let (tell, removals) = channel();
    let mut at = 0;
    let connections = script::server(move |procedure, _| {
        let mut results = Encoder::new();
        match procedure {
            FSINFO => {
                results.u32(0).u32(0).u32(LARGEST_PART).u32(0).u32(0).u32(LARGEST_PART);
            }
            LOOKUP => {
                let named = names[at.min(names.len() - 1)];
                at += 1;
                match named {
                    Some((kind, handle)) => {
                        results.u32(0).opaque(handle.as_bytes()).u32(1).u32(kind).fixed(&[0; 80]);
                    }
                    None => {
                        results.u32(NOT_FOUND);
                    }
                }
            }
            RMDIR => {
                tell.send(()).ok();
                results.u32(removal);
            }
            _ => return None,
        }
        Some(results)
    });
    let handle = Handle::new(b"base");
    let attributes = Attributes { kind: Kind::Folder, size: 0, file_system: (0, 0) };
    let reached = Reached {
        protocol: Arc::new(V3::new(connections, &handle).unwrap()),
        export: "/srv".into(),
        base: Ok(Found { handle, attributes }),
        peer: SocketAddr::from((Ipv4Addr::LOCALHOST, 2049)),
        connected: Duration::ZERO,
        mounted: Duration::ZERO,
    };
    let address = Address::of(&"nfs://nas/srv".parse().unwrap()).unwrap().unwrap().address;
    let target =
        NfsTarget { address, user: script::user(), connections: 1, reached, folder: Mutex::default() };
    (target, removals)
}

#[test]
fn a_folder_is_removed_under_its_name() {
    let (target, removals) = share(&[Some((2, "own"))], 0);
    target.own(&own(), Operation::Open).unwrap();
    target.remove_folder(&own()).unwrap();
    assert_eq!(removals.try_iter().count(), 1);
}

#[test]
fn what_took_a_folders_name_is_not_removed() {
    const TAKEN: [(&[Named], FailureCode); 2] = [
        (&[Some((2, "own")), Some((2, "another"))], FailureCode::Other),
        (&[Some((2, "own")), Some((1, "own"))], FailureCode::NotAFolder),
    ];
    for (names, code) in TAKEN {
        let (target, removals) = share(names, 0);
        target.own(&own(), Operation::Open).unwrap();
        assert_eq!(target.remove_folder(&own()).unwrap_err().code, code);
        assert_eq!(removals.try_iter().count(), 0, "{code:?}");
    }
    // The folder went while it was not empty.
    for (names, code) in TAKEN {
        let (target, removals) = share(names, NOT_EMPTY);
        assert_eq!(target.remove_folder(&own()).unwrap_err().code, code);
        assert_eq!(removals.try_iter().count(), 1, "{code:?}");
    }
}

#[test]
fn a_folder_that_has_gone_needs_no_removing() {
    let (target, removals) = share(&[Some((2, "own")), None], 0);
    target.own(&own(), Operation::Open).unwrap();
    target.remove_folder(&own()).unwrap();
    assert_eq!(removals.try_iter().count(), 0);
    assert_eq!(target.own(&own(), Operation::Open).unwrap_err().code, FailureCode::NotFound);
}
