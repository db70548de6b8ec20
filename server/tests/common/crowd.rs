//! Bulk data in the tables: players of whom some play far more than others, their matches, ratings and histories, written as bulk SQL for
//! the present schema. For code that reads lists: a benchmark with very many, a test of query plans with a few.

#![allow(dead_code, reason = "each test and bench uses a part of it")]

use fastrand::Rng;
use mawe_rules::GameKind;
use mawe_store::{EventTerms, MatchCursor};
use mawe_wire::events::EventKind;
use mawe_wire::ids::{ClubId, ClubMatchId, EventId, EventTimetableId, MatchId, PlayerId};
use mawe_wire::{Speed, TimeControl};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

/// The number of rows of one statement.
const ROWS: usize = 500;

/// The start of the first match; the next ones start a minute apart.
pub(crate) const FIRST_MS: i64 = 1_700_000_000_000;

/// The number of pupils of the first club.
pub(crate) const PUPILS: usize = 100;

/// The number of clubs.
const CLUBS: usize = 20;

/// The number of club matches.
const CLUB_MATCHES: usize = 400;

/// The number of events.
const EVENTS: usize = 200;

/// The number of timetables of events.
const TIMETABLES: usize = 500;

/// A separate connection to a database, beside the store's.
pub(crate) enum Database {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Database {
    /// Opens a database by its `url` in the form that the store takes.
    pub(crate) async fn open(url: &str) -> Self {
        if url.starts_with("sqlite:") {
            Self::Sqlite(SqliteConnection::connect(url).await.expect("it is there"))
        } else {
            Self::Postgres(PgConnection::connect(url).await.expect("it is there"))
        }
    }

    pub(crate) async fn execute(&mut self, sql: String) {
        let statement = sqlx::raw_sql(AssertSqlSafe(sql.as_str()));
        let done = match self {
            Self::Sqlite(connection) => statement.execute(connection).await.map(drop),
            Self::Postgres(connection) => statement.execute(connection).await.map(drop),
        };
        done.unwrap_or_else(|error| panic!("{error}:\n{sql:.2000}"));
    }

    /// Returns a literal of 32 bytes, another for each number.
    fn hash(&self, number: usize) -> String {
        match self {
            Self::Sqlite(_) => format!("X'{number:064x}'"),
            Self::Postgres(_) => format!("decode('{number:064x}','hex')"),
        }
    }

    async fn insert(&mut self, into: &str, rows: impl IntoIterator<Item = String>) {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let some: Vec<String> = rows.by_ref().take(ROWS).collect();
            let sql = format!("INSERT INTO {into} VALUES {}", some.join(","));
            self.execute(sql).await;
        }
    }
}

/// The players of the bulk data.
pub(crate) struct Crowd {
    /// The busiest first.
    pub(crate) players: Vec<PlayerId>,
    /// The first has all players as members.
    pub(crate) clubs: Vec<ClubId>,
    pub(crate) club_matches: Vec<ClubMatchId>,
    /// Events in each state, with players and games, and a journal that is none.
    pub(crate) events: Vec<EventId>,
    /// The number of matches that they have played.
    matches: usize,
}

struct Played {
    id: MatchId,
    game: GameKind,
    speed: Speed,
    rated: bool,
    private: bool,
    players: [usize; 2],
    ratings: [f64; 2],
    created_ms: i64,
    /// The winner and the reason; `None` for a running match.
    end: Option<(Option<usize>, &'static str)>,
}

const SIDES: [&str; 2] = ["first", "second"];

impl Crowd {
    /// Writes the data into an empty database with its schema.
    pub(crate) async fn fill(database: &mut Database, players: usize, matches: usize) -> Self {
        let mut rng = Rng::with_seed(7);
        let crowd = Self {
            players: (0..players).map(|_| PlayerId::random()).collect(),
            clubs: (0..CLUBS).map(|_| ClubId::random()).collect(),
            club_matches: (0..CLUB_MATCHES).map(|_| ClubMatchId::random()).collect(),
            events: (0..EVENTS).map(|_| EventId::random()).collect(),
            matches,
        };
        database.execute("BEGIN".to_owned()).await;
        crowd.write_players(database, &mut rng).await;
        crowd.write_matches(database, &mut rng).await;
        crowd.write_counts(database).await;
        crowd.write_offers(database).await;
        crowd.write_relations(database).await;
        crowd.write_clubs(database).await;
        crowd.write_club_matches(database).await;
        crowd.write_events(database).await;
        crowd.write_event_timetables(database).await;
        database.execute("COMMIT".to_owned()).await;
        // Statistics that a database would collect by itself in time.
        if let Database::Postgres(_) = database {
            database.execute("VACUUM ANALYZE".to_owned()).await;
        }
        crowd
    }

