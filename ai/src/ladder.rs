//! The measured ladder: the parameters of the levels of each game, and their distances.

use mawe_rules::GameKind;

use crate::level::Level;
use crate::strength::Strength;

/// The version of the ladder behind [`Level::rating`], raised when a level's strength is measured again.
pub const LADDER: u32 = 8;

/// The level with the rating of a new player.
const ANCHOR: usize = 5;

/// The rating of that level, on the scale of people's ratings.
const ANCHOR_RATING: i32 = 1_500;

/// The levels of a game, from the ladder in `docs/engine.md`. A change of a table requires a higher [`LADDER`].
struct Rungs {
    /// The parameters of each level, the weakest first.
    levels: [Strength; Level::COUNT],
    /// The measured lead of each level but the first over the level below, in Elo.
    leads: [i32; Level::RUNGS],
}

fn ladder(kind: GameKind) -> &'static Rungs {
    match kind {
        GameKind::Mawe => &MAWE,
        GameKind::Reversi => &REVERSI,
        GameKind::Checkers => &CHECKERS,
        GameKind::Drafti => &DRAFTI,
        GameKind::Brazilian => &BRAZILIAN,
        GameKind::Russian => &RUSSIAN,
        GameKind::International => &INTERNATIONAL,
        GameKind::Pool => &POOL,
        GameKind::Kalah => &KALAH,
        GameKind::Oware => &OWARE,
        GameKind::Congkak => &CONGKAK,
        GameKind::Bao => &BAO,
        GameKind::Pallanguzhi => &PALLANGUZHI,
    }
}

impl Level {
    /// The parameters of this level in a game.
    pub fn strength(self, kind: GameKind) -> Strength {
        ladder(kind).levels[usize::from(self.get() - Self::MIN.get())]
    }

    /// The rating of this level in a game: level 5 has the rating of a new player, and the distances of the others come from
    /// the ladder. The relation to people's ratings has not been measured.
    pub fn rating(self, kind: GameKind) -> i32 {
        let rungs = |levels: std::ops::Range<usize>| -> i32 {
            // The rung from level n - 1 to level n has index n - 2.
            levels.map(|below| ladder(kind).leads[below - 1]).sum()
        };
        let level = usize::from(self.get());
        if level < ANCHOR {
            ANCHOR_RATING - rungs(level..ANCHOR)
        } else {
            ANCHOR_RATING + rungs(ANCHOR..level)
        }
    }
}

#[rustfmt::skip]
static MAWE: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 82, sure: 4, noise: 94, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 82, sure: 8, noise: 90, calms: false },
        Strength { depth: 4, nodes: 300, blindness: 52, sure: 17, noise: 49, calms: true },
        Strength { depth: 7, nodes: 800, blindness: 34, sure: 21, noise: 28, calms: true },
        Strength { depth: 200, nodes: 2_200, blindness: 21, sure: 27, noise: 14, calms: true },
        Strength { nodes: 550, noise: 6, ..Strength::FULL },
        Strength { nodes: 2_000, noise: 2, ..Strength::FULL },
        Strength { nodes: 12_000, ..Strength::FULL },
        Strength { nodes: 60_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [181, 169, 200, 201, 207, 152, 134, 125, 160],
};

#[rustfmt::skip]
static REVERSI: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 170, sure: 2, noise: 1_300, calms: false },
        Strength { depth: 1, nodes: 200, blindness: 96, sure: 5, noise: 650, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 84, sure: 8, noise: 561, calms: false },
        Strength { depth: 3, nodes: 325, blindness: 60, sure: 14, noise: 360, calms: false },
        Strength { depth: 5, nodes: 560, blindness: 40, sure: 20, noise: 212, calms: true },
        Strength { depth: 6, nodes: 1_450, blindness: 26, sure: 25, noise: 119, calms: true },
        Strength { depth: 200, nodes: 3_200, blindness: 15, sure: 30, noise: 58, calms: true },
        Strength { nodes: 380, noise: 11, ..Strength::FULL },
        Strength { nodes: 2_500, noise: 2, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [200, 243, 243, 236, 232, 227, 282, 443, 500],
};

#[rustfmt::skip]
static CHECKERS: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 300, calms: true },
        Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 100, calms: true },
        Strength { depth: 2, nodes: 200, blindness: 87, sure: 7, noise: 62, calms: true },
        Strength { depth: 3, nodes: 300, blindness: 68, sure: 12, noise: 42, calms: true },
        Strength { depth: 5, nodes: 540, blindness: 40, sure: 20, noise: 21, calms: true },
        Strength { depth: 6, nodes: 1_700, blindness: 24, sure: 25, noise: 10, calms: true },
        Strength { depth: 200, nodes: 5_005, blindness: 10, sure: 32, noise: 3, calms: true },
        Strength { nodes: 1_000, ..Strength::FULL },
        Strength { nodes: 8_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [226, 244, 188, 198, 250, 213, 251, 303, 200],
};

