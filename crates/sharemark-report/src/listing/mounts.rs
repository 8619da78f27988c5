//! What can be measured here: network shares first, then disks, each with the command to type.

use sharemark_model::{FailureCode, ListedMount, MountKind, MountState};

use crate::layout::printable;
use crate::page::{Ink, Page};
use crate::table::{self, Align, Column};
use crate::text::protocol;
use crate::{TextStyle, Words, failure, number, quote};

/// The system whose way to mount a share is told when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux, and every system that mounts as it does.
    Linux,
    /// Windows.
    Windows,
    /// macOS.
    MacOs,
}

impl System {
    /// The system this program was built for.
    #[must_use]
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

const INDENT: usize = 2;

/// The mounts of this machine that can be measured, ending in a line break; see [`mounts_on`].
#[must_use]
pub fn mounts(listed: &[ListedMount], elevated: bool, words: &Words, style: &TextStyle) -> String {
    mounts_on(System::current(), listed, elevated, words, style)
}

/// The mounts that can be measured: network shares, what programs mount, disks. Memory, what the kernel makes up and
/// disks that cannot be written are left out. Without a network share it says how to mount one on `system`, unless this
/// console is `elevated` and therefore sees no drives that its user mapped, which it says instead.
#[must_use]
pub fn mounts_on(
    system: System,
    listed: &[ListedMount],
    elevated: bool,
    words: &Words,
    style: &TextStyle,
) -> String {
    let mut page = Page::new(*style);
    let of = |kind: MountKind| -> Vec<&ListedMount> {
        listed.iter().filter(|listed| listed.mount.kind == kind && measurable(listed)).collect()
    };
    let network = of(MountKind::Network);
    if elevated {
        page.paragraph(0, &words.text("listing-elevated"), Ink::Caution);
    } else if network.is_empty() {
        let id = match system {
            System::Linux => "listing-no-network-linux",
            System::Windows => "listing-no-network-windows",
            System::MacOs => "listing-no-network-macos",
        };
        page.paragraph(0, &words.text(id), Ink::Plain);
    }
    group(&mut page, "listing-network", &network, words);
    group(&mut page, "listing-fuse", &of(MountKind::Fuse), words);
    group(&mut page, "listing-disks", &of(MountKind::Local), words);
    group(&mut page, "listing-unknown", &of(MountKind::Unknown), words);
    page.finish()
}

/// A disk that cannot be written (a snap's image, an optical disk) is none that a user would measure; a share that
/// cannot be written is listed with that word, since its owner looks for it.
fn measurable(listed: &ListedMount) -> bool {
    listed.mount.kind != MountKind::Local || !read_only(listed)
}

fn read_only(listed: &ListedMount) -> bool {
    listed.mount.options.iter().any(|option| option == "ro")
}

fn group(page: &mut Page, heading: &str, mounts: &[&ListedMount], words: &Words) {
    if mounts.is_empty() {
        return;
    }
    page.gap();
    page.paragraph(0, &words.text(heading), Ink::Strong);
    let column = |id: &str, cell: &dyn Fn(&ListedMount) -> String| {
        let cells = mounts.iter().map(|listed| cell(listed)).collect();
        Column::new(words.text(id), Align::Left, cells)
    };
    let network = heading == "listing-network";
    let source = if network { "listing-column-share" } else { "listing-column-source" };
    let columns = [
        column("listing-column-type", &|listed| kind(listed, words)),
        column(source, &|listed| printable(&listed.mount.source).into_owned()),
        column("listing-column-folder", &|listed| printable(&listed.mount.mount_point).into_owned()),
        column("listing-column-free", &|listed| state(listed, words)),
        column("listing-column-command", &|listed| command(listed, words).unwrap_or_default()),
    ];
    if table::width(&columns) + INDENT <= page.columns() {
        for (number, line) in table::lines(&columns).into_iter().enumerate() {
            page.line(INDENT, &line, if number == 0 { Ink::Faint } else { Ink::Plain });
        }
        return;
    }
    for listed in mounts {
        stacked(page, listed, words);
    }
}

/// A mount in lines of its own, where a table would be too wide.
fn stacked(page: &mut Page, listed: &ListedMount, words: &Words) {
    let text = words.format(
        "listing-at",
        &[
            ("type", kind(listed, words).into()),
            ("source", (&listed.mount.source).into()),
            ("folder", (&listed.mount.mount_point).into()),
            ("state", state(listed, words).into()),
        ],
    );
    page.paragraph(INDENT, &text, Ink::Plain);
    if let Some(command) = command(listed, words) {
        // Not wrapped: a command is copied as a whole.
        page.line(INDENT * 2, &command, Ink::Plain);
    }
}

fn kind(listed: &ListedMount, words: &Words) -> String {
    printable(&protocol(&listed.mount, words)).into_owned()
}

fn state(listed: &ListedMount, words: &Words) -> String {
    let free = match &listed.state {
        MountState::Silent => return words.text("listing-silent"),
        MountState::Disconnected => return words.text("listing-disconnected"),
        MountState::Hidden => return words.text("listing-hidden"),
        MountState::Refused(failure) if failure.code == FailureCode::NoPermission => {
            return words.text("listing-no-permission");
        }
        MountState::Refused(failure) => return failure::matter(failure.code, words),
        MountState::Answers { .. } if read_only(listed) => return words.text("listing-read-only"),
        // A size of zero is what a file system answers that does not know its size.
        MountState::Answers { free, total } => (*free, total.filter(|total| total.0 > 0)),
    };
    match free {
        (Some(free), Some(total)) => words.format(
            "listing-free-of",
            &[("free", number::size(free).into()), ("total", number::size(total).into())],
        ),
        (Some(free), None) if free.0 > 0 => number::size(free),
        _ => words.text("listing-free-unknown"),
    }
}

/// What to type; nothing for a share that cannot be measured as it is. A drive that is not there can be by its share's
/// name, if its server answers.
fn command(listed: &ListedMount, words: &Words) -> Option<String> {
    if matches!(listed.state, MountState::Disconnected | MountState::Hidden) {
        let share = Some(&listed.mount.source).filter(|source| quote::is_windows(source));
        return share.map(|share| quote::run_command(share));
    }
    let answers = matches!(listed.state, MountState::Answers { .. });
    (answers && !read_only(listed)).then(|| match listed.mount.mount_point.as_str() {
        // Few users can write in the root folder itself.
        "/" => words.text("listing-run-folder"),
        folder => quote::run_command(folder),
    })
}
