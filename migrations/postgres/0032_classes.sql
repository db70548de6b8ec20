-- Classes (docs/schools.md). See migrations/sqlite for what each column is for. An older server goes on beside this: it leaves the tables
-- alone, and does not know the rules of a class.
--
-- Locks: new tables alone.

CREATE TABLE classes (
    club_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES clubs (id),
    outsiders boolean NOT NULL,
    phrases boolean NOT NULL,
    spectators boolean NOT NULL,
    profiles boolean NOT NULL
);

CREATE TABLE pupils (
    player_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES players (id),
    club_id text COLLATE "C" NOT NULL REFERENCES classes (club_id),
    real_name text COLLATE "C" NOT NULL,
    real_name_key text COLLATE "C" NOT NULL,
    created_ms bigint NOT NULL,
    UNIQUE (club_id, real_name_key)
);

CREATE TABLE login_cards (
    code_hash bytea NOT NULL PRIMARY KEY,
    player_id text COLLATE "C" NOT NULL REFERENCES pupils (player_id),
    state text COLLATE "C" NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint NOT NULL
);

CREATE INDEX login_cards_pupil ON login_cards (player_id, created_ms DESC, code_hash);
