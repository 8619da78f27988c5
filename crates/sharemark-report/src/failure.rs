//! A failure in words: what was tried, where, what the system answered, and what to do next.

use sharemark_model::{Failure, FailureCode, Operation};

use crate::{Words, number, quote};

/// The failure in a few lines without a line break at the end: what was tried and what is the matter; sizes and
/// offsets where there are any; the system's own answer; what to do next. Lines are not wrapped.
#[must_use]
pub fn text(failure: &Failure, words: &Words) -> String {
    let mut lines = vec![first_line(failure, words)];
    lines.extend(sizes(failure, words));
    if let Some(offset) = failure.offset {
        lines.push(words.format("failure-offset", &[("offset", offset.0.into())]));
    }
    if let Some(text) = failure.system.as_deref().filter(|text| !text.trim().is_empty()) {
        let text: Vec<&str> = text.split_whitespace().collect();
        lines.push(words.format("failure-system", &[("text", text.join(" ").into())]));
    }
    // What could have been named instead of a drive is a command in the advice.
    if !failure.choices.is_empty() && failure.code != FailureCode::ElevatedDrive {
        let choices = failure.choices.join(", ");
        lines.push(words.format("failure-choices", &[("choices", choices.into())]));
    }
    lines.push(words.format("failure-advice", &[("advice", advice(failure, words).into())]));
    lines.join("\n")
}

fn first_line(failure: &Failure, words: &Words) -> String {
    match failure.code {
        // What was under way when the user stopped it did not fail.
        FailureCode::Interrupted => words.text("failure-interrupted"),
        // Looking at the place did not fail: what it told is the matter.
        FailureCode::NoSpace if failure.operation == Operation::Inspect => {
            words.format("failure-no-room", &[("place", (&failure.place).into())])
        }
        FailureCode::Other => words.format("failure-line-other", &[("tried", tried(failure, words).into())]),
        code => words.format(
            "failure-line",
            &[("tried", tried(failure, words).into()), ("matter", matter(code, words).into())],
        ),
    }
}

/// What is the matter, as a clause that fits after a colon: `the server does not answer`.
#[must_use]
pub fn matter(code: FailureCode, words: &Words) -> String {
    words.text(matter_id(code))
}

fn tried(failure: &Failure, words: &Words) -> String {
    let id = match failure.operation {
        Operation::Connect => "failure-tried-connect",
        Operation::Inspect => "failure-tried-inspect",
        Operation::CreateFolder => "failure-tried-create-folder",
        Operation::Create => "failure-tried-create",
        Operation::Write => "failure-tried-write",
        Operation::Flush => "failure-tried-flush",
        Operation::Close => "failure-tried-close",
        Operation::Open => "failure-tried-open",
        Operation::Read => "failure-tried-read",
        Operation::Verify => "failure-tried-verify",
        Operation::List => "failure-tried-list",
        Operation::Remove => "failure-tried-remove",
        Operation::Worker => "failure-tried-worker",
        Operation::Manifest => "failure-tried-manifest",
        Operation::History => "failure-tried-history",
        Operation::Output => "failure-tried-output",
    };
    words.format(id, &[("place", (&failure.place).into())])
}

