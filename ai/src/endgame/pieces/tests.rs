//! Tests of the databases by pieces, each for checkers and for the draughts.

use mawe_rules::games::draughts::{
    BrazilianPosition, DraftiPosition, InternationalPosition, PoolPosition, RussianPosition,
};
use mawe_rules::{EndgameClocks, Position};

use super::index::Board;
use super::limits::may_hold;
use super::*;

/// Instances of a generic test, one for each game.
macro_rules! for_each_game {
    ($test:ident, $($name:ident: $position:ty, $($argument:expr),*;)*) => {
        mod $test {
            use super::*;

            $(
                #[test]
                fn $name() {
                    super::$test::<$position>($($argument),*);
                }
            )*
        }
    };
}

fn counts<P: MenAndKings>(database: &PiecesDatabase<P>, pieces: u8) -> Vec<(Slice, Counts)> {
    let slices = PiecesDatabase::<P>::plan(pieces).into_iter().flatten();
    let of = |slice: Slice| slice.parts.iter().sum::<u8>() == pieces;
    slices
        .filter(|slice| of(*slice))
        .map(|slice| (slice, database.count(slice).expect("it is solved")))
        .collect()
}

/// The number of ways to put men and kings of one side alone on the board.
fn alone(pieces: u64) -> u64 {
    let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
    (0..=pieces)
        .map(|men| choose(28, men) * choose(32 - men, pieces - men))
        .sum()
}

/// J. Schaeffer, R. Lake and others, the Chinook project: 6,972 positions of two pieces, 261,224 of three,
/// 7,092,774 of four. These include positions with pieces of one side only. The draughts have the same
/// pieces on the same squares.
fn as_many_positions_as_published<P: MenAndKings>() {
    let database = PiecesDatabase::<P>::solved(3, 1);
    assert_eq!(database.pieces(), 3);
    for (pieces, published) in [(2, 6_972), (3, 261_224)] {
        let all: u64 = counts(&database, pieces).iter().map(|(_, c)| c.all()).sum();
        let of_both = all + 2 * alone(u64::from(pieces));
        assert_eq!(of_both, published, "{pieces} pieces");
    }
}

for_each_game! {
    as_many_positions_as_published,
    checkers: CheckersPosition,;
    russian: RussianPosition,;
}

#[test]
fn king_against_king_is_as_published() {
    // E. Trice in the forum of the World Draughts Federation's programmers, damforum.nl, topic
    // 2603: 992 positions, 230 won, 654 drawn, 108 lost, the longest win in 11 plies.
    let database = CheckersDatabase::solved(2, 1);
    let slice = Material([0, 1, 0, 1]).slice(GameKind::Checkers);
    let counts = database.count(slice).expect("it is solved");
    let expected = Counts {
        won: 230,
        drawn: 654,
        lost: 108,
        open: 0,
        longest: 11,
    };
    assert_eq!(counts, expected);
}

/// A plain search by the rules, `plies` deep; an undecided position is a draw.
fn plain<P: Position>(pos: &P, plies: u32) -> PiecesValue {
    let mut best = None;
    if let Some(end) = pos.outcome() {
        return match end.winner {
            None => PiecesValue::Draw,
            Some(winner) => {
                assert_ne!(winner, pos.turn(), "the side to move never has won");
                PiecesValue::Loss(0)
            }
        };
    }
    if plies == 0 {
        return PiecesValue::Draw;
    }
    for m in pos.legal_moves() {
        let mut child = pos.clone();
        child.play_unchecked(m);
        let value = match plain(&child, plies - 1) {
            PiecesValue::Loss(n) => PiecesValue::Win(n + 1),
            PiecesValue::Draw => PiecesValue::Draw,
            PiecesValue::Win(n) => PiecesValue::Loss(n + 1),
        };
        let rank = |value: PiecesValue| match value {
            PiecesValue::Win(n) => 1000 - n as i32,
            PiecesValue::Draw => 0,
            PiecesValue::Loss(n) => n as i32 - 1000,
        };
        best = match best {
            Some(best) if rank(best) >= rank(value) => Some(best),
            Some(_) | None => Some(value),
        };
    }
    best.expect("there are moves")
}

