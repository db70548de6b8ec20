//! The edge: the one place that asks which game it is.

use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::congkak::CongkakPosition;
use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::games::mawe::MawePosition;
use mawe_rules::games::oware::OwarePosition;
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{AnyMove, AnyPosition, GameKind, Position, Record};

use crate::error::ThinkError;
use crate::eval::Evaluate;
use crate::level::Strength;
use crate::limits::Limits;
use crate::search::{Features, Found, Manner, Step, WIN, WIN_BOUND, search_as, settled, table_for};
use crate::sight::Sight;
use crate::table::Table;

/// What the engine has to say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The best move.
    pub best: AnyMove,
    /// Its score in hundredths from the view of the side to move; a win in `n` plies is
    /// [`WIN`]` - n`, a loss the negative of that.
    pub score: i32,
    /// Whether the score is the exact result.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// How many of a thousand slots of the table were written.
    pub table_permille: u32,
    /// The line expected, `best` first.
    pub pv: Vec<AnyMove>,
}

impl Thought {
    /// In how many plies the side to move wins (positive) or loses (negative), if it does.
    pub fn wins_in(&self) -> Option<i32> {
        let plies = WIN - self.score.abs();
        (self.score.abs() >= WIN_BOUND).then_some(plies * self.score.signum())
    }
}

/// Finds the best move within the limits.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if there is no move to find.
pub fn think(pos: &AnyPosition, limits: &Limits) -> Result<Thought, ThinkError> {
    let game = Record::from_position(pos.clone());
    think_as(
        &game,
        Manner::plain(limits),
        &table_for(limits),
        &mut |_| (),
    )
}

/// Whether the result of a position is settled: the game is over, or one side has a majority that it
/// cannot lose any more.
pub fn is_settled(pos: &AnyPosition) -> bool {
    match pos {
        AnyPosition::Mawe(pos) => settled(pos).is_some(),
        AnyPosition::Reversi(pos) => settled(pos).is_some(),
        AnyPosition::Checkers(pos) => settled(pos).is_some(),
        AnyPosition::Kalah(pos) => settled(pos).is_some(),
        AnyPosition::Oware(pos) => settled(pos).is_some(),
        AnyPosition::Congkak(pos) => settled(pos).is_some(),
    }
}

/// What makes the levels of a game, the weakest first.
pub(crate) fn strengths(kind: GameKind) -> &'static [Strength; 8] {
    levels(kind).0
}

/// By how much each level is stronger than the one below.
pub(crate) fn ladder(kind: GameKind) -> &'static [i32; 7] {
    levels(kind).1
}

fn levels(kind: GameKind) -> (&'static [Strength; 8], &'static [i32; 7]) {
    const fn of<P: Evaluate>() -> (&'static [Strength; 8], &'static [i32; 7]) {
        (&P::LEVELS, &P::LADDER)
    }
    match kind {
        GameKind::Mawe => of::<MawePosition>(),
        GameKind::Reversi => of::<ReversiPosition>(),
        GameKind::Checkers => of::<CheckersPosition>(),
        GameKind::Kalah => of::<KalahPosition>(),
        GameKind::Oware => of::<OwarePosition>(),
        GameKind::Congkak => of::<CongkakPosition>(),
    }
}

/// As [`think`], with eyes that overlook moves.
pub(crate) fn think_seeing(
    game: &Record,
    limits: &Limits,
    features: Features,
    sight: Sight,
) -> Result<Thought, ThinkError> {
    let manner = Manner {
        sight: Some(sight),
        features,
        ..Manner::plain(limits)
    };
    think_as(game, manner, &table_for(limits), &mut |_| ())
}

/// As [`think`], of the last position of a game, in this manner, with a table that may know
/// something already. Tells `report` of every iteration.
pub(crate) fn think_as(
    game: &Record,
    manner: Manner<'_>,
    table: &Table,
    report: &mut dyn FnMut(&Thought),
) -> Result<Thought, ThinkError> {
    if game.outcome().is_some() {
        return Err(ThinkError::GameOver);
    }
    /// One game: how it came to its last position, and the search of that.
    macro_rules! of {
        ($game:ident, $start:expr, $pos:expr) => {{
            let moves = game.moves().iter().map_while(|m| match m {
                AnyMove::$game(m) => Some(*m),
                _ => None,
            });
            let before = steps($start, moves);
            let mut told = |found: &Found<_>| report(&thought(found.clone()));
            search_as($pos, &before, manner, table, &mut told).map(thought)
        }};
    }
    match (game.start(), game.position()) {
        (AnyPosition::Mawe(start), AnyPosition::Mawe(pos)) => of!(Mawe, start, pos),
        (AnyPosition::Reversi(start), AnyPosition::Reversi(pos)) => of!(Reversi, start, pos),
        (AnyPosition::Checkers(start), AnyPosition::Checkers(pos)) => of!(Checkers, start, pos),
        (AnyPosition::Kalah(start), AnyPosition::Kalah(pos)) => of!(Kalah, start, pos),
        (AnyPosition::Oware(start), AnyPosition::Oware(pos)) => of!(Oware, start, pos),
        (AnyPosition::Congkak(start), AnyPosition::Congkak(pos)) => of!(Congkak, start, pos),
        (_, _) => unreachable!("a game begins and ends as the same game"),
    }
}

/// The positions of a game that can still come back, the last one included.
fn steps<P: Position>(start: &P, moves: impl Iterator<Item = P::Move>) -> Vec<Step> {
    let mut pos = start.clone();
    let mut steps = vec![Step {
        hash: pos.zobrist(),
        quiet: 0,
    }];
    for m in moves {
        let quiet = match pos.is_quiet(m) {
            true => steps.last().map_or(0, |last| last.quiet) + 1,
            false => 0,
        };
        pos.play_unchecked(m);
        if quiet == 0 {
            steps.clear();
        }
        steps.push(Step {
            hash: pos.zobrist(),
            quiet,
        });
    }
    steps
}

fn thought<M: Copy + Into<AnyMove>>(found: Found<M>) -> Thought {
    Thought {
        best: found.best.into(),
        score: found.score,
        proven: found.proven,
        depth: found.depth,
        nodes: found.nodes,
        table_permille: found.table_permille,
        pv: found.pv.into_iter().map(M::into).collect(),
    }
}
