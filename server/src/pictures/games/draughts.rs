//! American checkers and the draughts family: men and kings on the dark squares, the side that begins at the bottom as on the page.

use mawe_rules::games::draughts::{self, DraughtsMove, DraughtsPosition, Square, Variant};
use mawe_rules::{AnyMove, Side};

use super::grid::{Grid, Ground};
use crate::pictures::canvas::Canvas;
use crate::pictures::colours::{self, Colour};

/// The pieces of a position, each the number of its square and whether it is a king.
pub(super) struct Pieces {
    light: Vec<(u8, bool)>,
    dark: Vec<(u8, bool)>,
    /// The dark squares of a row.
    in_row: u8,
    /// Whether the dark side is at the bottom; its home has the lowest numbers.
    is_turned: bool,
}

impl Pieces {
    pub(super) fn of<V: Variant>(position: &DraughtsPosition<V>) -> Self {
        // At most 5, and 50 squares.
        let in_row = V::ROW as u8;
        let of_colour = |colour: draughts::Colour| {
            let side = Side::ALL
                .into_iter()
                .find(|side| V::colour(*side) == colour);
            let pieces = side.map_or(0, |side| position.pieces(side));
            let is_there =
                |number: &u8| pieces & DraughtsPosition::<V>::square(u32::from(*number)) != 0;
            (1..=2 * in_row * in_row)
                .filter(is_there)
                .map(|number| (number, position.is_king(number)))
                .collect()
        };
        Self {
            light: of_colour(draughts::Colour::White),
            dark: of_colour(draughts::Colour::Black),
            in_row,
            is_turned: V::BEGINS == draughts::Colour::Black,
        }
    }

    /// Returns the column and the row of a square from its number.
    fn place(&self, number: u8) -> (u8, u8) {
        let row = (number - 1) / self.in_row;
        let column = 2 * ((number - 1) % self.in_row) + u8::from(row.is_multiple_of(2));
        let last = 2 * self.in_row - 1;
        match self.is_turned {
            true => (last - column, last - row),
            false => (column, row),
        }
    }
}

/// The squares of a move of the family; none of another game.
fn squares_of(played: AnyMove) -> Vec<u8> {
    fn numbers<V: Variant>(m: DraughtsMove<V>) -> Vec<u8> {
        let squares = std::iter::once(m.from()).chain(m.landings());
        squares.map(Square::number).collect()
    }
    match played {
        AnyMove::Checkers(m) => numbers(m),
        AnyMove::Drafti(m) => numbers(m),
        AnyMove::Brazilian(m) => numbers(m),
        AnyMove::Russian(m) => numbers(m),
        AnyMove::International(m) => numbers(m),
        AnyMove::Pool(m) => numbers(m),
        _ => Vec::new(),
    }
}

pub(super) fn draw(canvas: &mut Canvas, pieces: &Pieces, last: Option<AnyMove>) {
    let grid = Grid::draw(
        canvas,
        2 * pieces.in_row,
        Ground::Checked(colours::WOOD_LIGHT, colours::CHECKED_DARK),
    );
    for number in last.map(squares_of).unwrap_or_default() {
        let (column, row) = pieces.place(number);
        grid.mark(canvas, column, row);
    }
    for (of, shade, edge, ring, crown) in [
        (
            &pieces.dark,
            "dark",
            colours::DARK_EDGE,
            colours::DARK_RING,
            colours::DARK_CROWN,
        ),
        (
            &pieces.light,
            "light",
            colours::LIGHT_EDGE,
            colours::LIGHT_RING,
            colours::LIGHT_CROWN,
        ),
    ] {
        let ids = [format!("man-{shade}"), format!("king-{shade}")];
        define(canvas, &ids, shade, edge, ring, crown);
        for (number, is_king) in of {
            let (column, row) = pieces.place(*number);
            grid.piece(canvas, &ids[usize::from(*is_king)], column, row);
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
