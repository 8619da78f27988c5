//! What was wished of the connections to shares.

use sharemark_model::{SmbDialect, SmbSigning, Wishes};

use crate::exit::Problem;
use crate::plan::Typed;

/// More connections to one server than this are more than it will give one client.
pub(crate) const MOST_CONNECTIONS: u32 = 64;

/// Everything that `run` can wish.
///
/// # Errors
/// When a value is none.
pub(crate) fn wishes(typed: &Typed<'_>) -> Result<Wishes, Problem> {
    let connections = typed.count("connections")?.unwrap_or(1);
    if connections == 0 || connections > MOST_CONNECTIONS {
        return Err(Problem::usage(
            typed.words.format("cli-error-connections", &[("value", connections.into())]),
        ));
    }
    Ok(Wishes {
        connections,
        smb_dialect: typed.choice("smb-dialect", &SmbDialect::ALL, SmbDialect::name)?,
        smb_signing: typed.choice("smb-signing", &[SmbSigning::On, SmbSigning::Off], SmbSigning::name)?,
        ..trust(typed)?
    })
}

/// Whom to trust: what every connection needs, whatever is done over it.
///
/// # Errors
/// When a file is not there.
pub(crate) fn trust(typed: &Typed<'_>) -> Result<Wishes, Problem> {
    Ok(Wishes {
        ca_file: typed.file("ca-file")?,
        known_hosts: typed.file("known-hosts")?,
        ..Wishes::default()
    })
}
