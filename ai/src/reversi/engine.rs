//! The search of Reversi with weights: iterations of increasing depth, and the exact result as soon as
//! the remaining limits are likely to suffice for it.

use std::thread;

use mawe_rules::games::reversi::{ReversiMove, ReversiPosition};

use super::board::{Board, PASS, squares};
use super::node::Node;
use super::patterns::Patterns;
use super::solve::{ask, line};
use super::solver::{Bounds, Solver};
use crate::error::ThinkError;
use crate::limits::Budget;
use crate::search::{Found, Objective, SearchOptions, WIN};
use crate::table::Table;

/// The estimated number of nodes to find the winner of an even position with 16 empty squares; each
/// further empty square multiplies it by 1.9.
const SOLVING_16: u64 = 80_000;
/// The lead, in hundredths of a disc, that halves this number.
const CLEAR_LEAD: u64 = 1_000;
/// Without limits, solving may take this multiple of the nodes of the iterations.
const UNBOUNDED_STEP: u64 = 50;
/// The greatest depth of an iteration before the game is solved; the solver begins with its score.
const LOOK_BEFORE: u32 = 12;
/// With this many empty squares or fewer, solving is faster than an iteration.
const SOLVED_AT_ONCE: u32 = 10;

/// A search in progress.
struct Thinking<'a> {
    solver: Solver<'a>,
    patterns: &'a Patterns,
    objective: Objective,
    is_sure: bool,
    board: Board,
    /// Whether the side to move must pass first; the board is then that of the other side.
    passes: bool,
    /// The moves, ordered by the last iteration.
    moves: Vec<u32>,
    found: Found<ReversiMove>,
}

