//! A square board in its frame, with the squares of the last move.

use crate::pictures::canvas::{Area, Canvas, HEIGHT, WIDTH};
use crate::pictures::colours::{self, Colour};

/// The squares of a row, on most boards.
pub(super) const SQUARES: u8 = 8;

/// The side of the board inside the frame.
const SIZE: f32 = 528.0;

/// The width of the frame.
const FRAME: f32 = 15.0;

/// The board with its frame and its shadow.
pub(super) const AREA: Area = Area {
    left: 285,
    top: 0,
    width: 630,
    height: 630,
};

/// The squares that carry the ground of a board.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ground {
    /// Light and dark squares, the first one light.
    Checked(Colour, Colour),
    /// One colour, with lines.
    Lined(Colour, Colour),
}

/// A drawn board. Squares are counted from the left upper corner.
#[derive(Debug)]
pub(super) struct Grid {
    left: f32,
    top: f32,
    /// The squares of a row.
    row: u8,
}

impl Grid {
    /// Draws a board without pieces, with this many squares in a row.
    pub(super) fn draw(canvas: &mut Canvas, row: u8, ground: Ground) -> Grid {
        let size = SIZE;
        #[allow(clippy::cast_precision_loss, reason = "they are small")]
        let (width, height) = (WIDTH as f32, HEIGHT as f32);
        let grid = Grid {
            left: (width - size) / 2.0,
            top: (height - size) / 2.0,
            row,
        };
        let Grid { left, top, .. } = grid;
        let (x, y, outer) = (left - FRAME, top - FRAME, size + 2.0 * FRAME);
        canvas.board_shadow(x, y, outer, outer, 12.0);
        canvas.down("frame", colours::WOOD_FRAME);
        canvas.draw(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{outer}\" height=\"{outer}\" rx=\"12\" fill=\"url(#frame)\"/><path stroke=\"{}\" stroke-width=\"1.5\" opacity=\".55\" d=\"M{} {}h{}\"/>",
            colours::WOOD_EDGE,
            x + 10.0,
            y + 1.0,
            outer - 20.0
        ));
        let (below, above) = match ground {
            Ground::Checked(light, dark) => (light, dark),
            Ground::Lined(colour, line) => (colour, line),
        };
        canvas.draw(format_args!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{size}\" height=\"{size}\" fill=\"{below}\"/>"
        ));
        match ground {
            Ground::Checked(..) => {
                for (column, row) in squares(row).filter(|(column, row)| (column + row) % 2 == 1) {
                    grid.fill(canvas, column, row, above, "1");
                }
            }
            Ground::Lined(..) => {
                let steps = (0..=row).map(|step| grid.side() * f32::from(step));
                for step in steps {
                    canvas.draw(format_args!(
                        "<path fill=\"none\" stroke=\"{above}\" stroke-width=\"2\" d=\"M{left} {}h{size}M{} {top}v{size}\"/>",
                        top + step,
                        left + step
                    ));
                }
            }
        }
        canvas.sign(1030, 500);
        grid
    }

    /// The side of a square.
    fn side(&self) -> f32 {
        SIZE / f32::from(self.row)
    }

    fn corner(&self, column: u8, row: u8) -> (f32, f32) {
        (
            self.left + self.side() * f32::from(column),
            self.top + self.side() * f32::from(row),
        )
    }

    /// Colours a square.
    pub(super) fn fill(
        &self,
        canvas: &mut Canvas,
        column: u8,
        row: u8,
        colour: Colour,
        opacity: &str,
    ) {
        let ((x, y), side) = (self.corner(column, row), self.side());
        canvas.draw(format_args!(
            "<path fill=\"{colour}\" opacity=\"{opacity}\" d=\"M{x} {y}h{side}v{side}h-{side}z\"/>"
        ));
    }

    /// Marks a square of the last move.
    pub(super) fn mark(&self, canvas: &mut Canvas, column: u8, row: u8) {
        self.fill(canvas, column, row, colours::LAST, ".5");
        let (x, y) = self.corner(column, row);
        canvas.draw(format_args!(
            "<rect class=\"last\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\" opacity=\".6\"/>",
            x + 1.5,
            y + 1.5,
            self.side() - 3.0,
            self.side() - 3.0,
            colours::LAST_EDGE
        ));
    }

    /// Draws a piece, defined as a group in a square of 100 units, on a square.
    pub(super) fn piece(&self, canvas: &mut Canvas, id: &str, column: u8, row: u8) {
        let (x, y) = self.corner(column, row);
        canvas.place(id, x, y, self.side() / 100.0, 0.0);
    }
}

/// Returns all squares of a board as column and row.
pub(super) fn squares(in_row: u8) -> impl Iterator<Item = (u8, u8)> {
    (0..in_row).flat_map(move |row| (0..in_row).map(move |column| (column, row)))
}

/// Returns the squares of a set on a board of eight by eight, the lowest bit first, as column and row; the first row has the lowest bits.
pub(super) fn squares_of(set: u64) -> impl Iterator<Item = (u8, u8)> {
    squares(SQUARES).filter(move |(column, row)| set >> (row * SQUARES + column) & 1 == 1)
}
