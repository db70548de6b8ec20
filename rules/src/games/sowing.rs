//! The common parts of the sowing games: seeds in lanes, houses as moves, text (RULES.md section 4).
//!
//! A board is kept from the view of the side to move, so that each game needs one direction only.
//! For either side, its own houses are the lanes 0 to N-1, and house 1 is lane 0.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::error::{PlayError, PositionError, PositionFault, SetupError};
use crate::setup;
use crate::vocab::{BySide, Side};

/// The most seeds that a position may hold in all: every number of seeds then fits a lane, and a
/// score fits its type.
pub const MAX_SEEDS: u16 = u16::MAX;

/// The number of lanes of both halves.
const LANES: usize = 16;
/// The number of lanes of one half: up to seven houses, then the store.
pub(super) const HALF: usize = 8;

/// A number of seeds for each lane.
pub(super) type Seeds = [u16; LANES];

/// The houses and stores of both sides: the mover's half, then the opponent's, each with `N` houses
/// and then the store. The other lanes of a half are always 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board<const N: usize> {
    lanes: Seeds,
}

impl<const N: usize> Board<N> {
    /// The lane of the mover's store.
    pub(super) const STORE: usize = N;

    /// The board with the same number of seeds in every house and empty stores.
    pub(super) fn filled(seeds: u16) -> Self {
        let mut lanes = [0; LANES];
        for house in 0..N {
            lanes[house] = seeds;
            lanes[HALF + house] = seeds;
        }
        Self { lanes }
    }

    /// The board with these houses and stores; `None` if they hold more than [`MAX_SEEDS`].
    pub(super) fn new(mover: ([u16; N], u16), opponent: ([u16; N], u16)) -> Option<Self> {
        let mut lanes = [0; LANES];
        for (half, (houses, store)) in [(0, mover), (HALF, opponent)] {
            lanes[half..half + N].copy_from_slice(&houses);
            lanes[half + N] = store;
        }
        let all = lanes
            .iter()
            .try_fold(0_u16, |all, seeds| all.checked_add(*seeds));
        all.is_some().then_some(Self { lanes })
    }

    /// The lane of the house opposite a house, for houses of either side.
    #[inline(always)]
    pub(super) const fn facing(lane: usize) -> usize {
        HALF + N - 1 - lane
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> u16 {
        self.lanes[lane % LANES]
    }

    /// Adds seeds to one lane. The sum cannot wrap around, because no board holds more than
    /// [`MAX_SEEDS`].
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, seeds: u16) {
        let lane = &mut self.lanes[lane % LANES];
        *lane = lane.wrapping_add(seeds);
    }

    /// Empties a lane and returns its seeds.
    #[inline(always)]
    pub(super) fn take(&mut self, lane: usize) -> u16 {
        std::mem::take(&mut self.lanes[lane % LANES])
    }

    /// Adds `times` the given seeds to the lanes.
    #[inline(always)]
    pub(super) fn spread(&mut self, seeds: &Seeds, times: u16) {
        for (lane, seeds) in self.lanes.iter_mut().zip(seeds) {
            *lane = lane.wrapping_add(seeds.wrapping_mul(times));
        }
    }

    /// The board from the view of the other side.
    #[inline(always)]
    pub(super) fn turned(&self) -> Self {
        let lanes = std::array::from_fn(|lane| self.lanes[(lane + HALF) % LANES]);
        Self { lanes }
    }

    /// The number of the mover's houses that hold seeds.
    #[inline(always)]
    pub(super) fn count_houses(&self) -> usize {
        let houses = self.lanes[..N].iter();
        usize::from(houses.map(|seeds| u16::from(*seeds != 0)).sum::<u16>())
    }

    #[inline(always)]
    pub(super) fn is_mover_empty(&self) -> bool {
        self.lanes[..N].iter().fold(0, |all, seeds| all | seeds) == 0
    }

    #[inline(always)]
    pub(super) fn is_opponent_empty(&self) -> bool {
        let row = &self.lanes[HALF..HALF + N];
        row.iter().fold(0, |all, seeds| all | seeds) == 0
    }

    /// The seeds in the mover's houses.
    pub(super) fn mover_row(&self) -> u16 {
        self.lanes[..N].iter().sum()
    }

    /// The seeds in the opponent's houses.
    pub(super) fn opponent_row(&self) -> u16 {
        self.lanes[HALF..HALF + N].iter().sum()
    }

