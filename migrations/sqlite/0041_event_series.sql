-- Series: two players, a number of games, one score (docs/events.md). Other kinds of events are left as they are. An older server goes on beside
-- this, but cannot read an event of this kind, nor a list in which one stands.

ALTER TABLE events ADD COLUMN games   INTEGER;                    -- of a series, at most
ALTER TABLE events ADD COLUMN best_of INTEGER NOT NULL DEFAULT 0; -- whether a series ends as soon as a player cannot be caught any more
