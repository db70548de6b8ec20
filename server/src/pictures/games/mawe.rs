//! Mawe!: stones, and pinned stones, which show the cross of their underside.

use mawe_rules::games::mawe::MawePosition;
use mawe_rules::{AnyMove, Side, Square};

use super::grid::{Grid, Ground, SQUARES, squares_of};
use crate::pictures::canvas::{Canvas, STONE};
use crate::pictures::colours::{self, Colour, Shade};

/// The last row from the top: rank 1 is drawn at the bottom.
const BOTTOM: u8 = 7;

pub(super) fn draw(canvas: &mut Canvas, position: &MawePosition, last: Option<AnyMove>) {
    let grid = Grid::draw(
        canvas,
        SQUARES,
        Ground::Checked(colours::WOOD_LIGHT, colours::WOOD_DARK),
    );
    for column in 0..=BOTTOM {
        for row in [0, BOTTOM] {
            grid.fill(canvas, column, row, colours::GOAL, ".28");
        }
    }
    if let Some(AnyMove::Mawe(last)) = last {
        for square in [last.from(), last.to()] {
            let (column, row) = place(square);
            grid.mark(canvas, column, row);
        }
    }
    stone(canvas, "stone-light", "light");
    stone(canvas, "stone-dark", "dark");
    pinned(
        canvas,
        "pinned-light",
        colours::LIGHT_UNDER,
        colours::LIGHT_CUT,
    );
    pinned(
        canvas,
        "pinned-dark",
        colours::DARK_UNDER,
        colours::DARK_CUT,
    );
    for (side, ids) in [
        (Side::First, ["stone-light", "pinned-light"]),
        (Side::Second, ["stone-dark", "pinned-dark"]),
    ] {
        let stones = position.stones(side);
        for (set, id) in [
            (stones & !position.pinned(), ids[0]),
            (stones & position.pinned(), ids[1]),
        ] {
            for (column, rank) in squares_of(set) {
                grid.piece(canvas, id, column, BOTTOM - rank);
            }
        }
    }
}

fn place(square: Square) -> (u8, u8) {
    let [file, rank] = [square.file(), square.rank()].map(i8::unsigned_abs);
    (file, BOTTOM.saturating_sub(rank))
}

const SHADOW: &str = "<ellipse cx=\"50\" cy=\"60\" rx=\"48\" ry=\"45\" fill=\"url(#shadow)\"/>";

/// Defines a stone that lies on its flat side.
fn stone(canvas: &mut Canvas, id: &str, shade: &str) {
    let (glint, grain) = if shade == "light" {
        (".7", colours::LIGHT_EDGE)
    } else {
        (".16", colours::DARK_RING)
    };
    canvas.define(format_args!(
        "<g id=\"{id}\">{SHADOW}<path fill=\"url(#{shade})\" d=\"{STONE}\"/><ellipse cx=\"38\" cy=\"32\" rx=\"19\" ry=\"11\" transform=\"rotate(-28 38 32)\" fill=\"#fff\" opacity=\"{glint}\"/><path fill=\"none\" stroke=\"{grain}\" stroke-width=\"2\" stroke-linecap=\"round\" opacity=\".5\" d=\"M30 62q3 1 5 0M58 71q4 1 6-1M66 50q3-1 5 1M47 56q2 1 4 0M60 36q2 1 4 0\"/></g>"
    ));
}

/// Defines a stone that was turned over.
fn pinned(canvas: &mut Canvas, id: &str, shade: Shade, cut: Colour) {
    let [_, _, rim] = shade;
    canvas.shade(&format!("{id}-under"), shade);
    canvas.define(format_args!(
        "<g id=\"{id}\">{SHADOW}<path fill=\"url(#{id}-under)\" d=\"{STONE}\"/><path fill=\"none\" stroke=\"{rim}\" stroke-width=\"4\" opacity=\".7\" d=\"{STONE}\" transform=\"translate(9 9) scale(.82)\"/><path fill=\"none\" stroke=\"{cut}\" stroke-width=\"10\" stroke-linecap=\"round\" d=\"M34 34L66 66M66 34L34 66\"/></g>"
    ));
}
