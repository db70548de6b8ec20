//! A plain Monte Carlo tree search as a reference opponent: it uses only the rules.
//!
//! UCT after L. Kocsis and C. Szepesvári ("Bandit based Monte-Carlo planning", ECML 2006): each playout adds a
//! node and is random to the end of the game; the result is the move with the most visits.

use std::sync::atomic::{AtomicBool, Ordering};

use mawe_ai::mix;
use mawe_rules::{AnyMove, AnyPosition, Position, Side};

/// The exploration constant of UCT: the square root of two.
const CURIOSITY: f64 = std::f64::consts::SQRT_2;
/// A longer playout counts as a draw.
const MAX_PLIES: usize = 400;

struct Node<M> {
    /// The move that leads here, and the side that made it; `None` at the root.
    played: Option<(M, Side)>,
    children: Vec<usize>,
    untried: Vec<M>,
    visits: f64,
    /// Points of the side that moved here: 1 for a win, a half for a draw.
    points: f64,
}

impl<M> Node<M> {
    fn new(played: Option<(M, Side)>, pos: &impl Position<Move = M>) -> Self {
        Self {
            played,
            children: Vec::new(),
            untried: pos.legal_moves(),
            visits: 0.0,
            points: 0.0,
        }
    }
}

/// The best move after this many playouts, or after fewer if the flag is set; the game must not be over.
pub(super) fn choose(pos: &AnyPosition, playouts: u64, seed: u64, stop: &AtomicBool) -> AnyMove {
    match pos {
        AnyPosition::Mawe(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Reversi(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Checkers(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Drafti(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Brazilian(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Russian(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::International(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Pool(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Kalah(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Oware(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Congkak(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Bao(pos) => search(pos, playouts, seed, stop).into(),
        AnyPosition::Pallanguzhi(pos) => search(pos, playouts, seed, stop).into(),
    }
}

fn search<P: Position>(root: &P, playouts: u64, seed: u64, stop: &AtomicBool) -> P::Move {
    let mut dice = Dice(mix(seed ^ mix(root.zobrist())));
    let mut nodes = vec![Node::new(None, root)];
    let mut moves = Vec::new();
    for _ in 0..playouts {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut pos = root.clone();
        let mut path = vec![0];
        let mut at = 0;
        // Descend to a node with an untried move.
        while nodes[at].untried.is_empty() && !nodes[at].children.is_empty() {
            at = most_urgent(&nodes, at);
            step(&mut pos, nodes[at].played);
            path.push(at);
        }
        if !nodes[at].untried.is_empty() {
            let pick = dice.below(nodes[at].untried.len());
            let played = Some((nodes[at].untried.swap_remove(pick), pos.turn()));
            step(&mut pos, played);
            nodes.push(Node::new(played, &pos));
            let child = nodes.len() - 1;
            nodes[at].children.push(child);
            path.push(child);
        }
        let winner = play_out(pos, &mut moves, &mut dice);
        for at in path {
            let node = &mut nodes[at];
            node.visits += 1.0;
            node.points += match (winner, node.played) {
                (Some(winner), Some((_, side))) => f64::from(u8::from(winner == side)),
                (_, _) => 0.5,
            };
        }
    }
    let tried = nodes[0].children.iter().copied();
    let best = tried.max_by(|one, other| nodes[*one].visits.total_cmp(&nodes[*other].visits));
    match best.and_then(|best| nodes[best].played) {
        Some((m, _)) => m,
        None => nodes[0].untried[0],
    }
}

fn most_urgent<M>(nodes: &[Node<M>], at: usize) -> usize {
    let all = nodes[at].visits.ln();
    let urgency = |child: usize| {
        let node = &nodes[child];
        node.points / node.visits + CURIOSITY * (all / node.visits).sqrt()
    };
    let children = nodes[at].children.iter().copied();
    children
        .max_by(|one, other| urgency(*one).total_cmp(&urgency(*other)))
        .unwrap_or(at)
}

fn step<P: Position>(pos: &mut P, played: Option<(P::Move, Side)>) {
    if let Some((m, _)) = played {
        pos.play_unchecked(m);
    }
}

/// Plays random moves to the end of the game and returns the winner.
fn play_out<P: Position>(mut pos: P, moves: &mut Vec<P::Move>, dice: &mut Dice) -> Option<Side> {
    for _ in 0..MAX_PLIES {
        if let Some(outcome) = pos.outcome() {
            return outcome.winner;
        }
        moves.clear();
        pos.legal_moves_into(moves);
        pos.play_unchecked(moves[dice.below(moves.len())]);
    }
    None
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 % n.max(1) as u64) as usize
    }
}
