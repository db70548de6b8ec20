//! Mawe! on small boards, solved by search.
//!
//! The rules are those of RULES.md section 1 on `N`×`N` squares, with `N` stones on each side. No position can
//! occur twice, so the value of a position depends on nothing else, and a table of values is exact. These rules
//! are a second implementation: on 8×8 squares they count the same moves as `mawe-rules`.

/// A position as the side to move sees it: its own stones move up the board. Bit `N * rank + file` is a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board<const N: usize> {
    own: u64,
    other: u64,
    /// The pinned stones of both sides.
    pinned: u64,
}

/// A move of one stone.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: u8,
    to: u8,
    /// The stone that is jumped.
    over: Option<u8>,
}

impl<const N: usize> Board<N> {
    /// The position before the first ply.
    ///
    /// # Panics
    ///
    /// If the board is smaller than 3×3 or larger than 8×8.
    pub(crate) fn start() -> Self {
        assert!((3..=8).contains(&N), "a board of {N}×{N} squares");
        Self {
            own: Self::rank(0),
            other: Self::rank(N - 1),
            pinned: 0,
        }
    }

    const fn rank(number: usize) -> u64 {
        (u64::MAX >> (64 - N)) << (N * number)
    }

    /// The square so many files to the right and ranks up of another; `None` beyond the edge.
    fn square(from: u8, files: i8, ranks: i8) -> Option<u8> {
        let size = N as i8;
        let (file, rank) = (from as i8 % size + files, from as i8 / size + ranks);
        let is_inside = (0..size).contains(&file) && (0..size).contains(&rank);
        is_inside.then_some((size * rank + file) as u8)
    }

    fn is_empty(&self, square: u8) -> bool {
        (self.own | self.other) >> square & 1 == 0
    }

    /// Whether the side to move may jump the stone on a square: an unpinned opponent, or a pinned ally.
    fn may_be_jumped(&self, square: u8) -> bool {
        ((self.other & !self.pinned) | (self.own & self.pinned)) >> square & 1 == 1
    }

    fn moves_into(&self, moves: &mut Vec<Move>) {
        let mut movers = self.own & !self.pinned;
        while movers != 0 {
            let from = movers.trailing_zeros() as u8;
            movers &= movers - 1;
            for files in [-1, 1] {
                let mut at = Self::square(from, files, 1);
                while let Some(to) = at.filter(|to| self.is_empty(*to)) {
                    moves.push(Move {
                        from,
                        to,
                        over: None,
                    });
                    at = Self::square(to, files, 1);
                }
                self.push_jump(from, at, files, 1, moves);
                self.push_jump(from, Self::square(from, files, 0), files, 0, moves);
            }
        }
    }

    /// Appends the jump over the stone on a square, if there is one.
    fn push_jump(&self, from: u8, over: Option<u8>, files: i8, ranks: i8, moves: &mut Vec<Move>) {
        let over = over.filter(|over| self.may_be_jumped(*over));
        let to = over.and_then(|over| Self::square(over, files, ranks));
        if let Some(to) = to.filter(|to| self.is_empty(*to)) {
            moves.push(Move { from, to, over });
        }
    }

    fn after(mut self, m: Move) -> Self {
        self.own ^= 1 << m.from | 1 << m.to;
        if let Some(over) = m.over {
            self.pinned ^= 1 << over;
        }
        Self {
            own: Self::upside_down(self.other),
            other: Self::upside_down(self.own),
            pinned: Self::upside_down(self.pinned),
        }
    }

    fn upside_down(set: u64) -> u64 {
        (0..N).fold(0, |turned, rank| {
            turned | (set >> (N * rank) & Self::rank(0)) << (N * (N - 1 - rank))
        })
    }

