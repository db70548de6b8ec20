//! The openings of rated matches of Kalah and Congkak.
//!
//! The first side wins most games from the initial position of these games, so that the draw of sides would decide the rating. A rated
//! match begins with an opening drawn at random from those that the engine evaluates as even; a casual one does on request. The lists are
//! made by `lab openings`; `docs/engine.md` describes the method and how even the openings proved to be.

use std::sync::LazyLock;

use mawe_rules::games::opening::Opening;
use mawe_rules::{AnySetup, GameKind, SetupError};

/// The lists in the binary: the game, the setup in text form, and one opening a line with its houses and the engine's score, in hundredths
/// of a seed from the view of the side to move.
const FILES: [(GameKind, &str, &str); 2] = [
    (GameKind::Kalah, "", include_str!("../openings/kalah.txt")),
    (
        GameKind::Congkak,
        "form=limited",
        include_str!("../openings/congkak.txt"),
    ),
];

/// The even openings of one setup.
struct List {
    /// The setup without an opening.
    base: AnySetup,
    /// The setup with each of the openings.
    openings: Vec<AnySetup>,
}

static LISTS: LazyLock<Vec<List>> = LazyLock::new(|| {
    let list = |(kind, setup, text)| List::parse(kind, setup, text);
    let lists: Result<Vec<List>, SetupError> = FILES.into_iter().map(list).collect();
    lists.expect("the lists that come with the program are read in its tests")
});

impl List {
    fn parse(kind: GameKind, setup: &str, text: &str) -> Result<Self, SetupError> {
        let base = AnySetup::parse(kind, setup)?;
        let openings = lines(text).map(|(plies, _)| base.with_opening(plies.parse()?));
        let openings = openings.collect::<Result<_, _>>()?;
        Ok(Self { base, openings })
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
    let Ok(base) = setup.with_opening(Opening::None) else {
        return &[];
    };
    let list = LISTS.iter().find(|list| list.base == base);
    list.map_or(&[], |list| &list.openings)
}

/// Returns the setup of a new match. It has an opening drawn by `chance`, any number, if there is a list and the match is rated or the
/// setup asks for an opening; otherwise the setup stays as agreed.
///
/// A rematch uses the setup of the previous match, and its opening is drawn again.
#[must_use]
pub fn draw(setup: &AnySetup, rated: bool, chance: u64) -> AnySetup {
    let is_wished = match setup.opening() {
        Opening::None => rated,
        Opening::Drawn | Opening::Plies(_) => true,
    };
    let openings = openings_of(setup);
    if !is_wished || openings.is_empty() {
        return setup.clone();
    }
    // The modulo bias of a 64-bit number is negligible.
    openings[(chance % openings.len() as u64) as usize].clone()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use mawe_rules::{AnyPosition, Side};

    use super::*;

    /// The smallest number of openings of a list: too many to learn by heart.
    const FEWEST: usize = 200;
    /// The greatest permitted score of an opening, in hundredths of a seed.
    const LEAD: i32 = 100;

    #[test]
    fn the_lists_hold_enough_even_openings_each_another_position() {
        for (kind, setup, text) in FILES {
            let list = List::parse(kind, setup, text).expect("a list");
            assert!(
                list.openings.len() >= FEWEST,
                "{kind}: {}",
                list.openings.len()
            );
            assert_eq!(list.openings.len(), lines(text).count(), "{kind}");
            let mut positions = HashSet::new();
            for opening in &list.openings {
                let position = AnyPosition::start(kind, opening).expect("a start");
                assert_eq!(position.turn(), Side::First, "{opening}");
                assert_eq!(position.outcome(), None, "{opening}");
                assert!(positions.insert(position), "{opening} comes twice");
            }
            for (plies, score) in lines(text) {
                let score: i32 = score.parse().expect("hundredths of a seed");
                assert!(score.abs() <= LEAD, "{kind} {plies}: {score}");
                assert!((4..=8).contains(&plies.len()), "{kind} {plies}");
            }
        }
    }

    #[test]
    fn a_rated_match_is_drawn_an_opening_wherever_the_first_side_is_ahead() {
        for &kind in GameKind::ALL {
            let setup = AnySetup::rated(kind);
            let drawn = draw(&setup, true, 5);
            match kind {
                GameKind::Kalah | GameKind::Congkak => {
                    assert!(matches!(drawn.opening(), Opening::Plies(_)), "{drawn}");
                    assert_eq!(drawn, openings_of(&setup)[5]);
                    let last = openings_of(&setup).len() as u64 - 1;
                    assert_eq!(
                        draw(&setup, true, last * 2 + 1),
                        openings_of(&setup)[last as usize]
                    );
                }
                GameKind::Mawe | GameKind::Reversi | GameKind::Checkers | GameKind::Oware => {
                    assert_eq!(drawn, setup);
                }
            }
        }
    }

    #[test]
    fn a_casual_match_begins_with_an_opening_only_where_it_is_wished() {
        for (kind, setup) in [(GameKind::Kalah, ""), (GameKind::Congkak, "form=limited")] {
            let setup = AnySetup::parse(kind, setup).expect("a setup");
            assert_eq!(draw(&setup, false, 7), setup);
            let wish = setup.with_opening(Opening::Drawn).expect("a wish");
            let first = draw(&wish, false, 7);
            assert_eq!(first, openings_of(&setup)[7]);
            // The rematch.
            assert_eq!(draw(&first, false, 8), openings_of(&setup)[8]);
        }
        let without = AnySetup::parse(GameKind::Kalah, "seeds=5").expect("a setup");
        assert!(openings_of(&without).is_empty());
    }
}
