//! The one table of the colours of pictures. They are those of the light scheme in `static/css/base.css` and `static/css/board.css`.

/// A colour as SVG writes it.
pub(super) type Colour = &'static str;

/// Returns the red, green and blue of a colour.
///
/// # Panics
/// If the text is not `#rrggbb`, as those of the table are.
pub(super) fn rgb(colour: Colour) -> [u8; 3] {
    [1, 3, 5].map(|start| {
        let digits = colour.get(start..start + 2);
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        value.expect("a colour has six digits")
    })
}

/// A gradient from the lit side to the far side.
pub(super) type Shade = [Colour; 3];

/// The ground of the picture, from the top to the bottom.
pub(super) const GROUND: [Colour; 2] = ["#f7f1e6", "#e2d0b4"];

/// The large stones of the ground.
pub(super) const GROUND_STONE: Colour = "#c9a877";

/// The shadow of everything.
pub(super) const SHADOW: Colour = "#2c1605";

/// Light and dark squares, and the frame around them.
pub(super) const WOOD_LIGHT: Colour = "#dcc097";
pub(super) const WOOD_DARK: Colour = "#c6a270";
pub(super) const WOOD_FRAME: [Colour; 2] = ["#916a41", "#6d4c2b"];
pub(super) const WOOD_EDGE: Colour = "#e9cfa4";

/// The dark squares of checkers.
pub(super) const CHECKED_DARK: Colour = "#8a5a35";

/// The rows to reach in Mawe!.
pub(super) const GOAL: Colour = "#fff4cf";

/// The squares of Reversi and the lines between them.
pub(super) const MOSS: Colour = "#6f8458";
pub(super) const MOSS_LINE: Colour = "#4f6240";

/// The squares of the last move, and their edge.
pub(super) const LAST: Colour = "#c9761f";
pub(super) const LAST_EDGE: Colour = "#6b3408";

/// The ring around a house or a store of the last move.
pub(super) const LAST_RING: Colour = "#ffd68c";

/// Light and dark stones, discs and men.
pub(super) const LIGHT: Shade = ["#fffdf6", "#f1e8d8", "#c6b595"];
pub(super) const DARK: Shade = ["#7b726b", "#413a36", "#181412"];
pub(super) const LIGHT_EDGE: Colour = "#a8987b";
pub(super) const DARK_EDGE: Colour = "#0f0c0a";

/// The undersides of pinned stones, and the cross cut into them.
pub(super) const LIGHT_UNDER: Shade = ["#e6dac4", "#d9cbb2", "#b9a785"];
pub(super) const DARK_UNDER: Shade = ["#3d3733", "#2c2825", "#161311"];
pub(super) const LIGHT_CUT: Colour = "#7c3a1c";
pub(super) const DARK_CUT: Colour = "#e0935f";

/// The rings of men, and the crowns of kings.
pub(super) const LIGHT_RING: Colour = "#cfc0a4";
pub(super) const DARK_RING: Colour = "#5f5954";
pub(super) const LIGHT_CROWN: Colour = "#96641a";
pub(super) const DARK_CROWN: Colour = "#d8a53c";

/// A board of houses: its wood from the top to the bottom, its hollows from the middle to the edge, their lit lower edge, and its seeds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sowing {
    pub(super) board: [Colour; 2],
    pub(super) hollow: [Colour; 2],
    pub(super) lip: Colour,
    pub(super) seeds: [Shade; 3],
}

pub(super) const KALAH: Sowing = Sowing {
    board: ["#c4965f", "#8f6235"],
    hollow: ["#6b4522", "#43290f"],
    lip: "#e9c793",
    seeds: [
        ["#fbf6ea", "#d9cdb8", "#a7977d"],
        ["#c9d2d0", "#93a09f", "#66716f"],
        ["#efd2b0", "#cf9d6b", "#98683b"],
    ],
};

pub(super) const OWARE: Sowing = Sowing {
    board: ["#b3825f", "#7d5038"],
    hollow: ["#5d3926", "#3a2013"],
    lip: "#e0b593",
    seeds: [
        ["#dde3dc", "#a3ada2", "#69736a"],
        ["#e6e9df", "#b4bcae", "#78816f"],
        ["#cfd4c4", "#8f9784", "#596150"],
    ],
};

pub(super) const CONGKAK: Sowing = Sowing {
    board: ["#a8614a", "#6d3423"],
    hollow: ["#4d2116", "#2b0f09"],
    lip: "#d99a84",
    seeds: [
        ["#fffaf0", "#ecd9bd", "#c3a27b"],
        ["#fffaf0", "#ecd9bd", "#c3a27b"],
        ["#fff6e4", "#e4cba8", "#b8946a"],
    ],
};

/// Seeds of kete on dark wood, as boards of the Swahili coast have them.
pub(super) const BAO: Sowing = Sowing {
    board: ["#8d5a32", "#57331a"],
    hollow: ["#3d2210", "#1f1007"],
    lip: "#c89363",
    seeds: [
        ["#e8e6df", "#b9b8b0", "#82837c"],
        ["#dfe4e2", "#aab3b0", "#737d7a"],
        ["#eeeadd", "#c6bfa9", "#8f8871"],
    ],
};

/// Red seeds of manjadi on jackwood.
pub(super) const PALLANGUZHI: Sowing = Sowing {
    board: ["#b98a45", "#7c5524"],
    hollow: ["#5a3c17", "#35220b"],
    lip: "#e3bd7c",
    seeds: [
        ["#f26a54", "#cc2f26", "#8c1714"],
        ["#f47a5f", "#d53a2b", "#961c15"],
        ["#ec5a4a", "#bf2621", "#801311"],
    ],
};

/// The slit of a cowrie.
pub(super) const COWRIE_SLIT: Colour = "#7a4b33";

/// The burnt houses of Congkak, and the rubbish holes of Pallanguzhi.
pub(super) const ASH: Colour = "#170804";
