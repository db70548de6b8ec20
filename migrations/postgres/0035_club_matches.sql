-- Club matches (docs/clubs.md). See migrations/sqlite for what each column is for. An older server goes on beside this: it leaves the tables
-- alone, and begins no club match. The references to clubs and matches end with their rows, so that it can delete both.
--
-- Locks: new tables, with a reference to clubs, players and matches each.

CREATE TABLE club_matches (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    home_id text COLLATE "C" REFERENCES clubs (id) ON DELETE SET NULL,
    home_name text COLLATE "C" NOT NULL,
    away_id text COLLATE "C" REFERENCES clubs (id) ON DELETE SET NULL,
    away_name text COLLATE "C" NOT NULL,
    hidden boolean NOT NULL,
    game text COLLATE "C" NOT NULL,
    time_control text COLLATE "C" NOT NULL,
    base_ms bigint,
    increment_ms bigint,
    days bigint,
    rated boolean NOT NULL,
    boards bigint NOT NULL,
    games bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    start_ms bigint NOT NULL,
    due_ms bigint,
    created_ms bigint NOT NULL,
    finished_ms bigint
);

CREATE INDEX club_matches_home ON club_matches (home_id, state, start_ms, id);
CREATE INDEX club_matches_away ON club_matches (away_id, state, start_ms, id);
CREATE INDEX club_matches_due ON club_matches (due_ms) WHERE due_ms IS NOT NULL;

CREATE TABLE club_match_players (
    club_match_id text COLLATE "C" NOT NULL REFERENCES club_matches (id),
    home boolean NOT NULL,
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    since_ms bigint NOT NULL,
    PRIMARY KEY (club_match_id, player_id)
);

CREATE INDEX club_match_players_by_time ON club_match_players (club_match_id, home, since_ms, player_id);
CREATE INDEX club_match_players_player ON club_match_players (player_id);

CREATE TABLE club_match_boards (
    club_match_id text COLLATE "C" NOT NULL REFERENCES club_matches (id),
    number bigint NOT NULL,
    home_player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    away_player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    home_rating double precision,
    away_rating double precision,
    PRIMARY KEY (club_match_id, number)
);

CREATE INDEX club_match_boards_home ON club_match_boards (home_player_id);
CREATE INDEX club_match_boards_away ON club_match_boards (away_player_id);

CREATE TABLE club_match_games (
    club_match_id text COLLATE "C" NOT NULL REFERENCES club_matches (id),
    board bigint NOT NULL,
    game bigint NOT NULL,
    home_side text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    skipped text COLLATE "C",
    match_id text COLLATE "C" REFERENCES matches (id) ON DELETE SET NULL,
    PRIMARY KEY (club_match_id, board, game)
);

CREATE UNIQUE INDEX club_match_games_match ON club_match_games (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX club_match_games_ready ON club_match_games (club_match_id, board, game) WHERE state = 'ready';
CREATE INDEX club_match_games_playing ON club_match_games (club_match_id, board, game) WHERE state = 'playing';
