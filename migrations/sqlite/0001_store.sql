-- The store, as of its first version. Never edit this file once it has been applied anywhere: add a file with the next number, here
-- and in migrations/postgres.
--
-- Times are milliseconds since the Unix epoch, UTC. What is an enum in the program is a text here, so that a person can read a table.
-- Ids are 12 letters and digits. Booleans are 0 and 1.

CREATE TABLE players (
    id            TEXT    NOT NULL PRIMARY KEY, -- survives a change of name and a guest's becoming an account
    name          TEXT    NOT NULL,             -- as its owner writes it; the only thing others see
    name_key      TEXT    NOT NULL UNIQUE,      -- the name without regard to case: two players must not look alike
    kind          TEXT    NOT NULL,             -- guest, account or bot: what they may do
    level         INTEGER,                      -- a bot's strength; null for people
    password_hash TEXT,                         -- an account's password in PHC form; null for who cannot log in
    created_ms    INTEGER NOT NULL              -- shown on a profile
) STRICT;

-- One bot a level, whoever asks for it first.
CREATE UNIQUE INDEX players_bot ON players (level) WHERE kind = 'bot';

CREATE TABLE sessions (
    token_hash BLOB    NOT NULL PRIMARY KEY,             -- SHA-256 of the token: who reads this table cannot log in with it
    player_id  TEXT    NOT NULL REFERENCES players (id), -- whose session it is
    created_ms INTEGER NOT NULL,                         -- when they logged in, for who looks into a break-in
    expires_ms INTEGER NOT NULL                          -- from then on the token is worth nothing
) STRICT, WITHOUT ROWID;

-- To sweep expired sessions away.
CREATE INDEX sessions_expiry ON sessions (expires_ms);

CREATE TABLE matches (
    id               TEXT    NOT NULL PRIMARY KEY,             -- in addresses and in the key of every entry
    game             TEXT    NOT NULL,                         -- which rules judge it
    setup            TEXT    NOT NULL,                         -- size, variant, handicap; empty for the standard game
    rated            INTEGER NOT NULL,                         -- whether ratings change with its end
    time_control     TEXT    NOT NULL,                         -- realtime, so that others can come
    base_ms          INTEGER,                                  -- realtime: what each clock starts with
    increment_ms     INTEGER,                                  -- realtime: what a side gets when the turn passes
    speed            TEXT    NOT NULL,                         -- which of a player's ratings it counts for
    first_id         TEXT    NOT NULL REFERENCES players (id), -- who moves first
    second_id        TEXT    NOT NULL REFERENCES players (id), -- who moves second
    first_rating     REAL,                                     -- what the first player came with, as it is shown ever after; null without a rating
    first_deviation  REAL,                                     -- how sure that rating was
    second_rating    REAL,                                     -- the same for the second player
    second_deviation REAL,                                     -- the same for the second player
    strength         REAL    NOT NULL,                         -- the sum of both ratings: a lobby shows the strongest match first
    first_change     REAL,                                     -- what the match did to the first player's rating; null until it was counted
    second_change    REAL,                                     -- the same for the second player
    rematch_of       TEXT    UNIQUE REFERENCES matches (id),   -- the match before; unique, so that two who both press the button get one rematch
    created_ms       INTEGER NOT NULL,                         -- the order of every list of matches
    finished_ms      INTEGER,                                  -- null while it runs: nothing is appended once it is set
    winner           TEXT,                                     -- first or second; null for a draw and for a match called off
    reason           TEXT,                                     -- the code of how it ended
    score_first      INTEGER,                                  -- what was counted for the first side, where the game counts
    score_second     INTEGER,                                  -- the same for the second side
    plies            INTEGER,                                  -- how long the finished match was, without reading its journal
    head             INTEGER NOT NULL,                         -- the seq of its last entry: an append must name it
    epoch            INTEGER NOT NULL,                         -- how often it was taken over: an append must name it, so that an old owner's fails
    owner            TEXT                                      -- which node took it over last, to ask it and to find it in logs
) STRICT;

