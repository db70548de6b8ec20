//! Plays matches against other programs (`mawe_lab::outside`). A rival that breaks the rules, exits, or is a minute late ends the match.
//!
//! The rival's time is measured from the request to the answer; the mean and the longest times of both players are
//! printed at the end. The rival gets no message when a game is over, and keeps its tables if its protocol has no
//! command for a new game.

mod look_back;
mod options;
mod results;
mod times;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mawe_ai::Knowledge;
use mawe_lab::arena::{Pair, Player, Tally, Verdict, opening_of, setup_of};
use mawe_lab::outside::{EngineCommand, MoveLimits, OutsideEngine, Play};
use mawe_rules::{Record, Side};

use super::databases::databases;
use super::failure::Failure;
use look_back::Stood;
pub(crate) use options::Options;
use results::{MAX_PLIES, count, read, write};
use times::Times;

/// The time beyond its own that a rival has for a move: measurements run beside other work.
const GRACE: Duration = Duration::from_secs(60);

/// The other program.
struct Rival {
    engine: OutsideEngine,
    limits: MoveLimits,
    never: Arc<AtomicBool>,
    times: Times,
}

impl Rival {
    fn start(options: &Options) -> Result<Self, Failure> {
        let mut command = EngineCommand::parse(options.protocol, &options.command)?;
        command.directory = Some(options.directory.clone());
        command.init = options.init.clone();
        command.grace = GRACE;
        let never = Arc::default();
        Ok(Self {
            engine: OutsideEngine::start(command, options.kind, &never)?,
            limits: MoveLimits::movetime(Duration::from_millis(options.movetime)),
            never,
            times: Times::default(),
        })
    }

    fn new_game(&mut self) -> Result<(), Failure> {
        Ok(self.engine.new_game(&self.never)?)
    }

    fn choose(&mut self, game: &Record) -> Result<String, Failure> {
        let answer = self.engine.choose(game, &self.limits, &self.never)?;
        self.times.add(answer.time);
        match answer.play {
            Play::Move(m) => Ok(m.to_string()),
            Play::Resign => Err(format!("the rival resigns in {}", game.position()).into()),
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if let Some(up_to) = options.endgames {
        Knowledge::install(&databases(options.kind, up_to)?);
    }
    let player = Player::new(options.player.clone(), options.kind)?;
    let mut rival = Rival::start(options)?;
    let mut known = read(options)?;
    let mut tally = Tally::default();
    let mut ours = Times::default();
    let mut stood = Stood::default();
    for number in 0..options.games.div_ceil(2) {
        let opening = opening_of(
            &setup_of(options.kind),
            options.openings,
            options.seed,
            number,
        );
        let mut pair = Pair::default();
        for side in Side::ALL {
            let key = format!("{number}\t{side:?}");
            let game = match known.iter().position(|(of, _)| *of == key) {
                Some(at) => known.swap_remove(at).1,
                None => {
                    player.begin_game()?;
                    rival.new_game()?;
                    let game = play(opening.clone(), side, &player, &mut rival, &mut ours)?;
                    write(options, &key, side, &game)?;
                    game
                }
            };
            count(&mut pair, side, &game);
            if let Some(empties) = options.look_back {
                stood.count(&game, side, empties)?;
            }
        }
        tally.add(pair);
        eprintln!("{}", line(&tally, options.sprt));
        if let Some((null, claim)) = options.sprt
            && tally.verdict(null, claim) != Verdict::Open
        {
            break;
        }
    }
    println!("{}", line(&tally, options.sprt));
    println!("a ply took us {ours}, the rival {}", rival.times);
    if let Some(empties) = options.look_back {
        println!("{}", stood.table(empties));
    }
    Ok(())
}

/// The state of the match in the format of `mawe duel`.
fn line(tally: &Tally, sprt: Option<(f64, f64)>) -> String {
    let elo = tally.elo();
    let test = sprt.map_or_else(String::new, |(null, claim)| {
        let verdict = match tally.verdict(null, claim) {
            Verdict::Accepted => "accepted",
            Verdict::Refused => "refused",
            Verdict::Open => "open",
        };
        let likelihood = tally.likelihood(null, claim);
        format!(" llr {likelihood:+.2} {verdict}")
    });
    format!(
        "games {} won {} drawn {} lost {} score {:.1} % elo {:+.0} ± {:.0}{test}",
        tally.games(),
        tally.won,
        tally.drawn,
        tally.lost,
        100.0 * tally.score(),
        elo.difference,
        elo.error
    )
}

/// Plays a game to its end. Forced passes are played for both players.
fn play(
    mut game: Record,
    side: Side,
    player: &Player,
    rival: &mut Rival,
    ours: &mut Times,
) -> Result<Record, Failure> {
    while game.outcome().is_none() && game.ply() < MAX_PLIES {
        let m = if let Some(pass) = game.forced_pass() {
            pass.to_string()
        } else if game.turn() == side {
            let answer = player.choose(&game, None, u64::from(game.ply()))?;
            ours.add(answer.time);
            match answer.play {
                Play::Move(m) => m.to_string(),
                Play::Resign => return Err("our player resigns".into()),
            }
        } else {
            rival.choose(&game)?
        };
        let played = game.play(&m);
        played.map_err(|error| format!("{m:?} in {}: {error}", game.position()))?;
    }
    Ok(game)
}
