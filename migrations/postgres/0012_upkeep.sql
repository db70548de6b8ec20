-- Upkeep: whether the store can write, and rows that nobody needs any more. An older server goes on beside this.

-- What a readiness check writes: a store that can be read and not written is not ready.
CREATE TABLE probe (
    one     bigint  NOT NULL PRIMARY KEY CHECK (one = 1), -- there is one
    at_ms   bigint  NOT NULL,                             -- when it was last written
    filling bytea   NOT NULL                              -- as much as a usual write takes: a disk that has room for less is full
);

-- What may be deleted, the oldest first.
CREATE INDEX matches_called_off ON matches (finished_ms, id) WHERE plies <= 1 AND reason IN ('aborted', 'no-show', 'closed');
CREATE INDEX players_guests ON players (created_ms, id) WHERE kind = 'guest';
CREATE INDEX challenges_expiry ON challenges (expires_ms, id);
CREATE INDEX tokens_expiry ON tokens (expires_ms);

-- When that was last done, in milliseconds since the Unix epoch: of several nodes one does it, once a day.
INSERT INTO counters (name, value) VALUES ('pruned', 0);

-- The database looks for what refers to a row before it deletes it; without these it reads whole tables.
CREATE INDEX challenges_match ON challenges (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX challenges_challenger ON challenges (challenger_id);
CREATE INDEX challenges_target ON challenges (to_id) WHERE to_id IS NOT NULL;
CREATE INDEX wishes_match ON wishes (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX audit_match ON audit (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX audit_actor ON audit (actor_id) WHERE actor_id IS NOT NULL;
CREATE INDEX reports_match ON reports (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter_id);
CREATE INDEX reports_reported ON reports (reported_id);
CREATE INDEX reports_taken ON reports (taken_by) WHERE taken_by IS NOT NULL;
CREATE INDEX reports_resolver ON reports (resolved_by) WHERE resolved_by IS NOT NULL;
CREATE INDEX rating_history_opponent ON rating_history (opponent_id);
CREATE INDEX head_to_head_opponent ON head_to_head (opponent_id);
CREATE INDEX rating_seeds_player ON rating_seeds (player_id);

-- Matches without a clock against a computer opponent end 14 days after the last entry; those that run already do from now on.
UPDATE matches SET due_ms = 1209600000 + coalesce((SELECT max(at_ms) FROM entries WHERE match_id = matches.id), created_ms)
WHERE finished_ms IS NULL AND time_control = 'unlimited'
    AND EXISTS (SELECT 1 FROM players WHERE id IN (first_id, second_id) AND level IS NOT NULL);
