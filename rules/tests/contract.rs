//! The contract of [`Position`], checked on random games of each kind.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mawe_rules::games::bao::BaoPosition;
use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::congkak::CongkakPosition;
use mawe_rules::games::draughts::{
    BrazilianPosition, DraftiPosition, InternationalPosition, PoolPosition, RussianPosition,
};
use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::games::mawe::MawePosition;
use mawe_rules::games::oware::OwarePosition;
use mawe_rules::games::pallanguzhi::PallanguzhiPosition;
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{AnyPosition, AnySetup, GameKind, PlayError, Position, Reason, Record};

/// More plies than any of the games can last, even without house draws.
const MAX_PLIES: usize = 2_000;
const GAMES: u64 = 60;

#[test]
fn every_game_keeps_the_contract() {
    for kind in GameKind::ALL {
        match kind {
            GameKind::Mawe => check_games::<MawePosition>(),
            GameKind::Reversi => check_games::<ReversiPosition>(),
            GameKind::Checkers => check_games::<CheckersPosition>(),
            GameKind::Drafti => check_games::<DraftiPosition>(),
            GameKind::Brazilian => check_games::<BrazilianPosition>(),
            GameKind::Russian => check_games::<RussianPosition>(),
            GameKind::International => check_games::<InternationalPosition>(),
            GameKind::Pool => check_games::<PoolPosition>(),
            GameKind::Kalah => check_games::<KalahPosition>(),
            GameKind::Oware => check_games::<OwarePosition>(),
            GameKind::Congkak => check_games::<CongkakPosition>(),
            GameKind::Bao => check_games::<BaoPosition>(),
            GameKind::Pallanguzhi => check_games::<PallanguzhiPosition>(),
        }
    }
}

fn check_games<P: Position>() {
    let start = P::from_setup(&P::Setup::default()).expect("the standard game has a start");
    assert_eq!(
        P::Setup::default().to_string(),
        "",
        "the standard setup is the empty text"
    );
    assert_eq!("".parse::<P::Setup>(), Ok(P::Setup::default()));
    assert!("no-such-option=1".parse::<P::Setup>().is_err());
    for seed in 0..GAMES {
        walk(&start, seed);
    }
}

/// Plays a random game to its end, checking every position on the way.
fn walk<P: Position>(start: &P, seed: u64) {
    let mut dice = Dice(seed);
    let mut pos = start.clone();
    let mut texts: Vec<String> = Vec::new();
    // Moves of other positions of the game. Unless legal here, they must be refused.
    let mut foreign: Vec<P::Move> = Vec::new();
    while texts.len() < MAX_PLIES {
        check_position(&pos);
        let moves = pos.legal_moves();
        check_refusals(&pos, &moves, &foreign);
        if moves.is_empty() {
            break;
        }
        let m = moves[dice.below(moves.len())];
        foreign.push(moves[dice.below(moves.len())]);
        texts.push(m.to_string());
        let mut checked = pos.clone();
        assert_eq!(checked.play(m), Ok(()));
        pos.play_unchecked(m);
        assert_eq!(checked, pos, "checked and unchecked play differ");
    }
    check_replay(start, &texts, &pos);
}

fn check_position<P: Position>(pos: &P) {
    let text = pos.to_string();
    let fresh: P = text.parse().expect("a printed position parses");
    assert_eq!(fresh, *pos);
    assert_eq!(fresh.to_string(), text);
    assert_eq!(
        fresh.zobrist(),
        pos.zobrist(),
        "the hash of {text} has drifted"
    );
    assert_eq!(std_hash(&fresh), std_hash(pos));

    let moves = pos.legal_moves();
    assert_eq!(moves.is_empty(), pos.outcome().is_some(), "{text}");
    assert_eq!(moves.len(), pos.count_legal(), "{text}");
    assert_eq!(
        moves,
        fresh.legal_moves(),
        "the order depends on more than the position"
    );
    let mut lent = moves.clone();
    pos.legal_moves_into(&mut lent);
    assert_eq!(
        lent.len(),
        2 * moves.len(),
        "a lent list keeps what it holds"
    );

    let mut texts: Vec<String> = moves.iter().map(|m| m.to_string()).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), moves.len(), "two moves share a text in {text}");
    for m in &moves {
        assert_eq!(m.to_string().parse(), Ok(*m));
        assert!(pos.is_legal(*m));
    }
    if let Some(pass) = pos.forced_pass() {
        assert_eq!(moves, [pass]);
    }
}

