//! A tree of folders and files in memory, up to a limit.

mod contents;
mod tree;

pub(crate) use tree::{Attributes, Changes, Entry, Kind, LARGEST_FILE, ROOT, Refusal, Store};
