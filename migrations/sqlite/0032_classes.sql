-- Classes (docs/schools.md): clubs whose teachers make the accounts of their pupils. An older server goes on beside this: it leaves the tables
-- alone, and does not know the rules of a class.

CREATE TABLE classes (
    club_id    TEXT    NOT NULL PRIMARY KEY REFERENCES clubs (id),
    outsiders  INTEGER NOT NULL,                           -- whether pupils play against people who are not in the class
    phrases    INTEGER NOT NULL,                           -- whether pupils send and get phrases and chat
    spectators INTEGER NOT NULL,                           -- whether matches of pupils are public
    profiles   INTEGER NOT NULL                            -- whether people outside the class see the profiles of pupils
) STRICT, WITHOUT ROWID;

CREATE TABLE pupils (
    player_id     TEXT    NOT NULL PRIMARY KEY REFERENCES players (id),
    club_id       TEXT    NOT NULL REFERENCES classes (club_id), -- the class that has made the account
    real_name     TEXT    NOT NULL,                        -- for the teachers of the class alone
    real_name_key TEXT    NOT NULL,                        -- the same in lower case; the order of the list
    created_ms    INTEGER NOT NULL,                        -- when
    UNIQUE (club_id, real_name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE login_cards (
    code_hash  BLOB    NOT NULL PRIMARY KEY,               -- SHA-256 of the code
    player_id  TEXT    NOT NULL REFERENCES pupils (player_id),
    state      TEXT    NOT NULL,                           -- a code
    created_ms INTEGER NOT NULL,                           -- when
    expires_ms INTEGER NOT NULL                            -- from then on it is worth nothing
) STRICT, WITHOUT ROWID;

-- The latest card of a pupil.
CREATE INDEX login_cards_pupil ON login_cards (player_id, created_ms DESC, code_hash);
