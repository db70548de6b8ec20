-- Events (docs/events.md): a journal for each, and what is read without it. An older server goes on beside this: it leaves the tables alone, and
-- begins no event. The references to clubs and matches end with their rows, so that it can delete both.

CREATE TABLE events (
    id            TEXT    NOT NULL PRIMARY KEY,
    kind          TEXT    NOT NULL,                        -- a code
    name          TEXT    NOT NULL,
    description   TEXT    NOT NULL,
    game          TEXT    NOT NULL,                        -- a code
    setup         TEXT    NOT NULL,                        -- of each match, as in matches
    time_control  TEXT    NOT NULL,                        -- as in matches
    base_ms       INTEGER,
    increment_ms  INTEGER,
    days          INTEGER,
    rated         INTEGER NOT NULL,                        -- whether ratings change
    start_ms      INTEGER NOT NULL,                        -- when it begins; with start_players, when it is cancelled without them
    start_players INTEGER,                                 -- the number of players that begins it
    duration_ms   INTEGER,                                 -- the length of an arena
    rounds        INTEGER,                                 -- of a Swiss tournament
    cycles        INTEGER,                                 -- of a round robin
    max_players   INTEGER NOT NULL,
    min_rating    INTEGER,                                 -- the lowest and the greatest rating at joining
    max_rating    INTEGER,
    min_matches   INTEGER NOT NULL,                        -- rated matches that a player must have played
    club_id       TEXT    REFERENCES clubs (id) ON DELETE SET NULL, -- the club whose members may join
    for_club      INTEGER NOT NULL,                        -- whether there was one: nobody joins after it was closed
    password_hash TEXT,                                    -- of the password for joining
    by_id         TEXT    NOT NULL REFERENCES players (id), -- the creator
    created_ms    INTEGER NOT NULL,
    state         TEXT    NOT NULL,                        -- a code; this and all below follow from the journal
    sort_ms       INTEGER NOT NULL,                        -- the order of lists: the start, then the time of the beginning, then of the end
    due_ms        INTEGER,                                 -- when the server looks at it next; null where it waits for matches alone
    head          INTEGER NOT NULL,                        -- the seq of the last entry of the journal
    players       INTEGER NOT NULL,                        -- those who have not withdrawn
    round         INTEGER NOT NULL,                        -- the last one that was paired; 0 before
    finished_ms   INTEGER,
    hidden        INTEGER NOT NULL,                        -- whether it was for a club, now closed, that was joined by invitation
    told          INTEGER NOT NULL                         -- whether the notices before the start were written
) STRICT, WITHOUT ROWID;

CREATE INDEX events_list ON events (state, sort_ms, id);
CREATE INDEX events_due ON events (due_ms) WHERE due_ms IS NOT NULL;
-- The limit of an account, and what refers to a player.
CREATE INDEX events_creator ON events (by_id, state);
CREATE INDEX events_club ON events (club_id) WHERE club_id IS NOT NULL;

CREATE TABLE event_entries (
    event_id TEXT    NOT NULL REFERENCES events (id),
    seq      INTEGER NOT NULL,                             -- from 1, without a gap
    at_ms    INTEGER NOT NULL,
    payload  TEXT    NOT NULL,                             -- JSON
    PRIMARY KEY (event_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE event_players (
    event_id  TEXT    NOT NULL REFERENCES events (id),
    seat      INTEGER NOT NULL,                            -- the order of joining, from 0
    player_id TEXT    NOT NULL REFERENCES players (id),
    since_ms  INTEGER NOT NULL,                            -- when the player joined first
    state     TEXT    NOT NULL,                            -- a code
    PRIMARY KEY (event_id, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX event_players_player ON event_players (player_id, event_id);

CREATE TABLE event_games (
    event_id     TEXT    NOT NULL REFERENCES events (id),
    number       INTEGER NOT NULL,                         -- from 1
    round        INTEGER NOT NULL,
    first_seat   INTEGER NOT NULL,                         -- seats of event_players
    second_seat  INTEGER NOT NULL,
    time_control TEXT,                                     -- where it differs from that of the event
    base_ms      INTEGER,
    increment_ms INTEGER,
    days         INTEGER,
    state        TEXT    NOT NULL,                         -- a code
    result       TEXT,                                     -- a code, once it has ended
    skipped      TEXT,                                     -- the reason for which it is not played, a code
    match_id     TEXT    REFERENCES matches (id) ON DELETE SET NULL,
    changed      INTEGER NOT NULL,                         -- whether the match was made void after its end was noted
    PRIMARY KEY (event_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX event_games_match ON event_games (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX event_games_round ON event_games (event_id, round, number);
-- The games that are to begin, those of which the end is to be noted, and those of which it has changed.
CREATE INDEX event_games_ready ON event_games (event_id, number) WHERE state = 'ready';
CREATE INDEX event_games_playing ON event_games (event_id, number) WHERE state = 'playing';
CREATE INDEX event_games_changed ON event_games (event_id, number) WHERE changed;
