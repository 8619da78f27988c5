//! The history in one SQLite file.

mod file;
mod refusal;
mod schema;
mod statements;

use std::path::Path;
use std::time::Duration;

use sharemark_model::{HistoryEntry, Report, Sample};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::Mutex;

pub(crate) use self::file::IfMissing;
use self::refusal::refused;
use self::statements::{
    INSERT_HEAD, REPLACE_HEAD, append_sample, candidates, newest, put_head, remove_samples_from, stored_head,
    stored_samples,
};
use crate::document::{head_text, join, sample_text};
use crate::{History, HistoryError, Tried};

/// How long a statement waits for another program that is writing.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A history in one SQLite file. Several programs may have the same file open; each writes for the moment of one
/// statement. Within one handle the calls are served one after another.
#[derive(Debug)]
pub struct SqliteHistory {
    connection: Mutex<SqliteConnection>,
    place: String,
}

impl SqliteHistory {
    /// Opens the history, and makes it and the folders above it when it is not there. The new file is for its owner
    /// only. Tables of an earlier version are brought to this one.
    ///
    /// # Errors
    /// [`HistoryError::Newer`] and [`HistoryError::Foreign`] for a file that was left as it is, because it was made
    /// by a newer sharemark or another program; [`HistoryError::Refused`] with the cause otherwise.
    pub async fn open(path: &Path) -> Result<Self, HistoryError> {
        Self::open_with(path, IfMissing::Create, BUSY_TIMEOUT).await
    }

    /// Opens the history when there is one, as for reading it: a mistyped path makes no file.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`Cause::Missing`](crate::Cause::Missing) when nothing is there.
    pub async fn open_existing(path: &Path) -> Result<Self, HistoryError> {
        Self::open_with(path, IfMissing::Refuse, BUSY_TIMEOUT).await
    }

    pub(crate) async fn open_with(
        path: &Path,
        if_missing: IfMissing,
        busy_timeout: Duration,
    ) -> Result<Self, HistoryError> {
        let place = path.display().to_string();
        let path = file::find_or_create(path, &place, if_missing)?;
        let mut connection = file::connect(&path, &place, busy_timeout).await?;
        let migrated = schema::migrate(&mut connection, &place).await;
        if let Err(error) = migrated {
            // What was wrong with the file matters, not whether it could be closed well after that.
            let _ = connection.close().await;
            return Err(error);
        }
        Ok(Self { connection: Mutex::new(connection), place })
    }

    /// The file's path, as it was given.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    fn refused(&self, tried: Tried) -> impl Fn(sqlx::Error) -> HistoryError {
        move |error| refused(tried, &self.place, &error)
    }

    fn unknown(&self, id: &str) -> HistoryError {
        HistoryError::UnknownRun { place: self.place.clone(), id: id.to_owned() }
    }

    fn head_text(&self, report: &Report) -> Result<String, HistoryError> {
        head_text(report).map_err(|source| HistoryError::Unwritable {
            place: self.place.clone(),
            id: report.id.clone(),
            source,
        })
    }

    fn sample_text(&self, id: &str, sample: &Sample) -> Result<String, HistoryError> {
        sample_text(sample).map_err(|source| HistoryError::Unwritable {
            place: self.place.clone(),
            id: id.to_owned(),
            source,
        })
    }

    fn sample_texts(&self, report: &Report) -> Result<Vec<String>, HistoryError> {
        let text_of = |sample| self.sample_text(&report.id, sample);
        report.samples.iter().map(text_of).collect()
    }
}

impl History for SqliteHistory {
    async fn begin(&self, report: &Report) -> Result<(), HistoryError> {
        let refused = self.refused(Tried::Begin);
        let head = self.head_text(report)?;
        let samples = self.sample_texts(report)?;
        let mut connection = self.connection.lock().await;
        let mut writing = connection.begin_with("BEGIN IMMEDIATE").await.map_err(&refused)?;
        match put_head(&mut writing, INSERT_HEAD, report, &head).await {
            Err(sqlx::Error::Database(answer)) if answer.is_unique_violation() => {
                return Err(HistoryError::AlreadyKept { place: self.place.clone(), id: report.id.clone() });
            }
            other => other.map_err(&refused)?,
        }
        for (sample, text) in report.samples.iter().zip(&samples) {
            append_sample(&mut writing, &report.id, sample, text).await.map_err(&refused)?;
        }
        writing.commit().await.map_err(&refused)
    }

    async fn append(&self, id: &str, sample: &Sample) -> Result<(), HistoryError> {
        let text = self.sample_text(id, sample)?;
        let mut connection = self.connection.lock().await;
        // One statement outside of any transaction is a transaction of its own.
        match append_sample(&mut connection, id, sample, &text).await {
            Err(sqlx::Error::Database(answer)) if answer.is_foreign_key_violation() => Err(self.unknown(id)),
            other => other.map_err(self.refused(Tried::Append)),
        }
    }

    async fn finish(&self, report: &Report) -> Result<(), HistoryError> {
        let refused = self.refused(Tried::Finish);
        let head = self.head_text(report)?;
        let samples = self.sample_texts(report)?;
        let mut connection = self.connection.lock().await;
        let mut writing = connection.begin_with("BEGIN IMMEDIATE").await.map_err(&refused)?;
        put_head(&mut writing, REPLACE_HEAD, report, &head).await.map_err(&refused)?;
        let kept = stored_samples(&mut writing, &report.id).await.map_err(&refused)?;
        let same = kept.iter().zip(&samples).take_while(|((_, kept), wanted)| kept == *wanted).count();
        if let Some((ordinal, _)) = kept.get(same) {
            remove_samples_from(&mut writing, &report.id, *ordinal).await.map_err(&refused)?;
        }
        for (sample, text) in report.samples.iter().zip(&samples).skip(same) {
            append_sample(&mut writing, &report.id, sample, text).await.map_err(&refused)?;
        }
        writing.commit().await.map_err(&refused)
    }

    async fn load(&self, id_or_prefix: &str) -> Result<Report, HistoryError> {
        let refused = self.refused(Tried::Load);
        let mut connection = self.connection.lock().await;
        // One transaction, so that a run that ends meanwhile is seen whole: before or after.
        let mut reading = connection.begin().await.map_err(&refused)?;
        let mut candidates = candidates(&mut reading, id_or_prefix).await.map_err(&refused)?;
        if candidates.len() > 1 {
            return Err(HistoryError::Ambiguous {
                place: self.place.clone(),
                prefix: id_or_prefix.to_owned(),
                candidates,
            });
        }
        let id = candidates.pop().ok_or_else(|| self.unknown(id_or_prefix))?;
        let head = stored_head(&mut reading, &id).await.map_err(&refused)?;
        let samples = stored_samples(&mut reading, &id).await.map_err(&refused)?;
        let documents = samples.iter().map(|(_, document)| document.as_str());
        join(&head, documents).map_err(|source| HistoryError::Unreadable {
            place: self.place.clone(),
            id,
            source,
        })
    }

    async fn list(&self, limit: u32) -> Result<Vec<HistoryEntry>, HistoryError> {
        let mut connection = self.connection.lock().await;
        let rows = newest(&mut connection, limit).await.map_err(self.refused(Tried::List))?;
        Ok(rows.into_iter().map(HistoryEntry::from).collect())
    }

    async fn close(self) -> Result<(), HistoryError> {
        let Self { connection, place } = self;
        let closed = connection.into_inner().close().await;
        closed.map_err(|error| refused(Tried::Close, &place, &error))
    }
}

#[cfg(test)]
mod tests;
