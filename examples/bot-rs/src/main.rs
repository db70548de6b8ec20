//! A complete bot for Mawe!: accepts challenges, or sends one, and plays random legal moves. Only `choose` needs to be changed.
//! It needs a token of a bot account with the scope `bot`, see docs/api-bots.md.
//! `MAWE_TOKEN=mawe_… cargo run -p bot-rs -- http://127.0.0.1:8080 [CHALLENGE-NAME [GAME [MATCHES]]]`

use std::time::{Duration, Instant};

use mawe_client::types::{GetMeMatchesQuery, MatchId, Offer, TimeControl};
use mawe_client::{Account, AccountEvent, Client, Error, Live, Turn};
use tokio::{task::JoinSet, time::sleep_until};

/// Without a match, the bot looks so often whether its challenge still waits: it may have expired.
const LOOK: Duration = Duration::from_secs(10);

/// Returns the move to play, one of `legal`. `turn.position()` is in the notation of the game, as in rules/RULES.md.
fn choose<'a>(_turn: &Turn, legal: &'a [String]) -> &'a str {
    &legal[fastrand::usize(..legal.len())]
}

pub struct Bot {
    pub url: String,
    pub token: String,
    pub opponent: Option<String>, // the player to challenge; `None` waits for challenges
    pub game: String,
    pub matches: usize, // the number of matches after which to stop
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let url = words.next().unwrap_or("http://127.0.0.1:8080".into());
    let (opponent, game) = (words.next(), words.next().unwrap_or("mawe".into()));
    let matches = words.next().map_or(Ok(usize::MAX), |number| number.parse())?;
    let token = std::env::var("MAWE_TOKEN")?;
    Ok(Bot { url, token, opponent, game, matches }.run().await?)
}

impl Bot {
    /// Plays until `matches` matches are over. The library comes back by itself when the line breaks.
    pub async fn run(self) -> Result<(), Error> {
        let client = Client::builder(&self.url).token(&self.token).build()?;
        let live = client.live().await?;
        let mut account = Account::new(&client, &live);
        let (mut playing, mut finished, mut look_at) = (JoinSet::new(), 0, Instant::now());
        while finished < self.matches {
            tokio::select! {
                event = account.next() => match event? {
                    Some(AccountEvent::Match(id)) => _ = playing.spawn(play(live.clone(), id)),
                    Some(AccountEvent::Challenge(challenge)) => match client.post_challenges_by_id_accept(&challenge.id).await {
                        Ok(accepted) => account.begun(accepted.id),
                        Err(refused) => {
                            eprintln!("{refused}"); // withdrawn meanwhile, or too many matches
                            account.look_again(); // or accepted, and the answer was lost
                        }
                    },
                    Some(_) => {}
                    None => return Ok(()),
                },
                Some(over) = playing.join_next() => {
                    look_at = Instant::now();
                    match over.expect("a match does not panic") {
                        Ok(()) => finished += 1,
                        Err(goodbye @ Error::Goodbye(_)) => return Err(goodbye),
                        Err(refused) => eprintln!("{refused}"),
                    }
                },
                () = sleep_until(look_at.into()), if playing.is_empty() => {
                    look_at = Instant::now() + LOOK;
                    match self.challenge(&client).await {
                        Ok(begun) => begun.into_iter().for_each(|id| account.begun(id)), // a computer opponent accepts at once
                        Err(refused) => eprintln!("{refused}"),
                    }
                }
            }
        }
        live.close().await;
        Ok(())
    }

    /// Challenges the opponent, if there is one, and neither a challenge waits nor a match runs; returns the match if it was accepted at once.
    async fn challenge(&self, client: &Client) -> Result<Option<MatchId>, Error> {
        let Some(name) = &self.opponent else { return Ok(None) };
        let (waiting, running) =
            (client.get_me_challenges().await?.outgoing, client.get_me_matches(&GetMeMatchesQuery::default()).await?.items);
        if !waiting.is_empty() || !running.is_empty() {
            return Ok(None);
        }
        let clock = TimeControl::Realtime { base_ms: 180_000, increment_ms: 2_000 };
        let offer = Offer::new(&*self.game, clock).to(name).rated(true);
        Ok(client.post_challenges(&offer).await?.match_id)
    }
}

/// Plays a match to its end.
async fn play(live: Live, id: MatchId) -> Result<(), Error> {
    let playing = live.join(id).await?;
    let mut turns = playing.turns();
    while let Some(turn) = turns.next().await? {
        turn.play(choose(&turn, turn.legal())).await?;
    }
    println!("{}: you {:?}, {:?}", playing.id(), playing.you(), playing.result());
    playing.leave();
    Ok(())
}
