//! The manners of the computer opponents: their phrases to a person at the beginning and the end of a match, and their answers in between.
//!
//! Nothing is random: of several phrases that fit, the id of the match and the ply decide. `static/core/opponents.js` is made of this table,
//! for matches on a device (`server/tests/manner.rs`).

use mawe_ai::Level;
use mawe_wire::Phrase;
use mawe_wire::ids::MatchId;

use Phrase::{GoodGame, GoodLuck, Hello, MustGo, OneMoment, Oops, Sorry, ThankYou, WellPlayed};

/// The most answers of a level in one match.
pub const MOST_ANSWERS: u8 = 2;

/// The phrases of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// At the beginning of a match.
    pub greets: &'static [Phrase],
    /// After a win of the opponent's own.
    pub wins: &'static [Phrase],
    /// After a loss.
    pub loses: &'static [Phrase],
    /// After a draw.
    pub draws: &'static [Phrase],
    /// The number of the person's phrases that are answered in one match, at most [`MOST_ANSWERS`].
    pub answers: u8,
}

/// The result of a match for the computer opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It has won.
    Won,
    /// It has lost.
    Lost,
    /// Nobody has won.
    Drawn,
}

/// The manners, level 1 first: small stones chat, and are surprised by a loss; hills and mountains say little and praise the person.
#[rustfmt::skip]
const MANNERS: [Manner; Level::COUNT] = [
    Manner { greets: &[Hello, GoodLuck], wins: &[ThankYou, GoodGame], loses: &[Oops, WellPlayed], draws: &[GoodGame], answers: 2 },
    Manner { greets: &[Hello], wins: &[GoodGame], loses: &[Oops, GoodGame], draws: &[GoodGame], answers: 2 },
    Manner { greets: &[GoodLuck, Hello], wins: &[GoodGame, ThankYou], loses: &[WellPlayed], draws: &[GoodGame], answers: 2 },
    Manner { greets: &[GoodLuck], wins: &[ThankYou, GoodGame], loses: &[WellPlayed, GoodGame], draws: &[GoodGame], answers: 2 },
    Manner { greets: &[Hello], wins: &[GoodGame], loses: &[WellPlayed], draws: &[GoodGame], answers: 1 },
    Manner { greets: &[Hello, GoodLuck], wins: &[ThankYou], loses: &[WellPlayed, ThankYou], draws: &[GoodGame], answers: 1 },
    Manner { greets: &[GoodLuck], wins: &[GoodGame], loses: &[WellPlayed], draws: &[ThankYou], answers: 1 },
    Manner { greets: &[GoodLuck, Hello], wins: &[WellPlayed, GoodGame], loses: &[WellPlayed], draws: &[WellPlayed], answers: 1 },
    Manner { greets: &[GoodLuck], wins: &[WellPlayed], loses: &[WellPlayed], draws: &[WellPlayed], answers: 1 },
    Manner { greets: &[Hello], wins: &[WellPlayed], loses: &[WellPlayed], draws: &[WellPlayed], answers: 0 },
];

impl Manner {
    /// Returns the manner of a level.
    #[must_use]
    pub fn of(level: u8) -> &'static Manner {
        let level = Level::try_from(level).unwrap_or(Level::MAX);
        &MANNERS[usize::from(level.get() - Level::MIN.get())]
    }

    /// Returns the greeting in a match.
    #[must_use]
    pub fn greeting(&self, id: &MatchId) -> Phrase {
        choose(self.greets, id, 0)
    }

    /// Returns the phrase after the end of a match of this many plies.
    #[must_use]
    pub fn farewell(&self, id: &MatchId, plies: u32, ending: Ending) -> Phrase {
        let phrases = match ending {
            Ending::Won => self.wins,
            Ending::Lost => self.loses,
            Ending::Drawn => self.draws,
        };
        choose(phrases, id, plies)
    }
}

/// Returns the answer of every level to a phrase of the person's; `None` where a phrase needs none.
#[must_use]
pub fn answer(phrase: Phrase) -> Option<Phrase> {
    match phrase {
        GoodLuck | GoodGame | WellPlayed => Some(ThankYou),
        MustGo => Some(GoodGame),
        // The greeting came first.
        Hello | ThankYou | OneMoment | Sorry | Oops => None,
    }
}

/// Chooses one of some phrases by the id of the match (FNV-1a) and the ply.
fn choose(phrases: &[Phrase], id: &MatchId, ply: u32) -> Phrase {
    let hash = id.as_str().bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let count = u32::try_from(phrases.len()).expect("a handful");
    let place = (hash % count + ply % count) % count;
    phrases[place as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_phrase_for_everything_and_is_no_chatterbox() {
        for level in Level::all() {
            let manner = Manner::of(level.get());
            for phrases in [manner.greets, manner.wins, manner.loses, manner.draws] {
                assert!(!phrases.is_empty(), "{level:?}");
            }
            assert!(manner.answers <= MOST_ANSWERS, "{level:?}");
            for phrase in manner.greets {
                assert!(matches!(phrase, Hello | GoodLuck), "{level:?}");
            }
        }
        let answers = Level::all().map(|level| Manner::of(level.get()).answers);
        assert!(answers.is_sorted_by(|lower, higher| lower >= higher));
    }

    #[test]
    fn the_match_and_the_ply_decide_among_phrases_and_nothing_else() {
        let manner = Manner::of(1);
        let ids = [
            "Kx7Rm2Qp9TzA",
            "Kx7Rm2Qp9TzB",
            "AAAAAAAAAAAA",
            "zzzzzzzzzzzz",
        ];
        let mut greetings = Vec::new();
        for id in ids.map(|id| id.parse::<MatchId>().expect("an id")) {
            greetings.push(manner.greeting(&id));
            assert_eq!(manner.greeting(&id), manner.greeting(&id));
            let farewell = |plies| manner.farewell(&id, plies, Ending::Lost);
            assert_ne!(farewell(20), farewell(21), "each of the two has its turn");
            assert_eq!(farewell(20), farewell(22));
        }
        assert!(greetings.contains(&Hello) && greetings.contains(&GoodLuck));
    }
}
