-- Several nodes on one database: who of them lives. An embedded database has one node, which writes nothing here; the tables are the
-- same on both.
CREATE TABLE nodes (
    id         TEXT    NOT NULL PRIMARY KEY, -- as its operator calls it; two that live are never called the same
    name       TEXT    NOT NULL UNIQUE,      -- of one process, and so never used again: the owner in matches, and where other nodes reach it
    address    TEXT    NOT NULL,             -- where it listens, for people who read the table
    expires_ms INTEGER NOT NULL              -- the end of its lease: from then on others may take its matches
) STRICT;

-- Who has asked for an opponent in a pool, where there are several nodes. Two of them may pair for a moment, each with its own memory of
-- who waits: this row is set once a wish.
CREATE TABLE wishes (
    player_id TEXT NOT NULL PRIMARY KEY REFERENCES players (id), -- who
    match_id  TEXT REFERENCES matches (id)                       -- the match that they got; null while they wait
) STRICT, WITHOUT ROWID;
