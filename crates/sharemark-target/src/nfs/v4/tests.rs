use sharemark_model::FailureCode;

use super::*;
use crate::nfs::script;

/// A client of a server of 4.0 that answers each compound with `results`, a few times.
fn client(results: impl Fn(&mut Decoder<'_>) -> Encoder + Send + 'static) -> V4 {
    let mut left = 4;
    let connections = script::server(move |_, arguments| {
        left -= 1;
        // The tag and the minor version.
        arguments.fixed(8).unwrap();
        (left > 0).then(|| results(arguments))
    });
    V4 { server: Arc::new(Server::unmet(connections, 0)) }
}

#[test]
fn a_listing_that_stays_where_it_is_ends() {
    // Even a server that does not stop by itself: the same page again, or one of nothing, and never the end.
    for entries in [1, 0] {
        let client = client(move |_| {
            let mut results = Encoder::new();
            results.u32(0).opaque(&[]).u32(2).u32(op::PUTFH).u32(0).u32(op::READDIR).u32(0).u64(0);
            for _ in 0..entries {
                // Without an attribute.
                results.u32(1).u64(5).opaque(b"name").words(&[]).opaque(&[]);
            }
            results.u32(0).u32(0);
            results
        });
        let names = client.names(&Handle::new(b"folder"));
        assert_eq!(names.unwrap_err().code(), FailureCode::Protocol, "{entries}");
    }
}

#[test]
fn what_is_of_another_kind_is_not_removed() {
    for (kind, number) in [(Kind::File, 1), (Kind::Folder, 2)] {
        let client = client(move |arguments| {
            // A server where the name is a link's: it comes as far as VERIFY.
            assert_eq!(arguments.u32().unwrap(), 5);
            assert_eq!((arguments.u32().unwrap(), arguments.opaque().unwrap()), (op::PUTFH, &b"folder"[..]));
            assert_eq!((arguments.u32().unwrap(), arguments.opaque().unwrap()), (op::LOOKUP, &b"name"[..]));
            assert_eq!((arguments.u32().unwrap(), arguments.words().unwrap()), (op::VERIFY, vec![2]));
            assert_eq!(arguments.opaque().unwrap(), u32::to_be_bytes(number));
            let mut results = Encoder::new();
            results.u32(10027).opaque(&[]).u32(3);
            results.u32(op::PUTFH).u32(0).u32(op::LOOKUP).u32(0).u32(op::VERIFY).u32(10027);
            results
        });
        let removed = client.remove(&Handle::new(b"folder"), "name", kind);
        assert_eq!(removed.unwrap_err().to_string(), "NFS4ERR_NOT_SAME (10027)");
    }
}
