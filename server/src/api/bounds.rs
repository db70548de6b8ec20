//! The bounds of values in the OpenAPI document, from the constants that the handlers check: an attribute of a field takes literals only.

use std::ops::RangeInclusive;

use mawe_ai::Level;
use mawe_play::{chat, room};
use mawe_wire::TimeControl;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{Components, Object};
use utoipa::openapi::{RefOr, Schema};

use crate::http::{
    appeals, clubs, events, imports, invitations, lobby, moderation, paging, passkeys, players,
    positions, records, reports, terms, tokens,
};
use crate::identity::email_addresses::MAX_ADDRESS_CHARS;
use crate::identity::{display_names, names, oauth, passwords, typed_codes};

/// The bound of a value.
#[derive(Debug, Clone)]
enum Bound {
    /// A number.
    Number(RangeInclusive<u64>),
    /// The length of a text in characters.
    Chars(RangeInclusive<usize>),
    /// The name of a player.
    Name,
    /// The length of a list.
    Items(RangeInclusive<usize>),
}

use Bound::{Chars, Items, Name, Number};

/// Returns the bounds of properties, as (schema, property, bound).
fn of_properties() -> Vec<(&'static str, &'static str, Bound)> {
    let password = Chars(passwords::PASSWORD_CHARS);
    let why = Chars(1..=moderation::MAX_WHY_CHARS);
    let club_name = Chars(clubs::NAME_CHARS);
    let number = |range: std::ops::RangeInclusive<u32>| {
        Number(u64::from(*range.start())..=u64::from(*range.end()))
    };
    let (boards, board_games) = (number(clubs::BOARDS), number(clubs::BOARD_GAMES));
    let pupils = Items(1..=mawe_store::MAX_PUPILS as usize);
    let card_days =
        Number(u64::from(*clubs::CARD_DAYS.start())..=u64::from(*clubs::CARD_DAYS.end()));
    let real_name = Chars(clubs::REAL_NAME_CHARS);
    let description = Chars(0..=clubs::MAX_DESCRIPTION_CHARS);
    let rating = Number(*lobby::RATINGS.start() as u64..=*lobby::RATINGS.end() as u64);
    let days = TimeControl::DAYS;
    let days = Number(u64::from(*days.start())..=u64::from(*days.end()));
    let level = Number(u64::from(Level::MIN.get())..=u64::from(Level::MAX.get()));
    vec![
        ("Credentials", "name", Name),
        ("Credentials", "password", password.clone()),
        ("PasswordChange", "new", password.clone()),
        ("NewName", "name", Name),
        ("OwnName", "name", Name),
        (
            "WantedDisplayName",
            "display_name",
            Chars(display_names::PLAYER_CHARS),
        ),
        ("Recovery", "name", Name),
        ("Recovery", "new_password", password.clone()),
        ("Recovery", "code", Chars(0..=typed_codes::MAX_TYPED_BYTES)),
        ("NewAccount", "name", Name),
        ("NewAccount", "password", password.clone()),
        (
            "NewAccount",
            "invitation",
            Chars(0..=typed_codes::MAX_TYPED_BYTES),
        ),
        (
            "NewInvitation",
            "uses",
            Number(1..=u64::from(invitations::MAX_USES)),
        ),
        (
            "NewInvitation",
            "days",
            Number(1..=u64::from(invitations::MAX_DAYS)),
        ),
        ("NewInvitation", "note", Chars(0..=invitations::NOTE_CHARS)),
        ("NewMute", "player", Name),
        ("Offer", "to", Name),
        ("ExtraMinutes", "challenger", number(terms::EXTRA_MINUTES)),
        ("ExtraMinutes", "opponent", number(terms::EXTRA_MINUTES)),
        ("Voiding", "player", Name),
        ("Voiding", "opponent", Name),
        ("Decision", "name", Name),
        ("PlayerRef", "name", Name),
        ("ClubFounding", "handle", Name),
        ("ClubFounding", "name", club_name.clone()),
        ("ClubFounding", "banner", Chars(0..=clubs::MAX_BANNER_CHARS)),
        ("ClubEdition", "name", club_name.clone()),
        ("ClubEdition", "banner", Chars(0..=clubs::MAX_BANNER_CHARS)),
        ("ClubCorrection", "name", club_name),
        ("ClubCorrection", "officer", Name),
        ("PupilList", "pupils", pupils.clone()),
        ("PupilList", "days", card_days.clone()),
        ("PupilWish", "real_name", real_name.clone()),
        ("PupilWish", "name", Name),
        ("CardList", "pupils", pupils),
        ("CardList", "days", card_days),
        ("NewRealName", "real_name", real_name),
        (
            "ClubCorrection",
            "banner",
            Chars(0..=clubs::MAX_BANNER_CHARS),
        ),
        ("ClubCorrection", "why", why.clone()),
        ("ClubClosing", "why", why.clone()),
        ("ClubTexts", "en", description.clone()),
        ("ClubTexts", "sw", description.clone()),
        ("ClubTexts", "pl", description.clone()),
        ("ClubTexts", "ml", description),
        ("ClubRef", "handle", Name),
        ("ClubMatchProposal", "against", Name),
        ("ClubMatchProposal", "boards", boards),
        ("ClubMatchProposal", "games_per_board", board_games),
        ("EventProposal", "name", Chars(events::NAME_CHARS)),
        (
            "EventProposal",
            "description",
            Chars(0..=events::MAX_DESCRIPTION_CHARS),
        ),
        ("EventProposal", "start_players", number(events::PLAYERS)),
        (
            "EventProposal",
            "duration_minutes",
            number(events::DURATION_MINUTES),
        ),
        ("EventProposal", "rounds", number(events::ROUNDS)),
        ("EventProposal", "cycles", number(events::CYCLES)),
        ("EventProposal", "games", number(events::GAMES)),
        (
            "EventProposal",
            "host_extra_minutes",
            number(terms::EXTRA_MINUTES),
        ),
        ("EventProposal", "max_players", number(events::PLAYERS)),
        ("EventFillInsWish", "players", number(events::PLAYERS)),
        ("EventFillInsWish", "level", number(events::LEVELS)),
        (
            "EventTimetableProposal",
            "weekdays",
            Items(events::WEEKDAYS),
        ),
        ("EventTimetableProposal", "at", Chars(events::AT_CHARS)),
        ("EventTimetableProposal", "zone", Chars(events::ZONE_CHARS)),
        ("EventEntryWish", "min_rating", rating.clone()),
        ("EventEntryWish", "max_rating", rating.clone()),
        (
            "EventEntryWish",
            "min_matches",
            Number(0..=u64::from(events::MAX_MIN_MATCHES)),
        ),
        ("EventEntryWish", "club", Name),
        ("EventEntryWish", "password", Chars(events::PASSWORD_CHARS)),
        ("JoinRequest", "line", Chars(0..=clubs::MAX_LINE_CHARS)),
        ("ClubPlayer", "player", Name),
        ("TimeControl", "base_ms", Number(TimeControl::BASE_MS)),
        (
            "TimeControl",
            "increment_ms",
            Number(TimeControl::INCREMENT_MS),
        ),
        ("TimeControl", "days", days),
        ("NewBotMatch", "level", level.clone()),
        ("PlayerRef", "level", level),
        ("NewSeek", "min_rating", rating.clone()),
        ("NewSeek", "max_rating", rating),
        ("Wanted", "name", Chars(tokens::NAME_CHARS)),
        ("NewEmail", "address", Chars(1..=MAX_ADDRESS_CHARS)),
        ("PasskeyRegistration", "name", Chars(passkeys::NAME_CHARS)),
        ("PasskeyName", "name", Chars(passkeys::NAME_CHARS)),
        ("Wanted", "scopes", Items(1..=usize::MAX)),
        (
            "Wanted",
            "expires_in_days",
            Number(1..=u64::from(tokens::MAX_DAYS)),
        ),
        (
            "NewVacation",
            "days",
            Number(1..=u64::from(room::vacation::MAX_DAYS)),
        ),
        (
            "NewConditionalLines",
            "lines",
            Items(0..=room::conditional::MAX_LINES),
        ),
        ("NewLine", "text", Chars(1..=chat::MAX_TEXT_CHARS)),
        ("Told", "text", Chars(0..=reports::MAX_TEXT_CHARS)),
        ("NewAppeal", "text", Chars(1..=appeals::MAX_TEXT_CHARS)),
        ("DisabledAppeal", "name", Name),
        ("DisabledAppeal", "password", password),
        ("DisabledAppeal", "text", Chars(1..=appeals::MAX_TEXT_CHARS)),
        ("AppealDecision", "note", why.clone()),
        ("Decision", "why", Chars(0..=moderation::MAX_WHY_CHARS)),
        (
            "Decision",
            "days",
            Number(1..=u64::from(moderation::MAX_DAYS)),
        ),
        ("TokenRequest", "client_id", Chars(oauth::CLIENT_ID_CHARS)),
        (
            "TokenRequest",
            "redirect_uri",
            Chars(1..=oauth::MAX_REDIRECT_URI_BYTES),
        ),
        (
            "TokenRequest",
            "code_verifier",
            Chars(oauth::VERIFIER_CHARS),
        ),
        ("Voiding", "why", why.clone()),
        ("LineRemoval", "why", why),
        ("ImportRequest", "text", Chars(1..=imports::MAX_TEXT_BYTES)),
        ("Problem", "status", Number(400..=599)),
    ]
}

