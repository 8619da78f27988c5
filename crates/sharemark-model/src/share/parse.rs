//! How the parts of an address are read from what was typed.

use percent_encoding::percent_decode_str;

use super::{Address, AddressError, Protocol, Secret, TypedShare};
use crate::without_password;

/// What no server's name holds: with one of these it would mean something else where it is put together again.
const NOT_IN_A_HOST: [char; 9] = ['/', ':', '@', '?', '#', '[', ']', '\\', '%'];

/// Reads an address. What is shown of it has to mean the same server, folder and user: an `@` or a `/` in a password
/// makes two readings of one text, and a report must not name another server than the one that was asked.
pub(super) fn parse(protocol: Protocol, text: &str) -> Result<TypedShare, AddressError> {
    let mut share = read(protocol, text)?;
    let shown = without_password(text);
    if shown != text || share.password.is_some() {
        let reread = read(protocol, &shown).map_err(|_| AddressError::Malformed)?;
        let same = reread.address == share.address
            && (&reread.user, &reread.domain) == (&share.user, &share.domain)
            && reread.password.is_none();
        if !same {
            return Err(AddressError::Malformed);
        }
    }
    share.address.shown = shown;
    Ok(share)
}

/// Reads the parts of one text, without what is shown of it.
fn read(protocol: Protocol, text: &str) -> Result<TypedShare, AddressError> {
    let url = url::Url::parse(text).map_err(|error| match error {
        url::ParseError::EmptyHost => AddressError::NoHost,
        _ => AddressError::Malformed,
    })?;
    if url.fragment().is_some() {
        return Err(AddressError::Fragment);
    }
    let host = match url.host() {
        Some(url::Host::Ipv6(address)) => address.to_string(),
        Some(host) => name_of_host(&host.to_string())?,
        None => return Err(AddressError::NoHost),
    };
    if host.is_empty() {
        return Err(AddressError::NoHost);
    }
    // The library takes `..` and line ends out of a path; what was typed is looked at instead, since a share's root is no
    // place to leave.
    if text.contains(char::is_control) {
        return Err(AddressError::Path);
    }
    for part in typed_path(text).split('/') {
        if matches!(decoded(part)?.as_str(), "." | "..") {
            return Err(AddressError::Path);
        }
    }
    let parts = url.path().split('/').filter(|part| !part.is_empty());
    let path = parts.map(decoded).collect::<Result<Vec<_>, _>>()?;
    if path.iter().any(|part| part.contains(['/', '\0'])) {
        return Err(AddressError::Path);
    }
    let name = decoded(url.username())?;
    let (domain, user) = match name.split_once(';').or_else(|| name.split_once('\\')) {
        Some((domain, user)) => (Some(domain.to_owned()), user.to_owned()),
        None => (None, name),
    };
    let password = url.password().map(|text| decoded(text).map(Secret::new)).transpose()?;
    let query = url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let address = Address { protocol, host, port: url.port(), path, query, shown: String::new() };
    Ok(TypedShare { address, user: Some(user).filter(|user| !user.is_empty()), domain, password })
}

/// The path as it was typed: from the slash behind the server to the `?` or `#`.
fn typed_path(text: &str) -> &str {
    let rest = text.split_once("://").map_or("", |(_, rest)| rest);
    let whole = rest.split(['?', '#']).next().unwrap_or_default();
    whole.split_once('/').map_or("", |(_, path)| path)
}

fn name_of_host(text: &str) -> Result<String, AddressError> {
    let host = decoded(text)?;
    let wrong = |c: char| c.is_control() || c.is_whitespace() || NOT_IN_A_HOST.contains(&c);
    if host.contains(wrong) { Err(AddressError::Malformed) } else { Ok(host) }
}

fn decoded(text: &str) -> Result<String, AddressError> {
    let text = percent_decode_str(text).decode_utf8().map_err(|_| AddressError::Path)?;
    Ok(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Result<TypedShare, AddressError> {
        Address::of(&text.parse().unwrap()).map(Option::unwrap)
    }

    #[test]
    fn the_parts_of_an_address_are_decoded() {
        let share = typed("smb://WORK;me:p%40ss%2Fw@nas:4450/写真 $ 2026/été%20📷?x=1").unwrap();
        assert_eq!(share.address.host, "nas");
        assert_eq!(share.address.port(), 4450);
        assert_eq!(share.address.path, ["写真 $ 2026", "été 📷"]);
        assert_eq!(share.address.option("x"), Some("1"));
        assert_eq!((share.user.as_deref(), share.domain.as_deref()), (Some("me"), Some("WORK")));
        assert_eq!(share.password.as_ref().map(Secret::expose), Some("p@ss/w"));
        assert!(!format!("{share:?} {}", share.address).contains("p%40ss"), "{share:?}");
        let share = typed("nfs://[fe80::1]/export@2").unwrap();
        assert_eq!(
            (share.address.host.as_str(), share.address.path),
            ("fe80::1", vec!["export@2".to_owned()])
        );
        assert_eq!(share.address.shown, "nfs://[fe80::1]/export@2");
        assert_eq!(typed("smb://nas:/a@b").unwrap().address.shown, "smb://nas:/a@b");
        assert_eq!(typed("smb://me:pw@nas/a%402x").unwrap().address.shown, "smb://me@nas/a%402x");
        assert_eq!(typed("SFTP://nas").unwrap().address.port(), 22);
    }

    #[test]
    fn what_names_no_share_is_refused() {
        assert_eq!(typed("smb:///Public"), Err(AddressError::NoHost));
        assert_eq!(typed("smb://nas:99999/x"), Err(AddressError::Malformed));
        assert_eq!(typed("smb://nas/a%2Fb"), Err(AddressError::Path));
        assert_eq!(typed("smb://nas/%FF"), Err(AddressError::Path));
        assert_eq!(Address::of(&"/mnt/nas".parse().unwrap()), Ok(None));
    }

    #[test]
    fn what_is_shown_is_what_is_connected_to() {
        for text in [
            "smb://me:pw@nas/a@2x",
            "smb://me:se@cr/et@nas/Public",
            "smb://me:se/cret@nas/Public",
            "smb://me:pw@nas?x=a@b",
        ] {
            assert_eq!(typed(text), Err(AddressError::Malformed), "{text}");
        }
        assert_eq!(typed("smb://me:2024#abc@nas/x"), Err(AddressError::Fragment));
        assert_eq!(typed("smb://nas/a#b"), Err(AddressError::Fragment));
    }

    #[test]
    fn no_part_of_a_path_leaves_the_share() {
        for text in [
            "smb://nas/a/../b",
            "smb://nas/..",
            "smb://nas/a/%2e%2E",
            "smb://nas/./a?x=1",
            "smb://nas/a/.\t./b",
        ] {
            assert_eq!(typed(text), Err(AddressError::Path), "{text}");
        }
        assert_eq!(typed("smb://nas/a..b/...?x=../y").unwrap().address.path, ["a..b", "..."]);
    }

    #[test]
    fn a_host_is_a_name_and_nothing_else() {
        for host in
            ["nas%2Fx", "nas%20x", "nas%00", "nas%3A80", "me%40nas", "%5B::1%5D", "nas%25x", "a%5Cb", "a%0Ab"]
        {
            assert_eq!(typed(&format!("smb://{host}/x")), Err(AddressError::Malformed), "{host}");
        }
        assert_eq!(typed("smb://%E5%86%99%E7%9C%9F/x").unwrap().address.host, "写真");
    }
}
