//! The even openings of matches.
//!
//! The first side wins most games of Kalah and Congkak from the initial position, so that the draw of sides would decide the rating. A
//! rated match of these begins with an opening drawn at random from those that the engine evaluates as even. A match of any game with a
//! list does on request: players of checkers and Reversi draw openings so that what they know by heart does not decide. The lists are
//! made by `lab openings`; `docs/engine.md` describes the method and how even the openings proved to be.

use std::sync::LazyLock;

use mawe_rules::games::opening::Opening;
use mawe_rules::{AnySetup, GameKind, SetupError};

/// When an opening of a list is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawn {
    /// For every rated match, and for a casual one on request.
    WhenRated,
    /// On request only.
    OnRequest,
}

/// A list in the binary.
struct File {
    kind: GameKind,
    /// The setup in text form, without an opening.
    setup: &'static str,
    drawn: Drawn,
    /// One opening a line: its plies, and the engine's score, in hundredths of the game's unit from the view of the side to move.
    text: &'static str,
}

const FILES: [File; 4] = [
    File {
        kind: GameKind::Kalah,
        setup: "",
        drawn: Drawn::WhenRated,
        text: include_str!("../openings/kalah.txt"),
    },
    File {
        kind: GameKind::Congkak,
        setup: "form=limited",
        drawn: Drawn::WhenRated,
        text: include_str!("../openings/congkak.txt"),
    },
    File {
        kind: GameKind::Checkers,
        setup: "",
        drawn: Drawn::OnRequest,
        text: include_str!("../openings/checkers.txt"),
    },
    File {
        kind: GameKind::Reversi,
        setup: "",
        drawn: Drawn::OnRequest,
        text: include_str!("../openings/reversi.txt"),
    },
];

/// The even openings of one setup.
struct List {
    /// The setup without an opening.
    base: AnySetup,
    drawn: Drawn,
    /// The setup with each of the openings.
    openings: Vec<AnySetup>,
}

static LISTS: LazyLock<Vec<List>> = LazyLock::new(|| {
    let lists: Result<Vec<List>, SetupError> = FILES.iter().map(List::parse).collect();
    lists.expect("the lists that come with the program are read in its tests")
});

impl List {
    fn parse(file: &File) -> Result<Self, SetupError> {
        let base = AnySetup::parse(file.kind, file.setup)?;
        let openings = lines(file.text).map(|(plies, _)| base.with_opening(plies.parse()?));
        let openings = openings.collect::<Result<_, _>>()?;
        Ok(Self {
            base,
            drawn: file.drawn,
            openings,
        })
    }

    /// The list of a setup, whose own opening is ignored.
    fn of(setup: &AnySetup) -> Option<&'static Self> {
        let base = setup.with_opening(Opening::None).ok()?;
        LISTS.iter().find(|list| list.base == base)
    }
}

/// Returns the lines of a list: the plies, and the score.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' '))
}

/// Returns the setups with the even openings of a setup, whose own opening is ignored; empty if there is no list for it.
#[must_use]
pub fn openings_of(setup: &AnySetup) -> &'static [AnySetup] {
    List::of(setup).map_or(&[], |list| &list.openings)
}

