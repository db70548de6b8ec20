-- Clocks of different length (docs/events.md). See migrations/sqlite for what each column is for. An older server goes on beside this: it makes
-- matches without both, and cannot open a match of which a clock was halved.
--
-- Locks: columns with a constant default, without a rewrite of the tables.

ALTER TABLE matches ADD COLUMN berserk boolean NOT NULL DEFAULT false;
ALTER TABLE matches ADD COLUMN first_extra_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN second_extra_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN berserk boolean NOT NULL DEFAULT false;
ALTER TABLE events ADD COLUMN host_extra_ms bigint NOT NULL DEFAULT 0;
