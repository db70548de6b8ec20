//! Bao: two rows of eight pits a side between two stores. The house is square as long as its owner has it.

use mawe_rules::games::bao::{BaoPosition, Pit};
use mawe_rules::{AnyMove, Side};

use super::sowing::{Hollow, Seeds, define, dig, pile};
use crate::pictures::canvas::{Area, Canvas, HEIGHT, WIDTH};
use crate::pictures::colours;
use crate::pictures::last_move::LastMove;

/// The board with its shadow.
pub(super) const AREA: Area = Area {
    left: 0,
    top: 24,
    width: 1200,
    height: 560,
};

/// The distance from pit to pit.
const STEP: f32 = 100.0;

/// The columns of pits, with one for a store on either side.
const COLUMNS: f32 = 10.0;

/// The pits of a row.
const IN_ROW: u8 = 8;

/// The width and the height of the board.
const BOARD: (f32, f32) = (COLUMNS * STEP + 40.0, 4.0 * STEP + 64.0);

#[allow(clippy::cast_precision_loss, reason = "they are small")]
const LEFT_TOP: (f32, f32) = (
    (WIDTH as f32 - BOARD.0) / 2.0,
    (HEIGHT as f32 - BOARD.1) / 2.0 - 14.0,
);

pub(super) fn draw(canvas: &mut Canvas, position: &BaoPosition, last: Option<LastMove>) {
    let colours = &colours::BAO;
    define(canvas, colours, Seeds::Round);
    let ((left, top), (wide, high)) = (LEFT_TOP, BOARD);
    canvas.board_shadow(left, top, wide, high, 34.0);
    canvas.draw(format_args!(
        "<rect x=\"{left}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" rx=\"34\" fill=\"{}\"/><rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"34\" fill=\"url(#board)\"/><path stroke=\"{}\" stroke-width=\"3\" opacity=\".5\" d=\"M{} {}h{}\"/>",
        top + 7.0,
        colours.hollow[0],
        colours.lip,
        left + STEP + 20.0,
        top + high / 2.0,
        wide - 2.0 * STEP - 40.0,
    ));
    for side in Side::ALL {
        for (pit, seeds) in Pit::ALL.into_iter().zip(position.pits(side)) {
            let half = STEP * 0.42;
            let is_house = pit == Pit::HOUSE && position.owns_house(side);
            let (x, y) = middle(side, pit);
            let hollow = Hollow {
                x,
                y,
                half: (half, half),
                round: if is_house { half * 0.3 } else { half },
            };
            let is_last = last.is_some_and(|last| {
                last.side == side && matches!(last.played, AnyMove::Bao(m) if m.pit() == pit)
            });
            dig(canvas, hollow, colours, is_last);
            pile(canvas, hollow, u16::from(seeds), usize::from(pit.number()));
        }
        let column = match side {
            Side::First => COLUMNS - 0.5,
            Side::Second => 0.5,
        };
        let store = Hollow {
            x: left + 20.0 + STEP * column,
            y: top + high / 2.0,
            half: (STEP * 0.36, high / 2.0 - STEP * 0.36),
            round: STEP * 0.36,
        };
        dig(canvas, store, colours, false);
        pile(canvas, store, u16::from(position.store(side)), 0);
    }
    canvas.sign(1080, 545);
}

/// The middle of a pit: the rows of North are those of South, turned by half a turn.
fn middle(side: Side, pit: Pit) -> (f32, f32) {
    let number = f32::from((pit.number() - 1) % IN_ROW);
    let row = if pit.is_front() { 0.5 } else { 1.5 };
    let (x, y) = (number - 3.5, row);
    let ((left, top), (wide, high)) = (LEFT_TOP, BOARD);
    let turned = match side {
        Side::First => 1.0,
        Side::Second => -1.0,
    };
    (
        left + wide / 2.0 + turned * x * STEP,
        top + high / 2.0 + turned * y * STEP,
    )
}
