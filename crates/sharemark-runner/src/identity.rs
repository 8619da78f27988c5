//! What tells one run, and one machine, from another.

use sharemark_model::Host;

/// A new run's identifier: its start in UTC and four random characters, sortable by time.
#[must_use]
pub fn new_id(now: jiff::Timestamp) -> String {
    // Letters and digits that cannot be mistaken for each other when read aloud.
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";
    let mut tail = String::new();
    let mut random = new_seed();
    for _ in 0..4 {
        let index = usize::try_from(random % 32).unwrap_or_default();
        tail.push(char::from(LETTERS[index]));
        random /= 32;
    }
    format!("{}-{tail}", now.strftime("%Y%m%d-%H%M%S"))
}

/// A new seed for a run's bytes.
#[must_use]
pub fn new_seed() -> u64 {
    let mut bytes = [0; 8];
    // Without a source of randomness the clock has to do: the seed needs to differ, not to be secret.
    if getrandom::fill(&mut bytes).is_err() {
        let now = jiff::Timestamp::now().as_nanosecond().to_le_bytes();
        bytes.copy_from_slice(&now[..8]);
    }
    // 53 bits: programs that read JSON numbers as doubles keep them all.
    u64::from_le_bytes(bytes) >> 11
}

/// This machine, as far as a report tells.
#[must_use]
pub fn host() -> Host {
    Host {
        os: std::env::consts::OS.to_owned(),
        os_version: os_version(),
        arch: std::env::consts::ARCH.to_owned(),
        cores: std::thread::available_parallelism()
            .map_or(1, |count| u32::try_from(count.get()).unwrap_or(u32::MAX)),
    }
}

#[cfg(unix)]
fn os_version() -> Option<String> {
    let name = rustix::system::uname();
    name.release().to_str().ok().map(str::to_owned)
}

/// `10.0.22631`; what Windows 11 is called begins with a 10 as well.
#[cfg(windows)]
fn os_version() -> Option<String> {
    let version = windows_version::OsVersion::current();
    Some(format!("{}.{}.{}", version.major, version.minor, version.build))
}

#[cfg(test)]
mod tests {
    use sharemark_model::FolderName;

    use super::*;

    #[test]
    fn an_identifier_is_a_folder_s_name_and_sorts_by_time() {
        let early = new_id("2026-11-30T17:08:38Z".parse().unwrap());
        assert!(early.starts_with("20261130-170838-"), "{early}");
        assert!(FolderName::for_run(&early).is_ok(), "{early}");
        assert!(early < new_id("2026-11-30T17:08:39Z".parse().unwrap()));
        assert_ne!(new_seed(), new_seed());
    }
}
