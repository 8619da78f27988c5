//! What is asked of a share's folders and files, apart from moving bytes.

use sharemark_model::FailureCode;
use smb2::msg::close::{CloseRequest, CloseResponse};
use smb2::msg::create::{CreateDisposition, CreateRequest, CreateResponse, ImpersonationLevel, ShareAccess};
use smb2::msg::query_directory::{
    FileInformationClass, QueryDirectoryFlags, QueryDirectoryRequest, QueryDirectoryResponse,
};
use smb2::msg::query_info::{InfoType, QueryInfoRequest, QueryInfoResponse};
use smb2::msg::set_info::{SetInfoRequest, SetInfoResponse};
use smb2::pack::ReadCursor;
use smb2::types::flags::{FileAccessMask, FileAttributes};
use smb2::types::{Command, FileId, OplockLevel};

use crate::ServerAnswer;

use super::lane::Lane;
use super::status::{self, malformed};

/// FILE_WRITE_THROUGH of CREATE's options ([MS-SMB2] 2.2.13).
pub(super) const WRITE_THROUGH: u32 = 0x0000_0002;
/// No list of sharemark's own files fills so many answers; one that goes on has no end.
const PAGES: u32 = 1 << 16;
/// How much of a list is asked for at once, where the server sends so much.
const PAGE: u32 = 1 << 16;
const DIRECTORY: u32 = 0x0000_0001;
const NON_DIRECTORY: u32 = 0x0000_0040;
/// FILE_OPEN_REPARSE_POINT: what is opened is the link itself, not what it leads to.
pub(super) const OPEN_REPARSE_POINT: u32 = 0x0020_0000;

/// What an open file or folder is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) id: FileId,
    pub(super) size: u64,
    attributes: u32,
}

impl Opened {
    /// Whether it leads elsewhere.
    pub(super) const fn is_link(&self) -> bool {
        self.attributes & FileAttributes::REPARSE_POINT != 0
    }
}

/// What is to be opened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    File,
    Folder,
}

/// How something is to be opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) kind: Kind,
    pub(super) access: u32,
    /// It must not exist yet.
    pub(super) new: bool,
    /// Further options of CREATE.
    pub(super) options: u32,
}

impl Opening {
    /// To look at what is there, and remove it.
    const fn to_remove(kind: Kind) -> Self {
        let access = FileAccessMask::DELETE | FileAccessMask::FILE_READ_ATTRIBUTES;
        Self { kind, access, new: false, options: OPEN_REPARSE_POINT }
    }

    /// To look at what is there.
    pub(super) const fn to_look(kind: Kind) -> Self {
        Self { kind, access: FileAccessMask::FILE_READ_ATTRIBUTES, new: false, options: 0 }
    }

    /// To list a folder, which may be no link.
    const fn to_list() -> Self {
        let access = FileAccessMask::FILE_READ_DATA | FileAccessMask::FILE_READ_ATTRIBUTES;
        Self { kind: Kind::Folder, access, new: false, options: OPEN_REPARSE_POINT }
    }
}

/// CREATE ([MS-SMB2] 2.2.13), without a lock that would let this machine keep a cache.
pub(super) fn open(lane: &Lane, name: &str, opening: Opening) -> Result<Opened, ServerAnswer> {
    let (kind, attributes) = match opening.kind {
        Kind::File => (NON_DIRECTORY, FileAttributes::NORMAL),
        Kind::Folder => (DIRECTORY, FileAttributes::DIRECTORY),
    };
    let request = CreateRequest {
        requested_oplock_level: OplockLevel::None,
        impersonation_level: ImpersonationLevel::Impersonation,
        desired_access: FileAccessMask::new(opening.access),
        file_attributes: attributes,
        // Other connections of this process open it too.
        share_access: ShareAccess(
            ShareAccess::FILE_SHARE_READ | ShareAccess::FILE_SHARE_WRITE | ShareAccess::FILE_SHARE_DELETE,
        ),
        create_disposition: if opening.new {
            CreateDisposition::FileCreate
        } else {
            CreateDisposition::FileOpen
        },
        create_options: kind | opening.options,
        name: name.to_owned(),
        create_contexts: Vec::new(),
    };
    let found: CreateResponse = lane.call(Command::Create, &request)?;
    Ok(Opened { id: found.file_id, size: found.end_of_file, attributes: found.file_attributes })
}

/// CLOSE ([MS-SMB2] 2.2.15).
pub(super) fn close(lane: &Lane, id: FileId) -> Result<(), ServerAnswer> {
    lane.call::<CloseResponse>(Command::Close, &CloseRequest { flags: 0, file_id: id }).map(drop)
}

/// Opens, does something, and closes whatever came of it.
pub(super) fn with<T>(
    lane: &Lane,
    name: &str,
    opening: Opening,
    work: impl FnOnce(&Opened) -> Result<T, ServerAnswer>,
) -> Result<T, ServerAnswer> {
    let opened = open(lane, name, opening)?;
    let done = work(&opened);
    let closed = close(lane, opened.id);
    done.and_then(|value| closed.map(|()| value))
}

