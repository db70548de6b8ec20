-- Clubs (docs/clubs.md). See migrations/sqlite for what each column is for. An older server goes on beside this: it leaves the tables
-- alone, keeps the memberships of accounts that it deletes, and lists no notices about clubs.
--
-- Locks: new tables alone.

CREATE TABLE clubs (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    handle text COLLATE "C" NOT NULL,
    handle_key text COLLATE "C" NOT NULL UNIQUE,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL UNIQUE,
    find_key text COLLATE "C" NOT NULL,
    joining text COLLATE "C" NOT NULL,
    descriptions text COLLATE "C" NOT NULL,
    banner text COLLATE "C" NOT NULL,
    members bigint NOT NULL,
    log_entries bigint NOT NULL,
    founder_id text COLLATE "C" NOT NULL REFERENCES players (id),
    created_ms bigint NOT NULL
);

CREATE INDEX clubs_public ON clubs (members DESC, id DESC) WHERE joining <> 'invitation';
CREATE INDEX clubs_founded ON clubs (founder_id);

CREATE TABLE club_members (
    club_id text COLLATE "C" NOT NULL REFERENCES clubs (id),
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    officer boolean NOT NULL,
    since_ms bigint NOT NULL,
    PRIMARY KEY (club_id, player_id)
);

CREATE INDEX club_members_by_time ON club_members (club_id, since_ms, player_id);
CREATE INDEX club_members_player ON club_members (player_id, since_ms DESC, club_id DESC);
CREATE INDEX club_members_officers ON club_members (club_id) WHERE officer;

CREATE TABLE club_requests (
    club_id text COLLATE "C" NOT NULL REFERENCES clubs (id),
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    line text COLLATE "C" NOT NULL,
    since_ms bigint NOT NULL,
    PRIMARY KEY (club_id, player_id)
);

CREATE INDEX club_requests_by_time ON club_requests (club_id, since_ms DESC, player_id DESC);
CREATE INDEX club_requests_player ON club_requests (player_id, since_ms DESC, club_id DESC);

CREATE TABLE club_invitations (
    club_id text COLLATE "C" NOT NULL REFERENCES clubs (id),
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    by_id text COLLATE "C" NOT NULL REFERENCES players (id),
    hidden boolean NOT NULL,
    since_ms bigint NOT NULL,
    PRIMARY KEY (club_id, player_id)
);

CREATE INDEX club_invitations_by_time ON club_invitations (club_id, since_ms DESC, player_id DESC);
CREATE INDEX club_invitations_player ON club_invitations (player_id, since_ms DESC, club_id DESC) WHERE NOT hidden;
CREATE INDEX club_invitations_hidden ON club_invitations (player_id);

CREATE TABLE club_removals (
    club_id text COLLATE "C" NOT NULL REFERENCES clubs (id),
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    at_ms bigint NOT NULL,
    PRIMARY KEY (club_id, player_id)
);

CREATE INDEX club_removals_by_time ON club_removals (club_id, at_ms DESC, player_id DESC);
CREATE INDEX club_removals_player ON club_removals (player_id);

CREATE TABLE club_log (
    club_id text COLLATE "C" NOT NULL REFERENCES clubs (id),
    number bigint NOT NULL,
    at_ms bigint NOT NULL,
    actor_id text COLLATE "C" REFERENCES players (id),
    action text COLLATE "C" NOT NULL,
    about_id text COLLATE "C" REFERENCES players (id),
    detail text COLLATE "C" NOT NULL,
    PRIMARY KEY (club_id, number)
);

-- What refers to a player.
CREATE INDEX club_invitations_by ON club_invitations (by_id);
CREATE INDEX club_log_actor ON club_log (actor_id) WHERE actor_id IS NOT NULL;
CREATE INDEX club_log_about ON club_log (about_id) WHERE about_id IS NOT NULL;
