//! The sowing games: two rows of houses between two stores, each with its seeds as a pile.

use mawe_rules::{AnyMove, BySide, Side};

use crate::pictures::canvas::{Area, Canvas, HEIGHT, WIDTH};
use crate::pictures::colours::{self, Sowing};
use crate::pictures::last_move::LastMove;

/// The board with its shadow.
pub(super) const AREA: Area = Area {
    left: 0,
    top: 88,
    width: 1200,
    height: 432,
};

/// The radius of a seed in its definition.
const SEED: f32 = 12.0;

/// The largest distance between neighbouring seeds of a pile.
const WIDE: f32 = 25.0;

/// The golden angle in degrees: seeds at its multiples never hide each other.
const GOLDEN: f32 = 137.508;

/// The look of the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seeds {
    Round,
    Cowries,
}

/// The contents of a board.
#[derive(Debug)]
pub(super) struct Houses {
    /// The seeds in the houses of the first and of the second side, in the order of their numbers; `None` for one out of play.
    pub(super) rows: [Vec<Option<u16>>; 2],
    pub(super) stores: BySide<u16>,
    /// The direction of sowing.
    pub(super) is_clockwise: bool,
    pub(super) last: Option<LastMove>,
}

/// A hollow of the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hollow {
    pub(super) x: f32,
    pub(super) y: f32,
    /// The half width and the half height.
    pub(super) half: (f32, f32),
    pub(super) round: f32,
}

pub(super) fn draw(canvas: &mut Canvas, houses: &Houses, colours: &Sowing, seeds: Seeds) {
    define(canvas, colours, seeds);
    let count = houses.rows[0].len();
    #[allow(clippy::cast_precision_loss, reason = "they are small")]
    let (width, height, columns) = (WIDTH as f32, HEIGHT as f32, (count + 2) as f32);
    let step = (1110.0 / columns).min(136.0);
    let (wide, high) = (step * columns, 2.0 * step + 64.0);
    let (left, top) = ((width - wide) / 2.0, (height - high) / 2.0 - 14.0);
    let round = match seeds {
        Seeds::Round => 42.0,
        Seeds::Cowries => 78.0,
    };
    canvas.board_shadow(left, top, wide, high, round);
    canvas.draw(format_args!(
        "<rect x=\"{left}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" rx=\"{round}\" fill=\"{}\"/><rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"{round}\" fill=\"url(#board)\"/><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" opacity=\".35\"/>",
        top + 7.0,
        colours.hollow[0],
        left + 9.0,
        top + 9.0,
        wide - 18.0,
        high - 18.0,
        round - 9.0,
        colours.lip
    ));
    let middle = |column: f32| left + step * (column + 0.5);
    for (side, row) in [Side::First, Side::Second].into_iter().zip(&houses.rows) {
        let is_near = side == Side::First;
        // Each row is sown from the first house; the far one is the near one, turned by half a turn.
        let is_rising = is_near != houses.is_clockwise;
        let y = top + high / 2.0 + if is_near { step / 2.0 } else { -step / 2.0 };
        for (number, content) in row.iter().enumerate() {
            let place = if is_rising {
                number
            } else {
                count - 1 - number
            };
            #[allow(clippy::cast_precision_loss, reason = "it is small")]
            let hollow = Hollow {
                x: middle(place as f32 + 1.0),
                y,
                half: (step * 0.42, step * 0.42),
                round: step * 0.42,
            };
            let is_last = houses
                .last
                .is_some_and(|last| last.side == side && house_of(last.played) == Some(number));
            dig(canvas, hollow, colours, is_last);
            match content {
                Some(count) => pile(canvas, hollow, *count, number),
                None => burn(canvas, hollow),
            }
        }
        let column = if is_rising { columns - 1.0 } else { 0.0 };
        let store = Hollow {
            x: middle(column),
            y: top + high / 2.0,
            half: (step * 0.38, high / 2.0 - step * 0.36),
            round: step * 0.38,
        };
        dig(canvas, store, colours, false);
        pile(canvas, store, houses.stores[side], count);
    }
    canvas.sign(1030, 520);
}

