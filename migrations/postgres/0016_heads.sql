-- A new match has no entry. An older server goes on beside this.
ALTER TABLE matches ALTER COLUMN head SET DEFAULT 0;
