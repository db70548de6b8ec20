//! Shared parts of the modules of clubs: the views, the finders with their rights, and the sending of notices.

use mawe_store::{ClubChange, ClubChanged, ClubRefusal, ClubRow};
use mawe_wire::clubs::{ClassRules, ClubKind, ClubStanding, ClubTexts, Joining};
use mawe_wire::{Language, PlayerRef};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::SignedIn;
use crate::live::view;

/// A club in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClubSummary {
    /// The name in addresses.
    handle: String,
    name: String,
    kind: ClubKind,
    joining: Joining,
    /// The number of members.
    members: u32,
}

impl ClubSummary {
    pub(super) fn of(row: &ClubRow) -> ClubSummary {
        ClubSummary {
            handle: row.handle.clone(),
            name: row.name.clone(),
            kind: row.kind,
            joining: row.joining,
            members: row.members,
        }
    }
}

/// A club. Of one that is joined by invitation, others see the fields of the list, the standing and the time of the founding only.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClubView {
    #[serde(flatten)]
    club: ClubSummary,
    created_at: jiff::Timestamp,
    /// The caller's standing.
    standing: ClubStanding,
    /// Whether the caller sees the texts, the officers and the lists of the club.
    visible: bool,
    /// The line at the top of the page; may be empty.
    banner: String,
    /// The description in the languages in which the officers have written it, as plain text.
    description: ClubTexts,
    /// The officers by name.
    officers: Vec<PlayerRef>,
    /// The founder.
    #[schema(required = true)]
    founder: Option<PlayerRef>,
    /// The parts of a class alone; null for a club of another kind, and for readers without access.
    #[schema(required = true)]
    class: Option<ClassView>,
}

/// The parts of a class alone.
#[derive(Debug, Serialize, ToSchema)]
struct ClassView {
    rules: ClassRules,
    /// The number of pupils.
    pupils: u32,
    /// Whether the class has made the caller's account.
    own_pupil: bool,
}

async fn class_view(
    app: &App,
    club: &ClubRow,
    reader: Option<&SignedIn>,
) -> Result<Option<ClassView>, ApiError> {
    let Some(class) = app.store.class(&club.id).await? else {
        return Ok(None);
    };
    let own_class = match reader {
        Some(me) => app.store.class_of(&me.player.id).await?,
        None => None,
    };
    Ok(Some(ClassView {
        rules: class.rules,
        pupils: class.pupils,
        own_pupil: own_class.as_ref() == Some(&club.id),
    }))
}

pub(super) async fn find(app: &App, handle: &str) -> Result<ClubRow, ApiError> {
    let found = app.store.find_club(handle).await?;
    found.ok_or(ApiError::NotFound("club"))
}

async fn standing(
    app: &App,
    club: &ClubRow,
    reader: Option<&SignedIn>,
) -> Result<ClubStanding, ApiError> {
    match reader {
        Some(me) => Ok(app.store.club_standing(&club.id, &me.player.id).await?),
        None => Ok(ClubStanding::None),
    }
}

/// Whether a reader sees a club from the inside: everybody does where it is public, else members, invited players and moderators.
fn is_visible(club: &ClubRow, standing: ClubStanding, reader: Option<&SignedIn>) -> bool {
    club.joining.is_public()
        || standing.is_member()
        || standing == ClubStanding::Invited
        || reader.is_some_and(SignedIn::moderates)
}

/// Finds a club whose lists the reader sees.
///
/// # Errors
/// [`ApiError::NotFound`]; `club-invitation-needed`.
pub(super) async fn visible(
    app: &App,
    handle: &str,
    reader: Option<&SignedIn>,
) -> Result<(ClubRow, ClubStanding), ApiError> {
    let club = find(app, handle).await?;
    let standing = standing(app, &club, reader).await?;
    if is_visible(&club, standing, reader) {
        Ok((club, standing))
    } else {
        Err(ApiError::Club(ClubRefusal::InvitationNeeded))
    }
}

/// Finds a club of which the caller is an officer. The store decides when something is changed.
///
/// # Errors
/// [`ApiError::NotFound`]; `officers-only`.
pub(super) async fn led(app: &App, handle: &str, me: &SignedIn) -> Result<ClubRow, ApiError> {
    let club = find(app, handle).await?;
    match standing(app, &club, Some(me)).await? {
        ClubStanding::Officer => Ok(club),
        _ => Err(ApiError::Club(ClubRefusal::OfficersOnly)),
    }
}

pub(super) async fn shown(
    app: &App,
    club: ClubRow,
    reader: Option<&SignedIn>,
) -> Result<ClubView, ApiError> {
    let standing = standing(app, &club, reader).await?;
    let visible = is_visible(&club, standing, reader);
    let officers = if visible {
        app.store.club_officers(&club.id).await?
    } else {
        Vec::new()
    };
    let class = if visible && club.kind == ClubKind::Class {
        class_view(app, &club, reader).await?
    } else {
        None
    };
    Ok(ClubView {
        class,
        created_at: view::timestamp(club.created_ms),
        standing,
        visible,
        officers: officers.iter().map(view::player).collect(),
        founder: visible.then(|| view::player(&club.founder)),
        club: ClubSummary::of(&club),
        banner: if visible { club.banner } else { String::new() },
        description: if visible {
            club.descriptions
        } else {
            ClubTexts::default()
        },
    })
}

/// Changes a club in the name of the caller, and sends the notices that the change has written.
pub(super) async fn change(
    app: &App,
    me: &SignedIn,
    club: &ClubRow,
    what: &ClubChange,
) -> Result<(), ApiError> {
    app.limits.club_change(&me.player.id)?;
    let changed = app.store.change_club(
        &club.id,
        &me.player.id,
        what,
        &mawe_store::CLUB_LIMITS,
        unix_ms(),
    );
    announce(app, &changed.await?);
    Ok(())
}

/// Sends the notices about a club to the pages of their players.
pub(super) fn announce(app: &App, changed: &ClubChanged) {
    for key in &changed.told {
        app.rooms.services.notices.announce(key);
    }
    for player in &changed.recounted {
        app.rooms.services.notices.recount(player);
    }
}

/// Applies a check to the text of each language.
pub(super) fn checked_texts(
    mut texts: ClubTexts,
    check: impl Fn(&str, &str) -> Result<String, ApiError>,
) -> Result<ClubTexts, ApiError> {
    for language in Language::ALL {
        let text = texts.of_mut(language);
        if let Some(given) = text.take() {
            let field = format!("description.{}", language.as_str());
            *text = Some(check(&field, &given)?);
        }
    }
    Ok(texts)
}