#[rustfmt::skip]
static DRAFTI: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 450, calms: true },
        Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 100, calms: true },
        Strength { depth: 2, nodes: 200, blindness: 87, sure: 7, noise: 62, calms: true },
        Strength { depth: 3, nodes: 300, blindness: 62, sure: 13, noise: 38, calms: true },
        Strength { depth: 5, nodes: 620, blindness: 36, sure: 21, noise: 19, calms: true },
        Strength { depth: 6, nodes: 1_900, blindness: 22, sure: 26, noise: 9, calms: true },
        Strength { depth: 200, nodes: 5_005, blindness: 10, sure: 32, noise: 3, calms: true },
        Strength { nodes: 4_000, ..Strength::FULL },
        Strength { nodes: 30_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [224, 158, 131, 182, 191, 189, 293, 184, 132],
};

/// The levels of the draughts on 64 squares in which men capture backwards.
#[rustfmt::skip]
const DRAUGHTS_OF_64: [Strength; Level::COUNT] = [
    Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 450, calms: true },
    Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 100, calms: true },
    Strength { depth: 2, nodes: 200, blindness: 87, sure: 7, noise: 62, calms: true },
    Strength { depth: 3, nodes: 300, blindness: 62, sure: 13, noise: 38, calms: true },
    Strength { depth: 5, nodes: 620, blindness: 36, sure: 21, noise: 19, calms: true },
    Strength { depth: 6, nodes: 1_900, blindness: 22, sure: 26, noise: 9, calms: true },
    Strength { depth: 200, nodes: 5_005, blindness: 10, sure: 32, noise: 3, calms: true },
    Strength { nodes: 4_000, ..Strength::FULL },
    Strength { nodes: 25_000, ..Strength::FULL },
    Strength::FULL,
];

#[rustfmt::skip]
static BRAZILIAN: Rungs = Rungs {
    levels: DRAUGHTS_OF_64,
    leads: [254, 166, 150, 189, 176, 168, 264, 237, 142],
};

#[rustfmt::skip]
static RUSSIAN: Rungs = Rungs {
    levels: DRAUGHTS_OF_64,
    leads: [216, 163, 148, 194, 167, 206, 213, 246, 170],
};

#[rustfmt::skip]
static INTERNATIONAL: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 600, calms: true },
        Strength { depth: 1, nodes: 200, blindness: 99, sure: 4, noise: 220, calms: true },
        Strength { depth: 2, nodes: 200, blindness: 94, sure: 6, noise: 85, calms: true },
        Strength { depth: 3, nodes: 300, blindness: 60, sure: 13, noise: 34, calms: true },
        Strength { depth: 5, nodes: 620, blindness: 36, sure: 21, noise: 19, calms: true },
        Strength { depth: 6, nodes: 1_900, blindness: 22, sure: 26, noise: 9, calms: true },
        Strength { depth: 200, nodes: 5_005, blindness: 10, sure: 32, noise: 3, calms: true },
        Strength { nodes: 3_000, ..Strength::FULL },
        Strength { nodes: 20_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [263, 221, 245, 245, 221, 235, 246, 273, 213],
};

#[rustfmt::skip]
static POOL: Rungs = Rungs {
    levels: DRAUGHTS_OF_64,
    leads: [243, 189, 130, 212, 197, 226, 221, 237, 132],
};

#[rustfmt::skip]
static KALAH: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 60, sure: 5, noise: 350, calms: false },
        Strength { depth: 3, nodes: 300, blindness: 60, sure: 14, noise: 120, calms: false },
        Strength { depth: 5, nodes: 550, blindness: 36, sure: 21, noise: 63, calms: true },
        Strength { depth: 9, nodes: 2_400, blindness: 18, sure: 28, noise: 26, calms: true },
        Strength { depth: 200, nodes: 6_500, blindness: 7, sure: 33, noise: 8, calms: true },
        Strength { nodes: 1_900, noise: 2, ..Strength::FULL },
        Strength { nodes: 12_000, ..Strength::FULL },
        Strength { nodes: 60_000, ..Strength::FULL },
        Strength { nodes: 300_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [173, 204, 211, 172, 173, 182, 112, 131, 70],
};

#[rustfmt::skip]
static OWARE: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 95, sure: 4, noise: 112, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 81, sure: 8, noise: 92, calms: false },
        Strength { depth: 3, nodes: 300, blindness: 64, sure: 13, noise: 66, calms: false },
        Strength { depth: 5, nodes: 420, blindness: 51, sure: 16, noise: 49, calms: true },
        Strength { depth: 6, nodes: 920, blindness: 34, sure: 22, noise: 29, calms: true },
        Strength { depth: 200, nodes: 2_180, blindness: 21, sure: 27, noise: 15, calms: true },
        Strength { nodes: 260, noise: 8, ..Strength::FULL },
        Strength { nodes: 700, ..Strength::FULL },
        Strength { nodes: 3_500, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [231, 211, 220, 209, 248, 232, 281, 445, 461],
};

