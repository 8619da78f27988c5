//! The names of what sharemark makes on a share: nothing else can be held by these types.

use serde::{Deserialize, Serialize};

/// The name of a folder that sharemark makes: `sharemark-` and lower-case letters, digits and hyphens. Nothing else can
/// be held by this type, so that a damaged manifest cannot name a folder of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FolderName(String);

/// The name of a file that sharemark makes in its own folder: lower-case letters, digits and hyphens, and `.bin`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileName(String);

/// The name is not one that sharemark would give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a name that sharemark gives")]
pub struct FileNameError(pub String);

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

impl FolderName {
    /// The folder of the run with this identifier.
    ///
    /// # Errors
    /// When the identifier holds anything but lower-case letters, digits and hyphens.
    pub fn for_run(id: &str) -> Result<Self, FileNameError> {
        format!("sharemark-{id}").try_into()
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FileName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for FolderName {
    type Error = FileNameError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        match name.strip_prefix("sharemark-") {
            Some(rest) if is_plain(rest) => Ok(Self(name)),
            _ => Err(FileNameError(name)),
        }
    }
}

impl TryFrom<String> for FileName {
    type Error = FileNameError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        match name.strip_suffix(".bin") {
            Some(stem) if is_plain(stem) => Ok(Self(name)),
            _ => Err(FileNameError(name)),
        }
    }
}

impl From<FolderName> for String {
    fn from(name: FolderName) -> Self {
        name.0
    }
}

impl From<FileName> for String {
    fn from(name: FileName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_name_leads_out_of_the_folder(name in "\\PC{0,40}") {
            for name in [name.clone(), format!("sharemark-{name}"), format!("{name}.bin")] {
                if let Ok(folder) = FolderName::try_from(name.clone()) {
                    prop_assert!(!folder.as_str().contains(['/', '\\', '.', ':']));
                }
                if let Ok(file) = FileName::try_from(name) {
                    prop_assert!(!file.as_str().contains(['/', '\\', ':']) && !file.as_str().contains(".."));
                }
            }
        }
    }

    #[test]
    fn names_of_a_run_are_accepted() {
        assert_eq!(
            FolderName::for_run("20261130-170838-x7f3").unwrap().as_str(),
            "sharemark-20261130-170838-x7f3"
        );
        assert!(FileName::try_from("r001.bin".to_owned()).is_ok());
        for name in ["", "..", ".bin", "../r001.bin", "a/b.bin", "R.bin"] {
            assert!(FileName::try_from(name.to_owned()).is_err(), "{name}");
        }
    }
}
