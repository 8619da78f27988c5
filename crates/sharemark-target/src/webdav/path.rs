//! From names to a request's target and back.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// All but the characters that no server reads in two ways (RFC 3986, 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The target of a request for the resource with these names, each encoded; a folder's ends in `/`.
pub(super) fn target<'a>(names: impl Iterator<Item = &'a str>, folder: bool) -> String {
    let mut target = String::new();
    for name in names {
        target.push('/');
        target.extend(utf8_percent_encode(name, RESERVED));
    }
    if folder || target.is_empty() {
        target.push('/');
    }
    target
}

/// The names in what a server calls a resource: a path or a whole URL, encoded in its own way, with or without `/` at
/// its end.
pub(super) fn names(href: &str) -> Vec<Vec<u8>> {
    let path = match href.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => href,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').filter(|name| !name.is_empty()).map(|name| percent_decode_str(name).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded_and_found_again() {
        let all = ["写真 $ 2026", "a#b?c%d+e", "📷~x-y_z.bin"];
        let encoded = target(all.into_iter(), false);
        assert_eq!(encoded, "/%E5%86%99%E7%9C%9F%20%24%202026/a%23b%3Fc%25d%2Be/%F0%9F%93%B7~x-y_z.bin");
        assert_eq!(names(&encoded), all.map(|name| name.as_bytes().to_vec()));
        assert_eq!(target(["a"].into_iter(), true), "/a/");
        assert_eq!(target([].into_iter(), false), "/");
    }

    #[test]
    fn a_server_may_call_a_resource_in_its_own_way() {
        let expected = names("/dav/a%20b");
        for href in ["http://nas:8080/dav/a%20b/", "/dav/a b/", "https://nas/dav//%61%20b", "/dav/a%20b?x#y"]
        {
            assert_eq!(names(href), expected, "{href}");
        }
        assert!(names("http://nas").is_empty());
    }
}
