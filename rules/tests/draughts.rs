//! The draughts family beyond the vectors: the landing of a king as a constant, and input that is no position or no move.

use mawe_rules::Side;
use mawe_rules::games::draughts::{
    Brazilian, Clock, Colour, Crowning, Drafti, DraughtsMove, DraughtsPosition, International,
    KingLanding, Pool, Russian, Variant, Width,
};
use proptest::prelude::*;

fn listed<V: Variant>(position: &DraughtsPosition<V>) -> Vec<DraughtsMove<V>> {
    let mut moves = Vec::new();
    position.list_moves(&mut moves);
    moves
}

fn perft<V: Variant>(position: &DraughtsPosition<V>, depth: u32) -> u64 {
    let moves = listed(position);
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    let after = |m| {
        let mut next = position.clone();
        next.play_ply(m);
        perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

/// Drafti with the landing of kings that the server TzDraft has, RULES-draughts.md section 10.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct TzDraft;

impl Width for TzDraft {
    const ROW: u32 = Drafti::ROW;
    type Landings = <Drafti as Width>::Landings;
}

impl Variant for TzDraft {
    const MEN_ROWS: u32 = Drafti::MEN_ROWS;
    const BEGINS: Colour = Drafti::BEGINS;
    const MEN_CAPTURE_BACKWARDS: bool = Drafti::MEN_CAPTURE_BACKWARDS;
    const MAJORITY: bool = Drafti::MAJORITY;
    const CROWNING: Crowning = Drafti::CROWNING;
    const KING_LANDING: KingLanding = KingLanding::UpToGoingOn;
    const KING_AGAINST_KING_IS_DRAWN: bool = Drafti::KING_AGAINST_KING_IS_DRAWN;
    const QUIET_LIMIT: u32 = Drafti::QUIET_LIMIT;
    const CLOCKS: &'static [Clock] = Drafti::CLOCKS;
}

fn legal_moves<V: Variant>(position: &str) -> Vec<String> {
    let position: DraughtsPosition<V> = position.parse().expect("a position");
    listed(&position).iter().map(ToString::to_string).collect()
}

#[test]
fn the_landing_of_a_king_is_one_constant() {
    let down = "W:WK1:B6,14,25";
    let here = legal_moves::<Drafti>(down);
    assert_eq!(here, ["1x10x21x30", "1x15x29"]);
    let there = legal_moves::<TzDraft>(down);
    assert_eq!(there, ["1x10x17", "1x10x21x30"]);
    // The same upwards: the board turned by half, with the colours exchanged.
    let up = legal_moves::<TzDraft>("B:W8,19,27:BK32");
    assert_eq!(up, ["32x23x12x3", "32x23x16"]);
    assert_eq!(perft(&DraughtsPosition::<TzDraft>::start(), 10), 18_372_660);
}

#[test]
fn a_side_is_the_colour_that_begins() {
    assert_eq!(Drafti::colour(Side::First), Colour::White);
    assert_eq!(Pool::colour(Side::First), Colour::Black);
    assert_eq!(Pool::colour(Side::Second), Colour::White);
}

/// Nothing that is read panics, and what is read prints so that it reads as the same; no move panics where it is not legal.
fn takes<V: Variant>(position: &str, m: &str) {
    let read = m.parse::<DraughtsMove<V>>();
    if let Ok(m) = read {
        assert_eq!(m.to_string().parse(), Ok(m));
        let _ = DraughtsPosition::<V>::start().play_ply(m);
    }
    let Ok(position) = position.parse::<DraughtsPosition<V>>() else {
        return;
    };
    assert_eq!(position.to_string().parse(), Ok(position.clone()));
    for m in listed(&position) {
        let mut after = position.clone();
        let ply = after.play_ply(m);
        assert_eq!(ply.captures, m.is_capture());
        assert_eq!(after.to_string().parse(), Ok(after.clone()));
    }
    if let Ok(m) = read {
        let _ = position.clone().play_ply(m);
    }
}

/// A position string of random pieces, and of what is none.
fn any_position() -> impl Strategy<Value = String> {
    let piece = (any::<bool>(), 0_u8..56)
        .prop_map(|(is_king, number)| format!("{}{number}", if is_king { "K" } else { "" }));
    let pieces = || proptest::collection::vec(piece.clone(), 0..12).prop_map(|all| all.join(","));
    (pieces(), pieces(), any::<bool>()).prop_map(|(white, black, turn)| {
        format!("{}:W{white}:B{black}", if turn { "W" } else { "B" })
    })
}

proptest! {
    #[test]
    fn any_text_is_refused_or_read(
        position in prop_oneof!["[WB:K,0-9x-]{0,30}", any_position(), any::<String>()],
        m in prop_oneof!["[1-9][0-9]?([x-][1-9][0-9]?){1,34}", any::<String>()],
    ) {
        takes::<Drafti>(&position, &m);
        takes::<Brazilian>(&position, &m);
        takes::<Russian>(&position, &m);
        takes::<International>(&position, &m);
        takes::<Pool>(&position, &m);
    }
}
