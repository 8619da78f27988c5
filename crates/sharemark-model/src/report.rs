//! The one document: plan, samples, summaries, comparisons and findings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Bytes, Comparison, Evidence, Failure, MountFacts, Plan, Rate, ReadMode, Sample, Summary, Warning,
    WriteMode,
};

/// The version of the report's JSON. Names are final; fields may be added without a new version.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything one run found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of this document's shape.
    pub schema: u32,
    /// What made it.
    pub tool: Tool,
    /// The run's identifier: its start in UTC and four random characters.
    pub id: String,
    /// When the run began.
    #[schemars(with = "String")]
    pub started: jiff::Timestamp,
    /// When it ended; `null` while it runs, and for ever if it was killed.
    #[schemars(with = "Option<String>")]
    pub finished: Option<jiff::Timestamp>,
    /// The run did not come to its planned end, or a sample was refused.
    pub partial: bool,
    /// What ended the run early; `null` otherwise.
    pub error: Option<Failure>,
    /// The machine it ran on.
    pub host: Host,
    /// What was asked.
    pub plan: Plan,
    /// The targets, in the plan's order.
    pub targets: Vec<TargetReport>,
    /// Every measurement, in the order made.
    pub samples: Vec<Sample>,
    /// What they amount to.
    pub summary: Vec<Summary>,
    /// Targets against each other.
    pub comparisons: Vec<Comparison>,
    /// What limits the share, hypothesis by hypothesis.
    pub findings: Vec<Finding>,
    /// The layer that binds; `null` where it could not be told.
    pub limit: Option<Limit>,
}

/// What made a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Always `sharemark`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The machine a run was made on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// `linux`, `windows` or `macos`.
    pub os: String,
    /// The system's own version, where it tells.
    pub os_version: Option<String>,
    /// The processor's architecture.
    pub arch: String,
    /// How many processors the program may use.
    pub cores: u32,
}

/// A target as it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetReport {
    /// The name it goes by.
    pub label: String,
    /// Where the bytes are kept, as typed.
    pub location: String,
    /// `mount` for a folder.
    pub kind: String,
    /// What is known of the server; `null` when nothing is.
    pub server: Option<Evidence>,
    /// The mount a folder is on, by the system's own tables.
    pub mount: Option<MountFacts>,
    /// How the cache was dealt with in effect.
    pub cache: TargetCache,
    /// Bytes the user could write before the run; `null` when unknown.
    pub free_bytes: Option<Bytes>,
    /// What to keep in mind.
    pub warnings: Vec<Warning>,
}

/// How the cache was dealt with in effect at a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetCache {
    /// Writes.
    pub write: Option<WriteMode>,
    /// Reads.
    pub read: Option<ReadMode>,
}

/// A hypothesis and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its name.
    pub hypothesis: String,
    /// What became of it.
    pub status: FindingStatus,
    /// The numbers it rests on.
    pub evidence: Vec<FindingEvidence>,
    /// What to do.
    pub advice: Option<String>,
}

/// A number a finding rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingEvidence {
    /// What was looked at.
    pub what: String,
    /// What was seen.
    pub value: serde_json::Value,
    /// Its unit.
    pub unit: Option<String>,
}

/// What became of a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingStatus {
    /// The evidence speaks for it.
    Supported,
    /// The evidence speaks against it.
    RuledOut,
    /// The evidence does not decide.
    CannotTell,
}

/// The layer that binds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limit {
    /// The hypothesis that names it.
    pub hypothesis: String,
    /// The layer.
    pub layer: String,
    /// What each layer could carry.
    pub ceilings: Vec<Ceiling>,
    /// The one sentence.
    pub text: String,
}

/// What a layer could carry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ceiling {
    /// The layer.
    pub layer: String,
    /// What it could carry.
    pub bytes_per_second: Rate,
}

/// A text that is no report this version can read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is not JSON of a report's shape.
    #[error("not a report: {0}")]
    Shape(#[from] serde_json::Error),
    /// It was made by a newer sharemark.
    #[error("made by a newer sharemark: schema {0}, this one reads {SCHEMA_VERSION}")]
    Newer(u64),
}

impl Report {
    /// Reads a report of this or an earlier schema.
    ///
    /// # Errors
    /// When the text is not a report, or its schema is newer than this program.
    pub fn from_json(text: &str) -> Result<Self, ReportError> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        if let Some(schema) = value.get("schema").and_then(serde_json::Value::as_u64)
            && schema > u64::from(SCHEMA_VERSION)
        {
            return Err(ReportError::Newer(schema));
        }
        Ok(serde_json::from_value(value)?)
    }

    /// The report as indented JSON, ending in a line break.
    ///
    /// # Errors
    /// When a value of the evidence cannot be written as JSON, which none of this crate's types brings about.
    pub fn to_json(&self) -> Result<String, ReportError> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// All warnings of all targets.
    pub fn warnings(&self) -> impl Iterator<Item = (&TargetReport, &Warning)> {
        self.targets.iter().flat_map(|target| target.warnings.iter().map(move |warning| (target, warning)))
    }

    /// The summaries of one target.
    pub fn summaries_of(&self, label: &str) -> impl Iterator<Item = &Summary> {
        self.summary.iter().filter(move |summary| summary.target == label)
    }
}

/// The JSON Schema of [`Report`], as `sharemark schema` prints it.
#[must_use]
pub fn report_schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}
