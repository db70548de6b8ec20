//! Alpha-beta with principal variation windows: one iteration, node by node.

use mawe_rules::{BySide, EndgameClocks, Outcome, Side};

use super::features::Features;
use super::found::Found;
use super::options::{MAX_PLY, SearchOptions, SearchTables, Step};
use super::score::{
    INFINITE, Objective, Value, WIN, WIN_BOUND, Window, fastest_win, from_node, known, lead,
    margin, usable, won_by,
};
use crate::eval::{Evaluate, MAX_EVALUATION, Quietness, Truth};
use crate::limits::Share;
use crate::order::{MoveOrder, Queue};
use crate::sight::{Sight, mix};
use crate::table::{Bound, Entry, SOLVED, Table};

/// The least depth of a node that uses the table: a lookup takes as long as the search of a shallower node.
const TABLE_FROM: u32 = 2;
/// The least depth at which the root is searched in a narrow window first.
const ASPIRE_FROM: u32 = 4;
/// The least depth of a node that reduces late moves.
const REDUCE_FROM: u32 = 3;
/// The number of moves of a node that are searched in full depth.
const FULL_DEPTH_MOVES: u32 = 2;
/// The least depth of a node that is searched one ply less deep if no best move is known.
const KNOWN_FROM: u32 = 4;
/// The greatest depth of a node that may be pruned by its evaluation.
const MARGIN_DEPTH: u32 = 3;
/// The fewest quiet plies before a repetition is looked for: returning takes two moves by each side.
const FEWEST_TO_REPEAT: u32 = 4;
/// The number of moves picked by rank in a node just before the horizon, and in a deeper one.
const PICKS_NEAR: usize = 4;
const PICKS_FAR: usize = 24;

/// The state of one thread of a search.
pub(crate) struct Searcher<'a, P: Evaluate> {
    pub(crate) share: Share<'a>,
    features: Features,
    objective: Objective,
    /// The clocks of the limits of endings at the root.
    clocks: EndgameClocks,
    total_points: u32,
    /// The score of a draw for each side.
    draw: BySide<i32>,
    /// Separates the table entries of searches with contempt by the side that searches.
    salt: u64,
    sight: Option<Sight>,
    pub(crate) table: &'a Table,
    known: &'a P::Known,
    pub(crate) stopped: bool,
    /// The best move and score of the root so far.
    root_best: Option<P::Move>,
    pub(crate) root_score: i32,
    /// The best line from each ply on.
    pub(crate) pv: Vec<Vec<P::Move>>,
    order: MoveOrder<P::Move>,
    /// A stack of the move lists of all plies of the current line.
    moves: Vec<P::Move>,
    /// The path to the current position, inclusive; only in games whose positions can repeat.
    path: Vec<Step>,
    /// Whether a position that can still occur again has occurred twice: then the path may invalidate a certain result.
    has_repeated: bool,
    /// The moves of the root that certainly give away a result that other moves keep.
    barred: Vec<P::Move>,
}

