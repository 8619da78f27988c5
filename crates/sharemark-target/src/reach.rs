//! From a place to the engine that knows it.

use std::sync::Arc;

use sharemark_model::{Failure, Place, Protocol};

use crate::nfs::NfsTarget;
use crate::sftp::SftpTarget;
use crate::smb::SmbTarget;
use crate::webdav::WebdavTarget;
use crate::{MountTarget, Target};

/// The target at a place; connects and logs in where the engine speaks the protocol itself.
///
/// # Errors
/// When the server cannot be reached, refuses the login, or does not speak what is needed.
pub fn reach(place: &Place) -> Result<Arc<dyn Target>, Failure> {
    let share = match place {
        Place::Folder(path) => return Ok(Arc::new(MountTarget::new(path))),
        Place::Share(share) => share,
    };
    Ok(match share.address.protocol {
        Protocol::Smb => Arc::new(SmbTarget::connect(share)?),
        Protocol::Nfs => Arc::new(NfsTarget::connect(share)?),
        Protocol::Sftp => Arc::new(SftpTarget::connect(share)?),
        Protocol::Webdav | Protocol::Webdavs => Arc::new(WebdavTarget::connect(share)?),
    })
}
