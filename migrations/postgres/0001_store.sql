-- The store, as of its first version. Never edit this file once it has been applied anywhere: add a file with the next number, here
-- and in migrations/sqlite.
--
-- Times are milliseconds since the Unix epoch, UTC. What is an enum in the program is a text here, so that a person can read a table.
-- Ids are 12 letters and digits, compared byte by byte (COLLATE "C"): the order in which rows are locked and pages are cut must not
-- depend on the locale of a cluster.

CREATE TABLE players (
    id            text COLLATE "C" NOT NULL PRIMARY KEY, -- survives a change of name and a guest's becoming an account
    name          text             NOT NULL,             -- as its owner writes it; the only thing others see
    name_key      text COLLATE "C" NOT NULL UNIQUE,      -- the name without regard to case: two players must not look alike
    kind          text             NOT NULL,             -- guest, account or bot: what they may do
    level         bigint,                                -- a bot's strength; null for people
    password_hash text,                                  -- an account's password in PHC form; null for who cannot log in
    created_ms    bigint           NOT NULL              -- shown on a profile
);

-- One bot a level, whoever asks for it first.
CREATE UNIQUE INDEX players_bot ON players (level) WHERE kind = 'bot';

CREATE TABLE sessions (
    token_hash bytea            NOT NULL PRIMARY KEY,             -- SHA-256 of the token: who reads this table cannot log in with it
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id), -- whose session it is
    created_ms bigint           NOT NULL,                         -- when they logged in, for who looks into a break-in
    expires_ms bigint           NOT NULL                          -- from then on the token is worth nothing
);

-- To sweep expired sessions away.
CREATE INDEX sessions_expiry ON sessions (expires_ms);

CREATE TABLE matches (
    id               text COLLATE "C" NOT NULL PRIMARY KEY,             -- in addresses and in the key of every entry
    game             text             NOT NULL,                         -- which rules judge it
    setup            text             NOT NULL,                         -- size, variant, handicap; empty for the standard game
    rated            boolean          NOT NULL,                         -- whether ratings change with its end
    time_control     text             NOT NULL,                         -- realtime, so that others can come
    base_ms          bigint,                                            -- realtime: what each clock starts with
    increment_ms     bigint,                                            -- realtime: what a side gets when the turn passes
    speed            text             NOT NULL,                         -- which of a player's ratings it counts for
    first_id         text COLLATE "C" NOT NULL REFERENCES players (id), -- who moves first
    second_id        text COLLATE "C" NOT NULL REFERENCES players (id), -- who moves second
    first_rating     double precision,                                  -- what the first player came with, as it is shown ever after; null without a rating
    first_deviation  double precision,                                  -- how sure that rating was
    second_rating    double precision,                                  -- the same for the second player
    second_deviation double precision,                                  -- the same for the second player
    strength         double precision NOT NULL,                         -- the sum of both ratings: a lobby shows the strongest match first
    first_change     double precision,                                  -- what the match did to the first player's rating; null until it was counted
    second_change    double precision,                                  -- the same for the second player
    rematch_of       text COLLATE "C" UNIQUE REFERENCES matches (id),   -- the match before; unique, so that two who both press the button get one rematch
    created_ms       bigint           NOT NULL,                         -- the order of every list of matches
    finished_ms      bigint,                                            -- null while it runs: nothing is appended once it is set
    winner           text,                                              -- first or second; null for a draw and for a match called off
    reason           text,                                              -- the code of how it ended
    score_first      bigint,                                            -- what was counted for the first side, where the game counts
    score_second     bigint,                                            -- the same for the second side
    plies            bigint,                                            -- how long the finished match was, without reading its journal
    head             bigint           NOT NULL,                         -- the seq of its last entry: an append must name it
    epoch            bigint           NOT NULL,                         -- how often it was taken over: an append must name it, so that an old owner's fails
    owner            text                                               -- which node took it over last, to ask it and to find it in logs
) WITH (fillfactor = 70); -- an append changes head alone: with room on its page, a row is updated without touching an index

