-- Clocks of different length: a player of an arena halves the own one, and the host of a simul has more time. An older server goes on beside this: it
-- makes matches without both, and cannot open a match of which a clock was halved.

ALTER TABLE matches ADD COLUMN berserk         INTEGER NOT NULL DEFAULT 0; -- whether a player may halve the own clock
ALTER TABLE matches ADD COLUMN first_extra_ms  INTEGER NOT NULL DEFAULT 0; -- on the clock at the start beyond base_ms
ALTER TABLE matches ADD COLUMN second_extra_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events  ADD COLUMN berserk         INTEGER NOT NULL DEFAULT 0; -- whether players of an arena may halve their clocks
ALTER TABLE events  ADD COLUMN host_extra_ms   INTEGER NOT NULL DEFAULT 0; -- on the clocks of a simul's host beyond base_ms
