//! The exact value of Kalah positions, by search.
//!
//! The search tests whether a position is worth at least a number of seeds. Each result is a bound on
//! its value, and the tests are repeated until the bounds meet (MTD(f): A. Plaat, "Best-first
//! fixed-depth minimax algorithms", Artificial Intelligence 87, 1996). Values are counted from the
//! position on, so that the same houses with other stores are one position; the table keeps both bounds
//! of each. With few seeds in the houses the database gives the value, if there is one.
//!
//! The method follows G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000).

use mawe_rules::Position;
use mawe_rules::games::kalah::{HOUSES as OWN, KalahMove, KalahPosition};

use super::kalah::{KalahDatabase, ahead, houses_of};
use super::seeds::{self, Houses, MOST};
use crate::limits::Share;

/// The slots of a cluster, which fills a cache line.
const WAYS: usize = 4;
const SLOT_BYTES: usize = 16;
/// The value of `best` without a move.
const NO_MOVE: u8 = OWN as u8;

/// Bounds on the value of a position: the seeds that the side to move gains from here on, less those of
/// the other side.
#[derive(Clone, Copy)]
struct Slot {
    /// The number of the distribution of the seeds, plus one; 0 is an empty slot.
    key: u64,
    low: i8,
    high: i8,
    /// The lane of the move that reached the lower bound, or otherwise of the best move.
    best: u8,
    /// The binary logarithm of the number of positions visited for these bounds.
    work: u8,
}

const EMPTY: Slot = Slot {
    key: 0,
    low: 0,
    high: 0,
    best: NO_MOVE,
    work: 0,
};

/// The exact value of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    /// The margin by which the side to move wins, in seeds, including those in the stores.
    pub(crate) points: i32,
    /// The principal variation, the best move first.
    pub(crate) pv: Vec<KalahMove>,
    /// The number of positions visited.
    pub(crate) nodes: u64,
    /// The written slots of the table, per thousand.
    pub(crate) table_permille: u32,
}

/// Solves a position with a table of about `bytes`. `None` if a limit of `share` is reached, if the
/// position has too many seeds, or if the game is over.
pub(crate) fn solve(
    pos: &KalahPosition,
    database: &KalahDatabase,
    bytes: usize,
    share: Share<'_>,
) -> Option<Solved> {
    let root = Node::of(pos.clone())?;
    if pos.outcome().is_some() {
        return None;
    }
    let clusters = 1 << (bytes / (WAYS * SLOT_BYTES)).max(1).ilog2();
    let mut table = Vec::new();
    table.try_reserve_exact(clusters).ok()?;
    table.resize(clusters, [EMPTY; WAYS]);
    let mut solver = Solver {
        database,
        table,
        share,
        nodes: 0,
        is_stopped: false,
    };
    let value = solver.value(&root)?;
    let pv = solver.line(&root);
    Some(Solved {
        points: value + root.ahead(),
        pv,
        nodes: solver.nodes,
        table_permille: solver.permille_used(),
    })
}

/// A position, its houses and the number of seeds in them.
struct Node {
    pos: KalahPosition,
    houses: Houses,
    seeds: i32,
}

impl Node {
    fn of(pos: KalahPosition) -> Option<Self> {
        let houses = houses_of(&pos, MOST + 1)?;
        let seeds = houses.iter().map(|seeds| i32::from(*seeds)).sum();
        Some(Self { pos, houses, seeds })
    }

    /// The seeds in the mover's store less those in the other.
    fn ahead(&self) -> i32 {
        ahead(&self.pos, self.pos.turn())
    }

    fn after(&self, m: KalahMove) -> Step {
        let side = self.pos.turn();
        let mut pos = self.pos.clone();
        pos.play_unchecked(m);
        let node = Self::of(pos).expect("a move adds no seeds");
        Step {
            gain: ahead(&node.pos, side) - self.ahead(),
            again: node.pos.turn() == side,
            lane: m.house() - 1,
            node,
        }
    }
}

/// A move and the node after it.
struct Step {
    node: Node,
    /// The change of the mover's lead by the move, in seeds.
    gain: i32,
    /// Whether the mover moves again.
    again: bool,
    lane: u8,
}

impl Step {
    /// The bound for the node, from the view of its side to move, that decides whether the move is worth
    /// `goal` or more: if the same side moves again, the move is worth it if the node reaches the bound,
    /// otherwise if it does not. All values of a node are even or all are odd, hence the step of two.
    fn goal(&self, goal: i32) -> i32 {
        match self.again {
            true => goal - self.gain,
            false => self.gain - goal + 2,
        }
    }

    /// The value of the move if the node has this value.
    fn worth(&self, value: i32) -> i32 {
        self.gain + if self.again { value } else { -value }
    }
}