    pub(super) fn mover_store(&self) -> u16 {
        self.lanes[N]
    }

    pub(super) fn opponent_store(&self) -> u16 {
        self.lanes[HALF + N]
    }

    /// Moves the seeds of each row to the store of its side.
    pub(super) fn sweep(&mut self) {
        self.lanes[N] += self.mover_row();
        self.lanes[HALF + N] += self.opponent_row();
        self.lanes[..N].fill(0);
        self.lanes[HALF..HALF + N].fill(0);
    }

    /// A hash of all lanes and of a few `rest` bits. It is not incremental: a whole board is only
    /// four words.
    ///
    /// Source of the mixing: Wang Yi's wyhash (public domain), a product of two words folded.
    #[inline]
    pub(super) fn hash(&self, rest: u64) -> u64 {
        let word = |i: usize| {
            let lanes = &self.lanes[4 * i..4 * i + 4];
            lanes
                .iter()
                .rev()
                .fold(0, |word, seeds| word << 16 | u64::from(*seeds))
        };
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        const KEYS: [u64; 5] = crate::zobrist::keys(0x736f_7769_6e67_0001);
        let mover = fold(word(0) ^ KEYS[0], word(1) ^ KEYS[1]);
        let opponent = fold(word(2) ^ KEYS[2], word(3) ^ KEYS[3]);
        fold(mover ^ rest, opponent.rotate_left(32) ^ KEYS[4])
    }
}

/// One seed for each of the first 0, 1, 2 ... lanes after each lane of a cycle: `[from][seeds]`,
/// both counted along the cycle.
pub(super) const fn spreads<const FROM: usize, const SEEDS: usize>(
    cycle: &[usize],
) -> [[Seeds; SEEDS]; FROM] {
    let mut table = [[[0; LANES]; SEEDS]; FROM];
    let mut from = 0;
    while from < FROM {
        let mut seeds = 1;
        while seeds < SEEDS {
            table[from][seeds] = table[from][seeds - 1];
            table[from][seeds][cycle[(from + seeds) % cycle.len()]] += 1;
            seeds += 1;
        }
        from += 1;
    }
    table
}

/// Assigns the values of the mover and the opponent to their sides.
pub(super) fn by_side<T>(turn: Side, mover: T, opponent: T) -> BySide<T> {
    match turn {
        Side::First => BySide::new(mover, opponent),
        Side::Second => BySide::new(opponent, mover),
    }
}

/// Writes `s1,...,sn,STORE/n1,...,nn,STORE side` for a board from the view of the side to move.
/// `burnt` has a bit for each lane that is written `x`.
pub(super) fn write<const N: usize>(board: &Board<N>, burnt: u16, turn: Side) -> String {
    let (board, burnt) = match turn {
        Side::First => (*board, burnt),
        Side::Second => (board.turned(), burnt.rotate_left(HALF as u32)),
    };
    let mut text = String::with_capacity(64);
    for half in [0, HALF] {
        for lane in half..=half + N {
            match burnt >> lane & 1 {
                0 => write!(text, "{}", board.lanes[lane]).expect("a String takes every text"),
                _ => text.push('x'),
            }
            text.push(match lane {
                lane if lane < half + N => ',',
                lane if lane == N => '/',
                _ => ' ',
            });
        }
    }
    text.push(match turn {
        Side::First => 's',
        Side::Second => 'n',
    });
    text
}

/// The houses of a row that may be left out of play, written `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeftOut {
    /// None.
    Nowhere,
    /// The lowest ones: a side fills its houses beginning next to the store (RULES.md section 7.1).
    FromLowest,
    /// The highest ones: a side fills its houses beginning with the first (RULES-pallanguzhi.md section 5).
    FromHighest,
}

/// The content of a position string up to and including the side.
pub(super) struct Read<const N: usize> {
    /// The seeds, from the view of the side to move.
    pub(super) board: Board<N>,
    /// The burnt houses from the view of the side to move, a bit a lane.
    pub(super) burnt: u16,
    pub(super) turn: Side,
}

