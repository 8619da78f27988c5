//! `/proc/self/mountinfo`, described in proc_pid_mountinfo(5).

use std::fs;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use sharemark_model::{MountFacts, MountKind, without_password};

use super::{kind_of, server_in};

struct Entry {
    id: u64,
    device: String,
    facts: MountFacts,
}

pub(super) fn all() -> Vec<MountFacts> {
    let mut seen = Vec::new();
    let mut mounts = Vec::new();
    for entry in entries() {
        // Containers and snapshots mount the same device many times; the same share mounted twice may be reached by two
        // paths, which is what is to be compared.
        let key = match entry.facts.kind {
            MountKind::Local => (entry.device, String::new()),
            _ => (entry.facts.source.clone(), entry.facts.mount_point.clone()),
        };
        if !seen.contains(&key) {
            seen.push(key);
            mounts.push(entry.facts);
        }
    }
    mounts
}

pub(super) fn mount_of(path: &Path) -> Option<MountFacts> {
    let entries = entries();
    if let Some(id) = mount_id(path)
        && let Some(position) = entries.iter().position(|entry| entry.id == id)
    {
        return entries.into_iter().nth(position).map(|entry| entry.facts);
    }
    // Before Linux 5.8: the longest mount point that leads to the path, the last one mounted there.
    entries
        .into_iter()
        .filter(|entry| path.starts_with(&entry.facts.mount_point))
        .max_by_key(|entry| entry.facts.mount_point.len())
        .map(|entry| entry.facts)
}

fn mount_id(path: &Path) -> Option<u64> {
    let found = statx(CWD, path, AtFlags::empty(), StatxFlags::MNT_ID).ok()?;
    (found.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(found.stx_mnt_id)
}

fn entries() -> Vec<Entry> {
    // Mount points may hold any bytes; those that are not Unicode could not be named in a report.
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    String::from_utf8_lossy(&table).lines().filter_map(entry).collect()
}

fn entry(line: &str) -> Option<Entry> {
    let (mount, file_system) = line.split_once(" - ")?;
    let mut fields = mount.split(' ');
    let id = fields.next()?.parse().ok()?;
    let device = fields.nth(1)?.to_owned();
    // The folder of the device that is mounted comes between.
    let mount_point = unescaped(fields.nth(1)?);
    let mount_options = fields.next()?;
    let mut fields = file_system.split(' ');
    let file_system = unescaped(fields.next()?);
    let source = without_password(&unescaped(fields.next()?));
    let options = fields.next().unwrap_or_default();
    let mut all: Vec<String> = Vec::new();
    for option in mount_options.split(',').chain(options.split(',')) {
        let option = unescaped(option);
        if !option.is_empty() && !is_private(&option) && !all.contains(&option) {
            all.push(option);
        }
    }
    let kind = kind_of(&file_system);
    let server = if matches!(kind, MountKind::Network | MountKind::Fuse) { server_in(&source) } else { None };
    Some(Entry {
        id,
        device,
        facts: MountFacts { kind, file_system, source, mount_point, server, options: all },
    })
}

/// Options that name a user or hold a secret have no place in a report that people publish.
fn is_private(option: &str) -> bool {
    ["user", "pass", "cred", "domain", "uid", "gid", "forceuid", "forcegid", "secret"]
        .iter()
        .any(|name| option.starts_with(name))
}

/// The kernel writes blanks, tabs, line breaks, `\` and `#` as a backslash and three octal digits (`mangle_path`).
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let octal = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) if *first == b'\\' => {
                bytes.push(byte);
                rest = &after[3..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_share_with_an_odd_name_is_read() {
        let line = r"90 29 0:54 / /mnt/写真\040$\0402026 rw,relatime shared:5 - cifs //10.0.0.2/写真\040$\0402026 rw,vers=3.1.1,cache=strict,username=me,addr=10.0.0.2,password=x";
        let entry = entry(line).unwrap();
        assert_eq!(entry.id, 90);
        assert_eq!(entry.facts.mount_point, "/mnt/写真 $ 2026");
        assert_eq!(entry.facts.source, "//10.0.0.2/写真 $ 2026");
        assert_eq!(entry.facts.server.as_deref(), Some("10.0.0.2"));
        assert_eq!(entry.facts.kind, MountKind::Network);
        assert_eq!(entry.facts.options, ["rw", "relatime", "vers=3.1.1", "cache=strict", "addr=10.0.0.2"]);
    }

    #[test]
    fn a_line_without_optional_fields_is_read() {
        let entry = entry("22 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard").unwrap();
        assert_eq!((entry.facts.kind, entry.facts.mount_point.as_str()), (MountKind::Local, "/"));
        assert_eq!(entry.facts.server, None);
    }

    proptest! {
        #[test]
        fn no_line_makes_the_parser_panic(line in "\\PC{0,80}") {
            entry(&line);
            entry(&format!("1 2 3:4 / {line} rw - {line} x y"));
        }
    }
}