    fn mirrored(set: u64) -> u64 {
        let mut rest = set;
        let mut mirrored = 0;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            mirrored |= 1 << (at / N * N + N - 1 - at % N);
            rest &= rest - 1;
        }
        mirrored
    }

    /// The points of the side to move less those of the other in a finished game.
    fn lead(&self) -> i8 {
        let points = |stones: u64| (stones & !self.pinned).count_ones() as i8;
        points(self.own & Self::rank(N - 1)) - points(self.other & Self::rank(0))
    }

    /// A number of its own for each position of two mirrored ones, for boards up to 6×6: the occupied squares, then
    /// two bits for each stone.
    fn key(&self) -> u128 {
        let number = |own: u64, other: u64, pinned: u64| {
            let mut rest = own | other;
            let mut number = u128::from(rest);
            let mut place = N * N;
            while rest != 0 {
                let stone = rest & rest.wrapping_neg();
                number |= u128::from(other & stone != 0) << place;
                number |= u128::from(pinned & stone != 0) << (place + 1);
                place += 2;
                rest ^= stone;
            }
            number
        };
        let turned = [self.own, self.other, self.pinned].map(Self::mirrored);
        let [own, other, pinned] = turned;
        number(self.own, self.other, self.pinned).min(number(own, other, pinned))
    }
}

/// The aim of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The greatest lead in points.
    Points,
    /// A win of the decisive form (RULES.md section 1.1): equal points are a win of the side that moved last.
    DecisiveWin,
}

impl Goal {
    /// The value of a finished game for the side to move, which has this lead.
    const fn value(self, lead: i8) -> i8 {
        match self {
            Goal::Points => lead,
            Goal::DecisiveWin if lead > 0 => 1,
            Goal::DecisiveWin => -1,
        }
    }
}

/// The value of a board at its start, from the view of the side that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    /// With best play of both: the points of the first side less those of the second, or 1 for a win of the first side and -1 for one of
    /// the second.
    pub(crate) value: i8,
    /// The number of positions visited.
    pub(crate) nodes: u64,
}

/// Bounds of the value of a position.
#[derive(Clone, Copy)]
struct Entry {
    key: u128,
    lower: i8,
    upper: i8,
    /// The place of the move that was best.
    best: u8,
}

/// A value beyond every lead.
const BEYOND: i8 = 100;

struct Search<const N: usize> {
    goal: Goal,
    table: Vec<Entry>,
    nodes: u64,
}

/// Solves the game on `N`×`N` squares with a table of `1 << bits` positions.
///
/// # Panics
///
/// If the board is smaller than 3×3 or larger than 6×6.
pub(crate) fn solve<const N: usize>(bits: u32, goal: Goal) -> Solved {
    assert!(
        N <= 6,
        "the keys of a board of {N}×{N} squares are too long"
    );
    let none = Entry {
        key: 0,
        lower: -BEYOND,
        upper: BEYOND,
        best: 0,
    };
    let mut search = Search::<N> {
        goal,
        table: vec![none; 1 << bits],
        nodes: 0,
    };
    let start = Board::start();
    // Windows of one point (MTD(f)): a draw is expected, and each result is a bound.
    let (mut lower, mut upper, mut guess) = (-BEYOND, BEYOND, 0);
    while lower < upper {
        let beta = guess.max(lower + 1);
        guess = search.value(start, beta - 1, beta);
        if guess < beta {
            upper = guess;
        } else {
            lower = guess;
        }
    }
    Solved {
        value: guess,
        nodes: search.nodes,
    }
}

