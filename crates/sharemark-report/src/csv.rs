//! A report as CSV (RFC 4180): one row a sample, for a spreadsheet or a script.

use serde::Serialize;
use sharemark_model::{Bytes, Latency, Nanoseconds, Quantity, Report, Sample, TargetReport};

/// The columns, in order. Names are final and the same in every language; each names its unit. New ones are added at
/// the end.
pub const COLUMNS: [&str; 43] = [
    "report_id",
    "sharemark_version",
    "host_os",
    "profile",
    "target",
    "location",
    "file_system",
    "source",
    "workload",
    "round",
    "started_utc",
    "bytes",
    "throughput_bytes_per_second",
    "throughput_megabytes_per_second",
    "open_ns",
    "transfer_ns",
    "flush_ns",
    "close_ns",
    "first_byte_ns",
    "latency_p50_ns",
    "latency_p90_ns",
    "latency_p99_ns",
    "latency_max_ns",
    "size_bytes",
    "block_bytes",
    "depth",
    "durability",
    "read_cache",
    "data",
    "cache_write",
    "cache_read",
    "cache_proof",
    "cache_resident_bytes",
    "cache_ruled_out",
    "verified",
    "partial",
    "counted",
    "error_code",
    "error_system",
    "generator_bytes_per_second",
    "generator_waited_ns",
    "operations",
    "operations_per_second",
];

/// The report's samples as CSV with a header line; lines end in CR LF. An empty field is an unknown value.
#[must_use]
pub fn report(report: &Report) -> String {
    let mut text = String::new();
    push_row(&mut text, &COLUMNS.map(str::to_owned));
    for sample in &report.samples {
        let target = report.targets.iter().find(|target| target.label == sample.target);
        push_row(&mut text, &row(report, target, sample));
    }
    text
}

fn row(report: &Report, target: Option<&TargetReport>, sample: &Sample) -> [String; 43] {
    let mount = target.and_then(|target| target.mount.as_ref());
    let error = sample.error.as_ref();
    // Reports older than the count of operations have none of bytes that were moved.
    let counted = sample.operations > 0 || sample.bytes == Bytes(0);
    let latency = |pick: fn(&Latency) -> Nanoseconds| known(sample.latency_ns.as_ref().map(|l| pick(l).0));
    [
        text(&report.id),
        text(&report.tool.version),
        text(&report.host.os),
        name(report.plan.profile),
        text(&sample.target),
        target.map(|target| text(&target.location)).unwrap_or_default(),
        mount.map(|mount| text(&mount.file_system)).unwrap_or_default(),
        mount.map(|mount| text(&mount.source)).unwrap_or_default(),
        name(sample.workload),
        sample.round.to_string(),
        sample.started.to_string(),
        sample.bytes.0.to_string(),
        format!("{:.0}", sample.bytes_per_second.0),
        format!("{:.3}", sample.bytes_per_second.megabytes()),
        sample.open_ns.0.to_string(),
        sample.transfer_ns.0.to_string(),
        sample.flush_ns.0.to_string(),
        sample.close_ns.0.to_string(),
        known(sample.first_byte_ns.map(|time| time.0)),
        latency(|l| l.p50),
        latency(|l| l.p90),
        latency(|l| l.p99),
        latency(|l| l.max),
        known((sample.workload.quantity() == Quantity::Bytes).then_some(report.plan.size.0)),
        known(block(report, sample)),
        sample.depth.to_string(),
        name(report.plan.durability),
        name(report.plan.read_cache),
        name(report.plan.data),
        name(sample.cache.write),
        name(sample.cache.read),
        name(sample.cache.proof),
        known(sample.cache.resident_bytes.map(|bytes| bytes.0)),
        sample.cache.ruled_out.to_string(),
        known(sample.verified),
        sample.partial.to_string(),
        sample.counts().to_string(),
        name(error.map(|error| error.code)),
        error.and_then(|error| error.system.as_deref()).map(text).unwrap_or_default(),
        format!("{:.0}", sample.source.ceiling_bytes_per_second.0),
        sample.source.waited_ns.0.to_string(),
        known(counted.then_some(sample.operations)),
        known(counted.then(|| format!("{:.3}", sample.operations_per_second.0))),
    ]
}

/// A small file's operations have no size of their own; reports older than the field had one block for all.
fn block(report: &Report, sample: &Sample) -> Option<u64> {
    let bytes = sample.workload.quantity() == Quantity::Bytes;
    sample.block.or_else(|| bytes.then_some(report.plan.block)).map(|block| block.0)
}

fn known(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The name that the report's JSON uses, so that the two never differ; empty for `None`.
fn name(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A text that came from a user or a server. A spreadsheet takes a text that begins with one of these characters for
/// a formula and runs it; behind an apostrophe it is a text (OWASP, "CSV Injection").
fn text(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// One record: fields with a comma, a quote, a line break or space at an end are quoted, and quotes in them doubled.
fn push_row(text: &mut String, fields: &[String]) {
    for (number, field) in fields.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        let quoted = field.contains([',', '"', '\r', '\n']) || field.trim() != field;
        if quoted {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push_str("\r\n");
}
