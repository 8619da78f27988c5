//! Whether two reports measured the same thing.

use sharemark_model::{CacheUse, Difference, Host, Plan, Quantity, Report, Sample, Workload};

/// What two plans differ in, but for their targets and rounds: more rounds make a rate surer, and no other.
///
/// Durability and read cache are told here as they were asked for, whatever the workloads; [`compare_reports`] tells them
/// where they matter.
///
/// [`compare_reports`]: crate::compare_reports
#[must_use]
pub fn plan_differences(a: &Plan, b: &Plan) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut told = |differs: bool, difference: Difference| {
        if differs {
            found.push(difference);
        }
    };
    // What concerns none of the workloads of both is no difference.
    let both: Vec<Workload> =
        a.workloads.iter().filter(|workload| b.workloads.contains(workload)).copied().collect();
    told(a.size != b.size, Difference::Size { a: a.size, b: b.size });
    told(a.time_ns != b.time_ns, Difference::TimeLimit { a: a.time_ns, b: b.time_ns });
    told(a.block != b.block, Difference::Block { a: a.block, b: b.block });
    told(a.depth != b.depth, Difference::Depth { a: a.depth, b: b.depth });
    told(a.durability != b.durability, Difference::Durability { a: a.durability, b: b.durability });
    told(a.read_cache != b.read_cache, Difference::ReadCache { a: a.read_cache, b: b.read_cache });
    told(a.data != b.data, Difference::Data { a: a.data, b: b.data });
    told(
        a.workloads != b.workloads,
        Difference::Workloads { a: a.workloads.clone(), b: b.workloads.clone() },
    );
    told(a.files != b.files, Difference::Files { a: a.files, b: b.files });
    told(a.file_mix != b.file_mix, Difference::FileMix { a: a.file_mix, b: b.file_mix });
    told(a.settle_ns != b.settle_ns, Difference::Settle { a: a.settle_ns, b: b.settle_ns });
    told(a.pause_ns != b.pause_ns, Difference::Pause { a: a.pause_ns, b: b.pause_ns });
    told(a.wishes != b.wishes, Difference::Connections { a: a.wishes.clone(), b: b.wishes.clone() });
    found.retain(|difference| both.is_empty() || both.iter().any(|workload| concerns(difference, *workload)));
    found
}

/// Whether a difference of two plans has a part in this workload's rate: a workload with a block and depth of its own is not
/// concerned by the plans', and small files have sizes of their own.
pub(super) fn concerns(difference: &Difference, workload: Workload) -> bool {
    let small = workload.quantity() == Quantity::Operations;
    match difference {
        Difference::Block { .. } | Difference::Depth { .. } => workload.shape.is_none(),
        Difference::Size { .. } => !small,
        Difference::Files { .. } | Difference::FileMix { .. } => small,
        _ => true,
    }
}

/// What the programs and machines differ in.
pub(super) fn circumstances(a: &Report, b: &Report) -> Vec<Difference> {
    let mut found = Vec::new();
    let (of_a, of_b) = (host(&a.host), host(&b.host));
    if of_a != of_b {
        found.push(Difference::Host { a: of_a, b: of_b });
    }
    if a.tool.version != b.tool.version {
        found.push(Difference::Version { a: a.tool.version.clone(), b: b.tool.version.clone() });
    }
    found
}

/// What tells machines apart; a newer version of the same system is another one.
fn host(host: &Host) -> String {
    let version = host.os_version.as_deref().unwrap_or("-");
    format!("{} {version} {} ({})", host.os, host.arch, host.cores)
}

/// The samples of one workload at one target that count.
pub(super) struct Measured<'a> {
    pub(super) label: &'a str,
    pub(super) samples: Vec<&'a Sample>,
}

impl<'a> Measured<'a> {
    /// In the order of their rounds.
    pub(super) fn of(report: &'a Report, label: &'a str, workload: Workload) -> Self {
        let mut samples: Vec<&Sample> = report
            .samples
            .iter()
            .filter(|sample| sample.target == label && sample.workload == workload && sample.counts())
            .collect();
        samples.sort_by_key(|sample| (sample.round, sample.started));
        Self { label, samples }
    }

    /// The weakest of the ways taken.
    fn weakest<T: Ord>(&self, way: impl Fn(&CacheUse) -> Option<T>) -> Option<T> {
        self.samples.iter().filter_map(|sample| way(&sample.cache)).max()
    }
}

/// What two targets differ in within one workload, by what was done in effect: the plans' differences that matter there,
/// and the ways past the cache.
pub(super) fn in_effect(
    workload: Workload,
    a: &Measured<'_>,
    b: &Measured<'_>,
    plans: &[Difference],
) -> Vec<Difference> {
    let target = || a.label.to_owned();
    if a.samples.is_empty() || b.samples.is_empty() {
        return vec![Difference::Unmeasured { target: target(), workload }];
    }
    let writes = a.weakest(|cache| cache.write).zip(b.weakest(|cache| cache.write));
    let reads = a.weakest(|cache| cache.read).zip(b.weakest(|cache| cache.read));
    let matters = |difference: &&Difference| match difference {
        Difference::Durability { .. } => writes.is_some(),
        Difference::ReadCache { .. } => reads.is_some(),
        other => concerns(other, workload),
    };
    let mut found: Vec<Difference> = plans.iter().filter(matters).cloned().collect();
    if let Some((a, b)) = writes.filter(|(a, b)| a != b) {
        found.push(Difference::WriteMode { target: target(), workload, a, b });
    }
    if let Some((a, b)) = reads.filter(|(a, b)| a != b) {
        found.push(Difference::ReadMode { target: target(), workload, a, b });
    }
    found
}