/// Returns the setup of a new match. It has an opening drawn by `chance`, any number, if there is a list and the setup asks for an
/// opening, or the match is rated and its game is one whose rated matches always have one; otherwise the setup stays as agreed.
///
/// A rematch uses the setup of the previous match, and its opening is drawn again.
#[must_use]
pub fn draw(setup: &AnySetup, rated: bool, chance: u64) -> AnySetup {
    let Some(list) = List::of(setup) else {
        return setup.clone();
    };
    let is_drawn = match (setup.opening(), list.drawn) {
        (Opening::Drawn | Opening::Plies(_), _) => true,
        (Opening::None, Drawn::WhenRated) => rated,
        (Opening::None, Drawn::OnRequest) => false,
    };
    if !is_drawn || list.openings.is_empty() {
        return setup.clone();
    }
    // The modulo bias of a 64-bit number is negligible.
    list.openings[(chance % list.openings.len() as u64) as usize].clone()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use mawe_rules::{AnyPosition, Family, Side};

    use super::*;

    /// The bounds of a list.
    struct Bounds {
        /// The smallest number of openings. Random ones are to be too many to learn by heart; of checkers there are no more sequences of
        /// three plies that are even.
        fewest: usize,
        /// The greatest permitted score of an opening, in hundredths of the game's unit.
        lead: i32,
        /// The fewest and the most plies.
        plies: [usize; 2],
        /// The side to move after the opening. The first one, as in the initial position; only after the three plies of a ballot, which
        /// the sides play in turn, it is the second one.
        turn: Side,
    }

    fn bounds(kind: GameKind) -> Bounds {
        let random = |plies| Bounds {
            fewest: 200,
            lead: 100,
            plies,
            turn: Side::First,
        };
        match kind.family() {
            Family::Kalah | Family::Congkak => random([4, 8]),
            Family::Reversi => random([8, 8]),
            Family::Checkers => Bounds {
                fewest: 100,
                lead: 75,
                plies: [3, 3],
                turn: Side::Second,
            },
            Family::Mawe | Family::Draughts | Family::Oware | Family::Bao | Family::Pallanguzhi => {
                panic!("there is no list of {kind}")
            }
        }
    }

    #[test]
    fn the_lists_hold_enough_even_openings_each_another_position() {
        for file in &FILES {
            let kind = file.kind;
            let list = List::parse(file).expect("a list");
            let bounds = bounds(kind);
            assert!(
                list.openings.len() >= bounds.fewest,
                "{kind}: {}",
                list.openings.len()
            );
            assert_eq!(list.openings.len(), lines(file.text).count(), "{kind}");
            let mut positions = HashSet::new();
            for opening in &list.openings {
                let position = AnyPosition::start(kind, opening).expect("a start");
                assert_eq!(position.turn(), bounds.turn, "{opening}");
                assert_eq!(position.outcome(), None, "{opening}");
                assert!(positions.insert(position), "{opening} comes twice");
                let [fewest, most] = bounds.plies;
                let plies = opening.opening_plies().len();
                assert!((fewest..=most).contains(&plies), "{opening}");
            }
            for (plies, score) in lines(file.text) {
                let score: i32 = score.parse().expect("hundredths");
                assert!(score.abs() <= bounds.lead, "{kind} {plies}: {score}");
            }
        }
    }

    #[test]
    fn a_rated_match_is_drawn_an_opening_wherever_the_first_side_is_ahead() {
        for &kind in GameKind::ALL {
            let setup = AnySetup::usual(kind);
            let drawn = draw(&setup, true, 5);
            match kind.family() {
                Family::Kalah | Family::Congkak => {
                    assert!(matches!(drawn.opening(), Opening::Plies(_)), "{drawn}");
                    assert_eq!(drawn, openings_of(&setup)[5]);
                    let last = openings_of(&setup).len() as u64 - 1;
                    assert_eq!(
                        draw(&setup, true, last * 2 + 1),
                        openings_of(&setup)[last as usize]
                    );
                }
                Family::Mawe
                | Family::Reversi
                | Family::Checkers
                | Family::Draughts
                | Family::Oware
                | Family::Bao
                | Family::Pallanguzhi => {
                    assert_eq!(drawn, setup);
                }
            }
        }
    }

    #[test]
    fn any_match_begins_with_an_opening_where_it_is_wished() {
        for file in &FILES {
            let setup = AnySetup::parse(file.kind, file.setup).expect("a setup");
            assert_eq!(draw(&setup, false, 7), setup);
            let wish = setup.with_opening(Opening::Drawn).expect("a wish");
            assert!(wish.may_be_rated(), "{wish}");
            for rated in [false, true] {
                let first = draw(&wish, rated, 7);
                assert_eq!(first, openings_of(&setup)[7]);
                // The rematch.
                assert_eq!(draw(&first, rated, 8), openings_of(&setup)[8]);
            }
        }
        let without = AnySetup::parse(GameKind::Kalah, "seeds=5").expect("a setup");
        assert!(openings_of(&without).is_empty());
    }
}
