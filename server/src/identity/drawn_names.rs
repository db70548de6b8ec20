//! Names for accounts that others make: two words and a number, which say nothing about the person.

use mawe_wire::random;

/// Words of four to eight letters, from the shores and gardens where the games are played.
const WORDS: [&str; 64] = [
    "Acacia", "Baobab", "Bamboo", "Banana", "Basil", "Beach", "Breeze", "Bridge", "Canoe",
    "Cashew", "Cedar", "Cherry", "Cloud", "Clove", "Coral", "Cotton", "Cowrie", "Dhow", "Dolphin",
    "Falcon", "Fern", "Forest", "Garden", "Ginger", "Harbour", "Heron", "Island", "Jasmine",
    "Kite", "Lagoon", "Lemon", "Lotus", "Mango", "Maple", "Marble", "Meadow", "Melon", "Monsoon",
    "Moon", "Nutmeg", "Oasis", "Ocean", "Olive", "Orchid", "Otter", "Palm", "Papaya", "Pebble",
    "Pepper", "Plum", "Rain", "River", "Robin", "Saffron", "Sand", "Seed", "Shell", "Sparrow",
    "Stone", "Summer", "Sunrise", "Turtle", "Valley", "Willow",
];

/// Draws a name; whether an account has it is not known.
#[must_use]
pub(crate) fn draw() -> String {
    let number = random::number();
    let part = |shift: u32, of: u64| usize::try_from((number >> shift) % of).unwrap_or_default();
    let words = WORDS.len() as u64;
    format!(
        "{}{}{:02}",
        WORDS[part(0, words)],
        WORDS[part(16, words)],
        part(32, 100)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::names::check_name;

    #[test]
    fn every_name_is_permitted() {
        for first in WORDS {
            for second in WORDS {
                let name = format!("{first}{second}99");
                check_name(&name).unwrap_or_else(|advice| panic!("{name}: {advice}"));
            }
        }
    }

    #[test]
    fn names_differ() {
        let drawn: std::collections::HashSet<String> = (0..100).map(|_| draw()).collect();
        // 100 of 400,000: two pairs are the same once in some ten thousand times.
        assert!(drawn.len() >= 98, "{}", drawn.len());
    }
}
