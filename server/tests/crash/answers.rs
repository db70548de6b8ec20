//! The process is killed around the answer of a conditional move: after a restart each answer is played exactly once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use mawe_rules::{AnySetup, GameKind, Record, Side};
use mawe_wire::{Code, Command, Event, EventMsg, MatchMsg, PlyView, ServerMsg, ToMatch};
use reqwest::Method;
use serde_json::json;
use sqlx::{Connection, SqliteConnection};
use tokio_tungstenite::tungstenite::Message;

use super::Cut;
use crate::common::play::{Mirror, Pair};
use crate::common::process::Process;
use crate::common::socket::{Heard, Socket};
use crate::common::{Person, eventually};

const MATCHES: usize = 12;

const CUTS: usize = 16;

/// The range of moves of both sides before the next cut, drawn at random.
const MOVES_TO_A_CUT: std::ops::Range<usize> = 10..60;

/// The number of plies of a line, half of them answers.
const LINE: usize = 8;

/// The number of plies after which another match begins.
const LENGTH: usize = 40;

const SEED: u64 = 20_261_127;

/// A match by the day: the first player sends each move, and the second has answered all of them in advance.
struct AnsweredMatch {
    id: String,
    people: [Person; 2],
    /// The socket of the first player.
    socket: Option<Socket>,
    mirror: Mirror,
    /// The rest of the stored line, with the first player's next move in front.
    line: Vec<String>,
}

async fn begin_match(people: &mut [Person; 2]) -> String {
    let offer = json!({
        "game": "checkers", "side": "second",
        "time_control": { "kind": "correspondence", "days": 3 },
    });
    let [first, second] = people;
    second.challenge(first, &offer).await
}

/// Stores a line for the second player.
async fn answer_in_advance(
    person: &Person,
    id: &str,
    seq: u64,
    line: &[String],
) -> Result<(), Cut> {
    let path = format!("/api/v1/matches/{id}/conditional-moves");
    let request = person.request(Method::PUT, &path);
    let body = json!({ "seq": seq, "lines": [line] });
    let kept = request.json(&body).send().await.map_err(|_| Cut)?;
    assert_eq!(kept.status(), 200, "match {id}: {line:?}");
    Ok(())
}