#[rustfmt::skip]
static CONGKAK: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 60, sure: 6, noise: 600, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 96, sure: 6, noise: 325, calms: false },
        Strength { depth: 3, nodes: 300, blindness: 70, sure: 11, noise: 228, calms: false },
        Strength { depth: 5, nodes: 520, blindness: 44, sure: 19, noise: 121, calms: true },
        Strength { depth: 8, nodes: 1_400, blindness: 25, sure: 25, noise: 58, calms: true },
        Strength { depth: 200, nodes: 6_000, blindness: 9, sure: 31, noise: 19, calms: true },
        Strength { nodes: 25_000, ..Strength::FULL },
        Strength { nodes: 80_000, ..Strength::FULL },
        Strength { nodes: 350_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [167, 169, 165, 163, 171, 168, 44, 50, 40],
};

#[rustfmt::skip]
static BAO: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 75, sure: 5, noise: 640, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 81, sure: 7, noise: 290, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 60, sure: 11, noise: 200, calms: false },
        Strength { depth: 3, nodes: 300, blindness: 58, sure: 13, noise: 175, calms: false },
        Strength { depth: 4, nodes: 520, blindness: 44, sure: 17, noise: 121, calms: true },
        Strength { depth: 6, nodes: 1_200, blindness: 30, sure: 22, noise: 70, calms: true },
        Strength { depth: 200, nodes: 4_000, blindness: 15, sure: 28, noise: 25, calms: true },
        Strength { nodes: 1_200, ..Strength::FULL },
        Strength { nodes: 15_000, ..Strength::FULL },
        Strength::FULL,
    ],
    leads: [152, 149, 130, 216, 216, 254, 237, 255, 261],
};

#[rustfmt::skip]
static PALLANGUZHI: Rungs = Rungs {
    levels: [
        Strength { depth: 1, nodes: 200, blindness: 40, sure: 10, noise: 300, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 85, sure: 6, noise: 650, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 50, sure: 12, noise: 300, calms: false },
        Strength { depth: 3, nodes: 300, blindness: 66, sure: 9, noise: 370, calms: false },
        Strength { depth: 3, nodes: 400, blindness: 32, sure: 16, noise: 170, calms: false },
        Strength { depth: 4, nodes: 520, blindness: 40, sure: 17, noise: 200, calms: true },
        Strength { depth: 5, nodes: 700, blindness: 44, sure: 16, noise: 200, calms: true },
        Strength { depth: 6, nodes: 1_000, blindness: 32, sure: 20, noise: 140, calms: true },
        Strength { depth: 8, nodes: 2_000, blindness: 26, sure: 22, noise: 120, calms: true },
        Strength::FULL,
    ],
    leads: [48, 41, 49, 45, 24, 31, 32, 26, 66],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_rise_by_the_rungs_of_the_ladder() {
        for &kind in GameKind::ALL {
            let ratings: Vec<i32> = Level::all().map(|level| level.rating(kind)).collect();
            let rungs: Vec<i32> = ratings.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert_eq!(rungs, ladder(kind).leads, "{kind}");
            assert_eq!(ratings[4], 1_500, "{kind}");
            assert!(ratings[0] > 400, "{kind}: below any rating that there is");
        }
    }

    /// The ladder in docs/engine.md must match the constants.
    #[test]
    fn the_ladder_is_the_one_that_is_written_down() {
        let page = include_str!("../../docs/engine.md");
        let names = [
            "Mawe!",
            "Reversi",
            "Checkers",
            "Drafti",
            "Brazilian",
            "Russian",
            "International",
            "Pool",
            "Kalah",
            "Oware",
            "Congkak",
            "Bao",
            "Pallanguzhi",
        ];
        for (&kind, name) in GameKind::ALL.iter().zip(names) {
            let row = page
                .lines()
                .find(|line| {
                    line.starts_with(&format!("| {name} |"))
                        && line.matches('±').count() == Level::RUNGS
                })
                .unwrap_or_else(|| panic!("no row of {name}"));
            let told = row
                .split('|')
                .filter(|cell| cell.contains('±'))
                .map(|cell| {
                    let known = cell.split('±').next().expect("a number").trim();
                    // All games were won: a lower bound of the lead.
                    let bound = if cell.contains('¹') { "370" } else { known };
                    bound.parse::<i32>().expect("a number")
                });
            assert_eq!(told.collect::<Vec<_>>(), ladder(kind).leads, "{kind}");
        }
    }
}
