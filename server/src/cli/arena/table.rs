//! The table of a tournament.

use mawe_lab::arena::{Standing, Standings};
use mawe_rules::GameKind;

use crate::cli::match_options::test_state;

/// The most characters of a name: the command of an engine may be long.
const NAME: usize = 32;

/// Returns a name that fits into a table.
pub(super) fn short(name: &str) -> String {
    let mut symbols = name.chars();
    let begin: String = symbols.by_ref().take(NAME - 1).collect();
    match symbols.next() {
        Some(last) if symbols.next().is_none() => format!("{begin}{last}"),
        Some(_) => format!("{begin}…"),
        None => begin,
    }
}

/// Returns the table: a row for each player, the best first, with its lead over all others together in Elo, and its points against each other
/// one. Below stand the games that engines lost by a failure, and the sequential test.
pub(super) fn table(
    kind: GameKind,
    names: &[&str],
    standings: &Standings,
    sprt: Option<(f64, f64)>,
) -> String {
    let ranking = standings.ranking();
    let mut rows = vec![header(&ranking)];
    rows.extend((1..).zip(&ranking).map(|(rank, player)| {
        let mut row = begin_row(rank, names[*player], standings.of(*player));
        row.extend(ranking.iter().map(|opponent| {
            let tally = standings.against(*player, *opponent);
            match opponent == player {
                true => "·".to_owned(),
                false => format!("{}/{}", points(tally.won, tally.drawn), tally.games()),
            }
        }));
        row
    }));
    let games: u32 = ranking
        .iter()
        .map(|player| standings.of(*player).tally.games())
        .sum();
    let mut text = format!("{kind}: {} games\n", games / 2);
    text += &aligned(&rows);
    for player in &ranking {
        let name = short(names[*player]);
        let Standing {
            failures,
            timeouts,
            last_failure,
            ..
        } = standings.of(*player);
        if let Some(last) = last_failure {
            text += &format!("{name}: lost {failures} by a failure, the last one: {last}\n");
        }
        if *timeouts > 0 {
            text += &format!("{name}: lost {timeouts} on time\n");
        }
    }
    if let Some((null, claim)) = sprt {
        let state = test_state(standings.against(0, 1), (null, claim));
        text += &format!("sprt {null},{claim}: {state}\n");
    }
    text
}

fn header(ranking: &[usize]) -> Vec<String> {
    let fixed = [
        "#", "player", "elo", "±", "games", "points", "won", "drawn", "lost",
    ];
    let ranks = (1..=ranking.len()).map(|rank| rank.to_string());
    fixed.into_iter().map(str::to_owned).chain(ranks).collect()
}

fn begin_row(rank: usize, name: &str, standing: &Standing) -> Vec<String> {
    let tally = &standing.tally;
    let elo = tally.elo();
    vec![
        rank.to_string(),
        short(name),
        format!("{:+.0}", elo.difference),
        format!("{:.0}", elo.error),
        tally.games().to_string(),
        points(tally.won, tally.drawn),
        tally.won.to_string(),
        tally.drawn.to_string(),
        tally.lost.to_string(),
    ]
}

fn points(won: u32, drawn: u32) -> String {
    let half = if drawn % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", won + drawn / 2)
}

/// Returns the rows with columns of equal width; the names stand on the left of theirs.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| match column {
            1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use mawe_lab::arena::{Encounter, End, Game};
    use mawe_lab::outside::{EngineError, Fault};
    use mawe_rules::{BySide, Side};

    use super::*;

    #[test]
    fn a_table_has_a_row_for_each_player_and_tells_failures() {
        let kind = GameKind::Oware;
        let game = |end: End| Game::unplayed(kind, end);
        let error = EngineError {
            engine: "x".to_owned(),
            fault: Fault::Unread,
            last_words: vec!["no book".to_owned()],
        };
        let mut standings = Standings::new(2);
        standings.add(&Encounter {
            number: 0,
            players: [0, 1],
            games: BySide::new(game(End::Failed(Side::First, error)), game(End::PlyLimit)),
        });
        let names = ["a", "an engine with a name that is longer than the column"];
        let table = table(kind, &names, &standings, Some((0.0, 10.0)));
        let expected = "\
oware: 2 games
#  player                            elo    ±  games  points  won  drawn  lost      1      2
1  an engine with a name that is l…  +58  988      2     1.5    1      1     0      ·  1.5/2
2  a                                 -58  988      2     0.5    0      1     1  0.5/2      ·
a: lost 1 by a failure, the last one: engine \"x\": it does not read its input; its last words: no book
sprt 0,10: llr -0.01 open
";
        assert_eq!(table, expected);
    }

    #[test]
    fn names_and_points_are_short() {
        assert_eq!(short("5"), "5");
        assert_eq!(short(&"x".repeat(NAME)), "x".repeat(NAME));
        assert_eq!(short(&"x".repeat(NAME + 1)).chars().count(), NAME);
        assert_eq!(
            [points(0, 0), points(2, 1), points(1, 4)],
            ["0", "2.5", "3"]
        );
    }
}
