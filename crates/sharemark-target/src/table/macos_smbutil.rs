//! What macOS' `smbutil` tells of a mounted share, told from its text alone and tested on every system.
//!
//! The two forms of `smbutil statshares` and the names in them are those of Apple's sources (SMBClient 231 of macOS 11 to
//! 494 of macOS 15, `smbutil/statshares.c` and `multichannel.c`). Some names there promise more than they hold, and are
//! not used: `SMB_CURR_SIGN_ALGORITHM` is what would sign, also while nothing is signed; `MULTI_CHANNEL_SUPPORTED` is the
//! server's word alone.

use serde_json::Value;

/// The connection of a share in the words of Linux's mount options, as `table/remote.rs` has them for Windows: `vers=3.1.1`,
/// `sign`, `seal`, and where they hold `cache=none` and `compress`. `None` when this is no answer of
/// `smbutil statshares -m`, in neither of its forms.
pub(super) fn connection(answer: &str) -> Option<Vec<String>> {
    let facts = match serde_json::from_str(answer) {
        Ok(document) => in_document(&document),
        Err(_) => in_table(answer)?,
    };
    // The first is the newest of those that the table names.
    let dialect = facts.iter().find(|(name, _)| name == "SMB_VERSION")?;
    let mut options = vec![format!("vers={}", dialect_number(&dialect.1)?)];
    let is = |name: &str| facts.iter().any(|(named, value)| named == name && value == "TRUE");
    let has = |name: &str| facts.iter().any(|(named, value)| named == name && value != "OFF");
    for (holds, word) in [
        (is("SIGNING_ON"), "sign"),
        // The cipher is told for an encrypted session or share, and only while it is in use.
        (is("ENCRYPTION_REQUIRED") || has("SMB_CURR_ENCRYPT_ALGORITHM"), "seal"),
        (is("DATA_CACHING_OFF"), "cache=none"),
        // What the server chose of that which the client offered.
        (has("SERVER_COMPRESSION_ALGORITHMS"), "compress"),
    ] {
        if holds {
            options.push(word.to_owned());
        }
    }
    Some(options)
}

/// Whether client and server agreed on several connections for one session, by the answer of
/// `smbutil multichannel -i -f JSON -m`; false also when that cannot be told.
pub(super) fn is_multichannel(answer: &str) -> bool {
    let Ok(Value::Object(shares)) = serde_json::from_str(answer) else { return false };
    shares.values().any(|share| share["session_info"]["mc_on"] == "yes")
}

/// The names and values of the share that was asked for. macOS 11 writes `"TRUE"` for what holds, later ones `true`.
fn in_document(document: &Value) -> Vec<(String, String)> {
    let Some(share) = document.get(0).and_then(Value::as_object) else { return Vec::new() };
    let mut facts = Vec::new();
    for (name, value) in share {
        let told = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in told {
            match value {
                Value::Bool(true) => facts.push((name.clone(), "TRUE".to_owned())),
                Value::String(text) => facts.push((name.clone(), text.clone())),
                _ => {}
            }
        }
    }
    facts
}

