-- What the ratings of computer opponents were set to when the ladder of the engine's levels was measured anew: whoever counts all
-- matches again has to do the same at the same place.
CREATE TABLE rating_seeds (
    ladder     bigint           NOT NULL,                         -- which ladder says so
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id), -- which computer opponent
    game       text             NOT NULL,                         -- which of its ratings …
    speed      text             NOT NULL,                         -- … it is
    rating     double precision NOT NULL,                         -- what it was set to
    deviation  double precision NOT NULL,                         -- what it was set to
    volatility double precision NOT NULL,                         -- what it was set to
    ordinal    bigint           NOT NULL,                         -- after how many counted matches
    at_ms      bigint           NOT NULL,                         -- when
    PRIMARY KEY (ladder, player_id, game, speed)                  -- a ladder is used once
);

-- The ladder that is in use; none yet.
INSERT INTO counters (name, value) VALUES ('ladder', 0);

-- Ratings that come of no match: seeds. No leaderboard shows them.
CREATE INDEX ratings_unplayed ON ratings (game, speed, player_id) WHERE won + drawn + lost = 0;
