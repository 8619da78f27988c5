//! Folders and files by their numbers.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use sharemark_model::Bytes;

use super::contents::Contents;

/// The number of the folder that everything is in.
pub(crate) const ROOT: u64 = 1;

/// The largest file, even if hardly anything is in it: far beyond any limit of memory, and small enough that the list of
/// its segments is nothing.
pub(crate) const LARGEST_FILE: u64 = 1 << 34;

/// Names and attributes take memory as well, which the limit does not count.
const MOST_OBJECTS: usize = 65_536;

const LONGEST_NAME: usize = 255;

/// Why something is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is nothing of that name.
    NoEntry,
    /// There is nothing of that number any more.
    Stale,
    /// There is something of that name already.
    Exists,
    /// It is not a folder.
    NotFolder,
    /// It is a folder.
    IsFolder,
    /// The folder is not empty.
    NotEmpty,
    /// The limit is reached.
    NoSpace,
    /// The file would be larger than any may be.
    TooLarge,
    /// That is no name.
    Name,
    /// The name is too long.
    NameTooLong,
}

/// A file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
}

/// What is known of a file or a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes {
    pub(crate) number: u64,
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    /// How many bytes it keeps in memory.
    pub(crate) stored: u64,
    pub(crate) mode: u32,
    pub(crate) user: u32,
    pub(crate) group: u32,
    pub(crate) accessed: SystemTime,
    pub(crate) modified: SystemTime,
    pub(crate) changed: SystemTime,
}

/// What of the attributes is to change.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) size: Option<u64>,
    pub(crate) mode: Option<u32>,
    pub(crate) user: Option<u32>,
    pub(crate) group: Option<u32>,
    pub(crate) accessed: Option<SystemTime>,
    pub(crate) modified: Option<SystemTime>,
}

/// Something in a folder.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) attributes: Attributes,
}

#[derive(Debug)]
enum Object {
    File {
        contents: Contents,
        /// What the client that made it exclusively gave as its mark, so that it may ask twice.
        mark: Option<[u8; 8]>,
    },
    Folder {
        parent: u64,
        entries: BTreeMap<Vec<u8>, u64>,
    },
}

#[derive(Debug)]
struct Node {
    object: Object,
    mode: u32,
    user: u32,
    group: u32,
    accessed: SystemTime,
    modified: SystemTime,
    changed: SystemTime,
}

impl Node {
    fn new(object: Object, mode: u32) -> Self {
        let now = SystemTime::now();
        Self { object, mode, user: 0, group: 0, accessed: now, modified: now, changed: now }
    }

    fn touch(&mut self) {
        (self.modified, self.changed) = (SystemTime::now(), SystemTime::now());
    }

    fn attributes(&self, number: u64) -> Attributes {
        let (kind, size, stored) = match &self.object {
            Object::File { contents, .. } => (Kind::File, contents.size(), contents.stored()),
            Object::Folder { .. } => (Kind::Folder, 4096, 0),
        };
        let Self { mode, user, group, accessed, modified, changed, .. } = *self;
        Attributes { number, kind, size, stored, mode, user, group, accessed, modified, changed }
    }
}

#[derive(Debug)]
struct Tree {
    nodes: HashMap<u64, Node>,
    next: u64,
    used: u64,
    limit: u64,
}

impl Tree {
    fn node(&self, number: u64) -> Result<&Node, Refusal> {
        self.nodes.get(&number).ok_or(Refusal::Stale)
    }

    fn node_mut(&mut self, number: u64) -> Result<&mut Node, Refusal> {
        self.nodes.get_mut(&number).ok_or(Refusal::Stale)
    }

    fn entries(&self, folder: u64) -> Result<&BTreeMap<Vec<u8>, u64>, Refusal> {
        match &self.node(folder)?.object {
            Object::Folder { entries, .. } => Ok(entries),
            Object::File { .. } => Err(Refusal::NotFolder),
        }
    }