async fn plies_of(person: &Person, id: &str) -> Vec<PlyView> {
    let answer = person.get(&format!("/api/v1/matches/{id}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let view = answer.json();
    let plies: Vec<PlyView> = serde_json::from_value(view["plies"].clone()).expect("plies");
    assert_eq!(
        view["seq"].as_u64(),
        Some(plies.len() as u64),
        "every entry of this match is a move"
    );
    plies
}

fn texts(plies: &[PlyView]) -> Vec<String> {
    plies.iter().map(|ply| ply.text.clone()).collect()
}

impl AnsweredMatch {
    async fn begin(mut people: [Person; 2]) -> AnsweredMatch {
        let id = begin_match(&mut people).await;
        let mut socket = Socket::open(&people[0]).await;
        let mirror = Mirror::of(&socket.joined(&id).await.view);
        AnsweredMatch {
            id,
            people,
            socket: Some(socket),
            mirror,
            line: Vec::new(),
        }
    }

    /// Plays until the match is long enough or the connection ends.
    async fn play(&mut self, choose: &mut fastrand::Rng, moves: &AtomicUsize) -> Result<(), Cut> {
        while self.mirror.plies.len() < LENGTH {
            if self.line.is_empty() {
                let line = self.choose_line(choose);
                if line.is_empty() {
                    return Ok(());
                }
                answer_in_advance(&self.people[1], &self.id, self.mirror.seq, &line).await?;
                self.line = line;
            }
            self.send_move().await?;
            for side in [Side::First, Side::Second] {
                let event = self.event().await?;
                self.mirror.take(&event);
                let Event::Move(ply) = event.event else {
                    panic!("match {}: {event:?}", self.id);
                };
                assert_eq!((ply.side, ply.text), (side, self.line.remove(0)));
                moves.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Returns random legal plies that begin with a move of the first player and end with one of the second; none before the end of a game.
    fn choose_line(&self, choose: &mut fastrand::Rng) -> Vec<String> {
        let setup = AnySetup::standard(GameKind::Checkers);
        let mut record = Record::new(GameKind::Checkers, &setup).expect("a standard setup");
        for ply in &self.mirror.plies {
            record.play(&ply.text).expect("it was played");
        }
        let mut line = Vec::new();
        while line.len() < LINE && record.outcome().is_none() {
            let legal = record.legal_moves();
            let text = legal[choose.usize(..legal.len())].clone();
            record.play(&text).expect("it is legal");
            line.push(text);
        }
        line.truncate(line.len() / 2 * 2);
        line
    }

    async fn send_move(&mut self) -> Result<(), Cut> {
        let ply = self.mirror.state.ply;
        let command = ToMatch {
            match_id: self.id.parse().expect("a match id"),
            message: MatchMsg::Command {
                client_id: format!("ply-{ply}").parse().expect("a client id"),
                seq: self.mirror.seq,
                command: Command::Move {
                    ply,
                    text: self.line[0].clone(),
                },
            },
        };
        let text = serde_json::to_string(&command).expect("plain JSON");
        let socket = self.socket.as_mut().expect("it is open");
        socket.send_raw(Message::text(text)).await.map_err(|_| Cut)
    }

    async fn event(&mut self) -> Result<EventMsg, Cut> {
        let socket = self.socket.as_mut().expect("it is open");
        loop {
            match socket.hear().await {
                Heard::Said(ServerMsg::Event(event)) => return Ok(*event),
                Heard::Said(ServerMsg::Error(error)) => panic!("match {}: {error:?}", self.id),
                Heard::Said(_) => {}
                Heard::Closed(_) => return Err(Cut),
            }
        }
    }

    /// After a restart: waits for the answer if a move is without one, and compares the journal with the stored line.
    async fn come_back(&mut self, process: &Process) {
        self.socket = None;
        for person in &mut self.people {
            *person = person.moved_to(process.address);
        }
        let plies = eventually("the answer", async || {
            let plies = plies_of(&self.people[0], &self.id).await;
            (plies.len() % 2 == 0).then_some(plies)
        })
        .await;
        let heard = self.mirror.plies.len();
        assert!(plies.starts_with(&self.mirror.plies), "{}", self.id);
        let more = texts(&plies[heard..]);
        assert!(more.len() <= 2, "{}: {more:?}", self.id);
        assert!(self.line.starts_with(&more), "{}: {more:?}", self.id);
        self.line.drain(..more.len());

        let mut socket = Socket::open(&self.people[0]).await;
        self.mirror = Mirror::of(&socket.joined(&self.id).await.view);
        assert_eq!(self.mirror.plies, plies, "{}", self.id);
        self.socket = Some(socket);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_in_advance_is_lost_or_played_twice_by_power_cuts() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut choose = fastrand::Rng::with_seed(SEED);
    let mut process = Process::start(directory.path()).await;
    let begin = (0..MATCHES).map(async |_| {
        let people = [
            Person::guest_at(process.address).await,
            Person::guest_at(process.address).await,
        ];
        AnsweredMatch::begin(people).await
    });
    let mut matches = join_all(begin).await;

    let mut cuts = 0;
    // On a busy machine all may be over before the process is killed; such a cut does not count.
    for _ in 0..4 * CUTS {
        if cuts == CUTS {
            break;
        }
        let moves = Arc::new(AtomicUsize::new(0));
        let players: Vec<_> = matches
            .drain(..)
            .map(|mut game| {
                let (mut choose, moves) = (choose.fork(), Arc::clone(&moves));
                tokio::spawn(async move {
                    let line = game.play(&mut choose, &moves).await;
                    (game, line)
                })
            })
            .collect();
        let enough = choose.usize(MOVES_TO_A_CUT);
        eventually("enough moves", || {
            let all_played = players.iter().all(tokio::task::JoinHandle::is_finished);
            let ready = all_played || moves.load(Ordering::Relaxed) >= enough;
            async move { ready.then_some(()) }
        })
        .await;
        process.kill().await;
        let mut cut_off = 0;
        for player in players {
            let (game, line) = player.await.expect("no invariant was broken");
            cut_off += usize::from(line.is_err());
            matches.push(game);
        }
        cuts += usize::from(cut_off > 0);

        process = Process::start(directory.path()).await;
        join_all(matches.iter_mut().map(|game| game.come_back(&process))).await;
        for game in &mut matches {
            if game.mirror.plies.len() >= LENGTH || game.mirror.state.result.is_some() {
                *game = AnsweredMatch::begin(game.people.clone()).await;
            }
        }
    }

    assert_eq!(
        cuts, CUTS,
        "nearly all cuts came when all was over: cut earlier"
    );

    let moves = AtomicUsize::new(0);
    let play_on = matches.iter_mut().map(async |game| {
        let mut choose = fastrand::Rng::with_seed(SEED);
        assert!(game.play(&mut choose, &moves).await.is_ok());
    });
    join_all(play_on).await;
    assert_eq!(process.stop("TERM").await, Some(0));
}

/// The database of a server, opened by the test.
async fn database(directory: &Path) -> SqliteConnection {
    let url = format!("sqlite:{}", directory.join("mawe.sqlite").display());
    let database = SqliteConnection::connect(&url).await;
    database.expect("the database")
}

async fn number(directory: &Path, query: &'static str) -> i64 {
    let mut database = database(directory).await;
    let found = sqlx::query_scalar(query).fetch_one(&mut database).await;
    database.close().await.expect("it was open");
    found.expect("a number")
}

async fn change(directory: &Path, statement: &'static str) {
    let mut database = database(directory).await;
    let done = sqlx::query(statement).execute(&mut database).await;
    done.expect("a valid statement");
    database.close().await.expect("it was open");
}

const ENTRIES: &str = "SELECT count(*) FROM entries";
const LINES: &str = "SELECT count(*) FROM conditional_moves";

/// A match with a stored answer to 11-15, on a process whose database refuses a write.
async fn held(directory: &Path, process: &Process, refuse: &'static str) -> Pair {
    let mut people = [
        Person::guest_at(process.address).await,
        Person::guest_at(process.address).await,
    ];
    let id = begin_match(&mut people).await;
    let line = ["11-15", "22-18"].map(str::to_owned);
    let kept = answer_in_advance(&people[1], &id, 0, &line).await;
    assert!(kept.is_ok(), "the process runs");
    change(directory, refuse).await;
    Pair::at(people, id).await
}

/// Kills the process some times in the same gap, then lets the database take all writes: the answer is in the journal once, its line is
/// gone, and the match goes on.
async fn comes_through(directory: &Path, mut process: Process, pair: Pair, before: [i64; 2]) {
    for _ in 0..3 {
        process.kill().await;
        let found = [
            number(directory, ENTRIES).await,
            number(directory, LINES).await,
        ];
        assert_eq!(found, before, "the process ended within the gap");
        process = Process::start(directory).await;
        let person = pair.people[0].moved_to(process.address);
        let plies = plies_of(&person, &pair.id).await;
        assert_eq!(plies.len() as i64, before[0]);
    }
    process.kill().await;
    change(directory, "DROP TRIGGER held").await;
    process = Process::start(directory).await;
    let people = pair
        .people
        .each_ref()
        .map(|person| person.moved_to(process.address));
    eventually("the answer", async || {
        let plies = plies_of(&people[1], &pair.id).await;
        (texts(&plies) == ["11-15", "22-18"]).then_some(())
    })
    .await;
    eventually("the end of the line", async || {
        (number(directory, LINES).await == 0).then_some(())
    })
    .await;
    let mut pair = Pair::at(people, pair.id).await;
    pair.plies(2).await;
    assert_eq!(process.stop("TERM").await, Some(0));
    assert_eq!(number(directory, ENTRIES).await, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_a_durable_move_and_its_answer_the_server_answers_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let process = Process::start(directory.path()).await;
    let refuse = "CREATE TRIGGER held BEFORE INSERT ON entries WHEN NEW.seq = 2
        BEGIN SELECT RAISE(ABORT, 'held'); END";
    let mut pair = held(directory.path(), &process, refuse).await;
    let command = pair.seats[0].a_move("11-15");
    pair.seats[0].send(command).await;
    for seat in &mut pair.seats {
        // The move was durable before this event, and the answer is tried and refused before this error.
        assert_eq!(seat.event().await.seq, 1);
        assert_eq!(seat.socket.error().await.code, Code::StorageUnavailable);
    }
    comes_through(directory.path(), process, pair, [1, 1]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_an_answer_and_the_end_of_its_line_the_server_does_not_answer_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let process = Process::start(directory.path()).await;
    let refuse = "CREATE TRIGGER held BEFORE DELETE ON conditional_moves
        BEGIN SELECT RAISE(ABORT, 'held'); END";
    let mut pair = held(directory.path(), &process, refuse).await;
    let command = pair.seats[0].a_move("11-15");
    pair.seats[0].send(command).await;
    for seat in &mut pair.seats {
        assert_eq!([seat.event().await.seq, seat.event().await.seq], [1, 2]);
    }
    comes_through(directory.path(), process, pair, [2, 1]).await;
}
