//! Quantities with their units. Inside sharemark a size is in bytes and a time in nanoseconds; the names people
//! use (MB, MiB, Mbit) exist only where a value is read from or shown to them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number of bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// A span of time in nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Nanoseconds(pub u64);

/// A throughput in bytes per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Rate(pub f64);

/// Why a size or a time that a person typed could not be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseUnitError {
    /// Nothing was typed.
    #[error("the value is empty")]
    Empty,
    /// The part before the unit is not a number.
    #[error("`{0}` does not begin with a number")]
    NotANumber(String),
    /// The unit is not one that sharemark knows.
    #[error("`{0}` is not a known unit")]
    UnknownUnit(String),
    /// The unit names bits or leaves open whether it counts in 1000s or 1024s, so it could mean two sizes.
    #[error("`{0}` could mean two sizes")]
    AmbiguousUnit(String),
    /// The value does not fit in 64 bits of bytes.
    #[error("`{0}` is too large")]
    TooLarge(String),
    /// The value is not a whole number of bytes.
    #[error("`{0}` is not a whole number of bytes")]
    NotWhole(String),
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;

impl Bytes {
    /// This many mebibytes (2^20 bytes each).
    #[must_use]
    pub const fn mebibytes(count: u64) -> Self {
        Self(count * MIB)
    }

    /// This many gibibytes (2^30 bytes each).
    #[must_use]
    pub const fn gibibytes(count: u64) -> Self {
        Self(count * GIB)
    }

    /// The throughput of moving these bytes in `time`; zero when no time passed, since no rate can be told.
    #[must_use]
    pub fn per(self, time: Nanoseconds) -> Rate {
        if time.0 == 0 {
            return Rate(0.0);
        }
        // Both fit a double's 53 bits for any run below 9 PB and 104 days.
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
        Rate(self.0 as f64 / (time.0 as f64 / 1e9))
    }
}

/// Shows the size exactly, in the largest binary unit that divides it, as a person would type it: `8MiB`.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = [(TIB, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")]
            .into_iter()
            .find(|(unit, _)| self.0 >= *unit && self.0.is_multiple_of(*unit))
            .unwrap_or((1, "B"));
        write!(f, "{}{name}", self.0 / unit)
    }
}

/// Reads `1GiB` (2^30), `1GB` (10^9), `4096`, `1.5MiB`. Case does not matter, but a lone `b` after a capital (`Mb`)
/// and a bare `M` are refused: the first is bits, and the second means 10^6 in one tool and 2^20 in another.
impl FromStr for Bytes {
    type Err = ParseUnitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ParseUnitError::Empty);
        }
        let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, unit) = (&text[..split], text[split..].trim());
        let factor = byte_unit(unit)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let not_a_number = || ParseUnitError::NotANumber(text.to_owned());
        if whole.is_empty() || fraction.contains('.') || (number.contains('.') && fraction.is_empty()) {
            return Err(not_a_number());
        }
        let too_large = || ParseUnitError::TooLarge(text.to_owned());
        let whole: u64 = whole.parse().map_err(|_| too_large())?;
        let whole = whole.checked_mul(factor).ok_or_else(too_large)?;
        let part = fraction_of(fraction, factor).ok_or_else(|| ParseUnitError::NotWhole(text.to_owned()))?;
        whole.checked_add(part).map(Bytes).ok_or_else(too_large)
    }
}

/// `fraction` are the digits after the point; the answer is that part of `factor`, if it is a whole number.
fn fraction_of(fraction: &str, factor: u64) -> Option<u64> {
    let digits = fraction.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let scale = 10u128.checked_pow(u32::try_from(digits.len()).ok()?)?;
    let scaled = digits.parse::<u128>().ok()?.checked_mul(u128::from(factor))?;
    (scaled % scale == 0).then(|| u64::try_from(scaled / scale).ok()).flatten()
}

fn byte_unit(unit: &str) -> Result<u64, ParseUnitError> {
    let ambiguous = || ParseUnitError::AmbiguousUnit(unit.to_owned());
    // "Mb" is megabits to a network engineer; "mb" and "MB" are what people type for megabytes.
    let mut letters = unit.chars();
    if let (Some(first), Some('b'), None) = (letters.next(), letters.next(), letters.next())
        && first.is_ascii_uppercase()
    {
        return Err(ambiguous());
    }
    Ok(match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => KIB,
        "mib" => MIB,
        "gib" => GIB,
        "tib" => TIB,
        "k" | "m" | "g" | "t" | "kbit" | "mbit" | "gbit" => return Err(ambiguous()),
        _ => return Err(ParseUnitError::UnknownUnit(unit.to_owned())),
    })
}

