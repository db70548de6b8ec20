-- A player's appeal against the resolution of a report. See migrations/sqlite for what each column is for. An older server goes on beside this:
-- it leaves the new columns alone, takes no appeal and shows none, and its list of notices fails for a player who has one of the new kinds.
--
-- Locks: new columns without a default are a change of the catalogue alone; the reference is checked on a table that has few rows, and so
-- are the indices built.
ALTER TABLE reports ADD COLUMN until_ms        bigint;
ALTER TABLE reports ADD COLUMN appeal          text;
ALTER TABLE reports ADD COLUMN appeal_ms       bigint;
ALTER TABLE reports ADD COLUMN appeal_by       text COLLATE "C" REFERENCES players (id);
ALTER TABLE reports ADD COLUMN appeal_end_ms   bigint;
ALTER TABLE reports ADD COLUMN appeal_accepted boolean;
ALTER TABLE reports ADD COLUMN appeal_note     text;

CREATE INDEX reports_appeals ON reports (appeal_ms, id) WHERE appeal_ms IS NOT NULL AND appeal_end_ms IS NULL;
CREATE INDEX reports_appeals_decided ON reports (appeal_end_ms DESC, id DESC) WHERE appeal_end_ms IS NOT NULL;
