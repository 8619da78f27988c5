//! From what was typed to a plan.

use std::path::Path;
use std::time::Duration;

use clap::ArgMatches;
use sharemark_model::{
    Action, Bytes, DataKind, Durability, FileMix, Location, Nanoseconds, Plan, Profile, ReadCache, Rounds,
    Shape, TargetSpec, Workload, parse_duration,
};
use sharemark_report::{Words, usage as reasons};

use crate::access::Access;
use crate::access::wishes::wishes;
use crate::exit::Problem;
use crate::usage::invalid;

/// More memory than this is not taken for blocks: a NAS has little, and a machine that swaps measures its own disk.
const MOST_MEMORY: Bytes = Bytes::gibibytes(4);

/// The deepest queue: each place is a thread and a buffer.
const DEEPEST: u32 = 1024;

/// The plan that the arguments of `run` ask for.
///
/// # Errors
/// When a value is none, or the values do not fit together.
pub(crate) fn plan(
    matches: &ArgMatches,
    seed: u64,
    access: &Access<'_>,
    words: &Words,
) -> Result<Plan, Problem> {
    let typed = Typed { matches, words };
    let profile = typed.choice("profile", &Profile::ALL, Profile::name)?.unwrap_or_default();
    let mut plan = profile.plan(seed);
    plan.targets = targets(&typed, access)?;
    plan.durability = typed
        .choice(
            "durability",
            &[Durability::WriteThrough, Durability::Flush, Durability::Buffered],
            Durability::name,
        )?
        .unwrap_or(plan.durability);
    plan.read_cache = typed
        .choice("read-cache", &[ReadCache::Avoid, ReadCache::Allow], ReadCache::name)?
        .unwrap_or(plan.read_cache);
    plan.data = typed
        .parsed("data", |text| text.parse::<DataKind>().map_err(|error| reasons::data_kind(&error, words)))?
        .unwrap_or(plan.data);
    workloads(&typed, &mut plan)?;
    plan.wishes = wishes(&typed)?;
    sizes(&typed, &mut plan)?;
    times(&typed, &mut plan)?;
    if let Some(runs) = typed.count("runs")? {
        if runs == 0 {
            return Err(Problem::usage(words.text("cli-error-zero-runs")));
        }
        plan.rounds = Rounds { at_least: runs, at_most: runs, ..plan.rounds };
    }
    Ok(plan)
}

fn targets(typed: &Typed<'_>, access: &Access<'_>) -> Result<Vec<TargetSpec>, Problem> {
    let words = typed.words;
    let mut targets: Vec<TargetSpec> = Vec::new();
    for text in typed.matches.get_many::<String>("target").unwrap_or_default() {
        let target: TargetSpec = text.parse().map_err(|error| {
            let reason = reasons::location(&error, words);
            Problem::usage(invalid("TARGET", text, &reason, words))
        })?;
        let target = access.resolved(target)?;
        if targets.iter().any(|other| other.label == target.label) {
            let label = target.label.into();
            return Err(Problem::usage(words.format("cli-error-duplicate-label", &[("label", label)])));
        }
        targets.push(target);
    }
    Ok(targets)
}

/// How many bytes are under way with a protocol unless asked otherwise: as many as with a mount, whose client cuts a block
/// into such requests itself.
const REQUEST: Bytes = Bytes::mebibytes(1);
const REQUESTS: u32 = 8;

/// A folder of so many files is an accident.
const MOST_FILES: u32 = 100_000;

