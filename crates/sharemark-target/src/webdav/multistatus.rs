//! What a PROPFIND asks for and answers (RFC 4918, 9.1 and 14; the quota is RFC 4331).

use std::io;

use roxmltree::{Document, Node};
use sharemark_model::FailureCode;

use super::path;
use crate::ServerAnswer;

const DAV: &str = "DAV:";

/// What is asked of one resource.
pub(super) const ALL: &str = concat!(
    r#"<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>"#,
    "<quota-available-bytes/><quota-used-bytes/></prop></propfind>"
);

/// What is asked of a folder's members.
pub(super) const KINDS: &str =
    r#"<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>"#;

/// What a server says of one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Resource {
    /// The names in its path, decoded.
    pub(super) names: Vec<Vec<u8>>,
    /// It is a folder.
    pub(super) folder: bool,
    /// A file's size in bytes.
    pub(super) length: Option<u64>,
    /// Bytes that can still be written. Servers answer negative numbers for what they do not know or do not limit.
    pub(super) available: Option<u64>,
    /// Bytes in use.
    pub(super) used: Option<u64>,
}

/// Reads the resources in a multistatus answer.
pub(super) fn parse(body: &[u8]) -> io::Result<Vec<Resource>> {
    let wrong = |text: String| io::Error::from(ServerAnswer::new(FailureCode::Protocol, text));
    let text = std::str::from_utf8(body).map_err(|error| wrong(error.to_string()))?;
    let document =
        Document::parse(text.trim_start_matches('\u{feff}')).map_err(|error| wrong(error.to_string()))?;
    let root = document.root_element();
    if !root.has_tag_name((DAV, "multistatus")) {
        return Err(wrong(format!("<{}>", root.tag_name().name())));
    }
    Ok(children(root, "response").map(resource).collect())
}

fn children<'a, 'input: 'a>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.has_tag_name((DAV, name)))
}

fn text<'a>(node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    children(node, name).next().and_then(|child| child.text()).map(str::trim)
}

fn resource(response: Node<'_, '_>) -> Resource {
    let mut resource =
        Resource { names: path::names(text(response, "href").unwrap_or_default()), ..Resource::default() };
    for part in children(response, "propstat") {
        // Properties that a resource has not are answered as well, with another status.
        let found = text(part, "status").is_none_or(|status| status.split(' ').nth(1) == Some("200"));
        for properties in children(part, "prop").filter(|_| found) {
            let number = |name| text(properties, name).and_then(|text| text.parse().ok());
            resource.folder |= children(properties, "resourcetype")
                .any(|kind| children(kind, "collection").next().is_some());
            resource.length = resource.length.or(number("getcontentlength"));
            resource.available = resource.available.or(number("quota-available-bytes"));
            resource.used = resource.used.or(number("quota-used-bytes"));
        }
    }
    resource
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_whatever_their_prefix() {
        let body = r#"<?xml version="1.0"?>
            <D:multistatus xmlns:D="DAV:" xmlns:x="urn:x"><D:response>
              <D:href>http://nas/dav/%e5%86%99/</D:href>
              <D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype>
                <D:quota-available-bytes> 1000 </D:quota-available-bytes><x:getcontentlength>7</x:getcontentlength>
              </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
              <D:propstat><D:prop><D:quota-used-bytes>5</D:quota-used-bytes></D:prop>
                <D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
            </D:response><D:response><D:href>/dav/a.bin</D:href><D:propstat><D:prop><D:resourcetype/>
              <D:getcontentlength>12</D:getcontentlength><D:quota-available-bytes>-3</D:quota-available-bytes>
              </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>"#;
        let found = parse(body.as_bytes()).unwrap();
        let folder = Resource {
            names: vec![b"dav".to_vec(), "写".as_bytes().to_vec()],
            folder: true,
            available: Some(1000),
            ..Resource::default()
        };
        let file = Resource {
            names: vec![b"dav".to_vec(), b"a.bin".to_vec()],
            length: Some(12),
            ..Resource::default()
        };
        assert_eq!(found, [folder, file]);
    }

    #[test]
    fn what_is_no_answer_to_a_propfind_is_refused() {
        for body in ["<html/>", "", "<multistatus/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"] {
            let error = parse(body.as_bytes()).unwrap_err();
            assert_eq!(crate::classify(&error), FailureCode::Protocol, "{body}");
        }
    }
}
