//! Rights: every operation of the OpenAPI document and every message of the WebSocket, requested in every role.
//!
//! A new operation or message needs a row in [`operations`] or [`messages`]: the result for each role, `ok` or the code of the refusal. The
//! groups `ANYBODY`, `SIGNED_IN`, … cover most rows; `but` changes single roles of a group.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Method;
use serde_json::{Value, json};

use mawe_play::events::Input;
use mawe_rules::GameKind;
use mawe_server::identity::sessions;
use mawe_server::lobby::events::first_append;
use mawe_server::mail::MailSettings;
use mawe_server::page::banner::Banner;
use mawe_server::page::picture::Picture;
use mawe_store::{
    AccountChange, Attribution, CLUB_LIMITS, CLUB_MATCH_LIMITS, ClubChange, ClubLimits,
    ClubMatchChange, ClubName, EVENT_TIMETABLE_LIMITS, EventRecurrence, EventTerms,
    EventTimetableCreated, EventTimetableLimits, NewChatLine, NewClub, NewClubMatch, NewEvent,
    NewEventTimetable, NewPasskey, NewPupil, NewPupils, PasskeyCreated, UsedChallenge, Verdict,
};
use mawe_wire::chat::ChatRoom;
use mawe_wire::clubs::{ClubKind, ClubTexts, Joining};
use mawe_wire::events::{EventInterval, EventKind};
use mawe_wire::grants::Grant;
use mawe_wire::ids::{ClubId, ClubMatchId, EventId, EventTimetableId, PasskeyId, PlayerId};
use mawe_wire::{SUBPROTOCOL, ServerMsg, TimeControl, random};

use crate::common::socket::{Heard, Socket};
use crate::common::{PASSWORD, Person, TestServer};
use crate::metrics::same;

/// All kinds of callers, in the order of the cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Without a session.
    Nobody,
    Guest,
    /// The account that owns the match, challenge, seek, session, token or notice.
    Player,
    /// Another account.
    Other,
    /// Another account, which a moderator has muted.
    Muted,
    /// With a session of an account that was disabled afterwards.
    Disabled,
    Moderator,
    /// An account with the grant `operator`.
    Operator,
    /// A program of `Player` with a token of this one scope; over a socket it has `read` besides.
    Read,
    Play,
    Challenge,
    Event,
    Bot,
}

const ROLES: [Role; 13] = [
    Role::Nobody,
    Role::Guest,
    Role::Player,
    Role::Other,
    Role::Muted,
    Role::Disabled,
    Role::Moderator,
    Role::Operator,
    Role::Read,
    Role::Play,
    Role::Challenge,
    Role::Event,
    Role::Bot,
];

/// The number of clubs that were made.
static CLUBS: AtomicU64 = AtomicU64::new(0);

/// The number of tokens, one with each scope.
const TOKENS: usize = 5;

const OK: &str = "ok";

