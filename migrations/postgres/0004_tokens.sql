-- What a player sees of their sessions, and tokens for programs. An older server goes on beside this: it leaves the new columns alone.

ALTER TABLE sessions ADD COLUMN label text NOT NULL DEFAULT ''; -- which browser it was, in a few words, so that its owner knows it again
ALTER TABLE sessions ADD COLUMN last_used_ms bigint;            -- when it was last shown, to the hour; null where it never was since
-- The list of one player's sessions.
CREATE INDEX sessions_player ON sessions (player_id);

CREATE TABLE tokens (
    id           text COLLATE "C" NOT NULL PRIMARY KEY,             -- names the token without giving it away
    token_hash   bytea  NOT NULL UNIQUE,                  -- SHA-256 of the token: who reads this table cannot use it
    player_id    text COLLATE "C" NOT NULL REFERENCES players (id), -- for whom it speaks
    name         text   NOT NULL,                         -- what its owner calls it
    scopes       text   NOT NULL,                         -- what it may do: words with a space between
    created_ms   bigint NOT NULL,                         -- the order of the list
    expires_ms   bigint NOT NULL,                         -- from then on it is worth nothing
    last_used_ms bigint                                   -- when it was last shown, to the hour; null where it never was
);

-- The list of one player's tokens.
CREATE INDEX tokens_player ON tokens (player_id, created_ms);
