//! Power cuts: the program is killed in the middle of many matches, and no acknowledged entry is lost or doubled.

mod answers;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::play::{Mirror, Pair};
use crate::common::process::Process;
use crate::common::socket::{Heard, Socket};
use crate::common::{Person, eventually};
use futures_util::future::join_all;
use mawe_rules::Side;
use mawe_server::live::run_time::LONGEST_GAP;
use mawe_wire::{Command, Event, EventMsg, MatchMsg, PlyView, ServerMsg, ToMatch};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// The number of concurrent matches.
const MATCHES: usize = 24;

/// The number of power cuts.
const CUTS: usize = 12;

/// The range of acknowledged moves before the next cut, drawn at random.
const MOVES_TO_A_CUT: std::ops::Range<usize> = 40..240;

const SEED: u64 = 20_261_120;

/// The shortest base time of a match, and a stop that is longer.
const BASE: Duration = Duration::from_secs(10);
const STOP: Duration = Duration::from_secs(12);

/// A match of two people, and the state known to its players.
struct Match {
    id: String,
    people: [Person; 2],
    sockets: Option<[Socket; 2]>,
    mirrors: [Mirror; 2],
    /// The unanswered command.
    under_way: Option<Sent>,
    /// The acknowledged moves, in the order of plies.
    acknowledged: Vec<Acknowledged>,
}

#[derive(Clone)]
struct Sent {
    mover: usize,
    client_id: String,
    ply: u32,
    text: String,
}

struct Acknowledged {
    seq: u64,
    ply: PlyView,
}

/// The connection is lost.
struct Cut;