/// The result for each role: [`OK`], or the code of the problem or of the `error`.
#[derive(Debug, Clone, Copy)]
struct Cells([&'static str; ROLES.len()]);

const fn cells(
    people: &'static str,
    nobody: &'static str,
    tokens: [&'static str; TOKENS],
) -> Cells {
    let [read, play, challenge, event, bot] = tokens;
    Cells([
        nobody, people, people, people, people, nobody, people, people, read, play, challenge,
        event, bot,
    ])
}

const NO_SCOPE: &str = "scope-needed";
const NO_TOKEN: [&str; TOKENS] = ["session-needed"; TOKENS];

const fn everybody(gets: &'static str) -> Cells {
    Cells([gets; ROLES.len()])
}

/// Every caller.
const ANYBODY: Cells = everybody(OK);
/// Every signed-in caller; of tokens, those with `read`.
const SIGNED_IN: Cells = cells(
    OK,
    "sign-in-first",
    [OK, NO_SCOPE, NO_SCOPE, NO_SCOPE, NO_SCOPE],
);
/// Every signed-in caller; of tokens, those with `play`.
const PLAYING: Cells = cells(
    OK,
    "sign-in-first",
    [NO_SCOPE, OK, NO_SCOPE, NO_SCOPE, NO_SCOPE],
);
/// Every signed-in caller; of tokens, those with `challenge`.
const CHALLENGING: Cells = cells(
    OK,
    "sign-in-first",
    [NO_SCOPE, NO_SCOPE, OK, NO_SCOPE, NO_SCOPE],
);
/// Every signed-in caller; of tokens, those with `event`.
const TAKING_PART: Cells = cells(
    OK,
    "sign-in-first",
    [NO_SCOPE, NO_SCOPE, NO_SCOPE, OK, NO_SCOPE],
);
/// Every caller with a session; no token.
const BY_SESSION: Cells = cells(OK, "sign-in-first", NO_TOKEN);
/// Moderators with a session; no token.
const MODERATING: Cells =
    cells("moderators-only", "sign-in-first", NO_TOKEN).but(&[(Role::Moderator, OK)]);

/// Accounts with the grant `operator`, with a session; no token, and not by the grants of moderators.
const OPERATING: Cells =
    cells("operators-only", "sign-in-first", NO_TOKEN).but(&[(Role::Operator, OK)]);

/// Accounts in a room of a chat: other accounts, the player, and the player's tokens.
const fn in_chat(
    others: &'static str,
    player: &'static str,
    tokens: [&'static str; TOKENS],
) -> Cells {
    cells(others, "sign-in-first", tokens)
        .but(&[(Role::Guest, "account-needed"), (Role::Player, player)])
}

impl Cells {
    const fn but(mut self, changes: &[(Role, &'static str)]) -> Cells {
        let mut i = 0;
        while i < changes.len() {
            let (role, gets) = changes[i];
            self.0[role as usize] = gets;
            i += 1;
        }
        self
    }

    /// Sets the result for all signed-in callers other than the owner.
    const fn strangers(self, gets: &'static str) -> Cells {
        self.but(&[
            (Role::Guest, gets),
            (Role::Other, gets),
            (Role::Muted, gets),
            (Role::Moderator, gets),
            (Role::Operator, gets),
        ])
    }
}

/// The object that `{id}` of an address names. Each role gets a new one, so that none finds it used up.
#[derive(Debug, Clone, Copy)]
enum Thing {
    /// The address has no `{id}`.
    None,
    /// A running match of the player's against a guest.
    Match,
    /// The player's challenge by link.
    Challenge,
    /// The player's challenge to a new account.
    ChallengeByName,
    /// Another account's challenge to the player.
    ChallengeToPlayer,
    /// The player's seek.
    Seek,
    /// A report about the bystander.
    Report,
    /// A report that the moderator has taken.
    TakenReport,
    /// A moderator's decision about the player.
    Decision,
    /// A report about the bystander, with an appeal against the decision of another moderator.
    Appeal,
    /// Another session of the player's.
    Session,
    /// A token of the player's.
    Token,
    /// A passkey of the player's.
    Passkey,
    /// A moderator's notice to the player.
    Notice,
    /// A running match of the player's against a friend, with chat on for all accounts. The room is that of the players.
    Chat,
    /// The same with the room of the spectators.
    SpectatorChat,
    /// The same, with a line of the player's in the room of the players.
    ChatLine,
    /// A report about such a line.
    LineReport,
    /// An invitation of the operator's.
    Invitation,
    /// An open club that the player has founded, with the bystander as a member. The handle is the id.
    Club,
    /// Such a club that the bystander has requested to join.
    AskedClub,
    /// Such a club that is joined by invitation, without the bystander.
    HiddenClub,
    Class,
    /// A club match between two such open clubs, proposed.
    ProposedClubMatch,
    /// The same, agreed.
    AgreedClubMatch,
    /// A coming arena that the player has created and joined.
    Event,
    /// A timetable of an open club that the player has founded.
    EventTimetable,
}

struct Operation {
    method: &'static str,
    /// The path in the form of the document.
    path: &'static str,
    thing: Thing,
    body: Value,
    who: Cells,
}

/// Every operation of the document with its results; one may have several rows, for different objects.
#[rustfmt::skip]
fn operations() -> Vec<Operation> {
    let row = |method, path, thing, body, who| Operation { method, path, thing, body, who };
    let get = |path, thing, who| row("GET", path, thing, Value::Null, who);
    let delete = |path, thing, who| row("DELETE", path, thing, Value::Null, who);
    let post = |path, thing, body, who| row("POST", path, thing, body, who);
    let days = json!({ "kind": "correspondence", "days": 3 });
    let terms = json!({ "game": "mawe", "time_control": days });
    let against_bot = json!({ "game": "mawe", "level": 1, "side": "first", "time_control": days });
    let credentials = |name: &str| json!({ "name": name, "password": PASSWORD });
    // The example of RFC 8291.
    let browser = json!({
        "endpoint": "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    });
    let access = json!({
        "response_type": "code", "client_id": "a-board", "redirect_uri": "https://app.example/", "scope": "read",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    });
    let draw = json!({ "client_id": "a", "seq": 0, "command": { "kind": "offer-draw" } });
    let named = Cells(["not-found"; ROLES.len()]).but(&[(Role::Player, OK), (Role::Read, OK)]);
    vec![
        get("/healthz", Thing::None, ANYBODY),
        get("/readyz", Thing::None, ANYBODY),
        get("/api/v1/banner", Thing::None, ANYBODY),
        get("/api/v1/banner/picture", Thing::None, ANYBODY),
        get("/api/v1/site/logo", Thing::None, ANYBODY),
        get("/api/v1/games", Thing::None, ANYBODY),
        get("/api/v1/games/{game}/picture.png", Thing::None, ANYBODY),
        get("/api/v1/leaderboards/{game}", Thing::None, ANYBODY),
        get("/api/v1/matches", Thing::None, ANYBODY),
        get("/api/v1/matches/{id}", Thing::Match, ANYBODY),
        get("/api/v1/matches/{id}/export", Thing::Match, ANYBODY),
        get("/api/v1/matches/{id}/analysis", Thing::Match, everybody("not-found")),
        // The match runs, which is the answer for callers with the right.
        post("/api/v1/matches/{id}/analysis", Thing::Match, Value::Null, cells("match-not-over", "sign-in-first", [NO_SCOPE, "match-not-over", NO_SCOPE, NO_SCOPE, NO_SCOPE]).but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/matches/{id}/picture.png", Thing::Match, ANYBODY),
        get("/api/v1/matches/{id}/board.svg", Thing::Match, ANYBODY),
        // The match runs, which is the answer for everybody.
        get("/api/v1/matches/{id}/animation.gif", Thing::Match, everybody("match-not-over")),
        get("/api/v1/matches/{id}/stream", Thing::Match, ANYBODY),
        get("/api/v1/players", Thing::None, ANYBODY),
        get("/api/v1/players/{name}", Thing::None, ANYBODY),
        get("/api/v1/players/{name}/against/{other}", Thing::None, ANYBODY),
        get("/api/v1/players/{name}/matches", Thing::None, ANYBODY),
        get("/api/v1/players/{name}/matches/export", Thing::None, ANYBODY),
        get("/api/v1/players/{name}/ratings/{game}/{speed}", Thing::None, ANYBODY),
        get("/api/v1/positions/{game}", Thing::None, ANYBODY),
        get("/api/v1/positions/{game}/picture.png", Thing::None, ANYBODY),
        post("/api/v1/imports", Thing::None, json!({ "game": "reversi", "text": "f5" }), ANYBODY),
        get("/embed/match/{id}", Thing::Match, ANYBODY),
        get("/embed/tv/{game}", Thing::None, ANYBODY),
        get("/oembed", Thing::None, ANYBODY),
        get("/.well-known/oauth-authorization-server", Thing::None, ANYBODY),
        get("/api/v1/oauth/request", Thing::None, ANYBODY),
        // Whoever has the code, or the token.
        post("/oauth/token", Thing::None, json!("grant_type=authorization_code"), everybody("invalid_request")),
        post("/oauth/revoke", Thing::None, json!("token=none"), ANYBODY),
        get("/api/v1/pools", Thing::None, ANYBODY),
        get("/api/v1/push/key", Thing::None, ANYBODY),
        get("/api/v1/seeks", Thing::None, ANYBODY),
        get("/api/v1/tv", Thing::None, ANYBODY),
        get("/api/v1/activity", Thing::None, ANYBODY),
        get("/api/v1/tv/{game}/stream", Thing::None, ANYBODY),
        get("/api/v1/ws", Thing::None, ANYBODY.but(&[(Role::Play, NO_SCOPE), (Role::Challenge, NO_SCOPE), (Role::Event, NO_SCOPE), (Role::Bot, NO_SCOPE)])),
        // Only for workers with the operator's key.
        post("/api/v1/jobs", Thing::None, json!({}), everybody("workers-off")),

        // The caller's own account.
        get("/api/v1/me", Thing::None, ANYBODY),
        post("/api/v1/guests", Thing::None, json!({}), cells(OK, OK, NO_TOKEN)),
        post("/api/v1/accounts", Thing::None, credentials("{new}"), cells("has-account", OK, NO_TOKEN).but(&[(Role::Guest, OK)])),
        post("/api/v1/sessions", Thing::None, credentials("{bystander}"), ANYBODY),
        post("/api/v1/sessions", Thing::None, credentials("{disabled}"), everybody("account-disabled")),
        delete("/api/v1/sessions/current", Thing::None, cells(OK, OK, NO_TOKEN)),
        post("/api/v1/me/language", Thing::None, json!({ "language": "sw" }), BY_SESSION),
        post("/api/v1/me/password", Thing::None, json!({ "old": PASSWORD, "new": "maembe na korosho" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/me/bot", Thing::None, json!({}), cells(OK, "sign-in-first", [NO_SCOPE, NO_SCOPE, NO_SCOPE, NO_SCOPE, OK]).but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/me/recovery-codes", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/me/recovery-codes", Thing::None, json!({ "password": PASSWORD }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        // The test's server is named by its address, which has no passkeys; that is the answer for callers with the right.
        get("/api/v1/me/passkeys", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/me/passkeys/challenge", Thing::None, json!({ "password": PASSWORD }), cells("passkeys-unavailable", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/me/passkeys", Thing::None, json!({ "challenge": "none", "name": "x", "credential": {} }), cells("passkeys-unavailable", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        row("PATCH", "/api/v1/me/passkeys/{id}", Thing::Passkey, json!({ "name": "x" }), BY_SESSION.strangers("not-found")),
        // The password is wrong, which is the answer for callers with the right.
        row("DELETE", "/api/v1/me/passkeys/{id}", Thing::Passkey, json!({ "password": "not the password" }), cells("wrong-credentials", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/sessions/passkey/challenge", Thing::None, json!({}), everybody("passkeys-unavailable")),
        post("/api/v1/sessions/passkey", Thing::None, json!({ "challenge": "none", "credential": {} }), everybody("passkeys-unavailable")),
        // Whoever has a code of the account.
        // The address is none, which is the answer for callers with the right.
        get("/api/v1/me/email", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        row("PUT", "/api/v1/me/email", Thing::None, json!({ "address": "none", "password": PASSWORD }), cells("bad-email", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        row("DELETE", "/api/v1/me/email", Thing::None, json!({ "password": PASSWORD }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        // Whoever has the token of a link that came by mail.
        post("/api/v1/email-confirmations", Thing::None, json!({ "token": "none" }), everybody("link-expired")),
        post("/api/v1/password-resets", Thing::None, json!({ "account": "{new}" }), ANYBODY),
        post("/api/v1/password-resets/use", Thing::None, json!({ "token": "none", "new_password": "maembe na korosho" }), everybody("link-expired")),
        post("/api/v1/recoveries", Thing::None, json!({ "name": "{new}", "code": "none", "new_password": "maembe na korosho" }), everybody("wrong-credentials")),
        get("/api/v1/me/export", Thing::None, BY_SESSION),
        get("/api/v1/me/name", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        // The name of somebody else, which is the answer for callers with the right.
        post("/api/v1/me/name", Thing::None, json!({ "name": "{bystander}" }), cells("name-taken", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/me/display-name", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        // The name of somebody else again.
        row("PUT", "/api/v1/me/display-name", Thing::None, json!({ "display_name": "{bystander}" }), cells("name-looks-alike", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/me/display-name", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        // The password is wrong, which is the answer for callers with the right.
        row("DELETE", "/api/v1/me", Thing::None, json!({ "password": "not the password" }), cells("wrong-credentials", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/me/sessions", Thing::None, BY_SESSION),
        delete("/api/v1/me/sessions", Thing::None, BY_SESSION),
        delete("/api/v1/me/sessions/{id}", Thing::Session, BY_SESSION.strangers("not-found")),
        get("/api/v1/me/tokens", Thing::None, BY_SESSION),
        post("/api/v1/me/tokens", Thing::None, json!({ "name": "x", "scopes": ["read"] }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/me/tokens/{id}", Thing::Token, BY_SESSION.strangers("not-found")),
        post("/api/v1/oauth/codes", Thing::None, access, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/me/preferences", Thing::None, SIGNED_IN),
        row("PATCH", "/api/v1/me/preferences", Thing::None, json!({ "guests_may_challenge": true }), BY_SESSION),
        get("/api/v1/me/vacation", Thing::None, SIGNED_IN.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/me/vacation", Thing::None, json!({ "days": 1 }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/me/vacation", Thing::None, BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        row("PATCH", "/api/v1/me/preferences", Thing::None, json!({ "chat": true }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/me/follows", Thing::None, SIGNED_IN),
        post("/api/v1/me/follows", Thing::None, json!({ "player": "{bystander}" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/me/follows/{name}", Thing::None, BY_SESSION),
        get("/api/v1/me/followers", Thing::None, SIGNED_IN),
        get("/api/v1/me/followed-matches", Thing::None, SIGNED_IN),
        get("/api/v1/me/relations/{name}", Thing::None, SIGNED_IN),
        get("/api/v1/me/blocks", Thing::None, SIGNED_IN),
        post("/api/v1/me/blocks", Thing::None, json!({ "player": "{bystander}" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/me/blocks/{name}", Thing::None, BY_SESSION),
        get("/api/v1/me/clubs", Thing::None, SIGNED_IN),
        get("/api/v1/players/{name}/clubs", Thing::None, ANYBODY),
        get("/api/v1/clubs", Thing::None, ANYBODY),
        post("/api/v1/clubs", Thing::None, json!({ "handle": "{new}", "name": "Club of {new}", "joining": "open" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/clubs/{handle}", Thing::Club, ANYBODY),
        get("/api/v1/clubs/{handle}", Thing::HiddenClub, ANYBODY),
        row("PATCH", "/api/v1/clubs/{handle}", Thing::Club, json!({ "banner": "a line" }), BY_SESSION.strangers("officers-only")),
        // The password is wrong, which is the answer for the officer.
        row("DELETE", "/api/v1/clubs/{handle}", Thing::Club, json!({ "password": "not the password" }), BY_SESSION.strangers("officers-only").but(&[(Role::Player, "wrong-credentials")])),
        get("/api/v1/clubs/{handle}/members", Thing::Club, ANYBODY),
        get("/api/v1/clubs/{handle}/members", Thing::HiddenClub, everybody("club-invitation-needed").but(&[(Role::Player, OK), (Role::Moderator, OK), (Role::Read, OK)])),
        post("/api/v1/clubs/{handle}/members", Thing::Club, json!({}), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/clubs/{handle}/members", Thing::HiddenClub, json!({}), BY_SESSION.strangers("club-invitation-needed").but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/clubs/{handle}/members/{name}", Thing::Club, BY_SESSION.strangers("officers-only")),
        get("/api/v1/clubs/{handle}/leaderboards/{game}", Thing::Club, ANYBODY),
        get("/api/v1/clubs/{handle}/matches", Thing::Club, ANYBODY),
        get("/api/v1/clubs/{handle}/requests", Thing::AskedClub, SIGNED_IN.strangers("officers-only")),
        post("/api/v1/clubs/{handle}/requests/{name}/accept", Thing::AskedClub, json!({}), BY_SESSION.strangers("officers-only")),
        delete("/api/v1/clubs/{handle}/requests/{name}", Thing::AskedClub, BY_SESSION.strangers("officers-only")),
        get("/api/v1/clubs/{handle}/invitations", Thing::HiddenClub, SIGNED_IN.strangers("officers-only")),
        post("/api/v1/clubs/{handle}/invitations", Thing::HiddenClub, json!({ "player": "{bystander}" }), BY_SESSION.strangers("officers-only")),
        delete("/api/v1/clubs/{handle}/invitations/{name}", Thing::HiddenClub, BY_SESSION.strangers("officers-only")),
        post("/api/v1/clubs/{handle}/officers", Thing::Club, json!({ "player": "{bystander}" }), BY_SESSION.strangers("officers-only")),
        delete("/api/v1/clubs/{handle}/officers/{name}", Thing::Club, BY_SESSION.strangers("officers-only")),
        get("/api/v1/clubs/{handle}/log", Thing::Club, SIGNED_IN.strangers("officers-only")),
        get("/api/v1/clubs/{handle}/club-matches", Thing::Club, ANYBODY),
        get("/api/v1/clubs/{handle}/club-matches", Thing::HiddenClub, everybody("club-invitation-needed").but(&[(Role::Player, OK), (Role::Moderator, OK), (Role::Read, OK)])),
        // The start is over, which is the answer for callers with the right.
        post("/api/v1/clubs/{handle}/club-matches", Thing::Club, json!({ "against": "{new}", "game": "mawe", "time_control": { "kind": "correspondence", "days": 3 }, "start_at": "2001-01-01T00:00:00Z", "boards": 5 }), BY_SESSION.strangers("officers-only").but(&[(Role::Player, "bad-terms")])),
        get("/api/v1/club-matches/{id}", Thing::AgreedClubMatch, ANYBODY),
        get("/api/v1/club-matches/{id}", Thing::ProposedClubMatch, everybody("not-found").but(&[(Role::Player, OK), (Role::Moderator, OK), (Role::Read, OK)])),
        post("/api/v1/club-matches/{id}/accept", Thing::ProposedClubMatch, json!({}), BY_SESSION.strangers("not-found").but(&[(Role::Moderator, "officers-only")])),
        post("/api/v1/club-matches/{id}/decline", Thing::ProposedClubMatch, json!({}), BY_SESSION.strangers("not-found").but(&[(Role::Moderator, "officers-only")])),
        delete("/api/v1/club-matches/{id}", Thing::AgreedClubMatch, BY_SESSION.strangers("officers-only")),
        get("/api/v1/club-matches/{id}/players", Thing::AgreedClubMatch, ANYBODY),
        post("/api/v1/club-matches/{id}/players", Thing::AgreedClubMatch, json!({ "side": "home" }), BY_SESSION.strangers("not-a-member")),
        delete("/api/v1/club-matches/{id}/players", Thing::AgreedClubMatch, BY_SESSION),
        get("/api/v1/events", Thing::None, ANYBODY),
        // The start is over, which is the answer for callers with the right.
        post("/api/v1/events", Thing::None, json!({ "kind": "swiss", "name": "Friday", "game": "mawe", "time_control": days, "start_at": "2001-01-01T00:00:00Z", "rounds": 5 }), TAKING_PART.strangers("bad-terms").but(&[(Role::Guest, "account-needed"), (Role::Player, "bad-terms"), (Role::Event, "bad-terms")])),
        get("/api/v1/events/{id}", Thing::Event, ANYBODY),
        delete("/api/v1/events/{id}", Thing::Event, TAKING_PART.strangers("moderators-only").but(&[(Role::Moderator, OK)])),
        post("/api/v1/events/{id}/join", Thing::Event, json!({}), TAKING_PART.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/events/{id}/withdraw", Thing::Event, json!({}), TAKING_PART.strangers("not-in-event")),
        post("/api/v1/events/{id}/pause", Thing::Event, json!({}), TAKING_PART.strangers("not-in-event")),
        post("/api/v1/events/{id}/resume", Thing::Event, json!({}), TAKING_PART.strangers("not-in-event")),
        // An arena has no such byes.
        post("/api/v1/events/{id}/bye", Thing::Event, json!({ "round": 1 }), TAKING_PART.strangers("not-in-event").but(&[(Role::Player, "event-closed"), (Role::Event, "event-closed")])),
        get("/api/v1/events/{id}/stream", Thing::Event, ANYBODY),
        get("/api/v1/events/{id}/standings", Thing::Event, ANYBODY),
        get("/api/v1/events/{id}/games", Thing::Event, ANYBODY),
        get("/api/v1/events/{id}/results.csv", Thing::Event, ANYBODY),
        get("/api/v1/events/{id}/export", Thing::Event, ANYBODY),
        // An arena has no such report.
        get("/api/v1/events/{id}/results.trf", Thing::Event, everybody("not-found")),
        // It has no games, which is the answer for callers with the right.
        row("PATCH", "/api/v1/moderation/events/{id}/games/{number}", Thing::Event, json!({ "result": "drawn", "why": "because" }), MODERATING.but(&[(Role::Moderator, "not-found")])),
        get("/api/v1/event-timetables", Thing::None, BY_SESSION),
        // The time is none, which is the answer for callers with the right.
        post("/api/v1/event-timetables", Thing::None, json!({ "every": "daily", "at": "25:00", "zone": "UTC", "event": { "kind": "knockout", "name": "Friday", "game": "mawe", "time_control": days } }), OPERATING.but(&[(Role::Guest, "account-needed"), (Role::Operator, "bad-terms")])),
        delete("/api/v1/event-timetables/{id}", Thing::EventTimetable, BY_SESSION.strangers("not-found").but(&[(Role::Moderator, OK)])),
        get("/api/v1/clubs/{handle}/pupils", Thing::Class, BY_SESSION.strangers("officers-only")),
        post("/api/v1/clubs/{handle}/pupils", Thing::Class, json!({ "pupils": [{ "real_name": "Neema" }] }), BY_SESSION.strangers("officers-only")),
        // The name is not that of a pupil of the class, which is the answer for callers with the right.
        row("PATCH", "/api/v1/clubs/{handle}/pupils/{name}", Thing::Class, json!({ "real_name": "Neema" }), BY_SESSION.strangers("officers-only").but(&[(Role::Player, "not-found")])),
        post("/api/v1/clubs/{handle}/pupils/{name}/release", Thing::Class, json!({}), BY_SESSION.strangers("officers-only").but(&[(Role::Player, "not-found")])),
        row("DELETE", "/api/v1/clubs/{handle}/pupils/{name}", Thing::Class, json!({ "password": "not the password" }), BY_SESSION.strangers("officers-only").but(&[(Role::Player, "not-found")])),
        post("/api/v1/clubs/{handle}/cards", Thing::Class, json!({ "pupils": ["nobody"] }), BY_SESSION.strangers("officers-only").but(&[(Role::Player, "not-found")])),
        get("/api/v1/clubs/{handle}/export", Thing::Class, BY_SESSION.strangers("officers-only")),
        get("/api/v1/clubs/{handle}/export/matches", Thing::Class, BY_SESSION.strangers("officers-only")),
        post("/api/v1/login-cards", Thing::None, json!({ "code": "0000-0000-0000-0000", "new_password": "korosho na maembe" }), cells("wrong-credentials", "wrong-credentials", NO_TOKEN)),
        row("PATCH", "/api/v1/moderation/clubs/{handle}", Thing::Club, json!({ "banner": "a line", "why": "because" }), MODERATING),
        row("DELETE", "/api/v1/moderation/clubs/{handle}", Thing::Club, json!({ "why": "because" }), MODERATING),
        get("/api/v1/me/mutes", Thing::None, SIGNED_IN),
        post("/api/v1/me/mutes", Thing::None, json!({ "player": "{bystander}" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        delete("/api/v1/me/mutes/{name}", Thing::None, BY_SESSION),
        row("PATCH", "/api/v1/me/preferences", Thing::None, json!({ "avatar": "crab", "flag": "TZ" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        get("/api/v1/me/push", Thing::None, BY_SESSION),
        row("PUT", "/api/v1/me/push", Thing::None, browser, BY_SESSION),
        delete("/api/v1/me/push", Thing::None, BY_SESSION),
        get("/api/v1/me/challenges", Thing::None, SIGNED_IN),
        get("/api/v1/me/matches", Thing::None, SIGNED_IN),
        get("/api/v1/me/notices", Thing::None, SIGNED_IN),
        post("/api/v1/me/notices/read", Thing::None, json!({ "up_to": "2026-11-20T18:00:00Z" }), BY_SESSION),
        delete("/api/v1/me/notices/{id}", Thing::Notice, BY_SESSION.strangers("not-found")),
        get("/api/v1/me/stream", Thing::None, SIGNED_IN),

        // Playing.
        post("/api/v1/matches", Thing::None, against_bot, PLAYING),
        post("/api/v1/matches/pass-and-play", Thing::None, json!({ "game": "mawe", "time_control": { "kind": "unlimited" } }), PLAYING),
        post("/api/v1/matches/{id}/commands", Thing::Match, draw, PLAYING.strangers("not-seated")),
        get("/api/v1/matches/{id}/conditional-moves", Thing::Match, SIGNED_IN.strangers("not-seated")),
        // The match is not by the day, which is the answer for callers with the right.
        row("PUT", "/api/v1/matches/{id}/conditional-moves", Thing::Match, json!({ "seq": 0, "lines": [] }),
            PLAYING.strangers("not-seated").but(&[(Role::Player, "not-by-the-day"), (Role::Play, "not-by-the-day")])),
        delete("/api/v1/matches/{id}/conditional-moves", Thing::Match, PLAYING.strangers("not-seated")),
        post("/api/v1/challenges", Thing::None, terms.clone(), CHALLENGING),
        get("/api/v1/challenges/{id}", Thing::Challenge, ANYBODY),
        get("/api/v1/challenges/{id}", Thing::ChallengeByName, named),
        delete("/api/v1/challenges/{id}", Thing::Challenge, CHALLENGING.strangers("not-found")),
        post("/api/v1/challenges/{id}/accept", Thing::Challenge, json!({}), CHALLENGING.but(&[(Role::Player, "own-challenge"), (Role::Challenge, "own-challenge")])),
        post("/api/v1/challenges/{id}/accept", Thing::ChallengeToPlayer, json!({}), CHALLENGING.strangers("not-found")),
        post("/api/v1/challenges/{id}/decline", Thing::ChallengeToPlayer, json!({}), CHALLENGING.strangers("not-found")),
        post("/api/v1/seeks", Thing::None, terms, CHALLENGING),
        delete("/api/v1/seeks/{id}", Thing::Seek, CHALLENGING.strangers("not-found")),
        post("/api/v1/seeks/{id}/accept", Thing::Seek, json!({}), CHALLENGING.but(&[(Role::Player, "own-seek"), (Role::Challenge, "own-seek")])),

        // Chat: the players by themselves, the spectators by themselves, and guests not at all. A token without `read` is nobody's.
        get("/api/v1/matches/{id}/chat", Thing::Chat, ANYBODY),
        get("/api/v1/matches/{id}/chat/{room}", Thing::Chat, in_chat("not-seated", OK, [OK, "sign-in-first", "sign-in-first", "sign-in-first", "sign-in-first"])),
        get("/api/v1/matches/{id}/chat/{room}", Thing::SpectatorChat, in_chat(OK, "match-not-over", ["match-not-over", "sign-in-first", "sign-in-first", "sign-in-first", "sign-in-first"])),
        post("/api/v1/matches/{id}/chat/{room}", Thing::Chat, json!({ "text": "hello" }), in_chat("not-seated", OK, NO_TOKEN)),
        post("/api/v1/matches/{id}/chat/{room}", Thing::SpectatorChat, json!({ "text": "hello" }), in_chat(OK, "match-not-over", NO_TOKEN).but(&[(Role::Muted, "muted")])),

        // Reporting and moderating.
        post("/api/v1/players/{name}/reports", Thing::None, json!({ "reason": "stalling" }), BY_SESSION.but(&[(Role::Guest, "account-needed")])),
        post("/api/v1/players/{name}/reports", Thing::ChatLine, json!({ "reason": "chat", "match": "{id}", "line": { "room": "players", "number": 1 } }),
            cells("not-seated", "sign-in-first", NO_TOKEN).but(&[(Role::Guest, "account-needed"), (Role::Player, "bad-match")])),
        post("/api/v1/clubs/{handle}/reports", Thing::Club, json!({ "reason": "name" }), BY_SESSION.but(&[(Role::Guest, "account-needed"), (Role::Player, "own-report")])),
        get("/api/v1/moderation/reports/{id}/chat", Thing::LineReport, MODERATING),
        post("/api/v1/moderation/removed-lines", Thing::ChatLine, json!({ "match": "{id}", "room": "players", "number": 1, "why": "because" }), MODERATING),
        get("/api/v1/moderation/audit", Thing::None, MODERATING),
        get("/api/v1/moderation/pairs", Thing::None, MODERATING),
        post("/api/v1/moderation/voids", Thing::None, json!({ "player": "{bystander}", "why": "because" }), MODERATING),
        get("/api/v1/moderation/reports", Thing::None, MODERATING),
        get("/api/v1/moderation/reports/{id}", Thing::Report, MODERATING),
        get("/api/v1/operator/status", Thing::None, OPERATING),
        get("/api/v1/operator/pulse", Thing::None, OPERATING),
        get("/api/v1/operator/accounts", Thing::None, OPERATING),
        get("/api/v1/operator/jobs", Thing::None, OPERATING),
        get("/api/v1/operator/settings", Thing::None, OPERATING),
        get("/api/v1/operator/audit", Thing::None, OPERATING),
        get("/api/v1/invitations", Thing::None, OPERATING),
        post("/api/v1/invitations", Thing::None, json!({ "uses": 2 }), OPERATING),
        delete("/api/v1/invitations/{id}", Thing::Invitation, OPERATING),
        post("/api/v1/moderation/reports/{id}/take", Thing::Report, Value::Null, MODERATING),
        post("/api/v1/moderation/reports/{id}/appeal", Thing::Appeal, json!({ "accept": false, "note": "because" }), MODERATING),
        get("/api/v1/me/decisions", Thing::None, SIGNED_IN),
        post("/api/v1/me/decisions/{id}/appeal", Thing::Decision, json!({ "text": "because" }), BY_SESSION.strangers("not-found")),
        // Whoever has the password; neither account was disabled by a moderator.
        post("/api/v1/appeals", Thing::None, json!({ "name": "{bystander}", "password": PASSWORD, "text": "because" }), everybody("not-found")),
        post("/api/v1/appeals", Thing::None, json!({ "name": "{disabled}", "password": PASSWORD, "text": "because" }), everybody("not-found")),
        post("/api/v1/moderation/reports/{id}/resolve", Thing::TakenReport, json!({ "action": "dismiss", "why": "because" }), MODERATING),
    ]
}

/// Every message that a client may send, with its results. It is about a running match of the player's, which the sender has joined.
#[rustfmt::skip]
fn messages() -> Vec<(Value, Cells)> {
    // The player, also by a token with `play`.
    let in_a_match = |theirs| cells("not-seated", "not-seated", [NO_SCOPE, theirs, NO_SCOPE, NO_SCOPE, NO_SCOPE]).but(&[(Role::Player, theirs)]);
    let pool = |t: &str| json!({ "t": t, "game": "mawe", "pool": "5+0" });
    let game = |t: &str| json!({ "t": t, "game": "mawe" });
    let command = json!({ "t": "command", "match": "{match}", "client_id": "a", "seq": 0, "command": { "kind": "offer-draw" } });
    vec![
        (json!({ "t": "ping" }), ANYBODY),
        (json!({ "t": "join", "match": "{match}" }), ANYBODY),
        (json!({ "t": "leave", "match": "{match}" }), ANYBODY),
        (json!({ "t": "watch-lobby" }), ANYBODY),
        (json!({ "t": "unwatch-lobby" }), ANYBODY),
        (game("watch-tv"), ANYBODY),
        (game("unwatch-tv"), ANYBODY),
        // There is no such event, which is the answer for callers with the right.
        (json!({ "t": "watch-event", "event": "AAAAAAAAAAAA" }), everybody("not-found")),
        (json!({ "t": "unwatch-event", "event": "AAAAAAAAAAAA" }), ANYBODY),
        (command, in_a_match(OK)),
        // The match is not over, which is the answer for callers with the right.
        (json!({ "t": "rematch", "match": "{match}" }), in_a_match("match-not-over")),
        (json!({ "t": "phrase", "match": "{match}", "phrase": "hello" }), in_a_match(OK).but(&[(Role::Muted, "muted")])),
        (json!({ "t": "mute", "match": "{match}", "muted": true }), in_a_match(OK)),
        // The player's opponent is a guest; a token is the player's, with `read`.
        (json!({ "t": "watch-chat", "match": "{match}", "room": "players" }), in_chat("not-seated", "no-chat", ["no-chat"; TOKENS])),
        (json!({ "t": "unwatch-chat", "match": "{match}", "room": "players" }), ANYBODY),
        (pool("join-pool"), PLAYING),
        (pool("leave-pool"), PLAYING),
        // No computer opponent was offered, which is the answer for callers with the right.
        (pool("accept-bot"), cells("no-bot-offer", "sign-in-first", [NO_SCOPE, "no-bot-offer", NO_SCOPE, NO_SCOPE, NO_SCOPE])),
    ]
}

/// One caller of each role, and a bystander.
struct Cast {
    number: usize,
    people: Vec<Person>,
}

impl Cast {
    /// Creates the callers; tokens have the scopes of `beside` in addition to their own.
    async fn come(server: &TestServer, number: usize, beside: &[&str]) -> Cast {
        let account = |name: &str| format!("{name}{number}");
        let mut player = server.account(&account("Amina")).await;
        let muted = server.account(&account("Halima")).await;
        let disabled = server.account(&account("Juma")).await;
        let moderator = server.account(&account("Mwalimu")).await;
        let operator = server.account(&account("Mjuzi")).await;
        for (name, change) in [
            ("Halima", AccountChange::MuteUntil(i64::MAX)),
            ("Juma", AccountChange::Disable),
            ("Mwalimu", AccountChange::Grant(Grant::Moderator)),
            ("Mjuzi", AccountChange::Grant(Grant::Operator)),
        ] {
            let store = &server.app().store;
            let found = store.find_player_by_name(&account(name)).await;
            let id = found.expect("the store answers").expect("an account").id;
            let attribution = Attribution {
                by: None,
                why: String::new(),
                at_ms: 1,
            };
            let changed = store.change_account(&id, &change, &attribution).await;
            changed.expect("it can be changed");
        }
        let mut programs = Vec::new();
        for scope in ["read", "play", "challenge", "event", "bot"] {
            let scopes: BTreeSet<&str> = beside.iter().copied().chain([scope]).collect();
            let scopes: Vec<&str> = scopes.into_iter().collect();
            programs.push(player.program(&scopes).await);
        }
        let mut people = vec![
            server.stranger(),
            server.guest().await,
            player,
            server.account(&account("Baraka")).await,
            muted,
            disabled,
            moderator,
            operator,
        ];
        people.extend(programs);
        // The bystander is needed by name only.
        server.account(&account("Zofia")).await;
        Cast { number, people }
    }

    fn of(&self, role: Role) -> Person {
        self.people[role as usize].clone()
    }

    fn name(&self, of: &str) -> String {
        format!("{of}{}", self.number)
    }

    /// Creates the object; returns its id.
    async fn make(&self, server: &TestServer, thing: Thing, role: Role) -> String {
        let mut player = self.of(Role::Player);
        let mut offer =
            json!({ "game": "mawe", "time_control": { "kind": "correspondence", "days": 3 } });
        match thing {
            Thing::None => String::new(),
            Thing::Match => {
                let mut guest = server.guest().await;
                player.play_with(&mut guest, "first", false).await
            }
            Thing::Chat | Thing::SpectatorChat => self.chat(server, role).await.0,
            Thing::ChatLine => {
                let (id, _) = self.chat(server, role).await;
                self.line(server, &id).await;
                id
            }
            Thing::LineReport => {
                let (id, mut friend) = self.chat(server, role).await;
                self.line(server, &id).await;
                let path = format!("/api/v1/players/{}/reports", self.name("Amina"));
                let line = json!({ "room": "players", "number": 1 });
                let body = json!({ "reason": "chat", "match": id, "line": line });
                made(&mut friend, &path, &body).await
            }
            Thing::Challenge => made(&mut player, "/api/v1/challenges", &offer).await,
            Thing::ChallengeByName => {
                // The number of challenges to one player is limited.
                let called = self.fresh("Called", role);
                server.account(&called).await;
                offer["to"] = json!(called);
                made(&mut player, "/api/v1/challenges", &offer).await
            }
            Thing::ChallengeToPlayer => {
                offer["to"] = json!(self.name("Amina"));
                let mut caller = server.account(&self.fresh("Caller", role)).await;
                made(&mut caller, "/api/v1/challenges", &offer).await
            }
            Thing::Seek => {
                // The number of seeks is limited.
                let store = &server.app().store;
                let found = store.find_player_by_name(&self.name("Amina")).await;
                let id = found.expect("the store answers").expect("an account").id;
                store.cancel_seeks(&id).await.expect("the store answers");
                // Also that of one address, which the requests of the table need.
                let mut player = player.at_address([127, 0, 0, 2]);
                made(&mut player, "/api/v1/seeks", &offer).await
            }
            Thing::Report => {
                let about = self.name("Zofia");
                self.report(server, &about, role).await
            }
            Thing::TakenReport => {
                let id = self.report(server, &self.name("Zofia"), role).await;
                self.take(&id).await;
                id
            }
            Thing::Decision => {
                let id = self.report(server, &self.name("Amina"), role).await;
                self.take(&id).await;
                let path = format!("/api/v1/moderation/reports/{id}/resolve");
                let warn = json!({ "action": "warn", "why": "because" });
                let warned = self.of(Role::Moderator).post(&path, &warn).await;
                assert_eq!(warned.status, 200, "{warned:?}");
                id
            }
            Thing::Appeal => {
                let id = self.report(server, &self.name("Zofia"), role).await;
                self.appeal(server, &id).await;
                id
            }
            Thing::Session => {
                let credentials = json!({ "name": self.name("Amina"), "password": PASSWORD });
                let mut device = server.stranger();
                let logged_in = device.post("/api/v1/sessions", &credentials).await;
                assert_eq!(logged_in.status, 200, "{logged_in:?}");
                let list = device.get("/api/v1/me/sessions").await.json();
                let items = list["items"].as_array().expect("items");
                let this = items.iter().find(|one| one["current"] == true);
                this.expect("this device")["id"]
                    .as_str()
                    .expect("an id")
                    .to_owned()
            }
            Thing::Token => {
                let wanted = json!({ "name": "a program", "scopes": ["read"] });
                made(&mut player, "/api/v1/me/tokens", &wanted).await
            }
            Thing::Passkey => {
                let store = &server.app().store;
                let owner = store.find_player_by_name(&self.name("Amina")).await;
                let owner = owner.expect("the store answers").expect("the player");
                let new = NewPasskey {
                    id: PasskeyId::random(),
                    player: owner.id,
                    credential_id: random::text(20).into_bytes(),
                    name: "a phone".to_owned(),
                    public_key: Vec::new(),
                    state: Vec::new(),
                    transports: 0,
                    created_ms: 1,
                };
                let challenge = UsedChallenge {
                    hash: sessions::hash(new.id.as_str()),
                    expires_ms: 1,
                };
                let made = store.create_passkey(&new, &challenge, u32::MAX).await;
                assert_eq!(made.expect("the store answers"), PasskeyCreated::Yes);
                new.id.to_string()
            }
            Thing::Invitation => {
                let mut operator = self.of(Role::Operator);
                made(&mut operator, "/api/v1/invitations", &json!({})).await
            }
            Thing::Club => self.club(server, ClubKind::Club, Joining::Open, role).await,
            Thing::AskedClub => {
                self.club(server, ClubKind::Club, Joining::Request, role)
                    .await
            }
            Thing::HiddenClub => {
                self.club(server, ClubKind::Club, Joining::Invitation, role)
                    .await
            }
            Thing::Class => self.class(server, role).await,
            Thing::ProposedClubMatch => self.club_match(server, false, role).await,
            Thing::AgreedClubMatch => self.club_match(server, true, role).await,
            Thing::EventTimetable => self.timetable(server, role).await,
            Thing::Event => self.event(server).await,
            Thing::Notice => {
                let id = self.report(server, &self.name("Amina"), role).await;
                self.take(&id).await;
                let path = format!("/api/v1/moderation/reports/{id}/resolve");
                let warn = json!({ "action": "warn", "why": "because" });
                let warned = self.of(Role::Moderator).post(&path, &warn).await;
                assert_eq!(warned.status, 200, "{warned:?}");
                let notices = player.get("/api/v1/me/notices").await.json();
                let items = notices["items"].as_array().expect("items");
                let newest = items.first().expect("the notice");
                newest["id"].as_str().expect("an id").to_owned()
            }
        }
    }

    /// Founds a club of the player's, whom the bystander joins or requests to join; over HTTP their number is limited.
    async fn club(
        &self,
        server: &TestServer,
        kind: ClubKind,
        joining: Joining,
        role: Role,
    ) -> String {
        let store = &server.app().store;
        let id = async |name: &str| {
            let found = store.find_player_by_name(&self.name(name)).await;
            found.expect("the store answers").expect("an account").id
        };
        let number = CLUBS.fetch_add(1, Ordering::Relaxed);
        let handle = self.fresh(&format!("club-{number}-"), role);
        let limits = ClubLimits {
            founded: 10_000,
            memberships: 10_000,
            requests_by_player: 10_000,
            ..CLUB_LIMITS
        };
        let new = NewClub {
            id: ClubId::random(),
            handle: handle.clone(),
            kind,
            name: ClubName {
                text: handle.clone(),
                key: handle.clone(),
            },
            joining,
            descriptions: ClubTexts::default(),
            banner: String::new(),
            founder: id("Amina").await,
            created_ms: 1,
        };
        let founded = store.found_club(&new, &limits).await;
        founded.expect("it can be founded");
        if joining.is_public() {
            let join = ClubChange::Join(String::new());
            let zofia = id("Zofia").await;
            let joined = store.change_club(&new.id, &zofia, &join, &limits, 2);
            joined.await.expect("the bystander may join");
        }
        handle
    }

    /// Proposes a club match between two clubs of the player's, and accepts it if it is to be agreed.
    async fn club_match(&self, server: &TestServer, agreed: bool, role: Role) -> String {
        let store = &server.app().store;
        let by = store.find_player_by_name(&self.name("Amina")).await;
        let by = by.expect("the store answers").expect("an account").id;
        let mut clubs = Vec::new();
        for _ in 0..2 {
            let handle = self.club(server, ClubKind::Club, Joining::Open, role).await;
            let club = store.find_club(&handle).await.expect("the store answers");
            clubs.push(club.expect("it was founded").id);
        }
        let now = mawe_server::clock::unix_ms();
        let new = NewClubMatch {
            id: ClubMatchId::random(),
            home: clubs[0].clone(),
            away: clubs[1].clone(),
            by: by.clone(),
            game: GameKind::Mawe,
            time_control: TimeControl::Correspondence { days: 3 },
            rated: false,
            boards: 5,
            games: 1,
            start_ms: now + 3_600_000,
            created_ms: now,
        };
        let limits = &CLUB_MATCH_LIMITS;
        let proposed = store.propose_club_match(&new, limits).await;
        proposed.expect("it can be proposed");
        if agreed {
            let accept = ClubMatchChange::Accept;
            let accepted = store.change_club_match(&new.id, &by, accept, limits, now);
            accepted.await.expect("it can be accepted");
        }
        new.id.to_string()
    }

    /// Creates an arena of the player's, who joins it; over HTTP their number is limited.
    async fn event(&self, server: &TestServer) -> String {
        let app = server.app();
        let by = app.store.find_player_by_name(&self.name("Amina")).await;
        let by = by.expect("the store answers").expect("an account").id;
        let now = mawe_server::clock::unix_ms();
        let new = NewEvent {
            id: EventId::random(),
            terms: EventTerms {
                kind: EventKind::Arena,
                name: "Friday".to_owned(),
                description: String::new(),
                game: GameKind::Mawe,
                setup: String::new(),
                time_control: TimeControl::Realtime {
                    base_ms: 300_000,
                    increment_ms: 0,
                },
                rated: false,
                start_ms: now + 3_600_000,
                start_players: None,
                duration_ms: Some(1_800_000),
                rounds: None,
                cycles: None,
                games: None,
                best_of: false,
                max_players: 100,
                berserk: false,
                host_extra_ms: 0,
                apart_by_address: false,
                fill_ins: None,
                min_rating: None,
                max_rating: None,
                min_matches: 0,
            },
            by: by.clone(),
            club: None,
            password_hash: None,
            address_key: None,
            created_ms: now,
        };
        let host = Input::Join {
            player: &by,
            rating: 1_500.0,
            group: None,
        };
        let (first, _) = first_append(&new, Some(&host)).expect("it can be created");
        let created = app.store.create_event(&new, &first, 10_000, 0).await;
        assert!(created.expect("the store answers"));
        new.id.to_string()
    }

    /// Creates a timetable of a club of the player's; over HTTP their number is limited.
    async fn timetable(&self, server: &TestServer, role: Role) -> String {
        let handle = self.club(server, ClubKind::Club, Joining::Open, role).await;
        let store = &server.app().store;
        let club = store.find_club(&handle).await.expect("the store answers");
        let club = club.expect("it was founded");
        let id = self.event(server).await.parse().expect("an id");
        let event = store.find_event(&id).await.expect("the store answers");
        let event = event.expect("it was made");
        let new = NewEventTimetable {
            id: EventTimetableId::random(),
            recurrence: EventRecurrence {
                every: EventInterval::Daily,
                weekdays: Vec::new(),
                at_minute: 0,
                zone: "UTC".to_owned(),
            },
            terms: event.terms,
            by: event.by.id,
            club: Some(club.id),
            password_hash: None,
            created_ms: event.created_ms,
        };
        let limits = EventTimetableLimits {
            coming: 10_000,
            ..EVENT_TIMETABLE_LIMITS
        };
        let created = store.create_event_timetable(&new, &limits).await;
        let created = created.expect("the store answers");
        assert_eq!(created, EventTimetableCreated::Created);
        new.id.to_string()
    }

    /// Founds a class of the player's with one pupil.
    async fn class(&self, server: &TestServer, role: Role) -> String {
        let handle = self
            .club(server, ClubKind::Class, Joining::Invitation, role)
            .await;
        let store = &server.app().store;
        let class = store.find_club(&handle).await.expect("the store answers");
        let class = class.expect("it was founded");
        let number = CLUBS.fetch_add(1, Ordering::Relaxed);
        let code = mawe_server::identity::typed_codes::draw();
        let new = NewPupils {
            pupils: vec![NewPupil {
                id: PlayerId::random(),
                name: format!("pupil-{number}-{}-{}", self.number, role as usize),
                real_name: "Juma".to_owned(),
                code: mawe_server::identity::typed_codes::hash(&code).expect("a code"),
            }],
            password_hash: "unknown".to_owned(),
            expires_ms: i64::MAX,
            now_ms: 1,
        };
        let made = store.make_pupils(&class.id, &class.founder.id, &new, 1);
        made.await.expect("the player is the teacher");
        handle
    }

    /// Returns a new account's name, different for each role.
    fn fresh(&self, name: &str, role: Role) -> String {
        format!("{name}{}-{}", self.number, role as usize)
    }

    /// Reports a player from a new account, as the number of reports is limited.
    async fn report(&self, server: &TestServer, about: &str, role: Role) -> String {
        let mut reporter = server.account(&self.fresh("Witness", role)).await;
        let path = format!("/api/v1/players/{about}/reports");
        made(&mut reporter, &path, &json!({ "reason": "stalling" })).await
    }

    /// Starts a match of the player against a friend, with chat on for all accounts; returns its id and the friend.
    async fn chat(&self, server: &TestServer, role: Role) -> (String, Person) {
        let mut friend = server.account(&self.fresh("Friend", role)).await;
        let mut player = self.of(Role::Player);
        let id = player.play_with(&mut friend, "first", false).await;
        let store = &server.app().store;
        let friends = self.fresh("Friend", role);
        let names = ["Amina", "Baraka", "Halima", "Mwalimu", "Mjuzi"].map(|name| self.name(name));
        for name in names.into_iter().chain([friends]) {
            let found = store.find_player_by_name(&name).await;
            let id = found.expect("the store answers").expect("an account").id;
            store.set_chat(&id, true).await.expect("the store answers");
        }
        (id, friend)
    }

    /// Writes a line of the player's; over HTTP their number is limited.
    async fn line(&self, server: &TestServer, id: &str) {
        let store = &server.app().store;
        let found = store.find_player_by_name(&self.name("Amina")).await;
        let line = NewChatLine {
            match_id: id.parse().expect("an id"),
            room: ChatRoom::Players,
            player: found.expect("the store answers").expect("an account").id,
            text: "hello".to_owned(),
            at_ms: 1,
        };
        let written = store.write_chat_line(&line, 1).await;
        assert_eq!(written.expect("the store answers"), Some(1));
    }

    /// Resolves a report about the bystander as somebody who is no moderator any more, and appeals against that.
    async fn appeal(&self, server: &TestServer, report: &str) {
        let store = &server.app().store;
        let id = async |name: &str| {
            let found = store.find_player_by_name(&self.name(name)).await;
            found.expect("the store answers").expect("an account").id
        };
        let report = report.parse().expect("an id");
        let attribution = Attribution {
            by: Some(id("Baraka").await),
            why: "because".to_owned(),
            at_ms: 1,
        };
        let taken = store.take_report(&report, &attribution, 0).await;
        assert!(taken.expect("the store answers"));
        let resolved = store.resolve_report(&report, &Verdict::Warn, &attribution);
        resolved.await.expect("the store answers");
        let zofia = id("Zofia").await;
        let appealed = store.create_appeal(&report, &zofia, "no", 2).await;
        assert!(appealed.expect("the store answers"));
    }

    async fn take(&self, report: &str) {
        let path = format!("/api/v1/moderation/reports/{report}/take");
        let taken = self.of(Role::Moderator).post(&path, &json!({})).await;
        assert_eq!(taken.status, 200, "{taken:?}");
    }

    /// Sends a request in the role; returns the result.
    async fn ask(&self, server: &TestServer, operation: &Operation, role: Role) -> String {
        let id = self.make(server, operation.thing, role).await;
        let room = match operation.thing {
            Thing::SpectatorChat => "spectators",
            _ => "players",
        };
        let path = operation
            .path
            .replace("{room}", room)
            .replace("{id}", &id)
            .replace("{handle}", &id)
            .replace("{name}", &self.name("Zofia"))
            .replace("{other}", &self.name("Baraka"))
            .replace("{number}", "1")
            .replace("{game}", "mawe")
            .replace("{speed}", "rapid");
        let path = match operation.path {
            "/api/v1/players" => format!("{path}?search=zo"),
            "/api/v1/oauth/request" => {
                format!("{path}?client_id=abc&redirect_uri=https://a.example/")
            }
            "/oembed" => format!("{path}?url=http://{}/embed/tv/mawe", server.address),
            _ => path,
        };
        assert!(
            !path.contains('{'),
            "{path} has a parameter that `Cast::ask` of server/tests/roles.rs does not fill in: add it there"
        );
        let method: Method = operation.method.parse().expect("a method");
        let mut request = self.of(role).request(method, &path);
        if let Value::String(form) = &operation.body {
            request = request
                .header("content-type", "application/x-www-form-urlencoded")
                .body(form.clone());
        } else if !operation.body.is_null() {
            let body = operation.body.to_string();
            let body = body
                .replace("{id}", &id)
                .replace("{new}", &self.fresh("Newcomer", role))
                .replace("{bystander}", &self.name("Zofia"))
                .replace("{disabled}", &self.name("Juma"));
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        if path.ends_with("/ws") {
            request = request
                .header("connection", "upgrade")
                .header("upgrade", "websocket")
                .header("sec-websocket-version", "13")
                .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
                .header("sec-websocket-protocol", SUBPROTOCOL);
        }
        let answer = request.send().await.expect("the server answers");
        let status = answer.status();
        let id = answer.headers().get("x-request-id");
        let id = id.and_then(|id| id.to_str().ok()).map(str::to_owned);
        let Some(id) = id.filter(|id| id.len() == 16) else {
            return format!("{status} without a request id");
        };
        // A stream and a socket have no end: their bodies are not read.
        if status.is_success() || status.as_u16() == 101 {
            return OK.to_owned();
        }
        let body = answer.bytes().await.expect("a whole body");
        let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
        // An error of OAuth has its own form.
        if let Some(error) = problem["error"].as_str() {
            return error.to_owned();
        }
        match problem["code"].as_str() {
            _ if problem["request_id"] != id => format!("{status} without its id: {problem}"),
            Some(code) => code.to_owned(),
            None => format!("{status} without a code"),
        }
    }

    /// Sends a message in the role, after joining the match; returns the result.
    async fn send(&self, message: &Value, match_id: &str, role: Role) -> String {
        let person = self.of(role);
        let stream = tokio::net::TcpStream::connect(person.address).await;
        let mut socket = Socket::unheard(stream.expect("the server listens"), &person).await;
        let _ = socket.joined(match_id).await;
        socket
            .send_text(message.to_string().replace("{match}", match_id))
            .await;
        // The answer to a second join shows that the message was handled: a room handles messages in order.
        socket.join(match_id).await;
        loop {
            match socket.hear().await {
                Heard::Said(ServerMsg::Error(error)) => return error.code.to_string(),
                Heard::Said(ServerMsg::Snapshot(_)) => return OK.to_owned(),
                Heard::Said(_) => {}
                Heard::Closed(code) => return format!("closed with {code:?}"),
            }
        }
    }
}

/// Sends a POST, and returns the id of the created object.
async fn made(person: &mut Person, path: &str, body: &Value) -> String {
    let answer = person.post(path, body).await;
    assert_eq!(answer.status, 201, "{path}: {answer:?}");
    answer.text("/id")
}

fn document() -> Value {
    serde_json::from_str(&mawe_server::api::openapi_json()).expect("the document is JSON")
}

#[test]
fn every_operation_and_every_message_has_a_row() {
    let document = document();
    let paths = document["paths"].as_object().expect("paths");
    let known: BTreeSet<(String, String)> = paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().expect("an object").keys();
            methods.map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let rows: BTreeSet<(String, String)> = operations()
        .iter()
        .map(|row| (row.method.to_owned(), row.path.to_owned()))
        .collect();
    let without: Vec<_> = known.difference(&rows).collect();
    assert!(
        without.is_empty(),
        "these operations have no row in `operations` of server/tests/roles.rs: {without:?}\n\
         Add one for each: its method and path as the document has them, the thing that {{id}} names (a new variant of `Thing` is made in \
         `Cast::make`), a body that would be accepted, and who may: one of ANYBODY, SIGNED_IN, PLAYING, CHALLENGING, BY_SESSION, MODERATING, OPERATING, \
         changed with .but(&[(Role::…, \"code\")]) or .strangers(\"code\")"
    );
    let gone: Vec<_> = rows.difference(&known).collect();
    assert!(
        gone.is_empty(),
        "these rows of server/tests/roles.rs are of no operation: {gone:?}"
    );

    let variants = document["components"]["schemas"]["ClientMsg"]["oneOf"].as_array();
    let variants = variants.expect("ClientMsg lists its variants");
    let known: BTreeSet<&str> = variants
        .iter()
        .filter_map(|variant| variant["properties"]["t"]["enum"][0].as_str())
        .collect();
    assert_eq!(known.len(), variants.len(), "a variant has no name");
    let rows = messages();
    let rows: BTreeSet<&str> = rows
        .iter()
        .filter_map(|(row, _)| row["t"].as_str())
        .collect();
    assert_eq!(
        rows, known,
        "the messages that have a row in `messages` of server/tests/roles.rs, and all that there are: add an example with who may send it"
    );
}

/// The number of tests of the table. Each has its share of the rows: one test of all of them takes longer than every other of the server.
const PARTS: usize = 4;

async fn everybody_may_do_what_the_table_says_and_nothing_else(part: usize) {
    let server = TestServer::start_with(|config| {
        config.rates.sign_ups_per_minute = 1_000_000.try_into().expect("not zero");
        config.operator_page = true;
        // Nothing listens there, and no answer waits for it.
        let sender = "noreply@club.example".parse().expect("a sender");
        config.mail = Some(MailSettings::local(1, sender, "mawe.example"));
        config.site.logo = Some(Picture {
            bytes: b"\x89PNG\r\n\x1a\nrest".as_slice().into(),
            kind: "image/png",
        });
        config.banner = Some(Banner {
            text: "A notice".into(),
            link: None,
            picture: Some(Picture {
                bytes: b"\x89PNG\r\n\x1a\nrest".as_slice().into(),
                kind: "image/png",
            }),
        });
    })
    .await;
    let mut wrong = Vec::new();
    let mut number = 0;
    for operation in operations().into_iter().skip(part).step_by(PARTS) {
        // New callers for each: some operations change the caller's account.
        number += 1;
        let cast = Cast::come(&server, number, &[]).await;
        for role in ROLES {
            let (got, expected) = (
                cast.ask(&server, &operation, role).await,
                operation.who.0[role as usize],
            );
            if got != expected {
                let Operation {
                    method,
                    path,
                    thing,
                    ..
                } = &operation;
                wrong.push(format!(
                    "{method} {path} ({thing:?}) as {role:?}: {got}, and the table says {expected}"
                ));
            }
        }
    }
    for (message, who) in messages().into_iter().skip(part).step_by(PARTS) {
        number += 1;
        let cast = Cast::come(&server, number, &["read"]).await;
        for role in ROLES {
            let match_id = cast.make(&server, Thing::Match, role).await;
            let (got, expected) = (
                cast.send(&message, &match_id, role).await,
                who.0[role as usize],
            );
            if got != expected {
                let t = &message["t"];
                wrong.push(format!(
                    "message {t} as {role:?}: {got}, and the table says {expected}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "who may do what is another than the table in server/tests/roles.rs:\n{}",
        wrong.join("\n")
    );
    server.stop().await;
}

/// The test of each part of the table.
macro_rules! every_part {
    ($($part:literal $name:ident),+ $(,)?) => {
        const _: () = {
            let parts = [$($part),+];
            assert!(parts.len() == PARTS);
            let mut at = 0;
            while at < PARTS {
                assert!(parts[at] == at);
                at += 1;
            }
        };

        $(
            #[tokio::test]
            async fn $name() {
                everybody_may_do_what_the_table_says_and_nothing_else($part).await;
            }
        )+
    };
}

every_part! {
    0 the_table_holds_in_part_1,
    1 the_table_holds_in_part_2,
    2 the_table_holds_in_part_3,
    3 the_table_holds_in_part_4,
}

/// The operations that need no account on a site that is for its accounts alone: each leads to an account, has a proof of its own, or is a
/// probe.
const WAY_IN: [(&str, &str); 19] = [
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/api/v1/me"),
    ("GET", "/api/v1/site/logo"),
    ("GET", "/.well-known/oauth-authorization-server"),
    ("POST", "/api/v1/accounts"),
    ("POST", "/api/v1/sessions"),
    ("POST", "/api/v1/sessions/passkey"),
    ("POST", "/api/v1/sessions/passkey/challenge"),
    ("POST", "/api/v1/recoveries"),
    ("POST", "/api/v1/login-cards"),
    ("POST", "/api/v1/email-confirmations"),
    ("POST", "/api/v1/password-resets"),
    ("POST", "/api/v1/password-resets/use"),
    ("POST", "/api/v1/appeals"),
    ("POST", "/api/v1/jobs"),
    ("POST", "/oauth/token"),
    ("POST", "/oauth/revoke"),
    ("DELETE", "/api/v1/sessions/current"),
];

/// Sends an operation about objects that do not exist; returns the status, the code and the life of the answer.
async fn sent(person: &Person, operation: &Operation) -> (u16, String, String) {
    let id = "AAAAAAAAAAAA";
    let mut path = operation.path.to_owned();
    for (parameter, value) in [
        ("{room}", "players"),
        ("{id}", id),
        ("{name}", "Asha"),
        ("{handle}", "asha"),
        ("{other}", "Asha"),
        ("{number}", "1"),
        ("{game}", "mawe"),
        ("{speed}", "rapid"),
    ] {
        path = path.replace(parameter, value);
    }
    assert!(!path.contains('{'), "{path} has another parameter");
    let method: Method = operation.method.parse().expect("a method");
    let mut request = person.request(method, &path);
    if let Value::String(form) = &operation.body {
        let kind = "application/x-www-form-urlencoded";
        request = request.header("content-type", kind).body(form.clone());
    } else if !operation.body.is_null() {
        request = request.json(&operation.body);
    }
    let answer = request.send().await.expect("the server answers");
    let status = answer.status();
    let life = answer.headers().get("cache-control");
    let life = life.and_then(|life| life.to_str().ok()).unwrap_or_default();
    let life = life.to_owned();
    // A stream has no end.
    if status.is_success() || status.as_u16() == 101 {
        return (status.as_u16(), OK.to_owned(), life);
    }
    let problem: Value = answer.json().await.unwrap_or_default();
    let code = problem["code"].as_str().unwrap_or_default();
    (status.as_u16(), code.to_owned(), life)
}

#[tokio::test]
async fn on_a_site_for_its_accounts_alone_everything_but_the_way_in_asks_for_a_login() {
    let server = TestServer::start().await;
    // A session of a guest from before is no account.
    let guest = server.guest().await;
    let directory = server.stop().await;
    let server = TestServer::start_on_as(directory, |config| {
        config.site.is_public = false;
        config.operator_page = true;
    })
    .await;
    let guest = guest.moved_to(server.address);
    let account = server.account("Asha").await;
    let mut wrong = Vec::new();
    let mut refused = 0;
    for operation in operations() {
        let Operation { method, path, .. } = &operation;
        let is_open = WAY_IN.contains(&(method, path));
        for (who, person) in [("nobody", &server.stranger()), ("a guest", &guest)] {
            let (status, code, life) = sent(person, &operation).await;
            let is_refused = (status, code.as_str()) == (401, "sign-in-first");
            refused += u32::from(is_refused);
            if is_refused == is_open || life != "private, no-store" {
                wrong.push(format!(
                    "{method} {path} as {who}: {status} {code:?} {life:?}"
                ));
            }
        }
        // Not one that ends the session.
        if *method == "GET" {
            let (status, code, life) = sent(&account, &operation).await;
            if status == 401 || life != "private, no-store" {
                wrong.push(format!(
                    "{method} {path} as an account: {status} {code:?} {life:?}"
                ));
            }
        }
    }
    assert!(refused > 200, "{refused} refusals are too few");
    assert!(
        wrong.is_empty(),
        "what is seen without an account is another than `WAY_IN` of server/tests/roles.rs, or is stored by a cache:\n{}",
        wrong.join("\n")
    );
    server.stop().await;
}

/// The metrics are no operation of the document: neither an account nor a token of a player opens them.
#[tokio::test]
async fn the_metrics_are_for_the_holder_of_their_token_alone() {
    let with_metrics = TestServer::start_with(|config| config.metrics = same()).await;
    let cast = Cast::come(&with_metrics, 1, &[]).await;
    for role in ROLES {
        let answer = cast.of(role).get("/metrics").await;
        // After ten wrong tokens an address waits.
        let code = answer.text("/code");
        let is_refused = ["bad-token", "too-many-requests"].contains(&&*code);
        assert!(is_refused, "{role:?}: {answer:?}");
    }
    with_metrics.stop().await;

    let without = TestServer::start().await;
    let cast = Cast::come(&without, 1, &[]).await;
    for role in ROLES {
        let answer = cast.of(role).get("/metrics").await;
        assert_eq!(answer.status, 404, "{role:?}: {answer:?}");
    }
    without.stop().await;
}
