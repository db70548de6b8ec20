//! Rows of club matches.

use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::club_matches::{ClubGameSkipped, ClubGameState, ClubMatchState, ClubSide};
use mawe_wire::clubs::Joining;
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, number, stored};
use super::matches::TimeColumns;
use super::players::PlayerRecord;
use crate::{
    ByClub, ClubBoardRow, ClubGameKey, ClubGameMatch, ClubGameResult, ClubGameRow, ClubMatchClub,
    ClubMatchPlayer, ClubMatchRow, ClubScore, OpenClub, ReadyClubGame, StoreError,
};

stored! {
    ClubMatchState "state of a club match",
    ClubGameState "state of a game of a club match",
    ClubGameSkipped "reason to skip a game of a club match",
}

/// A club match joined to its clubs, as far as they exist, with its results.
#[derive(FromRow)]
pub(crate) struct ClubMatchRecord {
    id: String,
    hidden: bool,
    game: String,
    #[sqlx(flatten)]
    time: TimeColumns,
    rated: bool,
    boards: i64,
    games: i64,
    state: String,
    start_ms: i64,
    created_ms: i64,
    finished_ms: Option<i64>,
    home_name: String,
    home_id: Option<String>,
    home_handle: Option<String>,
    home_joining: Option<String>,
    away_name: String,
    away_id: Option<String>,
    away_handle: Option<String>,
    away_joining: Option<String>,
    home_won: i64,
    away_won: i64,
    drawn: i64,
}

fn club(
    name: String,
    stored: (Option<String>, Option<String>, Option<String>),
) -> Result<ClubMatchClub, StoreError> {
    let open = match stored {
        (Some(club), Some(handle), Some(joining)) => Some(OpenClub {
            id: id("club id", club)?,
            handle,
            joining: Joining::from_text(&joining)?,
        }),
        _ => None,
    };
    Ok(ClubMatchClub { name, open })
}

impl TryFrom<ClubMatchRecord> for ClubMatchRow {
    type Error = StoreError;

    fn try_from(row: ClubMatchRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("club match id", row.id)?,
            clubs: ByClub {
                home: club(
                    row.home_name,
                    (row.home_id, row.home_handle, row.home_joining),
                )?,
                away: club(
                    row.away_name,
                    (row.away_id, row.away_handle, row.away_joining),
                )?,
            },
            hidden: row.hidden,
            game: GameKind::from_text(&row.game)?,
            time_control: row.time.try_into()?,
            rated: row.rated,
            boards: number("number of boards", row.boards)?,
            games: number("number of games", row.games)?,
            state: ClubMatchState::from_text(&row.state)?,
            start_ms: row.start_ms,
            created_ms: row.created_ms,
            finished_ms: row.finished_ms,
            score: ClubScore {
                won: ByClub {
                    home: number("number of wins", row.home_won)?,
                    away: number("number of wins", row.away_won)?,
                },
                drawn: number("number of draws", row.drawn)?,
            },
        })
    }
}

/// An entrant.
#[derive(FromRow)]
pub(crate) struct ClubMatchPlayerRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    since_ms: i64,
}

impl TryFrom<ClubMatchPlayerRecord> for ClubMatchPlayer {
    type Error = StoreError;

    fn try_from(row: ClubMatchPlayerRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: row.player.try_into()?,
            since_ms: row.since_ms,
        })
    }
}

/// Two players of a row.
#[derive(FromRow)]
pub(crate) struct PairRecord {
    home_player_id: String,
    home_player_name: String,
    home_kind: String,
    home_level: Option<i64>,
    home_display_name: Option<String>,
    home_avatar: Option<String>,
    home_flag: Option<String>,
    home_created_ms: i64,
    away_player_id: String,
    away_player_name: String,
    away_kind: String,
    away_level: Option<i64>,
    away_display_name: Option<String>,
    away_avatar: Option<String>,
    away_flag: Option<String>,
    away_created_ms: i64,
}