fn workloads(typed: &Typed<'_>, plan: &mut Plan) -> Result<(), Problem> {
    let words = typed.words;
    if let Some(list) = typed.parsed("workload", |text| {
        let mut list = Vec::new();
        for part in text.split(',').map(str::trim) {
            match part.strip_prefix("small-files") {
                // Five workloads in one word, at one depth.
                Some(depth) => {
                    let probe: Workload =
                        format!("files-write{depth}").parse().map_err(|_| reasons::workload(part, words))?;
                    list.extend(Workload::small_files(probe.shape.map_or(1, |shape| shape.depth)));
                }
                None => list.push(part.parse().map_err(|_| reasons::workload(part, words))?),
            }
        }
        let twice = (1..list.len()).find(|at| list[..*at].contains(&list[*at]));
        match twice {
            Some(at) => Err(words.format("cli-workload-twice", &[("text", list[at].to_string().into())])),
            None => Ok(list),
        }
    })? {
        plan.workloads = list;
    }
    plan.file_mix =
        typed.choice("mix", &[FileMix::Documents, FileMix::Photos], FileMix::name)?.unwrap_or(plan.file_mix);
    plan.files = typed.count("files")?.unwrap_or(plan.files);
    if plan.files == 0 || plan.files > MOST_FILES {
        let limit = MOST_FILES.to_string();
        return Err(Problem::usage(words.format("cli-error-files", &[("limit", limit.into())])));
    }
    let by_protocol = plan.targets.iter().any(|target| matches!(target.location, Location::Url { .. }));
    if by_protocol && plan.depth == 1 && plan.profile != Profile::Article {
        (plan.block, plan.depth) = (REQUEST, REQUESTS);
    }
    Ok(())
}

fn sizes(typed: &Typed<'_>, plan: &mut Plan) -> Result<(), Problem> {
    let words = typed.words;
    plan.size = typed.bytes("size")?.unwrap_or(plan.size);
    if plan.size == Bytes(0) {
        return Err(Problem::usage(words.text("cli-error-zero-size")));
    }
    let block = typed.bytes("block")?;
    if block == Some(Bytes(0)) {
        return Err(Problem::usage(words.text("cli-error-zero-block")));
    }
    // A block that nobody asked for follows the size; one that was asked for does not change behind the user's back.
    plan.block = block.unwrap_or_else(|| follows(plan.size, plan.block));
    if plan.block > plan.size {
        return Err(block_larger(plan.block, plan.size, words));
    }
    plan.depth = typed.count("depth")?.unwrap_or(plan.depth);
    let own = plan.workloads.iter().filter(|workload| !matches!(workload.action, Action::Files(_)));
    let own: Vec<Shape> = own.filter_map(|workload| workload.shape).collect();
    for shape in own.iter().chain(&[Shape { block: plan.block, depth: plan.depth }]) {
        fits_in_memory(*shape, words)?;
    }
    let larger = |workload: &&Workload| {
        let bytes = !matches!(workload.action, Action::Files(_));
        bytes && workload.shape.is_some_and(|shape| shape.block > plan.size)
    };
    if let Some(workload) = plan.workloads.iter().find(larger) {
        let values = [("workload", workload.to_string().into()), ("size", plan.size.to_string().into())];
        return Err(Problem::usage(words.format("cli-error-workload-block", &values)));
    }
    small_files_fit(plan, words)
}

/// As many of the largest files as are under way at once, and as many again beside the loop, are in memory.
fn small_files_fit(plan: &Plan, words: &Words) -> Result<(), Problem> {
    let largest = (0..plan.files).map(|number| plan.file_mix.size(number)).max().unwrap_or_default();
    for workload in plan.workloads.iter().filter(|workload| matches!(workload.action, Action::Files(_))) {
        let depth = workload.shape.map_or(1, |shape| shape.depth);
        // Half of what would be counted for a queue of blocks: the places are doubled here.
        fits_in_memory(Shape { block: largest, depth: depth.min(plan.files).saturating_mul(2) - 1 }, words)?;
    }
    Ok(())
}

fn block_larger(block: Bytes, size: Bytes, words: &Words) -> Problem {
    let suggestion = format!("--block {size}");
    Problem::usage(words.format(
        "cli-error-block-larger",
        &[
            ("block", block.to_string().into()),
            ("size", size.to_string().into()),
            ("suggestion", suggestion.into()),
        ],
    ))
}

