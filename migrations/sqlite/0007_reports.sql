-- Reports of players, and what moderators let players know. An older server goes on beside this: it leaves the new columns alone, and
-- so lets a muted player speak and keeps out an account whose time is over.

ALTER TABLE players ADD COLUMN muted_until_ms    INTEGER; -- until when the player says no phrases; the largest number for good; null for never
ALTER TABLE players ADD COLUMN disabled_until_ms INTEGER; -- until when nobody gets in; null for good, where disabled_ms is set

-- Whose time is over.
CREATE INDEX players_disabled_until ON players (disabled_until_ms) WHERE disabled_until_ms IS NOT NULL;

-- Whom no leaderboard shows.
CREATE INDEX players_disabled ON players (id) WHERE disabled_ms IS NOT NULL;

CREATE TABLE reports (
    id          TEXT    NOT NULL PRIMARY KEY,             -- names it in addresses
    reporter_id TEXT    NOT NULL REFERENCES players (id), -- who reports
    reported_id TEXT    NOT NULL REFERENCES players (id), -- whom
    reason      TEXT    NOT NULL,                         -- what for, as a code
    text        TEXT    NOT NULL,                         -- in their own words; may be empty
    match_id    TEXT    REFERENCES matches (id),          -- where it happened; null where in no match
    created_ms  INTEGER NOT NULL,                         -- the order of the queue
    taken_by    TEXT    REFERENCES players (id),          -- which moderator looks into it, so that no two do; null while none does
    taken_ms    INTEGER,                                  -- since when: who takes one and goes to bed does not keep it
    resolved_by TEXT    REFERENCES players (id),          -- which moderator has resolved it
    resolved_ms INTEGER,                                  -- when; null while it is open
    resolution  TEXT,                                     -- what was done, as a code
    why         TEXT                                      -- why, in the moderator's words
) STRICT;

-- One open report of one by one.
CREATE UNIQUE INDEX reports_pair ON reports (reporter_id, reported_id) WHERE resolved_ms IS NULL;
-- The queue, and what came of it; of all players and of one.
CREATE INDEX reports_open ON reports (created_ms, id) WHERE resolved_ms IS NULL;
CREATE INDEX reports_open_about ON reports (reported_id, created_ms, id) WHERE resolved_ms IS NULL;
CREATE INDEX reports_resolved ON reports (resolved_ms DESC, id DESC) WHERE resolved_ms IS NOT NULL;
CREATE INDEX reports_resolved_about ON reports (reported_id, resolved_ms DESC, id DESC) WHERE resolved_ms IS NOT NULL;

CREATE TABLE notices (
    id         TEXT    NOT NULL PRIMARY KEY,             -- names it in addresses
    player_id  TEXT    NOT NULL REFERENCES players (id), -- whom it is for
    kind       TEXT    NOT NULL,                         -- what it is, as a code
    text       TEXT    NOT NULL,                         -- in the moderator's words
    until_ms   INTEGER,                                  -- until when it holds; null where it does not end by itself
    created_ms INTEGER NOT NULL                          -- the order of the list; the row goes when its player has read it
) STRICT;

-- What one player has not read yet.
CREATE INDEX notices_player ON notices (player_id, created_ms);

-- A leaderboard is walked from its first rank on, also to a page far down: the index has all that decides who is ranked, so that ranks that
-- are passed over cost no look at their rows. It begins as the old one does.
CREATE INDEX ratings_ranks ON ratings (game, speed, rating DESC, player_id, deviation);
DROP INDEX ratings_board;
