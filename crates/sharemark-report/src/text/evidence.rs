//! How the numbers of a target came about: what was done in effect, and what shows it.

use sharemark_model::{
    Bytes, CacheProof, MountKind, Rate, ReadMode, Report, Sample, TargetReport, Workload, WriteMode,
};

use super::INDENT;
use crate::page::{Ink, Page};
use crate::{Value, Words, number, warning};

pub(super) fn write(page: &mut Page, report: &Report, target: &TargetReport, words: &Words) {
    let samples: Vec<&Sample> =
        report.samples.iter().filter(|sample| sample.target == target.label && sample.counts()).collect();
    if samples.is_empty() {
        return;
    }
    let mut lines = Vec::new();
    lines.extend(in_effect(report, target, &samples, words));
    lines.extend(content(report, target, words));
    lines.extend(data(report, &samples, words));
    lines.extend(super::connection::line(target, words));
    lines.extend(server(report, target, &samples, words));
    if !is_local(target) {
        lines.push(wire(&samples, words));
    }

    page.gap();
    page.paragraph(INDENT, &words.text("evidence-heading"), Ink::Faint);
    for line in lines {
        page.hanging(INDENT, "- ", &line, Ink::Plain);
    }
}

/// One line for each way in which rounds were done; workloads of which all rounds were done in the same way share it.
fn in_effect(report: &Report, target: &TargetReport, samples: &[&Sample], words: &Words) -> Vec<String> {
    let mut whole: Vec<(String, Vec<String>)> = Vec::new();
    let mut parts = Vec::new();
    // No file system of this machine stands in between.
    let own = target.mount.is_none() && target.kind != "mount";
    for workload in &report.plan.workloads {
        let samples: Vec<&Sample> = samples.iter().copied().filter(|s| s.workload == *workload).collect();
        let name = warning::workload(*workload, words);
        let ways = ways(&samples, own, &report.host.os, words);
        if let [(text, _)] = &ways[..] {
            match whole.iter_mut().find(|(known, _)| known == text) {
                Some((_, names)) => names.push(name),
                None => whole.push((text.clone(), vec![name])),
            }
            continue;
        }
        for (text, count) in ways {
            let values = [
                ("workload", (&name).into()),
                ("text", text.into()),
                ("count", count.into()),
                ("total", samples.len().into()),
            ];
            parts.push(words.format("evidence-line-some", &values));
        }
    }
    let line = |(text, names): (String, Vec<String>)| {
        let names = words.list(names);
        words.format("evidence-line", &[("workload", names.into()), ("text", text.into())])
    };
    whole.into_iter().map(line).chain(parts).collect()
}

/// The ways in which the rounds of one workload were done, and how many were; nearly always one.
fn ways(samples: &[&Sample], own: bool, os: &str, words: &Words) -> Vec<(String, u32)> {
    let mut ways: Vec<(String, u32)> = Vec::new();
    let most_resident = samples.iter().filter_map(|sample| sample.cache.resident_bytes).max();
    for sample in samples {
        let written = sample.cache.write.map(|mode| write_mode(mode, own, os, words));
        let read = sample.cache.read.map(|mode| {
            if sample.bytes == Bytes(0) {
                let id =
                    if sample.cache.ruled_out { "evidence-names-server" } else { "evidence-names-client" };
                return words.text(id);
            }
            let resident = sample.cache.resident_bytes.filter(|bytes| bytes.0 > 0).and(most_resident);
            read_mode(mode, sample.cache.proof, resident, os, words)
        });
        let text = match (written, read) {
            (Some(written), Some(read)) => {
                words.format("evidence-both", &[("written", written.into()), ("read", read.into())])
            }
            (Some(text), None) | (None, Some(text)) => text,
            (None, None) => continue,
        };
        match ways.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => ways.push((text, 1)),
        }
    }
    ways
}

fn write_mode(mode: WriteMode, own: bool, os: &str, words: &Words) -> String {
    match mode {
        WriteMode::DirectWriteThrough if own => words.text("evidence-write-protocol"),
        WriteMode::Flushed if own => words.text("evidence-write-protocol-flushed"),
        WriteMode::DirectWriteThrough => words.format("evidence-write-direct", &[("os", os.into())]),
        WriteMode::CachedWriteThrough => words.format("evidence-write-cached", &[("os", os.into())]),
        WriteMode::Flushed => words.text("evidence-write-flushed"),
        WriteMode::Acknowledged => words.text("evidence-write-acknowledged"),
        WriteMode::Buffered => words.text("evidence-write-buffered"),
    }
}