/// Looks at one position in `step` of each slice of up to three pieces, `plies` deep.
fn values_are_those_of_plain_search_as_far_as_it_sees<P: MenAndKings>(plies: u32, step: usize) {
    let database = PiecesDatabase::<P>::solved(3, 1);
    let mut decided = 0;
    for slice in PiecesDatabase::<P>::plan(3).into_iter().flatten() {
        let material = Material(slice.parts);
        for number in (0..PiecesDatabase::<P>::length(slice)).step_by(step) {
            let Some(board) = material.unrank(number) else {
                continue;
            };
            let pos: P = board.position();
            let value = database.value(&pos).expect("few pieces");
            let seen = match value {
                PiecesValue::Win(n) | PiecesValue::Loss(n) if n <= plies => value,
                _ => PiecesValue::Draw,
            };
            decided += u32::from(seen != PiecesValue::Draw);
            assert_eq!(plain(&pos, plies), seen, "{pos}: {value:?}");
            // The mirrored position of the other side has the same value.
            assert_eq!(database.value(&board.position_upwards()), Some(value));
        }
    }
    assert!(decided > 1_000, "{decided}");
}

// A flying king has up to thirteen moves.
for_each_game! {
    values_are_those_of_plain_search_as_far_as_it_sees,
    checkers: CheckersPosition, 6, 37;
    drafti: DraftiPosition, 4, 61;
    brazilian: BrazilianPosition, 4, 61;
    russian: RussianPosition, 4, 61;
    pool: PoolPosition, 4, 61;
}

/// A win has a move to a lost position, and the value of a loss or a draw is the best of all moves: with the
/// numbers of plies this is a proof of every value.
fn every_value_follows_from_those_one_ply_on<P: MenAndKings>(step: usize) {
    let database = PiecesDatabase::<P>::solved(3, 1);
    for slice in PiecesDatabase::<P>::plan(3).into_iter().flatten() {
        let material = Material(slice.parts);
        for number in (0..PiecesDatabase::<P>::length(slice)).step_by(step) {
            if let Some(board) = material.unrank(number) {
                follows_from_those_one_ply_on(&database, &board);
            }
        }
    }
}

fn follows_from_those_one_ply_on<P: MenAndKings>(database: &PiecesDatabase<P>, board: &Board) {
    let pos: P = board.position();
    let after: Vec<PiecesValue> = pos
        .legal_moves()
        .into_iter()
        .map(|m| {
            let mut child = pos.clone();
            child.play_unchecked(m);
            database.value(&child).expect("no more pieces")
        })
        .collect();
    let wins = after.iter().filter_map(|value| match value {
        PiecesValue::Loss(n) => Some(n + 1),
        PiecesValue::Draw | PiecesValue::Win(_) => None,
    });
    let losses = after.iter().map(|value| match value {
        PiecesValue::Win(n) => Some(n + 1),
        PiecesValue::Draw | PiecesValue::Loss(_) => None,
    });
    let losses: Option<Vec<u32>> = losses.collect();
    let is_drawn = pos.outcome().is_some_and(|end| end.winner.is_none());
    let expected = match (wins.min(), losses) {
        _ if is_drawn => PiecesValue::Draw,
        (Some(n), _) => PiecesValue::Win(n),
        (None, Some(losses)) => PiecesValue::Loss(losses.into_iter().max().unwrap_or(0)),
        (None, None) => PiecesValue::Draw,
    };
    assert_eq!(database.value(&pos), Some(expected), "{pos}");
}

for_each_game! {
    every_value_follows_from_those_one_ply_on,
    checkers: CheckersPosition, 11;
    drafti: DraftiPosition, 1;
    brazilian: BrazilianPosition, 1;
    russian: RussianPosition, 1;
    pool: PoolPosition, 1;
}

#[test]
fn a_slice_of_another_length_or_game_is_not_taken() {
    let mut database = CheckersDatabase::default();
    let kings = Material([0, 1, 0, 1]);
    let slice = kings.slice(GameKind::Checkers);
    let length = CheckersDatabase::length(slice);
    assert!(!database.insert(slice, vec![0; 3]));
    assert!(!database.insert(Slice::seeds(GameKind::Oware, 3), vec![0; 364]));
    assert!(!database.insert(kings.slice(GameKind::Russian), vec![0; length]));
    assert!(database.insert(slice, vec![0; length]));
    assert_eq!(database.pieces(), 0, "two pieces are more than two kings");
}

#[test]
fn the_board_of_a_hundred_squares_has_no_database() {
    type OfHundred = PiecesDatabase<InternationalPosition>;
    assert!(OfHundred::plan(4).is_empty());
    let mut database = OfHundred::default();
    let slice = Material([0, 1, 0, 1]).slice(GameKind::International);
    assert_eq!(OfHundred::length(slice), 0);
    assert!(!database.insert(slice, Vec::new()));
    assert_eq!(database.value(&InternationalPosition::start()), None);
}