/// Returns the house of a sowing, counted from 0.
fn house_of(played: AnyMove) -> Option<usize> {
    let house = match played {
        AnyMove::Kalah(played) => played.house(),
        AnyMove::Oware(played) => played.house(),
        AnyMove::Congkak(played) => played.house(),
        AnyMove::Pallanguzhi(played) => played.house(),
        _ => return None,
    };
    usize::from(house).checked_sub(1)
}

pub(super) fn define(canvas: &mut Canvas, colours: &Sowing, seeds: Seeds) {
    canvas.down("board", colours.board);
    canvas.hollow("hollow", colours.hollow);
    for (number, shade) in colours.seeds.into_iter().enumerate() {
        let id = format!("seed-{number}");
        canvas.shade(&format!("{id}-shade"), shade);
        let shape = match seeds {
            Seeds::Round => format!(
                "<ellipse rx=\"{}\" ry=\"{SEED}\" fill=\"url(#{id}-shade)\"/>",
                SEED * 0.94
            ),
            Seeds::Cowries => format!(
                "<ellipse rx=\"{}\" ry=\"{SEED}\" fill=\"url(#{id}-shade)\"/><path stroke=\"{}\" stroke-width=\"2.4\" stroke-linecap=\"round\" d=\"M0-7v14\"/>",
                SEED * 0.78,
                colours::COWRIE_SLIT
            ),
        };
        canvas.define(format_args!(
            "<g id=\"{id}\"><ellipse cx=\"1\" cy=\"3\" rx=\"{SEED}\" ry=\"{SEED}\" fill=\"{}\" opacity=\".4\"/>{shape}</g>",
            colours::SHADOW
        ));
    }
}

pub(super) fn dig(canvas: &mut Canvas, hollow: Hollow, colours: &Sowing, is_last: bool) {
    let Hollow {
        x,
        y,
        half: (wide, high),
        round,
    } = hollow;
    let (left, top) = (x - wide, y - high);
    let rect = format!(
        "x=\"{left:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{round:.1}\"",
        2.0 * wide,
        2.0 * high
    );
    canvas.draw(format_args!(
        "<rect {rect} y=\"{:.1}\" fill=\"{}\" opacity=\".5\"/><rect {rect} y=\"{top:.1}\" fill=\"url(#hollow)\"/>",
        top + 3.0,
        colours.lip
    ));
    if is_last {
        canvas.draw(format_args!(
            "<rect class=\"last\" {rect} y=\"{top:.1}\" fill=\"none\" stroke=\"{}\" stroke-width=\"5\"/>",
            colours::LAST_RING
        ));
    }
}

/// Draws a pile of seeds, nearer to each other the more there are.
pub(super) fn pile(canvas: &mut Canvas, hollow: Hollow, count: u16, kind: usize) {
    let Hollow {
        x,
        y,
        half: (wide, high),
        ..
    } = hollow;
    let room = (wide - SEED, high - SEED);
    // Seed n lies at the distance `spread * sqrt(n + 1/2)`, so that all of them fill the ellipse of the hollow evenly.
    let most = f32::from(count.max(1)).sqrt();
    let spread = |room: f32| (room / most).min(WIDE * 0.62);
    let (across, down) = (spread(room.0), spread(room.1));
    for number in 0..count {
        let turn = f32::from(number) * GOLDEN;
        let angle = turn.to_radians();
        let distance = if count == 1 {
            0.0
        } else {
            (f32::from(number) + 0.5).sqrt()
        };
        let id = format!("seed-{}", (usize::from(number) + kind) % 3);
        canvas.place(
            &id,
            x + across * distance * angle.cos(),
            y + down * distance * angle.sin(),
            1.0,
            turn % 360.0,
        );
    }
}

/// Marks a burnt house with two strokes.
fn burn(canvas: &mut Canvas, hollow: Hollow) {
    let Hollow {
        x,
        y,
        half: (wide, _),
        ..
    } = hollow;
    let arm = wide * 0.4;
    canvas.draw(format_args!(
        "<path class=\"burnt\" stroke=\"{}\" stroke-width=\"12\" stroke-linecap=\"round\" d=\"M{:.1} {:.1}l{:.1} {:.1}m0 {:.1}l{:.1} {:.1}\"/>",
        colours::ASH,
        x - arm,
        y - arm,
        2.0 * arm,
        2.0 * arm,
        -2.0 * arm,
        -2.0 * arm,
        2.0 * arm
    ));
}