/// Returns the bound of a parameter.
fn of_parameter(operation: &str, name: &str) -> Option<Bound> {
    match (operation, name) {
        ("get_players_by_name_ratings_by_game_by_speed", "limit") => {
            Some(Number(1..=u64::from(records::MAX_POINTS)))
        }
        (_, "limit") => Some(Number(1..=u64::from(paging::MAX_PAGE))),
        (_, "position") => Some(Chars(0..=positions::MAX_POSITION_CHARS)),
        (_, "moves") => Some(Chars(0..=positions::MAX_MOVES_CHARS)),
        (_, "maxwidth" | "maxheight") => Some(Number(1..=u64::from(u32::MAX))),
        (_, "search") => Some(Chars(1..=players::MAX_SEARCH)),
        (_, "handle" | "name" | "other" | "opponent" | "about" | "actor") => Some(Name),
        _ => None,
    }
}

/// Writes the bounds of properties into the schemas; returns the rows of the table that fit none.
pub(super) fn bound_schemas(components: &mut Components) -> Vec<(&'static str, &'static str)> {
    let mut unused = Vec::new();
    for (name, property, bound) in of_properties() {
        let found = match components.schemas.get_mut(name) {
            Some(RefOr::T(schema)) => write_into(schema, property, &bound),
            Some(RefOr::Ref(_)) | None => false,
        };
        if !found {
            unused.push((name, property));
        }
    }
    unused
}

