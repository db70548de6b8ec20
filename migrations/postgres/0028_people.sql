-- Follows, blocks, and from whom a player takes challenges by name (docs/people.md). See migrations/sqlite for what each column is for.
-- An older server goes on beside this: it leaves the tables and columns alone, and so makes matches between players of whom one has
-- blocked the other.
--
-- Locks: new columns are changes of the catalogue alone; the indexes are on new tables.

ALTER TABLE players ADD COLUMN challenges_from text COLLATE "C";
ALTER TABLE players ADD COLUMN challenge_min_rating bigint;
ALTER TABLE players ADD COLUMN challenge_max_rating bigint;

CREATE TABLE follows (
    player_id   text COLLATE "C" NOT NULL REFERENCES players (id),
    followed_id text COLLATE "C" NOT NULL REFERENCES players (id),
    created_ms  bigint           NOT NULL,
    PRIMARY KEY (player_id, followed_id)
);

CREATE INDEX follows_by_time ON follows (player_id, created_ms DESC, followed_id DESC);
CREATE INDEX follows_followed ON follows (followed_id, created_ms DESC, player_id DESC);

CREATE TABLE blocks (
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id),
    blocked_id text COLLATE "C" NOT NULL REFERENCES players (id),
    created_ms bigint           NOT NULL,
    PRIMARY KEY (player_id, blocked_id)
);

CREATE INDEX blocks_by_time ON blocks (player_id, created_ms DESC, blocked_id DESC);
CREATE INDEX blocks_blocked ON blocks (blocked_id);
