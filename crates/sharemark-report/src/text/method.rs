//! The method in a few lines: whoever has them can repeat the measurement.

use std::collections::BTreeSet;

use sharemark_model::{Host, Quantity, Report, Rounds, Workload};

use super::INDENT;
use crate::page::{Ink, Page};
use crate::{Words, number};

pub(super) fn write(page: &mut Page, report: &Report, words: &Words) {
    page.gap();
    page.paragraph(0, &words.text("text-method-heading"), Ink::Faint);
    let lines = [strictness(report, words), rounds(report, words), waits(report, words), made(report, words)];
    for line in transfer(report, words).into_iter().chain(lines) {
        page.hanging(INDENT, "- ", &line, Ink::Plain);
    }
    page.gap();
    page.paragraph(0, &words.format("text-method-id", &[("id", (&report.id).into())]), Ink::Faint);
}

fn transfer(report: &Report, words: &Words) -> Vec<String> {
    let plan = &report.plan;
    let limit = match plan.time_ns {
        Some(time) => words.format("text-method-time", &[("time", number::span(time, words).into())]),
        None => words.text("text-method-no-time"),
    };
    let small = plan.workloads.iter().any(|workload| workload.quantity() == Quantity::Operations);
    let streams = plan.workloads.iter().any(|workload| workload.quantity() == Quantity::Bytes);
    let files = words.format(
        "text-method-files",
        &[("count", plan.files.into()), ("mix", plan.file_mix.name().into()), ("limit", (&limit).into())],
    );
    if !streams {
        return vec![files];
    }
    let size = number::chosen_size(plan.size);
    // Workloads with a block and depth of their own tell them by their names.
    let plain = |workload: &Workload| workload.quantity() == Quantity::Bytes && workload.shape.is_none();
    let transfer = if plan.workloads.iter().any(plain) {
        words.format(
            "text-method-transfer",
            &[
                ("size", size.into()),
                ("block", number::chosen_size(plan.block).into()),
                ("depth", plan.depth.into()),
                ("limit", limit.into()),
            ],
        )
    } else {
        words.format("text-method-size", &[("size", size.into()), ("limit", limit.into())])
    };
    if small { vec![transfer, files] } else { vec![transfer] }
}

fn strictness(report: &Report, words: &Words) -> String {
    let plan = &report.plan;
    words.format(
        "text-method-strict",
        &[
            ("durability", plan.durability.name().into()),
            ("cache", plan.read_cache.name().into()),
            ("data", plan.data.to_string().into()),
        ],
    )
}

fn rounds(report: &Report, words: &Words) -> String {
    let counted = report.samples.iter().filter(|sample| sample.counts());
    let done = counted.map(|sample| sample.round).collect::<BTreeSet<u32>>().len();
    let Rounds { at_least, at_most, precision, budget_ns } = report.plan.rounds;
    if at_least == at_most {
        return words.format("text-method-rounds-fixed", &[("done", done.into()), ("most", at_most.into())]);
    }
    words.format(
        "text-method-rounds",
        &[
            ("done", done.into()),
            ("least", at_least.into()),
            ("most", at_most.into()),
            ("precision", number::percent(precision, words).into()),
            ("budget", number::span(budget_ns, words).into()),
        ],
    )
}

fn waits(report: &Report, words: &Words) -> String {
    words.format(
        "text-method-waits",
        &[
            ("settle", number::span(report.plan.settle_ns, words).into()),
            ("pause", number::span(report.plan.pause_ns, words).into()),
        ],
    )
}

fn made(report: &Report, words: &Words) -> String {
    words.format(
        "text-method-made",
        &[
            ("profile", report.plan.profile.name().into()),
            ("version", (&report.tool.version).into()),
            ("host", host(&report.host).into()),
            ("date", report.started.strftime("%Y-%m-%d %H:%M").to_string().into()),
        ],
    )
}

fn host(host: &Host) -> String {
    let version = host.os_version.iter().map(String::as_str);
    let parts: Vec<&str> =
        std::iter::once(host.os.as_str()).chain(version).chain(std::iter::once(host.arch.as_str())).collect();
    parts.join(" ")
}