/// The text and the offset of the reader.
pub(super) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// The sum of the seeds read so far.
    total: u16,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            total: 0,
        }
    }

    /// Reads two rows and the side to move. The symbol `x` for a house out of play is valid only where
    /// `left_out` allows it, and never for a whole row: a side has the seeds for at least one house.
    pub(super) fn position<const N: usize>(
        &mut self,
        left_out: LeftOut,
    ) -> Result<Read<N>, PositionError> {
        let mut board = Board { lanes: [0; LANES] };
        let mut burnt = 0;
        for half in [0, HALF] {
            for lane in half..half + N {
                let is_left_out = left_out != LeftOut::Nowhere && self.peek() == Some(b'x');
                if is_left_out {
                    let below = (1 << lane) - (1 << half);
                    if left_out == LeftOut::FromLowest
                        && (burnt & below != below || lane == half + N - 1)
                    {
                        return Err(self.fault(PositionFault::MisplacedBurntHouse));
                    }
                    if left_out == LeftOut::FromHighest && lane == half {
                        return Err(self.fault(PositionFault::MisplacedRubbishHole));
                    }
                    self.at += 1;
                    burnt |= 1 << lane;
                } else if left_out == LeftOut::FromHighest && burnt >> half != 0 {
                    return Err(self.fault(PositionFault::MisplacedRubbishHole));
                } else {
                    board.lanes[lane] = self.number()?;
                }
                self.exactly(b',')?;
            }
            board.lanes[half + N] = self.number()?;
            self.exactly(if half == 0 { b'/' } else { b' ' })?;
        }
        let turn = self.side()?;
        Ok(match turn {
            Side::First => Read { board, burnt, turn },
            Side::Second => Read {
                board: board.turned(),
                burnt: burnt.rotate_left(HALF as u32),
                turn,
            },
        })
    }

    /// Reads the next character if it is one of `symbols`.
    pub(super) fn one_of(&mut self, symbols: &[u8]) -> Option<u8> {
        let next = self.peek().filter(|next| symbols.contains(next))?;
        self.at += 1;
        Some(next)
    }

    /// Checks that the text ends here.
    pub(super) fn end(&self) -> Result<(), PositionError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault(PositionFault::TrailingText)),
        }
    }

    /// The offset of the next character in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn fault(&self, why: PositionFault) -> PositionError {
        PositionError { at: self.at, why }
    }

    /// Reads a decimal number without leading zeros.
    pub(super) fn number(&mut self) -> Result<u16, PositionError> {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let digits = &rest[..length];
        match digits {
            [] if rest.is_empty() => return Err(self.fault(PositionFault::EndsEarly)),
            [] => return Err(self.fault(PositionFault::UnexpectedSymbol)),
            [b'0', _, ..] => return Err(self.fault(PositionFault::LeadingZero)),
            _ => (),
        }
        let number = digits.iter().try_fold(0_u16, |number, digit| {
            number
                .checked_mul(10)?
                .checked_add(u16::from(*digit - b'0'))
        });
        let total = number.and_then(|number| self.total.checked_add(number));
        let (Some(number), Some(total)) = (number, total) else {
            return Err(self.fault(PositionFault::TooManySeeds));
        };
        self.total = total;
        self.at += length;
        Ok(number)
    }

    /// Reads the separator between two numbers, or after the last number of a row.
    pub(super) fn exactly(&mut self, symbol: u8) -> Result<(), PositionError> {
        let why = match (self.peek(), symbol) {
            (Some(next), _) if next == symbol => {
                self.at += 1;
                return Ok(());
            }
            (None, _) => PositionFault::EndsEarly,
            (Some(b'/' | b' '), b',') => PositionFault::RowTooShort,
            (Some(b','), _) => PositionFault::RowTooLong,
            (Some(_), _) => PositionFault::UnexpectedSymbol,
        };
        Err(self.fault(why))
    }

    /// Reads the side to move.
    pub(super) fn side(&mut self) -> Result<Side, PositionError> {
        let side = match self.peek() {
            Some(b's') => Side::First,
            Some(b'n') => Side::Second,
            Some(_) => return Err(self.fault(PositionFault::UnknownSide)),
            None => return Err(self.fault(PositionFault::EndsEarly)),
        };
        self.at += 1;
        Ok(side)
    }
}

