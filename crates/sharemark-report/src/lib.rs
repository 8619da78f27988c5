//! What sharemark says, in English and Japanese: a report as text or CSV, the line of a run under way, failures,
//! warnings and lists.
//!
//! Nothing here does any input or output: every function takes values of `sharemark-model` and gives a `String`.
//! Every word comes from the Fluent files in `locales/`; the code holds only names that are final in every language
//! (units, column names of the CSV, workload names).

pub mod csv;
pub mod failure;
pub mod layout;
pub mod listing;
pub mod live;
pub mod number;
mod page;
pub mod quote;
mod table;
pub mod text;
pub mod usage;
pub mod warning;
mod words;

pub use page::TextStyle;
pub use words::{Language, UnknownWord, Value, Words, check_source, messages};
