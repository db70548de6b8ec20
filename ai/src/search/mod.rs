//! Alpha-beta search with principal variation windows, generic over a game.
//!
//! The side to move at each node is that of the position, not of the ply's parity, so games with
//! several plies in a row need no special case. All parts that could change the score at a given
//! depth (reductions, margins, quiescence, extensions) can be disabled with [`Features`]; the score
//! is then that of plain minimax.

mod features;
mod found;
mod options;
mod score;
mod searcher;

use std::thread;

use mawe_rules::Side;

use crate::error::ThinkError;
use crate::eval::{Evaluate, MAX_EVALUATION};
use crate::limits::{Budget, Limits};
use crate::table::Table;
pub use features::{Features, UnknownFeature};
pub use found::Found;
pub use options::MAX_DEPTH;
pub(crate) use options::{SearchOptions, SearchTables, Step};
pub(crate) use score::UNIT;
pub use score::{Objective, WIN, WIN_BOUND};
use searcher::{Searcher, contempt};

/// The greatest size of the table of a search without a table of the caller, in bytes: a quarter of
/// the memory for a page.
const OWN_TABLE: u64 = 16 << 20;
/// The bytes of table for each node of the node limit.
const BYTES_PER_NODE: u64 = 16;

/// Searches with increasing depth until a limit is reached or the result is proven.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if the game is over.
pub fn search<P: Evaluate>(pos: &P, limits: &Limits) -> Result<Found<P::Move>, ThinkError> {
    search_with(pos, limits, Features::ALL)
}

/// As [`search`], with these features only.
///
/// # Errors
///
/// The errors of [`search`].
pub fn search_with<P: Evaluate>(
    pos: &P,
    limits: &Limits,
    features: Features,
) -> Result<Found<P::Move>, ThinkError> {
    let options = SearchOptions {
        features,
        ..SearchOptions::plain(limits)
    };
    let (table, known) = (&table_for(limits), &P::Known::default());
    search_as(
        pos,
        &[],
        options,
        SearchTables { table, known },
        &mut |_| (),
    )
}

/// The winner of a position whose result is settled, because the game is over or one side has a
/// majority that it cannot lose; the inner `None` is a draw.
pub fn settled<P: Evaluate>(pos: &P) -> Option<Option<Side>> {
    match pos.outcome() {
        Some(outcome) => Some(outcome.winner),
        None => pos.majority(pos.total_points()).map(Some),
    }
}

/// A table of the size that the search needs.
pub(crate) fn table_for(limits: &Limits) -> Table {
    let nodes = match limits.depth {
        // A shallow search visits few nodes, and a small table is faster to allocate.
        Some(0..4) => 1 << 12,
        _ => limits.nodes.unwrap_or(u64::MAX),
    };
    let bytes = nodes.saturating_mul(BYTES_PER_NODE).min(OWN_TABLE);
    let table = Table::new(bytes as usize).or_else(|| Table::new(0));
    table.expect("a kilobyte")
}

/// As [`search`], with these parameters; `before` holds the positions that led here. Calls `report`
/// after every iteration.
pub(crate) fn search_as<P: Evaluate>(
    pos: &P,
    before: &[Step],
    options: SearchOptions<'_>,
    tables: SearchTables<'_, P::Known>,
    report: &mut dyn FnMut(&Found<P::Move>),
) -> Result<Found<P::Move>, ThinkError> {
    let options = SearchOptions {
        // A side with a majority plays on for points.
        objective: match pos.majority(pos.total_points()) {
            Some(_) => Objective::Points,
            None => options.objective,
        },
        ..options
    };
    let budget = Budget::start(options.limits);
    let searcher = || Searcher::new(pos, before, options, tables, budget.share());
    if options.threads <= 1 {
        return deepen(searcher(), pos, options, &budget, report);
    }
    thread::scope(|scope| {
        for helper in 1..options.threads {
            let mut searcher = searcher();
            let help = move || {
                // Every second helper searches a ply deeper, so that the helpers do not all do the
                // same work.
                let ahead = (helper % 2) as u32;
                help(&mut searcher, pos, options, ahead);
                searcher.share.tell();
            };
            // Without this thread the search is only slower.
            let spawned = thread::Builder::new().spawn_scoped(scope, help);
            if spawned.is_err() {
                break;
            }
        }
        let found = deepen(searcher(), pos, options, &budget, report);
        budget.end();
        found
    })
}

/// The search of the first thread.
fn deepen<P: Evaluate>(
    mut searcher: Searcher<'_, P>,
    pos: &P,
    options: SearchOptions<'_>,
    budget: &Budget<'_>,
    report: &mut dyn FnMut(&Found<P::Move>),
) -> Result<Found<P::Move>, ThinkError> {
    let mut found = searcher.best_static_move(pos).ok_or(ThinkError::GameOver)?;
    let is_only_move = pos.count_legal() == 1;
    // A draw is reported with score 0, without the penalty of contempt.
    let told = |score: i32| match score == -contempt::<P>(options) {
        true => 0,
        false => score,
    };
    let mut guess = found.score;
    for depth in 1..=deepest(options) {
        let value = searcher.aspire(pos, depth, found.best, guess);
        let pv = searcher.pv.first().filter(|pv| !pv.is_empty());
        if let Some((pv, best)) = pv.and_then(|pv| Some((pv, *pv.first()?))) {
            // This is valid for an aborted iteration too: its first move is the best one of the last
            // iteration, so a move that replaced it is better.
            (found.best, found.pv) = (best, pv.clone());
            found.score = told(searcher.root_score);
        }
        if searcher.stopped {
            found.proven &= found.score.abs() > MAX_EVALUATION;
            break;
        }
        found.depth = depth;
        (guess, found.score) = (value.score, told(value.score));
        let sees_all = options.sight.is_none();
        found.proven = sees_all && (value.solved || value.score.abs() > MAX_EVALUATION);
        found.nodes = searcher.share.all();
        found.table_permille = searcher.table.permille_used();
        report(&found);
        // A win may be found before the nearest one; a win within the depth is the nearest.
        let decided = value.score.abs() >= WIN_BOUND && (WIN - value.score.abs()) <= depth as i32;
        let hurried = options.limits.clock.is_some() && is_only_move;
        if value.solved || decided || hurried || !budget.is_worth_going_on() {
            break;
        }
    }
    // Nodes that the other threads visit after this do not count.
    found.nodes = searcher.share.tell();
    found.table_permille = searcher.table.permille_used();
    if sees_exactly(options) {
        searcher.lengthen(pos, &mut found.pv);
    }
    Ok(found)
}

/// The search of another thread, which only fills the table.
fn help<P: Evaluate>(
    searcher: &mut Searcher<'_, P>,
    pos: &P,
    options: SearchOptions<'_>,
    ahead: u32,
) {
    let Some(mut found) = searcher.best_static_move(pos) else {
        return;
    };
    for depth in 1..=deepest(options) {
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

fn deepest(options: SearchOptions<'_>) -> u32 {
    options
        .limits
        .depth
        .unwrap_or(MAX_DEPTH)
        .clamp(1, MAX_DEPTH)
}

fn sees_exactly(options: SearchOptions<'_>) -> bool {
    options.sight.is_none() && options.features.table
}
