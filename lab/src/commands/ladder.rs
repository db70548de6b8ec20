//! Plays the ladder of levels, or of any list of players, each against the next, in one game or all.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use mawe_ai::Level;
use mawe_lab::arena::{Openings, Pair, Player, Spec, Tally, opening_of, play_both, setup_of};
use mawe_lab::chart::{self, Bar};
use mawe_rules::{AnySetup, BySide, GameKind};

use super::failure::Failure;

/// `lab ladder`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game (default: all)
    #[arg(long, value_name = "GAME")]
    game: Option<GameKind>,
    /// The setup of the games, `form=decisive` for instance (default: that of rated games)
    #[arg(long, value_name = "SETUP", requires = "game")]
    setup: Option<String>,
    /// The number of games of each pair of players
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// The number that selects the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The players, the weakest first, as `mawe duel` takes them (default: all levels)
    #[arg(long, value_name = "SPEC;SPEC;…", value_delimiter = ';')]
    players: Vec<String>,
    /// The most nodes a move of a level
    #[arg(long, value_name = "N")]
    cap: Option<u64>,
    /// Openings of PLIES random plies that a search of NODES evaluates within LEAD hundredths of even
    #[arg(long, value_name = "NODES,LEAD[,PLIES]", default_value_t)]
    openings: Openings,
    /// A file to which a line is written for every pair of games. Pairs in it are not played again, so that a later run continues an
    /// interrupted ladder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also draw the strength of each player above the first, a bar a player
    #[arg(long)]
    chart: bool,
}

/// Plays the matches; the last lines are the strength of each player relative to the one before.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let kinds = options
        .game
        .map_or(GameKind::ALL.to_vec(), |kind| vec![kind]);
    let players = match options.players.as_slice() {
        [] => Level::all().map(|level| level.to_string()).collect(),
        players => players.to_vec(),
    };
    let mut known = read(options.out.as_deref())?;
    let mut summary = String::new();
    for kind in &kinds {
        let setup = match &options.setup {
            Some(text) => AnySetup::parse(*kind, text)?,
            None => setup_of(*kind),
        };
        let mut rungs = Vec::new();
        for rung in players.windows(2) {
            let [weaker, stronger] = rung else {
                continue;
            };
            let pair = [
                player(*kind, stronger, options.cap)?,
                player(*kind, weaker, options.cap)?,
            ];
            let mut tally = Tally::default();
            let mut won = BySide::new(0, 0);
            for number in 0..options.games.div_ceil(2) {
                let of = match &options.setup {
                    Some(setup) => format!("{kind} {setup}"),
                    None => kind.to_string(),
                };
                let key = format!(
                    "{of}\t{stronger}\t{weaker}\t{}\t{}\t{number}",
                    options.openings, options.seed
                );
                let pair = match known.remove(&key) {
                    Some(pair) => pair,
                    None => {
                        let opening = opening_of(&setup, options.openings, options.seed, number);
                        let [stronger, weaker] = &pair;
                        let games = play_both(&opening, [stronger, weaker], options.seed, number);
                        for (_, game) in games.iter() {
                            if let Some((side, error)) = game.failure() {
                                eprintln!("\rlab: the {side} side loses game {number}: {error}");
                            }
                        }
                        let winners = games.map(|game| game.winner());
                        for side in winners.iter().filter_map(|(_, winner)| *winner) {
                            won[side] += 1;
                        }
                        let pair = Pair::of(winners);
                        write(options.out.as_deref(), &key, pair)?;
                        pair
                    }
                };
                tally.add(pair);
                eprint!("\r{}   ", line(*kind, stronger, weaker, &tally));
            }
            eprintln!();
            summary += &format!(
                "{}; played now: {} won by the first side, {} by the second\n",
                line(*kind, stronger, weaker, &tally),
                won.first,
                won.second
            );
            rungs.push(tally.elo().difference);
        }
        if options.chart {
            summary += &chart(&players, &rungs);
        }
    }
    print!("{summary}");
    Ok(())
}

fn player(kind: GameKind, text: &str, cap: Option<u64>) -> Result<Player, Failure> {
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

/// Draws the sums of the differences between players next to each other.
fn chart(players: &[String], rungs: &[f64]) -> String {
    let mut strength = 0.0;
    let sums = rungs.iter().map(|rung| {
        strength += rung;
        strength
    });
    let rows: Vec<Bar> = players
        .iter()
        .zip(std::iter::once(0.0).chain(sums))
        .map(|(player, value)| Bar {
            label: player.clone(),
            value,
            note: format!("{value:+.0}"),
        })
        .collect();
    chart::bars(&rows)
}

fn read(path: Option<&Path>) -> Result<HashMap<String, Pair>, Failure> {
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

fn write(path: Option<&Path>, key: &str, pair: Pair) -> Result<(), Failure> {
    if let Some(path) = path {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{key}\t{}\t{}\t{}", pair.won, pair.drawn, pair.lost)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_of_a_ladder_adds_up_its_rungs() {
        let players = ["1", "2", "depth=1"].map(str::to_owned);
        let bar = |count| "█".repeat(count);
        let expected = format!(
            "1        +0\n2       {} +100\ndepth=1 {} +400\n",
            bar(12) + "▌",
            bar(50)
        );
        assert_eq!(chart(&players, &[100.0, 300.0]), expected);
        // A player that is weaker than the one before.
        let expected = format!("1        +0\n2       {} +50\ndepth=1  -50\n", bar(50));
        assert_eq!(chart(&players, &[50.0, -100.0]), expected);
    }
}
