//! From a share's address to the names that SMB uses.

use sharemark_model::{Address, FileName, FolderName};

/// The share and the folder in it that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    /// The server, as the client calls it.
    server: String,
    /// The share; `None` when the address names only a server.
    pub(super) share: Option<String>,
    /// The folder in the share, its parts separated by `\`; empty for the share's root.
    pub(super) folder: String,
    /// The address as typed.
    typed: String,
    /// The address as a person reads it, without a slash at its end.
    shown: String,
}

impl Names {
    pub(super) fn of(address: &Address) -> Self {
        let mut parts = address.path.iter();
        let share = parts.next().cloned();
        let folder = parts.map(String::as_str).collect::<Vec<_>>().join("\\");
        let shown = address.shown.trim_end_matches('/').to_owned();
        Self { server: address.host.clone(), share, folder, typed: address.to_string(), shown }
    }

    /// The path of a share for TREE_CONNECT ([MS-SMB2] 2.2.9).
    pub(super) fn unc(&self, share: &str) -> String {
        format!(r"\\{}\{share}", self.server)
    }

    /// The server's name for a remote call.
    pub(super) fn unc_server(&self) -> String {
        format!(r"\\{}", self.server)
    }

    /// sharemark's own folder, from the share's root.
    pub(super) fn own_folder(&self, folder: &FolderName) -> String {
        match self.folder.as_str() {
            "" => folder.as_str().to_owned(),
            base => format!(r"{base}\{}", folder.as_str()),
        }
    }

    /// A file in sharemark's own folder, from the share's root.
    pub(super) fn file(&self, folder: &FolderName, file: &FileName) -> String {
        format!(r"{}\{}", self.own_folder(folder), file.as_str())
    }

    /// The address as typed.
    pub(super) fn typed(&self) -> String {
        self.typed.clone()
    }

    /// The address as a person reads it.
    pub(super) fn shown(&self) -> String {
        self.shown.clone()
    }

    /// sharemark's own folder as a person reads it.
    pub(super) fn shown_folder(&self, folder: &FolderName) -> String {
        format!("{}/{}", self.shown, folder.as_str())
    }

    /// A file as a person reads it.
    pub(super) fn shown_file(&self, folder: &FolderName, file: &FileName) -> String {
        format!("{}/{}", self.shown_folder(folder), file.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(url: &str) -> Names {
        Names::of(&Address::of(&url.parse().unwrap()).unwrap().unwrap().address)
    }

    #[test]
    fn an_address_is_split_into_share_and_folder() {
        let folder = FolderName::for_run("x").unwrap();
        let file = FileName::try_from("r001.bin".to_owned()).unwrap();
        let own = folder.as_str();
        let root = names("smb://WORK;me@nas:4450/Public/");
        assert_eq!(root.share.as_deref(), Some("Public"));
        assert_eq!(root.unc("Public"), r"\\nas\Public");
        assert_eq!(root.folder, "");
        assert_eq!(root.own_folder(&folder), own);
        assert_eq!(root.shown_file(&folder, &file), format!("smb://WORK;me@nas:4450/Public/{own}/r001.bin"));
        let deep = names("smb://nas/家族%20$/写真 2026/été 📷");
        assert_eq!(deep.share.as_deref(), Some("家族 $"));
        assert_eq!(deep.folder, r"写真 2026\été 📷");
        assert_eq!(deep.file(&folder, &file), format!(r"写真 2026\été 📷\{own}\r001.bin"));
    }

    #[test]
    fn a_server_alone_names_no_share() {
        for url in ["smb://nas", "smb://nas/", "smb://[fe80::1]:445/"] {
            assert_eq!(names(url).share, None, "{url}");
        }
        assert_eq!(names("smb://[fe80::1]/x").unc("x"), r"\\fe80::1\x");
    }
}
