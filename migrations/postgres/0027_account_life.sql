-- Codes with which the owner of an account sets a new password, and names that their former owners may take back. An older server goes on
-- beside this: it leaves both tables alone, and gives a held name away.
CREATE TABLE recovery_codes (
    player_id  text COLLATE "C" NOT NULL REFERENCES players (id), -- the account
    code_hash  bytea            NOT NULL,                         -- SHA-256 of the code: a reader of this table cannot use it
    created_ms bigint           NOT NULL,                         -- shown to the owner, who has the codes on paper
    PRIMARY KEY (player_id, code_hash)
);

CREATE TABLE former_names (
    name_key  text COLLATE "C" NOT NULL PRIMARY KEY,             -- as in players: nobody else gets this name
    name      text COLLATE "C" NOT NULL,                         -- as it was written
    player_id text COLLATE "C" NOT NULL REFERENCES players (id), -- the account, to which an address with the old name leads
    until_ms  bigint           NOT NULL                          -- the name is free from here on, and the account may be renamed again
);

-- The time of the last renaming of one account.
CREATE INDEX former_names_player ON former_names (player_id, until_ms);
-- Names that are free again are deleted by their age.
CREATE INDEX former_names_by_age ON former_names (until_ms);
