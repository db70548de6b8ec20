-- What a player sees of their sessions, and tokens for programs. An older server goes on beside this: it leaves the new columns alone.

ALTER TABLE sessions ADD COLUMN label TEXT NOT NULL DEFAULT ''; -- which browser it was, in a few words, so that its owner knows it again
ALTER TABLE sessions ADD COLUMN last_used_ms INTEGER;           -- when it was last shown, to the hour; null where it never was since
-- The list of one player's sessions.
CREATE INDEX sessions_player ON sessions (player_id);

CREATE TABLE tokens (
    id           TEXT    NOT NULL PRIMARY KEY,             -- names the token without giving it away
    token_hash   BLOB    NOT NULL UNIQUE,                  -- SHA-256 of the token: who reads this table cannot use it
    player_id    TEXT    NOT NULL REFERENCES players (id), -- for whom it speaks
    name         TEXT    NOT NULL,                         -- what its owner calls it
    scopes       TEXT    NOT NULL,                         -- what it may do: words with a space between
    created_ms   INTEGER NOT NULL,                         -- the order of the list
    expires_ms   INTEGER NOT NULL,                         -- from then on it is worth nothing
    last_used_ms INTEGER                                   -- when it was last shown, to the hour; null where it never was
) STRICT;

-- The list of one player's tokens.
CREATE INDEX tokens_player ON tokens (player_id, created_ms);
