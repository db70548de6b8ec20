-- Reports of players, and what moderators let players know. See migrations/sqlite for what each column is for.
-- An older server goes on beside this: it leaves the new columns alone, and so lets a muted player speak and keeps out an account whose
-- time is over.
--
-- Locks: a new column without a default is a change of the catalogue alone. Building the index keeps writers of `ratings` waiting (a
-- finished match is counted some seconds later, nothing is lost), not readers: about a second for a million ratings. The old index goes
-- last, for which readers wait no longer than the commit takes.

ALTER TABLE players ADD COLUMN muted_until_ms    bigint;
ALTER TABLE players ADD COLUMN disabled_until_ms bigint;

-- Whose time is over.
CREATE INDEX players_disabled_until ON players (disabled_until_ms) WHERE disabled_until_ms IS NOT NULL;

-- Whom no leaderboard shows.
CREATE INDEX players_disabled ON players (id) WHERE disabled_ms IS NOT NULL;

CREATE TABLE reports (
    id          text COLLATE "C" NOT NULL PRIMARY KEY,
    reporter_id text COLLATE "C" NOT NULL REFERENCES players (id),
    reported_id text COLLATE "C" NOT NULL REFERENCES players (id),
    reason      text             NOT NULL,
    text        text             NOT NULL,
    match_id    text COLLATE "C" REFERENCES matches (id),
    created_ms  bigint           NOT NULL,
    taken_by    text COLLATE "C" REFERENCES players (id),
    taken_ms    bigint,
    resolved_by text COLLATE "C" REFERENCES players (id),
    resolved_ms bigint,
    resolution  text,
    why         text
);

CREATE UNIQUE INDEX reports_pair ON reports (reporter_id, reported_id) WHERE resolved_ms IS NULL;
CREATE INDEX reports_open ON reports (created_ms, id) WHERE resolved_ms IS NULL;
CREATE INDEX reports_open_about ON reports (reported_id, created_ms, id) WHERE resolved_ms IS NULL;
CREATE INDEX reports_resolved ON reports (resolved_ms DESC, id DESC) WHERE resolved_ms IS NOT NULL;
CREATE INDEX reports_resolved_about ON reports (reported_id, resolved_ms DESC, id DESC) WHERE resolved_ms IS NOT NULL;

CREATE TABLE notices (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id),
    kind       text             NOT NULL,
    text       text             NOT NULL,
    until_ms   bigint,
    created_ms bigint           NOT NULL
);

CREATE INDEX notices_player ON notices (player_id, created_ms);

CREATE INDEX ratings_ranks ON ratings (game, speed, rating DESC, player_id, deviation);
DROP INDEX ratings_board;