    /// Draws a player, busy ones far more often than others. Of 20,000 players the busiest sits at nearly every thirteenth match.
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        (self.players.len() as f64 * rng.f64().powi(3)) as usize
    }

    pub(crate) fn name(index: usize) -> String {
        format!("Player{index}")
    }

    /// Returns a time before which `part` of all matches started.
    pub(crate) fn at_ms(&self, part: f64) -> i64 {
        FIRST_MS + (self.matches as f64 * part) as i64 * 60_000
    }

    /// Returns a cursor after `part` of all matches.
    pub(crate) fn cursor(&self, part: f64) -> MatchCursor {
        MatchCursor {
            created_ms: self.at_ms(part),
            id: MatchId::random(),
        }
    }

    async fn write_players(&self, database: &mut Database, rng: &mut Rng) {
        let rows = self.players.iter().enumerate().map(|(index, id)| {
            let (name, key) = (Self::name(index), Self::name(index).to_lowercase());
            format!("('{id}','{name}','{key}','account',{FIRST_MS})")
        });
        let into = "players (id, name, name_key, kind, created_ms)";
        database.insert(into, rows).await;

        let boards = GameKind::ALL
            .iter()
            .flat_map(|game| Speed::ALL.into_iter().map(move |speed| (game, speed)));
        let rows =
            boards.flat_map(|(game, speed)| self.players.iter().map(move |id| (game, speed, id)));
        let rows = rows.map(|(game, speed, id)| {
            let (rating, deviation) = (
                1500.0 + 400.0 * (rng.f64() - rng.f64()),
                45.0 + 200.0 * rng.f64(),
            );
            format!(
                "('{id}','{}','{}',{rating},{deviation},0.06,{FIRST_MS},5,1,4,9)",
                game.id(),
                speed.as_str()
            )
        });
        let into = "ratings (player_id, game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost, opponents)";
        database.insert(into, rows).await;
    }

    /// Every player follows the next ten, and has blocked the three after them.
    async fn write_relations(&self, database: &mut Database) {
        let next = |from: usize, places: std::ops::Range<usize>| {
            places.map(move |place| (from, (from + place) % self.players.len()))
        };
        let row = |(one, other): (usize, usize)| {
            let (one, other) = (&self.players[one], &self.players[other]);
            format!("('{one}','{other}',{FIRST_MS})")
        };
        for (table, places) in [
            ("follows (player_id, followed_id, created_ms)", 1..11),
            ("blocks (player_id, blocked_id, created_ms)", 11..14),
        ] {
            let pairs = (0..self.players.len()).flat_map(|from| next(from, places.clone()));
            database.insert(table, pairs.map(row)).await;
        }
        let invitation = |(index, author): (usize, &PlayerId)| {
            let hash = database.hash(index);
            format!(
                "('Invitation{index:02}',{hash},'a class',30,1,'{author}',{FIRST_MS},{FIRST_MS})"
            )
        };
        let invitations: Vec<String> = self
            .players
            .iter()
            .enumerate()
            .take(90)
            .map(invitation)
            .collect();
        let into =
            "invitations (id, code_hash, note, uses, used, created_by, created_ms, expires_ms)";
        database.insert(into, invitations).await;
    }

