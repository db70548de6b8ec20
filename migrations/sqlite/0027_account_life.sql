-- Codes with which the owner of an account sets a new password, and names that their former owners may take back. An older server goes on
-- beside this: it leaves both tables alone, and gives a held name away.
CREATE TABLE recovery_codes (
    player_id  TEXT    NOT NULL REFERENCES players (id), -- the account
    code_hash  BLOB    NOT NULL,                         -- SHA-256 of the code: a reader of this table cannot use it
    created_ms INTEGER NOT NULL,                         -- shown to the owner, who has the codes on paper
    PRIMARY KEY (player_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE former_names (
    name_key  TEXT    NOT NULL PRIMARY KEY,             -- as in players: nobody else gets this name
    name      TEXT    NOT NULL,                         -- as it was written
    player_id TEXT    NOT NULL REFERENCES players (id), -- the account, to which an address with the old name leads
    until_ms  INTEGER NOT NULL                          -- the name is free from here on, and the account may be renamed again
) STRICT, WITHOUT ROWID;

-- The time of the last renaming of one account.
CREATE INDEX former_names_player ON former_names (player_id, until_ms);
-- Names that are free again are deleted by their age.
CREATE INDEX former_names_by_age ON former_names (until_ms);