impl<'a, P: Evaluate> Searcher<'a, P> {
    pub(crate) fn new(
        pos: &P,
        before: &[Step],
        options: SearchOptions<'_>,
        tables: SearchTables<'a, P::Known>,
        share: Share<'a>,
    ) -> Self {
        let features = options.features;
        let plies = options.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY) as usize;
        let plies = (plies * 2 + 16).min(MAX_PLY as usize + 2);
        let mut path = before.to_vec();
        let hash = pos.zobrist();
        if path.last().is_none_or(|last| last.hash != hash) {
            path.push(Step { hash, quiet: 0 });
        }
        let has_repeated = has_repeated(&path);
        let contempt = contempt::<P>(options);
        let barred = match P::MAY_REPEAT && !has_repeated {
            true => barred(pos, tables.known),
            false => Vec::new(),
        };
        Self {
            share,
            features,
            objective: options.objective,
            clocks: options.clocks,
            total_points: pos.total_points(),
            draw: BySide::from_fn(|side| match side == pos.turn() {
                true => -contempt,
                false => contempt,
            }),
            salt: salt(contempt, pos.turn()),
            sight: options.sight,
            table: tables.table,
            known: tables.known,
            stopped: false,
            root_best: None,
            root_score: 0,
            pv: vec![Vec::new(); plies],
            order: MoveOrder::new(plies, features.killers, features.history),
            moves: Vec::with_capacity(4096),
            path,
            has_repeated,
            barred,
        }
    }

    /// The best move of a search of one ply, which is played if there is no time for more.
    pub(crate) fn best_static_move(&self, pos: &P) -> Option<Found<P::Move>> {
        if pos.outcome().is_some() {
            return None;
        }
        let judged = pos.legal_moves().into_iter().map(|m| {
            let mut child = pos.clone();
            child.play_unchecked(m);
            let value = match self.settle(&child, 1) {
                Some(value) => value,
                None => self.judge(&child),
            };
            let score = value.seen_by(child.turn() == pos.turn()).score;
            (score, m)
        });
        let (score, best) =
            judged.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        Some(Found {
            best,
            score,
            proven: false,
            depth: 0,
            nodes: 0,
            table_permille: 0,
            pv: vec![best],
        })
    }

    /// Searches to a fixed depth with `first` tried first, in a window around `guess` that widens if the score lies
    /// outside.
    pub(crate) fn aspire(&mut self, pos: &P, depth: u32, first: P::Move, guess: i32) -> Value {
        let narrow = self.features.aspiration && depth >= ASPIRE_FROM && guess.abs() < WIN_BOUND;
        let mut reach = if narrow { P::ASPIRATION } else { INFINITE };
        let (mut alpha, mut beta) = (guess - reach, guess + reach);
        let mut first = first;
        self.order.age();
        loop {
            let (low, high) = (alpha.max(-INFINITE), beta.min(INFINITE));
            let value = self.iterate(pos, depth, first, low, high);
            let (failed_low, failed_high) = (
                value.score <= low && low > -INFINITE,
                value.score >= high && high < INFINITE,
            );
            if self.stopped || !(failed_low || failed_high) {
                return value;
            }
            // A move that failed high is likely to be the best.
            if let Some(best) = self.pv.first().and_then(|pv| pv.first()) {
                first = *best;
            }
            reach = if reach > 16 * P::ASPIRATION {
                INFINITE
            } else {
                reach * 4
            };
            if failed_low {
                alpha = value.score.saturating_sub(reach);
            } else {
                beta = value.score.saturating_add(reach);
            }
        }
    }

    fn iterate(&mut self, pos: &P, depth: u32, first: P::Move, alpha: i32, beta: i32) -> Value {
        self.root_best = Some(first);
        for line in &mut self.pv {
            line.clear();
        }
        let window = Window {
            depth,
            ply: 0,
            alpha,
            beta,
        };
        self.node(pos, window)
    }

    #[inline(always)]
    fn judge(&self, pos: &P) -> Value {
        let error = match self.sight {
            Some(sight) => sight.error(pos.zobrist()),
            None => 0,
        };
        let score = pos.evaluate(self.known).saturating_add(error);
        Value {
            score: score.clamp(-MAX_EVALUATION, MAX_EVALUATION),
            solved: false,
        }
    }

    /// The value of a position whose result is settled.
    #[inline(always)]
    fn settle(&self, pos: &P, ply: u32) -> Option<Value> {
        let side = pos.turn();
        if self.objective == Objective::Win
            && let Some(winner) = pos.majority(self.total_points)
        {
            return Some(won_by(Some(winner), side, ply));
        }
        let outcome = pos.outcome()?;
        Some(match margin(&outcome, side) {
            Some(score) if self.objective == Objective::Points => Value {
                score,
                solved: true,
            },
            Some(_) | None => match outcome.winner {
                Some(_) => won_by(outcome.winner, side, ply),
                None => Value {
                    score: self.draw[side],
                    solved: true,
                },
            },
        })
    }

    /// The value of a position where a house draw ends the game, or would soon: it is valid on this path only. A first
    /// repetition is valued like the final one.
    fn house_draw(&self, pos: &P) -> Option<Value> {
        let last = self.path.last()?;
        let is_over = P::QUIET_LIMIT.is_some_and(|limit| last.quiet >= limit);
        let may_repeat = last.quiet >= FEWEST_TO_REPEAT;
        if !is_over && !may_repeat {
            return None;
        }
        let outcome: Outcome = if is_over {
            Outcome::draw(mawe_rules::Reason::QuietLimit)
        } else {
            let earlier = self.path.len() - 1;
            let from = earlier.saturating_sub(last.quiet as usize);
            let same = |step: &Step| step.hash == last.hash;
            if !self.path[from..earlier].iter().any(same) {
                return None;
            }
            pos.clone().third_occurrence()
        };
        Some(Value {
            score: margin(&outcome, pos.turn()).unwrap_or(0),
            solved: false,
        })
    }

    /// The value of a position from a database, or a bound on it that suffices to cut off. `quiet` plies before it have
    /// made no progress.
    #[inline(always)]
    fn look_up(&self, pos: &P, ply: u32, quiet: u32, alpha: i32, beta: i32) -> Option<Value> {
        let truth = pos.probe(self.known)?;
        let certain = |score| {
            Some(Value {
                score,
                solved: true,
            })
        };
        // Positions since the last ply with progress can occur again. A side that only knows that it wins could move in
        // cycles, so such a value is used only after a ply with progress. If the number of plies to the win is known,
        // the value is used at once.
        let is_new = !P::MAY_REPEAT || quiet < ply;
        let plies = match truth {
            Truth::Points(points) => return certain(known(points, self.objective)),
            Truth::Lead(..) if !is_new => return None,
            Truth::Lead(low, high) => {
                let (low, high) = lead(low, high, self.objective);
                return match () {
                    () if low == high || low >= beta => certain(low),
                    () if high <= alpha => certain(high),
                    () => None,
                };
            }
            Truth::Win(_) | Truth::Draw | Truth::Loss(_) if !is_new && self.has_repeated => {
                return None;
            }
            Truth::Draw => return certain(self.draw[pos.turn()]),
            Truth::Win(plies) => plies as i32,
            Truth::Loss(plies) => -(plies as i32),
        };
        let is_loss = matches!(truth, Truth::Loss(_));
        let too_late = |limit| quiet + plies.unsigned_abs() > limit;
        let is_limited = P::QUIET_LIMIT.is_some_and(too_late)
            || pos.may_be_limited(self.known, plies.unsigned_abs(), &self.clocks, ply);
        let score = match is_limited {
            // The game may be drawn before it is won.
            true => MAX_EVALUATION - plies.abs(),
            false => WIN - ply as i32 - plies.abs(),
        };
        Some(Value {
            score: if is_loss { -score } else { score },
            solved: score > MAX_EVALUATION,
        })
    }

    fn node(&mut self, pos: &P, window: Window) -> Value {
        if !self.share.count_node() {
            self.stopped = true;
            return Value::NONE;
        }
        let Window {
            mut depth,
            ply,
            mut alpha,
            mut beta,
        } = window;
        if window.is_open()
            && let Some(line) = self.pv.get_mut(ply as usize)
        {
            line.clear();
        }
        if ply > 0 {
            if P::MAY_REPEAT
                && let Some(value) = self.house_draw(pos)
            {
                return match self.settle(pos, ply) {
                    Some(settled) => settled,
                    None => value,
                };
            }
            if let Some(value) = self.settle(pos, ply) {
                return value;
            }
            let quiet = self.path.last().map_or(0, |last| last.quiet);
            if let Some(value) = self.look_up(pos, ply, quiet, alpha, beta) {
                return value;
            }
            if depth == 0 || ply >= MAX_PLY {
                return self.horizon(pos, ply, alpha, beta, P::QUIESCENCE);
            }
            // The best possible result is a win with this ply, the worst a loss with it.
            if self.objective == Objective::Win {
                (alpha, beta) = (alpha.max(-fastest_win(ply)), beta.min(fastest_win(ply)));
                if alpha >= beta {
                    return Value {
                        score: alpha,
                        solved: true,
                    };
                }
            }
        }

        let mut window = Window {
            depth,
            ply,
            alpha,
            beta,
        };
        let known = match depth >= TABLE_FROM {
            true => self.table.get(pos.zobrist() ^ self.salt),
            false => None,
        };
        if let Some(value) = known
            .filter(|_| ply > 0 && self.features.table)
            .and_then(|entry| usable(entry, window))
        {
            return value;
        }
        let known = known
            .filter(|_| self.features.hash_move)
            .and_then(|entry| entry.best);

        if self.features.margins
            && P::MARGIN > 0
            && !window.is_open()
            && depth <= MARGIN_DEPTH
            && beta.abs() < WIN_BOUND
            && matches!(pos.quietness(), Quietness::Quiet)
        {
            let value = self.judge(pos);
            if value.score - P::MARGIN * depth as i32 >= beta {
                return value;
            }
        }

        let first = self.moves.len();
        pos.legal_moves_into(&mut self.moves);
        let is_only_reply = self.moves.len() == first + 1;
        if P::ONLY_REPLY_IS_FREE && self.features.extensions && is_only_reply && ply > 0 {
            depth += 1;
        } else if self.features.reductions
            && self.features.hash_move
            && known.is_none()
            && depth >= KNOWN_FROM
            && ply > 0
        {
            depth -= 1;
        }
        window.depth = depth;
        let queue = self.arrange(pos, first, window, known);
        let value = self.try_moves(pos, first, queue, window);
        self.order.drop_queue(queue);
        self.moves.truncate(first);
        value
    }

    /// Searches the moves on the stack from `first` on, in the order of `queue`.
    fn try_moves(&mut self, pos: &P, first: usize, mut queue: Queue, window: Window) -> Value {
        let Window {
            depth,
            ply,
            alpha,
            beta,
        } = window;
        let mut best = Value {
            score: -INFINITE,
            solved: true,
        };
        let mut best_index = None;
        let mut all_solved = true;
        let mut low = alpha;
        let mut tried = 0;
        let begun = queue;
        let reduces = self.features.reductions
            && P::REDUCTION > 0
            && depth >= REDUCE_FROM
            && matches!(pos.quietness(), Quietness::Quiet | Quietness::Noisy);
        while let Some(index) = self.order.next(&mut queue) {
            let m = self.moves[first + usize::from(index)];
            let mut child = pos.clone();
            child.play_unchecked(m);
            let same = child.turn() == pos.turn();
            self.enter(pos, m, &child);
            if window.is_open()
                && let Some(line) = self.pv.get_mut(ply as usize + 1)
            {
                // A scouted move that fails high has no line, so the line of the previous move is removed.
                line.clear();
            }

            // A further move of the same side is part of the same turn.
            let below = if P::EXTRA_IS_FREE && same && self.features.extensions {
                depth
            } else {
                depth - 1
            };
            let mut value = Value {
                score: low,
                solved: true,
            };
            // Whether a search with the full depth and window is still needed.
            let mut wanted = true;
            let scouts = tried > 0 && self.features.scouting;
            if reduces && tried >= FULL_DEPTH_MOVES && !same && !pos.is_noisy(m) {
                let less = reduction(depth, tried, P::REDUCTION).min(below);
                if less > 0 {
                    value = self.child(&child, same, below - less, ply, low, low + 1);
                    wanted = value.score > low;
                }
            }
            if wanted && scouts {
                value = self.child(&child, same, below, ply, low, low + 1);
                wanted = low < value.score && value.score < beta && low + 1 < beta;
            }
            if wanted {
                value = self.child(&child, same, below, ply, low, beta);
            }
            self.leave();
            if self.stopped {
                return Value::NONE;
            }

            tried += 1;
            all_solved &= value.solved;
            if value.score > best.score {
                best = value;
                best_index = Some(index);
                if value.score > low {
                    low = value.score;
                    if ply == 0 {
                        self.root_score = value.score;
                    }
                    if window.is_open() {
                        self.extend_pv(ply, m);
                    }
                }
                if low >= beta {
                    self.learn(pos, first, begun, tried, window);
                    break;
                }
            }
        }

        // A cutoff depends on one move only; otherwise every move contributes to the score.
        let cut_off = best.score >= beta;
        let solved = if cut_off { best.solved } else { all_solved };
        let is_fastest = self.objective == Objective::Win && best.score >= fastest_win(ply);
        let bound = if cut_off && !is_fastest {
            Bound::Lower
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best_index = best_index.filter(|_| bound != Bound::Upper);
        if depth >= TABLE_FROM {
            let entry = Entry {
                score: from_node(best.score, ply),
                depth: match solved {
                    true => SOLVED,
                    false => depth.min(u32::from(SOLVED) - 1) as u8,
                },
                bound,
                best: best_index,
            };
            self.table.put(pos.zobrist() ^ self.salt, entry);
        }
        Value {
            score: best.score,
            solved,
        }
    }

    /// The value of a position one ply deeper, from the view of the side that moved.
    #[inline(always)]
    fn child(&mut self, child: &P, same: bool, depth: u32, ply: u32, low: i32, high: i32) -> Value {
        let (alpha, beta) = if same { (low, high) } else { (-high, -low) };
        let window = Window {
            depth,
            ply: ply + 1,
            alpha,
            beta,
        };
        self.node(child, window).seen_by(same)
    }

    /// Evaluates a position at the horizon once it is quiet, or after `left` more plies. The caller has checked that the
    /// game is not over.
    fn horizon(&mut self, pos: &P, ply: u32, alpha: i32, beta: i32, left: u32) -> Value {
        let quietness = if self.features.quiescence && left > 0 && ply < MAX_PLY {
            pos.quietness()
        } else {
            Quietness::Quiet
        };
        let mut best = match quietness {
            Quietness::Quiet => return self.judge(pos),
            Quietness::Noisy => {
                let value = self.judge(pos);
                if value.score >= beta {
                    return value;
                }
                value
            }
            Quietness::Forced => Value {
                score: -INFINITE,
                solved: true,
            },
        };
        let mut all_solved = best.solved;
        let mut low = alpha.max(best.score);

        let first = self.moves.len();
        pos.legal_moves_into(&mut self.moves);
        let window = Window {
            depth: 0,
            ply,
            alpha: low,
            beta,
        };
        let mut queue = match quietness {
            Quietness::Forced => self.arrange(pos, first, window, None),
            Quietness::Quiet | Quietness::Noisy => self.arrange_noisy(pos, first, ply),
        };
        let begun = queue;
        while let Some(index) = self.order.next(&mut queue) {
            let m = self.moves[first + usize::from(index)];
            let mut child = pos.clone();
            child.play_unchecked(m);
            if !self.share.count_node() {
                self.stopped = true;
                best = Value::NONE;
                break;
            }
            let same = child.turn() == pos.turn();
            let (alpha, beta_here) = if same { (low, beta) } else { (-beta, -low) };
            let value = match self.settle(&child, ply + 1) {
                Some(value) => value,
                // Noisy moves make progress.
                None => match self.look_up(&child, ply + 1, 0, alpha, beta_here) {
                    Some(value) => value,
                    None => self.horizon(&child, ply + 1, alpha, beta_here, left - 1),
                },
            };
            if self.stopped {
                best = Value::NONE;
                break;
            }
            let value = value.seen_by(same);
            all_solved &= value.solved;
            if value.score > best.score {
                best = value;
                low = low.max(value.score);
                if low >= beta {
                    break;
                }
            }
        }
        self.order.drop_queue(begun);
        self.moves.truncate(first);
        let cut_off = best.score >= beta;
        Value {
            score: best.score,
            solved: if cut_off { best.solved } else { all_solved },
        }
    }

    /// Queues the moves on the stack from `first` on, except the overlooked ones.
    #[inline]
    fn arrange(&mut self, pos: &P, first: usize, window: Window, known: Option<u16>) -> Queue {
        let Window { depth, ply, .. } = window;
        let picks = if depth <= 1 { PICKS_NEAR } else { PICKS_FAR };
        let mut queue = self.order.open_queue(picks);
        let root_best = self.root_best.filter(|_| ply == 0);
        let side = pos.turn();
        for (i, m) in self.moves[first..].iter().enumerate() {
            if ply == 0 && self.barred.contains(m) {
                continue;
            }
            if let Some(sight) = self.sight
                && sight.overlooks(pos.zobrist(), m, pos.visibility_cost(*m), ply)
            {
                continue;
            }
            let index = i as u16;
            let is_best = match root_best {
                Some(best) => best == *m,
                None => known == Some(index),
            };
            if is_best {
                self.order.push_best(&mut queue, index);
            } else {
                let order_score = match self.features.order_score {
                    true => pos.order_score(*m),
                    false => 0,
                };
                self.order
                    .push(&mut queue, index, *m, order_score, side, ply);
            }
        }
        if queue.is_empty() {
            // A player that overlooks all moves sees at least the one with the least visibility cost.
            let moves = self.moves[first..].iter().enumerate();
            if let Some((i, _)) = moves.min_by_key(|(_, m)| pos.visibility_cost(**m)) {
                self.order.push_best(&mut queue, i as u16);
            }
        }
        queue
    }

    /// Queues only the moves that must be searched before the position can be evaluated.
    fn arrange_noisy(&mut self, pos: &P, first: usize, ply: u32) -> Queue {
        let mut queue = self.order.open_queue(PICKS_NEAR);
        for (i, m) in self.moves[first..].iter().enumerate() {
            let is_seen = match self.sight {
                Some(sight) => !sight.overlooks(pos.zobrist(), m, pos.visibility_cost(*m), ply),
                None => true,
            };
            if is_seen && pos.is_noisy(*m) {
                let order_score = pos.order_score(*m);
                self.order
                    .push(&mut queue, i as u16, *m, order_score, pos.turn(), ply);
            }
        }
        queue
    }

    /// Records that the last of the `tried` moves of a queue caused a cutoff.
    fn learn(&mut self, pos: &P, first: usize, begun: Queue, tried: u32, window: Window) {
        let side = pos.turn();
        // The tried moves are at the front of the queue, in the order of their searches.
        let mut tried_moves = begun;
        for i in 1..=tried {
            let Some(index) = self.order.tried(&mut tried_moves) else {
                return;
            };
            let m = self.moves[first + usize::from(index)];
            if i == tried {
                self.order.reward(side, m, window.depth, window.ply);
            } else if i <= 8 {
                self.order.blame(side, m, window.depth);
            }
        }
    }

    /// Adds a position to the path, if positions can repeat.
    #[inline(always)]
    fn enter(&mut self, pos: &P, m: P::Move, child: &P) {
        if P::MAY_REPEAT {
            let quiet = match self.path.last() {
                Some(last) if pos.is_reversible(m, child) => last.quiet + 1,
                Some(_) | None => 0,
            };
            self.path.push(Step {
                hash: child.zobrist(),
                quiet,
            });
        }
    }

    #[inline(always)]
    fn leave(&mut self) {
        if P::MAY_REPEAT {
            self.path.pop();
        }
    }

    /// Extends a line with solved entries of the table. A solved position ends a line early, because its score needs no
    /// search.
    pub(crate) fn lengthen(&self, pos: &P, line: &mut Vec<P::Move>) {
        let mut end = pos.clone();
        for m in line.iter() {
            end.play_unchecked(*m);
        }
        while line.len() < MAX_PLY as usize {
            let known = self.table.get(end.zobrist() ^ self.salt);
            let solved = known.filter(|e| e.depth == SOLVED && e.bound == Bound::Exact);
            let index = solved.and_then(|entry| entry.best).map(usize::from);
            let Some(m) = index.and_then(|i| end.legal_moves().get(i).copied()) else {
                break;
            };
            line.push(m);
            end.play_unchecked(m);
        }
    }

    /// Makes `m` and the best line after it the best line of this ply.
    fn extend_pv(&mut self, ply: u32, m: P::Move) {
        let ply = ply as usize;
        // The line of the next ply is written again before its next use.
        let mut below = self
            .pv
            .get_mut(ply + 1)
            .map(std::mem::take)
            .unwrap_or_default();
        if let Some(line) = self.pv.get_mut(ply) {
            line.clear();
            line.push(m);
            line.append(&mut below);
        }
        if let Some(slot) = self.pv.get_mut(ply + 1) {
            *slot = below;
        }
    }
}

