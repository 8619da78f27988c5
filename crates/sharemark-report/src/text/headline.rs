//! The answer of a target in one sentence.

use sharemark_model::{MountFacts, MountKind, ReadMode, Report, TargetReport, Warning, Workload, WriteMode};

use crate::warning::in_words as doing;
use crate::{Words, number};

/// A sentence with more rates than this is not read: it says how many more the table has.
const MOST: usize = 4;

/// `/mnt/nas (SMB, //nas/Public): write 53.2 MB/s, read 112.2 MB/s`
pub(super) fn sentence(report: &Report, target: &TargetReport, words: &Words) -> String {
    let workloads = &report.plan.workloads;
    let more = workloads.len().checked_sub(MOST).filter(|more| *more > 0);
    let rates = workloads
        .iter()
        .take(MOST)
        .map(|workload| rate(report, target, *workload, words))
        .chain(more.map(|more| words.format("text-headline-more", &[("n", more.into())])));
    let rates = words.list(rates);
    let details = words.list(details(target, words));
    if details.is_empty() {
        return words
            .format("text-headline-plain", &[("name", (&target.label).into()), ("rates", rates.into())]);
    }
    words.format(
        "text-headline",
        &[("name", (&target.label).into()), ("details", details.into()), ("rates", rates.into())],
    )
}

fn details(target: &TargetReport, words: &Words) -> Vec<String> {
    let mut details = Vec::new();
    if target.location != target.label {
        details.push(target.location.clone());
    }
    if let Some(mount) = &target.mount {
        details.push(protocol(mount, words));
        if mount.source != target.location && !mount.source.is_empty() && mount.source != mount.file_system {
            details.push(mount.source.clone());
        }
        match mount.kind {
            MountKind::Local => details.push(words.text("text-kind-local")),
            MountKind::Memory => details.push(words.text("text-kind-memory")),
            MountKind::Network | MountKind::Fuse | MountKind::Pseudo | MountKind::Unknown => {}
        }
    }
    details
}

/// The protocol's name as people know it, else the file system's type as the system names it.
pub(crate) fn protocol(mount: &MountFacts, words: &Words) -> String {
    let file_system = mount.file_system.to_ascii_lowercase();
    match file_system.as_str() {
        "cifs" | "smb" | "smb2" | "smb3" | "smbfs" => "SMB".to_owned(),
        "nfs" | "nfs3" | "nfs4" => "NFS".to_owned(),
        "afpfs" => "AFP".to_owned(),
        "davfs" | "webdav" | "fuse.davfs" | "fuse.davfs2" => "WebDAV".to_owned(),
        // Windows may answer for a share with the type of the server's disk.
        "ntfs" | "refs" | "fat32" | "exfat" | "" if mount.kind == MountKind::Network => {
            words.text("text-kind-network")
        }
        _ => mount.file_system.clone(),
    }
}

fn rate(report: &Report, target: &TargetReport, workload: Workload, words: &Words) -> String {
    let name = doing(workload, words);
    let Some(summary) = report.summaries_of(&target.label).find(|s| s.workload == workload && s.n > 0) else {
        return words.format("text-headline-none", &[("workload", name.into())]);
    };
    let rate = number::measured(summary.mean, summary.quantity, words);
    if workload.writes() && target.cache.write == Some(WriteMode::Buffered) {
        return words
            .format("text-headline-not-durable", &[("workload", name.into()), ("rate", rate.into())]);
    }
    let cached = workload.reads()
        && (target.cache.read == Some(ReadMode::Cached)
            || target.warnings.iter().any(|warning| matches!(warning, Warning::CacheNotRuledOut { .. })));
    if cached {
        return words.format("text-headline-cached", &[("workload", name.into()), ("rate", rate.into())]);
    }
    if let Some(without) = super::rates::first_stands_apart(summary) {
        let without = number::measured(without.mean, summary.quantity, words);
        return words.format(
            "text-headline-first",
            &[("workload", name.into()), ("rate", rate.into()), ("without", without.into())],
        );
    }
    words.format("text-headline-rate", &[("workload", name.into()), ("rate", rate.into())])
}
