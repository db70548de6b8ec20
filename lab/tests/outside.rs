//! Engines of others, in every protocol: whole games, and each way to fail. The partner is `src/bin/fake-engine.rs`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mawe_lab::arena::{End, Openings, Player, opening_of, play_both, setup_of};
use mawe_lab::outside::{
    Clocks, EngineCommand, EngineError, Fault, MoveLimits, OutsideEngine, Play, Protocol,
};
use mawe_rules::{AnyPosition, AnySetup, BySide, GameKind, Record, Side};

/// A time that a test never waits for: a machine may be busy.
const LONG: Duration = Duration::from_secs(600);
/// The games of the protocols.
const GAMES: &[(Protocol, GameKind)] = &[
    (Protocol::Ugi, GameKind::Mawe),
    (Protocol::Ugi, GameKind::Reversi),
    (Protocol::Ugi, GameKind::Checkers),
    (Protocol::Ugi, GameKind::Kalah),
    (Protocol::Ugi, GameKind::Oware),
    (Protocol::Ugi, GameKind::Congkak),
    (Protocol::Hub, GameKind::Checkers),
    (Protocol::Hub, GameKind::Drafti),
    (Protocol::Hub, GameKind::Brazilian),
    (Protocol::Hub, GameKind::Russian),
    (Protocol::Hub, GameKind::International),
    (Protocol::Hub, GameKind::Pool),
    (Protocol::Gtp, GameKind::Reversi),
    (Protocol::Nboard, GameKind::Reversi),
    (Protocol::Fen, GameKind::Checkers),
    (Protocol::Fen, GameKind::Mawe),
    (Protocol::Aalina, GameKind::Oware),
];

fn command(protocol: Protocol, kind: GameKind, fault: &str) -> EngineCommand {
    let program = env!("CARGO_BIN_EXE_fake-engine");
    let line = format!("'{program}' {protocol} {kind} {fault}");
    EngineCommand {
        handshake: LONG,
        grace: LONG,
        ..EngineCommand::parse(protocol, &line).expect("a command")
    }
}

fn never() -> Arc<AtomicBool> {
    Arc::default()
}

fn start(command: EngineCommand, kind: GameKind) -> OutsideEngine {
    OutsideEngine::start(command, kind, &never()).expect("it starts")
}

fn game(kind: GameKind) -> Record {
    Record::new(kind, &AnySetup::standard(kind)).expect("every game starts")
}

fn brief() -> MoveLimits {
    MoveLimits::movetime(Duration::from_millis(1))
}

#[test]
fn whole_games_are_played_in_every_protocol() {
    for (protocol, kind) in GAMES.iter().copied() {
        let mut engine = start(command(protocol, kind, "none"), kind);
        // The second game begins with a position of other moves, and the engine plays both sides.
        for opening in [0, 3] {
            engine.new_game(&never()).expect("it is ready");
            let mut game = game(kind);
            for ply in 0..opening {
                let moves = game.legal_moves();
                game.play(&moves[ply % moves.len()]).expect("a legal move");
            }
            while game.outcome().is_none() && game.ply() < 600 {
                let answer = engine.choose(&game, &brief(), &never());
                let answer = answer.unwrap_or_else(|error| panic!("{protocol} {kind}: {error}"));
                let Play::Move(m) = answer.play else {
                    panic!("{protocol} {kind}: it resigned");
                };
                let has_score = protocol != Protocol::Gtp && game.forced_pass().is_none();
                assert_eq!(answer.score, has_score.then_some(12), "{protocol} {kind}");
                game.play(&m.to_string()).expect("it was judged");
            }
            assert!(game.ply() > 10, "{protocol} {kind}");
        }
        let named = matches!(protocol, Protocol::Fen | Protocol::Aalina);
        assert_eq!(engine.name() == "Fake 1.0", !named, "{protocol}");
        engine.quit(LONG);
    }
}

