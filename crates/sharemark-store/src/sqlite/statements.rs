//! The statements on the two tables. Their placeholders are numbered with `$`, which PostgreSQL reads as well.

use sharemark_model::{Report, Sample};
use sqlx::{Result, SqliteConnection};

use crate::document::{ReportRow, nanoseconds};

/// Keeps a new run; one of the same identifier is an error.
pub(crate) const INSERT_HEAD: &str = "\
    INSERT INTO reports (id, started, finished, partial, tool_version, head) VALUES ($1, $2, $3, $4, $5, $6)";

/// Keeps a run, new or not.
pub(crate) const REPLACE_HEAD: &str = "\
    INSERT INTO reports (id, started, finished, partial, tool_version, head) VALUES ($1, $2, $3, $4, $5, $6) \
    ON CONFLICT (id) DO UPDATE SET started = excluded.started, finished = excluded.finished, \
    partial = excluded.partial, tool_version = excluded.tool_version, head = excluded.head";

/// The next ordinal is found in the same statement that uses it, so that no other writer can come between.
const APPEND_SAMPLE: &str = "\
    INSERT INTO samples \
    (report_id, ordinal, target, workload, round, started, bytes_per_second, partial, document) \
    SELECT $1, COALESCE(MAX(ordinal) + 1, 0), $2, $3, $4, $5, $6, $7, $8 FROM samples WHERE report_id = $1";

/// The beginning is compared as text: in LIKE a `_` of an identifier would stand for any character.
const CANDIDATES: &str = "\
    SELECT id FROM reports WHERE $1 <> '' AND substr(id, 1, length($1)) = $1 ORDER BY started DESC, id DESC";

const NEWEST: &str = "\
    SELECT id, started, finished, partial, head FROM reports ORDER BY started DESC, id DESC LIMIT $1";

/// Runs [`INSERT_HEAD`] or [`REPLACE_HEAD`].
pub(crate) async fn put_head(
    connection: &mut SqliteConnection,
    statement: &'static str,
    report: &Report,
    head: &str,
) -> Result<()> {
    sqlx::query(statement)
        .bind(&report.id)
        .bind(nanoseconds(report.started))
        .bind(report.finished.map(nanoseconds))
        .bind(report.partial)
        .bind(&report.tool.version)
        .bind(head)
        .execute(connection)
        .await?;
    Ok(())
}

/// Adds a sample after the last one of its run.
pub(crate) async fn append_sample(
    connection: &mut SqliteConnection,
    id: &str,
    sample: &Sample,
    document: &str,
) -> Result<()> {
    sqlx::query(APPEND_SAMPLE)
        .bind(id)
        .bind(&sample.target)
        .bind(sample.workload.to_string())
        .bind(sample.round)
        .bind(nanoseconds(sample.started))
        .bind(sample.bytes_per_second.0)
        .bind(sample.partial)
        .bind(document)
        .execute(connection)
        .await?;
    Ok(())
}

/// The ordinals and documents of a run's samples, in their order.
pub(crate) async fn stored_samples(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Vec<(i64, String)>> {
    sqlx::query_as("SELECT ordinal, document FROM samples WHERE report_id = $1 ORDER BY ordinal")
        .bind(id)
        .fetch_all(connection)
        .await
}

/// Removes a run's samples from this ordinal on.
pub(crate) async fn remove_samples_from(
    connection: &mut SqliteConnection,
    id: &str,
    ordinal: i64,
) -> Result<()> {
    sqlx::query("DELETE FROM samples WHERE report_id = $1 AND ordinal >= $2")
        .bind(id)
        .bind(ordinal)
        .execute(connection)
        .await?;
    Ok(())
}

/// The runs that a text can mean: the one whose identifier it is, or else those whose identifiers begin with it,
/// newest first. No text means no run.
pub(crate) async fn candidates(connection: &mut SqliteConnection, prefix: &str) -> Result<Vec<String>> {
    let found: Vec<String> = sqlx::query_scalar(CANDIDATES).bind(prefix).fetch_all(connection).await?;
    Ok(match found.iter().find(|id| *id == prefix) {
        Some(exact) => vec![exact.clone()],
        None => found,
    })
}

/// The document of a run without its samples.
pub(crate) async fn stored_head(connection: &mut SqliteConnection, id: &str) -> Result<String> {
    sqlx::query_scalar("SELECT head FROM reports WHERE id = $1").bind(id).fetch_one(connection).await
}

/// The newest runs, newest first.
pub(crate) async fn newest(connection: &mut SqliteConnection, limit: u32) -> Result<Vec<ReportRow>> {
    let rows: Vec<(String, i64, Option<i64>, bool, String)> =
        sqlx::query_as(NEWEST).bind(i64::from(limit)).fetch_all(connection).await?;
    let row = |(id, started, finished, partial, head)| ReportRow { id, started, finished, partial, head };
    Ok(rows.into_iter().map(row).collect())
}
