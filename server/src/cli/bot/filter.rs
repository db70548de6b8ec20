//! The filter of a bot for challenges.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use mawe_client::types::{Challenge, DeclineReason, PlayerKind, Speed};
use mawe_rules::GameKind;

/// The filter.
#[derive(Clone, Debug, Args)]
pub(super) struct ChallengeFilter {
    /// The accepted kinds of challengers
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',', default_values = ["guest", "account", "bot"])]
    from: Vec<Kind>,
    /// The accepted modes
    #[arg(long, value_name = "MODES", value_enum, value_delimiter = ',', default_values = ["rated", "casual"])]
    modes: Vec<Mode>,
    /// The accepted speeds; matches by the day and those without a clock are `daily`
    #[arg(long, value_name = "SPEEDS", value_enum, value_delimiter = ',', default_values = ["bullet", "blitz", "rapid", "classical"])]
    speeds: Vec<Pace>,
    /// The accepted ratings of challengers, as LOWEST-HIGHEST; without it also challengers without a rating
    #[arg(long, value_name = "RANGE")]
    ratings: Option<Ratings>,
    /// Accept challenges from these players only
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Decline all challenges from these players
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    block: Vec<String>,
    /// Accept other setups than the usual ones, too; not every engine can be told of them
    #[arg(long)]
    any_setup: bool,
}

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Guest,
    Account,
    Bot,
}

/// A mode of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Rated,
    Casual,
}

/// A speed of matches, from the fastest to the slowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Pace {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Daily,
}

/// A range of ratings, with both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ratings {
    lowest: i32,
    highest: i32,
}

impl FromStr for Ratings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = text.split_once('-').and_then(|(lowest, highest)| {
            let (lowest, highest) = (lowest.parse().ok()?, highest.parse().ok()?);
            (lowest <= highest).then_some(Ratings { lowest, highest })
        });
        range.ok_or_else(|| "two ratings like 1200-1800 are wanted, the lower one first".to_owned())
    }
}

impl ChallengeFilter {
    /// The reason for declining a challenge; `None` if it is acceptable. `games` are the bot's.
    pub(super) fn refusal(
        &self,
        challenge: &Challenge,
        games: impl IntoIterator<Item = GameKind>,
    ) -> Option<DeclineReason> {
        if !games.into_iter().any(|game| game.id() == &*challenge.game) {
            return Some(DeclineReason::Game);
        }
        let mode = match challenge.rated {
            true => Mode::Rated,
            false => Mode::Casual,
        };
        if !self.modes.contains(&mode) {
            // The reason names the accepted mode.
            return Some(match mode {
                Mode::Rated => DeclineReason::Casual,
                Mode::Casual => DeclineReason::Rated,
            });
        }
        if let Some(reason) = self.refusal_of_speed(&challenge.speed) {
            return Some(reason);
        }
        if !self.any_setup && !challenge.setup.is_empty() {
            return Some(DeclineReason::Setup);
        }
        (!self.welcomes(challenge)).then_some(DeclineReason::Generic)
    }

    fn refusal_of_speed(&self, speed: &Speed) -> Option<DeclineReason> {
        let pace = match speed {
            Speed::Bullet => Pace::Bullet,
            Speed::Blitz => Pace::Blitz,
            Speed::Rapid => Pace::Rapid,
            Speed::Classical => Pace::Classical,
            Speed::Daily => Pace::Daily,
            _ => return Some(DeclineReason::Generic),
        };
        if self.speeds.contains(&pace) {
            return None;
        }
        let is_too_fast = self.speeds.iter().all(|accepted| *accepted > pace);
        Some(match is_too_fast {
            true => DeclineReason::TooFast,
            false => DeclineReason::TooSlow,
        })
    }