impl Match {
    async fn begin(mut people: [Person; 2]) -> Match {
        let [first, second] = &mut people;
        let id = first.play_with(second, "first", false).await;
        let mut sockets = [Socket::open(first).await, Socket::open(second).await];
        let mut mirrors = Vec::new();
        for socket in &mut sockets {
            mirrors.push(Mirror::of(&socket.joined(&id).await.view));
        }
        Match {
            id,
            people,
            sockets: Some(sockets),
            mirrors: mirrors.try_into().expect("two"),
            under_way: None,
            acknowledged: Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        self.mirrors[0].state.result.is_some()
    }

    /// Plays until the game or the connection ends.
    async fn play(
        &mut self,
        choose: &mut fastrand::Rng,
        acknowledged: &AtomicUsize,
    ) -> Result<(), Cut> {
        while !self.is_over() {
            self.ply(choose).await?;
            acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn ply(&mut self, choose: &mut fastrand::Rng) -> Result<(), Cut> {
        let sent = self.under_way.clone().unwrap_or_else(|| {
            let state = &self.mirrors[0].state;
            Sent {
                mover: usize::from(state.turn == Side::Second),
                client_id: format!("ply-{}", state.ply),
                ply: state.ply,
                text: state.legal[choose.usize(..state.legal.len())].clone(),
            }
        });
        self.under_way = Some(sent.clone());
        self.send(&sent).await?;
        let event = self.hear(sent.mover).await?;
        assert_eq!(
            event.client_id.as_ref().map(|id| id.as_str()),
            Some(sent.client_id.as_str())
        );
        self.acknowledge(event);
        self.hear(1 - sent.mover).await?;
        Ok(())
    }

    async fn send(&mut self, sent: &Sent) -> Result<(), Cut> {
        let command = ToMatch {
            match_id: self.id.parse().expect("a match id"),
            message: MatchMsg::Command {
                client_id: sent.client_id.parse().expect("a client id"),
                seq: self.mirrors[sent.mover].seq,
                command: Command::Move {
                    ply: sent.ply,
                    text: sent.text.clone(),
                },
            },
        };
        let text = serde_json::to_string(&command).expect("plain JSON");
        let sockets = self.sockets.as_mut().expect("they are on the line");
        sockets[sent.mover]
            .send_raw(Message::text(text))
            .await
            .map_err(|_| Cut)
    }

    /// Returns the next event on this player's socket.
    async fn event(&mut self, player: usize) -> Result<EventMsg, Cut> {
        let sockets = self.sockets.as_mut().expect("they are on the line");
        loop {
            match sockets[player].hear().await {
                Heard::Said(ServerMsg::Event(event)) => return Ok(*event),
                Heard::Said(ServerMsg::Presence { .. }) => {}
                Heard::Said(other) => panic!("match {}: {other:?}", self.id),
                Heard::Closed(_) => return Err(Cut),
            }
        }
    }

    async fn hear(&mut self, player: usize) -> Result<EventMsg, Cut> {
        let event = self.event(player).await?;
        self.mirrors[player].take(&event);
        Ok(event)
    }

    fn acknowledge(&mut self, event: EventMsg) {
        self.under_way = None;
        let mawe_wire::Event::Move(ply) = event.event else {
            panic!("only moves were sent: {event:?}");
        };
        self.acknowledged.push(Acknowledged {
            seq: event.seq,
            ply,
        });
    }

    /// After a restart: compares the journal with the acknowledged moves, and joins again.
    async fn come_back(&mut self, process: &Process) {
        self.sockets = None;
        for person in &mut self.people {
            *person = person.moved_to(process.address);
        }
        let view = self.view().await;
        let plies: Vec<PlyView> =
            serde_json::from_value(view["plies"].clone()).expect("plies are plies");
        assert_eq!(
            view["seq"].as_u64(),
            Some(plies.len() as u64),
            "every entry of this match is a move"
        );
        // All acknowledged moves and all moves shown to a player are in the journal: in order, once.
        for (index, acknowledged) in self.acknowledged.iter().enumerate() {
            assert_eq!(acknowledged.seq, index as u64 + 1);
            assert_eq!(plies.get(index), Some(&acknowledged.ply), "{}", self.id);
        }
        for mirror in &self.mirrors {
            assert!(plies.starts_with(&mirror.plies), "{}", self.id);
        }
        // At most the unanswered move may follow them.
        let extra = &plies[self.acknowledged.len()..];
        match (&self.under_way, extra) {
            (_, []) => {}
            (Some(sent), [ply]) => assert_eq!(ply.text, sent.text),
            (sent, extra) => panic!("{} moves nobody made: {extra:?}", sent.iter().len()),
        }

        let mut sockets = Vec::new();
        for (person, mirror) in self.people.iter().zip(&mut self.mirrors) {
            let mut socket = Socket::open(person).await;
            socket.join_since(&self.id, Some(mirror.seq)).await;
            mirror.resume(&mut socket).await;
            assert_eq!(mirror.plies, plies, "{}", self.id);
            sockets.push(socket);
        }
        self.sockets = sockets.try_into().ok();

        // The unanswered move is sent again, whether or not it was stored. If it was, the answer is its event.
        if let (Some(sent), [_]) = (self.under_way.clone(), extra) {
            assert!(self.send(&sent).await.is_ok(), "the line holds now");
            let Ok(event) = self.event(sent.mover).await else {
                panic!("the line holds now");
            };
            assert_eq!(event.seq, plies.len() as u64);
            assert_eq!(
                event.client_id.as_ref().map(|id| id.as_str()),
                Some(sent.client_id.as_str())
            );
            self.acknowledge(event);
        }
    }

    /// Checks that the finished match agrees with its players' state.
    async fn check_end(&self) {
        let view = self.view().await;
        assert_eq!(view["result"]["reason"], "no-moves");
        assert_eq!(view["seq"], self.acknowledged.len());
        assert_eq!(view["position"], json!(self.mirrors[0].state.position));
        assert_eq!(self.mirrors[0], self.mirrors[1]);
    }

    async fn view(&self) -> Value {
        let answer = self.people[0]
            .get(&format!("/api/v1/matches/{}", self.id))
            .await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }
}

#[tokio::test]
async fn the_time_in_which_the_process_is_stopped_is_nobody_s() {
    let directory = tempfile::tempdir().expect("a directory");
    let process = Process::start(directory.path()).await;
    let mut people = [
        Person::guest_at(process.address).await,
        Person::guest_at(process.address).await,
    ];
    let offer = json!({
        "game": "mawe",
        "side": "first",
        "time_control": { "kind": "realtime", "base_ms": BASE.as_millis(), "increment_ms": 0 },
    });
    let [first, second] = &mut people;
    let challenge = first.post("/api/v1/challenges", &offer).await.text("/id");
    let path = format!("/api/v1/challenges/{challenge}/accept");
    let id = second.post(&path, &json!({})).await.text("/id");
    let mut pair = Pair::at(people, id).await;
    // The mover's clock starts some time after this.
    let began = Instant::now();
    pair.plies(2).await;

    // The move is sent while the server cannot read it.
    process.signal("STOP").await;
    let stopped = Instant::now();
    let text = pair.seats[0].mirror.state.legal[0].clone();
    let command = pair.seats[0].a_move(&text);
    pair.seats[0].send(command).await;
    // No event marks the end of a long enough stop, so the test sleeps.
    tokio::time::sleep(STOP).await;
    let stop = stopped.elapsed();
    process.signal("CONT").await;
    let event = pair.seats[0].event().await;
    let Event::Move(ply) = event.event else {
        panic!("the move was sent in time: {event:?}");
    };
    let charged = Duration::from_millis(ply.spent_ms + ply.lag_ms);
    let ran = began.elapsed().saturating_sub(stop);
    assert!(
        charged <= ran + LONGEST_GAP,
        "charged {charged:?}, and the process ran for {ran:?} at most"
    );
    assert_eq!(event.state.result, None);
    pair.seats[1].event().await;

    // The match agrees with its journal, and continues.
    pair.plies(2).await;
    let told = pair.seats[0].mirror.plies.clone();
    process.kill().await;
    let process = Process::start(directory.path()).await;
    let person = pair.people[0].moved_to(process.address);
    let answer = person.get(&format!("/api/v1/matches/{}", pair.id)).await;
    assert_eq!(answer.json()["plies"], json!(told));
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn no_acknowledged_move_is_lost_or_doubled_by_power_cuts() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut choose = fastrand::Rng::with_seed(SEED);
    let mut process = Process::start(directory.path()).await;
    let begin = (0..MATCHES).map(async |_| {
        let people = [
            Person::guest_at(process.address).await,
            Person::guest_at(process.address).await,
        ];
        Match::begin(people).await
    });
    let mut matches = join_all(begin).await;
    let mut interrupted = 0;

    for cut in 0..CUTS {
        let acknowledged = Arc::new(AtomicUsize::new(0));
        let players: Vec<_> = matches
            .drain(..)
            .map(|mut game| {
                let (mut choose, acknowledged) = (choose.fork(), Arc::clone(&acknowledged));
                tokio::spawn(async move {
                    let line = game.play(&mut choose, &acknowledged).await;
                    (game, line)
                })
            })
            .collect();
        let enough = choose.usize(MOVES_TO_A_CUT);
        eventually("enough moves", || {
            let all_played = players.iter().all(tokio::task::JoinHandle::is_finished);
            let ready = all_played || acknowledged.load(Ordering::Relaxed) >= enough;
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
        assert!(cut_off > 0, "cut {cut} came when all was over: cut earlier");
        interrupted += matches
            .iter()
            .filter(|game| game.under_way.is_some())
            .count();

        process = Process::start(directory.path()).await;
        join_all(matches.iter_mut().map(|game| game.come_back(&process))).await;
        for game in matches.iter_mut().filter(|game| game.is_over()) {
            game.check_end().await;
            *game = Match::begin(game.people.clone()).await;
        }
    }
    assert!(
        interrupted > CUTS,
        "hardly a move was under way: {interrupted}"
    );

    // All play to the end.
    let acknowledged = AtomicUsize::new(0);
    let play_on = matches.iter_mut().map(async |game| {
        let mut choose = fastrand::Rng::with_seed(SEED);
        assert!(game.play(&mut choose, &acknowledged).await.is_ok());
        game.check_end().await;
    });
    join_all(play_on).await;
    assert_eq!(process.stop("TERM").await, Some(0));
}
