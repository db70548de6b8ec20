//! Ratings and tallies agree with the journals, whichever node counts in whichever order; and differences are found.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use crate::common::postgres::Postgres;
use fastrand::Rng;
use mawe_play::rating;
use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_play::room::io::{Input, Now};
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::pruning;
use mawe_store::recount::{Recount, RecountError, rebuild, recount};
use mawe_store::{
    Append, Appended, Attribution, AuditFilter, Corrections, NewMatch, NewPlayer, Player, Seed,
    Store,
};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{Command, MatchOptions, PlayerKind, Speed, TimeControl};
use sqlx::AssertSqlSafe;

const PLAYERS: usize = 12;

/// A little more than the time from one match to the next, so that deviations grow between some of them.
const GAP_MS: i64 = 3 * 24 * 60 * 60 * 1_000;

/// The expected contents of the store.
#[derive(Default)]
struct Expected {
    counted: u64,
    rated: u64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_embedded_store_counts_what_the_journals_say() {
    for seed in [1, 20, 300] {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
        let store = mawe_store::open(&url).await.unwrap();
        counts_what_was_played(&url, &[store.clone(), store], seed, 240).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_nodes_on_postgres_count_what_the_journals_say() {
    let postgres = Postgres::start();
    for seed in [4, 50] {
        let url = postgres.fresh_database().await;
        let nodes = [
            mawe_store::open(&url).await.unwrap(),
            mawe_store::open(&url).await.unwrap(),
        ];
        counts_what_was_played(&url, &nodes, seed, 240).await;
    }
}

/// Fills a store with matches of all games, counted, some of them rated, and with computer opponents whose ratings were reset.
pub(crate) async fn fill(store: &Arc<dyn Store>) {
    let rng = &mut Rng::with_seed(7);
    let mut players = Vec::new();
    for number in 0..4 {
        players.push(a_player(store, number).await);
    }
    players.push(store.ensure_bot(1, "Level 1", 0).await.unwrap());
    let mut now_ms = 1_700_000_000_000;
    let seeds = seeds(rng, &players[4..]);
    assert!(store.seed_ratings(1, &seeds, now_ms).await.unwrap());
    for number in 0..4 * GameKind::ALL.len() {
        now_ms += GAP_MS;
        let kind = GameKind::ALL[number % GameKind::ALL.len()];
        let (id, ..) = play(rng, store, &players, kind, now_ms).await;
        store.count_match(&id, rating::rate).await.unwrap();
    }
}

async fn counts_what_was_played(url: &str, nodes: &[Arc<dyn Store>; 2], seed: u64, matches: usize) {
    println!("seed {seed}");
    let rng = &mut Rng::with_seed(seed);
    let store = &nodes[0];
    assert_eq!(recount(store.as_ref()).await.unwrap(), Recount::default());
    let mut players = Vec::new();
    for number in 0..PLAYERS {
        players.push(a_player(store, number).await);
    }
    // Two computer opponents among them, whose ratings are reset now and then.
    let mut ladder = 0;
    for level in 1..=2 {
        let name = format!("Level {level}");
        players.push(store.ensure_bot(level, &name, 0).await.unwrap());
    }
    let mut expected = Expected::default();
    let mut now_ms = 1_700_000_000_000;
    let mut played = 0;
    while played < matches {
        if ladder == 0 || rng.u8(..4) == 0 {
            ladder += 1;
            let seeds = seeds(rng, &players[PLAYERS..]);
            assert!(store.seed_ratings(ladder, &seeds, now_ms).await.unwrap());
        }
        let mut uncounted = Vec::new();
        for _ in 0..rng.usize(1..60) {
            now_ms += rng.i64(1..GAP_MS);
            let kind = GameKind::ALL[played % GameKind::ALL.len()];
            let (id, finish, rated) = play(rng, store, &players, kind, now_ms).await;
            if finish.uncounted {
                expected.counted += 1;
                expected.rated += u64::from(rated);
                uncounted.push(id);
            }
            played += 1;
        }
        // Matches not yet counted are left out, not reported as missing.
        let meanwhile = recount(store.as_ref()).await.unwrap();
        assert_eq!(meanwhile.uncounted, uncounted.len() as u64, "seed {seed}");
        assert!(meanwhile.agrees(), "seed {seed}: {meanwhile:?}");

        // Both nodes find all of them, in different orders; each match is counted by one node.
        let counting = nodes.each_ref().map(|node| {
            let (node, mut ids) = (Arc::clone(node), uncounted.clone());
            rng.shuffle(&mut ids);
            tokio::spawn(async move {
                let mut counted = 0;
                for id in ids {
                    counted += usize::from(node.count_match(&id, rating::rate).await.unwrap());
                }
                counted
            })
        });
        let mut counted = 0;
        for counting in counting {
            counted += counting.await.unwrap();
        }
        assert_eq!(counted, uncounted.len(), "seed {seed}");
    }
    let found = recount(store.as_ref()).await.unwrap();
    assert!(found.agrees(), "seed {seed}: {:#?}", found.differences);
    assert_eq!(
        (found.matches, found.rated, found.uncounted),
        (expected.counted, expected.rated, 0)
    );
    // Upkeep deletes only matches that were never counted.
    let later_ms = now_ms + pruning::UNPLAYED_MATCH_MS;
    let gone = pruning::prune(store.as_ref(), later_ms).await.unwrap();
    assert_eq!(gone.guests, 0, "nobody here is a guest");
    assert_eq!(recount(store.as_ref()).await.unwrap(), found, "seed {seed}");
    let standings = store.standings().await.unwrap();
    let games = standings.games.iter();
    assert_eq!(
        games
            .map(|game| game.won.first + game.won.second + game.drawn)
            .sum::<u64>(),
        expected.counted
    );
    assert_eq!(standings.games.len(), GameKind::ALL.len());
    whoever_meddles_is_found(url, store, rng).await;
}

fn seeds(rng: &mut Rng, computers: &[Player]) -> Vec<Seed> {
    let of = |computer: &Player, game: GameKind, rating: f64| Seed {
        player: computer.id.clone(),
        game,
        speed: Speed::Blitz,
        rating,
        deviation: 100.0,
        volatility: 0.01,
    };
    let mut seeds = Vec::new();
    for computer in computers {
        for &game in GameKind::ALL {
            seeds.push(of(computer, game, 800.0 + rng.f64() * 1_000.0));
        }
    }
    seeds
}

/// Makes one change at a time, and undoes it after the check.
async fn whoever_meddles_is_found(url: &str, store: &Arc<dyn Store>, rng: &mut Rng) {
    let standings = store.standings().await.unwrap();
    let (player, row) = &standings.ratings[rng.usize(..standings.ratings.len())];
    let of_rating = format!(
        "player_id = '{player}' AND game = '{}' AND speed = '{}'",
        row.game, row.speed
    );
    let (counted, tally) = &standings.tallies[rng.usize(..standings.tallies.len())];
    let of_tally = format!(
        "player_id = '{counted}' AND game = '{}' AND side = '{}'",
        tally.game, tally.side
    );
    let last = store.counted().await.unwrap();
    let change = store.rating_changes(0, last).await.unwrap().pop().unwrap();
    let of_change = format!(
        "match_id = '{}' AND side = '{}'",
        change.match_id, change.side
    );
    let meddling: [(&str, String, &str, &str); 7] = [
        (
            "ratings",
            of_rating.clone(),
            "rating = rating + 1",
            "rating = rating - 1",
        ),
        (
            "ratings",
            of_rating.clone(),
            "won = won + 1",
            "won = won - 1",
        ),
        (
            "tallies",
            of_tally.clone(),
            "lost = lost + 1",
            "lost = lost - 1",
        ),
        (
            "tallies",
            of_tally,
            "plies = plies + 1",
            "plies = plies - 1",
        ),
        (
            "game_tallies",
            "game = 'mawe'".into(),
            "drawn = drawn + 1",
            "drawn = drawn - 1",
        ),
        (
            "rating_history",
            of_change,
            "rating_after = rating_after + 0.01",
            "rating_after = rating_after - 0.01",
        ),
        (
            "matches",
            format!("id = '{}'", change.match_id),
            "plies = plies + 1",
            "plies = plies - 1",
        ),
    ];
    for (table, row, forth, back) in &meddling {
        meddle(url, &format!("UPDATE {table} SET {forth} WHERE {row}")).await;
        let found = recount(store.as_ref()).await.unwrap();
        assert_eq!(found.differences.len(), 1, "{table} {forth}: {found:#?}");
        meddle(url, &format!("UPDATE {table} SET {back} WHERE {row}")).await;
        assert!(
            recount(store.as_ref()).await.unwrap().agrees(),
            "{table} {back}"
        );
    }

    a_rebuild_mends_it_all(
        url,
        store,
        &meddling.map(|(table, row, forth, _)| (table, row, forth)),
    )
    .await;

    // A change of a journal changes everything after it.
    let entry = format!("match_id = '{}'", change.match_id);
    meddle(url, &format!("DELETE FROM entries WHERE {entry}")).await;
    let found = recount(store.as_ref()).await.unwrap();
    assert!(!found.agrees());
    let told = found.differences.iter().map(ToString::to_string);
    assert!(
        told.into_iter()
            .any(|told| told.contains(change.match_id.as_str()))
    );
    // A journal that cannot be read prevents a rebuild.
    let standings = store.standings().await.unwrap();
    let refused = rebuild(store.as_ref(), &attribution()).await;
    assert!(
        matches!(refused, Err(RecountError::Unreadable(_))),
        "{refused:?}"
    );
    assert_eq!(store.standings().await.unwrap(), standings);
}

/// Checks that a rebuild corrects changed, missing and superfluous rows from the journals.
async fn a_rebuild_mends_it_all(
    url: &str,
    store: &Arc<dyn Store>,
    meddling: &[(&str, String, &str)],
) {
    let right = store.standings().await.unwrap();
    let counted = store.counted().await.unwrap();
    let nothing = rebuild(store.as_ref(), &attribution()).await.unwrap();
    assert!(nothing.agrees());
    assert_eq!(
        rebuilds(store).await,
        0,
        "where nothing is wrong nothing is written"
    );

    for (table, row, forth) in meddling {
        meddle(url, &format!("UPDATE {table} SET {forth} WHERE {row}")).await;
    }
    let (rating, pair, tally) = (
        right.ratings.last().unwrap(),
        right.head_to_head.last().unwrap(),
        right.tallies.last().unwrap(),
    );
    meddle(
        url,
        &format!(
            "DELETE FROM ratings WHERE player_id = '{}' AND game = '{}'",
            rating.0, rating.1.game
        ),
    )
    .await;
    meddle(
        url,
        &format!("DELETE FROM head_to_head WHERE player_id = '{}'", pair.0),
    )
    .await;
    meddle(
        url,
        &format!(
            "UPDATE tallies SET game = 'chess' WHERE player_id = '{}' AND game = '{}'",
            tally.0, tally.1.game
        ),
    )
    .await;
    let unknown = recount(store.as_ref()).await;
    assert!(
        unknown.is_err(),
        "a game that nobody knows is damage: {unknown:?}"
    );
    meddle(url, "DELETE FROM tallies WHERE game = 'chess'").await;
    // A player without a match has a rating and a tally.
    let stranger = a_player(store, 99).await.id;
    meddle(url, &format!("INSERT INTO ratings SELECT '{stranger}', game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost, opponents FROM ratings WHERE player_id = '{}'", right.ratings[0].0)).await;
    meddle(url, &format!("INSERT INTO tallies SELECT '{stranger}', game, side, won, drawn, lost, plies FROM tallies WHERE player_id = '{}'", right.tallies[0].0)).await;
    let found = recount(store.as_ref()).await.unwrap();
    assert!(found.differences.len() > meddling.len(), "{found:#?}");
    let mended = rebuild(store.as_ref(), &attribution()).await.unwrap();
    assert_eq!(mended.differences, found.differences);
    let after = recount(store.as_ref()).await.unwrap();
    assert!(after.agrees(), "{:#?}", after.differences);
    assert_eq!(store.standings().await.unwrap(), right);
    assert_eq!(rebuilds(store).await, 1);

    // The last rated match seems uncounted; it is the last again after the rebuild.
    meddle(url, &format!("DELETE FROM rating_history WHERE ordinal = (SELECT max(ordinal) FROM rating_history WHERE ordinal <= {counted})")).await;
    assert!(!recount(store.as_ref()).await.unwrap().agrees());
    rebuild(store.as_ref(), &attribution()).await.unwrap();
    let after = recount(store.as_ref()).await.unwrap();
    assert!(after.agrees(), "{:#?}", after.differences);
    assert_eq!(store.standings().await.unwrap(), right);
    assert_eq!(store.counted().await.unwrap(), counted + 1);

    // Corrections computed before a match was counted are refused after it.
    let late = Corrections {
        counted,
        counted_after: counted,
        no_games: GameKind::ALL.to_vec(),
        ..Corrections::default()
    };
    assert!(!store.correct(&late, &attribution()).await.unwrap());
    assert_eq!(store.standings().await.unwrap(), right);
    assert_eq!(rebuilds(store).await, 2);
}

async fn rebuilds(store: &Arc<dyn Store>) -> usize {
    let log = store
        .audit(&AuditFilter::default(), None, 99)
        .await
        .unwrap();
    log.iter()
        .filter(|line| line.action == "rebuild-ratings")
        .count()
}

fn attribution() -> Attribution {
    Attribution {
        by: None,
        why: "a test".into(),
        at_ms: 7,
    }
}

async fn meddle(url: &str, sql: &str) {
    let rows = if url.starts_with("sqlite:") {
        let pool = sqlx::SqlitePool::connect(url).await.unwrap();
        let done = sqlx::query(AssertSqlSafe(sql))
            .execute(&pool)
            .await
            .unwrap();
        pool.close().await;
        done.rows_affected()
    } else {
        let pool = sqlx::PgPool::connect(url).await.unwrap();
        let done = sqlx::query(AssertSqlSafe(sql))
            .execute(&pool)
            .await
            .unwrap();
        pool.close().await;
        done.rows_affected()
    };
    assert!(rows > 0, "{sql}");
}

/// Plays a short match to its end, and stores it as the core would.
async fn play(
    rng: &mut Rng,
    store: &Arc<dyn Store>,
    players: &[Player],
    game: GameKind,
    now_ms: i64,
) -> (MatchId, Finish, bool) {
    let first = rng.choice(players).unwrap();
    // Now and then one player has both sides.
    let second = rng.choice(players).unwrap();
    let rated = first.id != second.id && rng.u8(..4) > 0;
    let base_ms = if rng.bool() { 300_000 } else { 600_000 };
    let time_control = TimeControl::Realtime {
        base_ms,
        increment_ms: 0,
    };
    let new = NewMatch {
        id: MatchId::random(),
        game,
        setup: String::new(),
        rated,
        time_control,
        speed: time_control.speed(),
        extra_ms: BySide::default(),
        options: MatchOptions::usual(rated),
        private: false,
        players: BySide::new(first.id.clone(), second.id.clone()),
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: now_ms,
    };
    store.create_match(&new).await.unwrap();
    let claimed = store.claim_match(&new.id, "here").await.unwrap().unwrap();
    let mut table = Table {
        state: claimed.rebuild().unwrap(),
        now_ms,
        commands: 0,
        entries: Vec::new(),
        finish: None,
    };
    let mut may_take_back = !rated;
    let plies = [0, 1, 3, 8, 15, 400][rng.usize(..6)];
    while table.finish.is_none() && table.state.record().ply() < plies {
        let legal = table.state.record().legal_moves();
        let text = rng.choice(legal).unwrap();
        let (turn, ply) = (table.state.record().turn(), table.state.record().ply());
        table.command(turn, Command::Move { ply, text });
        // Once, a player takes a move back where that is permitted; plies taken back are not counted.
        if table.finish.is_none() && may_take_back && rng.u8(..8) == 0 {
            may_take_back = false;
            table.command(turn, Command::OfferTakeback);
            // A computer opponent agrees without being asked.
            if first.id != second.id && table.state.setup().bots == BySide::default() {
                table.command(turn.other(), Command::AcceptTakeback);
            }
        }
    }
    let side = *rng.choice(&Side::ALL).unwrap();
    if table.finish.is_none() {
        match rng.u8(..4) {
            0 if table.state.record().ply() < 2 => table.command(side, Command::Abort),
            0 | 1 => table.command(side, Command::Resign),
            2 => {
                table.command(side, Command::OfferDraw);
                // A player with both sides has agreed already.
                if table.finish.is_none() {
                    table.command(side.other(), Command::AcceptDraw);
                }
            }
            _ => table.time_runs_out(),
        }
    }
    let finish = table.finish.expect("the match is over");
    let append = Append {
        match_id: new.id.clone(),
        head: 0,
        epoch: claimed.row.epoch,
        entries: table.entries,
        finish: Some(finish.clone()),
        due_ms: None,
    };
    assert_eq!(store.append(&[append]).await.unwrap(), [Appended::Done]);
    (new.id, finish, rated)
}

/// A match in memory, and its entries to be stored.
struct Table {
    state: RoomState,
    now_ms: i64,
    commands: u32,
    entries: Vec<StoredEntry>,
    finish: Option<Finish>,
}

impl Table {
    fn command(&mut self, side: Side, command: Command) {
        self.commands += 1;
        let input = Input::Command {
            side,
            client_id: format!("c-{}", self.commands).parse().unwrap(),
            seq: self.state.head(),
            command,
            lag_ms: 0,
        };
        self.take(10, input);
    }

    fn time_runs_out(&mut self) {
        self.take(24 * 60 * 60 * 1_000, Input::Tick);
    }

    fn take(&mut self, later_ms: i64, input: Input) {
        self.now_ms += later_ms;
        let now = Now {
            mono: u64::try_from(self.now_ms).unwrap(),
            unix_ms: self.now_ms,
            up_since_ms: 0,
        };
        // The clock of the core begins with the first input.
        if self.entries.is_empty() {
            let mono = now.mono - later_ms.unsigned_abs();
            self.state.handle(Now { mono, ..now }, Input::Open);
        }
        let effects = self.state.handle(now, input);
        let proposal = effects
            .append
            .unwrap_or_else(|| panic!("{:?}", effects.answer));
        self.entries
            .extend(proposal.entries.iter().map(|entry| entry.to_stored()));
        self.finish = proposal.finish;
        self.state.handle(now, Input::Durable);
    }
}

async fn a_player(store: &Arc<dyn Store>, number: usize) -> Player {
    let player = Player {
        id: PlayerId::random(),
        name: format!("Player {number}"),
        kind: PlayerKind::Account,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 1,
    };
    let new = NewPlayer {
        player: player.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    player
}
