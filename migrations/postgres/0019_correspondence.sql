-- Matches by the day: conditional moves, and vacations. An older server goes on beside this: it leaves the new tables alone, so it plays no
-- answer, and a flag falls there also on vacation.

-- The lines that a player has chosen in advance. They are no part of the match: nobody else may read them, and nothing of them is in its journal.
CREATE TABLE conditional_moves (
    match_id text COLLATE "C" NOT NULL REFERENCES matches (id), -- a match by the day that runs
    side     text             NOT NULL,                         -- first or second: whose answers they are
    ply      bigint           NOT NULL,                         -- how many plies were played before the first of each line
    seq      bigint           NOT NULL,                         -- up to which entry they were compared with the game: behind its head, that is still to be done
    lines    text             NOT NULL,                         -- JSON: an array of lines, each an array of moves
    PRIMARY KEY (match_id, side)
);

-- Whole days in which a player's own clocks by the day end no match.
CREATE TABLE vacations (
    player_id text COLLATE "C" NOT NULL REFERENCES players (id), -- an account
    from_ms   bigint           NOT NULL,                         -- when it was begun
    until_ms  bigint           NOT NULL,                         -- whole days later; ended early, the end of a day that has begun
    PRIMARY KEY (player_id, from_ms)
);
