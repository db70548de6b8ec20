//! Alpha-beta search with principal variation windows, generic over a game.
//!
//! Sides change by who is to move next, not by the ply, so games with several plies in a row are
//! searched alike. What could change the score at a given depth (reductions, margins, quiescence,
//! extensions) can be left out by [`Features`]; the score is then that of plain minimax.

mod features;
mod score;
mod searcher;

use std::thread;

use mawe_rules::Side;

use crate::error::ThinkError;
use crate::eval::{Evaluate, MAX_EVALUATION};
use crate::limits::{Budget, Limits};
use crate::sight::Sight;
use crate::table::Table;
pub use features::{Features, UnknownFeature};
pub(crate) use score::UNIT;
pub use score::{Aim, WIN, WIN_BOUND};
use searcher::{Searcher, contempt};

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = 200;

/// The longest line, in plies: an iteration and what lies beyond its horizon. It bounds the
/// recursion, hence the stack.
pub(crate) const MAX_PLY: u32 = 300;

/// Bytes of the table of a search that has none of its own: a quarter of what a page may use.
const OWN_TABLE: u64 = 16 << 20;
/// Bytes of table for every node that a search may visit.
const BYTES_PER_NODE: u64 = 16;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move.
    pub best: M,
    /// Its score in hundredths from the view of the side to move; beyond [`WIN_BOUND`] either way
    /// it is a win or a loss.
    pub score: i32,
    /// Whether the score is the exact result: no evaluation had a part in it.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// How many of a thousand slots of the table were written.
    pub table_permille: u32,
    /// The line expected, `best` first.
    pub pv: Vec<M>,
}

/// A position on the way to the one that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its hash.
    pub(crate) hash: u64,
    /// How many quiet plies in a row have led to it.
    pub(crate) quiet: u32,
}

/// How a search is made.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) features: Features,
    pub(crate) aim: Aim,
    /// Whether a draw is worth what the game's [`Evaluate::CONTEMPT`] says.
    pub(crate) contempt: bool,
    pub(crate) threads: usize,
    pub(crate) sight: Option<Sight>,
}

impl<'a> Manner<'a> {
    pub(crate) fn plain(limits: &'a Limits) -> Self {
        Self {
            limits,
            features: Features::ALL,
            aim: Aim::Win,
            contempt: false,
            threads: 1,
            sight: None,
        }
    }
}

/// What a search looks things up in.
pub(crate) struct Mind<'a, K> {
    /// It may know something already.
    pub(crate) table: &'a Table,
    /// What is known of the game.
    pub(crate) known: &'a K,
}

impl<K> Clone for Mind<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Mind<'_, K> {}

/// Searches deeper and deeper until a limit is reached or the result is proven.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if there is no move to find.
pub fn search<P: Evaluate>(pos: &P, limits: &Limits) -> Result<Found<P::Move>, ThinkError> {
    search_with(pos, limits, Features::ALL)
}

/// As [`search`], with these features only.
///
/// # Errors
///
/// As [`search`].
pub fn search_with<P: Evaluate>(
    pos: &P,
    limits: &Limits,
    features: Features,
) -> Result<Found<P::Move>, ThinkError> {
    let manner = Manner {
        features,
        ..Manner::plain(limits)
    };
    let (table, known) = (&table_for(limits), &P::Known::default());
    search_as(pos, &[], manner, Mind { table, known }, &mut |_| ())
}

/// The winner of a position whose result is settled, be it that the game is over or that one side
/// has a majority which it cannot lose; a draw has none.
pub fn settled<P: Evaluate>(pos: &P) -> Option<Option<Side>> {
    match pos.outcome() {
        Some(outcome) => Some(outcome.winner),
        None => pos.majority(pos.stakes()).map(Some),
    }
}

/// A table as large as the search needs it.
pub(crate) fn table_for(limits: &Limits) -> Table {
    let nodes = match limits.depth {
        // A shallow search visits few nodes, and a small table is quicker to make.
        Some(0..4) => 1 << 12,
        _ => limits.nodes.unwrap_or(u64::MAX),
    };
    let bytes = nodes.saturating_mul(BYTES_PER_NODE).min(OWN_TABLE);
    let table = Table::new(bytes as usize).or_else(|| Table::new(0));
    table.expect("a kilobyte")
}

