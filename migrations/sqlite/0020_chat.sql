-- Chat of the players and of the spectators of a match (docs/decisions/0021-chat.md). An older server goes on beside this: it leaves the
-- new columns alone, so a match that it makes from a challenge has no chat of its players.

ALTER TABLE players ADD COLUMN chat INTEGER NOT NULL DEFAULT 0;  -- whether the account has switched chat on
ALTER TABLE players ADD COLUMN chat_muted_until_ms INTEGER;      -- until when the account writes no lines; the largest number for good; null for never

ALTER TABLE matches ADD COLUMN by_challenge INTEGER NOT NULL DEFAULT 0; -- whether the players have chosen each other: by a challenge that is no seek, or by a rematch

CREATE TABLE chat_lines (
    match_id   TEXT    NOT NULL REFERENCES matches (id), -- of which match
    room       TEXT    NOT NULL,                         -- of the players, or of the spectators, as a code
    number     INTEGER NOT NULL,                         -- the order in the room, from 1 without a gap
    player_id  TEXT    REFERENCES players (id),          -- the author; null where the account was deleted
    text       TEXT    NOT NULL,                         -- plain text; empty where the account was deleted
    created_ms INTEGER NOT NULL,                         -- when it was written
    removed_by TEXT    REFERENCES players (id),          -- which moderator has removed it; null while it is shown
    removed_ms INTEGER,                                  -- when
    PRIMARY KEY (match_id, room, number)
) STRICT, WITHOUT ROWID;

-- What an account has written: it goes with the account.
CREATE INDEX chat_lines_player ON chat_lines (player_id) WHERE player_id IS NOT NULL;
-- What is old enough to be deleted.
CREATE INDEX chat_lines_created ON chat_lines (created_ms);

CREATE TABLE chat_mutes (
    player_id  TEXT    NOT NULL REFERENCES players (id), -- the reader
    muted_id   TEXT    NOT NULL REFERENCES players (id), -- whose lines the reader does not see
    created_ms INTEGER NOT NULL,                         -- the order of the list
    PRIMARY KEY (player_id, muted_id)
) STRICT, WITHOUT ROWID;

-- What refers to an account that is deleted.
CREATE INDEX chat_mutes_muted ON chat_mutes (muted_id);

ALTER TABLE reports ADD COLUMN chat_room   TEXT;    -- a report of a line: in which room of the match
ALTER TABLE reports ADD COLUMN chat_number INTEGER; -- and its number
