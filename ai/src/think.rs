//! The entry points: the only place that branches over the games.

use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::games::pallanguzhi::PallanguzhiPosition;
use mawe_rules::{AnyMove, AnyPosition, AnySetup, BySide, Position, Record};

use crate::endgame::exact::solve;
use crate::error::ThinkError;
use crate::knowledge::Knowledge;
use crate::limits::{Budget, Limits};
use crate::reversi;
use crate::search::{
    Features, Found, Objective, SearchOptions, SearchTables, Step, UNIT, WIN, WIN_BOUND, search_as,
    settled, table_for,
};
use crate::sight::Sight;
use crate::table::Table;

/// The result of a search of a position of any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The best move.
    pub best: AnyMove,
    /// Its score in hundredths from the view of the side to move; a win in `n` plies is [`WIN`]` - n`, a loss
    /// its negative.
    pub score: i32,
    /// Whether the score is the exact result.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The written slots of the table, per thousand.
    pub table_permille: u32,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<AnyMove>,
}

impl Thought {
    /// The result for a book move, which needs no search.
    pub(crate) fn from_book(m: AnyMove) -> Self {
        Self {
            best: m,
            score: 0,
            proven: false,
            depth: 0,
            nodes: 0,
            table_permille: 0,
            pv: vec![m],
        }
    }

    /// The number of plies in which the side to move wins (positive) or loses (negative); `None` if neither
    /// is known.
    pub fn wins_in(&self) -> Option<i32> {
        let plies = WIN - self.score.abs();
        (self.score.abs() >= WIN_BOUND).then_some(plies * self.score.signum())
    }
}

/// Finds the best move within the limits.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if the game is over.
pub fn think(pos: &AnyPosition, limits: &Limits) -> Result<Thought, ThinkError> {
    let game = Record::from_position(pos.clone());
    think_as(
        &game,
        SearchOptions::plain(limits),
        &table_for(limits),
        &Knowledge::built_in(),
        &mut |_| (),
    )
}

/// Whether the result of a position is settled: the game is over, or one side has a majority that it cannot
/// lose.
pub fn is_settled(pos: &AnyPosition) -> bool {
    match pos {
        AnyPosition::Mawe(pos) => settled(pos).is_some(),
        AnyPosition::Reversi(pos) => settled(pos).is_some(),
        AnyPosition::Checkers(pos) => settled(pos).is_some(),
        AnyPosition::Drafti(pos) => settled(pos).is_some(),
        AnyPosition::Brazilian(pos) => settled(pos).is_some(),
        AnyPosition::Russian(pos) => settled(pos).is_some(),
        AnyPosition::International(pos) => settled(pos).is_some(),
        AnyPosition::Pool(pos) => settled(pos).is_some(),
        AnyPosition::Kalah(pos) => settled(pos).is_some(),
        AnyPosition::Oware(pos) => settled(pos).is_some(),
        AnyPosition::Congkak(pos) => settled(pos).is_some(),
        AnyPosition::Bao(pos) => settled(pos).is_some(),
        AnyPosition::Pallanguzhi(pos) => settled(pos).is_some(),
    }
}

/// As [`think`], with an error model that overlooks moves.
pub(crate) fn think_seeing(
    game: &Record,
    limits: &Limits,
    features: Features,
    sight: Sight,
    knowledge: &Knowledge,
) -> Result<Thought, ThinkError> {
    let options = SearchOptions {
        sight: Some(sight),
        features,
        contempt: sight.sees_all(),
        ..SearchOptions::plain(limits)
    };
    // A player that overlooks moves uses rules of thumb only.
    let knowledge = match sight.sees_all() {
        true => knowledge,
        false => Knowledge::by_hand(),
    };
    think_as(game, options, &table_for(limits), knowledge, &mut |_| ())
}