    fn entries_mut(&mut self, folder: u64) -> Result<&mut BTreeMap<Vec<u8>, u64>, Refusal> {
        let node = self.node_mut(folder)?;
        node.touch();
        match &mut node.object {
            Object::Folder { entries, .. } => Ok(entries),
            Object::File { .. } => Err(Refusal::NotFolder),
        }
    }

    fn contents_mut(&mut self, file: u64) -> Result<&mut Contents, Refusal> {
        let node = self.node_mut(file)?;
        node.touch();
        match &mut node.object {
            Object::File { contents, .. } => Ok(contents),
            Object::Folder { .. } => Err(Refusal::IsFolder),
        }
    }

    fn add(&mut self, folder: u64, name: &[u8], node: Node) -> Result<u64, Refusal> {
        if self.nodes.len() >= MOST_OBJECTS {
            return Err(Refusal::NoSpace);
        }
        let number = self.next;
        self.entries_mut(folder)?.insert(name.to_vec(), number);
        self.nodes.insert(number, node);
        self.next += 1;
        Ok(number)
    }

    fn change(&mut self, number: u64, changes: &Changes) -> Result<Attributes, Refusal> {
        if let Some(size) = changes.size {
            if size > LARGEST_FILE {
                return Err(Refusal::TooLarge);
            }
            let contents = self.contents_mut(number)?;
            let before = contents.stored();
            contents.resize(size);
            let freed = before - contents.stored();
            self.used -= freed;
        }
        let node = self.node_mut(number)?;
        node.mode = changes.mode.unwrap_or(node.mode);
        node.user = changes.user.unwrap_or(node.user);
        node.group = changes.group.unwrap_or(node.group);
        node.accessed = changes.accessed.unwrap_or(node.accessed);
        node.modified = changes.modified.unwrap_or(node.modified);
        node.changed = SystemTime::now();
        Ok(node.attributes(number))
    }
}

/// Folders and files in memory, as many bytes of them as the limit allows.
#[derive(Debug)]
pub(crate) struct Store(Mutex<Tree>);

impl Store {
    /// An empty store for at most so many bytes of files.
    pub(crate) fn new(limit: Bytes) -> Self {
        let root = Object::Folder { parent: ROOT, entries: BTreeMap::new() };
        let nodes = HashMap::from([(ROOT, Node::new(root, 0o777))]);
        Self(Mutex::new(Tree { nodes, next: ROOT + 1, used: 0, limit: limit.0 }))
    }

    /// A thread that panicked while it held the lock left the tree sound enough to go on.
    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn attributes(&self, number: u64) -> Result<Attributes, Refusal> {
        self.tree().node(number).map(|node| node.attributes(number))
    }

    pub(crate) fn change(&self, number: u64, changes: &Changes) -> Result<Attributes, Refusal> {
        self.tree().change(number, changes)
    }

    /// The number of what has this name in a folder; `.` and `..` are the folder and its parent.
    pub(crate) fn lookup(&self, folder: u64, name: &[u8]) -> Result<u64, Refusal> {
        let tree = self.tree();
        let entries = tree.entries(folder)?;
        match (name, &tree.node(folder)?.object) {
            (b".", _) => Ok(folder),
            (b"..", Object::Folder { parent, .. }) => Ok(*parent),
            _ => entries.get(name).copied().ok_or(Refusal::NoEntry),
        }
    }

    /// Makes a file that is not there yet. One that is there is given to whoever made it with the same mark.
    pub(crate) fn create(
        &self,
        folder: u64,
        name: &[u8],
        mark: Option<[u8; 8]>,
        changes: &Changes,
    ) -> Result<Attributes, Refusal> {
        check(name)?;
        let mut tree = self.tree();
        if let Some(there) = tree.entries(folder)?.get(name).copied() {
            let node = tree.node(there)?;
            return match &node.object {
                Object::File { mark: Some(known), .. } if mark == Some(*known) => Ok(node.attributes(there)),
                _ => Err(Refusal::Exists),
            };
        }
        let object = Object::File { contents: Contents::default(), mark };
        let number = tree.add(folder, name, Node::new(object, 0o644))?;
        tree.change(number, changes)
    }

