-- Timetables of events (docs/events.md): each makes an event at its times. An older server goes on beside this: it leaves the table alone, and makes
-- no event of a timetable.

CREATE TABLE event_timetables (
    id            TEXT    NOT NULL PRIMARY KEY,
    every         TEXT    NOT NULL,                        -- a code
    weekdays      TEXT    NOT NULL,                        -- codes with spaces between; empty for each day
    at_minute     INTEGER NOT NULL,                        -- the local time, in minutes since midnight
    zone          TEXT    NOT NULL,                        -- the name of the time zone in the database of IANA
    terms         TEXT    NOT NULL,                        -- of its events, as JSON
    password_hash TEXT,                                    -- of the password for joining its events
    club_id       TEXT    REFERENCES clubs (id) ON DELETE CASCADE, -- the club whose officers own it; null for the operators of the server
    by_id         TEXT    NOT NULL REFERENCES players (id), -- the account that creates its events
    created_ms    INTEGER NOT NULL,
    last_ms       INTEGER NOT NULL                         -- the start of its last event, created_ms before the first one: then the next one is made
) STRICT, WITHOUT ROWID;

CREATE INDEX event_timetables_due ON event_timetables (last_ms);
CREATE INDEX event_timetables_club ON event_timetables (club_id);
CREATE INDEX event_timetables_by ON event_timetables (by_id);

ALTER TABLE events ADD COLUMN timetable_id TEXT REFERENCES event_timetables (id) ON DELETE SET NULL; -- the timetable that has made it

-- An occurrence has one event.
CREATE UNIQUE INDEX events_timetable ON events (timetable_id, start_ms) WHERE timetable_id IS NOT NULL;
