-- Chat of the players and of the spectators of a match (docs/decisions/0021-chat.md). See migrations/sqlite for what each column is for.
-- An older server goes on beside this: it leaves the new columns alone, so a match that it makes from a challenge has no chat of its
-- players.
--
-- Locks: new columns, also with a constant default, are changes of the catalogue alone; the indexes are on new tables.

ALTER TABLE players ADD COLUMN chat boolean NOT NULL DEFAULT false;
ALTER TABLE players ADD COLUMN chat_muted_until_ms bigint;

ALTER TABLE matches ADD COLUMN by_challenge boolean NOT NULL DEFAULT false;

CREATE TABLE chat_lines (
    match_id   text COLLATE "C" NOT NULL REFERENCES matches (id),
    room       text COLLATE "C" NOT NULL,
    number     bigint           NOT NULL,
    player_id  text COLLATE "C" REFERENCES players (id),
    text       text             NOT NULL,
    created_ms bigint           NOT NULL,
    removed_by text COLLATE "C" REFERENCES players (id),
    removed_ms bigint,
    PRIMARY KEY (match_id, room, number)
);

CREATE INDEX chat_lines_player ON chat_lines (player_id) WHERE player_id IS NOT NULL;
CREATE INDEX chat_lines_created ON chat_lines (created_ms);

CREATE TABLE chat_mutes (
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id),
    muted_id   text COLLATE "C" NOT NULL REFERENCES players (id),
    created_ms bigint           NOT NULL,
    PRIMARY KEY (player_id, muted_id)
);

CREATE INDEX chat_mutes_muted ON chat_mutes (muted_id);

ALTER TABLE reports ADD COLUMN chat_room   text;
ALTER TABLE reports ADD COLUMN chat_number bigint;