    /// Whether the challenger may play the bot.
    fn welcomes(&self, challenge: &Challenge) -> bool {
        let challenger = &challenge.challenger;
        let kind = match challenger.kind {
            PlayerKind::Guest => Kind::Guest,
            PlayerKind::Account => Kind::Account,
            PlayerKind::Bot => Kind::Bot,
            _ => return false,
        };
        let names = |names: &[String]| {
            names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(&challenger.name))
        };
        let rating = challenge.challenger_rating.as_ref();
        let is_in_range = self.ratings.is_none_or(|range| {
            rating.is_some_and(|own| (range.lowest..=range.highest).contains(&own.rating))
        });
        let is_chosen = self.only.is_empty() || names(&self.only);
        self.from.contains(&kind) && is_chosen && !names(&self.block) && is_in_range
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        filter: ChallengeFilter,
    }

    /// The refusal of a challenge with these fields by a bot with these options that plays Oware.
    fn refusal(options: &[&str], fields: Value) -> Option<DeclineReason> {
        let line = ["bot"].iter().chain(options);
        let filter = Line::try_parse_from(line).expect("options").filter;
        let mut challenge = json!({
            "id": "one", "challenger": { "name": "Amina", "kind": "account" }, "challenger_rating": { "rating": 1500, "deviation": 80 },
            "game": "oware", "setup": "", "rated": true, "time_control": { "kind": "realtime", "base_ms": 180_000, "increment_ms": 0 },
            "speed": "blitz", "side": "random", "options": {}, "status": "open",
            "created_at": "2026-11-20T15:04:05Z", "expires_at": "2026-11-21T15:04:05Z"
        });
        let Value::Object(fields) = fields else {
            panic!("fields are wanted")
        };
        challenge.as_object_mut().expect("it is one").extend(fields);
        let challenge = serde_json::from_value(challenge).expect("a challenge");
        filter.refusal(&challenge, [GameKind::Oware])
    }

    #[test]
    fn a_usual_challenge_is_accepted_and_another_declined_with_its_reason() {
        assert_eq!(refusal(&[], json!({})), None);
        let cases = [
            (json!({ "game": "kalah" }), DeclineReason::Game),
            (json!({ "speed": "daily" }), DeclineReason::TooSlow),
            (json!({ "speed": "sudden" }), DeclineReason::Generic),
            (json!({ "setup": "seeds=3" }), DeclineReason::Setup),
        ];
        for (fields, reason) in cases {
            assert_eq!(refusal(&[], fields.clone()), Some(reason), "{fields}");
        }
        assert_eq!(
            refusal(&["--any-setup"], json!({ "setup": "seeds=3" })),
            None
        );
    }

    #[test]
    fn a_mode_or_a_speed_that_is_not_accepted_is_declined_with_the_one_that_is() {
        let casual = json!({ "rated": false });
        assert_eq!(
            refusal(&["--modes", "rated"], casual.clone()),
            Some(DeclineReason::Rated)
        );
        assert_eq!(refusal(&["--modes", "rated,casual"], casual), None);
        assert_eq!(
            refusal(&["--modes=casual"], json!({})),
            Some(DeclineReason::Casual)
        );
        assert_eq!(
            refusal(&["--speeds", "rapid,daily"], json!({})),
            Some(DeclineReason::TooFast)
        );
        assert_eq!(
            refusal(&["--speeds", "bullet"], json!({})),
            Some(DeclineReason::TooSlow)
        );
    }

    #[test]
    fn a_challenger_who_is_not_wanted_is_declined() {
        let no = Some(DeclineReason::Generic);
        assert_eq!(refusal(&["--from", "guest,bot"], json!({})), no);
        assert_eq!(refusal(&["--block", "Juma,AMINA"], json!({})), no);
        assert_eq!(refusal(&["--only", "Juma"], json!({})), no);
        assert_eq!(refusal(&["--only", "amina"], json!({})), None);
        assert_eq!(refusal(&["--ratings", "1501-1800"], json!({})), no);
        assert_eq!(refusal(&["--ratings", "1500-1500"], json!({})), None);
        let unrated = json!({ "challenger_rating": null });
        assert_eq!(refusal(&["--ratings", "0-9999"], unrated), no);
        for range in ["", "1500", "1800-1200", "a-b"] {
            assert!(range.parse::<Ratings>().is_err(), "{range:?}");
        }
    }
}