/// The bytes this user can still write, and those of the whole file system ([MS-FSCC] 2.5.4).
pub(super) fn space(lane: &Lane, id: FileId) -> Result<(u64, u64), ServerAnswer> {
    const FULL_SIZE: u8 = 7;
    let request = QueryInfoRequest {
        info_type: InfoType::Filesystem,
        file_info_class: FULL_SIZE,
        output_buffer_length: 32,
        additional_information: 0,
        flags: 0,
        file_id: id,
        input_buffer: Vec::new(),
    };
    let found: QueryInfoResponse = lane.call(Command::QueryInfo, &request)?;
    let mut cursor = ReadCursor::new(&found.output_buffer);
    let mut read = || -> smb2::Result<(u64, u64)> {
        let (total, free, _) = (cursor.read_u64_le()?, cursor.read_u64_le()?, cursor.read_u64_le()?);
        let unit = u64::from(cursor.read_u32_le()?).saturating_mul(u64::from(cursor.read_u32_le()?));
        Ok((free.saturating_mul(unit), total.saturating_mul(unit)))
    };
    read().map_err(|error| status::unreadable(&error))
}

/// How many names a folder holds.
pub(super) fn count(lane: &Lane, name: &str) -> Result<u64, ServerAnswer> {
    with(lane, name, Opening::to_list(), |folder| {
        no_link(folder)?;
        let mut count = 0;
        for _ in 0..PAGES {
            let request = QueryDirectoryRequest {
                file_information_class: FileInformationClass::FileNamesInformation,
                flags: QueryDirectoryFlags(0),
                file_index: 0,
                file_id: folder.id,
                output_buffer_length: PAGE.min(lane.agreed.max_transact),
                file_name: "*".to_owned(),
            };
            match lane.call::<QueryDirectoryResponse>(Command::QueryDirectory, &request) {
                Ok(found) => count += names(&found.output_buffer)?,
                Err(end)
                    if [status::NO_MORE_FILES, status::NO_SUCH_FILE].map(status::answer).contains(&end) =>
                {
                    return Ok(count);
                }
                Err(refused) => return Err(refused),
            }
        }
        Err(malformed("a folder's list has no end"))
    })
}

/// How many names of a folder's own content stand in a list of them ([MS-FSCC] 2.4.28).
fn names(mut list: &[u8]) -> Result<u64, ServerAnswer> {
    let torn = || malformed("a folder's list is cut off");
    let mut count = 0;
    loop {
        let mut cursor = ReadCursor::new(list);
        let mut entry = || -> smb2::Result<(usize, &[u8])> {
            let next = cursor.read_u32_le()?;
            cursor.skip(4)?;
            let length = cursor.read_u32_le()?;
            Ok((next as usize, cursor.read_bytes(length as usize)?))
        };
        let (next, name) = entry().map_err(|_| torn())?;
        count += u64::from(name != b".\0" && name != b".\0.\0");
        if next == 0 {
            return Ok(count);
        }
        list = list.get(next..).ok_or_else(torn)?;
    }
}

pub(super) fn no_link(opened: &Opened) -> Result<(), ServerAnswer> {
    match opened.is_link() {
        true => Err(ServerAnswer::new(FailureCode::NotAFolder, "FILE_ATTRIBUTE_REPARSE_POINT")),
        false => Ok(()),
    }
}

/// Removes a plain file or an empty folder, and never what a link leads to.
pub(super) fn remove(lane: &Lane, name: &str, kind: Kind) -> Result<(), ServerAnswer> {
    const DISPOSITION: u8 = 13;
    with(lane, name, Opening::to_remove(kind), |opened| {
        if opened.is_link() {
            return Err(ServerAnswer::new(FailureCode::Other, "FILE_ATTRIBUTE_REPARSE_POINT"));
        }
        let request = SetInfoRequest {
            info_type: InfoType::File,
            file_info_class: DISPOSITION,
            additional_information: 0,
            file_id: opened.id,
            buffer: vec![1],
        };
        lane.call::<SetInfoResponse>(Command::SetInfo, &request).map(drop)
    })
}

/// Whether sharemark's own folder is there, and is a folder and no link to one.
pub(super) fn is_own_folder(lane: &Lane, name: &str) -> Result<bool, ServerAnswer> {
    let opening = Opening { options: OPEN_REPARSE_POINT, ..Opening::to_look(Kind::Folder) };
    match with(lane, name, opening, no_link) {
        Ok(()) => Ok(true),
        Err(absent) if absent.code == FailureCode::NotFound => Ok(false),
        Err(refused) => Err(refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(next: u32, name: &str) -> Vec<u8> {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let length = u32::try_from(name.len()).unwrap();
        let mut bytes = [next.to_le_bytes(), [0; 4], length.to_le_bytes()].concat();
        bytes.extend(name);
        bytes.resize(bytes.len().max(next as usize), 0);
        bytes
    }

    #[test]
    fn a_folder_is_not_counted_in_its_own_list() {
        let list = [entry(16, "."), entry(16, ".."), entry(24, "..a"), entry(0, "写真")].concat();
        assert_eq!(names(&list), Ok(2));
        assert!(names(&entry(400, "x")[..20]).is_err());
        assert!(names(&[]).is_err());
    }
}
