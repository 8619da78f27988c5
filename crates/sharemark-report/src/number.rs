//! Numbers as people read them: three or four significant digits, with their unit.

use sharemark_model::{Bytes, Interval, Nanoseconds, Quantity, Rate};

use crate::Words;

/// How many decimals a number is shown with, so that three or four digits are significant: `0.532`, `5.32`, `53.2`,
/// `112.2`, `1180`.
#[must_use]
pub fn decimals(value: f64) -> usize {
    let value = value.abs();
    // The limits lie where rounding carries into one more digit: 9.995 is shown as 10.0.
    match value {
        v if !v.is_finite() || v >= 999.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.09995 => 3,
        v if v > 0.0 => 4,
        _ => 1,
    }
}

/// The number with that many decimals. From 10000 on, digits after the fourth are zeros, since none of them is known.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value.abs() < 9999.5 {
        return format!("{value:.decimals$}");
    }
    let mut scale = 10.0;
    while value.abs() / scale >= 9999.5 {
        scale *= 10.0;
    }
    format!("{:.0}", (value / scale).round() * scale)
}

/// The number with three or four significant digits.
#[must_use]
pub fn significant(value: f64) -> String {
    fixed(value, decimals(value))
}

/// A rate in MB/s with its unit: `53.2 MB/s`.
#[must_use]
pub fn rate(rate: Rate, words: &Words) -> String {
    words.format("unit-rate", &[("value", significant(rate.megabytes()).into())])
}

/// A rate of what a workload counts, with its unit: `53.2 MB/s`, `417 per second`.
#[must_use]
pub fn measured(rate: Rate, quantity: Quantity, words: &Words) -> String {
    match quantity {
        Quantity::Bytes => self::rate(rate, words),
        Quantity::Operations => words.format("unit-operations", &[("value", significant(rate.0).into())]),
    }
}

/// The value of a rate as it stands in a table: megabytes or operations per second.
#[must_use]
pub fn in_table(rate: Rate, quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Bytes => rate.megabytes(),
        Quantity::Operations => rate.0,
    }
}

/// A rate that is itself an estimate, such as a slope, with two or three digits: `3.1 MB/s`, `12 per second`.
pub(crate) fn rough_measured(rate: Rate, quantity: Quantity, words: &Words) -> String {
    let value = in_table(rate, quantity);
    let text = fixed(value, decimals(value).saturating_sub(1));
    match quantity {
        Quantity::Bytes => words.format("unit-rate", &[("value", text.into())]),
        Quantity::Operations => words.format("unit-operations", &[("value", text.into())]),
    }
}

/// Both ends of an interval in MB/s, or in operations per second, with as many decimals as its mean: `51.9 to 54.5`.
#[must_use]
pub fn interval(interval: Interval, mean: Rate, quantity: Quantity, words: &Words) -> String {
    let decimals = decimals(in_table(mean, quantity));
    let shown = |rate| fixed(in_table(rate, quantity), decimals);
    range(&shown(interval.0), &shown(interval.1), words)
}

pub(crate) fn range(low: &str, high: &str, words: &Words) -> String {
    words.format("unit-range", &[("low", low.into()), ("high", high.into())])
}

/// A share of the whole as a percentage: `3 %`, `0.4 %`.
#[must_use]
pub fn percent(share: f64, words: &Words) -> String {
    let percent = share * 100.0;
    let decimals = usize::from(percent.abs() < 9.95 && (percent - percent.round()).abs() > 0.05);
    words.format("unit-percent", &[("n", fixed(percent, decimals).into())])
}

/// A size as a disk's maker counts, with three or four significant digits: `1.07 GB`.
#[must_use]
pub fn size(bytes: Bytes) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    #[expect(clippy::cast_precision_loss, reason = "four digits are shown")]
    let value = bytes.0 as f64;
    UNITS.into_iter().find(|(unit, _)| value >= *unit * 0.9995).map_or_else(
        || format!("{} B", bytes.0),
        |(unit, name)| format!("{} {name}", significant(value / unit)),
    )
}

