//! A path as it is typed at a prompt.

/// Whether a path is written as Windows writes it: with a drive's letter, or with a server's name after `\\`.
#[must_use]
pub fn is_windows(path: &str) -> bool {
    let mut start = path.chars();
    path.starts_with(r"\\")
        || (start.next().is_some_and(|c| c.is_ascii_alphabetic())
            && start.next() == Some(':')
            && matches!(start.next(), None | Some('\\' | '/')))
}

/// The path as an argument to type: as it is where that is safe, else quoted for the shells of its system (POSIX
/// shells; PowerShell and `cmd` for a Windows path).
#[must_use]
pub fn argument(path: &str) -> String {
    if is_windows(path) { windows(path) } else { posix(path) }
}

/// `sharemark run` with the path to measure, as one would type it.
#[must_use]
pub fn run_command(path: &str) -> String {
    // Without a separator before it, `a=b` would be a folder `b` labelled `a`.
    let relative = !is_windows(path) && !path.starts_with(['/', '.']);
    if relative && path.contains('=') {
        format!("sharemark run {}", argument(&format!("./{path}")))
    } else {
        format!("sharemark run {}", argument(path))
    }
}

fn posix(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if !path.is_empty() && !path.starts_with('-') && path.chars().all(plain) {
        return path.to_owned();
    }
    if path.chars().any(char::is_control) {
        // A line break or an escape sequence is typed as bash, zsh and ksh write it.
        let escaped: String = path
            .chars()
            .map(|c| match c {
                '\\' | '\'' => format!("\\{c}"),
                c if c.is_control() && u32::from(c) < 0x80 => format!("\\x{:02x}", u32::from(c)),
                c => c.to_string(),
            })
            .collect();
        return format!("$'{escaped}'");
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}

fn windows(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || r"\/:._-+~!".contains(c);
    // A `$` at the end, as in the share `c$`, begins no variable in PowerShell.
    if path.trim_end_matches('$').chars().all(plain) {
        return path.to_owned();
    }
    // Before a closing quote a backslash would be taken as its escape.
    let path = path.trim_end_matches('\\');
    let mut after_dollar = path.split('$').skip(1);
    let expands =
        path.contains('`') || after_dollar.any(|rest| !rest.is_empty() && !rest.starts_with([' ', '\\']));
    if expands {
        // Only PowerShell expands `$`, and only its single quotes keep it from that.
        format!("'{}'", path.replace('\'', "''"))
    } else {
        format!("\"{path}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix_paths_are_quoted_where_they_must_be() {
        for (path, typed) in [
            ("/mnt/nas", "/mnt/nas"),
            ("/mnt/写真", "/mnt/写真"),
            ("/mnt/my nas", "'/mnt/my nas'"),
            ("/mnt/$HOME", "'/mnt/$HOME'"),
            ("/mnt/it's", r"'/mnt/it'\''s'"),
            ("/mnt/\"q\"", "'/mnt/\"q\"'"),
            ("/mnt/a\nb", r"$'/mnt/a\x0ab'"),
            ("/mnt/a;rm", "'/mnt/a;rm'"),
            ("", "''"),
        ] {
            assert_eq!(argument(path), typed);
        }
    }

    #[test]
    fn windows_paths_are_quoted_for_both_of_its_shells() {
        for (path, typed) in [
            (r"W:\", r"W:\"),
            ("W:", "W:"),
            (r"\\nas\Public", r"\\nas\Public"),
            (r"\\nas\c$", r"\\nas\c$"),
            (r"\\nas\写真 2026", r#""\\nas\写真 2026""#),
            (r"W:\My Folder\", r#""W:\My Folder""#),
            (r"\\nas\$data", r"'\\nas\$data'"),
            (r"W:\it's $x", r"'W:\it''s $x'"),
            (r"\\nas\a&b", r#""\\nas\a&b""#),
        ] {
            assert_eq!(argument(path), typed);
        }
        assert_eq!(run_command("a=b/c"), "sharemark run './a=b/c'");
        assert!(!is_windows("nas:/export") && !is_windows("/mnt/W:"));
    }
}
