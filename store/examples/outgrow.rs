//! How long `mawe copy` takes: fills an embedded database with finished matches of all games, and copies it.
//!
//! `cargo run --release -p mawe-store --example outgrow -- 100000 DIRECTORY postgres://…`

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use futures_util::stream::{self, StreamExt};
use mawe_play::rating;
use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::{Finish, Input, Now};
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind};
use mawe_store::transfer::{self, Step};
use mawe_store::{Append, NewMatch, NewPlayer, Player, Store};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{Command, Look, MatchOptions, PlayerKind, TimeControl};

const PLAYERS: usize = 2_000;

/// The plies after which a side resigns, at the latest.
const PLIES: u32 = 45;

/// The matches that are written at the same time, and share commits.
const AT_ONCE: usize = 64;

/// Matches of as many different courses are written, of each game.
const COURSES: usize = 20;

const TIME: TimeControl = TimeControl::Realtime {
    base_ms: 300_000,
    increment_ms: 0,
};

/// The course of a match: the entries of its journal.
struct Course {
    game: GameKind,
    entries: Vec<StoredEntry>,
    finish: Finish,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [matches, directory, to] = arguments.as_slice() else {
        panic!("say: MATCHES DIRECTORY postgres://…");
    };
    let matches: usize = matches.parse().expect("a number of matches");
    let file = Path::new(directory).join("mawe.sqlite");
    let from = format!("sqlite:{}", file.display());
    if !file.exists() {
        let began = Instant::now();
        fill(&from, matches).await;
        println!("filled in {:.0?}", began.elapsed());
    }
    let began = Instant::now();
    let tell = |step: Step<'_>| match step {
        Step::Begun { rows, copied } => println!("{rows} rows, {copied} of them copied before"),
        Step::Rows(_) | Step::Copied { .. } => {}
        Step::Comparing => println!("copied after {:.1?}", began.elapsed()),
        Step::Finished => println!(
            "compared, and ready for a server, after {:.1?}",
            began.elapsed()
        ),
    };
    let ratings = transfer::run(&from, to, &tell).await.expect("it is copied");
    println!(
        "the ratings of {} matches are checked after {:.1?}: {}",
        ratings.matches,
        began.elapsed(),
        if ratings.agrees() {
            "they agree"
        } else {
            "they differ"
        }
    );
}

async fn fill(url: &str, matches: usize) {
    let store = mawe_store::open(url).await.expect("a new database");
    let mut players = Vec::new();
    for number in 0..PLAYERS {
        let player = Player {
            id: PlayerId::random(),
            name: format!("Player {number}"),
            kind: PlayerKind::Account,
            level: None,
            look: Look::default(),
            created_ms: 0,
        };
        let new = NewPlayer {
            player: player.clone(),
            password_hash: None,
        };
        store.create_player(&new, None).await.expect("a player");
        players.push(player.id);
    }
    let mut courses = Vec::new();
    for number in 0..COURSES * GameKind::ALL.len() {
        let game = GameKind::ALL[number % GameKind::ALL.len()];
        courses.push(course(&store, &players, game, number).await);
    }
    let (store, players, courses) = (&store, &players, &courses);
    let all = stream::iter(0..matches).map(|number| async move {
        let course = &courses[number % courses.len()];
        write(store, players, course, number).await;
    });
    all.buffer_unordered(AT_ONCE).collect::<()>().await;
    store.close().await;
}

fn new_match(players: &[PlayerId], game: GameKind, number: usize) -> NewMatch {
    let first = number % players.len();
    let second = (first + 1 + number / players.len() % (players.len() - 1)) % players.len();
    NewMatch {
        id: MatchId::random(),
        game,
        setup: String::new(),
        rated: true,
        time_control: TIME,
        speed: TIME.speed(),
        extra_ms: BySide::default(),
        options: MatchOptions::usual(true),
        private: false,
        players: BySide::new(players[first].clone(), players[second].clone()),
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: 1_700_000_000_000 + i64::try_from(number).expect("a small number") * 60_000,
    }
}

/// Plays a match by the rules, with moves that only its number decides.
async fn course(
    store: &Arc<dyn Store>,
    players: &[PlayerId],
    game: GameKind,
    number: usize,
) -> Course {
    let new = new_match(players, game, number);
    store.create_match(&new).await.expect("a match");
    let claimed = store
        .claim_match(&new.id, "here")
        .await
        .expect("it answers");
    let claimed = claimed.expect("it is there");
    let mut state: RoomState = claimed.rebuild().expect("it is new");
    let at = |ply: u32| Now {
        mono: 1_000 + u64::from(ply) * 2_000,
        unix_ms: new.created_ms + i64::from(ply) * 2_000,
        up_since_ms: 0,
    };
    state.handle(at(0), Input::Open);
    let mut entries: Vec<StoredEntry> = Vec::new();
    let mut draw = number;
    for step in 1.. {
        let (side, ply) = (state.record().turn(), state.record().ply());
        let legal = state.record().legal_moves();
        draw = draw.wrapping_mul(31).wrapping_add(17);
        let command = match ply < PLIES {
            true => Command::Move {
                ply,
                text: legal[draw % legal.len()].clone(),
            },
            false => Command::Resign,
        };
        let input = Input::Command {
            side,
            client_id: format!("c-{step}").parse().expect("an id"),
            seq: state.head(),
            command,
            lag_ms: 0,
        };
        let now = at(step);
        let proposal = state.handle(now, input).append.expect("it is legal");
        entries.extend(proposal.entries.iter().map(|entry| StoredEntry {
            epoch: 0,
            ..entry.to_stored()
        }));
        state.handle(now, Input::Durable);
        if let Some(finish) = proposal.finish {
            return Course {
                game,
                entries,
                finish,
            };
        }
    }
    unreachable!("a side resigns")
}

async fn write(store: &Arc<dyn Store>, players: &[PlayerId], course: &Course, number: usize) {
    let new = new_match(players, course.game, number);
    store.create_match(&new).await.expect("a match");
    let append = Append {
        match_id: new.id.clone(),
        head: 0,
        epoch: 0,
        entries: course.entries.clone(),
        finish: Some(course.finish.clone()),
        due_ms: None,
    };
    store.append(&[append]).await.expect("it is written");
    let counted = store.count_match(&new.id, rating::rate).await;
    counted.expect("it is counted");
}
