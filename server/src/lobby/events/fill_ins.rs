//! Fill-ins: the computer opponents of the server, where an event wants some of them.

use mawe_store::{Player, StoreError};
use mawe_wire::ids::PlayerId;

use crate::bots::ladder;
use crate::lobby::event_states::Snapshot;
use crate::lobby::pools::Lobby;

impl Lobby {
    /// Returns the computer opponents who are not in an event that wants some, with their ratings: the nearest to the level of its terms
    /// first.
    pub(super) async fn fill_ins(
        &self,
        snapshot: &Snapshot,
        now_ms: i64,
    ) -> Result<Vec<(PlayerId, f64)>, StoreError> {
        let event = &snapshot.event;
        let wanted = event.wanted_fill_ins(now_ms) as usize;
        let terms = &snapshot.row.terms;
        let Some(fill_ins) = terms.fill_ins.filter(|_| wanted > 0) else {
            return Ok(Vec::new());
        };
        let mut bots: Vec<&Player> = self
            .bots
            .iter()
            .filter(|bot| event.seat_of(&bot.id).is_none())
            .collect();
        bots.sort_by_key(|bot| bot.level.map(|level| level.abs_diff(fill_ins.level)));
        bots.truncate(wanted);
        let speed = terms.time_control.speed();
        let mut rated = Vec::with_capacity(bots.len());
        for bot in bots {
            let known = self.store.rating(&bot.id, terms.game, speed).await?;
            let seeded = || ladder::rating(bot.level.unwrap_or(1), terms.game);
            rated.push((
                bot.id.clone(),
                known.map_or_else(seeded, |row| row.rating.rating),
            ));
        }
        Ok(rated)
    }
}