/// The lane of the mover's house that `text` means, or the reason why it means none.
///
/// Besides moves it accepts the other places that a person may point at: a house of either side
/// (`s3`, `n3`), a `store`, and the `pass`, which these games do not have.
pub(super) fn attempted_house(text: &str, houses: usize, turn: Side) -> Result<usize, PlayError> {
    match text {
        "pass" => return Err(PlayError::NoPassInThisGame),
        "store" => return Err(PlayError::StoreIsNotPlayed),
        _ => (),
    }
    let (side, number) = match text.as_bytes() {
        [b's', ..] => (Some(Side::First), &text[1..]),
        [b'n', ..] => (Some(Side::Second), &text[1..]),
        _ => (None, text),
    };
    let digits = number.as_bytes();
    let is_number = digits == b"0"
        || !digits.is_empty() && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit);
    if !is_number {
        return Err(PlayError::MalformedMove);
    }
    let house = match number.parse() {
        Ok(house @ 1_usize..) if house <= houses => house,
        Ok(_) | Err(_) => return Err(PlayError::NoSuchHouse),
    };
    match side {
        Some(side) if side != turn => Err(PlayError::NotYourHouse),
        Some(_) | None => Ok(house - 1),
    }
}

/// The seeds in each house at the start, 3 to 6 (RULES.md sections 5 and 6); the standard game has
/// 4. Its text form is `seeds=N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedsSetup {
    seeds: u8,
}

impl SeedsSetup {
    const STANDARD: u8 = 4;

    /// The setup with this number of seeds in each house.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] for fewer than 3 or more than 6.
    pub const fn new(seeds: u8) -> Result<Self, SetupError> {
        match seeds {
            3..=6 => Ok(Self { seeds }),
            _ => Err(SetupError::BadValue),
        }
    }

    /// The seeds in each house.
    pub const fn seeds(self) -> u8 {
        self.seeds
    }

    /// Reads the value of the option `seeds`.
    pub(super) fn parse_seeds(value: &str) -> Result<Self, SetupError> {
        match value.as_bytes() {
            [digit @ b'0'..=b'9'] => Self::new(*digit - b'0'),
            _ => Err(SetupError::BadValue),
        }
    }
}

impl Default for SeedsSetup {
    fn default() -> Self {
        Self {
            seeds: Self::STANDARD,
        }
    }
}

impl fmt::Display for SeedsSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seeds {
            Self::STANDARD => Ok(()),
            seeds => write!(f, "seeds={seeds}"),
        }
    }
}

impl FromStr for SeedsSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut setup = Self::default();
        for (key, value) in setup::pairs(text)? {
            setup = match key {
                "seeds" => Self::parse_seeds(value)?,
                _ => return Err(SetupError::UnknownOption),
            };
        }
        Ok(setup)
    }
}

