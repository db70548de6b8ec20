//! Plays the ladder of levels, or of any list of players, each against the next, in one game or all.
//!
//!     cargo run --release -p mawe-ai --example ladder -- --out ladder.tsv
//!
//! Options: `--game GAME` (all), `--games N` a pair of players (100), `--seed N` (1), `--players SPEC;SPEC;…` (all levels), `--cap N` nodes
//! a move at most for the levels, `--openings NODES,LEAD[,PLIES]` (4000,250,4-6: openings of PLIES random plies whose score in a search of
//! NODES nodes is at most LEAD), `--out FILE`. A line is written to FILE for every pair of games. Pairs in FILE are not played again, so
//! that a later run continues an interrupted ladder. The last lines print the strength of each player relative to the one before.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;

use mawe_ai::Level;
use mawe_ai::arena::{Openings, Pair, Player, Spec, Tally, play_pair, setup_of};
use mawe_rules::GameKind;

struct Options {
    kinds: Vec<GameKind>,
    games: u64,
    seed: u64,
    players: Vec<String>,
    cap: Option<u64>,
    openings: Openings,
    out: Option<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        kinds: GameKind::ALL.to_vec(),
        games: 100,
        seed: 1,
        players: Level::all().map(|level| level.to_string()).collect(),
        cap: None,
        openings: Openings::default(),
        out: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} wants a value"))?;
        match name.as_str() {
            "--game" => options.kinds = vec![value.parse()?],
            "--games" => options.games = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--players" => options.players = value.split(';').map(str::to_owned).collect(),
            "--cap" => options.cap = Some(value.parse()?),
            "--openings" => options.openings = value.parse()?,
            "--out" => options.out = Some(value),
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let mut known = read(options.out.as_deref())?;
    let mut summary = String::new();
    for kind in &options.kinds {
        for rung in options.players.windows(2) {
            let [weaker, stronger] = rung else {
                continue;
            };
            let players = [
                player(*kind, stronger, options.cap)?,
                player(*kind, weaker, options.cap)?,
            ];
            let mut tally = Tally::default();
            for number in 0..options.games.div_ceil(2) {
                let key = format!(
                    "{kind}\t{stronger}\t{weaker}\t{}\t{}\t{number}",
                    options.openings, options.seed
                );
                let pair = match known.remove(&key) {
                    Some(pair) => pair,
                    None => {
                        let [stronger, weaker] = &players;
                        let pair = play_pair(
                            &setup_of(*kind),
                            options.openings,
                            [stronger, weaker],
                            options.seed,
                            number,
                        );
                        write(options.out.as_deref(), &key, pair)?;
                        pair
                    }
                };
                tally.add(pair);
                eprint!("\r{}   ", line(*kind, stronger, weaker, &tally));
            }
            eprintln!();
            summary += &line(*kind, stronger, weaker, &tally);
            summary.push('\n');
        }
    }
    print!("{summary}");
    Ok(())
}

fn player(kind: GameKind, text: &str, cap: Option<u64>) -> Result<Player, Box<dyn Error>> {
    let spec = match text.parse::<Level>() {
        Ok(level) => Spec::level(level, cap),
        Err(_) => text.parse()?,
    };
    Ok(Player::new(spec, kind)?)
}

fn line(kind: GameKind, stronger: &str, weaker: &str, tally: &Tally) -> String {
    let elo = tally.elo();
    format!(
        "{kind:8} {stronger} against {weaker}: +{} ={} -{}, Elo {:+.0} ± {:.0}",
        tally.won, tally.drawn, tally.lost, elo.difference, elo.error
    )
}

fn read(path: Option<&str>) -> Result<HashMap<String, Pair>, Box<dyn Error>> {
    let Some(text) = path.and_then(|path| fs::read_to_string(path).ok()) else {
        return Ok(HashMap::new());
    };
    let entry = |line: &str| {
        let (rest, lost) = line.rsplit_once('\t')?;
        let (rest, drawn) = rest.rsplit_once('\t')?;
        let (key, won) = rest.rsplit_once('\t')?;
        let pair = Pair {
            won: won.parse().ok()?,
            drawn: drawn.parse().ok()?,
            lost: lost.parse().ok()?,
        };
        Some((key.to_owned(), pair))
    };
    // A pair whose line was cut short by a kill is played again.
    Ok(text.lines().filter_map(entry).collect())
}

fn write(path: Option<&str>, key: &str, pair: Pair) -> Result<(), Box<dyn Error>> {
    if let Some(path) = path {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{key}\t{}\t{}\t{}", pair.won, pair.drawn, pair.lost)?;
    }
    Ok(())
}