#[test]
fn games_of_limited_congkak_and_of_other_starts_are_told_by_their_position() {
    for kind in [GameKind::Congkak, GameKind::Kalah] {
        let mut engine = start(command(Protocol::Ugi, kind, "none"), kind);
        engine.new_game(&never()).expect("it is ready");
        let setup = setup_of(kind);
        let mut game = opening_of(&setup, Openings::default(), 3, 1);
        while game.outcome().is_none() {
            let answer = engine.choose(&game, &brief(), &never()).expect("a move");
            let Play::Move(m) = answer.play else {
                panic!("it resigned");
            };
            game.play(&m.to_string()).expect("it was judged");
        }
    }
}

/// A position of Reversi whose first player has to pass, and the moves to it.
fn before_a_pass() -> Record {
    let mut found = None;
    for seed in 0_u64.. {
        let mut game = game(GameKind::Reversi);
        while game.outcome().is_none() && game.forced_pass().is_none() {
            let moves = game.legal_moves();
            let index = mawe_ai::mix(seed ^ u64::from(game.ply())) % moves.len() as u64;
            game.play(&moves[index as usize]).expect("a legal move");
        }
        if game.forced_pass().is_some() {
            found = Some(game);
            break;
        }
    }
    found.expect("games have passes")
}

#[test]
fn a_forced_pass_is_played_without_the_engine_and_told_to_it() {
    for (protocol, fault) in [
        (Protocol::Gtp, "none"),
        (Protocol::Gtp, "no-pass"),
        (Protocol::Nboard, "none"),
    ] {
        let mut engine = start(
            command(protocol, GameKind::Reversi, fault),
            GameKind::Reversi,
        );
        engine.new_game(&never()).expect("it is ready");
        let mut game = before_a_pass();
        for _ in 0..2 {
            let answer = engine.choose(&game, &brief(), &never()).expect("a move");
            let Play::Move(m) = answer.play else {
                panic!("it resigned");
            };
            game.play(&m.to_string()).expect("it was judged");
        }
        assert!(game.moves().iter().any(|m| m.to_string() == "pass"));
    }
}

#[test]
fn a_takeback_is_followed() {
    for protocol in [Protocol::Gtp, Protocol::Nboard, Protocol::Ugi] {
        let kind = GameKind::Reversi;
        let mut engine = start(command(protocol, kind, "none"), kind);
        engine.new_game(&never()).expect("it is ready");
        let mut game = game(kind);
        let choose = |game: &Record, engine: &mut OutsideEngine| {
            engine
                .choose(game, &brief(), &never())
                .expect("a move")
                .play
        };
        for _ in 0..6 {
            let Play::Move(m) = choose(&game, &mut engine) else {
                panic!("it resigned");
            };
            game.play(&m.to_string()).expect("it was judged");
        }
        game.retreat(3);
        let other = game.legal_moves().pop().expect("a move");
        game.play(&other).expect("a legal move");
        assert!(matches!(choose(&game, &mut engine), Play::Move(_)));
    }
}

/// The failure of the first move with this fault.
fn failure(protocol: Protocol, kind: GameKind, fault: &str, grace: Duration) -> EngineError {
    let command = EngineCommand {
        grace,
        ..command(protocol, kind, fault)
    };
    let mut engine = start(command, kind);
    engine.new_game(&never()).expect("it is ready");
    let answer = engine.choose(&game(kind), &brief(), &never());
    let error = answer.expect_err("it fails");
    assert!(!engine.is_running(), "{protocol} {fault}: {error}");
    // The game is over for the engine, and the next one begins.
    let again = engine.choose(&game(kind), &brief(), &never());
    assert!(matches!(
        again.expect_err("it has ended").fault,
        Fault::Unsupported(_)
    ));
    engine.new_game(&never()).expect("it starts again");
    assert!(engine.is_running());
    error
}

