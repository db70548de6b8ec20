//! Listing of moves, RULES-draughts.md sections 3 and 7.2.

use super::board::{ALL, DOWN, Geometry, UP};
use super::moves::DraughtsMove;
use super::position::DraughtsPosition;
use super::variant::{Colour, Crowning, KingLanding, Variant};
use crate::vocab::Side;

/// The directions in which a side's men move.
pub(super) fn forward<V: Variant>(side: Side) -> [usize; 2] {
    match V::colour(side) {
        Colour::White => UP,
        Colour::Black => DOWN,
    }
}

/// The directions in which a side's men capture.
pub(super) fn of_men<V: Variant>(side: Side) -> &'static [usize] {
    match (V::MEN_CAPTURE_BACKWARDS, V::colour(side)) {
        (true, _) => &ALL,
        (false, Colour::White) => &UP,
        (false, Colour::Black) => &DOWN,
    }
}

/// The single squares of a set, in the order of their numbers.
fn squares(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let square = set & set.wrapping_neg();
        set &= !square;
        (square != 0).then_some(square)
    })
}

/// Appends the moves without capture.
pub(super) fn steps<V: Variant>(position: &DraughtsPosition<V>, moves: &mut Vec<DraughtsMove<V>>) {
    let side = position.turn;
    let empty = empty(position);
    for from in squares(position.pieces[side]) {
        let number = Geometry::<V>::number(from);
        if position.kings & from == 0 {
            for direction in forward::<V>(side) {
                let to = Geometry::<V>::step(from, direction) & empty;
                if to != 0 {
                    moves.push(DraughtsMove::step(number, Geometry::<V>::number(to)));
                }
            }
            continue;
        }
        for direction in ALL {
            let ray = std::iter::successors(Some(from), |at| {
                Some(Geometry::<V>::step(*at, direction) & empty)
            });
            for to in ray.skip(1).take_while(|to| *to != 0) {
                moves.push(DraughtsMove::step(number, Geometry::<V>::number(to)));
            }
        }
    }
}

fn empty<V: Variant>(position: &DraughtsPosition<V>) -> u64 {
    Geometry::<V>::BOARD & !(position.pieces.first | position.pieces.second)
}

/// Whether the side to move has a move without capture, were it allowed.
pub(super) fn can_step<V: Variant>(position: &DraughtsPosition<V>) -> bool {
    let own = position.pieces[position.turn];
    let empty = empty(position);
    let reaches = |movers: u64, direction| Geometry::<V>::step(movers, direction) & empty != 0;
    forward::<V>(position.turn)
        .into_iter()
        .any(|direction| reaches(own, direction))
        || ALL
            .into_iter()
            .any(|direction| reaches(own & position.kings, direction))
}

/// The men of a side with an empty square in front of them.
pub(super) fn steppers<V: Variant>(position: &DraughtsPosition<V>, side: Side) -> u64 {
    let men = position.pieces[side] & !position.kings;
    let empty = empty(position);
    forward::<V>(side)
        .into_iter()
        .fold(0, |steppers, direction| {
            let targets = Geometry::<V>::step(men, direction) & empty;
            // The directions are in opposite pairs.
            steppers | Geometry::<V>::step(targets, 3 - direction)
        })
}

/// Whether the side to move must capture.
pub(super) fn can_capture<V: Variant>(position: &DraughtsPosition<V>) -> bool {
    capturers(position) != 0
}

/// The pieces that can capture.
fn capturers<V: Variant>(position: &DraughtsPosition<V>) -> u64 {
    let side = position.turn;
    let (own, opponent) = (position.pieces[side], position.pieces[side.other()]);
    let empty = empty(position);
    let men = own & !position.kings;
    let mut capturers = 0;
    for direction in of_men::<V>(side) {
        // The directions are in opposite pairs.
        let back = 3 - direction;
        let landings =
            Geometry::<V>::step(Geometry::<V>::step(men, *direction) & opponent, *direction)
                & empty;
        capturers |= Geometry::<V>::step(Geometry::<V>::step(landings, back), back);
    }
    for king in squares(own & position.kings) {
        let hunt = Hunt::<V>::of(position, king);
        if hunt.king_can_capture(king, opponent) {
            capturers |= king;
        }
    }
    capturers
}

