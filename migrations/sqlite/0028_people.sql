-- Follows, blocks, and from whom a player takes challenges by name (docs/people.md). An older server goes on beside this: it leaves the
-- tables and columns alone, and so makes matches between players of whom one has blocked the other.

ALTER TABLE players ADD COLUMN challenges_from TEXT;         -- from whom challenges by name are taken, as a code; null: as `refuses_guests` says
ALTER TABLE players ADD COLUMN challenge_min_rating INTEGER; -- the lowest rating that may challenge by name; null for any
ALTER TABLE players ADD COLUMN challenge_max_rating INTEGER; -- the highest; null for any

CREATE TABLE follows (
    player_id   TEXT    NOT NULL REFERENCES players (id), -- who follows
    followed_id TEXT    NOT NULL REFERENCES players (id), -- whom
    created_ms  INTEGER NOT NULL,                         -- since when; the order of the lists
    PRIMARY KEY (player_id, followed_id)
) STRICT, WITHOUT ROWID;

-- A page of the players that one follows, and of a player's followers.
CREATE INDEX follows_by_time ON follows (player_id, created_ms DESC, followed_id DESC);
CREATE INDEX follows_followed ON follows (followed_id, created_ms DESC, player_id DESC);

CREATE TABLE blocks (
    player_id  TEXT    NOT NULL REFERENCES players (id), -- who has blocked
    blocked_id TEXT    NOT NULL REFERENCES players (id), -- whom
    created_ms INTEGER NOT NULL,                         -- since when; the order of the list
    PRIMARY KEY (player_id, blocked_id)
) STRICT, WITHOUT ROWID;

-- A page of the players that one has blocked.
CREATE INDEX blocks_by_time ON blocks (player_id, created_ms DESC, blocked_id DESC);
-- What refers to an account that is deleted.
CREATE INDEX blocks_blocked ON blocks (blocked_id);
