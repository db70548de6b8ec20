//! The standings of events, as readers see them.

use std::collections::HashMap;

use mawe_play::events::{Event, Game, GameOutcome, Seat, Standing};
use mawe_play::rating;
use mawe_rules::Side;
use mawe_store::{EventGameKey, Player, Store, StoreError};
use mawe_wire::events::{
    EventGameResult, EventGameState, EventOutcome, EventStandingGame, EventStandingPage,
    EventStandingView, EventState,
};
use mawe_wire::ids::MatchId;

use crate::live::view;
use crate::lobby::event_states::Snapshot;

/// The number of games in a row of the standings, the latest ones: as many as the rounds of any kind but an arena.
const GAMES_SHOWN: usize = 30;

/// The number of leaders among whom the featured match is looked for.
const LEADERS: usize = 20;

/// Returns a page of the standings: `limit` rows from the row `from`, which counts from 0.
///
/// # Errors
/// [`StoreError`].
pub async fn page(
    store: &dyn Store,
    snapshot: &Snapshot,
    from: usize,
    limit: usize,
) -> Result<EventStandingPage, StoreError> {
    let all = snapshot.standings();
    let rows = all.iter().skip(from).take(limit);
    let seats: Vec<Seat> = rows.clone().map(|row| row.seat).collect();
    let players: HashMap<Seat, Player> = store
        .event_players(&snapshot.row.id, &seats)
        .await?
        .into_iter()
        .collect();
    let places: HashMap<Seat, u32> = all.iter().map(|row| (row.seat, row.place)).collect();
    let event = &snapshot.event;
    let items = rows.filter_map(|row| {
        let player = players.get(&row.seat)?;
        row_view(event, row, player, &places)
    });
    let end = from.saturating_add(limit);
    Ok(EventStandingPage {
        items: items.collect(),
        tie_break_names: event
            .tie_breaks()
            .iter()
            .map(|name| name.as_str().to_owned())
            .collect(),
        seq: snapshot.row.head,
        next: (end < all.len()).then(|| end.to_string()),
    })
}

fn row_view(
    event: &Event,
    row: &Standing,
    player: &Player,
    places: &HashMap<Seat, u32>,
) -> Option<EventStandingView> {
    let entrant = event.entrant(row.seat)?;
    let skipped = entrant.games.len().saturating_sub(GAMES_SHOWN);
    let games = entrant.games.iter().skip(skipped);
    let games = games.filter_map(|number| event.game(*number));
    Some(EventStandingView {
        place: row.place,
        player: view::player(player),
        rating: rating::rounded(entrant.rating),
        points: row.points.as_f64(),
        tie_breaks: row.tie_breaks.clone(),
        state: event.player_state(row.seat)?,
        played: row.played,
        won: row.won,
        fire: row.on_fire,
        games: games.map(|game| game_of(game, row.seat, places)).collect(),
    })
}

fn game_of(game: &Game, seat: Seat, places: &HashMap<Seat, u32>) -> EventStandingGame {
    let side = game.side_of(seat);
    EventStandingGame {
        number: game.number,
        round: game.round,
        opponent: places.get(&game.opponent_of(seat)).copied(),
        side,
        result: outcome(game, side),
    }
}

fn outcome(game: &Game, side: Side) -> Option<EventOutcome> {
    let counts_for_nobody = matches!(
        game.outcome,
        GameOutcome::Ended {
            result: EventGameResult::CalledOff,
            ..
        }
    );
    if counts_for_nobody {
        return Some(EventOutcome::CalledOff);
    }
    let (mine, theirs) = (game.points(side)?, game.points(side.other())?);
    Some(match mine.cmp(&theirs) {
        std::cmp::Ordering::Greater => EventOutcome::Won,
        std::cmp::Ordering::Less => EventOutcome::Lost,
        std::cmp::Ordering::Equal => EventOutcome::Drawn,
    })
}

/// Returns a running match of the first of the leaders who plays one that everybody may see.
///
/// # Errors
/// [`StoreError`].
pub async fn featured(
    store: &dyn Store,
    snapshot: &Snapshot,
) -> Result<Option<MatchId>, StoreError> {
    if snapshot.row.columns.state != EventState::Running {
        return Ok(None);
    }
    let event = &snapshot.event;
    for leader in snapshot.standings().iter().take(LEADERS) {
        let Some(game) = event.pending_game_of(leader.seat) else {
            continue;
        };
        let key = EventGameKey {
            event: snapshot.row.id.clone(),
            number: game.number,
        };
        let game = store.event_game(&key).await?;
        let shown = game.filter(|game| game.state == EventGameState::Playing && !game.private);
        if let Some(game) = shown {
            return Ok(game.match_id);
        }
    }
    Ok(None)
}
