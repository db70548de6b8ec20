//! The tournament report file (TRF) of FIDE: the form in which pairing programs and federations exchange a Swiss tournament.

use std::collections::HashMap;
use std::fmt::Write;

use mawe_play::events::{Event, Game, GameOutcome, Points, Seat, Standing};
use mawe_play::rating;
use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped};

/// Writes the report: a line for each row of the standings, with the games by round. A player's number is the order of joining, from 1.
pub(super) fn report(
    name: &str,
    event: &Event,
    standings: &[Standing],
    names: &HashMap<Seat, String>,
) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "012 {name}");
    let _ = writeln!(text, "062 {}", standings.len());
    let _ = writeln!(text, "092 Individual: Swiss-System (Dutch)");
    let _ = writeln!(text, "XXR {}", event.round());
    let mut rows: Vec<&Standing> = standings.iter().collect();
    rows.sort_by_key(|row| row.seat);
    for row in rows {
        let (Some(entrant), Some(name)) = (event.entrant(row.seat), names.get(&row.seat)) else {
            continue;
        };
        let _ = write!(
            text,
            "001 {:>4}      {:<33} {:>4}                            {:>4.1} {:>4}",
            row.seat + 1,
            name,
            rating::rounded(entrant.rating),
            row.points.as_f64(),
            row.place,
        );
        for round in 1..=event.round() {
            text.push_str("  ");
            text.push_str(&of_round(event, row.seat, round));
        }
        text.push('\n');
    }
    text
}

/// The part of a round in the line of a player: the opponent, the side, the result.
fn of_round(event: &Event, seat: Seat, round: u32) -> String {
    let games = event.entrant(seat).map_or(&[][..], |one| &one.games[..]);
    let mut games = games.iter().filter_map(|number| event.game(*number));
    if let Some(game) = games.find(|game| game.round == round) {
        return of_game(game, seat);
    }
    let mut byes = event.byes().iter();
    let bye = byes.find(|(at, bye)| *at == round && bye.seat == seat);
    let letter = match bye.map(|(_, bye)| bye.points) {
        Some(Points::HALF) => 'H',
        Some(Points::ONE) => 'U',
        Some(_) | None => 'Z',
    };
    format!("0000 - {letter}")
}

fn of_game(game: &Game, seat: Seat) -> String {
    let side = game.side_of(seat);
    let letters = |won: char, lost: char, winner: Side| if winner == side { won } else { lost };
    let result = match game.outcome {
        GameOutcome::Pending => ' ',
        GameOutcome::Ended { result, forfeit } => {
            let (won, lost) = if forfeit { ('+', '-') } else { ('1', '0') };
            match result {
                EventGameResult::First => letters(won, lost, Side::First),
                EventGameResult::Second => letters(won, lost, Side::Second),
                EventGameResult::Drawn => '=',
                EventGameResult::CalledOff => return "0000 - Z".to_owned(),
            }
        }
        GameOutcome::Skipped {
            reason: EventGameSkipped::Apart,
            ..
        } => return "0000 - H".to_owned(),
        GameOutcome::Skipped {
            side: Some(absent), ..
        } => letters('+', '-', absent.other()),
        GameOutcome::Skipped { side: None, .. } => return "0000 - Z".to_owned(),
    };
    let colour = match side {
        Side::First => 'w',
        Side::Second => 'b',
    };
    format!("{:>4} {colour} {result}", game.opponent_of(seat) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mawe_play::events::{Bye, Entry, Format, PairedGame, Start, Terms};
    use mawe_wire::TimeControl;
    use mawe_wire::ids::PlayerId;

    fn event() -> Event {
        let terms = Terms {
            format: Format::Swiss { rounds: 3 },
            time_control: TimeControl::Correspondence { days: 2 },
            start: Start::At { at_ms: 1 },
            max_players: 9,
            fill_to: None,
        };
        let joined = || Entry::Joined {
            player: PlayerId::random(),
            rating: 1_500.0,
            bot: false,
            group: None,
        };
        let entries = [
            joined(),
            joined(),
            joined(),
            Entry::Began {
                order: Vec::new(),
                top: None,
            },
            Entry::Paired {
                round: 1,
                games: vec![PairedGame {
                    number: 1,
                    first: 1,
                    second: 0,
                    time_control: None,
                }],
                byes: vec![Bye {
                    seat: 2,
                    points: Points::ONE,
                }],
            },
            Entry::Ended {
                game: 1,
                result: EventGameResult::First,
                forfeit: false,
            },
        ];
        Event::replay(terms, entries.iter().map(|entry| (1, entry))).expect("a journal")
    }

    #[test]
    fn a_line_has_the_columns_of_the_form() {
        let event = event();
        let names = ["Asha", "Bahati", "Chiku"].map(str::to_owned);
        let names: HashMap<Seat, String> = (0..).zip(names).collect();
        let text = report("Friday", &event, &event.standings(), &names);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "012 Friday");
        let asha = lines[4];
        // The form counts columns from 1.
        let columns = |from: usize, to: usize| asha[from - 1..to].trim();
        assert_eq!(columns(1, 3), "001");
        assert_eq!(columns(5, 8), "1");
        assert_eq!(columns(15, 47), "Asha");
        assert_eq!(columns(49, 52), "1500");
        assert_eq!(columns(81, 84), "0.0");
        assert_eq!(columns(92, 99), "2 b 0");
        assert!(lines[5].ends_with("   1 w 1"));
        assert!(lines[6].ends_with("0000 - U"));
    }
}