/// The penalty of a draw for the side to move at the root, in hundredths.
pub(crate) fn contempt<P: Evaluate>(options: SearchOptions<'_>) -> i32 {
    match (options.contempt, options.objective) {
        (true, Objective::Win) => P::CONTEMPT,
        (true, Objective::Points) | (false, _) => 0,
    }
}

/// A value XORed into the hashes of a search, so that its table entries are separate from those with another contempt.
fn salt(contempt: i32, side: Side) -> u64 {
    match (contempt, side) {
        (0, _) => 0,
        (_, Side::First) => mix(1),
        (_, Side::Second) => mix(2),
    }
}

/// Whether a position has occurred twice since the last move that made progress.
fn has_repeated(path: &[Step]) -> bool {
    let quiet = path.last().map_or(0, |last| last.quiet as usize);
    let stretch = &path[(path.len() - 1).saturating_sub(quiet)..];
    let again = |(i, step): (usize, &Step)| stretch[..i].iter().any(|s| s.hash == step.hash);
    stretch.iter().enumerate().any(again)
}

/// The moves that certainly lose while another certainly does not, or that certainly do not win while another does.
fn barred<P: Evaluate>(pos: &P, known: &P::Known) -> Vec<P::Move> {
    let moves = pos.legal_moves();
    let bounds = moves.iter().map(|m| {
        let mut child = pos.clone();
        child.play_unchecked(*m);
        let (low, high) = match child.outcome() {
            Some(outcome) => {
                let score = won_by(outcome.winner, pos.turn(), 0).score.signum();
                return (score, score);
            }
            None => match child.probe(known) {
                Some(Truth::Lead(low, high)) => (low.signum(), high.signum()),
                Some(_) | None => (-1, 1),
            },
        };
        match child.turn() == pos.turn() {
            true => (low, high),
            false => (-high, -low),
        }
    });
    let bounds: Vec<(i32, i32)> = bounds.collect();
    let best = bounds.iter().map(|(low, _)| *low).max().unwrap_or(-1);
    let worse = moves
        .iter()
        .zip(&bounds)
        .filter(|(_, (_, high))| *high < best);
    worse.map(|(m, _)| *m).collect()
}

/// The reduction of a late move in plies; `strength` is the game's, in sixteenths of a quarter of the product of both
/// logarithms. Integer arithmetic gives the same result on every machine.
fn reduction(depth: u32, tried: u32, strength: u32) -> u32 {
    let log = |n: u32| {
        let whole = n.max(1).ilog2();
        16 * whole + (((n.max(1) << 4) >> whole) - 16)
    };
    log(depth) * log(tried) * strength / (256 * 64)
}