fn read_mode(mode: ReadMode, proof: CacheProof, resident: Option<Bytes>, os: &str, words: &Words) -> String {
    if mode == ReadMode::Direct && proof == CacheProof::OwnProtocol {
        return words.text("evidence-read-protocol");
    }
    let mode = match mode {
        ReadMode::Direct => words.format("evidence-read-direct", &[("os", os.into())]),
        ReadMode::Dropped => words.text("evidence-read-dropped"),
        ReadMode::Cached => words.text("evidence-read-cached"),
    };
    let counted = |tool: &str| match resident {
        None => words.format("evidence-proof-empty", &[("tool", tool.into())]),
        Some(bytes) => words.format(
            "evidence-proof-resident",
            &[("bytes", number::size(bytes).into()), ("tool", tool.into())],
        ),
    };
    let proof = match proof {
        CacheProof::Cachestat => counted("cachestat"),
        CacheProof::Mincore => counted("mincore"),
        CacheProof::Accepted => words.text("evidence-proof-accepted"),
        CacheProof::Refused => words.text("evidence-proof-refused"),
        CacheProof::OwnProtocol => words.text("evidence-proof-own-protocol"),
        CacheProof::None => words.text("evidence-proof-none"),
    };
    words.format("evidence-read", &[("mode", mode.into()), ("proof", proof.into())])
}

/// How many phases gave back what was written; wrong ones count although they are in no summary. Every byte is looked at
/// only where nothing but reading was done: of what was written over at random places some blocks were read back.
fn content(report: &Report, target: &TargetReport, words: &Words) -> Vec<String> {
    let of_target = || report.samples.iter().filter(|sample| sample.target == target.label);
    let checked = |does: fn(Workload) -> bool| -> Vec<bool> {
        of_target().filter(|sample| does(sample.workload)).filter_map(|sample| sample.verified).collect()
    };
    let moved = |does: fn(Workload) -> bool| {
        number::size(Bytes(of_target().filter(|s| does(s.workload)).map(|sample| sample.bytes.0).sum()))
    };
    let counts = |checked: &[bool]| -> [(&str, Value<'_>); 2] {
        let right = checked.iter().filter(|right| **right).count();
        [("right", right.into()), ("total", checked.len().into())]
    };
    let only_reads: fn(Workload) -> bool = |workload| workload.reads() && !workload.writes();
    let (read, written) = (checked(only_reads), checked(Workload::writes));
    let mut lines = Vec::new();
    if !read.is_empty() {
        // What is written once may be read in part, or several times by several workloads.
        let once = report.plan.workloads.iter().all(|workload| workload.shape.is_none());
        let mut values = Vec::from(counts(&read));
        values.push(("read", moved(only_reads).into()));
        if once {
            values.push(("written", moved(Workload::writes).into()));
        }
        lines.push(words.format(if once { "evidence-content" } else { "evidence-content-read" }, &values));
    }
    if !written.is_empty() {
        lines.push(words.format("evidence-content-written", &counts(&written)));
    }
    lines
}

/// What the data is, and the lowest rate at which this machine was seen to make and to check it.
fn data(report: &Report, samples: &[&Sample], words: &Words) -> Option<String> {
    let slowest = |does: fn(Workload) -> bool| {
        samples
            .iter()
            .filter(|sample| does(sample.workload))
            .map(|sample| sample.source.ceiling_bytes_per_second.0)
            .filter(|rate| *rate > 0.0)
            .reduce(f64::min)
            .map(|rate| number::rate(Rate(rate), words))
    };
    let kind = report.plan.data.to_string();
    match (slowest(|w| w.writes() && !w.reads()), slowest(Workload::reads)) {
        (Some(made), Some(checked)) => Some(words.format(
            "evidence-data-both",
            &[("data", kind.into()), ("made", made.into()), ("checked", checked.into())],
        )),
        (Some(made), None) => {
            Some(words.format("evidence-data-made", &[("data", kind.into()), ("made", made.into())]))
        }
        (None, Some(checked)) => {
            Some(words.format("evidence-data-checked", &[("data", kind.into()), ("checked", checked.into())]))
        }
        (None, None) => None,
    }
}

/// Whether the target is on this machine, so that no server or wire has a part in it.
fn is_local(target: &TargetReport) -> bool {
    target.mount.as_ref().is_some_and(|mount| matches!(mount.kind, MountKind::Local | MountKind::Memory))
}

/// What a client cannot know about a server.
fn server(report: &Report, target: &TargetReport, samples: &[&Sample], words: &Words) -> Vec<String> {
    let mut lines = Vec::new();
    if is_local(target) {
        return lines;
    }
    if samples.iter().any(|s| matches!(s.cache.write, Some(mode) if mode != WriteMode::Buffered)) {
        lines.push(words.text("evidence-server-acknowledged"));
    }
    if samples.iter().any(|s| s.workload.reads()) {
        let settle = number::span(report.plan.settle_ns, words);
        lines.push(words.format("evidence-server-memory", &[("settle", settle.into())]));
    }
    lines
}

fn wire(samples: &[&Sample], words: &Words) -> String {
    let seen: Vec<_> = samples.iter().filter_map(|sample| sample.wire.as_ref()).collect();
    let Some(first) = seen.first() else {
        return words.text("evidence-wire-none");
    };
    let agreeing = seen.iter().filter(|wire| wire.agrees).count();
    words.format(
        "evidence-wire-agrees",
        &[("interface", (&first.interface).into()), ("count", agreeing.into()), ("total", seen.len().into())],
    )
}
