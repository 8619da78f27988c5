//! What a history can do, whatever keeps it.

use std::future::Future;

use sharemark_model::{HistoryEntry, Report, Sample};

use crate::HistoryError;

/// A place where runs are kept. A run is begun, gains its samples one by one as they are measured, and is finished;
/// one that was killed between stays as far as it came.
///
/// Every method either does the whole of what it says or nothing. After an error the caller may go on calling:
/// [`finish`](Self::finish) brings what is kept to what the final report holds, whatever was missed before.
pub trait History {
    /// Keeps a new run: its report as it is before the first sample (samples it already holds are kept as well).
    ///
    /// # Errors
    /// [`HistoryError::AlreadyKept`] when a run of this identifier is kept, [`HistoryError::Unwritable`] when the
    /// report holds what its own JSON cannot (an infinite rate), or the storage's refusal.
    fn begin(&self, report: &Report) -> impl Future<Output = Result<(), HistoryError>> + Send;

    /// Adds one sample at the end of a run that was begun. When this returns `Ok`, the sample is on the disk.
    ///
    /// # Errors
    /// [`HistoryError::UnknownRun`] when the run was not begun, [`HistoryError::Unwritable`] as for
    /// [`begin`](Self::begin), or the storage's refusal.
    fn append(&self, id: &str, sample: &Sample) -> impl Future<Output = Result<(), HistoryError>> + Send;

    /// Replaces a run's report by its final one, in one step. Samples that are kept as the report has them are left
    /// alone; from the first that is missing, different or too many on, they are made to agree with it. A run that
    /// was never begun is kept now.
    ///
    /// # Errors
    /// [`HistoryError::Unwritable`] as for [`begin`](Self::begin), or the storage's refusal.
    fn finish(&self, report: &Report) -> impl Future<Output = Result<(), HistoryError>> + Send;

    /// The run of this identifier, or the only one whose identifier begins so. A run that was killed has neither an
    /// end nor summaries, but all the samples that were added.
    ///
    /// # Errors
    /// [`HistoryError::UnknownRun`] when there is none, [`HistoryError::Ambiguous`] with the candidates when there
    /// are several, [`HistoryError::Unreadable`] when what is kept is no report this version can read, or the
    /// storage's refusal.
    fn load(&self, id_or_prefix: &str) -> impl Future<Output = Result<Report, HistoryError>> + Send;

    /// The newest runs, at most `limit`, newest first. The summaries are those of the final report: a run that was
    /// killed has none, and [`load`](Self::load) gives the samples to make them from. A run whose document is damaged
    /// is listed without targets and summaries; `load` says what is wrong with it.
    ///
    /// # Errors
    /// The storage's refusal.
    fn list(&self, limit: u32) -> impl Future<Output = Result<Vec<HistoryEntry>, HistoryError>> + Send;

    /// Closes the history in good order. Everything that was answered `Ok` is kept without it.
    ///
    /// # Errors
    /// The storage's refusal.
    fn close(self) -> impl Future<Output = Result<(), HistoryError>> + Send;
}
