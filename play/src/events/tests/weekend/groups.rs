//! The rules of groups: two players of one do not play each other.

use mawe_wire::events::EventGameSkipped;

use super::ledger::Ledger;
use super::rules::may_meet_once;
use crate::events::{Entry, Format, PairedGame};

/// Checks a pairing before it is entered; `next` are the entries behind it in the same append. A game of two players of one group is never
/// seated: in an arena there is none, and in a Swiss it is skipped at once.
pub(super) fn check_pairing(ledger: &Ledger, games: &[PairedGame], next: &[Entry]) {
    let of_one = |game: &&PairedGame| ledger.are_of_one_group(game.first, game.second);
    for game in games {
        let skipped = Entry::Skipped {
            game: game.number,
            reason: EventGameSkipped::Apart,
            side: None,
        };
        assert_eq!(next.contains(&skipped), of_one(&game), "{game:?}");
    }
    let of_one: Vec<&PairedGame> = games.iter().filter(of_one).collect();
    let may_have = matches!(ledger.format, Format::Swiss { .. });
    assert!(may_have || of_one.is_empty(), "{of_one:?} of one group");
    if let [game] = of_one[..] {
        check_need(ledger, games, game);
    }
}

/// The only game of a round within a group is there for want of another pairing: no exchange of opponents with one of the other games makes
/// it needless.
fn check_need(ledger: &Ledger, games: &[PairedGame], game: &PairedGame) {
    for other in games.iter().filter(|other| other.number != game.number) {
        let [a, b] = [other.first, other.second];
        for (a, b) in [(a, b), (b, a)] {
            let is_needless =
                may_meet_once(ledger, game.first, a) && may_meet_once(ledger, game.second, b);
            assert!(!is_needless, "{game:?} beside {other:?}");
        }
    }
}
