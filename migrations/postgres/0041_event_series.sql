-- Series (docs/events.md). See migrations/sqlite for what each column is for. An older server goes on beside this, but cannot read an event of this
-- kind, nor a list in which one stands.
--
-- Locks: columns with a constant default or none, without a rewrite of the table.

ALTER TABLE events ADD COLUMN games bigint;
ALTER TABLE events ADD COLUMN best_of boolean NOT NULL DEFAULT false;
