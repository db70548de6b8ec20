//! American checkers: men and kings on the dark squares, Black at the bottom as on the page.

use mawe_rules::games::checkers::{CheckersPosition, Square};
use mawe_rules::{AnyMove, Side};

use super::grid::{Grid, Ground};
use crate::pictures::canvas::Canvas;
use crate::pictures::colours::{self, Colour};

const SQUARES: u8 = 32;

pub(super) fn draw(canvas: &mut Canvas, position: &CheckersPosition, last: Option<AnyMove>) {
    let grid = Grid::draw(
        canvas,
        Ground::Checked(colours::WOOD_LIGHT, colours::CHECKED_DARK),
    );
    if let Some(AnyMove::Checkers(last)) = last {
        for square in std::iter::once(last.from()).chain(last.landings()) {
            let (column, row) = place(square);
            grid.mark(canvas, column, row);
        }
    }
    for (side, shade, edge, ring, crown) in [
        (
            Side::First,
            "dark",
            colours::DARK_EDGE,
            colours::DARK_RING,
            colours::DARK_CROWN,
        ),
        (
            Side::Second,
            "light",
            colours::LIGHT_EDGE,
            colours::LIGHT_RING,
            colours::LIGHT_CROWN,
        ),
    ] {
        let ids = [format!("man-{shade}"), format!("king-{shade}")];
        define(canvas, &ids, shade, edge, ring, crown);
        let squares = (1..=SQUARES).filter_map(Square::new);
        for square in squares.filter(|square| position.pieces(side) & square.bit() != 0) {
            let is_king = position.kings() & square.bit() != 0;
            let (column, row) = place(square);
            grid.piece(canvas, &ids[usize::from(is_king)], column, row);
        }
    }
}

/// Defines a man and a king, which is a man on top of another.
fn define(
    canvas: &mut Canvas,
    [man, king]: &[String; 2],
    shade: &str,
    edge: Colour,
    ring: Colour,
    crown: Colour,
) {
    let shadow = "<circle cx=\"50\" cy=\"60\" r=\"47\" fill=\"url(#shadow)\"/>";
    let piece = |y: u8| {
        format!(
            "<circle cx=\"50\" cy=\"{}\" r=\"40\" fill=\"{edge}\"/><circle cx=\"50\" cy=\"{y}\" r=\"40\" fill=\"url(#{shade})\"/><circle cx=\"50\" cy=\"{y}\" r=\"33\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"3\"/>",
            y + 6
        )
    };
    canvas.define(format_args!(
        "<g id=\"{man}\">{shadow}{}<circle cx=\"50\" cy=\"47\" r=\"20\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"3\"/></g>",
        piece(47)
    ));
    canvas.define(format_args!(
        "<g id=\"{king}\">{shadow}{}{}<path fill=\"{crown}\" stroke=\"{crown}\" stroke-width=\"5\" stroke-linejoin=\"round\" d=\"M30 55L25 28L38 38L50 20L62 38L75 28L70 55Z\"/></g>",
        piece(50),
        piece(41)
    ));
}

/// Returns the column and the row of a square: the reading order of the numbers, turned by half a turn.
fn place(square: Square) -> (u8, u8) {
    let (number, row) = (square.number() - 1, square.row());
    let column = 2 * (number % 4) + u8::from(row % 2 == 0);
    (7 - column, 7 - row)
}