const MAIN: &[(Protocol, GameKind)] = &[
    (Protocol::Ugi, GameKind::Mawe),
    (Protocol::Hub, GameKind::Checkers),
    (Protocol::Gtp, GameKind::Reversi),
    (Protocol::Nboard, GameKind::Reversi),
];

#[test]
fn an_engine_that_hangs_is_killed_and_told() {
    for (protocol, kind) in MAIN.iter().copied() {
        let error = failure(protocol, kind, "hang", Duration::from_millis(50));
        assert!(
            matches!(
                error.fault,
                Fault::Late {
                    awaited: "move",
                    ..
                }
            ),
            "{error}"
        );
        assert!(
            error.to_string().contains("no move within 0.1 s"),
            "{error}"
        );
    }
}

#[test]
fn an_engine_that_writes_without_end_is_killed_and_told() {
    for (protocol, kind) in MAIN.iter().copied() {
        let error = failure(protocol, kind, "babble", LONG);
        assert!(
            matches!(error.fault, Fault::ManyLines { lines: 100_000, .. }),
            "{error}"
        );
        let error = failure(protocol, kind, "long-line", LONG);
        assert!(matches!(error.fault, Fault::LongLine(_)), "{error}");
    }
}

#[test]
fn an_answer_that_is_none_is_told_with_its_line() {
    for (protocol, kind) in MAIN.iter().copied() {
        let error = failure(protocol, kind, "nonsense", LONG);
        assert!(
            matches!(error.fault, Fault::Unreadable(_)),
            "{protocol}: {error}"
        );
        let error = failure(protocol, kind, "illegal", LONG);
        assert!(
            matches!(error.fault, Fault::Illegal { .. }),
            "{protocol}: {error}"
        );
        assert!(error.to_string().contains("is not legal in"), "{error}");
    }
    let error = failure(Protocol::Ugi, GameKind::Mawe, "illegal", LONG).to_string();
    assert!(error.contains("\"bestmove z9z9\""), "{error}");
    for (protocol, kind) in MAIN[..3].iter().copied() {
        let error = failure(protocol, kind, "refuse", LONG);
        assert!(
            matches!(error.fault, Fault::Refused { .. }),
            "{protocol}: {error}"
        );
    }
}

