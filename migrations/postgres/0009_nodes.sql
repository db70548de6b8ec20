-- Several nodes on one database: who of them lives, by the time of this database alone. What fences an old owner of a match is its
-- epoch; this only decides when another may take over. A server that is alone writes nothing here.
CREATE TABLE nodes (
    id         text   NOT NULL PRIMARY KEY, -- as its operator calls it; two that live are never called the same
    name       text   NOT NULL UNIQUE,      -- of one process, and so never used again: the owner in matches, and where other nodes reach it
    address    text   NOT NULL,             -- where it listens, for people who read the table
    expires_ms bigint NOT NULL              -- the end of its lease: from then on others may take its matches
);

-- Who has asked for an opponent in a pool, where there are several nodes. Two of them may pair for a moment, each with its own memory of
-- who waits: this row is set once a wish.
CREATE TABLE wishes (
    player_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES players (id), -- who
    match_id  text COLLATE "C" REFERENCES matches (id)                       -- the match that they got; null while they wait
);