    /// Every player is a member of the first club, and requests to join the others or is invited to them. The first player is an officer of
    /// all.
    async fn write_clubs(&self, database: &mut Database) {
        let founder = &self.players[0];
        let clubs = self.clubs.iter().enumerate().map(|(index, id)| {
            let members = if index == 0 { self.players.len() } else { 1 };
            format!(
                "('{id}','crowd{index}','crowd{index}','club','Crowd {index}','crowd{index}','crowd{index} crowd {index}','open','{{}}','',{members},100,'{founder}',{FIRST_MS})"
            )
        });
        let into = "clubs (id, handle, handle_key, kind, name, name_key, find_key, joining, descriptions, banner, members, log_entries, founder_id, created_ms)";
        database.insert(into, clubs).await;
        let first = &self.clubs[0];
        let everybody = self
            .players
            .iter()
            .enumerate()
            .map(|(index, player)| format!("('{first}','{player}',{},{FIRST_MS})", index == 0));
        let leads = self.clubs[1..]
            .iter()
            .map(|club| format!("('{club}','{founder}',TRUE,{FIRST_MS})"));
        let into = "club_members (club_id, player_id, officer, since_ms)";
        database.insert(into, everybody.chain(leads)).await;
        // The first club is a class, too: of a few pupils, with all permissions.
        let into = "classes (club_id, outsiders, phrases, spectators, profiles)";
        let class = format!("('{first}',TRUE,TRUE,TRUE,TRUE)");
        database.insert(into, std::iter::once(class)).await;
        let few = || self.players.iter().skip(1).take(PUPILS).enumerate();
        let pupils = few().map(|(index, player)| {
            format!("('{player}','{first}','Pupil {index}','pupil {index:03}',{FIRST_MS})")
        });
        let into = "pupils (player_id, club_id, real_name, real_name_key, created_ms)";
        database.insert(into, pupils).await;
        let cards = few().map(|(index, player)| {
            let code = database.hash(index);
            format!("({code},'{player}','open',{FIRST_MS},{FIRST_MS})")
        });
        let cards: Vec<String> = cards.collect();
        let into = "login_cards (code_hash, player_id, state, created_ms, expires_ms)";
        database.insert(into, cards).await;
        for (table, value) in [
            (
                "club_requests (club_id, line, player_id, since_ms)",
                "'a line'".to_owned(),
            ),
            (
                "club_invitations (club_id, hidden, player_id, since_ms, by_id)",
                "FALSE".to_owned(),
            ),
        ] {
            let by = if table.contains("by_id") {
                format!(",'{founder}'")
            } else {
                String::new()
            };
            let rows = self.clubs[1..].iter().flat_map(|club| {
                let row =
                    |player: &PlayerId| format!("('{club}',{value},'{player}',{FIRST_MS}{by})");
                self.players[1..].iter().map(row).collect::<Vec<_>>()
            });
            database.insert(table, rows).await;
        }
        let entries = self.clubs.iter().flat_map(|club| {
            (1..=100).map(move |number| {
                format!("('{club}',{number},{FIRST_MS},'{founder}','changed',NULL,'banner')")
            })
        });
        let into = "club_log (club_id, number, at_ms, actor_id, action, about_id, detail)";
        database.insert(into, entries).await;
    }