#[test]
fn an_engine_that_dies_is_told_with_its_last_words() {
    for (protocol, kind) in MAIN.iter().copied() {
        let error = failure(protocol, kind, "die", LONG);
        assert_eq!(error.last_words, ["a first line", "the disk is full"]);
        let text = error.to_string();
        assert!(
            text.contains("it ended before its move (exit status: 3)")
                && text.ends_with("its last words: a first line / the disk is full"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

#[test]
fn an_engine_may_resign() {
    for (protocol, kind) in [MAIN[0], MAIN[2]] {
        let mut engine = start(command(protocol, kind, "resign"), kind);
        engine.new_game(&never()).expect("it is ready");
        let answer = engine.choose(&game(kind), &brief(), &never());
        assert_eq!(answer.expect("an answer").play, Play::Resign);
    }
}

#[test]
fn a_handshake_that_fails_is_told() {
    let fails = |command: EngineCommand, kind| match OutsideEngine::start(command, kind, &never()) {
        Ok(_) => panic!("it fails"),
        Err(error) => error,
    };
    for (protocol, kind) in MAIN.iter().copied() {
        let mute = EngineCommand {
            handshake: Duration::from_millis(50),
            ..command(protocol, kind, "mute")
        };
        let error = fails(mute, kind);
        assert!(matches!(error.fault, Fault::Late { .. }), "{error}");
        let other = EngineCommand::parse(protocol, "/nowhere/engine").expect("a command");
        let error = fails(other, kind);
        assert!(matches!(error.fault, Fault::Start(_)), "{error}");
        // A program that reads nothing, and one that speaks another language.
        let ended = fails(
            EngineCommand::parse(protocol, "true").expect("a command"),
            kind,
        );
        assert!(matches!(ended.fault, Fault::Ended { .. }), "{ended}");
    }
    let kind = GameKind::Oware;
    let error = fails(command(Protocol::Gtp, kind, "none"), kind).to_string();
    assert!(error.contains("gtp is a protocol of reversi"), "{error}");
    let kind = GameKind::Checkers;
    let error = fails(command(Protocol::Hub, kind, "other-variant"), kind).to_string();
    assert!(
        error.contains("\"normal frisian\", not \"english\""),
        "{error}"
    );
    let with_options = EngineCommand {
        options: vec![("level".to_owned(), "5".to_owned())],
        ..command(Protocol::Gtp, GameKind::Reversi, "none")
    };
    let error = fails(with_options, GameKind::Reversi).to_string();
    assert!(error.contains("gtp has no options"), "{error}");
}

#[test]
fn an_engine_that_reads_nothing_is_told() {
    let kind = GameKind::Mawe;
    let unread = EngineCommand {
        init: vec!["x".repeat(8 << 10); 300],
        ..EngineCommand::parse(
            Protocol::Ugi,
            "sh -c 'read line; echo ugiok; while :; do sleep 1; done'",
        )
        .expect("a command")
    };
    let error = match OutsideEngine::start(unread, kind, &never()) {
        Ok(_) => panic!("it fails"),
        Err(error) => error,
    };
    assert_eq!(error.fault, Fault::Unread, "{error}");
}

#[test]
fn another_thread_stops_a_search() {
    for (protocol, kind) in MAIN.iter().copied() {
        let mut engine = start(command(protocol, kind, "slow"), kind);
        engine.new_game(&never()).expect("it is ready");
        let stop = never();
        let game = game(kind);
        let limits = MoveLimits::movetime(LONG);
        let began = Instant::now();
        let error = thread::scope(|scope| {
            let search = scope.spawn(|| engine.choose(&game, &limits, &stop));
            stop.store(true, Ordering::Relaxed);
            search.join().expect("it returns").expect_err("no move")
        });
        assert_eq!(error.fault, Fault::Stopped);
        assert!(began.elapsed() < LONG);
        // The flag of one match does not touch the next.
        engine.new_game(&never()).expect("it is ready again");
    }
}

#[test]
fn a_search_that_was_stopped_leaves_an_engine_that_goes_on() {
    for (protocol, kind) in MAIN[..2].iter().copied() {
        let place = tempfile::tempdir().expect("a directory");
        let log = place.path().join("log");
        let fault = format!("slow '{}'", log.display());
        let mut engine = start(command(protocol, kind, &fault), kind);
        engine.new_game(&never()).expect("it is ready");
        let stop = never();
        let game = game(kind);
        let error = thread::scope(|scope| {
            let search = scope.spawn(|| engine.choose(&game, &MoveLimits::movetime(LONG), &stop));
            let asked = || read(&log).lines().any(|line| line.starts_with("go"));
            while !asked() {
                thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
            search.join().expect("it returns").expect_err("no move")
        });
        assert_eq!(error.fault, Fault::Stopped);
        assert!(engine.is_running(), "{protocol}");
        // A flag that was set before is seen before the question.
        let again = engine.choose(&game, &brief(), &stop);
        assert_eq!(again.expect_err("no move").fault, Fault::Stopped);
        assert!(engine.is_running(), "{protocol}");
        assert!(read(&log).lines().any(|line| line == "stop"), "{protocol}");
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn clocks_and_options_reach_the_engine() {
    let seconds = Duration::from_secs;
    let limits = MoveLimits::clocks(Clocks {
        base: seconds(300),
        increment: seconds(3),
        left: BySide::new(seconds(200), seconds(100)),
    });
    let options = || vec![("Hash".to_owned(), "64".to_owned())];
    for (protocol, kind, options, expected) in [
        (
            Protocol::Ugi,
            GameKind::Mawe,
            options(),
            &[
                "setoption name Hash value 64",
                "a raw line",
                "go p1time 200000 p2time 100000 p1inc 3000 p2inc 3000",
            ][..],
        ),
        (
            Protocol::Hub,
            GameKind::Checkers,
            options(),
            &[
                "set-param name=variant value=english",
                "set-param name=Hash value=64",
                "level time=197.000 inc=3.000",
                "go think",
            ],
        ),
        (
            Protocol::Gtp,
            GameKind::Reversi,
            Vec::new(),
            &[
                "time_settings 300 0 0",
                "time_left black 200 0",
                "time_left white 100 0",
            ],
        ),
        (
            Protocol::Nboard,
            GameKind::Reversi,
            Vec::new(),
            &["set game (;GM[Othello]PC[Mawe!]PB[black]PW[white]RE[?]TI[05:00]TY[8]"],
        ),
    ] {
        let place = tempfile::tempdir().expect("a directory");
        let log = place.path().join("log");
        let fault = format!("none '{}'", log.display());
        // Programs of GTP answer every line, so there it would be one answer too many.
        let init = match protocol {
            Protocol::Gtp => Vec::new(),
            _ => vec!["a raw line".to_owned()],
        };
        let command = EngineCommand {
            options,
            init,
            ..command(protocol, kind, &fault)
        };
        let mut engine = start(command, kind);
        engine.new_game(&never()).expect("it is ready");
        engine
            .choose(&game(kind), &limits, &never())
            .expect("a move");
        let told = read(&log);
        for line in expected {
            assert!(told.contains(line), "{protocol}: {line:?} in {told}");
        }
    }
}

/// The games of the arena with this player against a random one.
fn arena(spec: &str, kind: GameKind) -> BySide<mawe_lab::arena::Game> {
    let player = |text: &str| {
        let spec = text.parse().expect("a player");
        Player::new(spec, kind).expect("it starts")
    };
    let opening = opening_of(&setup_of(kind), Openings::default(), 1, 1);
    play_both(&opening, [&player(spec), &player("random")], 1, 1)
}

#[test]
fn an_engine_that_fails_loses_its_games_in_the_arena() {
    let program = env!("CARGO_BIN_EXE_fake-engine");
    for (protocol, kind) in MAIN.iter().copied() {
        let spec = |fault: &str| {
            format!("movetime=1,cmd:{protocol}:'{program}' {protocol} {kind} {fault}")
        };
        let games = arena(&spec("die"), kind);
        for (side, game) in games.iter() {
            assert!(matches!(game.end, End::Failed(loser, _) if loser == side));
            assert_eq!(game.winner(), Some(side.other()));
        }
        let games = arena(&spec("none"), kind);
        for (_, game) in games.iter() {
            assert!(
                matches!(game.end, End::Rules(_) | End::PlyLimit),
                "{:?}",
                game.end
            );
        }
    }
    let spec = format!("clock=0.000001,cmd:ugi:'{program}' ugi mawe none");
    let games = arena(&spec, GameKind::Mawe);
    let lost = |game: &mawe_lab::arena::Game, side| game.end == End::Time(side);
    assert!(lost(&games.first, Side::First) && lost(&games.second, Side::Second));
}

#[test]
fn a_start_that_gtp_cannot_tell_is_refused_and_the_engine_goes_on() {
    let kind = GameKind::Reversi;
    let mut engine = start(command(Protocol::Gtp, kind, "none"), kind);
    engine.new_game(&never()).expect("it is ready");
    let text = "---------------------------XO------OX--------------------------- X";
    let position = AnyPosition::parse(kind, text).expect("a position");
    let other = Record::from_position(position);
    let error = engine
        .choose(&other, &brief(), &never())
        .expect_err("it cannot");
    assert!(matches!(error.fault, Fault::Unsupported(_)), "{error}");
    let answer = engine.choose(&game(kind), &brief(), &never());
    assert!(matches!(answer.expect("a move").play, Play::Move(_)));
}
