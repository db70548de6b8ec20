//! The terms of a match: parsed from a request, checked, and completed with defaults.

use std::ops::RangeInclusive;

use mawe_play::openings::openings_of;
use mawe_rules::games::opening::Opening;
use mawe_rules::{AnySetup, GameKind, Side};
use mawe_store::Player;
use mawe_wire::{Code, MatchOptions, PlayerKind, SideWish, TimeControl};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::error::ApiError;
use crate::http::positions;
use crate::live::arrange::Terms;

/// The options of a match; those left out have their defaults.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OptionsWish {
    /// Whether moves may be taken back; by default only in casual matches.
    takebacks: Option<bool>,
    /// Whether a player may give the opponent time; true by default.
    give_time: Option<bool>,
    /// Whether the players may send quick phrases; true by default.
    phrases: Option<bool>,
    /// Whether a move may be taken back without asking until the opponent has moved; false by default, and always in a rated match.
    free_takebacks: Option<bool>,
}

impl Terms {
    /// Returns the side of the player who proposes these terms; `None` draws it by lot, as in every rated match: in a game that favours one
    /// side, a choice of side would gain rating points.
    pub(crate) fn side(&self, wish: SideWish) -> Option<Side> {
        wish.side().filter(|_| !self.rated)
    }
}

/// The requested terms, unchecked.
pub(crate) struct TermsRequest<'a> {
    pub(crate) game: GameKind,
    /// In text form: the options of the game, or a position.
    pub(crate) setup: &'a str,
    pub(crate) time_control: TimeControl,
    pub(crate) rated: bool,
    pub(crate) options: Option<OptionsWish>,
    pub(crate) private: bool,
}

impl TermsRequest<'_> {
    /// Returns the terms, if they are playable and open to this player.
    ///
    /// # Errors
    /// [`ApiError::Unprocessable`], naming the field; [`ApiError::AccountNeeded`].
    pub(crate) fn check(self, who: &Player) -> Result<Terms, ApiError> {
        let bad_setup = |advice: &str| ApiError::field(Code::BadSetup, "setup", advice);
        let setup = match AnySetup::position_text(self.setup) {
            Some(text) => from_position(self.game, text),
            None => AnySetup::parse(self.game, self.setup).map_err(|error| error.to_string()),
        };
        let setup = setup.map_err(|why| bad_setup(&why))?;
        match setup.opening() {
            Opening::None => {}
            Opening::Drawn if openings_of(&setup).is_empty() => {
                return Err(bad_setup(
                    "no openings of this setup are known: leave out opening",
                ));
            }
            Opening::Drawn => {}
            // Otherwise players could choose an opening that they know, and the page would show it as drawn by lot.
            Opening::Plies(_) => {
                return Err(bad_setup("an opening is drawn by lot: opening=drawn"));
            }
        }
        let bad_time = |advice| ApiError::field(Code::BadTimeControl, "time_control", advice);
        let time_control = self.time_control.check().map_err(bad_time)?;
        if self.rated && !setup.may_be_rated() {
            let usual = AnySetup::usual(self.game);
            let advice = match usual.may_be_rated() {
                true => format!("with this setup the game cannot be rated; {usual} can"),
                false => "this game cannot be rated: leave out rated".to_owned(),
            };
            return Err(ApiError::field(Code::BadSetup, "setup", advice));
        }
        if self.rated && time_control == TimeControl::Unlimited {
            return Err(bad_time("a rated match needs a clock"));
        }
        if self.rated && self.private {
            let advice = "a rated match is public: leave out private or rated";
            return Err(ApiError::field(Code::BadTerms, "private", advice));
        }
        check_rated(who, self.rated)?;
        let usual = MatchOptions::usual(self.rated);
        let wish = self.options.unwrap_or_default();
        if self.rated && wish.free_takebacks == Some(true) {
            let advice = "in a rated match a move stands: leave out free_takebacks or rated";
            return Err(ApiError::field(Code::BadTerms, "options", advice));
        }
        Ok(Terms {
            game: self.game,
            setup,
            time_control,
            rated: self.rated,
            options: MatchOptions {
                berserk: false,
                takebacks: wish.takebacks.unwrap_or(usual.takebacks),
                give_time: wish.give_time.unwrap_or(usual.give_time),
                phrases: wish.phrases.unwrap_or(usual.phrases),
                free_takebacks: wish.free_takebacks.unwrap_or(usual.free_takebacks),
            },
            private: self.private,
        })
    }
}

/// Returns the setup of a game from a position. A match begins with the turn of a player: passes that are forced at its start are played
/// here. The error says why the game cannot begin there.
fn from_position(game: GameKind, text: &str) -> Result<AnySetup, String> {
    let mut position = positions::parse(game, text).map_err(|why| format!("position: {why}"))?;
    while let Some(pass) = position.forced_pass() {
        let passed = position.play(&pass.to_string());
        passed.map_err(|why| why.to_string())?;
    }
    match position.outcome() {
        Some(_) => Err("in this position the game is over: leave a move to play".to_owned()),
        None => Ok(AnySetup::from_position(position)),
    }
}

/// The minutes that a player may have beyond the base time.
pub(crate) const EXTRA_MINUTES: RangeInclusive<u32> = 0..=60;

/// Returns minutes of a player beyond the base time, in milliseconds.
///
/// # Errors
/// [`ApiError::Unprocessable`], naming the field.
pub(crate) fn extra_ms(
    time_control: TimeControl,
    minutes: u32,
    field: &'static str,
) -> Result<u64, ApiError> {
    let bad_terms = |advice: &str| Err(ApiError::field(Code::BadTerms, field, advice));
    let TimeControl::Realtime { base_ms, .. } = time_control else {
        return bad_terms("only a player with a clock has more time: leave it out");
    };
    let extra_ms = u64::from(minutes) * 60_000;
    if !EXTRA_MINUTES.contains(&minutes)
        || base_ms.saturating_add(extra_ms) > *TimeControl::BASE_MS.end()
    {
        return bad_terms(
            "a player has up to 60 minutes more, and 3 hours at most with the base time",
        );
    }
    Ok(extra_ms)
}

/// Refuses a rated match to a player without an account.
///
/// # Errors
/// [`ApiError::AccountNeeded`].
pub(crate) fn check_rated(who: &Player, rated: bool) -> Result<(), ApiError> {
    if rated && who.kind == PlayerKind::Guest {
        return Err(ApiError::AccountNeeded);
    }
    Ok(())
}