/// Writes the bounds of parameters into an operation.
pub(super) fn bound_parameters(id: &str, operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else {
            continue;
        };
        if let Some(bound) = of_parameter(id, &parameter.name)
            && let Some(RefOr::T(schema)) = &mut parameter.schema
        {
            bound.write(schema);
        }
    }
}

/// Writes the bound of a property, in all variants of a schema that have it; returns whether one has.
fn write_into(schema: &mut Schema, property: &str, bound: &Bound) -> bool {
    let parts = match schema {
        Schema::Object(object) => {
            return match object.properties.get_mut(property) {
                Some(RefOr::T(schema)) => bound.write(schema),
                Some(RefOr::Ref(_)) | None => false,
            };
        }
        Schema::OneOf(one_of) => &mut one_of.items,
        Schema::AllOf(all_of) => &mut all_of.items,
        _ => return false,
    };
    let mut found = false;
    for part in parts {
        if let RefOr::T(part) = part {
            found |= write_into(part, property, bound);
        }
    }
    found
}

impl Bound {
    /// Writes the bound into the schema of a value; returns whether it is of the right kind.
    fn write(&self, schema: &mut Schema) -> bool {
        match (self, schema) {
            (Number(range), Schema::Object(object)) => {
                object.minimum = Some((*range.start()).into());
                object.maximum = Some((*range.end()).into());
            }
            (Chars(range), Schema::Object(object)) => chars(object, range),
            (Name, Schema::Object(object)) => {
                object.pattern = Some(names::pattern());
                chars(object, &names::NAME_CHARS);
            }
            (Items(range), Schema::Array(array)) => {
                array.min_items = Some(*range.start()).filter(|least| *least > 0);
                array.max_items = Some(*range.end()).filter(|most| *most < usize::MAX);
            }
            _ => return false,
        }
        true
    }
}

fn chars(object: &mut Object, range: &RangeInclusive<usize>) {
    object.min_length = Some(*range.start()).filter(|least| *least > 0);
    object.max_length = Some(*range.end());
}