fn fits_in_memory(shape: Shape, words: &Words) -> Result<(), Problem> {
    let Shape { block, depth } = shape;
    if depth == 0 || depth > DEEPEST {
        return Err(Problem::usage(words.format("cli-error-depth", &[("value", depth.to_string().into())])));
    }
    // The data beside those under way are about as much again.
    let needed = block.0.saturating_mul(u64::from(depth) + 1);
    if needed > MOST_MEMORY.0 {
        return Err(Problem::usage(words.format(
            "cli-error-memory",
            &[
                ("block", block.to_string().into()),
                ("depth", depth.into()),
                ("needed", Bytes(needed).to_string().into()),
                ("limit", MOST_MEMORY.to_string().into()),
            ],
        )));
    }
    Ok(())
}

/// The block for files smaller than the usual one: the size, as far as whole blocks of it can go past the cache.
fn follows(size: Bytes, usual: Bytes) -> Bytes {
    const PAGE: u64 = 4096;
    let smaller = size.min(usual);
    if smaller.0 < PAGE { smaller } else { Bytes(smaller.0 / PAGE * PAGE) }
}

fn times(typed: &Typed<'_>, plan: &mut Plan) -> Result<(), Problem> {
    if let Some(time) = typed.time("time")? {
        plan.time_ns = (!time.is_zero()).then(|| time.into());
    }
    let or = |time: Option<Duration>, default| time.map_or(default, Nanoseconds::from);
    plan.settle_ns = or(typed.time("settle")?, plan.settle_ns);
    plan.pause_ns = or(typed.time("pause")?, plan.pause_ns);
    plan.rounds.budget_ns = or(typed.time("budget")?, plan.rounds.budget_ns);
    plan.stall_ns = or(typed.time("stall")?, plan.stall_ns);
    if plan.stall_ns == Nanoseconds(0) {
        return Err(Problem::usage(typed.words.text("cli-error-zero-stall")));
    }
    Ok(())
}

/// The values that were typed.
pub(crate) struct Typed<'a> {
    pub(crate) matches: &'a ArgMatches,
    pub(crate) words: &'a Words,
}

impl Typed<'_> {
    fn parsed<T>(&self, id: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, Problem> {
        let Some(text) = self.matches.get_one::<String>(id) else { return Ok(None) };
        let wrong = |reason: String| Problem::usage(invalid(&format!("--{id}"), text, &reason, self.words));
        parse(text).map(Some).map_err(wrong)
    }

    fn bytes(&self, id: &str) -> Result<Option<Bytes>, Problem> {
        self.parsed(id, |text| text.parse().map_err(|error| reasons::unit(&error, self.words)))
    }

    fn time(&self, id: &str) -> Result<Option<Duration>, Problem> {
        self.parsed(id, |text| parse_duration(text).map_err(|error| reasons::unit(&error, self.words)))
    }

    pub(crate) fn count(&self, id: &str) -> Result<Option<u32>, Problem> {
        self.parsed(id, |text| text.trim().parse().map_err(|_| self.words.text("cli-error-not-a-count")))
    }

    /// The whole path of a file that is there.
    pub(crate) fn file(&self, id: &str) -> Result<Option<String>, Problem> {
        self.parsed(id, |text| {
            let path = std::path::absolute(Path::new(text)).map_err(|error| error.to_string())?;
            match path.metadata() {
                Ok(found) if found.is_dir() => return Err(self.words.text("cli-error-file-is-folder")),
                Ok(_) => {}
                Err(error) => {
                    let values = [("system", error.to_string().into())];
                    return Err(self.words.format("cli-error-no-file", &values));
                }
            }
            path.to_str().map(str::to_owned).ok_or_else(|| self.words.text("cli-error-not-text"))
        })
    }

    pub(crate) fn choice<T: Copy>(
        &self,
        id: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Problem> {
        self.parsed(id, |text| {
            all.iter().copied().find(|known| name(*known) == text).ok_or_else(|| {
                let choices: Vec<&str> = all.iter().map(|known| name(*known)).collect();
                self.words.format("cli-error-choice", &[("choices", choices.join(", ").into())])
            })
        })
    }
}
