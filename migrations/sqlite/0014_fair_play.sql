-- Fair play: who left a match early, how much a match weighed, what a moderator made void, whose challenges and seeks a player sees, and which
-- accounts share a device.
-- An older server goes on beside this: it leaves the new columns and tables alone, counts every match with its whole weight, and calls nobody early.

ALTER TABLE matches ADD COLUMN left_by TEXT;                   -- first or second: who left, where the match was called off by that; null elsewhere
ALTER TABLE matches ADD COLUMN rating_weight REAL;  -- how much of a match's change the ratings took; null before it is counted, and for one that was counted before there were weights, which is whole
ALTER TABLE matches ADD COLUMN voided_ms INTEGER;              -- since when it counts for nothing, by a moderator; null where it counts

-- The matches of a pair in a game, by which each weighs less than the one before.
CREATE INDEX rating_history_pair ON rating_history (player_id, opponent_id, game, at_ms);

ALTER TABLE ratings ADD COLUMN opponents INTEGER NOT NULL DEFAULT 0; -- how many different people and bot accounts it was made against: a leaderboard wants some
UPDATE ratings SET opponents = (
    SELECT count(DISTINCT h.opponent_id) FROM rating_history h JOIN players p ON p.id = h.opponent_id
    WHERE h.player_id = ratings.player_id AND h.game = ratings.game AND h.speed = ratings.speed AND p.level IS NULL);
CREATE INDEX ratings_ranked ON ratings (game, speed, rating DESC, player_id, deviation, opponents);
DROP INDEX ratings_ranks;

ALTER TABLE players ADD COLUMN refuses_guests INTEGER NOT NULL DEFAULT 0; -- whether guests may not challenge this player by name
ALTER TABLE challenges ADD COLUMN declined_ms INTEGER;                        -- when it was declined: the challenger waits before the next to the same player
CREATE INDEX challenges_declined ON challenges (challenger_id, to_id, declined_ms) WHERE declined_ms IS NOT NULL;

-- Accounts that were logged in to from the same browser, for moderators. Of the browser nothing is kept.
CREATE TABLE shared_devices (
    player_id TEXT    NOT NULL REFERENCES players (id), -- who logged in
    other_id  TEXT    NOT NULL REFERENCES players (id), -- who had logged in from there before
    seen_ms   INTEGER NOT NULL,                         -- when it was last so, to the day: deleted a year later
    PRIMARY KEY (player_id, other_id)
) STRICT;
CREATE INDEX shared_devices_other ON shared_devices (other_id); -- for the deletion of a player
CREATE INDEX shared_devices_seen ON shared_devices (seen_ms);   -- to delete what is old
