//! The memory of matches: of those with clocks by the second, and of sleeping ones; and the time to wake one.
//!
//! `cargo bench -p mawe-server --bench sleeping -- [RUNNING] [SLEEPING]`; 5,000 and 100,000 by default. Every match has 30 plies, games of
//! all kinds in turn. Memory is the resident memory of the process, before and after.

#[path = "common/usage.rs"]
mod usage;

use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use mawe_play::room::entry::{Action, Entry};
use mawe_rules::clock::TimeLeft;
use mawe_rules::{AnySetup, BySide, GameKind, Record, Side};
use mawe_server::bots::Bots;
use mawe_server::clock::unix_ms;
use mawe_server::connections::admission::{Admission, ConnectionLimits};
use mawe_server::live::arrange::{self, Terms};
use mawe_server::live::journal::Journal;
use mawe_server::live::notices;
use mawe_server::live::rooms::Rooms;
use mawe_server::live::services::{Services, Settings};
use mawe_server::live::sockets::Sockets;
use mawe_store::{Append, Appended, MAX_RUNNING, NewPlayer, Player, Store};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{MatchOptions, PlayerKind, TimeControl};
use usage::resident_kib;

/// The number of plies of each match; fewer if a game ends sooner.
const PLIES: u64 = 30;

/// The number of sleeping matches that are woken to measure the time.
const WOKEN: usize = 1_000;

/// The number of matches that are written at once.
const BATCH: usize = 500;

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok());
    let running = numbers.next().unwrap_or(5_000);
    let sleeping = numbers.next().unwrap_or(100_000);

    let directory = tempfile::tempdir().expect("a temporary directory");
    let url = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
    let store = mawe_store::open(&url).await.expect("the store opens");
    let players = BySide::new(player(store.as_ref()).await, player(store.as_ref()).await);
    let live = TimeControl::Realtime {
        base_ms: 10_800_000,
        increment_ms: 0,
    };
    let daily = TimeControl::Correspondence { days: 14 };
    let written = Instant::now();
    write(&store, &players, live, running).await;
    let asleep = write(&store, &players, daily, sleeping).await;
    println!(
        "{running} running and {sleeping} sleeping matches written in {:.1?}",
        written.elapsed()
    );

    let (journal, writer) = Journal::start(store.clone());
    let (bots, _answers) = Bots::new();
    let settings = Settings {
        spectator_delay: Duration::ZERO,
        linger: Duration::from_secs(3_600),
        rematch_offer: Duration::from_secs(60),
    };
    let admission = Admission::new(&ConnectionLimits::default(), u64::MAX);
    let sockets = Arc::new(Sockets::new(admission));
    let (notices, _) = notices::queue(&store, &sockets);
    let rooms = Rooms::new(Services::new(
        Arc::clone(&store),
        journal,
        bots,
        "bench".to_owned(),
        settings,
        None,
        None,
        notices,
    ));
    let before = resident_kib(std::process::id());
    let opened = Instant::now();
    let count = rooms.open_live().await.expect("the store answers");
    assert_eq!(count, running);
    // Rooms are opened in order: an answer from the last one means that all are open.
    for id in store.live_match_ids().await.expect("the store answers") {
        rooms.view(&id, None).await.expect("the match is there");
    }
    let opened = opened.elapsed();
    let after = resident_kib(std::process::id());
    println!(
        "running: {count} rooms open after {opened:.1?}, {:.1} KiB resident each ({:.0} MiB more)",
        (after - before) as f64 / running as f64,
        (after - before) as f64 / 1024.0
    );
    println!(
        "sleeping: {sleeping} rows, {} rooms open beyond the running ones",
        rooms.open_count() - running
    );

    let mut rng = Rng::with_seed(1);
    let mut took: Vec<Duration> = Vec::new();
    for id in rng.choose_multiple(&asleep, WOKEN.min(sleeping)) {
        let start = Instant::now();
        rooms.view(id, None).await.expect("the match is there");
        took.push(start.elapsed());
    }
    took.sort_unstable();
    println!(
        "waking one (claim, read, replay, answer): p50 {:.2?}, p99 {:.2?}, slowest {:.2?}",
        took[took.len() / 2],
        took[took.len() * 99 / 100],
        took[took.len() - 1]
    );
    let due = Instant::now();
    let none = store
        .due_match_ids(unix_ms(), 500)
        .await
        .expect("the store answers");
    println!(
        "asking which of them are due: {:.2?} ({} are)",
        due.elapsed(),
        none.len()
    );

    rooms.stop().await;
    drop(rooms);
    writer.await.expect("the writer ends");
    store.close().await;
}

