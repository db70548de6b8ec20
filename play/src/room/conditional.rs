//! Conditional moves: lines of moves that a player has chosen in advance, in a match by the day.
//!
//! A line goes on from the position in which it was stored, in the turn of the opponent: "if you play A, I play B; if you then play C, I
//! play D". The lines are no part of the match: a line is compared with the game, and its next move becomes a command of the player. So it
//! does not matter how often they are compared, nor when.

use mawe_rules::{PlayError, Side};
use mawe_wire::TimeControl;

use crate::room::state::RoomState;

/// The most lines of a side in one match.
pub const MAX_LINES: usize = 20;

/// The most plies of one line, with the passes that the server plays.
pub const MAX_PLIES: usize = 30;

/// The longest text of a move: the longest capture of any game is shorter.
pub const MAX_MOVE: usize = 80;

/// The conditional moves of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionalMoves {
    /// The number of plies before the first of each line.
    pub ply: u32,
    /// The head of the journal up to which the lines were compared with the game.
    pub seq: u64,
    /// The lines, as the rules write moves, with the forced passes.
    pub lines: Vec<Vec<String>>,
}

/// The reason why lines are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// The match is not by the day, or one player has both seats.
    #[error("conditional moves are for matches by the day, between two players")]
    NotByTheDay,
    /// The side itself is to move.
    #[error("it is your turn: conditional moves are for the opponent's turn")]
    YourTurn,
    /// There are more lines than [`MAX_LINES`].
    #[error("give at most {MAX_LINES} lines; there are {0}")]
    TooMany(usize),
    /// A line has no ply, or more than [`MAX_PLIES`].
    #[error("line {} has {plies} plies; give 2 to {MAX_PLIES}", .line + 1)]
    Length {
        /// The line, from 0.
        line: usize,
        /// The number of its plies.
        plies: usize,
    },
    /// The rules refuse a ply.
    #[error("line {}, ply {}: {error}", .line + 1, .ply + 1)]
    Illegal {
        /// The line, from 0.
        line: usize,
        /// The ply in the line, from 0.
        ply: usize,
        /// The reason.
        error: PlayError,
    },
    /// The last ply of a line is the opponent's.
    #[error("line {}: end it with a move of yours", .line + 1)]
    NoAnswer {
        /// The line, from 0.
        line: usize,
    },
    /// Two lines have different answers to the same moves.
    #[error("line {}, ply {}: line {} answers the same moves with another", .line + 1, .ply + 1, .other + 1)]
    TwoAnswers {
        /// The line, from 0.
        line: usize,
        /// The ply in the line, from 0.
        ply: usize,
        /// The earlier line, from 0.
        other: usize,
    },
}

impl ConditionalMoves {
    /// Returns the conditional moves of a side from the present position, if every line is legal, ends with a move of the side, and no two
    /// contradict each other. A line that is the beginning of another is left out. A forced pass may be left out of a line.
    ///
    /// # Errors
    /// [`Fault`], with the line and the ply.
    pub fn new(
        state: &RoomState,
        side: Side,
        lines: &[Vec<String>],
    ) -> Result<ConditionalMoves, Fault> {
        let setup = state.setup();
        if !matches!(setup.time_control, TimeControl::Correspondence { .. }) || setup.one_player {
            return Err(Fault::NotByTheDay);
        }
        if state.result().is_some() {
            return Err(Fault::MatchOver);
        }
        if state.record().turn() == side {
            return Err(Fault::YourTurn);
        }
        if lines.len() > MAX_LINES {
            return Err(Fault::TooMany(lines.len()));
        }
        let mut whole: Vec<Vec<(Side, String)>> = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            whole.push(replayed(state, side, at, line)?);
        }
        for (line, plies) in whole.iter().enumerate() {
            for (other, earlier) in whole[..line].iter().enumerate() {
                let together = plies.iter().zip(earlier);
                let parts = together.take_while(|(a, b)| a == b).count();
                let (mine, theirs) = (plies.get(parts), earlier.get(parts));
                if mine.is_some() && theirs.is_some() && mine.is_some_and(|ply| ply.0 == side) {
                    let ply = parts;
                    return Err(Fault::TwoAnswers { line, ply, other });
                }
            }
        }
        let texts = |line: Vec<(Side, String)>| line.into_iter().map(|ply| ply.1).collect();
        let texts: Vec<Vec<String>> = whole.into_iter().map(texts).collect();
        let is_part = |at: usize| {
            let of = |(other, line): (usize, &Vec<String>)| {
                line.starts_with(&texts[at]) && (line.len() > texts[at].len() || other < at)
            };
            texts.iter().enumerate().any(of)
        };
        let kept = (0..texts.len()).filter(|at| !is_part(*at));
        Ok(ConditionalMoves {
            ply: state.record().ply(),
            seq: state.head(),
            lines: kept.map(|at| texts[at].clone()).collect(),
        })
    }

    /// Returns the rest of the lines that the game has followed so far: each without the played plies.
    #[must_use]
    pub fn remaining(&self, state: &RoomState) -> Vec<Vec<String>> {
        let moves = state.record().moves();
        let (ply, seq) = (self.ply as usize, self.seq);
        if state.result().is_some() || state.taken_back_at > seq || moves.len() < ply {
            return Vec::new();
        }
        let played: Vec<String> = moves[ply..].iter().map(ToString::to_string).collect();
        let rest = |line: &Vec<String>| Some(line.strip_prefix(&played[..])?.to_vec());
        let rest = self.lines.iter().filter_map(rest);
        rest.filter(|line| !line.is_empty()).collect()
    }

    /// Returns the move with which the side answers now, if the game has followed a line up to it. An offer of a draw is for the player to
    /// answer first, since a move declines it.
    #[must_use]
    pub fn answer(&self, state: &RoomState, side: Side) -> Option<String> {
        let is_asked = state.draw.by == Some(side.other());
        if state.record().turn() != side || is_asked {
            return None;
        }
        let mut rest = self.remaining(state).into_iter();
        rest.next()?.into_iter().next()
    }
}

