//! A [`Store`] as the crate `nfs3_server` wants to see it.

use std::time::{Duration, SystemTime};

use nfs3_server::nfs3_types::nfs3::{
    FSF3_CANSETTIME, FSF3_HOMOGENEOUS, FSINFO3resok, Nfs3Option, createverf3, fattr3, filename3, ftype3,
    nfspath3, nfsstat3, nfstime3, sattr3, set_atime, set_mtime, specdata3, stable_how,
};
use nfs3_server::vfs::{
    DirEntryPlus, FileHandleU64, NextResult, NfsFileSystem, NfsReadFileSystem, ReadDirPlusIterator,
};

use crate::store::{Attributes, Changes, Entry, Kind, LARGEST_FILE, ROOT, Refusal, Store};

/// The most bytes of one READ or WRITE, as FSINFO tells: what servers of today take.
const LARGEST_TRANSFER: u32 = 1024 * 1024;

/// Answers from a store.
#[derive(Debug)]
pub(crate) struct MemoryFileSystem {
    store: Store,
}

impl MemoryFileSystem {
    pub(crate) const fn new(store: Store) -> Self {
        Self { store }
    }
}

type Answer<T> = Result<T, nfsstat3>;

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        Self(match refusal {
            Refusal::NoEntry => nfsstat3::NFS3ERR_NOENT,
            Refusal::Stale => nfsstat3::NFS3ERR_STALE,
            Refusal::Exists => nfsstat3::NFS3ERR_EXIST,
            Refusal::NotFolder => nfsstat3::NFS3ERR_NOTDIR,
            Refusal::IsFolder => nfsstat3::NFS3ERR_ISDIR,
            Refusal::NotEmpty => nfsstat3::NFS3ERR_NOTEMPTY,
            Refusal::NoSpace => nfsstat3::NFS3ERR_NOSPC,
            Refusal::TooLarge => nfsstat3::NFS3ERR_FBIG,
            Refusal::Name => nfsstat3::NFS3ERR_INVAL,
            Refusal::NameTooLong => nfsstat3::NFS3ERR_NAMETOOLONG,
        })
    }
}

/// A refusal in the protocol's words.
struct Status(nfsstat3);

fn answer<T>(result: Result<T, Refusal>) -> Answer<T> {
    result.map_err(|refusal| Status::from(refusal).0)
}

impl NfsReadFileSystem for MemoryFileSystem {
    type Handle = FileHandleU64;

    fn root_dir(&self) -> FileHandleU64 {
        FileHandleU64::new(ROOT)
    }

    async fn lookup(&self, folder: &FileHandleU64, name: &filename3<'_>) -> Answer<FileHandleU64> {
        answer(self.store.lookup(folder.as_u64(), name.as_ref())).map(FileHandleU64::new)
    }

    async fn getattr(&self, id: &FileHandleU64) -> Answer<fattr3> {
        answer(self.store.attributes(id.as_u64())).map(attributes)
    }

    async fn read(&self, id: &FileHandleU64, offset: u64, count: u32) -> Answer<(Vec<u8>, bool)> {
        let count = usize::try_from(count.min(LARGEST_TRANSFER)).unwrap_or_default();
        answer(self.store.read(id.as_u64(), offset, count))
    }

    async fn readdirplus(
        &self,
        folder: &FileHandleU64,
        cookie: u64,
    ) -> Answer<impl ReadDirPlusIterator<FileHandleU64>> {
        answer(self.store.list(folder.as_u64(), cookie)).map(|entries| Listing(entries.into_iter()))
    }

    async fn readlink(&self, _: &FileHandleU64) -> Answer<nfspath3<'_>> {
        Err(nfsstat3::NFS3ERR_INVAL)
    }

    async fn fsinfo(&self, root: &FileHandleU64) -> Answer<FSINFO3resok> {
        Ok(FSINFO3resok {
            obj_attributes: self.getattr(root).await.map_or(Nfs3Option::None, Nfs3Option::Some),
            rtmax: LARGEST_TRANSFER,
            rtpref: LARGEST_TRANSFER,
            rtmult: 4096,
            wtmax: LARGEST_TRANSFER,
            wtpref: LARGEST_TRANSFER,
            wtmult: 4096,
            dtpref: 64 * 1024,
            maxfilesize: LARGEST_FILE,
            time_delta: nfstime3 { seconds: 0, nseconds: 1 },
            properties: FSF3_HOMOGENEOUS | FSF3_CANSETTIME,
        })
    }
}

impl NfsFileSystem for MemoryFileSystem {
    async fn setattr(&self, id: &FileHandleU64, changed: sattr3) -> Answer<fattr3> {
        answer(self.store.change(id.as_u64(), &changes(&changed))).map(attributes)
    }

    /// Memory is all the stable storage there is, so every write is as durable as it ever will be.
    async fn write(
        &self,
        id: &FileHandleU64,
        offset: u64,
        data: &[u8],
        _: stable_how,
    ) -> Answer<(fattr3, stable_how)> {
        let written = answer(self.store.write(id.as_u64(), offset, data))?;
        Ok((attributes(written), stable_how::FILE_SYNC))
    }

