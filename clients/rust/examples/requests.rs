//! Requests, refusals and streams on a live server, for `tests/clients/live.py`: `requests ADDRESS`.

use mawe_client::types::{Avatar, GetLeaderboardsByGameQuery, GetMatchesByIdExportQuery, ServerMsg, Side, SideWish, TimeControl};
use mawe_client::types::{
    ClientMsg, Command, GameKind, GetMatchesQuery, GetMeMatchesQuery, GetPlayersQuery, NewBotMatch, NewCommand, PreferenceChange,
};
use mawe_client::{Client, Error, Request};
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("the address of a server")?;
    let visitor = Client::new(&address)?;
    let refused = visitor.get_players_by_name("nobody-of-this-name").await;
    assert!(matches!(refused, Err(Error::Problem(problem)) if problem.status == 404 && problem.code == "not-found"));
    lists(&visitor).await?;
    let guest = Client::new(&address)?;
    assert!(guest.post_guests().await?.player.is_some());
    account(&guest).await?;
    a_match(&guest).await?;
    Ok(())
}

/// Lists of the server, each as its type.
async fn lists(client: &Client) -> Result<(), Error> {
    let games = client.get_games().await?.items;
    assert!(games.len() >= 6 && games.iter().all(|each| !matches!(each.game, GameKind::Unknown(_))));
    assert!(client.get_players(&GetPlayersQuery::new("mawe")).await?.items.iter().any(|each| each.name.starts_with("mawe-")));
    client.get_leaderboards_by_game(&GameKind::Oware, &GetLeaderboardsByGameQuery::default().limit(5)).await?;
    client.get_matches(&GetMatchesQuery::default().game("oware")).await?;
    client.get_activity().await?;
    client.get_banner().await?;
    client.get_pools().await?;
    client.get_seeks().await?;
    client.get_tv().await?;
    let document: Value = client.json(Request::get("/api/openapi.json")).await?;
    assert!(document["paths"].is_object());
    Ok(())
}

/// The data of the caller, by the cookie of the session.
async fn account(guest: &Client) -> Result<(), Error> {
    assert!(guest.get_me_matches(&GetMeMatchesQuery::default()).await?.items.is_empty());
    assert!(guest.get_me_challenges().await?.incoming.is_empty());
    guest.get_me_sessions().await?;
    guest.get_me_preferences().await?;
    let refused = guest.patch_me_preferences(&PreferenceChange::default().avatar(Avatar::Heron)).await;
    assert!(matches!(refused, Err(Error::Problem(problem)) if problem.code == "account-needed"));
    Ok(())
}

async fn a_match(guest: &Client) -> Result<(), Error> {
    let clock = TimeControl::Realtime { base_ms: 600_000, increment_ms: 0 };
    let wanted = NewBotMatch::new(GameKind::Oware, 1, clock).side(SideWish::First);
    let id = guest.post_matches(&wanted).await?.id;
    let mut stream = guest.match_stream(&id, None);
    assert!(matches!(stream.next().await?, ServerMsg::Hello { .. }));
    assert!(matches!(stream.next().await?, ServerMsg::Snapshot(snapshot) if snapshot.you == Some(Side::First)));
    let view = guest.get_matches_by_id(&id).await?;
    assert_eq!(guest.get_me_matches(&GetMeMatchesQuery::default()).await?.items.len(), 1, "the key of the request makes it once");
    let text = view.state.legal[0].clone();
    let command = NewCommand::new("once", Command::Move { ply: 0, text }, 0);
    // Sent twice, it is played once, and answered with the same entry.
    let (first, again) =
        (guest.post_matches_by_id_commands(&id, &command).await?, guest.post_matches_by_id_commands(&id, &command).await?);
    assert_eq!(first, again);
    while !matches!(stream.next().await?, ServerMsg::Event(event) if event.seq == 1) {}
    assert!(guest.get_matches_by_id_picture_png(&id, &Default::default()).await?.starts_with(b"\x89PNG"));
    assert!(guest.get_matches_by_id_export(&id, &GetMatchesByIdExportQuery::default()).await?.contains("oware"));
    // The cookie names the player of the socket, too.
    let live = guest.live().await?;
    assert_eq!(live.player().map(|player| player.name), guest.get_me().await?.player.map(|player| player.name));
    live.send(&ClientMsg::WatchLobby)?;
    let playing = live.join(id).await?;
    assert_eq!(playing.view().moves().next(), Some(&*view.state.legal[0]));
    playing.resign().await?;
    assert_eq!(playing.result().and_then(|result| result.winner), Some(Side::Second));
    live.close().await;
    Ok(())
}
