-- How a player wants to be shown. An older server goes on beside this: it leaves the new columns alone and shows nobody's.
ALTER TABLE players ADD COLUMN avatar TEXT; -- the name of one of the set; null for the picture made of the name
ALTER TABLE players ADD COLUMN flag   TEXT; -- a code of ISO 3166-1; null for none
