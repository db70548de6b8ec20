-- Matches a day a move, options, seeks and named challenges, and counts that no longer need a player's whole history.

ALTER TABLE matches ADD COLUMN days bigint;                        -- correspondence: how many days for each turn
ALTER TABLE matches ADD COLUMN takebacks boolean NOT NULL DEFAULT false; -- whether moves may be taken back
ALTER TABLE matches ADD COLUMN give_time boolean NOT NULL DEFAULT false; -- whether a player may give the other time
ALTER TABLE matches ADD COLUMN phrases boolean NOT NULL DEFAULT true;   -- whether the players may say quick phrases
ALTER TABLE matches ADD COLUMN private boolean NOT NULL DEFAULT false;   -- only who has the link sees it
ALTER TABLE matches ADD COLUMN due_ms bigint;                       -- when somebody must look at it though nobody is there: a flag may fall

-- What a node without the match in memory must wake.
CREATE INDEX matches_due ON matches (due_ms) WHERE due_ms IS NOT NULL AND finished_ms IS NULL;
-- A restart takes up the matches whose clocks run by the second; the others sleep.
CREATE INDEX matches_live ON matches (created_ms, id) WHERE finished_ms IS NULL AND speed <> 'daily';
-- Private matches are in no list of what can be watched.
DROP INDEX matches_running;
DROP INDEX matches_running_game;
CREATE INDEX matches_running ON matches (strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL AND NOT private;
CREATE INDEX matches_running_game ON matches (game, strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL AND NOT private;

ALTER TABLE challenges ADD COLUMN days bigint;                        -- as in matches
ALTER TABLE challenges ADD COLUMN takebacks boolean NOT NULL DEFAULT false; -- as in matches
ALTER TABLE challenges ADD COLUMN give_time boolean NOT NULL DEFAULT false; -- as in matches
ALTER TABLE challenges ADD COLUMN phrases boolean NOT NULL DEFAULT true;   -- as in matches
ALTER TABLE challenges ADD COLUMN private boolean NOT NULL DEFAULT false;   -- as in matches
ALTER TABLE challenges ADD COLUMN to_id text COLLATE "C" REFERENCES players (id);   -- who alone may accept; null for whoever has the link
ALTER TABLE challenges ADD COLUMN listed boolean NOT NULL DEFAULT false;    -- a seek: shown to everybody in the lobby
ALTER TABLE challenges ADD COLUMN min_rating bigint;                   -- a seek: the lowest rating that may accept
ALTER TABLE challenges ADD COLUMN max_rating bigint;                   -- a seek: the highest rating that may accept
ALTER TABLE challenges ADD COLUMN declined text;                        -- why the one who was asked said no, as a code; null while they have not

-- What a player was asked, and has asked; what the lobby lists: the open ones only.
CREATE INDEX challenges_to ON challenges (to_id, created_ms DESC) WHERE to_id IS NOT NULL AND match_id IS NULL AND NOT cancelled AND declined IS NULL;
CREATE INDEX challenges_by ON challenges (challenger_id, created_ms DESC) WHERE match_id IS NULL AND NOT cancelled AND declined IS NULL;
CREATE INDEX challenges_listed ON challenges (created_ms DESC) WHERE listed AND match_id IS NULL AND NOT cancelled AND declined IS NULL;

CREATE TABLE tallies (
    player_id text COLLATE "C" NOT NULL REFERENCES players (id), -- whose
    game      text   NOT NULL,                         -- of which game kind
    side      text   NOT NULL,                         -- at which seat
    won       bigint NOT NULL,                         -- finished matches won
    drawn     bigint NOT NULL,                         -- drawn
    lost      bigint NOT NULL,                         -- lost
    plies     bigint NOT NULL,                         -- how long they were together
    PRIMARY KEY (player_id, game, side)
);

CREATE TABLE head_to_head (
    player_id   text COLLATE "C" NOT NULL REFERENCES players (id), -- from whose side: each pair has two rows a game
    opponent_id text COLLATE "C" NOT NULL REFERENCES players (id), -- against whom
    game        text   NOT NULL,                         -- of which game kind
    won         bigint NOT NULL,                         -- won by player_id
    drawn       bigint NOT NULL,                         -- drawn
    lost        bigint NOT NULL,                         -- lost by player_id
    PRIMARY KEY (player_id, opponent_id, game)
);

CREATE TABLE game_tallies (
    game       text   NOT NULL PRIMARY KEY, -- of which game kind
    first_won  bigint NOT NULL,             -- won by who moved first
    drawn      bigint NOT NULL,             -- drawn
    second_won bigint NOT NULL,             -- won by who moved second
    plies      bigint NOT NULL              -- how long they were together
);

CREATE TABLE counters (
    name  text   NOT NULL PRIMARY KEY, -- what is numbered
    value bigint NOT NULL              -- the last number given
);

-- In which order matches were counted: ratings depend on it, so that a recomputation must follow it.
ALTER TABLE rating_history ADD COLUMN ordinal bigint;
UPDATE rating_history SET ordinal = ranked.place
FROM (SELECT match_id, dense_rank() OVER (ORDER BY at_ms, match_id) AS place FROM rating_history) AS ranked
WHERE ranked.match_id = rating_history.match_id;
CREATE INDEX rating_history_ordinal ON rating_history (ordinal);
INSERT INTO counters (name, value) SELECT 'counted', coalesce(max(ordinal), 0) FROM rating_history;

-- What is owed is no longer the rating alone: every finished match is counted.
UPDATE outbox SET effect = 'count' WHERE effect = 'rating';

INSERT INTO tallies (player_id, game, side, won, drawn, lost, plies)
SELECT player_id, game, side, count(*) FILTER (WHERE winner = side), count(*) FILTER (WHERE winner IS NULL), count(*) FILTER (WHERE winner <> side), sum(plies)
FROM (
    SELECT id, first_id AS player_id, game, 'first' AS side, winner, plies, reason FROM matches WHERE finished_ms IS NOT NULL AND first_id <> second_id
    UNION ALL
    SELECT id, second_id, game, 'second', winner, plies, reason FROM matches WHERE finished_ms IS NOT NULL AND first_id <> second_id
) AS played
WHERE reason <> 'aborted' AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.match_id = played.id)
GROUP BY player_id, game, side;

INSERT INTO head_to_head (player_id, opponent_id, game, won, drawn, lost)
SELECT player_id, opponent_id, game, count(*) FILTER (WHERE winner = side), count(*) FILTER (WHERE winner IS NULL), count(*) FILTER (WHERE winner <> side)
FROM (
    SELECT id, first_id AS player_id, second_id AS opponent_id, game, 'first' AS side, winner, reason FROM matches WHERE finished_ms IS NOT NULL AND first_id <> second_id
    UNION ALL
    SELECT id, second_id, first_id, game, 'second', winner, reason FROM matches WHERE finished_ms IS NOT NULL AND first_id <> second_id
) AS played
WHERE reason <> 'aborted' AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.match_id = played.id)
GROUP BY player_id, opponent_id, game;

INSERT INTO game_tallies (game, first_won, drawn, second_won, plies)
SELECT game, count(*) FILTER (WHERE winner = 'first'), count(*) FILTER (WHERE winner IS NULL), count(*) FILTER (WHERE winner = 'second'), sum(plies)
FROM matches
WHERE finished_ms IS NOT NULL AND first_id <> second_id AND reason <> 'aborted'
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.match_id = matches.id)
GROUP BY game;