/// Defines the move type of a game: the number of an own house. Each game has a type of its own.
macro_rules! house_move {
    ($(#[$doc:meta])* $name:ident, $houses:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(u8);

        impl $name {
            /// The move of a house, counted from 1; `None` if there is no such house.
            pub const fn new(house: u8) -> Option<Self> {
                match house {
                    1..=$houses => Some(Self(house - 1)),
                    _ => None,
                }
            }

            /// The house, counted from 1.
            pub const fn house(self) -> u8 {
                self.0 + 1
            }

            /// The lane of the house.
            #[inline(always)]
            fn lane(self) -> usize {
                usize::from(self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.house().fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::error::MoveParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let house = match text.as_bytes() {
                    [digit @ b'1'..=b'9'] => Self::new(*digit - b'0'),
                    _ => None,
                };
                house.ok_or(crate::error::MoveParseError)
            }
        }
    };
}
pub(super) use house_move;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_and_where() {
        let cases = [
            ("", 0, PositionFault::EndsEarly),
            ("1,2,3/4,5,6", 11, PositionFault::EndsEarly),
            ("1,2,3/4,5,6 ", 12, PositionFault::EndsEarly),
            ("1,2,3/4,5,6 w", 12, PositionFault::UnknownSide),
            ("1,2,3/4,5,6 sn", 13, PositionFault::TrailingText),
            ("1,2/4,5,6 s", 3, PositionFault::RowTooShort),
            ("1,2,3/4,5 s", 9, PositionFault::RowTooShort),
            ("1,2,3,4/4,5,6 s", 5, PositionFault::RowTooLong),
            ("1,2,3/4,5,6,7 s", 11, PositionFault::RowTooLong),
            ("1,2,03/4,5,6 s", 4, PositionFault::LeadingZero),
            ("1,-2,3/4,5,6 s", 2, PositionFault::UnexpectedSymbol),
            ("1,x,3/4,5,6 s", 2, PositionFault::UnexpectedSymbol),
            ("1,,3/4,5,6 s", 2, PositionFault::UnexpectedSymbol),
            ("1,2,3\\4,5,6 s", 5, PositionFault::UnexpectedSymbol),
            ("1,2,65533/0,0,0 s", 4, PositionFault::TooManySeeds),
            ("1,99999999999999999999,3/", 2, PositionFault::TooManySeeds),
        ];
        for (text, at, why) in cases {
            let mut reader = Reader::new(text);
            let refused = reader
                .position::<2>(LeftOut::Nowhere)
                .and_then(|_| reader.end());
            assert_eq!(refused, Err(PositionError { at, why }), "{text:?}");
        }
        let mut reader = Reader::new("x,1,65534/0,0,0 n");
        let read = reader
            .position::<2>(LeftOut::FromLowest)
            .expect("a position");
        assert_eq!((read.turn, read.burnt), (Side::Second, 1 << HALF));
        assert_eq!(read.board.opponent_store(), 65_534);
    }

    #[test]
    fn only_the_lowest_houses_of_a_row_can_be_burnt() {
        for (text, burnt) in [
            ("x,x,1,0/1,1,1,0 s", 0b0000_0000_0011),
            ("1,1,1,0/x,x,1,0 s", 0b0011_0000_0000),
            ("x,0,0,0/x,0,0,0 s", 0b0001_0000_0001),
        ] {
            let read = Reader::new(text)
                .position::<3>(LeftOut::FromLowest)
                .expect("a position");
            assert_eq!(read.burnt, burnt, "{text:?}");
        }
        for (text, at) in [
            ("1,x,1,0/1,1,1,0 s", 2),
            ("x,1,x,0/1,1,1,0 s", 4),
            ("0,0,x,0/1,1,1,0 s", 4),
            ("x,x,x,0/1,1,1,0 s", 4),
            ("x,1,1,0/1,x,1,0 s", 10),
            ("x,x,1,0/1,1,x,0 n", 12),
            ("1,1,1,0/x,x,x,0 n", 12),
        ] {
            let why = PositionFault::MisplacedBurntHouse;
            let refused = Reader::new(text).position::<3>(LeftOut::FromLowest).err();
            assert_eq!(refused, Some(PositionError { at, why }), "{text:?}");
        }
    }

    #[test]
    fn seeds_are_three_to_six() {
        for (text, printed) in [("", ""), ("seeds=4", ""), ("seeds=3", "seeds=3")] {
            let setup: SeedsSetup = text.parse().expect("a setup");
            assert_eq!(setup.to_string(), printed);
        }
        for (text, error) in [
            ("seeds=2", SetupError::BadValue),
            ("seeds=7", SetupError::BadValue),
            ("seeds=04", SetupError::BadValue),
            ("seeds=x", SetupError::BadValue),
            ("seeds", SetupError::Malformed),
            ("seeds=3,seeds=3", SetupError::RepeatedOption),
            ("form=limited", SetupError::UnknownOption),
        ] {
            assert_eq!(text.parse::<SeedsSetup>(), Err(error), "{text:?}");
        }
    }

    #[test]
    fn whatever_a_person_points_at_is_understood() {
        let cases = [
            ("1", Ok(0)),
            ("6", Ok(5)),
            ("s2", Ok(1)),
            ("n2", Err(PlayError::NotYourHouse)),
            ("n7", Err(PlayError::NoSuchHouse)),
            ("0", Err(PlayError::NoSuchHouse)),
            ("7", Err(PlayError::NoSuchHouse)),
            ("99999999999999999999999", Err(PlayError::NoSuchHouse)),
            ("pass", Err(PlayError::NoPassInThisGame)),
            ("store", Err(PlayError::StoreIsNotPlayed)),
            ("", Err(PlayError::MalformedMove)),
            ("s", Err(PlayError::MalformedMove)),
            ("01", Err(PlayError::MalformedMove)),
            ("-1", Err(PlayError::MalformedMove)),
            ("é", Err(PlayError::MalformedMove)),
        ];
        for (text, expected) in cases {
            assert_eq!(attempted_house(text, 6, Side::First), expected, "{text:?}");
        }
    }
}