impl Nanoseconds {
    /// The same span as the standard library's type.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        Duration::from_nanos(self.0)
    }

    /// The span in seconds.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.to_duration().as_secs_f64()
    }
}

impl From<Duration> for Nanoseconds {
    /// Saturates at 584 years.
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl std::ops::Add for Nanoseconds {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Rate {
    /// In MB/s: 10^6 bytes per second.
    #[must_use]
    pub fn megabytes(self) -> f64 {
        self.0 / 1e6
    }

    /// In MiB/s: 2^20 bytes per second.
    #[must_use]
    pub fn mebibytes(self) -> f64 {
        self.0 / 1_048_576.0
    }

    /// In Mbit/s: 10^6 bits per second.
    #[must_use]
    pub fn megabits(self) -> f64 {
        self.0 * 8.0 / 1e6
    }
}

/// Reads a span such as `30s`, `500ms`, `5m`, `1h30m`; a bare number is in seconds.
///
/// # Errors
/// When the text is no such span, is negative, or names a calendar unit.
pub fn parse_duration(text: &str) -> Result<Duration, ParseUnitError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ParseUnitError::Empty);
    }
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|_| ParseUnitError::NotANumber(text.to_owned()));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(ParseUnitError::NotANumber(text.to_owned()));
    }
    let span: jiff::SignedDuration =
        text.parse().map_err(|_| ParseUnitError::UnknownUnit(text.to_owned()))?;
    Duration::try_from(span).map_err(|_| ParseUnitError::TooLarge(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decimal_and_binary_units_differ() {
        assert_eq!("1GB".parse(), Ok(Bytes(1_000_000_000)));
        assert_eq!("1GiB".parse(), Ok(Bytes(1 << 30)));
        assert_eq!("4096".parse(), Ok(Bytes(4096)));
        assert_eq!("1.5MiB".parse(), Ok(Bytes(1_572_864)));
        assert_eq!(" 8 mib ".parse(), Ok(Bytes(8 << 20)));
    }

    #[test]
    fn what_could_mean_two_sizes_is_refused() {
        for text in ["1M", "1g", "1Mb", "1Gb", "10Mbit"] {
            assert!(matches!(text.parse::<Bytes>(), Err(ParseUnitError::AmbiguousUnit(_))), "{text}");
        }
        assert!(matches!("1XB".parse::<Bytes>(), Err(ParseUnitError::UnknownUnit(_))));
        assert!(matches!("MB".parse::<Bytes>(), Err(ParseUnitError::NotANumber(_))));
        assert!(matches!(
            "-1MB".parse::<Bytes>(),
            Err(ParseUnitError::UnknownUnit(_) | ParseUnitError::NotANumber(_))
        ));
        assert!(matches!("1.".parse::<Bytes>(), Err(ParseUnitError::NotANumber(_))));
        assert!(matches!("0.3B".parse::<Bytes>(), Err(ParseUnitError::NotWhole(_))));
        assert!(matches!("99999999TiB".parse::<Bytes>(), Err(ParseUnitError::TooLarge(_))));
        assert_eq!("".parse::<Bytes>(), Err(ParseUnitError::Empty));
    }

    #[test]
    fn spans_are_read() {
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(parse_duration("2"), Ok(Duration::from_secs(2)));
        assert!(parse_duration("-5s").is_err());
        assert!(parse_duration("soon").is_err());
        assert!(parse_duration("NaN").is_err());
    }

    #[test]
    fn the_article_s_unit_is_named_right() {
        // 107 MiB/s is 112.2 MB/s: the reference user's tool called the first by the second's name.
        let rate = Rate(107.0 * 1_048_576.0);
        assert!((rate.megabytes() - 112.197).abs() < 0.001);
        assert!((rate.mebibytes() - 107.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_back(bytes in any::<u64>()) {
            prop_assert_eq!(Bytes(bytes).to_string().parse::<Bytes>(), Ok(Bytes(bytes)));
        }

        #[test]
        fn no_text_makes_the_parsers_panic(text in "\\PC{0,24}") {
            let _ = text.parse::<Bytes>();
            let _ = parse_duration(&text);
        }

        #[test]
        fn a_rate_times_its_time_gives_the_bytes(bytes in 1u64..1 << 50, nanos in 1u64..1 << 50) {
            let rate = Bytes(bytes).per(Nanoseconds(nanos));
            let back = rate.0 * Nanoseconds(nanos).as_secs_f64();
            #[allow(clippy::cast_precision_loss)]
            let expected = bytes as f64;
            prop_assert!((back - expected).abs() / expected < 1e-9);
        }
    }
}