-- The history of a player, at either seat.
CREATE INDEX matches_first ON matches (first_id, created_ms DESC, id DESC);
CREATE INDEX matches_second ON matches (second_id, created_ms DESC, id DESC);
-- Running matches are few among many: their lists have indices of their own.
CREATE INDEX matches_running ON matches (strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL;
CREATE INDEX matches_running_game ON matches (game, strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL;
CREATE INDEX matches_running_first ON matches (first_id, created_ms DESC, id DESC) WHERE finished_ms IS NULL;
CREATE INDEX matches_running_second ON matches (second_id, created_ms DESC, id DESC) WHERE finished_ms IS NULL;

CREATE TABLE entries (
    match_id  text COLLATE "C" NOT NULL, -- whose journal; not checked for each entry: the one statement that writes here joins matches
    seq       bigint           NOT NULL, -- its place, from 1 without a gap
    epoch     bigint           NOT NULL, -- which owner wrote it
    kind      text             NOT NULL, -- for people who read the table
    payload   text             NOT NULL, -- JSON: what happened
    client_id text COLLATE "C",          -- the command it came from: sent again, it gets the stored answer
    at_ms     bigint           NOT NULL, -- when it happened
    PRIMARY KEY (match_id, seq)
);

-- A command is carried out once.
CREATE UNIQUE INDEX entries_client ON entries (match_id, client_id) WHERE client_id IS NOT NULL;

CREATE TABLE challenges (
    id            text COLLATE "C" NOT NULL PRIMARY KEY,             -- the secret in the link: whoever has it may accept
    challenger_id text COLLATE "C" NOT NULL REFERENCES players (id), -- who sits at the other side
    game          text             NOT NULL,                         -- what is to be played
    setup         text             NOT NULL,                         -- size, variant, handicap; empty for the standard game
    side          text,                                              -- what the challenger wants to play; null leaves it to chance
    time_control  text             NOT NULL,                         -- as in matches
    base_ms       bigint,                                            -- as in matches
    increment_ms  bigint,                                            -- as in matches
    rated         boolean          NOT NULL,                         -- whether ratings are to change
    created_ms    bigint           NOT NULL,                         -- shown with the offer
    expires_ms    bigint           NOT NULL,                         -- from then on it cannot be accepted
    match_id      text COLLATE "C" REFERENCES matches (id),          -- what it became; set once, which decides between two who accept at once
    cancelled     boolean          NOT NULL                          -- whether it was taken back
);

CREATE TABLE ratings (
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id), -- whose
    game       text             NOT NULL,                         -- one rating a game kind …
    speed      text             NOT NULL,                         -- … and speed
    rating     double precision NOT NULL,                         -- Glicko-2, on the scale that starts at 1500
    deviation  double precision NOT NULL,                         -- how unsure it is; a leaderboard leaves the unsure out
    volatility double precision NOT NULL,                         -- how erratic its owner plays
    updated_ms bigint           NOT NULL,                         -- when it last changed: the deviation grows from then on
    won        bigint           NOT NULL,                         -- rated matches won
    drawn      bigint           NOT NULL,                         -- rated matches drawn
    lost       bigint           NOT NULL,                         -- rated matches lost
    PRIMARY KEY (player_id, game, speed)
);

-- The leaderboard of a game and speed.
CREATE INDEX ratings_board ON ratings (game, speed, rating DESC, player_id);

CREATE TABLE rating_history (
    match_id          text COLLATE "C" NOT NULL REFERENCES matches (id), -- which match did it
    side              text             NOT NULL,                         -- at which of its seats
    player_id         text COLLATE "C" NOT NULL REFERENCES players (id), -- whose rating
    opponent_id       text COLLATE "C" NOT NULL REFERENCES players (id), -- against whom
    game              text             NOT NULL,                         -- which of the player's ratings …
    speed             text             NOT NULL,                         -- … it was
    score             double precision NOT NULL,                         -- 1 won, 0.5 drawn, 0 lost
    rating_before     double precision,                                  -- null where it was the first rated match
    deviation_before  double precision,                                  -- null where it was the first rated match
    volatility_before double precision,                                  -- null where it was the first rated match
    rating_after      double precision NOT NULL,                         -- what became of it
    deviation_after   double precision NOT NULL,                         -- what became of it
    volatility_after  double precision NOT NULL,                         -- what became of it
    at_ms             bigint           NOT NULL,                         -- when the match ended
    PRIMARY KEY (match_id, side)                                         -- a rating changes once a match
);

-- The curve of a player's rating.
CREATE INDEX rating_history_player ON rating_history (player_id, game, speed, at_ms);

CREATE TABLE outbox (
    match_id   text COLLATE "C" NOT NULL REFERENCES matches (id), -- whose end owes something
    effect     text             NOT NULL,                         -- what: rating; others can come
    created_ms bigint           NOT NULL,                         -- since when: the oldest debt is paid first
    PRIMARY KEY (match_id, effect)                                -- the row goes when it is paid, in the same transaction
);

-- The oldest debts.
CREATE INDEX outbox_oldest ON outbox (effect, created_ms, match_id);
