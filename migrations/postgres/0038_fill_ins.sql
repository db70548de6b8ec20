-- Computer players who fill in at the start of an event. An older server goes on beside this: it begins such an event without them.

ALTER TABLE events ADD COLUMN fill_players bigint; -- the number of players up to which they come; null for none
ALTER TABLE events ADD COLUMN fill_level   bigint; -- the level of the first of them