/// Appends the captures, each once under its canonical path; returns whether there are any.
pub(super) fn captures<V: Variant>(
    position: &DraughtsPosition<V>,
    moves: &mut Vec<DraughtsMove<V>>,
) -> bool {
    let begin = moves.len();
    let opponent = position.pieces[position.turn.other()];
    let mut list = List::<'_, V> {
        begin,
        moves,
        variant: std::marker::PhantomData,
    };
    for from in squares(capturers(position)) {
        let hunt = Hunt::<V>::of(position, from);
        let m = DraughtsMove::capture(Geometry::<V>::number(from));
        if position.kings & from != 0 {
            hunt.by_king(from, opponent, m, &mut list);
        } else {
            hunt.by_man(from, opponent, m, &mut list);
        }
    }
    if moves.len() > begin {
        keep_canonical(position, moves, begin);
    }
    moves.len() > begin
}

/// The complete captures found so far.
struct List<'a, V: Variant> {
    begin: usize,
    moves: &'a mut Vec<DraughtsMove<V>>,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> List<'_, V> {
    /// Adds a complete capture. Under the majority rule only the largest are kept.
    fn add(&mut self, m: DraughtsMove<V>) {
        if V::MAJORITY {
            let most = self.moves.get(self.begin).map_or(0, |first| first.jumps());
            if m.jumps() < most {
                return;
            }
            if m.jumps() > most {
                self.moves.truncate(self.begin);
            }
        }
        self.moves.push(m);
    }
}

