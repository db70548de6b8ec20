-- What the ratings of computer opponents were set to when the ladder of the engine's levels was measured anew: whoever counts all
-- matches again has to do the same at the same place.
CREATE TABLE rating_seeds (
    ladder     INTEGER NOT NULL,                         -- which ladder says so
    player_id  TEXT    NOT NULL REFERENCES players (id), -- which computer opponent
    game       TEXT    NOT NULL,                         -- which of its ratings …
    speed      TEXT    NOT NULL,                         -- … it is
    rating     REAL    NOT NULL,                         -- what it was set to
    deviation  REAL    NOT NULL,                         -- what it was set to
    volatility REAL    NOT NULL,                         -- what it was set to
    ordinal    INTEGER NOT NULL,                         -- after how many counted matches
    at_ms      INTEGER NOT NULL,                         -- when
    PRIMARY KEY (ladder, player_id, game, speed)         -- a ladder is used once
) STRICT, WITHOUT ROWID;

-- The ladder that is in use; none yet.
INSERT INTO counters (name, value) VALUES ('ladder', 0);

-- Ratings that come of no match: seeds. No leaderboard shows them.
CREATE INDEX ratings_unplayed ON ratings (game, speed, player_id) WHERE won + drawn + lost = 0;
