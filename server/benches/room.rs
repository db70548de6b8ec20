//! Moves a second in the core of one room, without a store: the rules, the clock, the entry and the event of each move.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use mawe_play::room::io::{Input, MatchSetup, Now};
use mawe_play::room::state::RoomState;
use mawe_rules::{AnySetup, BySide, GameKind, Record};
use mawe_server::live::outbox::encode;
use mawe_wire::ids::{ClientId, MatchId};
use mawe_wire::{Command, MatchOptions, ServerMsg, TimeControl};

/// Returns a whole game of random moves, the same in every run.
fn game(kind: GameKind) -> Vec<String> {
    let mut rng = Rng::with_seed(1);
    let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
    let mut moves = Vec::new();
    while let Some(text) = rng.choice(record.legal_moves()) {
        record.play(&text).expect("it is legal");
        moves.push(text);
    }
    moves
}

fn play(kind: GameKind, moves: &[(ClientId, String)]) -> usize {
    let setup = MatchSetup {
        id: MatchId::random(),
        game: kind,
        setup: String::new(),
        rated: true,
        time_control: TimeControl::Realtime {
            base_ms: 300_000,
            increment_ms: 3_000,
        },
        extra_ms: BySide::default(),
        options: MatchOptions::usual(true),
        one_player: false,
        created_ms: 0,
        bots: BySide::default(),
    };
    let mut state = RoomState::new(setup, 1).expect("a setup");
    let mut bytes = 0;
    for (ply, (client_id, text)) in (0u32..).zip(moves) {
        let now = Now {
            mono: u64::from(ply) * 1_000,
            unix_ms: 0,
            up_since_ms: 0,
        };
        let side = state.record().turn();
        let command = Command::Move {
            ply,
            text: text.clone(),
        };
        let proposed = state.handle(
            now,
            Input::Command {
                side,
                client_id: client_id.clone(),
                seq: u64::from(ply),
                command,
                lag_ms: 20,
            },
        );
        let append = proposed.append.expect("a legal move becomes an entry");
        bytes += append
            .entries
            .iter()
            .map(|entry| entry.to_stored().payload.len())
            .sum::<usize>();
        for event in state.handle(now, Input::Durable).tell {
            bytes += encode(&ServerMsg::Event(Box::new(event))).len();
        }
    }
    bytes
}

fn room(c: &mut Criterion) {
    let mut group = c.benchmark_group("room");
    for kind in GameKind::ALL.iter().copied() {
        let named = |(ply, text)| (format!("c{ply}").parse().expect("a client id"), text);
        let moves: Vec<(ClientId, String)> =
            game(kind).into_iter().enumerate().map(named).collect();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(kind.id(), |b| b.iter(|| play(kind, black_box(&moves))));
    }
    group.finish();
}

criterion_group!(benches, room);
criterion_main!(benches);
