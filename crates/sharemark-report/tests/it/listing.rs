use sharemark_model::{
    Bytes, Failure, FailureCode, HistoryEntry, ListedMount, MountFacts, MountKind, MountState, Operation,
    Workload,
};
use sharemark_report::listing::{self, System};
use sharemark_report::{Language, TextStyle, Words};

use crate::sample_report::summary;

fn listed(
    kind: MountKind,
    file_system: &str,
    source: &str,
    mount_point: &str,
    state: MountState,
) -> ListedMount {
    ListedMount {
        mount: MountFacts {
            kind,
            file_system: file_system.into(),
            source: source.into(),
            mount_point: mount_point.into(),
            server: None,
            options: vec!["rw".into()],
        },
        state,
    }
}

fn answers(free: u64, total: u64) -> MountState {
    MountState::Answers { free: Some(Bytes(free)), total: Some(Bytes(total)) }
}

fn mounts() -> Vec<ListedMount> {
    let mut archive =
        listed(MountKind::Network, "nfs4", "nas:/archive", "/mnt/archive", answers(5, 8_000_000_000_000));
    archive.mount.options = vec!["ro".into()];
    let mut snap = listed(MountKind::Local, "squashfs", "/dev/loop0", "/snap/core/1", answers(0, 70_000_000));
    snap.mount.options = vec!["ro".into()];
    let refused = Failure::new(FailureCode::NoPermission, Operation::Inspect, "/mnt/private");
    vec![
        listed(MountKind::Local, "ext4", "/dev/nvme0n1p2", "/", answers(312_000_000_000, 980_000_000_000)),
        listed(MountKind::Pseudo, "proc", "proc", "/proc", answers(0, 0)),
        listed(MountKind::Memory, "tmpfs", "tmpfs", "/tmp", answers(1, 2)),
        snap,
        listed(
            MountKind::Network,
            "cifs",
            "//nas/Public",
            "/mnt/nas",
            answers(1_200_000_000_000, 4_000_000_000_000),
        ),
        listed(
            MountKind::Network,
            "cifs",
            "//nas/写真",
            "/mnt/写真 $ 2026",
            answers(1_200_000_000_000, 4_000_000_000_000),
        ),
        listed(MountKind::Network, "nfs4", "old:/export", "/mnt/old", MountState::Silent),
        archive,
        listed(MountKind::Network, "cifs", "//nas/private", "/mnt/private", MountState::Refused(refused)),
        listed(
            MountKind::Fuse,
            "fuse.rclone",
            "drive:",
            "/home/me/drive",
            MountState::Answers { free: None, total: None },
        ),
        listed(
            MountKind::Unknown,
            "newfs",
            "x",
            "/mnt/x",
            MountState::Answers { free: Some(Bytes(0)), total: Some(Bytes(0)) },
        ),
    ]
}

fn style(width: usize) -> TextStyle {
    TextStyle { width, colour: false }
}

#[test]
fn shares_come_first_with_the_command_to_type() {
    for (language, tag) in [(Language::English, "en"), (Language::Japanese, "ja")] {
        let words = Words::new(language);
        for width in [120, 60] {
            let shown = listing::mounts_on(System::Linux, &mounts(), false, &words, &style(width));
            insta::assert_snapshot!(format!("mounts_{width}_{tag}"), shown);
        }
    }
}

#[test]
fn windows_shares_are_quoted_for_its_shells() {
    let words = Words::new(Language::English);
    let mounts = [
        listed(
            MountKind::Network,
            "SMB",
            r"\\nas\Public",
            r"W:\",
            answers(1_200_000_000_000, 4_000_000_000_000),
        ),
        listed(MountKind::Network, "NTFS", r"\\nas\写真 2026", r"\\nas\写真 2026", MountState::Silent),
        listed(MountKind::Local, "NTFS", "", r"C:\Mount Point\", answers(312_000_000_000, 980_000_000_000)),
    ];
    let shown = listing::mounts_on(System::Windows, &mounts, false, &words, &style(120));
    insta::assert_snapshot!("mounts_windows_en", shown);
}

#[test]
fn a_remembered_drive_is_shown_though_it_is_not_there() {
    let drives = |state: MountState| {
        [
            listed(MountKind::Network, "SMB", r"\\nas\写真 2026", r"W:\", state.clone()),
            listed(MountKind::Network, "unknown", "https://nas/dav", r"X:\", state),
            listed(MountKind::Local, "NTFS", "", r"C:\", answers(312_000_000_000, 980_000_000_000)),
        ]
    };
    let mut shown = String::new();
    for language in Language::ALL {
        let words = Words::new(language);
        for (state, elevated) in [(MountState::Disconnected, false), (MountState::Hidden, true)] {
            shown.push_str(&listing::mounts_on(
                System::Windows,
                &drives(state),
                elevated,
                &words,
                &style(100),
            ));
            shown.push_str("----\n");
        }
        // Elevated, and nothing is remembered.
        shown.push_str(&listing::mounts_on(System::Windows, &mounts()[..1], true, &words, &style(100)));
        shown.push_str("----\n");
    }
    insta::assert_snapshot!("mounts_remembered", shown);
}

#[test]
fn without_a_share_it_says_how_to_mount_one() {
    let disks = &mounts()[..1];
    let mut shown = String::new();
    for language in Language::ALL {
        for system in [System::Linux, System::Windows, System::MacOs] {
            shown.push_str(&listing::mounts_on(system, disks, false, &Words::new(language), &style(80)));
            shown.push_str("----\n");
        }
        shown.push_str(&listing::mounts(&[], false, &Words::new(language), &style(80)));
        shown.push_str("----\n");
    }
    insta::assert_snapshot!("mounts_none", shown);
}

fn entries() -> Vec<HistoryEntry> {
    let entry = |id: &str, started: &str, finished: Option<&str>, partial, targets: &[&str]| HistoryEntry {
        id: id.into(),
        started: started.parse().unwrap(),
        finished: finished.map(|time| time.parse().unwrap()),
        partial,
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        summary: targets
            .iter()
            .flat_map(|target| {
                [
                    summary(target, Workload::SEQ_WRITE, &[60.4, 61.7, 60.9]),
                    summary(target, Workload::SEQ_READ, &[112.3, 112.1, 112.2]),
                ]
            })
            .collect(),
    };
    let mut killed = entry("20261128-080000-m3q1", "2026-11-28T08:00:00Z", None, true, &["/mnt/nas"]);
    killed.summary.pop();
    vec![
        entry(
            "20261130-170838-x7f3",
            "2026-11-30T17:08:38Z",
            Some("2026-11-30T17:11:02Z"),
            false,
            &["lan", "遠隔のNAS"],
        ),
        entry(
            "20261129-101112-k2p9",
            "2026-11-29T10:11:12Z",
            Some("2026-11-29T10:12:00Z"),
            true,
            &["/mnt/nas"],
        ),
        killed,
    ]
}

#[test]
fn the_history_has_a_row_a_target() {
    let to_local = |time: jiff::Timestamp| time.strftime("%Y-%m-%d %H:%M").to_string();
    let mut shown = String::new();
    for language in Language::ALL {
        let words = Words::new(language);
        for width in [100, 70] {
            shown.push_str(&listing::history(&entries(), &words, &style(width), &to_local));
            shown.push_str("----\n");
        }
        shown.push_str(&listing::history(&[], &words, &style(80), &to_local));
        shown.push_str("----\n");
    }
    insta::assert_snapshot!("history", shown);
}
