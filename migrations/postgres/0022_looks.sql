-- How a player wants to be shown. See migrations/sqlite for what each column is for. An older server goes on beside this: it leaves the new
-- columns alone and shows nobody's.
--
-- Locks: a new column without a default is a change of the catalogue alone.
ALTER TABLE players ADD COLUMN avatar text;
ALTER TABLE players ADD COLUMN flag   text;
