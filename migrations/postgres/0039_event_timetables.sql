-- Timetables of events (docs/events.md). See migrations/sqlite for what each column is for. An older server goes on beside this: it leaves the table
-- alone, and makes no event of a timetable.
--
-- Locks: a new table, with references to clubs and players; a column without a default and an index of no rows in the table of events.

CREATE TABLE event_timetables (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    every text COLLATE "C" NOT NULL,
    weekdays text COLLATE "C" NOT NULL,
    at_minute bigint NOT NULL,
    zone text COLLATE "C" NOT NULL,
    terms text COLLATE "C" NOT NULL,
    password_hash text COLLATE "C",
    club_id text COLLATE "C" REFERENCES clubs (id) ON DELETE CASCADE,
    by_id text COLLATE "C" NOT NULL REFERENCES players (id),
    created_ms bigint NOT NULL,
    last_ms bigint NOT NULL
);

CREATE INDEX event_timetables_due ON event_timetables (last_ms);
CREATE INDEX event_timetables_club ON event_timetables (club_id);
CREATE INDEX event_timetables_by ON event_timetables (by_id);

ALTER TABLE events ADD COLUMN timetable_id text COLLATE "C" REFERENCES event_timetables (id) ON DELETE SET NULL;

CREATE UNIQUE INDEX events_timetable ON events (timetable_id, start_ms) WHERE timetable_id IS NOT NULL;
