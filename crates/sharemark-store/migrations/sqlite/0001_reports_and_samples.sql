-- Times are nanoseconds since 1970-01-01T00:00:00 UTC. The documents are the report's JSON (schema in the document);
-- the columns beside them repeat what is searched for or sorted by, and the documents are what is true.

CREATE TABLE reports (
    id           TEXT    NOT NULL PRIMARY KEY,
    started      INTEGER NOT NULL,
    finished     INTEGER,
    partial      INTEGER NOT NULL CHECK (partial IN (0, 1)),
    tool_version TEXT    NOT NULL,
    -- The report without its samples.
    head         TEXT    NOT NULL
) STRICT;

-- The newest runs first.
CREATE INDEX reports_by_start ON reports (started, id);

CREATE TABLE samples (
    report_id        TEXT    NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    -- The place in the report's list, counted from 0.
    ordinal          INTEGER NOT NULL CHECK (ordinal >= 0),
    target           TEXT    NOT NULL,
    workload         TEXT    NOT NULL,
    round            INTEGER NOT NULL,
    started          INTEGER NOT NULL,
    bytes_per_second REAL    NOT NULL,
    partial          INTEGER NOT NULL CHECK (partial IN (0, 1)),
    document         TEXT    NOT NULL,
    PRIMARY KEY (report_id, ordinal)
) STRICT;

-- How one workload at one target went over the months.
CREATE INDEX samples_by_target ON samples (target, workload, started);
