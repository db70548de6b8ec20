-- Invitations to register, where the operator has chosen `--registration invite` (docs/schools.md). An older server goes on beside this: it
-- leaves the table alone, and lets everybody register.

CREATE TABLE invitations (
    id            TEXT    NOT NULL PRIMARY KEY,          -- names it in lists; grants nothing
    code_hash     BLOB    NOT NULL,                      -- SHA-256 of the code: a reader of this table cannot use it
    note          TEXT    NOT NULL,                      -- for whom it is, in the words of its author; may be empty
    uses          INTEGER NOT NULL,                      -- the number of accounts that it makes
    used          INTEGER NOT NULL,                      -- the number that it has made
    created_by    TEXT             REFERENCES players (id), -- its author; null for the operator at the console
    created_ms    INTEGER NOT NULL,                      -- the order of the list
    expires_ms    INTEGER NOT NULL,                      -- it makes no account from here on
    revoked_ms    INTEGER,                               -- since when it is revoked; null if it is not
    UNIQUE (code_hash)
) STRICT, WITHOUT ROWID;

-- A page of the list.
CREATE INDEX invitations_by_time ON invitations (created_ms DESC, id DESC);
-- Those that can be used are counted; the others are deleted by their age.
CREATE INDEX invitations_by_expiry ON invitations (expires_ms, id);
-- What refers to a player.
CREATE INDEX invitations_author ON invitations (created_by) WHERE created_by IS NOT NULL;
