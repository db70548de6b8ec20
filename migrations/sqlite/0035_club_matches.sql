-- Club matches (docs/clubs.md). An older server goes on beside this: it leaves the tables alone, and begins no club match. The references to
-- clubs and matches end with their rows, so that it can delete both.

CREATE TABLE club_matches (
    id           TEXT    NOT NULL PRIMARY KEY,
    home_id      TEXT    REFERENCES clubs (id) ON DELETE SET NULL, -- the club that has proposed it; null after it was closed
    home_name    TEXT    NOT NULL,                         -- its name, for the time after it was closed
    away_id      TEXT    REFERENCES clubs (id) ON DELETE SET NULL, -- the other club
    away_name    TEXT    NOT NULL,
    hidden       INTEGER NOT NULL,                         -- whether a closed club was joined by invitation: only members of the other one see it
    game         TEXT    NOT NULL,                         -- a code
    time_control TEXT    NOT NULL,                         -- as in matches
    base_ms      INTEGER,
    increment_ms INTEGER,
    days         INTEGER,
    rated        INTEGER NOT NULL,                         -- whether ratings change
    boards       INTEGER NOT NULL,                         -- the most boards
    games        INTEGER NOT NULL,                         -- the games at each board, one after the other
    state        TEXT    NOT NULL,                         -- a code
    start_ms     INTEGER NOT NULL,                         -- when the boards are paired; the order of lists
    due_ms       INTEGER,                                  -- when the server looks at it next; null where it waits for nothing
    created_ms   INTEGER NOT NULL,                         -- when it was proposed
    finished_ms  INTEGER                                   -- when its last match had ended
) STRICT, WITHOUT ROWID;

-- The lists of a club, and its limits.
CREATE INDEX club_matches_home ON club_matches (home_id, state, start_ms, id);
CREATE INDEX club_matches_away ON club_matches (away_id, state, start_ms, id);
-- Those that the server begins, or ends without an answer.
CREATE INDEX club_matches_due ON club_matches (due_ms) WHERE due_ms IS NOT NULL;

CREATE TABLE club_match_players (
    club_match_id TEXT    NOT NULL REFERENCES club_matches (id),
    home          INTEGER NOT NULL,                        -- whether the player plays for the club that has proposed it
    player_id     TEXT    NOT NULL REFERENCES players (id), -- the entrant
    since_ms      INTEGER NOT NULL,                        -- when
    PRIMARY KEY (club_match_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_match_players_by_time ON club_match_players (club_match_id, home, since_ms, player_id);
CREATE INDEX club_match_players_player ON club_match_players (player_id);

CREATE TABLE club_match_boards (
    club_match_id  TEXT    NOT NULL REFERENCES club_matches (id),
    number         INTEGER NOT NULL,                       -- 1 has the strongest players
    home_player_id TEXT    NOT NULL REFERENCES players (id),
    away_player_id TEXT    NOT NULL REFERENCES players (id),
    home_rating    REAL,                                   -- at the pairing; null for a player without a rating
    away_rating    REAL,
    PRIMARY KEY (club_match_id, number)
) STRICT, WITHOUT ROWID;

-- What refers to a player.
CREATE INDEX club_match_boards_home ON club_match_boards (home_player_id);
CREATE INDEX club_match_boards_away ON club_match_boards (away_player_id);

CREATE TABLE club_match_games (
    club_match_id TEXT    NOT NULL REFERENCES club_matches (id),
    board         INTEGER NOT NULL,
    game          INTEGER NOT NULL,                        -- 1, or 2 with the sides exchanged
    home_side     TEXT    NOT NULL,                        -- the side of the player of the proposing club
    state         TEXT    NOT NULL,                        -- a code
    skipped       TEXT,                                    -- the reason for which it is not played, a code
    match_id      TEXT    REFERENCES matches (id) ON DELETE SET NULL,
    PRIMARY KEY (club_match_id, board, game)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX club_match_games_match ON club_match_games (match_id) WHERE match_id IS NOT NULL;
-- The games that are to begin, and those of which the end is to be noted.
CREATE INDEX club_match_games_ready ON club_match_games (club_match_id, board, game) WHERE state = 'ready';
CREATE INDEX club_match_games_playing ON club_match_games (club_match_id, board, game) WHERE state = 'playing';