impl<const N: usize> Search<N> {
    /// A bound of the value of a position, or the value if it lies between `alpha` and `beta`.
    fn value(&mut self, board: Board<N>, mut alpha: i8, mut beta: i8) -> i8 {
        self.nodes += 1;
        let mut moves = Vec::with_capacity(32);
        board.moves_into(&mut moves);
        if moves.is_empty() {
            return self.goal.value(board.lead());
        }
        let key = board.key();
        let place = place_of(key) & (self.table.len() - 1);
        let known = self.table[place];
        let is_known = known.key == key;
        if is_known {
            if known.lower >= beta || known.lower == known.upper {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
            (alpha, beta) = (alpha.max(known.lower), beta.min(known.upper));
        }
        // Jumps first, then the moves that go farthest.
        moves.sort_by_key(|m| (m.over.is_none(), N as u8 - m.to / N as u8));
        if is_known && usize::from(known.best) < moves.len() {
            moves.swap(0, usize::from(known.best));
        }
        let (mut best, mut best_place) = (-BEYOND, 0);
        for (at, m) in moves.iter().enumerate() {
            let value = -self.value(board.after(*m), -beta, -alpha.max(best));
            if value > best {
                (best, best_place) = (value, at);
            }
            if best >= beta {
                break;
            }
        }
        let before = match is_known {
            true => (known.lower, known.upper),
            false => (-BEYOND, BEYOND),
        };
        self.table[place] = Entry {
            key,
            lower: if best > alpha {
                before.0.max(best)
            } else {
                before.0
            },
            upper: if best < beta {
                before.1.min(best)
            } else {
                before.1
            },
            best: u8::try_from(best_place).unwrap_or(0),
        };
        best
    }
}

/// A place in a table, from the key of a position (the finaliser of SplitMix64).
fn place_of(key: u128) -> usize {
    let mut word = (key as u64) ^ ((key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (word ^ (word >> 31)) as usize
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnyPosition, AnySetup, GameKind, Side};

    use super::*;

    fn perft<const N: usize>(board: Board<N>, depth: u32) -> u64 {
        let mut moves = Vec::new();
        board.moves_into(&mut moves);
        match depth {
            0 => 1,
            _ => moves
                .iter()
                .map(|m| perft(board.after(*m), depth - 1))
                .sum(),
        }
    }

    /// The value by plain search, without a table and without windows.
    fn by_plain_search<const N: usize>(board: Board<N>, goal: Goal) -> i8 {
        let mut moves = Vec::new();
        board.moves_into(&mut moves);
        let values = moves
            .iter()
            .map(|m| -by_plain_search(board.after(*m), goal));
        values.max().unwrap_or_else(|| goal.value(board.lead()))
    }

    #[test]
    fn eight_by_eight_squares_are_the_game_of_the_rules() {
        let kind = GameKind::Mawe;
        let start = AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start");
        for depth in 1..=3 {
            assert_eq!(perft(Board::<8>::start(), depth), start.perft(depth, 1));
        }
    }

    #[test]
    fn random_games_end_as_by_the_rules() {
        let mut dice: u64 = 1;
        let mut drawn = 0;
        for _ in 0..200 {
            let mut board = Board::<8>::start();
            let starts = ["", "form=decisive"].map(|setup| {
                let setup = AnySetup::parse(GameKind::Mawe, setup).expect("a setup");
                AnyPosition::start(GameKind::Mawe, &setup).expect("a start")
            });
            let [mut standard, mut decisive] = starts;
            let mut first_moves = true;
            loop {
                let mut moves = Vec::new();
                board.moves_into(&mut moves);
                dice = dice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let Some(m) = moves.get((dice >> 33) as usize % moves.len().max(1)) else {
                    break;
                };
                let text = text_of(*m, first_moves);
                standard.play(&text).expect("a legal move");
                decisive.play(&text).expect("a legal move");
                board = board.after(*m);
                first_moves = !first_moves;
            }
            let winner = |value: i8| match (value, first_moves) {
                (0, _) => None,
                (1.., true) | (..0, false) => Some(Side::First),
                (1.., false) | (..0, true) => Some(Side::Second),
            };
            let ends = [&standard, &decisive].map(|pos| pos.outcome().expect("an end").winner);
            let goals = [Goal::Points, Goal::DecisiveWin];
            assert_eq!(ends, goals.map(|goal| winner(goal.value(board.lead()))));
            drawn += u32::from(ends[0].is_none());
        }
        assert!(drawn > 10, "{drawn} draws of 200 games");
    }

    /// The move in the notation of the rules, in which White moves up.
    fn text_of(Move { from, to, .. }: Move, first_moves: bool) -> String {
        let square = |at: u8| {
            let rank = match first_moves {
                true => at / 8,
                false => 7 - at / 8,
            };
            format!("{}{}", char::from(b'a' + at % 8), rank + 1)
        };
        square(from) + &square(to)
    }

    #[test]
    fn the_smallest_board_has_the_value_of_plain_search() {
        for goal in [Goal::Points, Goal::DecisiveWin] {
            let solved = solve::<3>(12, goal);
            assert_eq!(solved.value, by_plain_search(Board::<3>::start(), goal));
            // Another size of the table changes the number of nodes, and not the value.
            assert_eq!(solve::<3>(1, goal).value, solved.value);
        }
    }

    #[test]
    fn four_by_four_squares_are_drawn() {
        assert_eq!(solve::<4>(16, Goal::Points).value, 0);
    }
}
