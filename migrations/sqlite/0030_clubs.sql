-- Clubs (docs/clubs.md). An older server goes on beside this: it leaves the tables alone, keeps the memberships of accounts that it deletes,
-- and lists no notices about clubs.

CREATE TABLE clubs (
    id           TEXT    NOT NULL PRIMARY KEY,
    handle       TEXT    NOT NULL,                         -- the name in addresses
    handle_key   TEXT    NOT NULL UNIQUE,                  -- the same in lower case
    kind         TEXT    NOT NULL,                         -- a code
    name         TEXT    NOT NULL,                         -- in any script
    name_key     TEXT    NOT NULL UNIQUE,                  -- the same for names that look alike
    find_key     TEXT    NOT NULL,                         -- handle and name in lower case, for the search
    joining      TEXT    NOT NULL,                         -- a code
    descriptions TEXT    NOT NULL,                         -- JSON, a text for each language
    banner       TEXT    NOT NULL,                         -- a line at the top of the page; empty without one
    members      INTEGER NOT NULL,                         -- the number of members; the order of the list
    log_entries  INTEGER NOT NULL,                         -- the number of the last entry of the log
    founder_id   TEXT    NOT NULL REFERENCES players (id), -- who has founded it
    created_ms   INTEGER NOT NULL                          -- when
) STRICT, WITHOUT ROWID;

-- The list of clubs.
CREATE INDEX clubs_public ON clubs (members DESC, id DESC) WHERE joining <> 'invitation';
-- The limit of clubs that one account founds.
CREATE INDEX clubs_founded ON clubs (founder_id);

CREATE TABLE club_members (
    club_id   TEXT    NOT NULL REFERENCES clubs (id),
    player_id TEXT    NOT NULL REFERENCES players (id),
    officer   INTEGER NOT NULL,                            -- whether the member is an officer
    since_ms  INTEGER NOT NULL,                            -- since when; the order of the list, and of succession
    PRIMARY KEY (club_id, player_id)
) STRICT, WITHOUT ROWID;

-- A page of the members of a club, and of the clubs of a player.
CREATE INDEX club_members_by_time ON club_members (club_id, since_ms, player_id);
CREATE INDEX club_members_player ON club_members (player_id, since_ms DESC, club_id DESC);
CREATE INDEX club_members_officers ON club_members (club_id) WHERE officer;

CREATE TABLE club_requests (
    club_id   TEXT    NOT NULL REFERENCES clubs (id),
    player_id TEXT    NOT NULL REFERENCES players (id),    -- who wants to join
    line      TEXT    NOT NULL,                            -- what they say; may be empty
    since_ms  INTEGER NOT NULL,                            -- when
    PRIMARY KEY (club_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_requests_by_time ON club_requests (club_id, since_ms DESC, player_id DESC);
CREATE INDEX club_requests_player ON club_requests (player_id, since_ms DESC, club_id DESC);

CREATE TABLE club_invitations (
    club_id   TEXT    NOT NULL REFERENCES clubs (id),
    player_id TEXT    NOT NULL REFERENCES players (id),    -- whom
    by_id     TEXT    NOT NULL REFERENCES players (id),    -- the officer
    hidden    INTEGER NOT NULL,                            -- whether the invited player is not told: they have blocked the officer, or have too many
    since_ms  INTEGER NOT NULL,                            -- when
    PRIMARY KEY (club_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_invitations_by_time ON club_invitations (club_id, since_ms DESC, player_id DESC);
CREATE INDEX club_invitations_player ON club_invitations (player_id, since_ms DESC, club_id DESC) WHERE NOT hidden;
-- What refers to an account that is deleted.
CREATE INDEX club_invitations_hidden ON club_invitations (player_id);

CREATE TABLE club_removals (
    club_id   TEXT    NOT NULL REFERENCES clubs (id),
    player_id TEXT    NOT NULL REFERENCES players (id),    -- who was removed, and joins by invitation or request only
    at_ms     INTEGER NOT NULL,                            -- when
    PRIMARY KEY (club_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_removals_by_time ON club_removals (club_id, at_ms DESC, player_id DESC);
CREATE INDEX club_removals_player ON club_removals (player_id);

CREATE TABLE club_log (
    club_id  TEXT    NOT NULL REFERENCES clubs (id),
    number   INTEGER NOT NULL,                             -- the order of the log
    at_ms    INTEGER NOT NULL,                             -- when
    actor_id TEXT    REFERENCES players (id),              -- the officer; null for the server and for moderators
    action   TEXT    NOT NULL,                             -- a code
    about_id TEXT    REFERENCES players (id),              -- the other player, if there is one
    detail   TEXT    NOT NULL,                             -- the changed fields; may be empty
    PRIMARY KEY (club_id, number)
) STRICT, WITHOUT ROWID;

-- What refers to a player.
CREATE INDEX club_invitations_by ON club_invitations (by_id);
CREATE INDEX club_log_actor ON club_log (actor_id) WHERE actor_id IS NOT NULL;
CREATE INDEX club_log_about ON club_log (about_id) WHERE about_id IS NOT NULL;
