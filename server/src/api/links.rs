//! The links of the OpenAPI document: from an operation that creates something to those that go on with it.

use utoipa::openapi::RefOr;
use utoipa::openapi::link::Link;
use utoipa::openapi::path::{Operation, Paths};

/// The links from one response.
struct Links {
    from: &'static str,
    status: &'static str,
    /// The parameter of the next operations, and the place of its value in the response.
    parameter: (&'static str, &'static str),
    to: &'static [&'static str],
}

const ID: (&str, &str) = ("id", "$response.body#/id");
const NAME: (&str, &str) = ("name", "$response.body#/player/name");

const HANDLE: (&str, &str) = ("handle", "$response.body#/handle");

/// The operations that go on with a match.
const OF_MATCH: &[&str] = &[
    "get_matches_by_id",
    "post_matches_by_id_commands",
    "get_matches_by_id_stream",
    "get_matches_by_id_export",
    "get_matches_by_id_picture_png",
    "get_matches_by_id_board_svg",
    "get_matches_by_id_animation_gif",
    "get_matches_by_id_chat",
    "get_matches_by_id_conditional_moves",
    "put_matches_by_id_conditional_moves",
    "delete_matches_by_id_conditional_moves",
];

const OF_PLAYER: &[&str] = &["get_players_by_name", "get_players_by_name_matches"];

/// The operations that go on with a club.
const OF_CLUB: &[&str] = &[
    "get_clubs_by_handle",
    "patch_clubs_by_handle",
    "delete_clubs_by_handle",
    "get_clubs_by_handle_members",
    "post_clubs_by_handle_members",
    "get_clubs_by_handle_requests",
    "get_clubs_by_handle_invitations",
    "post_clubs_by_handle_invitations",
    "get_clubs_by_handle_log",
    "get_clubs_by_handle_matches",
    "get_clubs_by_handle_club_matches",
    "post_clubs_by_handle_club_matches",
    "get_clubs_by_handle_pupils",
    "post_clubs_by_handle_pupils",
    "post_clubs_by_handle_cards",
    "get_clubs_by_handle_export",
];

/// The operations that go on with a club match.
const OF_CLUB_MATCH: &[&str] = &[
    "get_club_matches_by_id",
    "delete_club_matches_by_id",
    "post_club_matches_by_id_accept",
    "post_club_matches_by_id_decline",
    "get_club_matches_by_id_players",
    "post_club_matches_by_id_players",
    "delete_club_matches_by_id_players",
];

/// The operations that go on with an event.
const OF_EVENT: &[&str] = &[
    "get_events_by_id",
    "delete_events_by_id",
    "post_events_by_id_join",
    "post_events_by_id_withdraw",
    "post_events_by_id_pause",
    "post_events_by_id_resume",
    "post_events_by_id_bye",
    "get_events_by_id_standings",
    "get_events_by_id_games",
    "get_events_by_id_results_csv",
    "get_events_by_id_results_trf",
    "get_events_by_id_export",
];

const LINKS: &[Links] = &[
    links("post_matches", "201", ID, OF_MATCH),
    links("post_matches_pass_and_play", "201", ID, OF_MATCH),
    links("post_challenges_by_id_accept", "200", ID, OF_MATCH),
    links("post_seeks_by_id_accept", "200", ID, OF_MATCH),
    links(
        "post_challenges",
        "201",
        ID,
        &[
            "get_challenges_by_id",
            "post_challenges_by_id_accept",
            "post_challenges_by_id_decline",
            "delete_challenges_by_id",
        ],
    ),
    links(
        "post_seeks",
        "201",
        ID,
        &["post_seeks_by_id_accept", "delete_seeks_by_id"],
    ),
    links("post_me_tokens", "201", ID, &["delete_me_tokens_by_id"]),
    links(
        "post_me_passkeys",
        "201",
        ID,
        &["patch_me_passkeys_by_id", "delete_me_passkeys_by_id"],
    ),
    links("post_accounts", "201", NAME, OF_PLAYER),
    links("post_guests", "201", NAME, OF_PLAYER),
    links("post_clubs", "201", HANDLE, OF_CLUB),
    links(
        "post_clubs_by_handle_club_matches",
        "201",
        ID,
        OF_CLUB_MATCH,
    ),
    links("post_events", "201", ID, OF_EVENT),
    links(
        "post_event_timetables",
        "201",
        ID,
        &["delete_event_timetables_by_id"],
    ),
];

const fn links(
    from: &'static str,
    status: &'static str,
    parameter: (&'static str, &'static str),
    to: &'static [&'static str],
) -> Links {
    Links {
        from,
        status,
        parameter,
        to,
    }
}

/// Writes the links into the responses of their operations; returns the operations and responses that are not there.
pub(super) fn link(paths: &mut Paths) -> Vec<&'static str> {
    let mut missing = Vec::new();
    for links in LINKS {
        for to in links.to {
            if operation(paths, to).is_none() {
                missing.push(*to);
            }
        }
        let response = operation(paths, links.from)
            .and_then(|from| from.responses.responses.get_mut(links.status));
        let Some(RefOr::T(response)) = response else {
            missing.push(links.from);
            continue;
        };
        for to in links.to {
            let (parameter, value) = links.parameter;
            let link = Link::builder()
                .operation_id(*to)
                .parameter(parameter, value);
            response
                .links
                .insert((*to).to_owned(), RefOr::T(link.build()));
        }
    }
    missing
}

fn operation<'a>(paths: &'a mut Paths, id: &str) -> Option<&'a mut Operation> {
    paths
        .paths
        .values_mut()
        .flat_map(|item| {
            [
                &mut item.get,
                &mut item.post,
                &mut item.put,
                &mut item.patch,
                &mut item.delete,
            ]
        })
        .flatten()
        .find(|operation| operation.operation_id.as_deref() == Some(id))
}
