//! What stands in front of NFSv3: the port mapper (RFC 1833) and the MOUNT protocol (RFC 1813, appendix I).

use super::protocol::Handle;
use super::rpc::{Connection, Procedure};
use super::status::Status;
use super::trouble::Trouble;
use super::xdr::Encoder;

/// Where the port mapper listens.
pub(super) const PORT_MAPPER: u16 = 111;
pub(super) const MOUNT_PROGRAM: u32 = 100_005;
pub(super) const NFS_PROGRAM: u32 = 100_003;
const VERSION_3: u32 = 3;

const GETPORT: Procedure = Procedure { program: 100_000, version: 2, number: 3 };
const MNT: Procedure = Procedure { program: MOUNT_PROGRAM, version: VERSION_3, number: 1 };
const UMNT: Procedure = Procedure { number: 3, ..MNT };
const EXPORT: Procedure = Procedure { number: 5, ..MNT };

const IPPROTO_TCP: u32 = 6;
const AUTH_SYS: u32 = 1;

/// The TCP port of a program in version 3, as the port mapper knows it.
pub(super) fn port_of(mapper: &Connection, program: u32) -> Result<Option<u16>, Trouble> {
    let mut arguments = Encoder::new();
    arguments.u32(program).u32(VERSION_3).u32(IPPROTO_TCP).u32(0);
    let port = mapper.call(GETPORT, &arguments)?.results().u32()?;
    Ok(u16::try_from(port).ok().filter(|port| *port != 0))
}

/// The folders that the server exports.
pub(super) fn exports(mount: &Connection) -> Result<Vec<String>, Trouble> {
    let reply = mount.call(EXPORT, &Encoder::new())?;
    let mut results = reply.results();
    let mut found = Vec::new();
    while results.bool()? {
        found.push(results.text()?);
        // Who may mount it.
        while results.bool()? {
            results.opaque()?;
        }
    }
    Ok(found)
}

/// The handle of an exported folder.
pub(super) fn mount(connection: &Connection, folder: &str) -> Result<Handle, Trouble> {
    let mut arguments = Encoder::new();
    arguments.opaque(folder.as_bytes());
    let reply = connection.call(MNT, &arguments)?;
    let mut results = reply.results();
    let status = results.u32()?;
    if status != 0 {
        return Err(Trouble::Status(Status::mount(status)));
    }
    let handle = Handle::new(results.opaque()?);
    let flavours = results.words()?;
    if !flavours.is_empty() && flavours.iter().all(|flavour| *flavour > AUTH_SYS) {
        let text = format!("MNT auth_flavors: {flavours:?}");
        return Err(Trouble::Refused(sharemark_model::FailureCode::LoginRefused, text));
    }
    // The handle stays good; only the server's list of who has mounted what is left as it was found.
    connection.call(UMNT, &arguments).ok();
    Ok(handle)
}

/// How many of the path's parts are the export: the longest of the server's exports that the path begins with.
pub(super) fn longest(exports: &[String], path: &[String]) -> Option<usize> {
    let depth = |export: &String| {
        let parts: Vec<&str> = export.split('/').filter(|part| !part.is_empty()).collect();
        let begins = parts.len() <= path.len() && parts.iter().zip(path).all(|(part, own)| part == own);
        begins.then_some(parts.len())
    };
    exports.iter().filter_map(depth).max()
}

/// Parts of a path as the server writes it.
pub(super) fn joined(parts: &[String]) -> String {
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_export_that_the_path_begins_with_is_mounted() {
        let owned = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let exports = owned(&["/srv", "/srv/media/", "/srv/med", "/home dir"]);
        assert_eq!(longest(&exports, &owned(&["srv", "media", "films"])), Some(2));
        assert_eq!(longest(&exports, &owned(&["srv", "medium"])), Some(1));
        assert_eq!(longest(&exports, &owned(&["home dir"])), Some(1));
        assert_eq!(longest(&exports, &owned(&["other"])), None);
        assert_eq!(longest(&owned(&["/"]), &owned(&["other"])), Some(0));
        assert_eq!(joined(&owned(&["srv", "media"])), "/srv/media");
    }
}