/// As [`think`], for the current position of a game, with these parameters and a table that may hold earlier
/// results. Calls `report` after every iteration.
pub(crate) fn think_as(
    game: &Record,
    options: SearchOptions<'_>,
    table: &Table,
    knowledge: &Knowledge,
    report: &mut dyn FnMut(&Thought),
) -> Result<Thought, ThinkError> {
    if game.outcome().is_some() {
        return Err(ThinkError::GameOver);
    }
    let options = SearchOptions {
        clocks: game.endgame_clocks(),
        ..options
    };
    /// Searches the current position of one game, with the positions before it.
    macro_rules! of {
        ($game:ident, $known:ident, $start:expr, $pos:expr) => {
            of!($game, $known, $start, $pos, options)
        };
        ($game:ident, $known:ident, $start:expr, $pos:expr, $options:expr) => {{
            let moves = game.round_moves().iter().map_while(|m| match m {
                AnyMove::$game(m) => Some(*m),
                _ => None,
            });
            let before = steps($start, moves);
            let mut told = |found: &Found<_>| report(&thought(found.clone()));
            let known = &knowledge.$known;
            search_as(
                $pos,
                &before,
                $options,
                SearchTables { table, known },
                &mut told,
            )
            .map(thought)
        }};
    }
    match (game.round_start(), game.position()) {
        (AnyPosition::Mawe(start), AnyPosition::Mawe(pos)) => of!(Mawe, mawe, start, pos),
        (AnyPosition::Reversi(start), AnyPosition::Reversi(pos)) => {
            let sees_all = options.sight.is_none_or(|sight| sight.sees_all());
            match knowledge.reversi.patterns().filter(|_| sees_all) {
                Some(patterns) => {
                    let mut told = |found: &Found<_>| report(&thought(found.clone()));
                    reversi::search(pos, options, table, patterns, &mut told).map(thought)
                }
                None => of!(Reversi, reversi, start, pos),
            }
        }
        (AnyPosition::Checkers(start), AnyPosition::Checkers(pos)) => {
            of!(Checkers, checkers, start, pos)
        }
        (AnyPosition::Drafti(start), AnyPosition::Drafti(pos)) => of!(Drafti, drafti, start, pos),
        (AnyPosition::Brazilian(start), AnyPosition::Brazilian(pos)) => {
            of!(Brazilian, brazilian, start, pos)
        }
        (AnyPosition::Russian(start), AnyPosition::Russian(pos)) => {
            of!(Russian, russian, start, pos)
        }
        (AnyPosition::International(start), AnyPosition::International(pos)) => {
            of!(International, international, start, pos)
        }
        (AnyPosition::Pool(start), AnyPosition::Pool(pos)) => of!(Pool, pool, start, pos),
        (AnyPosition::Kalah(start), AnyPosition::Kalah(pos)) if is_to_be_solved(options) => {
            // Each search gets half, so that the limits hold for both together.
            let limits = &halved(options.limits);
            match solved_kalah(pos, limits, table, knowledge) {
                Some(thought) => Ok(thought),
                None => {
                    let rest = SearchOptions { limits, ..options };
                    of!(Kalah, kalah, start, pos, rest)
                }
            }
        }
        (AnyPosition::Kalah(start), AnyPosition::Kalah(pos)) => of!(Kalah, kalah, start, pos),
        (AnyPosition::Oware(start), AnyPosition::Oware(pos)) => of!(Oware, oware, start, pos),
        (AnyPosition::Congkak(start), AnyPosition::Congkak(pos)) => {
            of!(Congkak, congkak, start, pos)
        }
        (AnyPosition::Bao(start), AnyPosition::Bao(pos)) => of!(Bao, bao, start, pos),
        (AnyPosition::Pallanguzhi(start), AnyPosition::Pallanguzhi(pos)) => {
            // In a pair of rounds the seeds of both are added.
            let before = match game.round_setup() {
                AnySetup::Pallanguzhi(setup) => setup.won_before(),
                _ => BySide::default(),
            };
            let with_before = |pos: &PallanguzhiPosition| {
                let sum = pos.with_won(before);
                sum.unwrap_or_else(|| pos.clone())
            };
            let (start, pos) = (with_before(start), with_before(pos));
            of!(Pallanguzhi, pallanguzhi, &start, &pos)
        }
        (_, _) => unreachable!("a game begins and ends as the same game"),
    }
}

/// Whether the exact value is wanted, and only time and nodes limit the search.
fn is_to_be_solved(options: SearchOptions<'_>) -> bool {
    options.objective == Objective::Points
        && options.features == Features::ALL
        && options.sight.is_none()
        && options.limits.depth.is_none()
        && options.limits.clock.is_none()
}

/// These limits with half of the time and of the nodes.
fn halved(limits: &Limits) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes / 2),
        movetime: limits.movetime.map(|time| time / 2),
        ..limits.clone()
    }
}

/// The result of Kalah's own solver; `None` if a limit ended it, so that the common search must follow.
fn solved_kalah(
    pos: &KalahPosition,
    limits: &Limits,
    table: &Table,
    knowledge: &Knowledge,
) -> Option<Thought> {
    let budget = Budget::start(limits);
    let database = &knowledge.kalah.endgame;
    let solved = solve(pos, database, table.bytes(), budget.share())?;
    Some(Thought {
        best: AnyMove::Kalah(*solved.pv.first()?),
        score: solved.points * UNIT,
        proven: true,
        depth: solved.pv.len() as u32,
        nodes: solved.nodes,
        table_permille: solved.table_permille,
        pv: solved.pv.into_iter().map(AnyMove::Kalah).collect(),
    })
}

/// The positions of a game that can still occur again, including the current one.
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