    /// The crate asks for this after UNCHECKED and GUARDED alike. A file that is there is refused for both, so that of two
    /// clients that create it guarded at once only one succeeds.
    async fn create(
        &self,
        folder: &FileHandleU64,
        name: &filename3<'_>,
        wanted: sattr3,
    ) -> Answer<(FileHandleU64, fattr3)> {
        let made = self.store.create(folder.as_u64(), name.as_ref(), None, &changes(&wanted));
        answer(made).map(numbered)
    }

    async fn create_exclusive(
        &self,
        folder: &FileHandleU64,
        name: &filename3<'_>,
        createverf3(mark): createverf3,
    ) -> Answer<FileHandleU64> {
        let made = self.store.create(folder.as_u64(), name.as_ref(), Some(mark), &Changes::default());
        answer(made).map(|made| FileHandleU64::new(made.number))
    }

    async fn mkdir(&self, folder: &FileHandleU64, name: &filename3<'_>) -> Answer<(FileHandleU64, fattr3)> {
        answer(self.store.make_folder(folder.as_u64(), name.as_ref())).map(numbered)
    }

    async fn remove(&self, folder: &FileHandleU64, name: &filename3<'_>) -> Answer<()> {
        answer(self.store.remove(folder.as_u64(), name.as_ref()))
    }

    async fn rename<'a>(
        &self,
        _: &FileHandleU64,
        _: &filename3<'a>,
        _: &FileHandleU64,
        _: &filename3<'a>,
    ) -> Answer<()> {
        Err(nfsstat3::NFS3ERR_NOTSUPP)
    }

    async fn symlink<'a>(
        &self,
        _: &FileHandleU64,
        _: &filename3<'a>,
        _: &nfspath3<'a>,
        _: &sattr3,
    ) -> Answer<(FileHandleU64, fattr3)> {
        Err(nfsstat3::NFS3ERR_NOTSUPP)
    }

    async fn commit(&self, id: &FileHandleU64, _: u64, _: u32) -> Answer<()> {
        answer(self.store.attributes(id.as_u64())).map(drop)
    }
}

/// What is left of a folder to be listed.
struct Listing(std::vec::IntoIter<Entry>);

impl ReadDirPlusIterator<FileHandleU64> for Listing {
    async fn next(&mut self) -> NextResult<DirEntryPlus<FileHandleU64>> {
        let Some(Entry { name, attributes: found }) = self.0.next() else { return NextResult::Eof };
        NextResult::Ok(DirEntryPlus {
            fileid: found.number,
            name: filename3::from(name),
            cookie: found.number,
            name_attributes: Some(attributes(found)),
            name_handle: Some(FileHandleU64::new(found.number)),
        })
    }
}

fn numbered(made: Attributes) -> (FileHandleU64, fattr3) {
    (FileHandleU64::new(made.number), attributes(made))
}

fn attributes(found: Attributes) -> fattr3 {
    let (type_, nlink) = match found.kind {
        Kind::File => (ftype3::NF3REG, 1),
        Kind::Folder => (ftype3::NF3DIR, 2),
    };
    fattr3 {
        type_,
        mode: found.mode,
        nlink,
        uid: found.user,
        gid: found.group,
        size: found.size,
        used: found.stored,
        rdev: specdata3::default(),
        fsid: 1,
        fileid: found.number,
        atime: time(found.accessed),
        mtime: time(found.modified),
        ctime: time(found.changed),
    }
}

fn changes(wanted: &sattr3) -> Changes {
    Changes {
        size: option(&wanted.size),
        mode: option(&wanted.mode),
        user: option(&wanted.uid),
        group: option(&wanted.gid),
        accessed: match wanted.atime {
            set_atime::DONT_CHANGE => None,
            set_atime::SET_TO_SERVER_TIME => Some(SystemTime::now()),
            set_atime::SET_TO_CLIENT_TIME(time) => Some(moment(time)),
        },
        modified: match wanted.mtime {
            set_mtime::DONT_CHANGE => None,
            set_mtime::SET_TO_SERVER_TIME => Some(SystemTime::now()),
            set_mtime::SET_TO_CLIENT_TIME(time) => Some(moment(time)),
        },
    }
}

fn option<T: Copy + nfs3_server::nfs3_types::xdr_codec::Pack + nfs3_server::nfs3_types::xdr_codec::Unpack>(
    wanted: &Nfs3Option<T>,
) -> Option<T> {
    match wanted {
        Nfs3Option::Some(value) => Some(*value),
        Nfs3Option::None => None,
    }
}

/// Times of the protocol end in 2106.
fn time(moment: SystemTime) -> nfstime3 {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    nfstime3 { seconds: u32::try_from(since.as_secs()).unwrap_or(u32::MAX), nseconds: since.subsec_nanos() }
}

fn moment(time: nfstime3) -> SystemTime {
    // A client may send a whole second and more in the second field: it is taken for what it says.
    SystemTime::UNIX_EPOCH
        + Duration::from_secs(u64::from(time.seconds))
        + Duration::from_nanos(u64::from(time.nseconds))
}
