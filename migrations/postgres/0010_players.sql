-- The language of an account, and players found by the beginning of their names. An older server goes on beside this: it leaves the new
-- column alone.

ALTER TABLE players ADD COLUMN language text; -- what the player reads, as a tag; null for who has not chosen

-- Who can be found: guests come in great numbers, all with the same first letters.
CREATE INDEX players_found ON players (name_key) WHERE kind <> 'guest' AND disabled_ms IS NULL;
