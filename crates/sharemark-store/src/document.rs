//! A report taken apart for the tables and put together again; the same for every database.

use jiff::Timestamp;
use serde::Deserialize;
use serde::ser::Error as _;
use serde_json::Value;
use sharemark_model::{HistoryEntry, Report, ReportError, Sample, Summary};

/// The report without its samples, as JSON, checked to be readable again.
pub(crate) fn head_text(report: &Report) -> Result<String, ReportError> {
    let head = Report { samples: Vec::new(), ..report.clone() };
    let mut value = serde_json::to_value(&head)?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove("samples");
    }
    let text = value.to_string();
    if join(&text, std::iter::empty())? == head { Ok(text) } else { Err(not_the_same()) }
}

/// A sample as JSON, checked to be readable again: JSON has no infinite numbers, and one unreadable sample would make
/// its whole report unreadable.
pub(crate) fn sample_text(sample: &Sample) -> Result<String, ReportError> {
    let text = serde_json::to_string(sample)?;
    if serde_json::from_str::<Sample>(&text)? == *sample { Ok(text) } else { Err(not_the_same()) }
}

fn not_the_same() -> ReportError {
    ReportError::Shape(serde_json::Error::custom("a value would be changed by JSON"))
}

/// The report that a head and its samples make. The parts go through [`Report::from_json`] as one document, because
/// that is the one place that knows documents of earlier schemas.
pub(crate) fn join<'a>(head: &str, samples: impl Iterator<Item = &'a str>) -> Result<Report, ReportError> {
    let mut value: Value = serde_json::from_str(head)?;
    let samples: Vec<Value> = samples.map(serde_json::from_str).collect::<Result<_, _>>()?;
    let fields = value
        .as_object_mut()
        .ok_or_else(|| ReportError::Shape(serde_json::Error::custom("the report is not an object")))?;
    fields.insert("samples".to_owned(), Value::Array(samples));
    Report::from_json(&value.to_string())
}

/// The part of a head that a list shows. Every field may be missing, so that a list can hold reports of any schema.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ListedHead {
    targets: Vec<Labelled>,
    plan: ListedPlan,
    summary: Vec<Summary>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ListedPlan {
    targets: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    label: String,
}

/// A row of the reports' table.
pub(crate) struct ReportRow {
    pub(crate) id: String,
    pub(crate) started: i64,
    pub(crate) finished: Option<i64>,
    pub(crate) partial: bool,
    pub(crate) head: String,
}

impl From<ReportRow> for HistoryEntry {
    fn from(row: ReportRow) -> Self {
        // One damaged document must not hide the other runs: its columns still say when it was.
        let head: ListedHead = serde_json::from_str(&row.head).unwrap_or_default();
        // A run killed before it had looked at its targets knows them from its plan.
        let targets = if head.targets.is_empty() { head.plan.targets } else { head.targets };
        Self {
            id: row.id,
            started: from_nanoseconds(row.started),
            finished: row.finished.map(from_nanoseconds),
            partial: row.partial,
            targets: targets.into_iter().map(|target| target.label).collect(),
            summary: head.summary,
        }
    }
}

/// Nanoseconds since 1970 in UTC, the clock's own resolution, so that a list shows the report's times unrounded.
/// Times before 1677 and after 2262 do not fit: they become the nearest that does, in the column, not in the document.
pub(crate) fn nanoseconds(time: Timestamp) -> i64 {
    let nanoseconds = time.as_nanosecond();
    i64::try_from(nanoseconds).unwrap_or(if nanoseconds < 0 { i64::MIN } else { i64::MAX })
}

/// The inverse of [`nanoseconds`]; every 64-bit value is a time, so the fallback is never taken.
fn from_nanoseconds(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_the_column_become_its_ends() {
        for time in [Timestamp::MIN, Timestamp::MAX] {
            let kept = from_nanoseconds(nanoseconds(time));
            assert_eq!(kept < Timestamp::UNIX_EPOCH, time < Timestamp::UNIX_EPOCH);
        }
        let now = Timestamp::new(1_795_000_000, 123_456_789).unwrap();
        assert_eq!(from_nanoseconds(nanoseconds(now)), now);
    }

    #[test]
    fn a_damaged_head_is_listed_by_its_columns() {
        let entry = HistoryEntry::from(ReportRow {
            id: "a".to_owned(),
            started: 1,
            finished: None,
            partial: true,
            head: "{ not JSON".to_owned(),
        });
        assert_eq!((entry.id.as_str(), entry.partial, entry.targets.len()), ("a", true, 0));
    }
}
