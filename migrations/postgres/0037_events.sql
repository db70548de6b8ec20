-- Events (docs/events.md). See migrations/sqlite for what each column is for. An older server goes on beside this: it leaves the tables alone, and
-- begins no event. The references to clubs and matches end with their rows, so that it can delete both.
--
-- Locks: new tables, with references to clubs, players and matches.

CREATE TABLE events (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    description text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    setup text COLLATE "C" NOT NULL,
    time_control text COLLATE "C" NOT NULL,
    base_ms bigint,
    increment_ms bigint,
    days bigint,
    rated boolean NOT NULL,
    start_ms bigint NOT NULL,
    start_players bigint,
    duration_ms bigint,
    rounds bigint,
    cycles bigint,
    max_players bigint NOT NULL,
    min_rating bigint,
    max_rating bigint,
    min_matches bigint NOT NULL,
    club_id text COLLATE "C" REFERENCES clubs (id) ON DELETE SET NULL,
    for_club boolean NOT NULL,
    password_hash text COLLATE "C",
    by_id text COLLATE "C" NOT NULL REFERENCES players (id),
    created_ms bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    sort_ms bigint NOT NULL,
    due_ms bigint,
    head bigint NOT NULL,
    players bigint NOT NULL,
    round bigint NOT NULL,
    finished_ms bigint,
    hidden boolean NOT NULL,
    told boolean NOT NULL
);

CREATE INDEX events_list ON events (state, sort_ms, id);
CREATE INDEX events_due ON events (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX events_creator ON events (by_id, state);
CREATE INDEX events_club ON events (club_id) WHERE club_id IS NOT NULL;

CREATE TABLE event_entries (
    event_id text COLLATE "C" NOT NULL REFERENCES events (id),
    seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    payload text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, seq)
);

CREATE TABLE event_players (
    event_id text COLLATE "C" NOT NULL REFERENCES events (id),
    seat bigint NOT NULL,
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    since_ms bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, seat)
);

CREATE UNIQUE INDEX event_players_player ON event_players (player_id, event_id);

CREATE TABLE event_games (
    event_id text COLLATE "C" NOT NULL REFERENCES events (id),
    number bigint NOT NULL,
    round bigint NOT NULL,
    first_seat bigint NOT NULL,
    second_seat bigint NOT NULL,
    time_control text COLLATE "C",
    base_ms bigint,
    increment_ms bigint,
    days bigint,
    state text COLLATE "C" NOT NULL,
    result text COLLATE "C",
    skipped text COLLATE "C",
    match_id text COLLATE "C" REFERENCES matches (id) ON DELETE SET NULL,
    changed boolean NOT NULL,
    PRIMARY KEY (event_id, number)
);

CREATE UNIQUE INDEX event_games_match ON event_games (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX event_games_round ON event_games (event_id, round, number);
CREATE INDEX event_games_ready ON event_games (event_id, number) WHERE state = 'ready';
CREATE INDEX event_games_playing ON event_games (event_id, number) WHERE state = 'playing';
CREATE INDEX event_games_changed ON event_games (event_id, number) WHERE changed;