    /// Makes a folder that is not there yet.
    pub(crate) fn make_folder(&self, folder: u64, name: &[u8]) -> Result<Attributes, Refusal> {
        check(name)?;
        let mut tree = self.tree();
        if tree.entries(folder)?.contains_key(name) {
            return Err(Refusal::Exists);
        }
        let object = Object::Folder { parent: folder, entries: BTreeMap::new() };
        let number = tree.add(folder, name, Node::new(object, 0o755))?;
        Ok(tree.node(number)?.attributes(number))
    }

    /// Removes a file, or a folder that is empty. The memory is free afterwards.
    pub(crate) fn remove(&self, folder: u64, name: &[u8]) -> Result<(), Refusal> {
        check(name)?;
        let mut tree = self.tree();
        let number = tree.entries(folder)?.get(name).copied().ok_or(Refusal::NoEntry)?;
        match &tree.node(number)?.object {
            Object::Folder { entries, .. } if !entries.is_empty() => return Err(Refusal::NotEmpty),
            Object::Folder { .. } => {}
            Object::File { contents, .. } => {
                let freed = contents.stored();
                tree.used -= freed;
            }
        }
        tree.entries_mut(folder)?.remove(name);
        tree.nodes.remove(&number);
        Ok(())
    }

    /// What is in a folder, by number, beginning after the number `after`. Numbers are never used twice and only grow, so
    /// that a list that is read in parts misses nothing that was there all the time.
    pub(crate) fn list(&self, folder: u64, after: u64) -> Result<Vec<Entry>, Refusal> {
        let tree = self.tree();
        let mut numbers: Vec<(u64, &Vec<u8>)> =
            tree.entries(folder)?.iter().map(|(name, number)| (*number, name)).collect();
        numbers.retain(|(number, _)| *number > after);
        numbers.sort_unstable();
        let entry = |(number, name): (u64, &Vec<u8>)| {
            Ok(Entry { name: name.clone(), attributes: tree.node(number)?.attributes(number) })
        };
        numbers.into_iter().map(entry).collect()
    }

    /// Writes into a file; beyond its end too, since what is written in parts may come in any order.
    pub(crate) fn write(&self, file: u64, offset: u64, data: &[u8]) -> Result<Attributes, Refusal> {
        let mut tree = self.tree();
        if offset.checked_add(data.len() as u64).is_none_or(|end| end > LARGEST_FILE) {
            return Err(Refusal::TooLarge);
        }
        let free = tree.limit - tree.used;
        let contents = tree.contents_mut(file)?;
        let growth = contents.growth(offset, data.len());
        if growth > free {
            return Err(Refusal::NoSpace);
        }
        contents.write(offset, data);
        tree.used += growth;
        Ok(tree.node(file)?.attributes(file))
    }

    /// The bytes of a range of a file, and whether the file ends there.
    pub(crate) fn read(&self, file: u64, offset: u64, length: usize) -> Result<(Vec<u8>, bool), Refusal> {
        match &self.tree().node(file)?.object {
            Object::Folder { .. } => Err(Refusal::IsFolder),
            Object::File { contents, .. } => {
                let data = contents.read(offset, length);
                let end = offset.saturating_add(data.len() as u64) >= contents.size();
                Ok((data, end))
            }
        }
    }
}

