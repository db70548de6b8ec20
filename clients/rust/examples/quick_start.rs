//! Plays one match against a computer opponent.

use mawe_client::Client;
use mawe_client::types::{GameKind, Offer, TimeControl};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::builder(std::env::var("MAWE")?).token(std::env::var("MAWE_TOKEN")?).build()?;
    let live = client.live().await?;
    let clock = TimeControl::Realtime { base_ms: 180_000, increment_ms: 2_000 };
    let challenge = client.post_challenges(&Offer::new(GameKind::Oware, clock).to("mawe-Kokoto")).await?;
    let playing = live.join(challenge.match_id.ok_or("it was not accepted at once")?).await?;
    let mut turns = playing.turns();
    while let Some(turn) = turns.next().await? {
        turn.play(&turn.legal()[fastrand::usize(..turn.legal().len())]).await?;
    }
    println!("{:?}", playing.result());
    live.close().await;
    Ok(())
}