/// Finds the best move of a game that is not over, within the limits. Calls `report` after every
/// iteration and every null-window search of the solver.
pub(crate) fn search(
    pos: &ReversiPosition,
    options: SearchOptions<'_>,
    table: &Table,
    patterns: &Patterns,
    report: &mut dyn FnMut(&Found<ReversiMove>),
) -> Result<Found<ReversiMove>, ThinkError> {
    let budget = Budget::start(options.limits);
    let thinking = || Thinking::new(pos, options, table, patterns, &budget);
    let first = thinking().ok_or(ThinkError::GameOver)?;
    if options.threads <= 1 {
        return Ok(first.run(options, &budget, 0, report));
    }
    thread::scope(|scope| {
        for helper in 1..options.threads {
            let Some(thinking) = thinking() else {
                break;
            };
            let budget = &budget;
            // Every second helper searches a ply deeper, so that the helpers do not all do the same
            // work.
            let ahead = (helper % 2) as u32;
            let help = move || {
                thinking.run(options, budget, ahead, &mut |_| ());
            };
            // Without this thread the search is only slower.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let found = first.run(options, &budget, 0, report);
        budget.end();
        Ok(found)
    })
}

impl<'a> Thinking<'a> {
    fn new(
        pos: &ReversiPosition,
        options: SearchOptions<'_>,
        table: &'a Table,
        patterns: &'a Patterns,
        budget: &'a Budget<'a>,
    ) -> Option<Self> {
        let mut solver = Solver::new(table, Some(patterns), budget.share());
        solver.probcut = options.features.probcut;
        solver.sight = options.sight;
        let mut board = Board::of(pos);
        let passes = board.placements() == 0;
        if passes {
            board = board.pass();
        }
        let node = Node::of(patterns, board);
        let mut judged: Vec<(i32, u32)> = squares(board.placements())
            .map(|square| {
                let child = node.play(patterns, square);
                let worth = patterns.judge(&child.ways, child.board.empties());
                (-worth, square)
            })
            .collect();
        judged.sort_by_key(|(worth, square)| (-worth, *square));
        let (worth, best) = *judged.first()?;
        let mut thinking = Self {
            solver,
            patterns,
            objective: options.objective,
            is_sure: options.sight.is_none(),
            board,
            passes,
            moves: judged.into_iter().map(|(_, square)| square).collect(),
            found: Found {
                best: ReversiMove::Pass,
                score: 0,
                proven: false,
                depth: 0,
                nodes: 0,
                table_permille: 0,
                pv: Vec::new(),
            },
        };
        thinking.note(worth, vec![best]);
        Some(thinking)
    }

    fn run(
        mut self,
        options: SearchOptions<'_>,
        budget: &Budget<'_>,
        ahead: u32,
        report: &mut dyn FnMut(&Found<ReversiMove>),
    ) -> Found<ReversiMove> {
        let empties = self.board.empties();
        let deepest = options.limits.depth.unwrap_or(empties).clamp(1, empties);
        let may_solve = deepest == empties && options.features.solver;
        let is_only_move = self.moves.len() == 1;
        for depth in 1..=deepest {
            let is_ready = depth > LOOK_BEFORE.min(empties / 2) || empties <= SOLVED_AT_ONCE;
            if may_solve && is_ready && (depth == empties || self.is_time_to_solve(budget)) {
                self.solve(budget, report);
                break;
            }
            if depth == empties && options.features.probcut {
                // The last iteration is left to the solver, because ProbCut proves nothing.
                break;
            }
            self.iterate((depth + ahead).min(empties - 1).max(1));
            if self.solver.stopped {
                break;
            }
            self.found.depth = depth;
            self.tell(report);
            let hurried = options.limits.clock.is_some() && is_only_move;
            if hurried || !budget.is_worth_going_on() {
                break;
            }
        }
        self.found.nodes = self.solver.share.tell();
        self.found.table_permille = self.solver.table.permille_used();
        self.found
    }

    fn tell(&mut self, report: &mut dyn FnMut(&Found<ReversiMove>)) {
        self.found.nodes = self.solver.share.all();
        self.found.table_permille = self.solver.table.permille_used();
        report(&self.found);
    }

    /// Whether the remaining limits are likely to suffice to solve the game.
    fn is_time_to_solve(&self, budget: &Budget<'_>) -> bool {
        let nodes = self.solver.share.all();
        // Without limits, iterations continue until solving is a small step.
        let left = budget
            .nodes_left(nodes)
            .unwrap_or(nodes.saturating_mul(UNBOUNDED_STEP));
        let mut wanted = SOLVING_16;
        for _ in 16..self.board.empties() {
            wanted = wanted.saturating_mul(19) / 10;
        }
        for _ in self.board.empties()..16 {
            wanted = wanted * 10 / 19;
        }
        if self.objective == Objective::Win {
            let lead = u64::from(self.found.score.unsigned_abs());
            wanted = wanted.saturating_mul(CLEAR_LEAD) / (CLEAR_LEAD + lead);
        }
        wanted <= left
    }

    /// Searches all moves to a depth, the best of the last iteration first.
    fn iterate(&mut self, depth: u32) {
        let node = Node::of(self.patterns, self.board);
        let mut low = -super::patterns::MOST - 1;
        let most = -low;
        for i in 0..self.moves.len() {
            let square = self.moves[i];
            let child = node.play(self.patterns, square);
            let mut score = low;
            if i > 0 {
                let (alpha, beta) = (-low - 1, -low);
                score = -(self.solver).pvs(self.patterns, &child, depth - 1, alpha, beta);
            }
            if i == 0 || score > low {
                score = -(self.solver).pvs(self.patterns, &child, depth - 1, -most, -low);
            }
            if self.solver.stopped {
                return;
            }
            if i == 0 || score > low {
                low = score;
                self.moves[..=i].rotate_right(1);
                let line = self.solver.judged_line(self.board, square, depth);
                self.note(score, line);
            }
        }
    }

    /// Finds the winner first, then the margin; if a limit ends the search, the known bounds remain.
    fn solve(&mut self, budget: &Budget<'_>, report: &mut dyn FnMut(&Found<ReversiMove>)) {
        let guess = self.guess();
        let mut bounds = Bounds::UNKNOWN;
        let questions: &[i32] = match self.objective {
            Objective::Win if guess >= 0 => &[0, -1],
            Objective::Win => &[-1, 0],
            Objective::Points => &[],
        };
        let mut questions = questions.iter().copied();
        let mut alpha = guess;
        while bounds.lower < bounds.upper {
            // Null windows that the bounds already decide are skipped.
            let asked = questions.find(|alpha| (bounds.lower..bounds.upper).contains(alpha));
            let bound = asked.unwrap_or(alpha.clamp(bounds.lower, bounds.upper - 1));
            let (score, best) = ask::<false>(&mut self.solver, self.board, bound, &mut self.moves);
            if self.solver.stopped {
                return;
            }
            if score > bound {
                bounds.lower = score;
                alpha = alpha.max(score);
            } else {
                bounds.upper = score;
                alpha = alpha.min(score - 1);
            }
            let first = best.or(bounds.best).or(self.moves.first().copied());
            bounds.best = first;
            self.settle(bounds);
            if self.found.proven || bounds.lower == bounds.upper {
                self.found.depth = self.board.empties();
                self.tell(report);
            }
            // The winner is known; the margin is not worth more than the planned time.
            if self.found.proven && !budget.is_worth_going_on() {
                return;
            }
        }
        self.found.proven &= self.is_sure;
        let line = line::<false>(&mut self.solver, self.board, bounds);
        if self.found.proven && !self.solver.stopped {
            let score = self.score(bounds, line.len());
            self.note(score, line);
            self.tell(report);
        }
    }

    /// The margin in discs that the iterations expect.
    fn guess(&self) -> i32 {
        let score = if self.passes {
            -self.found.score
        } else {
            self.found.score
        };
        (score / 100).clamp(-63, 62)
    }

    /// Records the result that the bounds prove.
    fn settle(&mut self, bounds: Bounds) {
        let is_exact = bounds.lower == bounds.upper;
        let is_decided = bounds.lower > 0 || bounds.upper < 0 || is_exact;
        let is_proven = match self.objective {
            Objective::Win => is_decided,
            Objective::Points => is_exact,
        };
        if let Some(best) = bounds.best {
            let score = match is_proven {
                true => self.score(bounds, self.board.empties() as usize),
                false => 100 * bounds.lower.max(-64),
            };
            // A position that may be lost keeps the move that looked best.
            if is_proven || bounds.lower > -64 {
                self.note(score, vec![best]);
            }
            self.found.proven = is_proven && self.is_sure;
        }
    }

    /// The score of a proven result; `plies` is the length of the line to the end.
    fn score(&self, bounds: Bounds, plies: usize) -> i32 {
        let plies = plies as i32 + i32::from(self.passes);
        match self.objective {
            Objective::Points => 100 * bounds.lower,
            Objective::Win if bounds.lower > 0 => WIN - plies,
            Objective::Win if bounds.upper < 0 => plies - WIN,
            Objective::Win => 0,
        }
    }

    /// Records the best line and its score, from the view of the side to move on the board.
    fn note(&mut self, score: i32, line: Vec<u32>) {
        let pass = self.passes.then_some(PASS);
        let pv: Vec<ReversiMove> = pass.into_iter().chain(line).map(move_of).collect();
        if let Some(best) = pv.first() {
            self.found.best = *best;
            self.found.score = if self.passes { -score } else { score };
            self.found.pv = pv;
        }
    }
}

fn move_of(square: u32) -> ReversiMove {
    match square {
        PASS => ReversiMove::Pass,
        _ => ReversiMove::Place(mawe_rules::Square::from_index(square as u8)),
    }
}
