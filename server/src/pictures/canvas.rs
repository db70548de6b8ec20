//! The text of an SVG: definitions, shapes, and the ground that all pictures share.

use std::fmt::{Arguments, Write};

use super::colours::{self, Colour, Shade};

/// The size of a picture in pixels: that of a card of the Open Graph protocol.
pub(crate) const WIDTH: u32 = 1200;
pub(crate) const HEIGHT: u32 = 630;

/// The part of a picture that has the board and its shadow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The whole picture.
const CARD: Area = Area {
    left: 0,
    top: 0,
    width: WIDTH,
    height: HEIGHT,
};

/// The outline of a river stone in a square of 100 units, seen from above; the same as in `static/games/mawe.js`.
pub(super) const STONE: &str =
    "M50 9C71 8 90 24 91 47C92 72 75 91 51 91C27 92 9 74 9 51C9 27 27 10 50 9Z";

/// A drawing as SVG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drawing {
    text: String,
    shown: Area,
}

impl Drawing {
    /// Returns the SVG text.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the width and the height in units.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.shown.width, self.shown.height)
    }
}

/// An SVG that is being written.
#[derive(Debug)]
pub(super) struct Canvas {
    /// The part that is shown.
    shown: Area,
    /// Whether the board lies on the ground of a card.
    has_ground: bool,
    definitions: String,
    shapes: String,
}

impl Canvas {
    /// Begins a card with its ground.
    pub(super) fn of_card() -> Canvas {
        let mut canvas = Canvas::new(CARD, true);
        canvas.down("ground", colours::GROUND);
        canvas.draw(format_args!(
            "<path fill=\"url(#ground)\" d=\"M0 0h{WIDTH}v{HEIGHT}H0z\"/>"
        ));
        // Large pale stones in two corners, and the two stones of the product's sign in a third.
        for (x, y, size, turn) in [
            (-190, 250, 5.6, 20),
            (930, -220, 4.9, 0),
            (-60, -250, 3.6, 50),
        ] {
            canvas.draw(format_args!(
                "<path fill=\"{}\" opacity=\".2\" transform=\"translate({x} {y}) rotate({turn} 260 260) scale({size})\" d=\"{STONE}\"/>",
                colours::GROUND_STONE
            ));
        }
        canvas
    }

    /// Begins a picture of a board alone, on nothing.
    pub(super) fn of_board(shown: Area) -> Canvas {
        Canvas::new(shown, false)
    }

    fn new(shown: Area, has_ground: bool) -> Canvas {
        let mut canvas = Canvas {
            shown,
            has_ground,
            definitions: String::new(),
            shapes: String::new(),
        };
        canvas.shade("light", colours::LIGHT);
        canvas.shade("dark", colours::DARK);
        canvas.define(format_args!(
            "<radialGradient id=\"shadow\"><stop offset=\".55\" stop-color=\"{0}\" stop-opacity=\".5\"/><stop offset=\"1\" stop-color=\"{0}\" stop-opacity=\"0\"/></radialGradient>",
            colours::SHADOW
        ));
        canvas
    }

    /// Draws the two stones of the product's sign on a card, with their left upper corner at a point.
    pub(super) fn sign(&mut self, x: i32, y: i32) {
        if !self.has_ground {
            return;
        }
        for (dx, dy, shade) in [(46, -12, "dark"), (0, 0, "light")] {
            self.draw(format_args!(
                "<g transform=\"translate({} {}) scale(.82)\"><ellipse cx=\"50\" cy=\"62\" rx=\"50\" ry=\"46\" fill=\"url(#shadow)\"/><path fill=\"url(#{shade})\" d=\"{STONE}\"/></g>",
                x + dx,
                y + dy
            ));
        }
    }

    /// Adds a definition.
    pub(super) fn define(&mut self, text: Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.definitions.write_fmt(text);
    }

    /// Adds a shape on top of the others.
    pub(super) fn draw(&mut self, text: Arguments<'_>) {
        let _ = self.shapes.write_fmt(text);
        self.shapes.push('\n');
    }

    /// Defines a gradient from the top to the bottom.
    pub(super) fn down(&mut self, id: &str, [top, bottom]: [Colour; 2]) {
        self.define(format_args!(
            "<linearGradient id=\"{id}\" x2=\"0\" y2=\"1\"><stop stop-color=\"{top}\"/><stop offset=\"1\" stop-color=\"{bottom}\"/></linearGradient>"
        ));
    }

    /// Defines the shading of a round thing that is lit from the upper left.
    pub(super) fn shade(&mut self, id: &str, [lit, middle, far]: Shade) {
        self.define(format_args!(
            "<radialGradient id=\"{id}\" cx=\".38\" cy=\".3\" r=\".8\"><stop stop-color=\"{lit}\"/><stop offset=\".5\" stop-color=\"{middle}\"/><stop offset=\"1\" stop-color=\"{far}\"/></radialGradient>"
        ));
    }

    /// Defines the shading of a hollow.
    pub(super) fn hollow(&mut self, id: &str, [middle, edge]: [Colour; 2]) {
        self.define(format_args!(
            "<radialGradient id=\"{id}\" cy=\".62\"><stop offset=\".3\" stop-color=\"{middle}\"/><stop offset=\"1\" stop-color=\"{edge}\"/></radialGradient>"
        ));
    }

    /// Draws a thing that was defined as a group, at a point.
    pub(super) fn place(&mut self, id: &str, x: f32, y: f32, scale: f32, turn: f32) {
        self.draw(format_args!(
            "<use href=\"#{id}\" transform=\"translate({x:.1} {y:.1}) rotate({turn:.0}) scale({scale:.3})\"/>"
        ));
    }

    /// Draws a soft shadow below a board.
    pub(super) fn board_shadow(&mut self, x: f32, y: f32, width: f32, height: f32, round: f32) {
        for layer in 1..=14u8 {
            let grow = 2.5 * f32::from(layer);
            let (left, top) = (x - grow, y - grow + 12.0);
            let (wide, high) = (width + 2.0 * grow, height + 2.0 * grow);
            self.draw(format_args!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"{}\" fill=\"{}\" opacity=\".03\"/>",
                round + grow,
                colours::SHADOW
            ));
        }
    }

    /// Ends the picture.
    pub(super) fn finish(self) -> Drawing {
        let Area {
            left,
            top,
            width,
            height,
        } = self.shown;
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\"><defs>{}</defs>\n{}</svg>\n",
            self.definitions, self.shapes
        );
        Drawing {
            text,
            shown: self.shown,
        }
    }
}
