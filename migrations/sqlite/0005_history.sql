-- A player's history by any filter. The walk along a seat's index from the newest match on looks at every match of the player in the
-- worst case, so the index has all that a filter can ask for: what is passed over costs no look at its row.
CREATE INDEX matches_history_first ON matches (first_id, created_ms DESC, id DESC, game, speed, rated, private, second_id, winner, reason);
CREATE INDEX matches_history_second ON matches (second_id, created_ms DESC, id DESC, game, speed, rated, private, first_id, winner, reason);
-- They begin as these did.
DROP INDEX matches_first;
DROP INDEX matches_second;
-- The matches of two players, however many each has played.
CREATE INDEX matches_pair ON matches (first_id, second_id, created_ms DESC, id DESC);