/// The squares of the long diagonal.
const ROAD: [u32; 8] = [4, 8, 11, 15, 18, 22, 25, 29];

/// The values of the positions with kings only.
fn of_kings<P: MenAndKings>(pieces: u8) -> PiecesDatabase<P> {
    let mut database = PiecesDatabase::<P>::default();
    for slices in PiecesDatabase::<P>::plan(pieces) {
        if slices
            .iter()
            .all(|slice| (slice.parts[0], slice.parts[2]) == (0, 0))
        {
            database.solve(&slices, 1, &mut |_| ());
        }
    }
    database
}

/// The numbers of positions of some kings, which are to move, against one, and the longest win in plies: with the
/// lone king off the long diagonal, on it together with others, and alone on it.
fn kings_against_one<P: MenAndKings>(database: &PiecesDatabase<P>, kings: u8) -> [Counts; 3] {
    let road = ROAD.map(RussianPosition::square).iter().sum::<u64>();
    let material = Material([0, kings, 0, 1]);
    let mut counts = [Counts::default(); 3];
    for number in 0..material.length(P::MOST_PIECES) {
        let board = material.unrank(number).expect("there are no men");
        let pos: P = board.position();
        let on_road = |side| pos.pieces_of(side) & road != 0;
        let counts = match (on_road(P::DOWN.other()), on_road(P::DOWN)) {
            (false, _) => &mut counts[0],
            (true, true) => &mut counts[1],
            (true, false) => &mut counts[2],
        };
        match database.value(&pos).expect("it is solved") {
            PiecesValue::Win(plies) => {
                counts.won += 1;
                counts.longest = counts.longest.max(plies);
            }
            PiecesValue::Draw => counts.drawn += 1,
            PiecesValue::Loss(_) => counts.lost += 1,
        }
    }
    counts
}

/// Petrov's triangle (A. Petrov, 1827, and P. Ruiz Montero, 1591, as described in the article "Треугольник Петрова"
/// of the Russian Wikipedia): three kings catch a king that is not on the long diagonal, the main road, in at
/// most 13 moves. Only few positions are exceptions, where the king attacks at once. A king that has the main
/// road is lost only where it is caught in the next few moves.
fn three_kings_catch_one_that_has_not_the_main_road<P: MenAndKings>() {
    const THIRTEEN_MOVES: u32 = 2 * 13 - 1;
    let database = of_kings::<P>(4);
    let [off, with_others, alone] = kings_against_one(&database, 3);
    assert_eq!(off.longest, THIRTEEN_MOVES);
    assert!(off.drawn * 100 < off.won, "{off:?}");
    assert_eq!((with_others.drawn, with_others.lost), (0, 0));
    assert_eq!(alone.longest, 9);
    assert!(alone.drawn > alone.won, "{alone:?}");
    for text in [
        // The positions of Petrov and of J. de Timoneda, 1635: a1, c1, e1 against f8 and against c7.
        "W:WK29,K30,K31:BK3",
        "W:WK29,K30,K31:BK6",
        // The triangle c3, d6, e3 against kings on e1, h4, d8 and a5.
        "W:WK10,K22,K23:BK31",
        "W:WK10,K22,K23:BK20",
        "W:WK10,K22,K23:BK2",
        "W:WK10,K22,K23:BK13",
    ] {
        let pos: P = text.parse().expect("a position");
        let value = database.value(&pos);
        assert!(
            matches!(value, Some(PiecesValue::Win(n)) if n <= THIRTEEN_MOVES),
            "{text} {value:?}"
        );
    }
}

/// The official rules of Russian and Brazilian draughts give two kings five moves against one: every win is that short,
/// and most positions are drawn. Alone on the main road the king is lost only where it is taken at once.
fn two_kings_seldom_catch_one<P: MenAndKings>() {
    const FIVE_MOVES: u32 = 2 * 5 - 1;
    let [off, with_others, alone] = kings_against_one(&of_kings::<P>(3), 2);
    assert!(off.longest <= FIVE_MOVES && with_others.longest <= FIVE_MOVES);
    assert_eq!([off.lost, with_others.lost, alone.lost], [0; 3]);
    assert!(off.drawn > off.won, "{off:?}");
    assert_eq!(alone.longest, 1);
    assert!(alone.drawn > alone.won, "{alone:?}");
}

for_each_game! {
    three_kings_catch_one_that_has_not_the_main_road,
    drafti: DraftiPosition,;
    brazilian: BrazilianPosition,;
    russian: RussianPosition,;
    pool: PoolPosition,;
}

