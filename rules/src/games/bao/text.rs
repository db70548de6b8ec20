//! The position string (RULES-bao.md section 12).

use std::fmt::{self, Write};
use std::str::FromStr;

use super::board::{Board, Half};
use super::position::BaoPosition;
use super::ring::Pit;
use crate::error::{PositionError, PositionFault};
use crate::games::sowing::Reader;
use crate::vocab::{BySide, Side};

/// The most seeds of a position.
const MAX_SEEDS: u16 = 64;

/// The most seeds of a store.
const MAX_STORE: u16 = 22;

/// The mark after an owned house.
const OWNED: u8 = b'h';

/// The mark after a takasia-ed pit.
const TAKASIA: u8 = b't';

impl fmt::Display for BaoPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(80);
        for side in Side::ALL {
            let marked = self.takasia().filter(|_| side == self.turn);
            write_half(&mut text, self.half(side), marked)?;
            text.push(match side {
                Side::First => '/',
                Side::Second => ' ',
            });
        }
        text.push(match self.turn {
            Side::First => 's',
            Side::Second => 'n',
        });
        f.pad(&text)
    }
}

fn write_half(text: &mut String, half: &Half, marked: Option<Pit>) -> fmt::Result {
    for pit in Pit::ALL {
        write!(text, "{}", half.get(pit))?;
        if pit == Pit::HOUSE && half.owns_house {
            text.push(char::from(OWNED));
        }
        if marked == Some(pit) {
            text.push(char::from(TAKASIA));
        }
        text.push(',');
    }
    write!(text, "{}", half.store)
}

impl FromStr for BaoPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut read = Read::new(text);
        let halves = BySide {
            first: read.half(Side::First)?,
            second: read.half(Side::Second)?,
        };
        let side_at = read.reader.at();
        let turn = read.reader.side()?;
        read.reader.end()?;
        let board = Board {
            mover: halves[turn],
            opponent: halves[turn.other()],
            takasia: read.takasia_of(turn, &halves)?,
        };
        match stores_fit(&board, turn) {
            true => Ok(Self { board, turn }),
            false => Err(PositionError {
                at: side_at,
                why: PositionFault::UnfitStores,
            }),
        }
    }
}

/// Whether the stores can be those of a game, in which the sides bring in seeds by turns.
fn stores_fit(board: &Board, turn: Side) -> bool {
    let (mover, opponent) = (board.mover.store, board.opponent.store);
    match turn {
        Side::First => mover == opponent,
        Side::Second => mover == opponent + 1 || board.has_empty_stores(),
    }
}

/// A position string that is being read.
struct Read<'a> {
    reader: Reader<'a>,
    /// The seeds read so far.
    total: u16,
    takasia: Option<Mark>,
}

/// A mark of takasia, whose side to move is not known when it is read.
struct Mark {
    /// The offset in the text.
    at: usize,
    side: Side,
    pit: Pit,
}

impl<'a> Read<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            reader: Reader::new(text),
            total: 0,
            takasia: None,
        }
    }

    /// Reads the pits and the store of a side, and the separator after them.
    fn half(&mut self, side: Side) -> Result<Half, PositionError> {
        let mut half = Half::default();
        for pit in Pit::ALL {
            let seeds = self.seeds(MAX_SEEDS)?;
            half.ring.put(pit, seeds);
            self.marks(side, pit, &mut half)?;
            self.reader.exactly(b',')?;
        }
        half.store = self.seeds(MAX_STORE)?;
        self.reader.exactly(match side {
            Side::First => b'/',
            Side::Second => b' ',
        })?;
        Ok(half)
    }

    /// Reads a number of seeds, at most `most`.
    fn seeds(&mut self, most: u16) -> Result<u8, PositionError> {
        let at = self.reader.at();
        let seeds = self.reader.number()?;
        // The reader has refused a sum that does not fit its type.
        self.total += seeds;
        match u8::try_from(seeds) {
            Ok(few) if seeds <= most && self.total <= MAX_SEEDS => Ok(few),
            Ok(_) | Err(_) => Err(PositionError {
                at,
                why: PositionFault::TooManySeeds,
            }),
        }
    }

    /// Reads the mark after a pit, if there is one.
    fn marks(&mut self, side: Side, pit: Pit, half: &mut Half) -> Result<(), PositionError> {
        let at = self.reader.at();
        let is_filled = half.get(pit) != 0;
        match self.reader.one_of(&[OWNED, TAKASIA]) {
            None => Ok(()),
            Some(OWNED) if pit == Pit::HOUSE && is_filled => {
                half.owns_house = true;
                Ok(())
            }
            Some(TAKASIA) if pit.is_front() && is_filled && self.takasia.is_none() => {
                self.takasia = Some(Mark { at, side, pit });
                Ok(())
            }
            Some(mark) => Err(PositionError {
                at,
                why: match mark {
                    OWNED => PositionFault::MisplacedHouseMark,
                    _ => PositionFault::MisplacedTakasiaMark,
                },
            }),
        }
    }

    /// The takasia-ed pit, which has to be one of the side to move, with both stores empty.
    fn takasia_of(&self, turn: Side, halves: &BySide<Half>) -> Result<Option<Pit>, PositionError> {
        let has_seeds_in_hand = halves.iter().any(|(_, half)| half.store != 0);
        match &self.takasia {
            Some(mark) if mark.side != turn || has_seeds_in_hand => Err(PositionError {
                at: mark.at,
                why: PositionFault::MisplacedTakasiaMark,
            }),
            mark => Ok(mark.as_ref().map(|mark| mark.pit)),
        }
    }
}