-- The history of a player, at either seat.
CREATE INDEX matches_first ON matches (first_id, created_ms DESC, id DESC);
CREATE INDEX matches_second ON matches (second_id, created_ms DESC, id DESC);
-- Running matches are few among many: their lists have indices of their own.
CREATE INDEX matches_running ON matches (strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL;
CREATE INDEX matches_running_game ON matches (game, strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL;
CREATE INDEX matches_running_first ON matches (first_id, created_ms DESC, id DESC) WHERE finished_ms IS NULL;
CREATE INDEX matches_running_second ON matches (second_id, created_ms DESC, id DESC) WHERE finished_ms IS NULL;

CREATE TABLE entries (
    match_id  TEXT    NOT NULL REFERENCES matches (id), -- whose journal
    seq       INTEGER NOT NULL,                         -- its place, from 1 without a gap
    epoch     INTEGER NOT NULL,                         -- which owner wrote it
    kind      TEXT    NOT NULL,                         -- for people who read the table
    payload   TEXT    NOT NULL,                         -- JSON: what happened
    client_id TEXT,                                     -- the command it came from: sent again, it gets the stored answer
    at_ms     INTEGER NOT NULL,                         -- when it happened
    PRIMARY KEY (match_id, seq)
) STRICT; -- not WITHOUT ROWID: rows that come together lie together, and a commit writes fewer pages

-- A command is carried out once.
CREATE UNIQUE INDEX entries_client ON entries (match_id, client_id) WHERE client_id IS NOT NULL;

CREATE TABLE challenges (
    id            TEXT    NOT NULL PRIMARY KEY,             -- the secret in the link: whoever has it may accept
    challenger_id TEXT    NOT NULL REFERENCES players (id), -- who sits at the other side
    game          TEXT    NOT NULL,                         -- what is to be played
    setup         TEXT    NOT NULL,                         -- size, variant, handicap; empty for the standard game
    side          TEXT,                                     -- what the challenger wants to play; null leaves it to chance
    time_control  TEXT    NOT NULL,                         -- as in matches
    base_ms       INTEGER,                                  -- as in matches
    increment_ms  INTEGER,                                  -- as in matches
    rated         INTEGER NOT NULL,                         -- whether ratings are to change
    created_ms    INTEGER NOT NULL,                         -- shown with the offer
    expires_ms    INTEGER NOT NULL,                         -- from then on it cannot be accepted
    match_id      TEXT    REFERENCES matches (id),          -- what it became; set once, which decides between two who accept at once
    cancelled     INTEGER NOT NULL                          -- whether it was taken back
) STRICT;

CREATE TABLE ratings (
    player_id  TEXT    NOT NULL REFERENCES players (id), -- whose
    game       TEXT    NOT NULL,                         -- one rating a game kind …
    speed      TEXT    NOT NULL,                         -- … and speed
    rating     REAL    NOT NULL,                         -- Glicko-2, on the scale that starts at 1500
    deviation  REAL    NOT NULL,                         -- how unsure it is; a leaderboard leaves the unsure out
    volatility REAL    NOT NULL,                         -- how erratic its owner plays
    updated_ms INTEGER NOT NULL,                         -- when it last changed: the deviation grows from then on
    won        INTEGER NOT NULL,                         -- rated matches won
    drawn      INTEGER NOT NULL,                         -- rated matches drawn
    lost       INTEGER NOT NULL,                         -- rated matches lost
    PRIMARY KEY (player_id, game, speed)
) STRICT, WITHOUT ROWID;

-- The leaderboard of a game and speed.
CREATE INDEX ratings_board ON ratings (game, speed, rating DESC, player_id);

CREATE TABLE rating_history (
    match_id          TEXT    NOT NULL REFERENCES matches (id), -- which match did it
    side              TEXT    NOT NULL,                         -- at which of its seats
    player_id         TEXT    NOT NULL REFERENCES players (id), -- whose rating
    opponent_id       TEXT    NOT NULL REFERENCES players (id), -- against whom
    game              TEXT    NOT NULL,                         -- which of the player's ratings …
    speed             TEXT    NOT NULL,                         -- … it was
    score             REAL    NOT NULL,                         -- 1 won, 0.5 drawn, 0 lost
    rating_before     REAL,                                     -- null where it was the first rated match
    deviation_before  REAL,                                     -- null where it was the first rated match
    volatility_before REAL,                                     -- null where it was the first rated match
    rating_after      REAL    NOT NULL,                         -- what became of it
    deviation_after   REAL    NOT NULL,                         -- what became of it
    volatility_after  REAL    NOT NULL,                         -- what became of it
    at_ms             INTEGER NOT NULL,                         -- when the match ended
    PRIMARY KEY (match_id, side)                                -- a rating changes once a match
) STRICT, WITHOUT ROWID;

-- The curve of a player's rating.
CREATE INDEX rating_history_player ON rating_history (player_id, game, speed, at_ms);

CREATE TABLE outbox (
    match_id   TEXT    NOT NULL REFERENCES matches (id), -- whose end owes something
    effect     TEXT    NOT NULL,                         -- what: rating; others can come
    created_ms INTEGER NOT NULL,                         -- since when: the oldest debt is paid first
    PRIMARY KEY (match_id, effect)                       -- the row goes when it is paid, in the same transaction
) STRICT, WITHOUT ROWID;

-- The oldest debts.
CREATE INDEX outbox_oldest ON outbox (effect, created_ms, match_id);
