//! Reversi: discs on lined squares.

use mawe_rules::games::reversi::{ReversiMove, ReversiPosition};
use mawe_rules::{AnyMove, Side};

use super::grid::{Grid, Ground, SQUARES, squares_of};
use crate::pictures::canvas::Canvas;
use crate::pictures::colours;

pub(super) fn draw(canvas: &mut Canvas, position: &ReversiPosition, last: Option<AnyMove>) {
    let grid = Grid::draw(
        canvas,
        SQUARES,
        Ground::Lined(colours::MOSS, colours::MOSS_LINE),
    );
    if let Some(AnyMove::Reversi(ReversiMove::Place(square))) = last {
        let [column, row] = [square.file(), square.rank()].map(i8::unsigned_abs);
        grid.mark(canvas, column, row);
    }
    for (side, id, shade, edge) in [
        (Side::First, "disc-dark", "dark", colours::LIGHT_EDGE),
        (Side::Second, "disc-light", "light", colours::DARK_EDGE),
    ] {
        // The other side of the disc shows as its lower edge.
        canvas.define(format_args!(
            "<g id=\"{id}\"><circle cx=\"50\" cy=\"58\" r=\"47\" fill=\"url(#shadow)\"/><circle cx=\"50\" cy=\"53\" r=\"40\" fill=\"{edge}\"/><circle cx=\"50\" cy=\"48\" r=\"40\" fill=\"url(#{shade})\"/></g>"
        ));
        for (column, row) in squares_of(position.discs(side)) {
            grid.piece(canvas, id, column, row);
        }
    }
}