/// A size that a person chose, exactly where it is a whole number of binary units (`1 GiB`, `8 MiB`), else as
/// [`size`].
#[must_use]
pub fn chosen_size(bytes: Bytes) -> String {
    let exact = bytes.to_string();
    match exact.find(|c: char| !c.is_ascii_digit()) {
        Some(unit) if unit <= 4 && bytes.0 != 0 => format!("{} {}", &exact[..unit], &exact[unit..]),
        _ => size(bytes),
    }
}

/// A span of time: `250 ms`, `3.2 s`, `10 s`, `5 min`, `1 h 30 min`.
#[must_use]
pub fn span(time: Nanoseconds, words: &Words) -> String {
    let seconds = time.as_secs_f64();
    if time.0 == 0 {
        return words.format("unit-seconds", &[("n", "0".into())]);
    }
    if seconds < 0.9995 {
        let text = significant(seconds * 1e3);
        return words.format("unit-milliseconds", &[("n", trimmed(&text).into())]);
    }
    if seconds < 99.95 {
        let text = fixed(seconds, 1);
        return words.format("unit-seconds", &[("n", trimmed(&text).into())]);
    }
    let whole = time.0.saturating_add(500_000_000) / 1_000_000_000;
    let (minutes, seconds) = (whole / 60, whole % 60);
    if minutes < 60 {
        return match seconds {
            0 => words.format("unit-minutes", &[("n", minutes.into())]),
            _ => words
                .format("unit-minutes-seconds", &[("minutes", minutes.into()), ("seconds", seconds.into())]),
        };
    }
    match minutes % 60 {
        0 => words.format("unit-hours", &[("n", (minutes / 60).into())]),
        rest => {
            words.format("unit-hours-minutes", &[("hours", (minutes / 60).into()), ("minutes", rest.into())])
        }
    }
}

/// Without zeros at the end of a fraction: a setting of 10 s is not 10.0 s.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn three_or_four_digits_are_shown() {
        for (value, shown) in [
            (0.0, "0.0"),
            (0.012_34, "0.0123"),
            (0.5321, "0.532"),
            (5.321, "5.32"),
            (9.996, "10.0"),
            (53.16, "53.2"),
            (112.1843, "112.2"),
            (999.96, "1000"),
            (1180.4, "1180"),
            (12_345.6, "12350"),
            (1_234_567.0, "1235000"),
            (f64::NAN, "?"),
        ] {
            assert_eq!(significant(value), shown);
        }
    }

    #[test]
    fn the_interval_has_the_decimals_of_its_mean() {
        let words = Words::new(Language::English);
        let shown = interval(Interval(Rate(8.9e6), Rate(13.21e6)), Rate(11.05e6), Quantity::Bytes, &words);
        assert_eq!(shown, "8.9 to 13.2");
    }

    #[test]
    fn sizes_and_spans_are_short() {
        let words = Words::new(Language::English);
        assert_eq!(size(Bytes(1 << 30)), "1.07 GB");
        assert_eq!(size(Bytes(999)), "999 B");
        assert_eq!(size(Bytes(4_000_787_030_016)), "4.00 TB");
        assert_eq!(chosen_size(Bytes(1 << 30)), "1 GiB");
        assert_eq!(chosen_size(Bytes(1_000_000_000)), "1.00 GB");
        assert_eq!(chosen_size(Bytes(0)), "0 B");
        let nanoseconds = |seconds: f64| Nanoseconds::from(std::time::Duration::from_secs_f64(seconds));
        for (seconds, shown) in [
            (0.0, "0 s"),
            (0.0123, "12.3 ms"),
            (0.5, "500 ms"),
            (3.21, "3.2 s"),
            (10.0, "10 s"),
            (60.0, "60 s"),
            (99.97, "1 min 40 s"),
            (300.0, "5 min"),
            (3600.0, "1 h"),
            (5400.0, "1 h 30 min"),
        ] {
            assert_eq!(span(nanoseconds(seconds), &words), shown);
        }
    }

    #[test]
    fn percentages_are_short() {
        let words = Words::new(Language::Japanese);
        assert_eq!(percent(0.03, &words), "3%");
        assert_eq!(percent(0.0042, &words), "0.4%");
        assert_eq!(percent(0.1234, &words), "12%");
    }
}
