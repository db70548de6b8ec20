//! A file for each way in which games look; the one place of the server that tells the games apart.

mod bao;
mod draughts;
mod grid;
mod mawe;
mod reversi;
mod sowing;

use draughts::Pieces;
use mawe_rules::{AnyPosition, Family, GameKind, Side};
use sowing::{Houses, Seeds};

use crate::pictures::canvas::{Area, Canvas, Drawing};
use crate::pictures::colours;
use crate::pictures::last_move::LastMove;

/// Draws a position as a card. The move is marked; a move of another game is not.
pub(crate) fn drawing(position: &AnyPosition, last: Option<LastMove>) -> Drawing {
    drawn(Canvas::of_card(), position, last)
}

/// Draws the board of a position alone.
pub(crate) fn board(position: &AnyPosition, last: Option<LastMove>) -> Drawing {
    drawn(Canvas::of_board(area(position.kind())), position, last)
}

/// Returns the width and the height of the board of a game, in units.
pub(crate) fn shape(game: GameKind) -> (u32, u32) {
    let Area { width, height, .. } = area(game);
    (width, height)
}

fn area(game: GameKind) -> Area {
    match game.family() {
        Family::Mawe | Family::Reversi | Family::Checkers | Family::Draughts => grid::AREA,
        Family::Kalah | Family::Oware | Family::Congkak | Family::Pallanguzhi => sowing::AREA,
        Family::Bao => bao::AREA,
    }
}

fn drawn(mut canvas: Canvas, position: &AnyPosition, last: Option<LastMove>) -> Drawing {
    let played = last.map(|last| last.played);
    match position {
        AnyPosition::Mawe(position) => mawe::draw(&mut canvas, position, played),
        AnyPosition::Reversi(position) => reversi::draw(&mut canvas, position, played),
        AnyPosition::Checkers(position) => {
            draughts::draw(&mut canvas, &Pieces::of(position), played);
        }
        AnyPosition::Drafti(position) => {
            draughts::draw(&mut canvas, &Pieces::of(position), played);
        }
        AnyPosition::Brazilian(position) => {
            draughts::draw(&mut canvas, &Pieces::of(position), played);
        }
        AnyPosition::Russian(position) => {
            draughts::draw(&mut canvas, &Pieces::of(position), played);
        }
        AnyPosition::International(position) => {
            draughts::draw(&mut canvas, &Pieces::of(position), played);
        }
        AnyPosition::Pool(position) => {
            draughts::draw(&mut canvas, &Pieces::of(position), played);
        }
        AnyPosition::Kalah(position) => {
            let houses = Houses {
                rows: [Side::First, Side::Second]
                    .map(|side| position.houses(side).map(Some).to_vec()),
                stores: position.stores(),
                is_clockwise: false,
                last,
            };
            sowing::draw(&mut canvas, &houses, &colours::KALAH, Seeds::Round);
        }
        AnyPosition::Oware(position) => {
            let houses = Houses {
                rows: [Side::First, Side::Second]
                    .map(|side| position.houses(side).map(Some).to_vec()),
                stores: position.stores(),
                is_clockwise: false,
                last,
            };
            sowing::draw(&mut canvas, &houses, &colours::OWARE, Seeds::Round);
        }
        AnyPosition::Congkak(position) => {
            let houses = Houses {
                rows: [Side::First, Side::Second].map(|side| position.houses(side).to_vec()),
                stores: position.stores(),
                is_clockwise: true,
                last,
            };
            sowing::draw(&mut canvas, &houses, &colours::CONGKAK, Seeds::Cowries);
        }
        AnyPosition::Pallanguzhi(position) => {
            let houses = Houses {
                rows: [Side::First, Side::Second].map(|side| position.houses(side).to_vec()),
                stores: position.stores(),
                is_clockwise: false,
                last,
            };
            sowing::draw(&mut canvas, &houses, &colours::PALLANGUZHI, Seeds::Round);
        }
        AnyPosition::Bao(position) => bao::draw(&mut canvas, position, last),
    }
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use mawe_rules::AnySetup;

    use super::*;
    use crate::pictures::sample;

    /// The numbers of the pieces in a drawing, by their kind.
    fn count(drawing: &Drawing, kind: &str) -> usize {
        drawing
            .as_str()
            .matches(&format!("<use href=\"#{kind}"))
            .count()
    }

    /// The numbers of pieces by kind, from the text of a position.
    fn expected(position: &AnyPosition) -> Vec<(&'static str, usize)> {
        let text = position.to_string();
        let board = text.split(' ').next().unwrap_or_default();
        let letters = |wanted: char| board.matches(wanted).count();
        match position {
            AnyPosition::Mawe(_) => vec![
                ("stone-light", letters('W')),
                ("stone-dark", letters('B')),
                ("pinned-light", letters('w')),
                ("pinned-dark", letters('b')),
            ],
            AnyPosition::Reversi(_) => {
                vec![("disc-dark", letters('X')), ("disc-light", letters('O'))]
            }
            AnyPosition::Checkers(_)
            | AnyPosition::Drafti(_)
            | AnyPosition::Brazilian(_)
            | AnyPosition::Russian(_)
            | AnyPosition::International(_)
            | AnyPosition::Pool(_) => {
                let (white, black) = board[2..].split_once(":B").expect("two lists");
                let pieces = |list: &str| {
                    let list = list
                        .trim_start_matches('W')
                        .split(',')
                        .filter(|one| !one.is_empty());
                    let (kings, men): (Vec<&str>, Vec<&str>) =
                        list.partition(|one| one.starts_with('K'));
                    (men.len(), kings.len())
                };
                let ((white, white_kings), (black, black_kings)) = (pieces(white), pieces(black));
                vec![
                    ("man-light", white),
                    ("king-light", white_kings),
                    ("man-dark", black),
                    ("king-dark", black_kings),
                ]
            }
            AnyPosition::Kalah(_)
            | AnyPosition::Oware(_)
            | AnyPosition::Congkak(_)
            | AnyPosition::Bao(_)
            | AnyPosition::Pallanguzhi(_) => {
                let piles = board
                    .split(['/', ',', 'h', 't'])
                    .filter_map(|one| one.parse::<usize>().ok());
                vec![("seed", piles.sum())]
            }
        }
    }

    #[test]
    fn a_drawing_has_every_piece_of_its_position() {
        for game in GameKind::ALL {
            let setup = AnySetup::standard(*game);
            let start = AnyPosition::start(*game, &setup).expect("it is standard");
            for (position, last) in [(start, None), sample(*game)] {
                let drawing = drawing(&position, last);
                let expected = expected(&position);
                assert!(expected.iter().map(|(_, number)| number).sum::<usize>() > 3);
                for (kind, number) in expected {
                    assert_eq!(count(&drawing, kind), number, "{game} {kind}: {position}");
                }
                let marks = drawing.as_str().matches("class=\"last\"").count();
                assert_eq!(marks > 0, last.is_some(), "{game}");
            }
        }
    }

    #[test]
    fn pinned_stones_kings_and_burnt_houses_look_different() {
        for (game, text, kind) in [
            (
                GameKind::Mawe,
                "8/8/5W2/4b3/8/8/8/8 b",
                "<use href=\"#pinned-dark",
            ),
            (
                GameKind::Checkers,
                "B:WK3,21:B1,K29",
                "<use href=\"#king-dark",
            ),
            (
                GameKind::Congkak,
                "7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n",
                "class=\"burnt\"",
            ),
        ] {
            let position = AnyPosition::parse(game, text).expect("a position");
            assert!(drawing(&position, None).as_str().contains(kind), "{game}");
        }
    }
}
