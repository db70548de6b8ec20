-- Display names in any script, beside the name in addresses (docs/people.md). An older server goes on beside this: it leaves the columns alone,
-- shows nobody's, keeps those of accounts that it deletes, and gives a name away that looks like one.

ALTER TABLE players ADD COLUMN display_name     text; -- as others see it; null for none
ALTER TABLE players ADD COLUMN display_key      text COLLATE "C"; -- the same for names that look alike
ALTER TABLE players ADD COLUMN display_find     text COLLATE "C"; -- in lower case, for the search
ALTER TABLE players ADD COLUMN display_since_ms bigint; -- the start of the period in which the changes are counted
ALTER TABLE players ADD COLUMN display_changes  bigint; -- their number in it

CREATE UNIQUE INDEX players_display_key ON players (display_key) WHERE display_key IS NOT NULL;
-- The search by the first letters of a display name.
CREATE INDEX players_found_by_display_name ON players (display_find) WHERE display_find IS NOT NULL AND disabled_ms IS NULL;

-- Names that look like a new one: the key of a name, which is in ASCII, as an expression that an older server need not know.
CREATE INDEX players_name_look ON players (replace(replace(replace(replace(replace(replace(name_key, '-', ''), '_', ''), '0', 'o'), '1', 'l'), 'i', 'l'), 'm', 'rn')) WHERE kind <> 'guest';
CREATE INDEX former_names_look ON former_names (replace(replace(replace(replace(replace(replace(name_key, '-', ''), '_', ''), '0', 'o'), '1', 'l'), 'i', 'l'), 'm', 'rn'));

CREATE TABLE former_display_names (
    display_key text COLLATE "C" NOT NULL PRIMARY KEY,             -- as in players: nobody else gets a name that looks so
    name        text NOT NULL,                         -- as it was written
    player_id   text NOT NULL REFERENCES players (id), -- the account, which may take it back
    until_ms    bigint NOT NULL                       -- the name is free from here on
);

-- What refers to an account that is deleted.
CREATE INDEX former_display_names_player ON former_display_names (player_id, until_ms);
-- Names that are free again are deleted by their age.
CREATE INDEX former_display_names_by_age ON former_display_names (until_ms);