/// Plays a line from the present position; returns its plies with their sides.
fn replayed(
    state: &RoomState,
    side: Side,
    at: usize,
    line: &[String],
) -> Result<Vec<(Side, String)>, Fault> {
    let length = |plies| Fault::Length { line: at, plies };
    if !(1..=MAX_PLIES).contains(&line.len()) {
        return Err(length(line.len()));
    }
    let mut record = state.record().clone();
    let mut plies = Vec::with_capacity(line.len());
    for (ply, text) in line.iter().enumerate() {
        if let Some(pass) = record.forced_pass().map(|pass| pass.to_string())
            && pass != *text
        {
            plies.push((record.turn(), pass.clone()));
            record.play(&pass).expect("a forced pass is legal");
        }
        let illegal = |error| Fault::Illegal {
            line: at,
            ply,
            error,
        };
        if text.len() > MAX_MOVE {
            return Err(illegal(PlayError::MalformedMove));
        }
        let turn = record.turn();
        let played = record.play(text).map_err(illegal)?;
        plies.push((turn, played.to_string()));
    }
    if plies.len() > MAX_PLIES {
        return Err(length(plies.len()));
    }
    match plies.last() {
        Some((last, _)) if *last == side => Ok(plies),
        _ => Err(Fault::NoAnswer { line: at }),
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::{BySide, GameKind};
    use mawe_wire::{Command, MatchOptions};

    use super::*;
    use crate::room::io::{Input, MatchSetup, Now};

    const DAYS: TimeControl = TimeControl::Correspondence { days: 3 };

    fn now() -> Now {
        Now {
            mono: 1_000,
            unix_ms: 1_000,
            up_since_ms: 0,
        }
    }

    fn room(game: GameKind, time_control: TimeControl) -> RoomState {
        let setup = MatchSetup {
            id: "abcdefghijkl".parse().expect("an id"),
            game,
            setup: String::new(),
            rated: false,
            time_control,
            extra_ms: BySide::default(),
            options: MatchOptions::usual(false),
            one_player: false,
            created_ms: 0,
            bots: BySide::default(),
        };
        RoomState::new(setup, 1).expect("a standard setup")
    }

    fn give(state: &mut RoomState, side: Side, command: Command) {
        let input = Input::Command {
            side,
            client_id: format!("c{}", state.head()).parse().expect("an id"),
            seq: state.head(),
            command,
            lag_ms: 0,
        };
        let effects = state.handle(now(), input);
        assert!(effects.append.is_some(), "{effects:?}");
        state.handle(now(), Input::Durable);
    }

    fn play(state: &mut RoomState, text: &str) {
        let (side, ply) = (state.record().turn(), state.record().ply());
        give(
            state,
            side,
            Command::Move {
                ply,
                text: text.to_owned(),
            },
        );
    }

    fn lines(lines: &[&str]) -> Vec<Vec<String>> {
        let words = |line: &&str| line.split_whitespace().map(str::to_owned).collect();
        lines.iter().map(words).collect()
    }

    #[test]
    fn a_line_answers_the_moves_that_follow_it_and_falls_away_at_another() {
        let mut state = room(GameKind::Checkers, DAYS);
        let wish = lines(&["11-15 22-18 15x22 25x18", "9-13 22-18"]);
        let kept = ConditionalMoves::new(&state, Side::Second, &wish).expect("legal lines");
        assert_eq!(kept.answer(&state, Side::Second), None);
        assert_eq!(kept.remaining(&state), wish);
        play(&mut state, "11-15");
        assert_eq!(kept.answer(&state, Side::Second).as_deref(), Some("22-18"));
        assert_eq!(kept.answer(&state, Side::First), None);
        play(&mut state, "22-18");
        assert_eq!(kept.remaining(&state), lines(&["15x22 25x18"]));
        play(&mut state, "15x22");
        let mut other = state.clone();
        assert_eq!(kept.answer(&state, Side::Second).as_deref(), Some("25x18"));
        play(&mut state, "25x18");
        assert!(kept.remaining(&state).is_empty());
        play(&mut other, "26x17");
        assert!(kept.remaining(&other).is_empty(), "another move was played");
    }

    #[test]
    fn lines_end_with_a_takeback_and_with_the_match() {
        let mut state = room(GameKind::Checkers, DAYS);
        play(&mut state, "11-15");
        play(&mut state, "22-18");
        let wish = lines(&["15x22 25x18"]);
        let kept = ConditionalMoves::new(&state, Side::Second, &wish).expect("a legal line");
        let mut over = state.clone();
        give(&mut over, Side::First, Command::Resign);
        assert!(kept.remaining(&over).is_empty());
        give(&mut state, Side::Second, Command::OfferTakeback);
        assert_eq!(kept.remaining(&state), wish, "a request takes nothing back");
        give(&mut state, Side::First, Command::AcceptTakeback);
        play(&mut state, "22-18");
        assert!(kept.remaining(&state).is_empty());
    }

    #[test]
    fn an_offered_draw_is_answered_before_a_line_goes_on() {
        let mut state = room(GameKind::Checkers, DAYS);
        let wish = lines(&["11-15 22-18"]);
        let kept = ConditionalMoves::new(&state, Side::Second, &wish).expect("a legal line");
        give(&mut state, Side::First, Command::OfferDraw);
        play(&mut state, "11-15");
        assert_eq!(kept.answer(&state, Side::Second), None);
        give(&mut state, Side::Second, Command::DeclineDraw);
        assert_eq!(kept.answer(&state, Side::Second).as_deref(), Some("22-18"));
    }

    #[test]
    fn a_refusal_names_the_line_and_the_ply() {
        let state = room(GameKind::Checkers, DAYS);
        let fault = |wish: &[&str]| {
            ConditionalMoves::new(&state, Side::Second, &lines(wish)).expect_err("a fault")
        };
        let told = |wish: &[&str]| fault(wish).to_string();
        assert!(matches!(
            fault(&["11-15 22-18", "11-15 22-18 15x22 26-22"]),
            Fault::Illegal {
                line: 1,
                ply: 3,
                ..
            }
        ));
        assert!(told(&["11-15 22-18 15x22"]).contains("line 1: end it with a move of yours"));
        assert!(told(&[""]).contains("line 1 has 0 plies"));
        let two = told(&["11-15 22-18", "9-13 22-18", "11-15 22-17"]);
        assert!(two.contains("line 3, ply 2: line 1 answers"), "{two}");
        let many = vec!["11-15 22-18"; MAX_LINES + 1];
        assert_eq!(fault(&many), Fault::TooMany(MAX_LINES + 1));
        let long = "x".repeat(20_000);
        assert!(matches!(fault(&[&long]), Fault::Illegal { .. }));
        let endless = "11-15 ".repeat(MAX_PLIES + 1);
        assert!(matches!(fault(&[&endless]), Fault::Length { .. }));
    }

    #[test]
    fn the_same_line_twice_and_the_beginning_of_another_are_kept_once() {
        let state = room(GameKind::Checkers, DAYS);
        let wish = ["11-15 22-18", "11-15 22-18 15x22 25x18", "11-15 22-18"];
        let kept = ConditionalMoves::new(&state, Side::Second, &lines(&wish)).expect("legal");
        assert_eq!(kept.lines, lines(&[wish[1]]));
    }

    #[test]
    fn only_a_match_by_the_day_has_them_and_only_in_the_opponent_s_turn() {
        let wish = lines(&["11-15 22-18"]);
        let unlimited = room(GameKind::Checkers, TimeControl::Unlimited);
        let refused = ConditionalMoves::new(&unlimited, Side::Second, &wish);
        assert_eq!(refused, Err(Fault::NotByTheDay));
        let mut state = room(GameKind::Checkers, DAYS);
        let refused = ConditionalMoves::new(&state, Side::First, &wish);
        assert_eq!(refused, Err(Fault::YourTurn));
        give(&mut state, Side::Second, Command::Resign);
        let refused = ConditionalMoves::new(&state, Side::Second, &wish);
        assert_eq!(refused, Err(Fault::MatchOver));
    }

    #[test]
    fn a_forced_pass_need_not_be_named() {
        // Random games until one side has to pass; the line around the pass is then given without it.
        let mut seed = 1_u64;
        for _ in 0..400 {
            let mut state = room(GameKind::Reversi, DAYS);
            while state.result().is_none() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let legal = state.record().legal_moves();
                let text = legal[(seed >> 33) as usize % legal.len()].clone();
                let mover = state.record().turn();
                let mut next = state.record().clone();
                next.play(&text).expect("it is legal");
                if next.forced_pass().is_some() && next.turn() == mover.other() {
                    // The mover moves again after the pass, so the other side has no answer, and the mover's line goes over it.
                    let mut after = next.clone();
                    after
                        .play(&next.forced_pass().expect("a pass").to_string())
                        .expect("legal");
                    let again = after.legal_moves()[0].clone();
                    let given = vec![vec![text.clone(), again]];
                    let refused = ConditionalMoves::new(&state, mover.other(), &given);
                    assert_eq!(refused, Err(Fault::NoAnswer { line: 0 }));
                    return;
                }
                play(&mut state, &text);
            }
        }
        panic!("no game had a pass");
    }
}