    /// The first club and another in all states, each with ten sign-ups a side, and with ten boards that were played.
    async fn write_club_matches(&self, database: &mut Database) {
        let states = ["proposed", "accepted", "running", "finished", "declined"];
        let ids = || self.club_matches.iter().enumerate();
        let all = ids().map(|(index, id)| {
            let (one, other) = (&self.clubs[0], &self.clubs[1 + index % (CLUBS - 1)]);
            let (home, away) = if index % 2 == 0 { (one, other) } else { (other, one) };
            let state = states[index % states.len()];
            let start = FIRST_MS + index as i64;
            format!("('{id}','{home}','Home','{away}','Away',FALSE,'mawe','realtime',1000,0,FALSE,10,1,'{state}',{start},NULL,{FIRST_MS})")
        });
        let into = "club_matches (id, home_id, home_name, away_id, away_name, hidden, game, time_control, base_ms, increment_ms, rated, boards, games, state, start_ms, due_ms, created_ms)";
        database.insert(into, all).await;
        let entries = ids().flat_map(|(_, id)| {
            let side = |number: usize| if number < 10 { "TRUE" } else { "FALSE" };
            let players = self.players.iter().take(20).enumerate();
            let row = move |(number, player): (usize, &PlayerId)| {
                format!("('{id}',{},'{player}',{FIRST_MS})", side(number))
            };
            players.map(row).collect::<Vec<_>>()
        });
        let into = "club_match_players (club_match_id, home, player_id, since_ms)";
        database.insert(into, entries).await;
        let boards = ids().flat_map(|(_, id)| {
            let board = |number: usize| {
                let (home, away) = (&self.players[number], &self.players[number + 10]);
                format!("('{id}',{},'{home}','{away}',1500.0,NULL)", number + 1)
            };
            (0..10).map(board).collect::<Vec<_>>()
        });
        let into = "club_match_boards (club_match_id, number, home_player_id, away_player_id, home_rating, away_rating)";
        database.insert(into, boards).await;
        let games = ids().flat_map(|(_, id)| {
            let game = |number: usize| format!("('{id}',{number},1,'first','ended')");
            (1..=10).map(game).collect::<Vec<_>>()
        });
        let into = "club_match_games (club_match_id, board, game, home_side, state)";
        database.insert(into, games).await;
        // As many of them as there are matches have one.
        let matches = "UPDATE club_match_games SET match_id = n.id
            FROM (SELECT g.club_match_id, g.board, m.id
                FROM (SELECT club_match_id, board, row_number() OVER (ORDER BY club_match_id, board) AS number FROM club_match_games) g
                JOIN (SELECT id, row_number() OVER (ORDER BY id) AS number FROM matches) m ON m.number = g.number) n
            WHERE n.club_match_id = club_match_games.club_match_id AND n.board = club_match_games.board";
        database.execute(matches.to_owned()).await;
    }

    async fn write_events(&self, database: &mut Database) {
        let states = ["coming", "running", "finished", "cancelled"];
        let ids = || self.events.iter().enumerate();
        let by = &self.players[0];
        let all = ids().map(|(index, id)| {
            let state = states[index % states.len()];
            let sort = FIRST_MS + index as i64;
            let club = &self.clubs[index % self.clubs.len()];
            format!("('{id}','swiss','Event','','mawe','','realtime',1000,0,FALSE,{FIRST_MS},5,300,0,TRUE,'{club}','{by}',{FIRST_MS},'{state}',{sort},20,20,1,TRUE,FALSE)")
        });
        let into = "events (id, kind, name, description, game, setup, time_control, base_ms, increment_ms, rated, start_ms, rounds, max_players, min_matches, for_club, club_id, by_id, created_ms, state, sort_ms, head, players, round, told, hidden)";
        database.insert(into, all).await;
        let entries = ids().flat_map(|(_, id)| {
            let entry = |seq: usize| format!("('{id}',{seq},{FIRST_MS},'none')");
            (1..=20).map(entry).collect::<Vec<_>>()
        });
        let into = "event_entries (event_id, seq, at_ms, payload)";
        database.insert(into, entries).await;
        let players = ids().flat_map(|(_, id)| {
            let players = self.players.iter().take(20).enumerate();
            let row = move |(seat, player): (usize, &PlayerId)| {
                format!("('{id}',{seat},'{player}',{FIRST_MS},'in')")
            };
            players.map(row).collect::<Vec<_>>()
        });
        let into = "event_players (event_id, seat, player_id, since_ms, state)";
        database.insert(into, players).await;
        let games = ids().flat_map(|(_, id)| {
            let game = |number: usize| {
                let (first, second) = (2 * number - 2, 2 * number - 1);
                format!("('{id}',{number},1,{first},{second},'skipped','apart',FALSE)")
            };
            (1..=10).map(game).collect::<Vec<_>>()
        });
        let into = "event_games (event_id, number, round, first_seat, second_seat, state, skipped, changed)";
        database.insert(into, games).await;
    }