const fn matter_id(code: FailureCode) -> &'static str {
    match code {
        FailureCode::NotFound => "failure-code-not-found",
        FailureCode::NotAFolder => "failure-code-not-a-folder",
        FailureCode::NoPermission => "failure-code-no-permission",
        FailureCode::RootSquash => "failure-code-root-squash",
        FailureCode::ElevatedDrive => "failure-code-elevated-drive",
        FailureCode::ReadOnly => "failure-code-read-only",
        FailureCode::NoSpace => "failure-code-no-space",
        FailureCode::Quota => "failure-code-quota",
        FailureCode::NameTooLong => "failure-code-name-too-long",
        FailureCode::NotEmpty => "failure-code-not-empty",
        FailureCode::NotStorage => "failure-code-not-storage",
        FailureCode::NotUnicode => "failure-code-not-unicode",
        FailureCode::ServerGone => "failure-code-server-gone",
        FailureCode::InputOutput => "failure-code-input-output",
        FailureCode::Stalled => "failure-code-stalled",
        FailureCode::WorkerDied => "failure-code-worker-died",
        FailureCode::Interrupted => "failure-code-interrupted",
        FailureCode::Mismatch => "failure-code-mismatch",
        FailureCode::WrongSize => "failure-code-wrong-size",
        FailureCode::UnknownHost => "failure-code-unknown-host",
        FailureCode::Refused => "failure-code-refused",
        FailureCode::LoginRefused => "failure-code-login-refused",
        FailureCode::NoShare => "failure-code-no-share",
        FailureCode::UnknownShare => "failure-code-unknown-share",
        FailureCode::Certificate => "failure-code-certificate",
        FailureCode::HostKeyUnknown => "failure-code-host-key-unknown",
        FailureCode::HostKeyChanged => "failure-code-host-key-changed",
        FailureCode::Encryption => "failure-code-encryption",
        FailureCode::Signing => "failure-code-signing",
        FailureCode::Version => "failure-code-version",
        FailureCode::TooLarge => "failure-code-too-large",
        FailureCode::FileTooShort => "failure-code-file-too-short",
        FailureCode::Protocol => "failure-code-protocol",
        FailureCode::Unsupported => "failure-code-unsupported",
        FailureCode::Other => "failure-code-other",
    }
}

fn sizes(failure: &Failure, words: &Words) -> Option<String> {
    let (needed, available) = (failure.needed?, failure.available?);
    let arguments = |shown: &dyn Fn(sharemark_model::Bytes) -> String| (shown(needed), shown(available));
    Some(if failure.code == FailureCode::WrongSize {
        // A file one byte short must not look as long as it should be.
        let (needed, available) = arguments(&|bytes| format!("{} B", bytes.0));
        words.format("failure-size", &[("needed", needed.into()), ("available", available.into())])
    } else {
        let (needed, available) = arguments(&number::size);
        words.format("failure-space", &[("needed", needed.into()), ("available", available.into())])
    })
}

fn advice(failure: &Failure, words: &Words) -> String {
    if failure.code == FailureCode::NotAFolder {
        return containing_folder(&failure.place).map_or_else(
            || words.text("failure-advice-not-a-folder-plain"),
            |folder| {
                let command = format!("`{}`", quote::run_command(folder));
                words.format("failure-advice-not-a-folder", &[("command", command.into())])
            },
        );
    }
    if failure.code == FailureCode::ElevatedDrive
        && let Some(share) = failure.choices.first()
    {
        let command = format!("`{}`", quote::run_command(share));
        return words.format("failure-advice-elevated-drive-share", &[("command", command.into())]);
    }
    words.text(match failure.operation {
        Operation::Output | Operation::Manifest | Operation::History => own_file_advice(failure),
        Operation::Remove => match failure.code {
            FailureCode::ServerGone | FailureCode::Stalled => measuring_advice(failure),
            FailureCode::NotEmpty => "failure-advice-not-empty",
            _ => "failure-advice-remove",
        },
        _ => measuring_advice(failure),
    })
}

/// Advice on sharemark's own files: results, manifest, history.
const fn own_file_advice(failure: &Failure) -> &'static str {
    match (failure.operation, failure.code) {
        (Operation::History, _) => "failure-advice-history",
        (Operation::Manifest, FailureCode::NoSpace) | (_, FailureCode::NoSpace | FailureCode::Quota) => {
            "failure-advice-no-space-local"
        }
        (Operation::Manifest, _) => "failure-advice-manifest",
        (_, FailureCode::NotFound) => "failure-advice-not-found-output",
        (_, FailureCode::NoPermission | FailureCode::ReadOnly) => "failure-advice-no-permission-local",
        (_, FailureCode::InputOutput) => "failure-advice-input-output-local",
        _ => "failure-advice-output",
    }
}

