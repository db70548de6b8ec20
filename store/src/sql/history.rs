//! Pages of a player's match history, with filters.

use sqlx::QueryBuilder;

use super::backend::{Db, called_off_in_sql, select_matches};
use crate::rows::Stored;
use crate::{MatchCursor, MatchFilter, Score};

/// Builds the query for a page: one part per seat, each walking along the index of that seat from the newest match. The index covers all
/// filtered columns, so skipping a match does not read its row. A match of one player at both seats is in the first part only.
pub(super) fn page(
    filter: &MatchFilter,
    cursor: Option<&MatchCursor>,
    limit: u32,
) -> QueryBuilder<Db> {
    let mut query = QueryBuilder::new(select_matches!("JOIN (SELECT * FROM ("));
    arm(&mut query, filter, cursor, limit, ["first", "second"]);
    query.push(") AS at_first UNION ALL SELECT * FROM (");
    arm(&mut query, filter, cursor, limit, ["second", "first"]);
    query.push(
        ") AS at_second) AS page ON page.id = m.id ORDER BY m.created_ms DESC, m.id DESC LIMIT ",
    );
    query.push_bind(i64::from(limit));
    query
}

/// Adds the query for the ids of a page of matches in which the player had the seat `mine`.
fn arm(
    query: &mut QueryBuilder<Db>,
    filter: &MatchFilter,
    cursor: Option<&MatchCursor>,
    limit: u32,
    [mine, other]: [&'static str; 2],
) {
    let player = filter.player.as_str().to_owned();
    query.push(format_args!("SELECT id FROM matches WHERE {mine}_id = "));
    query.push_bind(player.clone());
    if mine == "second" {
        query.push(" AND first_id <> second_id");
    }
    if let Some(cursor) = cursor {
        query.push(" AND (created_ms, id) < (");
        query.push_bind(cursor.created_ms);
        query.push(", ");
        query.push_bind(cursor.id.as_str().to_owned());
        query.push(")");
    }
    if let Some(since_ms) = filter.since_ms {
        query.push(" AND created_ms >= ");
        query.push_bind(since_ms);
    }
    if let Some(until_ms) = filter.until_ms {
        query.push(" AND created_ms < ");
        query.push_bind(until_ms);
    }
    if let Some(game) = filter.game {
        query.push(" AND game = ");
        query.push_bind(game.text());
    }
    if let Some(speed) = filter.speed {
        query.push(" AND speed = ");
        query.push_bind(speed.text());
    }
    if let Some(rated) = filter.rated {
        query.push(if rated {
            " AND rated"
        } else {
            " AND NOT rated"
        });
    }
    if let Some(opponent) = &filter.opponent {
        query.push(format_args!(" AND {other}_id = "));
        query.push_bind(opponent.as_str().to_owned());
    }
    // A match of one player at both seats has no result for the player, nor has a match that was called off.
    match filter.score {
        None => {}
        Some(Score::Won) => {
            query.push(format_args!(
                " AND winner = '{mine}' AND first_id <> second_id"
            ));
        }
        Some(Score::Lost) => {
            query.push(format_args!(
                " AND winner = '{other}' AND first_id <> second_id"
            ));
        }
        Some(Score::Drawn) => {
            query.push(format_args!(
                " AND winner IS NULL AND reason NOT IN ({}) AND first_id <> second_id",
                called_off_in_sql()
            ));
        }
    }
    if filter.finished {
        query.push(" AND reason IS NOT NULL");
    }
    // A private match is visible only to its players.
    match &filter.viewer {
        Some(viewer) if *viewer == filter.player => {}
        Some(viewer) => {
            query.push(format_args!(" AND (NOT private OR {other}_id = "));
            query.push_bind(viewer.as_str().to_owned());
            query.push(")");
        }
        None => {
            query.push(" AND NOT private");
        }
    }
    query.push(" ORDER BY created_ms DESC, id DESC LIMIT ");
    query.push_bind(i64::from(limit));
}

#[cfg(test)]
pub(crate) mod tests {
    use mawe_rules::GameKind;
    use mawe_wire::Speed;
    use mawe_wire::ids::{MatchId, PlayerId};
    use sqlx::Execute;

    use super::*;

    /// Returns the queries for every combination of filters, with a cursor and without.
    #[allow(dead_code, reason = "Postgres plans by what is in its tables")]
    pub(crate) fn every_query() -> Vec<String> {
        let player = PlayerId::random();
        let cursor = MatchCursor {
            created_ms: 5,
            id: MatchId::random(),
        };
        let scores = [
            None,
            Some(Score::Won),
            Some(Score::Drawn),
            Some(Score::Lost),
        ];
        let viewers = [None, Some(player.clone()), Some(PlayerId::random())];
        let mut queries = Vec::new();
        for bits in 0..256_u32 {
            let is = |bit: u32| bits & (1 << bit) != 0;
            for score in scores {
                for viewer in &viewers {
                    let filter = MatchFilter {
                        viewer: viewer.clone(),
                        game: is(0).then_some(GameKind::ALL[0]),
                        opponent: is(1).then(PlayerId::random),
                        rated: is(2).then_some(true),
                        speed: is(3).then_some(Speed::Blitz),
                        since_ms: is(4).then_some(1),
                        until_ms: is(5).then_some(9),
                        finished: is(6),
                        score,
                        ..MatchFilter::of(player.clone())
                    };
                    let mut query = page(&filter, is(7).then_some(&cursor), 20);
                    queries.push(query.build().sql().as_str().to_owned());
                }
            }
        }
        queries
    }
}
