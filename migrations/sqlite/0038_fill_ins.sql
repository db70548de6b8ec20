-- Computer players who fill in at the start of an event. An older server goes on beside this: it begins such an event without them.

ALTER TABLE events ADD COLUMN fill_players INTEGER; -- the number of players up to which they come; null for none
ALTER TABLE events ADD COLUMN fill_level   INTEGER; -- the level of the first of them

-- Players of one address are kept apart. An older server goes on beside this: players who join by it are in no group, and the key of an event that
-- it ends stays.
ALTER TABLE events ADD COLUMN apart_by_address INTEGER NOT NULL DEFAULT 0; -- whether players of one address are not paired with each other
ALTER TABLE events ADD COLUMN address_key      BLOB;                       -- the key by which addresses become groups; null after the end