/// As [`search`], in this manner, `before` being the positions that led here. Tells `report` of every
/// iteration.
pub(crate) fn search_as<P: Evaluate>(
    pos: &P,
    before: &[Step],
    manner: Manner<'_>,
    mind: Mind<'_, P::Known>,
    report: &mut dyn FnMut(&Found<P::Move>),
) -> Result<Found<P::Move>, ThinkError> {
    let manner = Manner {
        // Who has a majority plays on for points.
        aim: match pos.majority(pos.stakes()) {
            Some(_) => Aim::Points,
            None => manner.aim,
        },
        ..manner
    };
    let budget = Budget::start(manner.limits);
    let searcher = || Searcher::new(pos, before, manner, mind, budget.share());
    if manner.threads <= 1 {
        return deepen(searcher(), pos, manner, &budget, report);
    }
    thread::scope(|scope| {
        for helper in 1..manner.threads {
            let mut searcher = searcher();
            let help = move || {
                // Every other helper looks a ply further, so that they do not all do the same.
                let ahead = (helper % 2) as u32;
                help(&mut searcher, pos, manner, ahead);
                searcher.share.tell();
            };
            // Without it the search is slower, not wrong.
            let spawned = thread::Builder::new().spawn_scoped(scope, help);
            if spawned.is_err() {
                break;
            }
        }
        let found = deepen(searcher(), pos, manner, &budget, report);
        budget.end();
        found
    })
}

/// The search of the first thread.
fn deepen<P: Evaluate>(
    mut searcher: Searcher<'_, P>,
    pos: &P,
    manner: Manner<'_>,
    budget: &Budget<'_>,
    report: &mut dyn FnMut(&Found<P::Move>),
) -> Result<Found<P::Move>, ThinkError> {
    let mut found = searcher.glance(pos).ok_or(ThinkError::GameOver)?;
    let is_only_move = pos.count_legal() == 1;
    // A draw is told as one, whatever it was taken for.
    let told = |score: i32| match score == -contempt::<P>(manner) {
        true => 0,
        false => score,
    };
    let mut guess = found.score;
    for depth in 1..=deepest(manner) {
        let value = searcher.aspire(pos, depth, found.best, guess);
        let pv = searcher.pv.first().filter(|pv| !pv.is_empty());
        if let Some((pv, best)) = pv.and_then(|pv| Some((pv, *pv.first()?))) {
            // Also of an iteration cut short: its first move is the last iteration's best, so what
            // has replaced that one is better.
            (found.best, found.pv) = (best, pv.clone());
            found.score = told(searcher.root_score);
        }
        if searcher.stopped {
            found.proven &= found.score.abs() > MAX_EVALUATION;
            break;
        }
        found.depth = depth;
        (guess, found.score) = (value.score, told(value.score));
        let sees_all = manner.sight.is_none();
        found.proven = sees_all && (value.solved || value.score.abs() > MAX_EVALUATION);
        found.nodes = searcher.share.all();
        found.table_permille = searcher.table.permille_used();
        report(&found);
        // A win may be known before the nearest one is; within the depth, the nearest is known.
        let decided = value.score.abs() >= WIN_BOUND && (WIN - value.score.abs()) <= depth as i32;
        let hurried = manner.limits.clock.is_some() && is_only_move;
        if value.solved || decided || hurried || !budget.is_worth_going_on() {
            break;
        }
    }
    // What the other threads visit after this does not count.
    found.nodes = searcher.share.tell();
    found.table_permille = searcher.table.permille_used();
    if sees_exactly(manner) {
        searcher.lengthen(pos, &mut found.pv);
    }
    Ok(found)
}

/// The search of another thread, which only fills the table.
fn help<P: Evaluate>(searcher: &mut Searcher<'_, P>, pos: &P, manner: Manner<'_>, ahead: u32) {
    let Some(mut found) = searcher.glance(pos) else {
        return;
    };
    for depth in 1..=deepest(manner) {
        let depth = (depth + ahead).min(MAX_DEPTH);
        let value = searcher.aspire(pos, depth, found.best, found.score);
        if let Some(best) = searcher.pv.first().and_then(|pv| pv.first()) {
            (found.best, found.score) = (*best, value.score);
        }
        if searcher.stopped || value.solved {
            break;
        }
    }
}

fn deepest(manner: Manner<'_>) -> u32 {
    manner.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

fn sees_exactly(manner: Manner<'_>) -> bool {
    manner.sight.is_none() && manner.features.table
}
