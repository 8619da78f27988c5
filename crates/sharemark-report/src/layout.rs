//! Text on a terminal: how many columns it takes, cut and wrapped to a number of them.
//!
//! Widths follow Unicode's East Asian Width (UAX #11): a Japanese character takes two columns, and a character whose
//! width is ambiguous takes one, as in the terminals of today.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The columns that `text` takes on a terminal.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text with every character that would move the cursor, change the terminal's state or turn the direction of
/// writing shown as `\u{..}`: names come from servers, and a name must not rewrite the line it is printed in.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_control(c) {
            // Writing to a `String` does not fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text, cut to at most `width` columns; where something was cut off, the last column is an ellipsis.
#[must_use]
pub fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if columns(text) <= width {
        return Cow::Borrowed(text);
    }
    let Some(room) = width.checked_sub(1) else {
        return Cow::Borrowed("");
    };
    let mut kept = String::new();
    let mut used = 0;
    for cluster in text.graphemes(true) {
        used += columns(cluster);
        if used > room {
            break;
        }
        kept.push_str(cluster);
    }
    kept.push('…');
    Cow::Owned(kept)
}

/// The text with spaces after it up to `width` columns.
#[must_use]
pub fn pad_right(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text with spaces before it up to `width` columns.
#[must_use]
pub fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Breaks a text into lines of at most `width` columns (at least four): at spaces, and around Japanese characters where Japanese
/// typesetting allows a line to begin or end (kinsoku). A number stays with its unit, and a path is broken only if it is
/// wider than a line.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(4);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for piece in pieces(paragraph) {
            if columns(&line) + columns(piece.trim_end()) > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
            }
            let mut piece = piece;
            while columns(piece.trim_end()) > width {
                let end = fitting(piece, width);
                lines.push(piece[..end].to_owned());
                piece = &piece[end..];
            }
            line.push_str(piece);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// How many bytes of `text` fit in `width` columns: at least its first cluster.
fn fitting(text: &str, width: usize) -> usize {
    let mut used = 0;
    for (start, cluster) in text.grapheme_indices(true) {
        used += columns(cluster);
        if used > width && start > 0 {
            return start;
        }
    }
    text.len()
}

/// The parts of a text that may not be broken, each with the spaces that follow it.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous: Option<&str> = None;
    let mut in_code = false;
    for (position, cluster) in text.grapheme_indices(true) {
        if let Some(previous) = previous
            && !in_code
            && may_break(previous, cluster)
            && !is_quantity(&text[..position], &text[position..])
        {
            pieces.push(&text[start..position]);
            start = position;
        }
        // A command in backticks is typed as a whole; it is broken at its spaces only.
        if cluster == "`" {
            in_code = !in_code;
        } else if in_code && previous == Some(" ") {
            pieces.push(&text[start..position]);
            start = position;
        }
        previous = Some(cluster);
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

fn may_break(before: &str, after: &str) -> bool {
    const NOT_AT_START: &str =
        "、。，．・：；？！）」』】〉》〕｝]ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々%,.:;!?)}…〜";
    const NOT_AT_END: &str = "（「『【〈《〔｛[({±";
    if after == " " {
        return false;
    }
    if before == " " {
        return true;
    }
    let wide = columns(before) == 2 || columns(after) == 2;
    wide && !NOT_AT_START.contains(after) && !NOT_AT_END.contains(before) && !joined(before, after)
}

/// Katakana make one word, and a number stays with its counter.
fn joined(before: &str, after: &str) -> bool {
    let katakana = |cluster: &str| cluster.starts_with(|c| matches!(c, '\u{30a1}'..='\u{30fa}' | 'ー'));
    (katakana(before) && katakana(after)) || before.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a number ends before the break and its unit begins after it.
fn is_quantity(before: &str, after: &str) -> bool {
    const UNITS: [&str; 15] =
        ["%", "MB/s", "MiB/s", "TB", "GB", "MB", "kB", "B", "TiB", "GiB", "MiB", "KiB", "ms", "min", "s"];
    let unit_end = after.find(|c: char| !c.is_ascii_alphabetic() && c != '/' && c != '%');
    before.ends_with(' ')
        && before.trim_end().ends_with(|c: char| c.is_ascii_digit())
        && UNITS.contains(&&after[..unit_end.unwrap_or(after.len())])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn japanese_lines_do_not_begin_with_a_full_stop_or_break_a_command() {
        let text = "共有をマウントしたフォルダーを指定してください。引数なしの`sharemark`で、一覧が出ます。";
        for width in 10..60 {
            let lines = wrap(text, width);
            assert_eq!(lines.concat(), text);
            for line in lines {
                assert!(columns(&line) <= width, "{width}: {line}");
                assert!(!line.starts_with(['。', '、', 'ー']), "{width}: {line}");
            }
        }
    }

    #[test]
    fn english_is_broken_at_spaces() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("/mnt/a-very-long-path x", 10), ["/mnt/a-ver", "y-long-pat", "h x"]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(
            wrap("at 53.2 MB/s (95 % of it)", 11),
            ["at", "53.2 MB/s", "(95 % of it)"[..8].trim(), "it)"]
        );
    }

    #[test]
    fn what_would_move_the_cursor_is_shown() {
        assert_eq!(printable("写真 2026"), "写真 2026");
        assert_eq!(printable("a\x1b[2Jb\n"), "a\\u{1b}[2Jb\\u{a}");
        assert_eq!(printable("\u{202e}gnp"), "\\u{202e}gnp");
    }

    #[test]
    fn a_cut_text_ends_in_an_ellipsis() {
        assert_eq!(cut("/mnt/nas", 8), "/mnt/nas");
        assert_eq!(cut("/mnt/nas", 5), "/mnt…");
        assert_eq!(cut("写真の共有", 6), "写真…");
        assert_eq!(cut("写真", 0), "");
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_asked(text in "\\PC{0,60}", width in 4usize..50) {
            prop_assert!(columns(&cut(&text, width)) <= width);
            for line in wrap(&text, width) {
                prop_assert!(columns(&line) <= width, "{line:?}");
            }
        }
    }
}
