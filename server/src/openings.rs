//! Openings that rated matches of Kalah and Congkak begin with.
//!
//! From the start of these games the first side wins most games, so that the lot that gives it would decide the rating. A rated
//! match begins with an opening that the engine judges even, drawn by lot; a casual one does where its players wish it. The lists
//! are made by `cargo run --example openings` in `mawe-ai`; `docs/engine.md` says how, and how even they proved to be.

use std::sync::LazyLock;

use mawe_rules::games::opening::Opening;
use mawe_rules::{AnySetup, GameKind, SetupError};

/// The lists that come with the program: the setup as players ask for it, and a line an opening with the houses played and what the
/// engine judged, in hundredths of a seed for the side to move.
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
    /// The same with each of the openings.
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

/// The lines of a list: the plies, and the score.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' '))
}

/// The setups with the even openings of a setup, which may be without an opening or with any; none where there is no list.
#[must_use]
pub fn openings_of(setup: &AnySetup) -> &'static [AnySetup] {
    let Ok(base) = setup.with_opening(Opening::None) else {
        return &[];
    };
    let list = LISTS.iter().find(|list| list.base == base);
    list.map_or(&[], |list| &list.openings)
}

/// The setup of a match that is made on this one. It begins with an opening drawn by `chance`, any number, where the match is rated
/// and its game has a list, and where its players wish for an opening; otherwise the setup is the one agreed on.
///
/// A rematch is made on the setup of the match before, whose opening then is not its own: another is drawn.
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
    // Of a number of 64 bits no opening is drawn noticeably more often than another.
    openings[(chance % openings.len() as u64) as usize].clone()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use mawe_rules::{AnyPosition, Side};

    use super::*;

    /// The fewest openings of a list, so that nobody learns them by heart.
    const FEWEST: usize = 200;
    /// How uneven an opening may be: one seed.
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
