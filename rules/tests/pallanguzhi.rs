//! Pallanguzhi: the vectors of RULES-pallanguzhi.md, played by a game of its own that counts repetitions.

mod coming;

use mawe_rules::games::pallanguzhi::{PallanguzhiMove, PallanguzhiPosition, TOTAL};
use mawe_rules::{BySide, Outcome, PositionFault, Side};
use proptest::prelude::*;
use serde_json::{Value, json};

use coming::{Game, check_all, list, read, text};

/// A round with its history.
struct Round {
    position: PallanguzhiPosition,
    /// The positions since seeds were won last, the current one among them.
    since_progress: Vec<PallanguzhiPosition>,
    outcome: Option<Outcome>,
}

impl Game for Round {
    fn start() -> Self {
        Self::begin(PallanguzhiPosition::start())
    }

    fn from_position(text: &str) -> Option<Self> {
        text.parse().ok().map(Self::begin)
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn legal(&self) -> Vec<String> {
        match self.outcome {
            Some(_) => Vec::new(),
            None => self
                .position
                .legal_moves()
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    fn play(&mut self, m: &str) {
        let m: PallanguzhiMove = m.parse().expect("a move");
        if !self.position.is_quiet(m) {
            self.since_progress.clear();
        }
        self.position.play_unchecked(m);
        self.since_progress.push(self.position.clone());
        let current = &self.position;
        let occurrences = self.since_progress.iter().filter(|p| *p == current).count();
        self.outcome = self.position.outcome();
        if self.outcome.is_none() && occurrences >= 3 {
            self.outcome = Some(self.position.third_occurrence());
        }
    }

    fn result(&self) -> Value {
        let winner = |outcome: Outcome| match outcome.winner {
            Some(Side::First) => "s",
            Some(Side::Second) => "n",
            None => "draw",
        };
        self.outcome.map_or(Value::Null, |outcome| {
            let score = outcome.score.expect("seeds");
            json!({
                "winner": winner(outcome),
                "reason": outcome.reason.as_str(),
                "score": [score.first, score.second],
            })
        })
    }

    fn perft(&self, depth: u32) -> u64 {
        self.position.perft(depth)
    }
}

impl Round {
    fn begin(position: PallanguzhiPosition) -> Self {
        Self {
            since_progress: vec![position.clone()],
            outcome: position.outcome(),
            position,
        }
    }
}

#[test]
fn vectors_of_pallanguzhi() {
    check_all::<Round>("pallanguzhi", &["match_rounds"]);
}

#[test]
fn the_next_round_has_rubbish_holes() {
    let vectors = read("pallanguzhi", ".json");
    let rounds = list(&vectors["match_rounds"]);
    assert!(rounds.len() > 5);
    for round in rounds {
        let seeds = |side: &str| round[side].as_u64().expect("seeds") as u16;
        let owned = BySide::new(seeds("south"), seeds("north"));
        let began = match text(&round["last_starter"]) {
            "s" => Side::First,
            _ => Side::Second,
        };
        let next = PallanguzhiPosition::next_round(owned, began);
        let next = next.map_or(Value::Null, |next| json!(next.to_string()));
        assert_eq!(next, round["next"], "{owned:?}");
    }
    for (south, north) in [(42, 41), (TOTAL, TOTAL), (u16::MAX, u16::MAX), (0, 0)] {
        let owned = BySide::new(south, north);
        assert_eq!(PallanguzhiPosition::next_round(owned, Side::First), None);
    }
}

#[test]
fn rubbish_holes_are_the_highest_pits_and_never_all() {
    for text in [
        "6,x,x,x,x,x,x,0/6,6,6,6,6,6,6,36 n",
        "6,6,6,6,6,6,x,6/6,x,x,x,x,x,x,0 s",
    ] {
        let position: PallanguzhiPosition = text.parse().expect("a position");
        assert_eq!(position.to_string(), text);
    }
    for (text, at) in [
        ("x,6,6,6,6,6,6,0/6,6,6,6,6,6,6,0 s", 0),
        ("6,6,x,6,6,6,6,0/6,6,6,6,6,6,6,0 s", 6),
        ("6,6,6,6,6,6,6,0/x,x,x,x,x,x,x,0 s", 16),
    ] {
        let refused = text.parse::<PallanguzhiPosition>().expect_err(text);
        assert_eq!(
            (refused.at, refused.why),
            (at, PositionFault::MisplacedRubbishHole)
        );
    }
}

proptest! {
    /// What is read prints so that it reads as the same, and every pit of it can be played without a panic.
    #[test]
    fn any_text_is_refused_or_read(
        text in prop_oneof![
            any::<String>(),
            "[0-9x]{1,2}(,[0-9x]{1,2}){6},[0-9]{1,4}/[0-9x]{1,2}(,[0-9x]{1,2}){6},[0-9]{1,4} [sn]",
            "[0-9]{1,3},([0-9]{1,3},){6}[0-9]{1,4}/([0-9]{1,3},){4}x,x,x,[0-9]{1,4} [sn]",
        ],
    ) {
        let Ok(position) = text.parse::<PallanguzhiPosition>() else {
            return Ok(());
        };
        prop_assert_eq!(position.to_string().parse(), Ok(position.clone()));
        let seeds = |position: &PallanguzhiPosition| {
            let text = position.to_string();
            let numbers = text.split(|c: char| !c.is_ascii_digit());
            numbers.filter_map(|number| number.parse::<u32>().ok()).sum::<u32>()
        };
        for house in 1..=7 {
            let mut after = position.clone();
            let m = PallanguzhiMove::new(house).expect("a pit");
            after.play_unchecked(m);
            if position.legal_moves().contains(&m) {
                prop_assert_eq!(seeds(&after), seeds(&position));
            }
        }
    }
}