    async fn write_event_timetables(&self, database: &mut Database) {
        let terms = arena_terms();
        let terms = serde_json::to_string(&terms).expect("they are plain JSON");
        let rows = (0..TIMETABLES).map(|index| {
            let id = EventTimetableId::random();
            let by = &self.players[index % self.players.len()];
            let last = FIRST_MS + index as i64;
            // One of four is for everybody.
            let club = match index % 4 {
                0 => "NULL".to_owned(),
                _ => format!("'{}'", self.clubs[index % self.clubs.len()]),
            };
            format!("('{id}','daily','',1080,'UTC','{terms}',{club},'{by}',{FIRST_MS},{last})")
        });
        let into = "event_timetables (id, every, weekdays, at_minute, zone, terms, club_id, by_id, created_ms, last_ms)";
        database.insert(into, rows).await;
    }

    async fn write_matches(&self, database: &mut Database, rng: &mut Rng) {
        let played: Vec<Played> = (0..self.matches)
            .map(|index| self.play(rng, index))
            .collect();
        let into = "matches (id, game, setup, rated, time_control, base_ms, increment_ms, speed, private, first_id, second_id,
            first_rating, first_deviation, second_rating, second_deviation, strength, created_ms, finished_ms, winner, reason,
            plies, epoch)";
        database
            .insert(into, played.iter().map(|played| self.row(played)))
            .await;