/// Advice on the place that is measured.
fn measuring_advice(failure: &Failure) -> &'static str {
    let looking =
        matches!(failure.operation, Operation::Connect | Operation::Inspect | Operation::CreateFolder);
    let reading = matches!(failure.operation, Operation::Open | Operation::Read | Operation::Verify);
    match failure.code {
        FailureCode::NotFound if !looking => "failure-advice-not-found-later",
        FailureCode::NotFound if failure.place.contains("://") => "failure-advice-not-found-share",
        FailureCode::NotFound if quote::is_windows(&failure.place) => "failure-advice-not-found-windows",
        FailureCode::NotFound => "failure-advice-not-found",
        FailureCode::NotAFolder => "failure-advice-not-a-folder-plain",
        FailureCode::NoPermission if reading => "failure-advice-no-permission-read",
        FailureCode::NoPermission => "failure-advice-no-permission",
        FailureCode::RootSquash => "failure-advice-root-squash",
        FailureCode::ElevatedDrive => "failure-advice-elevated-drive",
        FailureCode::ReadOnly => "failure-advice-read-only",
        FailureCode::NoSpace => "failure-advice-no-space",
        FailureCode::Quota => "failure-advice-quota",
        FailureCode::NameTooLong => "failure-advice-name-too-long",
        FailureCode::NotStorage => "failure-advice-not-storage",
        FailureCode::NotUnicode => "failure-advice-not-unicode",
        FailureCode::ServerGone if failure.operation == Operation::Connect => "failure-advice-no-answer",
        FailureCode::ServerGone if looking => "failure-advice-server-gone-inspect",
        FailureCode::ServerGone => "failure-advice-server-gone",
        FailureCode::InputOutput => "failure-advice-input-output",
        FailureCode::Stalled if looking => "failure-advice-stalled-inspect",
        FailureCode::Stalled if matches!(failure.operation, Operation::Flush | Operation::Close) => {
            "failure-advice-stalled-flush"
        }
        FailureCode::Stalled => "failure-advice-stalled",
        FailureCode::WorkerDied => "failure-advice-worker-died",
        FailureCode::NotEmpty => "failure-advice-not-empty",
        FailureCode::Interrupted => "failure-advice-interrupted",
        FailureCode::Mismatch => "failure-advice-mismatch",
        FailureCode::WrongSize => "failure-advice-wrong-size",
        FailureCode::UnknownHost => "failure-advice-unknown-host",
        FailureCode::Refused => "failure-advice-refused",
        FailureCode::LoginRefused => "failure-advice-login-refused",
        FailureCode::NoShare => "failure-advice-no-share",
        FailureCode::UnknownShare => "failure-advice-unknown-share",
        FailureCode::Certificate => "failure-advice-certificate",
        FailureCode::HostKeyUnknown => "failure-advice-host-key-unknown",
        FailureCode::HostKeyChanged => "failure-advice-host-key-changed",
        FailureCode::Encryption => "failure-advice-encryption",
        FailureCode::Signing => "failure-advice-signing",
        FailureCode::Version => "failure-advice-version",
        FailureCode::TooLarge => "failure-advice-too-large",
        FailureCode::FileTooShort => "failure-advice-file-too-short",
        FailureCode::Protocol => "failure-advice-protocol",
        FailureCode::Unsupported => "failure-advice-unsupported",
        FailureCode::Other => "failure-advice-other",
    }
}

/// The folder that a path names something in; `None` where the path alone does not tell.
fn containing_folder(path: &str) -> Option<&str> {
    let separators: &[char] = if quote::is_windows(path) { &['\\', '/'] } else { &['/'] };
    let path = path.trim_end_matches(separators);
    let end = path.rfind(separators)?;
    match &path[..end] {
        "" => Some("/"),
        // The root of a drive keeps its separator, and a server's name alone is no folder.
        drive if drive.ends_with(':') => Some(&path[..=end]),
        r"\" | r"\\" => None,
        server if server.starts_with(r"\\") && !server[2..].contains('\\') => None,
        folder => Some(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_containing_folder_is_one_that_can_be_measured() {
        for (path, folder) in [
            ("/mnt/nas/film.mkv", Some("/mnt/nas")),
            ("/vmlinuz", Some("/")),
            ("film.mkv", None),
            (r"W:\film.mkv", Some(r"W:\")),
            (r"W:\a\film.mkv", Some(r"W:\a")),
            (r"\\nas\Public\film.mkv", Some(r"\\nas\Public")),
            (r"\\nas\film", None),
        ] {
            assert_eq!(containing_folder(path), folder, "{path}");
        }
    }
}
