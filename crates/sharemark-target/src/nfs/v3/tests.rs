use sharemark_model::FailureCode;

use super::*;
use crate::nfs::script;

#[test]
fn a_listing_that_stays_where_it_is_ends() {
    // Even a server that does not stop by itself: the same page again, or one of nothing, and never the end.
    for entries in [1, 0] {
        let mut left = 4;
        let connections = script::server(move |procedure, _| {
            let mut results = Encoder::new();
            // OK, and no attributes.
            results.u32(0).u32(0);
            if procedure == FSINFO {
                results.u32(LARGEST_PART).u32(0).u32(0).u32(LARGEST_PART);
                return Some(results);
            }
            left -= 1;
            results.u64(0);
            for _ in 0..entries {
                results.u32(1).u64(1).opaque(b"name").u64(5);
            }
            results.u32(0).u32(0);
            (left > 0).then_some(results)
        });
        let root = Handle::new(b"root");
        let names = V3::new(connections, &root).unwrap().names(&root);
        assert_eq!(names.unwrap_err().code(), FailureCode::Protocol, "{entries}");
    }
}
