-- Notices of everything that concerns a registered player while they were elsewhere, no longer of moderators alone. See migrations/sqlite
-- for what each column is for. An older server goes on beside this: what it writes is complete here, and it cannot show the new kinds
-- (its list of notices fails for a player who has one).
--
-- Locks: new columns without a default are a change of the catalogue alone; the indices are built on a table that has few rows.

ALTER TABLE notices ADD COLUMN about   text COLLATE "C";
ALTER TABLE notices ADD COLUMN by_id   text COLLATE "C";
ALTER TABLE notices ADD COLUMN data    text;
ALTER TABLE notices ADD COLUMN read_ms bigint;

CREATE UNIQUE INDEX notices_about ON notices (about, player_id) WHERE about IS NOT NULL;
CREATE INDEX notices_created ON notices (created_ms, id);

INSERT INTO counters (name, value) VALUES ('lapsed', 0);