for_each_game! {
    two_kings_seldom_catch_one,
    drafti: DraftiPosition,;
    brazilian: BrazilianPosition,;
    russian: RussianPosition,;
    pool: PoolPosition,;
}

/// A generator of numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % count
    }
}

/// From one position in `step`, after some plies at random, both sides play as the database says, and the clocks run.
/// A win that is not called limited is never drawn by a clock. Returns the numbers of wins that are not limited
/// and of those drawn by a clock.
fn clocks_spare_wins<P: MenAndKings>(
    database: &PiecesDatabase<P>,
    material: Material,
    step: usize,
) -> [u32; 2] {
    let mut random = Random(7);
    let [mut safe, mut drawn] = [0; 2];
    for number in (0..material.length(P::MOST_PIECES)).step_by(step) {
        let Some(board) = material.unrank(number) else {
            continue;
        };
        let mut pos: P = board.position();
        let mut clocks = pos.endgame_clocks();
        let mut is_drawn = false;
        for _ in 0..random.below(10) {
            let moves = pos.legal_moves();
            if moves.is_empty() || is_drawn {
                break;
            }
            is_drawn = pos.play_with_clocks(moves[random.below(moves.len())], &mut clocks);
        }
        let plies = database.value(&pos).expect("it is solved").plies();
        let Some(plies) = plies.filter(|plies| *plies > 0 && !is_drawn) else {
            continue;
        };
        let is_limited = database.may_be_limited(&pos, plies, &clocks, 0);
        safe += u32::from(!is_limited);
        if is_drawn_by_a_clock(database, pos.clone(), clocks) {
            assert!(is_limited, "{pos} {plies} {clocks:?}");
            drawn += 1;
        }
    }
    [safe, drawn]
}

/// Whether the best play from a won position, by both sides, reaches a limit.
fn is_drawn_by_a_clock<P: MenAndKings>(
    database: &PiecesDatabase<P>,
    mut pos: P,
    mut clocks: EndgameClocks,
) -> bool {
    let worth = |pos: &P, m: P::Move| {
        let mut child = pos.clone();
        child.play_unchecked(m);
        match database.value(&child).expect("it is solved") {
            PiecesValue::Win(plies) => i64::from(plies) - 1_000,
            PiecesValue::Draw => 0,
            PiecesValue::Loss(plies) => 1_000 - i64::from(plies),
        }
    };
    while let Some(m) = pos
        .legal_moves()
        .into_iter()
        .max_by_key(|m| worth(&pos, *m))
    {
        let is_reached = pos.play_with_clocks(m, &mut clocks);
        if pos.outcome().is_some() {
            return false;
        }
        if is_reached {
            return true;
        }
    }
    false
}

/// In the endings of up to three pieces that have a clock, and with three kings against one.
fn a_win_that_is_not_limited_is_won_before_the_limit<P: MenAndKings>() {
    let mut sums = clocks_spare_wins(&of_kings::<P>(4), Material([0, 3, 0, 1]), 23);
    let three = PiecesDatabase::<P>::solved(3, 1);
    for slice in PiecesDatabase::<P>::plan(3).into_iter().flatten() {
        let material = Material(slice.parts);
        if P::CLOCKS.iter().any(|clock| may_hold(clock, material)) {
            let more = clocks_spare_wins(&three, material, 3);
            sums = [sums[0] + more[0], sums[1] + more[1]];
        }
    }
    assert!(sums[0] > 1_000 && sums[1] > 5, "{sums:?}");
}

for_each_game! {
    a_win_that_is_not_limited_is_won_before_the_limit,
    drafti: DraftiPosition,;
    brazilian: BrazilianPosition,;
    russian: RussianPosition,;
    pool: PoolPosition,;
}

/// Three kings against one, which may come to stand on the main road or to meet two kings.
#[test]
fn a_database_with_missing_slices_does_not_vouch_for_limits() {
    let whole = of_kings::<RussianPosition>(4);
    let mut part = PiecesDatabase::<RussianPosition>::default();
    let slice = Material([0, 3, 0, 1]).slice(GameKind::Russian);
    let values = whole.data(slice).expect("it is solved");
    assert!(part.insert(slice, values.to_vec()));
    let pos: RussianPosition = "W:WK29,K30,K31:BK3".parse().expect("a position");
    let clocks = pos.endgame_clocks();
    assert!(!whole.may_be_limited(&pos, 25, &clocks, 0));
    assert!(part.may_be_limited(&pos, 25, &clocks, 0));
}
