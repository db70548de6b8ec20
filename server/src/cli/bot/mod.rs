//! `mawe bot`: an engine of any author as a bot account of a server, until a signal stops it.

mod conduct;
mod engines;
mod filter;
mod matches;
mod program;

use std::time::Duration;

use clap::Args;
use mawe_client::types::{Offer, PlayerKind, TimeControl};
use mawe_client::{Client, Error};
use mawe_lab::arena;

use crate::bots::endgames;
use crate::cli::log;
use crate::cli::output::{Failure, runtime};
use crate::cli::signals::Signals;
use crate::config::{DataOptions, LogOptions};
use conduct::{Conduct, Threshold};
use engines::Engines;
use filter::ChallengeFilter;
use program::{Limits, Program};

/// The greatest number of matches at the same time: a line to the server follows 16, with those that are over and may have a rematch.
const MAX_CONCURRENCY: i64 = 12;
/// The greatest overhead of a move: a minute.
const MAX_OVERHEAD_MS: u64 = 60_000;

/// `mawe bot`.
#[derive(Debug, Args)]
pub(super) struct BotOptions {
    /// The server, like `https://play.example.org`
    #[arg(long, env = "MAWE_SERVER", value_name = "URL")]
    server: String,
    /// A token of the bot account with the scope `bot`; safer in the environment, where other users cannot see it
    #[arg(long, env = "MAWE_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: String,
    /// A game and the engine that plays it, as a player of `mawe arena`: `reversi=cmd:gtp:edax -gtp`, `checkers=movetime=500,cmd:hub:scan hub`,
    /// `oware=5`; once for each game
    #[arg(long = "engine", value_name = "GAME=PLAYER", required = true)]
    engines: Vec<String>,
    /// Make the account a bot account first, for good; it must not have played
    #[arg(long)]
    upgrade: bool,
    #[command(flatten)]
    filter: ChallengeFilter,
    /// The matches at the same time, each with a process of its own; further challenges are declined
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY))]
    concurrency: u16,
    /// End after N matches [default: at a signal]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    matches: Option<u64>,
    /// Challenge this player at the game of the first --engine whenever no match runs
    #[arg(long, value_name = "NAME")]
    challenge: Option<String>,
    /// The clock of the challenges, in seconds
    #[arg(
        long,
        value_name = "BASE+INC",
        default_value = "180+2",
        requires = "challenge"
    )]
    clock: String,
    /// Send challenges to casual matches, not to rated ones
    #[arg(long, requires = "challenge")]
    casual: bool,
    /// Resign once the engine's own score was -SCORE or worse in TURNS turns in a row, in hundredths of the game's unit
    #[arg(long, value_name = "SCORE,TURNS")]
    resign: Option<Threshold>,
    /// Accept a draw offer if the engine's own score was within SCORE of even in the last TURNS turns
    #[arg(long, value_name = "SCORE,TURNS")]
    draw: Option<Threshold>,
    /// The part of the own clock that the engine does not get, in milliseconds: the way to the server and back
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=MAX_OVERHEAD_MS))]
    move_overhead: u64,
    #[command(flatten)]
    data: DataOptions,
    #[command(flatten)]
    log: LogOptions,
}

/// Plays until a signal stops it, or the number of matches is reached.
pub(super) fn bot(options: &BotOptions) -> Result<(), Failure> {
    let engines = Engines::read(&options.engines)?;
    let offer = options.offer(&engines)?;
    endgames::install(&options.data.data_dir, |line| eprintln!("mawe: {line}"));
    let conduct = Conduct {
        resign: options.resign,
        draw: options.draw,
        move_overhead: Duration::from_millis(options.move_overhead),
    };
    let limits = Limits {
        concurrency: usize::from(options.concurrency),
        matches: options.matches.unwrap_or(u64::MAX),
    };
    runtime()?.block_on(async {
        let signals = Signals::new().map_err(|error| Failure::Failed(error.to_string()))?;
        // An engine that does not start is a fault now, not in the first match.
        engines.start_all().await?;
        let client = Client::builder(&options.server)
            .token(options.token.trim())
            .build()
            .map_err(|error| Failure::BadInput(error.to_string()))?;
        let name = account(&client, options.upgrade).await?;
        log::start(&options.log, None);
        tracing::info!("{name} plays at {}", options.server);
        let program = Program::begin(client, engines, &options.filter, conduct, limits, offer);
        program.await?.run(signals).await
    })
}

impl BotOptions {
    /// The challenge to send.
    fn offer(&self, engines: &Engines) -> Result<Option<Offer>, Failure> {
        let Some(name) = &self.challenge else {
            return Ok(None);
        };
        let clock: arena::TimeControl = self
            .clock
            .parse()
            .map_err(|error| Failure::BadInput(format!("--{error}")))?;
        let ms = |time: Duration| u64::try_from(time.as_millis()).expect("a day at most");
        let clock = TimeControl::Realtime {
            base_ms: ms(clock.base),
            increment_ms: ms(clock.increment),
        };
        let offer = Offer::new(engines.first().id(), clock).to(name);
        Ok(Some(offer.rated(!self.casual)))
    }
}

/// Checks that the token is one of a bot account; returns the account's name.
async fn account(client: &Client, is_upgraded: bool) -> Result<String, Failure> {
    let failed = |error: Error| Failure::Failed(error.to_string());
    let mut me = client.get_me().await.map_err(failed)?;
    let is_bot = |kind: &PlayerKind| *kind == PlayerKind::Bot;
    if is_upgraded && !me.player.as_ref().is_some_and(|me| is_bot(&me.kind)) {
        me = client.post_me_bot().await.map_err(failed)?;
    }
    match me.player {
        Some(player) if is_bot(&player.kind) => Ok(player.name),
        Some(player) => Err(Failure::Failed(format!(
            "{} is not a bot account; --upgrade makes it one, for good",
            player.name
        ))),
        None => Err(Failure::Failed("the token is nobody's".to_owned())),
    }
}