        let counted = played.iter().filter(|played| {
            played.rated && played.end.is_some_and(|(_, reason)| reason != "aborted")
        });
        let rows = counted
            .zip(1..)
            .flat_map(|(played, ordinal)| [0, 1].map(|side| self.change(played, side, ordinal)));
        let into = "rating_history (match_id, side, player_id, opponent_id, game, speed, score, rating_before, deviation_before,
            volatility_before, rating_after, deviation_after, volatility_after, at_ms, ordinal)";
        database.insert(into, rows).await;
    }

    fn play(&self, rng: &mut Rng, index: usize) -> Played {
        let first = self.draw(rng);
        let mut second = self.draw(rng);
        while second == first {
            second = rng.usize(..self.players.len());
        }
        let end = match rng.u8(..100) {
            0 => None,
            1..=3 => Some((None, "aborted")),
            4..=10 => Some((None, "agreement")),
            11..=14 => Some((Some(rng.usize(..2)), "abandoned")),
            _ => Some((Some(rng.usize(..2)), "resignation")),
        };
        Played {
            id: MatchId::random(),
            game: *rng.choice(GameKind::ALL).expect("there are games"),
            speed: rng.choice(Speed::ALL).expect("there are speeds"),
            rated: rng.u8(..4) > 0,
            private: rng.u8(..50) == 0,
            players: [first, second],
            ratings: [0, 1].map(|_| 1500.0 + 400.0 * (rng.f64() - rng.f64())),
            created_ms: FIRST_MS + index as i64 * 60_000,
            end,
        }
    }

    fn row(&self, played: &Played) -> String {
        let text = |text: Option<&str>| text.map_or("NULL".to_owned(), |text| format!("'{text}'"));
        let [first, second] = played.players.map(|index| &self.players[index]);
        let [first_rating, second_rating] = played.ratings;
        let winner = played.end.and_then(|(winner, _)| winner);
        let finished = played.end.map(|_| played.created_ms + 300_000);
        format!(
            "('{}','{}','',{},'realtime',180000,2000,'{}',{},'{first}','{second}',{first_rating},60,{second_rating},60,{},{},{},{},{},{},1)",
            played.id,
            played.game.id(),
            played.rated,
            played.speed.as_str(),
            played.private,
            first_rating + second_rating,
            played.created_ms,
            finished.map_or("NULL".to_owned(), |at| at.to_string()),
            text(winner.map(|side| SIDES[side])),
            text(played.end.map(|(_, reason)| reason)),
            played.end.map_or("NULL", |_| "30"),
        )
    }

    fn change(&self, played: &Played, side: usize, ordinal: usize) -> String {
        let [player, opponent] = [side, 1 - side].map(|side| &self.players[played.players[side]]);
        let score = match played.end.and_then(|(winner, _)| winner) {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        };
        let rating = played.ratings[side];
        format!(
            "('{}','{}','{player}','{opponent}','{}','{}',{score},{rating},60,0.06,{},60,0.06,{},{ordinal})",
            played.id,
            SIDES[side],
            played.game.id(),
            played.speed.as_str(),
            rating + score - 0.5,
            played.created_ms + 300_000,
        )
    }

    /// Writes the tallies from the matches, as the migration that added them did.
    async fn write_counts(&self, database: &mut Database) {
        for (table, keys, sums) in [
            ("tallies", "player_id, game, side", ", sum(plies)"),
            ("head_to_head", "player_id, opponent_id, game", ""),
        ] {
            let plies = if sums.is_empty() { "" } else { ", plies" };
            database
                .execute(format!(
                    "INSERT INTO {table} ({keys}, won, drawn, lost{plies})
                    SELECT {keys}, count(*) FILTER (WHERE winner = side), count(*) FILTER (WHERE winner IS NULL),
                        count(*) FILTER (WHERE winner <> side){sums}
                    FROM (
                        SELECT first_id AS player_id, second_id AS opponent_id, game, 'first' AS side, winner, plies
                        FROM matches WHERE reason <> 'aborted'
                        UNION ALL
                        SELECT second_id, first_id, game, 'second', winner, plies FROM matches WHERE reason <> 'aborted'
                    ) AS played GROUP BY {keys}"
                ))
                .await;
        }
    }

    /// Writes a report of every player by the next one, of which one in ten is open, and many more about the busiest ones. Each resolved
    /// one has a notice and a line in the log.
    async fn write_reports(&self, database: &mut Database) {
        let count = self.players.len();
        let reports: Vec<(&PlayerId, &PlayerId, i64, bool)> = (0..count)
            .map(|index| {
                let about = if index % 2 == 0 { index } else { index % 50 };
                let at_ms = self.at_ms(index as f64 / count as f64);
                (
                    &self.players[(index + 51) % count],
                    &self.players[about],
                    at_ms,
                    index % 10 == 0,
                )
            })
            .collect();
        let rows = reports.iter().map(|(by, about, at_ms, open)| {
            let id = MatchId::random();
            let resolved = if *open {
                "NULL,NULL,NULL".to_owned()
            } else {
                format!("'{by}',{},'warn'", at_ms + 60_000)
            };
            format!("('{id}','{by}','{about}','stalling','',{at_ms},{resolved})")
        });
        let into = "reports (id, reporter_id, reported_id, reason, text, created_ms, resolved_by, resolved_ms, resolution)";
        database.insert(into, rows).await;
        let rows = reports
            .iter()
            .filter(|report| !report.3)
            .map(|(_, about, at_ms, _)| {
                format!("('{}','{about}','warning','',{at_ms})", MatchId::random())
            });
        database
            .insert("notices (id, player_id, kind, text, created_ms)", rows)
            .await;
        let rows = reports
            .iter()
            .filter(|report| !report.3)
            .map(|(by, about, at_ms, _)| format!("({at_ms},'{by}','warn','{about}','','')"));
        database
            .insert(
                "audit (at_ms, actor_id, action, about_id, detail, why)",
                rows,
            )
            .await;
    }

    /// Writes open offers, waiting challenges and sessions: some for each player, and more for the busiest.
    async fn write_offers(&self, database: &mut Database) {
        let count = self.players.len();
        let rows = (0..count).map(|index| {
            let (by, to) = (
                &self.players[index],
                &self.players[(index * 7 + 1) % count / 50],
            );
            let (to, listed) = if index % 20 == 0 {
                ("NULL".to_owned(), true)
            } else {
                (format!("'{to}'"), false)
            };
            format!(
                "('{}','{by}','mawe','','realtime',180000,2000,FALSE,{},{},FALSE,{to},{listed})",
                MatchId::random(),
                self.at_ms(1.0),
                i64::MAX
            )
        });
        let into = "challenges (id, challenger_id, game, setup, time_control, base_ms, increment_ms, rated, created_ms, expires_ms,
            cancelled, to_id, listed)";
        database.insert(into, rows).await;
        database
            .execute(
                "UPDATE matches SET due_ms = created_ms WHERE finished_ms IS NULL AND speed = 'daily';
                INSERT INTO outbox (match_id, effect, created_ms)
                SELECT id, 'count', created_ms FROM matches WHERE finished_ms IS NOT NULL LIMIT 200"
                    .to_owned(),
            )
            .await;
        self.write_reports(database).await;
        let hash = |index: usize| match database {
            Database::Sqlite(_) => format!("x'{index:064x}'"),
            Database::Postgres(_) => format!("'\\x{index:064x}'"),
        };
        let sessions: Vec<String> = (0..count)
            .map(|index| format!("({},'{}',1,{})", hash(index), self.players[index], i64::MAX))
            .collect();
        let tokens: Vec<String> = (0..count)
            .map(|index| {
                let (id, player) = (MatchId::random(), &self.players[index]);
                format!(
                    "('{id}',{},'{player}','mine','read',1,{})",
                    hash(index),
                    i64::MAX
                )
            })
            .collect();
        let passkeys: Vec<String> = (0..count)
            .map(|index| {
                let (id, player) = (MatchId::random(), &self.players[index]);
                let blob = hash(index);
                format!("('{id}','{player}',{blob},'mine',{blob},{blob},0,1)")
            })
            .collect();
        let emails: Vec<String> = (0..count)
            .map(|index| {
                let player = &self.players[index];
                format!("('{player}','a{index}@x.example','a{index}@x.example',1)")
            })
            .collect();
        let links = |columns: &str| -> Vec<String> {
            let rows = (0..count).map(|index| {
                let player = &self.players[index];
                format!("('{player}',{columns}{},1,{})", hash(index), i64::MAX)
            });
            rows.collect()
        };
        let confirmations = links("'b@x.example',");
        let resets = links("");
        for (table, rows) in [
            (
                "emails (player_id, address, address_key, confirmed_ms)",
                emails,
            ),
            (
                "email_confirmations (player_id, address, token_hash, created_ms, expires_ms)",
                confirmations,
            ),
            (
                "password_resets (player_id, token_hash, created_ms, expires_ms)",
                resets,
            ),
        ] {
            database.insert(table, rows).await;
        }
        database
            .insert(
                "sessions (token_hash, player_id, created_ms, expires_ms)",
                sessions,
            )
            .await;
        database
            .insert(
                "tokens (id, token_hash, player_id, name, scopes, created_ms, expires_ms)",
                tokens,
            )
            .await;
        database
            .insert(
                "passkeys (id, player_id, credential_id, name, public_key, state, transports, created_ms)",
                passkeys,
            )
            .await;
    }
}

/// The terms of an arena without anything special.
fn arena_terms() -> EventTerms {
    EventTerms {
        kind: EventKind::Arena,
        name: "Event".to_owned(),
        description: String::new(),
        game: GameKind::Mawe,
        setup: String::new(),
        time_control: TimeControl::Realtime {
            base_ms: 300_000,
            increment_ms: 0,
        },
        rated: false,
        start_ms: 0,
        start_players: None,
        duration_ms: Some(3_600_000),
        rounds: None,
        cycles: None,
        games: None,
        best_of: false,
        max_players: 100,
        berserk: false,
        host_extra_ms: 0,
        apart_by_address: false,
        fill_ins: None,
        min_rating: None,
        max_rating: None,
        min_matches: 0,
    }
}