fn check_refusals<P: Position>(pos: &P, moves: &[P::Move], foreign: &[P::Move]) {
    let mut after = pos.clone();
    for m in foreign.iter().filter(|m| !moves.contains(m)) {
        let error = after.play(*m).expect_err("an unlisted move");
        assert_eq!(error == PlayError::GameOver, pos.outcome().is_some());
        assert_ne!(error, PlayError::MalformedMove);
        assert_eq!(after, *pos);
        assert_eq!(after.zobrist(), pos.zobrist());
    }
    for text in ["", " ", "zz", "\u{0}", "a1a1a1a1a1", "🪨"] {
        let expected = match pos.outcome() {
            Some(_) => PlayError::GameOver,
            None => PlayError::MalformedMove,
        };
        assert_eq!(pos.explain_illegal(text), expected);
    }
}

/// Replaying the text gives the same game: by position, by record and after takebacks.
fn check_replay<P: Position>(start: &P, texts: &[String], end: &P) {
    let kind = P::KIND;
    let mut any = AnyPosition::parse(kind, &start.to_string()).expect("a printed position parses");
    assert_eq!(any.kind(), kind);
    let mut record = Record::from_position(any.clone());
    let mut played = 0;
    for text in texts {
        any.play(text).expect("a legal move");
        if record.outcome().is_none() {
            record.play(text).expect("a legal move");
            played += 1;
            // Oware's third occurrence changes the board of the record only.
            let repeated = record.outcome().map(|outcome| outcome.reason);
            if repeated != Some(Reason::Repetition) {
                assert_eq!(*record.position(), any);
            }
        }
    }
    assert_eq!(any.to_string(), end.to_string());
    assert_eq!(any.zobrist(), end.zobrist());
    assert_eq!(any.outcome(), end.outcome());

    // The game ends by its own rules or by a house draw.
    assert!(record.outcome().is_some(), "{kind} has no end");
    assert!(record.legal_moves().is_empty());
    assert_eq!(record.play(&texts[0]), Err(PlayError::GameOver));
    let whole = record.clone();
    assert_eq!(record.retreat(2), 2);
    assert_eq!(record.ply(), played - 2);
    for text in &texts[played as usize - 2..played as usize] {
        record.play(text).expect("a legal move");
    }
    assert_eq!(record, whole);
    assert_eq!(record.retreat(u32::MAX), played);
    assert_eq!(record.position(), record.start());
}

#[test]
fn a_record_tells_what_was_played() {
    for kind in GameKind::ALL.iter().copied() {
        let setup = AnySetup::standard(kind);
        assert_eq!(AnySetup::parse(kind, &setup.to_string()), Ok(setup.clone()));
        let mut record = Record::new(kind, &setup).expect("a start");
        assert_eq!(
            (record.kind(), record.setup(), record.ply()),
            (kind, &setup, 0)
        );
        let first = record.legal_moves().remove(0);
        let before = record.clone();
        let error = record.play("nonsense").expect_err("no move");
        assert_eq!(error, PlayError::MalformedMove);
        assert_eq!(record, before);
        let played = record.play(&first).expect("a legal move");
        assert_eq!(record.moves(), [played]);
        assert_eq!(record.position().parse_move(&first), Ok(played));
        assert_eq!(played.kind(), kind);
    }
}

fn std_hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A small reproducible generator (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}
