-- Computer analyses of matches. An older server goes on beside this: it has none.

CREATE TABLE analyses (
    match_id         text COLLATE "C" NOT NULL REFERENCES matches (id), -- over
    engine           text COLLATE "C" NOT NULL,                         -- version of the engine
    state            text             NOT NULL,                         -- waiting, done or failed
    requested_by     text COLLATE "C" REFERENCES players (id),          -- null after the account was deleted
    requested_ms     bigint           NOT NULL,
    claimed_until_ms bigint           NOT NULL DEFAULT 0,               -- until when a node works on it
    evaluations      text             NOT NULL DEFAULT '',              -- JSON, once it is done: an array with an entry for each position
    PRIMARY KEY (match_id, engine)
);
CREATE INDEX analyses_by_player ON analyses (requested_by, requested_ms) WHERE requested_by IS NOT NULL;
CREATE INDEX analyses_waiting ON analyses (requested_ms) WHERE state = 'waiting';
