//! The search on a toy game given as a tree, where every score is known.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mawe_ai::search::{Found, WIN, search};
use mawe_ai::{Evaluate, Limits, ThinkError};
use mawe_rules::{
    GameKind, MoveParseError, Outcome, PlayError, Position, PositionError, PositionFault, Reason,
    SetupError, Side,
};

use Side::{First, Second};

/// A node of the tree: the side to move, its evaluation from the view of that side, and the nodes
/// after its moves; or an end.
enum Node {
    Choice(Side, i32, &'static [usize]),
    End(Side, Option<Side>),
}

use Node::{Choice, End};

#[rustfmt::skip]
const TREE: [Node; 24] = [
    // 0: a quiet choice. The left looks better (its evaluations are -90 and -10 for Second, the
    // side to move), but Second has a good reply on the left.
    Choice(First, 0, &[1, 2]),
    Choice(Second, -90, &[3, 4]),
    Choice(Second, -10, &[5, 5]),
    Choice(First, 200, &[6]),
    Choice(First, -300, &[6]),
    Choice(First, 20, &[6]),
    End(Second, None),
    // 7: two wins, one nearer; the farther one comes first.
    Choice(First, 0, &[8, 10]),
    Choice(Second, 0, &[9]),
    Choice(First, 0, &[10]),
    End(Second, Some(First)),
    // 11: lost by either move, later by one of them; the nearer loss comes first.
    Choice(First, 0, &[12, 13]),
    End(Second, Some(Second)),
    Choice(Second, 0, &[14]),
    Choice(First, 0, &[12]),
    // 15: First moves three times in a row (node 16, node 17) and so decides alone.
    Choice(First, 0, &[16, 21]),
    Choice(First, 0, &[18, 17]),
    Choice(First, 0, &[19, 20]),
    End(Second, None),
    End(First, Some(Second)),
    End(Second, Some(First)),
    // 21: Second makes the best move for Second, not for First.
    Choice(Second, 0, &[18, 22]),
    End(First, Some(Second)),
    // 23: one move, into a draw; the evaluation is too high.
    Choice(First, 40, &[18]),
];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Toy(usize);

/// The number of the branch, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Branch(usize);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Branch {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        text.parse().map(Self).map_err(|_| MoveParseError)
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Toy {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let why = PositionFault::UnexpectedSymbol;
        text.parse()
            .map(Self)
            .map_err(|_| PositionError { at: 0, why })
    }
}

/// The toy game has no options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ToySetup;

impl fmt::Display for ToySetup {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl FromStr for ToySetup {
    type Err = SetupError;

    fn from_str(_: &str) -> Result<Self, SetupError> {
        Ok(Self)
    }
}

impl Position for Toy {
    type Move = Branch;
    type Setup = ToySetup;
    /// Any kind; the search does not use it.
    const KIND: GameKind = GameKind::ALL[0];

    fn from_setup(_: &ToySetup) -> Result<Self, SetupError> {
        Ok(Self(0))
    }

    fn turn(&self) -> Side {
        match TREE[self.0] {
            Choice(side, _, _) | End(side, _) => side,
        }
    }

    fn legal_moves_into(&self, moves: &mut Vec<Branch>) {
        if let Choice(_, _, children) = TREE[self.0] {
            moves.extend((0..children.len()).map(Branch));
        }
    }

    fn play_unchecked(&mut self, m: Branch) {
        if let Choice(_, _, children) = TREE[self.0] {
            self.0 = children[m.0];
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match TREE[self.0] {
            Choice(..) => None,
            End(_, winner) => Some(Outcome {
                winner,
                ..Outcome::draw(Reason::Blocked)
            }),
        }
    }

    fn zobrist(&self) -> u64 {
        (self.0 as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn explain_illegal(&self, _: &str) -> PlayError {
        PlayError::NoSuchMove
    }
}

impl Evaluate for Toy {
    type Known = ();

    fn evaluate(&self, _known: &()) -> i32 {
        match TREE[self.0] {
            Choice(_, worth, _) => worth,
            End(..) => panic!("an end is judged by its outcome"),
        }
    }
}

fn at_depth(node: usize, depth: u32) -> Found<Branch> {
    search(&Toy(node), &Limits::depth(depth)).expect("a choice")
}

#[test]
fn one_ply_believes_the_evaluation() {
    let found = at_depth(0, 1);
    assert_eq!(
        (found.best, found.score, found.proven),
        (Branch(0), 90, false)
    );
}

#[test]
fn two_plies_see_the_answer() {
    let found = at_depth(0, 2);
    assert_eq!(
        (found.best, found.score, found.proven),
        (Branch(1), 20, false)
    );
    assert_eq!(found.pv.len(), 2);
}

#[test]
fn a_tree_searched_to_its_ends_is_proven() {
    let found = at_depth(0, 50);
    assert_eq!((found.score, found.proven, found.depth), (0, true, 3));
    let found = search(&Toy(23), &Limits::default()).expect("a choice");
    assert_eq!(
        (found.best, found.score, found.proven),
        (Branch(0), 0, true)
    );
}

#[test]
fn the_nearer_win_is_preferred() {
    for depth in [1, 2, 5] {
        let found = at_depth(7, depth);
        assert_eq!(
            (found.best, found.score, found.proven),
            (Branch(1), WIN - 1, true)
        );
    }
}

#[test]
fn the_farther_loss_is_preferred() {
    let found = at_depth(11, 5);
    assert_eq!(
        (found.best, found.score, found.proven),
        (Branch(1), 3 - WIN, true)
    );
}

#[test]
fn a_side_may_move_several_times_in_a_row() {
    let found = at_depth(15, 5);
    assert_eq!(
        (found.best, found.score, found.proven),
        (Branch(0), WIN - 3, true)
    );
    assert_eq!(found.pv, [Branch(0), Branch(1), Branch(1)]);
}

#[test]
fn a_finished_game_is_an_error() {
    assert_eq!(
        search(&Toy(6), &Limits::depth(3)),
        Err(ThinkError::GameOver)
    );
}

#[test]
fn without_time_the_best_looking_move_is_played() {
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let stopped = Limits {
        stop,
        ..Limits::default()
    };
    for limits in [stopped, Limits::nodes(0)] {
        let found = search(&Toy(0), &limits).expect("a choice");
        assert_eq!((found.best, found.score, found.depth), (Branch(0), 90, 0));
        assert_eq!((found.nodes, found.proven), (0, false));
    }
}