async fn player(store: &dyn Store) -> Player {
    let player = Player {
        id: PlayerId::random(),
        name: format!("p{}", PlayerId::random()),
        kind: PlayerKind::Account,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 0,
    };
    let new = NewPlayer {
        player: player.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.expect("a player");
    player
}

/// Writes matches with a game of some plies, of all kinds in turn.
async fn write(
    store: &Arc<dyn Store>,
    players: &BySide<Player>,
    time_control: TimeControl,
    count: usize,
) -> Vec<MatchId> {
    let games: Vec<(GameKind, Vec<(Side, String)>)> = GameKind::ALL
        .iter()
        .map(|kind| (*kind, game(*kind)))
        .collect();
    let mut ids = Vec::with_capacity(count);
    let mut batch = Vec::new();
    let mut pair = players.clone();
    for index in 0..count {
        let (kind, moves) = &games[index % games.len()];
        let terms = Terms {
            game: *kind,
            setup: AnySetup::standard(*kind),
            time_control,
            rated: true,
            options: MatchOptions::usual(true),
            private: false,
        };
        // The number of running matches of a person is limited.
        if index.is_multiple_of(MAX_RUNNING as usize) {
            pair = BySide::new(player(store.as_ref()).await, player(store.as_ref()).await);
        }
        let new = arrange::prepare(store.as_ref(), &terms, &pair, None).await;
        let new = new.expect("the store answers");
        store.create_match(&new).await.expect("a match");
        batch.push(played(&new.id, time_control, moves));
        if batch.len() == BATCH || index + 1 == count {
            let done = store.append(&batch).await.expect("the store answers");
            assert!(done.iter().all(|done| *done == Appended::Done));
            batch.clear();
        }
        ids.push(new.id);
    }
    ids
}

fn played(id: &MatchId, time_control: TimeControl, moves: &[(Side, String)]) -> Append {
    let left = TimeLeft {
        clock_ms: time_control.turn_ms().unwrap_or(10_000_000),
        lag_bank_ms: 4_000,
    };
    let entry = |(seq, (side, text)): (u64, &(Side, String))| {
        let entry = Entry {
            seq,
            epoch: 0,
            at_ms: unix_ms(),
            client_id: Some(
                format!("0193b1c2-8f4e-7a61-{seq:012}")
                    .parse()
                    .expect("a client id"),
            ),
            early: false,
            side: Some(*side),
            action: Action::Move {
                text: text.clone(),
                spent_ms: 1_500,
                lag_ms: 40,
            },
            left: BySide::new(left, left),
        };
        entry.to_stored()
    };
    Append {
        match_id: id.clone(),
        head: 0,
        epoch: 0,
        entries: (1..).zip(moves).map(entry).collect(),
        finish: None,
        due_ms: time_control
            .turn_ms()
            .map(|turn_ms| unix_ms() + turn_ms.cast_signed()),
    }
}

/// Returns the beginning of a game that is not over at its end.
fn game(kind: GameKind) -> Vec<(Side, String)> {
    (0..)
        .find_map(|seed| {
            let mut rng = Rng::with_seed(seed);
            let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("it starts");
            let mut moves = Vec::new();
            for _ in 0..PLIES {
                let side = record.turn();
                let text = rng.choice(record.legal_moves())?;
                record.play(&text).expect("it is legal");
                moves.push((side, text));
            }
            record.outcome().is_none().then_some(moves)
        })
        .expect("some game lasts so long")
}