struct Solver<'a> {
    database: &'a KalahDatabase,
    table: Vec<[Slot; WAYS]>,
    share: Share<'a>,
    nodes: u64,
    is_stopped: bool,
}

impl Solver<'_> {
    /// The value of a position, counted from here on.
    fn value(&mut self, node: &Node) -> Option<i32> {
        let (mut low, mut high) = (-node.seeds, node.seeds);
        // All seeds are divided, so a difference has the parity of their number.
        let mut guess = node.seeds % 2;
        while low < high {
            let goal = if guess == low { guess + 2 } else { guess };
            let value = self.search(node, goal);
            if self.is_stopped {
                return None;
            }
            match value >= goal {
                true => low = value,
                false => high = value,
            }
            guess = value;
        }
        Some(low)
    }

    /// A bound on the value: a lower bound if it is `goal` or more, an upper bound if it is less.
    fn search(&mut self, node: &Node, goal: i32) -> i32 {
        if let Some(value) = self.at_once(node, goal) {
            return value;
        }
        if !self.share.count_node() {
            self.is_stopped = true;
            return 0;
        }
        self.nodes += 1;
        let begun = self.nodes;
        let known = self.get(node).map_or(NO_MOVE, |slot| slot.best);

        let mut steps: [Option<Step>; OWN] = [const { None }; OWN];
        let mut ranks = [(i32::MIN, 0_u8); OWN];
        let mut count = 0;
        for lane in (0..OWN as u8).rev() {
            if node.houses[usize::from(lane)] == 0 {
                continue;
            }
            let Some(m) = KalahMove::new(lane + 1) else {
                continue;
            };
            let step = node.after(m);
            // A known bound of the child may suffice.
            if let Some(value) = self.at_once(&step.node, step.goal(goal)) {
                let value = step.worth(value);
                if value >= goal {
                    self.put(node, value, true, lane, begun);
                    return value;
                }
            }
            let order_score = match lane == known {
                true => i32::MAX,
                false => self.order_score(&step),
            };
            ranks[count] = (order_score, count as u8);
            steps[count] = Some(step);
            count += 1;
        }
        ranks[..count].sort_unstable_by(|a, b| b.cmp(a));

        let (mut best, mut best_lane) = (-i32::MAX, NO_MOVE);
        for (_, place) in &ranks[..count] {
            let Some(step) = &steps[usize::from(*place)] else {
                continue;
            };
            let value = step.worth(self.search(&step.node, step.goal(goal)));
            if self.is_stopped {
                return 0;
            }
            if value > best {
                (best, best_lane) = (value, step.lane);
                if value >= goal {
                    break;
                }
            }
        }
        self.put(node, best, best >= goal, best_lane, begun);
        best
    }

    /// The value, or a bound that decides the test, without a search.
    fn at_once(&self, node: &Node, goal: i32) -> Option<i32> {
        // The value is at most the number of seeds in the houses.
        if -node.seeds >= goal {
            return Some(-node.seeds);
        }
        if node.seeds < goal {
            return Some(node.seeds);
        }
        if let Some(value) = self.database.of_houses(&node.houses) {
            return Some(value);
        }
        if node.seeds == 0 {
            return Some(0);
        }
        let slot = self.get(node)?;
        let (low, high) = (i32::from(slot.low), i32::from(slot.high));
        match () {
            () if low >= goal => Some(low),
            () if high < goal => Some(high),
            () => None,
        }
    }

    /// The order of a move: its gain, a further move, and the middle of the bounds of the node after it.
    /// The weights are tuned so that the start with three seeds takes few nodes.
    fn order_score(&self, step: &Step) -> i32 {
        let further = if step.again { 45 } else { 0 };
        let known = self.get(&step.node).map_or(0, |slot| {
            let bounds = i32::from(slot.low) + i32::from(slot.high);
            if step.again { bounds } else { -bounds }
        });
        10 * step.gain + 5 * known + further + i32::from(step.lane)
    }

    /// The principal variation, as far as it is certain.
    fn line(&mut self, root: &Node) -> Vec<KalahMove> {
        let mut line = Vec::new();
        let mut node = Node::of(root.pos.clone());
        while let Some(here) = node.take_if(|node| node.pos.outcome().is_none()) {
            let Some(value) = self.value(&here) else {
                break;
            };
            let steps = here
                .pos
                .legal_moves()
                .into_iter()
                .map(|m| (m, here.after(m)));
            let mut best = None;
            for (m, step) in steps {
                // Tests whether the move is worth as much; the table makes this fast.
                let goal = step.goal(value);
                let found = step.worth(self.search(&step.node, goal));
                if self.is_stopped {
                    return line;
                }
                if found >= value {
                    best = Some((m, step.node));
                    break;
                }
            }
            let Some((m, next)) = best else {
                break;
            };
            line.push(m);
            node = Some(next);
        }
        line
    }

    fn get(&self, node: &Node) -> Option<Slot> {
        let key = seeds::rank_of_all(&node.houses) + 1;
        let slots = self.table[self.place(key)].iter();
        slots.copied().find(|slot| slot.key == key)
    }

    /// Stores a bound; a new position replaces the one with the least work in its cluster.
    fn put(&mut self, node: &Node, value: i32, is_low: bool, best: u8, begun: u64) {
        let key = seeds::rank_of_all(&node.houses) + 1;
        let work = (self.nodes - begun + 1).ilog2() as u8;
        let place = self.place(key);
        let cluster = &mut self.table[place];
        let known = cluster.iter().position(|slot| slot.key == key);
        let least = || (0..WAYS).min_by_key(|way| (cluster[*way].key != 0, cluster[*way].work));
        let Some(way) = known.or_else(least) else {
            return;
        };
        let slot = &mut cluster[way];
        if slot.key != key {
            *slot = Slot {
                key,
                low: -node.seeds as i8,
                high: node.seeds as i8,
                best,
                work,
            };
        }
        // The value is between -72 and 72.
        match is_low {
            true => slot.low = slot.low.max(value as i8),
            false => slot.high = slot.high.min(value as i8),
        }
        slot.best = best;
        slot.work = slot.work.max(work);
    }

    fn permille_used(&self) -> u32 {
        let sample = &self.table[..self.table.len().min(1_000)];
        let slots = sample.iter().flatten();
        let used = slots.filter(|slot| slot.key != 0).count();
        (used * 1_000 / (sample.len() * WAYS)) as u32
    }

    fn place(&self, key: u64) -> usize {
        // The length is a power of two; Fibonacci hashing (Knuth, volume 3, section 6.4).
        let bits = self.table.len().trailing_zeros();
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash.checked_shr(64 - bits).unwrap_or(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::kalah::database;
    use super::*;
    use crate::limits::{Budget, Limits};

    fn solved(text: &str, database: &KalahDatabase) -> Solved {
        let pos: KalahPosition = text.parse().expect("a position");
        let limits = Limits::default();
        let budget = Budget::start(&limits);
        solve(&pos, database, 16 << 20, budget.share()).expect("nothing stops it")
    }

    #[test]
    fn values_are_those_of_the_database_with_and_without_it() {
        let (whole, none, part) = (database(9), KalahDatabase::default(), database(4));
        let mut houses = [0; 12];
        for number in (0..seeds::ways(9)).step_by(1_009) {
            houses.copy_from_slice(&seeds::unrank(9, number));
            let half = |from: usize| {
                let house = |house: &u8| house.to_string();
                houses[from..from + 6]
                    .iter()
                    .map(house)
                    .collect::<Vec<_>>()
                    .join(",")
            };
            let text = format!("{},20/{},3 s", half(0), half(6));
            let pos: KalahPosition = text.parse().expect("a position");
            if pos.outcome().is_some() {
                continue;
            }
            let value = whole.value(&pos);
            for database in [&whole, &none, &part] {
                assert_eq!(Some(solved(&text, database).points), value, "{text}");
            }
        }
    }

    #[test]
    fn the_best_line_ends_with_the_value() {
        let none = KalahDatabase::default();
        let start = "1,1,1,1,1,1,0/1,1,1,1,1,1,0 s";
        let solved = solved(start, &none);
        let mut pos: KalahPosition = start.parse().expect("a position");
        for m in &solved.pv {
            pos.play(*m).expect("a legal move");
        }
        let score = pos
            .outcome()
            .and_then(|outcome| outcome.score)
            .expect("the end");
        assert_eq!(
            i32::from(score.first) - i32::from(score.second),
            solved.points
        );
    }

    #[test]
    fn the_start_with_one_seed_is_worth_what_the_sweep_of_all_positions_says() {
        let (none, whole) = (KalahDatabase::default(), database(12));
        let start = "1,1,1,1,1,1,0/1,1,1,1,1,1,0 s";
        let pos: KalahPosition = start.parse().expect("a position");
        assert_eq!(Some(solved(start, &none).points), whole.value(&pos));
    }

    #[test]
    fn a_limit_ends_it() {
        let pos: KalahPosition = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s".parse().expect("a position");
        let limits = Limits::nodes(1_000);
        let budget = Budget::start(&limits);
        let found = solve(&pos, &KalahDatabase::default(), 1 << 20, budget.share());
        assert_eq!(found, None);
    }
}
