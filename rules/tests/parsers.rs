//! Arbitrary text: parsers refuse it or round-trip it, and never panic.

use mawe_rules::{AnyPosition, AnySetup, GameKind, Reason, Record, Side};
use proptest::prelude::*;

/// Arbitrary text, and text of the letters of positions, moves and setups, of which parsers accept
/// more.
fn any_text() -> impl Strategy<Value = String> {
    let letters = prop::sample::select(
        "WBwbXOsn-xK:,/=0123456789acdefgh "
            .chars()
            .collect::<Vec<_>>(),
    );
    let likely = prop::collection::vec(letters, 0..80).prop_map(String::from_iter);
    prop_oneof![any::<String>(), likely]
}

/// A position string with a few characters changed, dropped or added.
fn nearly_a_position() -> impl Strategy<Value = (GameKind, String)> {
    let edit = (any::<prop::sample::Index>(), 0..3, any_text());
    (
        prop::sample::select(GameKind::ALL),
        prop::collection::vec(edit, 0..4),
    )
        .prop_map(|(kind, edits)| {
            let start = AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start");
            let mut text: Vec<char> = start.to_string().chars().collect();
            for (at, what, with) in edits {
                let at = at.index(text.len().max(1));
                let with = with.chars().next().unwrap_or('/');
                match what {
                    0 => text.insert(at, with),
                    1 if at < text.len() => drop(text.remove(at)),
                    _ => text
                        .iter_mut()
                        .skip(at)
                        .take(1)
                        .for_each(|symbol| *symbol = with),
                }
            }
            (kind, text.into_iter().collect())
        })
}

/// A parsed position prints as text that parses to the same position.
fn check_position(kind: GameKind, text: &str) -> Result<(), TestCaseError> {
    match AnyPosition::parse(kind, text) {
        Ok(pos) => {
            let printed = pos.to_string();
            prop_assert_eq!(&AnyPosition::parse(kind, &printed), &Ok(pos.clone()));
            prop_assert_eq!(pos.outcome().is_some(), pos.legal_moves().is_empty());
        }
        Err(error) => {
            prop_assert!(error.at <= text.len());
            prop_assert!(text[..error.at].is_ascii());
            prop_assert!(!error.to_string().is_empty());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_refused_or_round_trips(text in any_text()) {
        for kind in GameKind::ALL.iter().copied() {
            check_position(kind, &text)?;
            if let Ok(setup) = AnySetup::parse(kind, &text) {
                prop_assert_eq!(AnySetup::parse(kind, &setup.to_string()), Ok(setup));
            }
            let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("a start");
            let before = record.clone();
            if let Ok(m) = record.position().parse_move(&text) {
                prop_assert_eq!(m.to_string(), text.as_str());
            }
            match record.play(&text) {
                Ok(m) => prop_assert_eq!(m.to_string(), text.as_str()),
                Err(_) => prop_assert_eq!(&record, &before),
            }
        }
        if let Ok(kind) = text.parse::<GameKind>() {
            prop_assert_eq!(kind.to_string(), text.as_str());
        }
        if let Ok(side) = text.parse::<Side>() {
            prop_assert_eq!(side.to_string(), text.as_str());
        }
        if let Ok(reason) = text.parse::<Reason>() {
            prop_assert_eq!(reason.to_string(), text.as_str());
        }
    }

    #[test]
    fn a_damaged_position_is_refused_or_round_trips((kind, text) in nearly_a_position()) {
        check_position(kind, &text)?;
    }
}
