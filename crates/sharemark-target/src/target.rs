//! What every engine answers to.

use std::io;

use sharemark_model::{
    Bytes, CacheUse, Durability, Failure, FileName, FolderName, Inspection, ReadCache, WriteMode,
};

/// A place where files can be written and read with the cache control that a measurement needs. One process uses it for
/// one job; operations on an open file come from several threads at once.
pub trait Target: Send + Sync {
    /// Looks at the location and the file system it is on. Changes nothing.
    ///
    /// # Errors
    /// When nothing is there, it is no folder, it stores no files, or it does not answer.
    fn inspect(&self) -> Result<Inspection, Failure>;

    /// Whether a request past the cache, once it is taken here, is known to go past every cache of this machine.
    fn keeps_its_word(&self) -> bool;

    /// A file's place as a person reads it.
    fn place(&self, folder: &FolderName, file: &FileName) -> String;

    /// Makes sharemark's own folder.
    ///
    /// # Errors
    /// When it cannot be made, also when something of that name exists.
    fn create_folder(&self, folder: &FolderName) -> Result<(), Failure>;

    /// Creates a file that does not exist and opens it for writing.
    ///
    /// # Errors
    /// When it cannot be created or opened, also when something of that name exists.
    fn create(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure>;

    /// Opens a file of sharemark's own for writing into what it holds already.
    ///
    /// # Errors
    /// When it cannot be opened, or the protocol has no way to write a part of a file.
    fn update(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &WriteOptions,
    ) -> Result<Box<dyn WriteFile>, Failure>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(
        &self,
        folder: &FolderName,
        file: &FileName,
        options: &ReadOptions,
    ) -> Result<Box<dyn ReadFile>, Failure>;

    /// The size of a file as the target tells it.
    ///
    /// # Errors
    /// When it cannot be told.
    fn size_of(&self, folder: &FolderName, file: &FileName) -> Result<Bytes, Failure>;

    /// How many files the target lists in sharemark's own folder.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    fn list(&self, folder: &FolderName) -> Result<u64, Failure>;

    /// Removes a file of sharemark's own; one that is not there counts as removed.
    ///
    /// # Errors
    /// When it is there and cannot be removed, or is no plain file.
    fn remove_file(&self, folder: &FolderName, file: &FileName) -> Result<(), Failure>;

    /// Removes sharemark's own folder if it is empty; one that is not there counts as removed.
    ///
    /// # Errors
    /// When it is there and cannot be removed, above all because somebody put a file into it.
    fn remove_folder(&self, folder: &FolderName) -> Result<(), Failure>;

    /// Whether this machine may answer from memory what a folder holds and how large a file is: every mount's client does,
    /// for some seconds at least.
    fn remembers_names(&self) -> bool {
        true
    }

    /// How many writes of one new file the protocol can have under way at once; `None` is without limit.
    fn writes_at_once(&self) -> Option<u32> {
        None
    }

    /// Bytes that this machine holds in its cache and has not yet written back, where the system tells.
    fn unwritten(&self) -> Option<Bytes> {
        None
    }
}

/// How a file is to be written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// How durable each write is.
    pub durability: Durability,
    /// The size the file will have, unless the phase ends before.
    pub size: Bytes,
    /// The bytes of one operation.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u32,
}

/// How a file is to be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Whether this machine's cache may answer.
    pub cache: ReadCache,
    /// What [`Target::keeps_its_word`] said.
    pub trusted: bool,
    /// The bytes of one operation.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u32,
    /// The same process writes to the file meanwhile.
    pub also_written: bool,
}

/// A file open for writing.
pub trait WriteFile: Send + Sync {
    /// Writes all of `block` at `offset`; a short write is continued.
    ///
    /// # Errors
    /// What the system answered; how much of the block was written is then unknown.
    fn write(&self, block: &[u8], offset: u64) -> io::Result<()>;

    /// How the file is written in effect, up to now.
    fn mode(&self) -> WriteMode;

    /// Makes all written bytes durable.
    ///
    /// # Errors
    /// What the system answered: some of the bytes may be lost.
    fn flush(&self) -> io::Result<()>;

    /// Closes the file.
    ///
    /// # Errors
    /// What the system answered: some of the bytes may be lost.
    fn close(self: Box<Self>) -> io::Result<()>;
}

/// A file open for reading.
pub trait ReadFile: Send + Sync {
    /// Frees this machine's cache of the file, as far as asked and possible, and looks what is left in it. Called once,
    /// before the first read, outside every timer.
    ///
    /// # Errors
    /// What the system answered when bytes not yet written back could not be written.
    fn prepare(&self) -> io::Result<()>;

    /// Reads `length` bytes at `offset` into the start of `block`; a short read is continued. Fewer are answered at the
    /// end of the file only. `block` is an [`crate::AlignedBuffer`]'s bytes and at least `length` long.
    ///
    /// # Errors
    /// What the system answered.
    fn read(&self, block: &mut [u8], length: usize, offset: u64) -> io::Result<usize>;

    /// How the cache was dealt with in effect, up to now.
    fn cache(&self) -> CacheUse;

    /// Closes the file.
    ///
    /// # Errors
    /// What the system answered.
    fn close(self: Box<Self>) -> io::Result<()>;
}