/// The names and values in the table for people: a heading between two lines of `=`, the share's name on a line of its own,
/// and below it what holds. The share is known by its place, since its name may be any text.
fn in_table(answer: &str) -> Option<Vec<(String, String)>> {
    /// How far the column of the names is indented.
    const INDENT: &str = "                              ";
    let is_rule = |line: &str| line.len() > INDENT.len() && line.bytes().all(|byte| byte == b'=');
    let mut lines =
        answer.lines().skip_while(|line| !is_rule(line)).skip(1).skip_while(|line| !is_rule(line));
    lines.next()?;
    let _share = lines.next()?;
    let row = |line: &str| {
        let (name, value) = line.strip_prefix(INDENT)?.split_once(' ')?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    Some(lines.filter_map(row).filter(|(name, _)| !name.is_empty()).collect())
}

/// A dialect's number: `SMB_3.1.1`. The same dialect has had several spellings.
fn dialect_number(named: &str) -> Option<&str> {
    let number = named.strip_prefix("SMB_")?;
    Some(match number {
        "1" => "1.0",
        "2.002" => "2.0.2",
        "3.02" => "3.0.2",
        number if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && !number.is_empty() => {
            number
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As `smbutil` prints them: three columns, the first and second 30 characters wide.
    fn table(share: &str, rows: &[(&str, &str)]) -> String {
        let rule = "=".repeat(98);
        let mut text = format!("\n{rule}\n{:<30}{:<30}{}\n{rule}\n", "SHARE", "ATTRIBUTE TYPE", "VALUE");
        text.push_str(&format!("{share:<30}\n"));
        for (name, value) in rows {
            text.push_str(&format!("{:<30}{name:<30}{value}\n", ""));
        }
        text.push_str(&format!("\n{}\n", "-".repeat(98)));
        text
    }

    const ROWS: &[(&str, &str)] = &[
        ("SERVER_NAME", "nas._smb._tcp.local"),
        ("USER_ID", "501"),
        ("SMB_NEGOTIATE", "AUTO_NEGOTIATE"),
        ("SMB_VERSION", "SMB_3.1.1"),
        ("SMB_ENCRYPT_ALGORITHMS", "AES_128_CCM_ENABLED"),
        ("SMB_CURR_ENCRYPT_ALGORITHM", "OFF"),
        ("SMB_CURR_SIGN_ALGORITHM", "AES_128_GMAC"),
        ("COMPRESSION_IO_THRESHOLD", "4096"),
        ("SMB_SHARE_TYPE", "DISK"),
        ("SIGNING_SUPPORTED", "TRUE"),
        ("MULTI_CHANNEL_SUPPORTED", "TRUE"),
        ("SERVER_CAPS", "UNKNOWN"),
        ("SIGNING_ON", "TRUE"),
        ("SESSION_RECONNECT_TIME", "0:0"),
    ];

    const SHARES: &[&str] = &[
        "Public",
        "写真 $ 2026",
        "a name that is longer than the column it stands in",
        "SMB_VERSION",
        "                              SMB_VERSION                   SMB_1",
        "==================================================================",
        "",
    ];

    fn document(share: &str, more: &str) -> String {
        let share = Value::from(share);
        format!(
            r#"[ {{ "share_name": {share}, "SMB_NEGOTIATE": ["AUTO_NEGOTIATE"], "USER_ID": 501{more} }} ]"#
        )
    }

    #[test]
    fn the_table_is_read_whatever_the_share_is_called() {
        for share in SHARES {
            assert_eq!(connection(&table(share, ROWS)).unwrap(), ["vers=3.1.1", "sign"], "{share}");
        }
    }

    #[test]
    fn the_document_is_read_whatever_the_share_is_called() {
        for share in SHARES {
            let text = document(
                share,
                r#", "SMB_VERSION": "SMB_3.1.1", "SMB_CURR_ENCRYPT_ALGORITHM": null, "SIGNING_SUPPORTED": true,
                "SMB_CURR_SIGN_ALGORITHM": "AES-128-GMAC", "SIGNING_ON": false, "ENCRYPTION_REQUIRED": false,
                "DATA_CACHING_OFF": false, "SERVER_COMPRESSION_ALGORITHMS": [], "MULTI_CHANNEL_SUPPORTED": true"#,
            );
            assert_eq!(connection(&text).unwrap(), ["vers=3.1.1"], "{share}");
        }
    }

    #[test]
    fn each_thing_that_changes_a_rate_is_told() {
        let text = document(
            "Public",
            r#", "SMB_VERSION": "SMB_3.0.2", "SMB_CURR_ENCRYPT_ALGORITHM": "AES-128-GCM", "SIGNING_ON": true,
            "DATA_CACHING_OFF": true, "SERVER_COMPRESSION_ALGORITHMS": ["LZ77_ENABLED"]"#,
        );
        assert_eq!(connection(&text).unwrap(), ["vers=3.0.2", "sign", "seal", "cache=none", "compress"]);
        // As macOS 11 writes it.
        let text = document("Public", r#", "SMB_VERSION": "SMB_3.02", "SIGNING_ON": "TRUE""#);
        assert_eq!(connection(&text).unwrap(), ["vers=3.0.2", "sign"]);
        let rows = [("SMB_VERSION", "SMB_3.0"), ("SMB_CURR_ENCRYPT_ALGORITHM", "AES-128-CCM")];
        assert_eq!(connection(&table("Public", &rows)).unwrap(), ["vers=3.0", "seal"]);
        let rows = [("SMB_VERSION", "SMB_2.1"), ("ENCRYPTION_REQUIRED", "TRUE")];
        assert_eq!(connection(&table("Public", &rows)).unwrap(), ["vers=2.1", "seal"]);
    }

    #[test]
    fn every_dialect_has_one_number() {
        for (named, number) in [
            ("SMB_1", Some("1.0")),
            ("SMB_2.002", Some("2.0.2")),
            ("SMB_2.1", Some("2.1")),
            ("SMB_3.0", Some("3.0")),
            ("SMB_3.02", Some("3.0.2")),
            ("SMB_3.0.2", Some("3.0.2")),
            ("SMB_3.1.1", Some("3.1.1")),
            ("SMB_4", Some("4")),
            ("SMB_", None),
            ("SMB_new", None),
            ("", None),
        ] {
            assert_eq!(dialect_number(named), number, "{named}");
        }
    }

    #[test]
    fn what_is_no_answer_tells_nothing() {
        for text in [
            "",
            "\n",
            "[\n\n]\n",
            "[]",
            "{}",
            "null",
            r#"["SMB_VERSION"]"#,
            r#"[{"SMB_VERSION": 3}]"#,
            r#"[{"SMB_VERSION": "SMB_"}]"#,
            "usage : smbutil statshares [-m <mount_path> | -a] [-f <format>]",
            &table("SMB_VERSION", &[]),
            &table("Public", &[("SMB_VERSION", "")]),
        ] {
            assert_eq!(connection(text), None, "{text}");
        }
    }

    #[test]
    fn several_connections_are_told_only_when_both_sides_want_them() {
        for (text, several) in [
            (r#"{"/Volumes/写真 2026": {"session_info": {"mc_on": "yes", "total_rx_bytes": "0"}}}"#, true),
            (r#"{"/Volumes/mc_on": {"session_info": {"mc_on": "no"}}}"#, false),
            (r#"{"/Volumes/Public": {}}"#, false),
            (r#"{"mc_on": "yes"}"#, false),
            ("{}", false),
            ("[]", false),
            ("", false),
        ] {
            assert_eq!(is_multichannel(text), several, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_answer_makes_it_panic(text in "\\PC{0,200}", rows in "([ =]{0,40}\\PC{0,20}\n){0,20}") {
            let rule = "=".repeat(98);
            for text in [text.clone(), rows.clone(), format!("{rule}\nSHARE\n{rule}\n{rows}"), document(&text, "")] {
                let told = connection(&text);
                prop_assert!(told.is_none_or(|options| options[0].starts_with("vers=")));
                prop_assert!(!is_multichannel(&text));
            }
        }

        #[test]
        fn no_share_is_taken_for_what_is_said_of_it(share in "\\PC{0,120}") {
            prop_assert_eq!(connection(&table(&share, ROWS)).unwrap(), ["vers=3.1.1", "sign"]);
        }
    }
}