impl PairRecord {
    fn players(self) -> Result<ByClub<crate::Player>, StoreError> {
        let home = PlayerRecord {
            id: self.home_player_id,
            name: self.home_player_name,
            kind: self.home_kind,
            level: self.home_level,
            display_name: self.home_display_name,
            avatar: self.home_avatar,
            flag: self.home_flag,
            player_created_ms: self.home_created_ms,
        };
        let away = PlayerRecord {
            id: self.away_player_id,
            name: self.away_player_name,
            kind: self.away_kind,
            level: self.away_level,
            display_name: self.away_display_name,
            avatar: self.away_avatar,
            flag: self.away_flag,
            player_created_ms: self.away_created_ms,
        };
        Ok(ByClub {
            home: home.try_into()?,
            away: away.try_into()?,
        })
    }
}

/// A board, without its games.
#[derive(FromRow)]
pub(crate) struct ClubBoardRecord {
    number: i64,
    #[sqlx(flatten)]
    players: PairRecord,
    home_rating: Option<f64>,
    away_rating: Option<f64>,
}

impl TryFrom<ClubBoardRecord> for ClubBoardRow {
    type Error = StoreError;

    fn try_from(row: ClubBoardRecord) -> Result<Self, StoreError> {
        Ok(Self {
            number: number("number of a board", row.number)?,
            players: row.players.players()?,
            ratings: ByClub {
                home: row.home_rating,
                away: row.away_rating,
            },
            games: Vec::new(),
        })
    }
}

/// A game, joined to its match if there is one.
#[derive(FromRow)]
pub(crate) struct ClubGameRecord {
    board: i64,
    home_side: String,
    state: String,
    skipped: Option<String>,
    match_id: Option<String>,
    private: Option<bool>,
    finished_ms: Option<i64>,
    winner: Option<String>,
    counts: Option<bool>,
}

impl ClubGameRecord {
    /// Returns the number of its board, and the game.
    pub(crate) fn into_game(self) -> Result<(u32, ClubGameRow), StoreError> {
        let home_side = Side::from_text(&self.home_side)?;
        let winner = self.winner.as_deref().map(Side::from_text).transpose()?;
        let result = self.finished_ms.map(|_| match winner {
            _ if self.counts != Some(true) => ClubGameResult::CalledOff,
            None => ClubGameResult::Drawn,
            Some(winner) if winner == home_side => ClubGameResult::Won(ClubSide::Home),
            Some(_) => ClubGameResult::Won(ClubSide::Away),
        });
        let played = match self.match_id {
            Some(played) => Some(ClubGameMatch {
                id: id("match id", played)?,
                private: self.private.unwrap_or(true),
                result,
            }),
            None => None,
        };
        let game = ClubGameRow {
            state: ClubGameState::from_text(&self.state)?,
            home_side,
            skipped: self
                .skipped
                .as_deref()
                .map(ClubGameSkipped::from_text)
                .transpose()?,
            played,
        };
        Ok((number("number of a board", self.board)?, game))
    }
}

/// The place of a game.
#[derive(FromRow)]
pub(crate) struct ClubGameKeyRecord {
    club_match_id: String,
    board: i64,
    game_number: i64,
}

impl TryFrom<ClubGameKeyRecord> for ClubGameKey {
    type Error = StoreError;

    fn try_from(row: ClubGameKeyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            club_match: id("club match id", row.club_match_id)?,
            board: number("number of a board", row.board)?,
            game: number("number of a game", row.game_number)?,
        })
    }
}

/// A game that is to begin.
#[derive(FromRow)]
pub(crate) struct ReadyClubGameRecord {
    #[sqlx(flatten)]
    key: ClubGameKeyRecord,
    home_side: String,
    game: String,
    #[sqlx(flatten)]
    time: TimeColumns,
    rated: bool,
    #[sqlx(flatten)]
    players: PairRecord,
}

impl TryFrom<ReadyClubGameRecord> for ReadyClubGame {
    type Error = StoreError;

    fn try_from(row: ReadyClubGameRecord) -> Result<Self, StoreError> {
        let players = row.players.players()?;
        if players.home.id == players.away.id {
            return Err(damaged("board", "a player plays at both sides"));
        }
        let players = match Side::from_text(&row.home_side)? {
            Side::First => BySide::new(players.home, players.away),
            Side::Second => BySide::new(players.away, players.home),
        };
        Ok(Self {
            key: row.key.try_into()?,
            players,
            game: GameKind::from_text(&row.game)?,
            time_control: row.time.try_into()?,
            rated: row.rated,
        })
    }
}
