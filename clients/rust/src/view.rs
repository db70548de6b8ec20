//! Questions to the types that bots ask at each turn.

use std::time::Duration;

use crate::seats::Seats;
use crate::types::{Event, EventMsg, MatchView, SeatView, Side, TimeControl};

impl Side {
    /// The opponent's side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl<T> Seats<T> {
    /// The value of a side.
    #[must_use]
    pub fn of(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl MatchView {
    /// The moves so far, without those that were taken back.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| &*ply.text)
    }

    /// The seat of the player with a name, who is shown as on this server: in their own letters.
    #[must_use]
    pub fn seat_of(&self, name: &str) -> Option<Side> {
        let named = |seat: &SeatView| seat.player.name == name;
        [Side::First, Side::Second]
            .into_iter()
            .find(|side| named(self.seats.of(*side)))
    }

    /// The time left to a side at the last event; `None` without a clock.
    #[must_use]
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let ms = match side {
            Side::First => self.state.clock.first_ms,
            Side::Second => self.state.clock.second_ms,
        };
        (self.time_control != TimeControl::Unlimited).then(|| Duration::from_millis(ms))
    }

    pub(crate) fn apply(&mut self, message: &EventMsg) {
        self.state = message.state.clone();
        self.seq = message.seq;
        match &message.event {
            Event::Move(ply) => self.plies.push(ply.clone()),
            Event::Takeback { plies, .. } => {
                let left = self.plies.len().saturating_sub(*plies as usize);
                self.plies.truncate(left);
            }
            _ => {}
        }
    }
}

impl Event {
    /// The side that caused the event; `None` for the server.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        // Every event names it in the same place, also those of a later server.
        let event = serde_json::to_value(self).ok()?;
        serde_json::from_value(event.get("side")?.clone()).ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn side(event: serde_json::Value) -> Option<Side> {
        serde_json::from_value::<Event>(event)
            .expect("any object is one")
            .side()
    }

    #[test]
    fn every_event_names_its_side_also_one_of_a_later_server() {
        assert_eq!(
            side(json!({ "kind": "resign", "side": "second" })),
            Some(Side::Second)
        );
        assert_eq!(side(json!({ "kind": "abort", "side": null })), None);
        assert_eq!(
            side(json!({ "kind": "sneeze", "side": "first" })),
            Some(Side::First)
        );
        assert_eq!(side(json!({ "kind": "sneeze" })), None);
        let ply = json!({ "kind": "move", "side": "first", "move": "a", "position": "p", "clock_ms": 1, "spent_ms": 1, "lag_ms": 0 });
        assert_eq!(side(ply), Some(Side::First));
    }
}