/// A name is one part of a path, and none of those that mean another folder.
fn check(name: &[u8]) -> Result<(), Refusal> {
    match name {
        b"" | b"." | b".." => Err(Refusal::Name),
        _ if name.iter().any(|byte| matches!(byte, b'/' | 0)) => Err(Refusal::Name),
        _ if name.len() > LONGEST_NAME => Err(Refusal::NameTooLong),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> Store {
        Store::new(Bytes::mebibytes(4))
    }

    fn file(store: &Store, name: &[u8]) -> u64 {
        store.create(ROOT, name, None, &Changes::default()).unwrap().number
    }

    fn used(store: &Store) -> u64 {
        store.tree().used
    }

    #[test]
    fn the_limit_holds_and_what_is_removed_is_free_again() {
        let store = store();
        let one = file(&store, b"one");
        store.write(one, 0, &vec![1; 3 << 20]).unwrap();
        let two = file(&store, b"two");
        assert_eq!(store.write(two, 0, &vec![2; (1 << 20) + 1]).unwrap_err(), Refusal::NoSpace);
        assert_eq!(store.attributes(two).unwrap().size, 0, "a refused write changes nothing");
        store.write(two, 0, &vec![2; 1 << 20]).unwrap();
        store.write(one, 5, b"over what is there").unwrap();
        assert_eq!(used(&store), 4 << 20);
        store.change(one, &Changes { size: Some(10), ..Changes::default() }).unwrap();
        assert_eq!(used(&store), (1 << 20) + 10);
        store.remove(ROOT, b"one").unwrap();
        store.remove(ROOT, b"two").unwrap();
        assert_eq!(used(&store), 0);
        assert_eq!(store.read(one, 0, 1).unwrap_err(), Refusal::Stale);
    }

    #[test]
    fn a_file_is_made_once() {
        let store = store();
        let make = |mark| store.create(ROOT, b"a", mark, &Changes::default()).map(|made| made.number);
        let made = make(Some([1; 8]));
        assert!(made.is_ok());
        assert_eq!(make(Some([1; 8])), made, "the same client may have missed the answer");
        assert_eq!(make(Some([2; 8])), Err(Refusal::Exists));
        assert_eq!(make(None), Err(Refusal::Exists));
        assert_eq!(store.make_folder(ROOT, b"a").unwrap_err(), Refusal::Exists);
    }

    #[test]
    fn names_that_are_none_are_refused() {
        let store = store();
        for name in [&b""[..], b".", b"..", b"a/b", b"a\0b"] {
            assert_eq!(store.create(ROOT, name, None, &Changes::default()).unwrap_err(), Refusal::Name);
            assert_eq!(store.make_folder(ROOT, name).unwrap_err(), Refusal::Name);
            assert_eq!(store.remove(ROOT, name).unwrap_err(), Refusal::Name);
        }
        assert_eq!(store.make_folder(ROOT, &[b'x'; 256]).unwrap_err(), Refusal::NameTooLong);
        assert!(store.make_folder(ROOT, "写真 2026".as_bytes()).is_ok());
    }

    #[test]
    fn a_folder_is_removed_only_when_it_is_empty() {
        let store = store();
        let folder = store.make_folder(ROOT, b"f").unwrap().number;
        store.create(folder, b"x", None, &Changes::default()).unwrap();
        assert_eq!(store.remove(ROOT, b"f").unwrap_err(), Refusal::NotEmpty);
        assert_eq!(store.lookup(folder, b".."), Ok(ROOT));
        store.remove(folder, b"x").unwrap();
        store.remove(ROOT, b"f").unwrap();
        assert_eq!(store.lookup(ROOT, b"f"), Err(Refusal::NoEntry));
        assert_eq!(store.list(folder, 0).unwrap_err(), Refusal::Stale);
    }

    #[test]
    fn a_list_goes_on_where_it_ended() {
        let store = store();
        let numbers: Vec<u64> = [&b"c"[..], b"a", b"b"].map(|name| file(&store, name)).to_vec();
        let listed =
            |after| store.list(ROOT, after).unwrap().into_iter().map(|entry| entry.name).collect::<Vec<_>>();
        assert_eq!(listed(0), [b"c", b"a", b"b"]);
        store.remove(ROOT, b"a").unwrap();
        assert_eq!(listed(numbers[1]), [b"b"], "also after something that is gone");
    }

    #[test]
    fn a_file_larger_than_any_may_be_is_refused() {
        let store = store();
        let one = file(&store, b"one");
        for offset in [LARGEST_FILE, u64::MAX] {
            assert_eq!(store.write(one, offset, b"x").unwrap_err(), Refusal::TooLarge);
        }
        let changes = Changes { size: Some(u64::MAX), ..Changes::default() };
        assert_eq!(store.change(one, &changes).unwrap_err(), Refusal::TooLarge);
    }
}