/// A capture by one piece of the side to move.
pub(super) struct Hunt<V> {
    /// All pieces but the capturing one: also those already taken, which stay until the end.
    pub(super) occupied: u64,
    side: Side,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> Hunt<V> {
    pub(super) fn of(position: &DraughtsPosition<V>, from: u64) -> Self {
        Self {
            occupied: (position.pieces.first | position.pieces.second) & !from,
            side: position.turn,
            variant: std::marker::PhantomData,
        }
    }

    /// Adds every complete capture of a man on `at` that has made the jumps of `m`; `left` are the opponent's pieces that are not taken yet.
    fn by_man(&self, at: u64, left: u64, m: DraughtsMove<V>, list: &mut List<'_, V>) {
        let mut ends_here = m.is_capture();
        for direction in of_men::<V>(self.side) {
            let over = Geometry::<V>::step(at, *direction) & left;
            let landing = Geometry::<V>::step(over, *direction) & !self.occupied;
            if landing == 0 {
                continue;
            }
            ends_here = false;
            let (left, m) = (left & !over, m.and_jump(Geometry::<V>::number(landing)));
            match V::CROWNING {
                Crowning::Passes => self.by_man(landing, left, m, list),
                _ if landing & V::far_row(self.side) == 0 => self.by_man(landing, left, m, list),
                Crowning::Stops => list.add(m),
                Crowning::GoesOn => self.by_king(landing, left, m, list),
            }
        }
        if ends_here {
            list.add(m);
        }
    }

    /// As [`by_man`](Hunt::by_man), for a king.
    fn by_king(&self, at: u64, left: u64, m: DraughtsMove<V>, list: &mut List<'_, V>) {
        let mut ends_here = m.is_capture();
        for direction in ALL {
            let Some((over, landings)) = self.jump(at, left, direction) else {
                continue;
            };
            ends_here = false;
            let left = left & !over;
            let going_on = squares(landings)
                .filter(|landing| self.king_can_capture(*landing, left))
                .fold(0, |set, landing| set | landing);
            for landing in squares(allowed::<V>(landings, going_on, direction)) {
                let m = m.and_jump(Geometry::<V>::number(landing));
                if landing & going_on != 0 {
                    self.by_king(landing, left, m, list);
                } else {
                    list.add(m);
                }
            }
        }
        if ends_here {
            list.add(m);
        }
    }

    /// The piece that a king on `at` takes in a direction, and the empty squares behind it up to the next piece.
    fn jump(&self, at: u64, left: u64, direction: usize) -> Option<(u64, u64)> {
        let mut over = Geometry::<V>::step(at, direction);
        while over != 0 && over & self.occupied == 0 {
            over = Geometry::<V>::step(over, direction);
        }
        if over & left == 0 {
            return None;
        }
        let mut landings = 0;
        let mut landing = Geometry::<V>::step(over, direction) & !self.occupied;
        while landing != 0 {
            landings |= landing;
            landing = Geometry::<V>::step(landing, direction) & !self.occupied;
        }
        (landings != 0).then_some((over, landings))
    }

    pub(super) fn king_can_capture(&self, at: u64, left: u64) -> bool {
        ALL.into_iter()
            .any(|direction| self.jump(at, left, direction).is_some())
    }
}

/// The squares among `landings` on which a king may land that can go on from those of `going_on`.
fn allowed<V: Variant>(landings: u64, going_on: u64, direction: usize) -> u64 {
    if going_on == 0 {
        return landings;
    }
    match V::KING_LANDING {
        KingLanding::WhereItGoesOn => going_on,
        // Down the board the bits grow.
        KingLanding::UpToGoingOn if DOWN.contains(&direction) => {
            let first = going_on & going_on.wrapping_neg();
            landings & (first | (first - 1))
        }
        KingLanding::UpToGoingOn => {
            let first = 1 << (63 - going_on.leading_zeros());
            landings & !(first - 1)
        }
    }
}

/// Keeps, of the captures from `begin` on that differ in their paths alone, the one with the smallest path; sorts the captures.
fn keep_canonical<V: Variant>(
    position: &DraughtsPosition<V>,
    moves: &mut Vec<DraughtsMove<V>>,
    begin: usize,
) {
    moves[begin..].sort_unstable();
    let ends = |m: &DraughtsMove<V>| (m.from(), m.to());
    let rest = &moves[begin..];
    let is_repeated =
        |(at, m): (usize, &DraughtsMove<V>)| rest[..at].iter().any(|o| ends(o) == ends(m));
    // Two paths of one jump between the same squares are equal.
    if rest.iter().all(|m| m.jumps() == 1) || !rest.iter().enumerate().any(is_repeated) {
        return;
    }
    let mut known = std::collections::HashSet::new();
    let mut at = 0;
    moves.retain(|m| {
        at += 1;
        at <= begin || known.insert((ends(m), captured(position, *m)))
    });
}

/// The pieces that a legal move takes: one between each two landing squares.
pub(super) fn captured<V: Variant>(position: &DraughtsPosition<V>, m: DraughtsMove<V>) -> u64 {
    if !m.is_capture() {
        return 0;
    }
    let opponent = position.pieces[position.turn.other()];
    let mut captured = 0;
    let mut at = Geometry::<V>::bit(u32::from(m.from()));
    for landing in m.landings() {
        let landing = Geometry::<V>::bit(u32::from(landing));
        captured |= Line::of::<V>(at, landing).map_or(0, |line| line.between) & opponent;
        at = landing;
    }
    captured
}

/// The path from a square to another on a diagonal.
pub(super) struct Line {
    pub(super) direction: usize,
    /// The squares between the two.
    pub(super) between: u64,
}

impl Line {
    /// The path between two squares; `None` where no diagonal has both.
    pub(super) fn of<V: Variant>(from: u64, to: u64) -> Option<Self> {
        ALL.into_iter().find_map(|direction| {
            let (mut at, mut between) = (Geometry::<V>::step(from, direction), 0);
            while at != 0 && at != to {
                between |= at;
                at = Geometry::<V>::step(at, direction);
            }
            (at != 0).then_some(Self { direction, between })
        })
    }

    /// The number of steps.
    pub(super) const fn length(&self) -> u32 {
        self.between.count_ones() + 1
    }
}
