//! The engine for NFS.

use sharemark_model::{Bytes, Failure, FailureCode, FileName, FolderName, Inspection, Operation, Share};

use crate::{ReadFile, ReadOptions, Target, WriteFile, WriteOptions};

/// A share reached by NFS.
#[derive(Debug)]
pub(crate) struct NfsTarget {}

impl NfsTarget {
    pub(crate) fn connect(share: &Share) -> Result<Self, Failure> {
        Err(Failure::new(FailureCode::Unsupported, Operation::Connect, share.address.to_string()))
    }
}

impl Target for NfsTarget {
    fn inspect(&self) -> Result<Inspection, Failure> {
        todo!()
    }

    fn keeps_its_word(&self) -> bool {
        true
    }

    fn place(&self, _folder: &FolderName, _file: &FileName) -> String {
        todo!()
    }

    fn create_folder(&self, _folder: &FolderName) -> Result<(), Failure> {
        todo!()
    }

    fn create(&self, _: &FolderName, _: &FileName, _: &WriteOptions) -> Result<Box<dyn WriteFile>, Failure> {
        todo!()
    }

    fn update(&self, _: &FolderName, _: &FileName, _: &WriteOptions) -> Result<Box<dyn WriteFile>, Failure> {
        todo!()
    }

    fn open(&self, _: &FolderName, _: &FileName, _: &ReadOptions) -> Result<Box<dyn ReadFile>, Failure> {
        todo!()
    }

    fn size_of(&self, _: &FolderName, _: &FileName) -> Result<Bytes, Failure> {
        todo!()
    }

    fn list(&self, _: &FolderName) -> Result<u64, Failure> {
        todo!()
    }

    fn remove_file(&self, _: &FolderName, _: &FileName) -> Result<(), Failure> {
        todo!()
    }

    fn remove_folder(&self, _: &FolderName) -> Result<(), Failure> {
        todo!()
    }
}
