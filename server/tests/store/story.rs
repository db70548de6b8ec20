//! Helpers of the store's tests: players, matches, appends.

use std::sync::Arc;

use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{Append, Appended, NewMatch, NewPlayer, Player, Store};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{MatchOptions, PlayerKind, Speed, TimeControl};

pub(super) const BLITZ: TimeControl = TimeControl::Realtime {
    base_ms: 300_000,
    increment_ms: 3_000,
};

pub(super) async fn append(store: &Arc<dyn Store>, append: Append) -> Appended {
    store.append(&[append]).await.unwrap()[0]
}

pub(super) fn one(id: &MatchId, head: u64, epoch: u64) -> Append {
    many(id, head, epoch, 1)
}

pub(super) fn many(id: &MatchId, head: u64, epoch: u64, entries: u64) -> Append {
    let entry = |seq: u64| StoredEntry {
        seq,
        epoch,
        kind: "move".into(),
        payload: format!(r#"{{"text":"a1'\"; \\ ż മ","ply":{seq}}}"#),
        client_id: seq.is_multiple_of(2).then(|| format!("first:{seq}")),
        at_ms: 1_700_000_000_000 + seq as i64,
    };
    let entries = (head + 1..=head + entries).map(entry).collect();
    Append {
        match_id: id.clone(),
        head,
        epoch,
        entries,
        finish: None,
        due_ms: None,
    }
}

pub(super) fn named(id: &MatchId, head: u64, client_id: &str) -> Append {
    let mut append = one(id, head, 0);
    append.entries[0].client_id = Some(client_id.to_owned());
    append
}

pub(super) fn finishing(id: &MatchId, head: u64, winner: Option<Side>) -> Append {
    let finish = Finish {
        winner,
        reason: "no-moves".into(),
        score: Some(BySide::new(3, 2)),
        at_ms: 2_000,
        plies: 41,
        uncounted: true,
        left_by: None,
    };
    Append {
        finish: Some(finish),
        ..one(id, head, 0)
    }
}

pub(super) async fn a_match(store: &Arc<dyn Store>) -> MatchId {
    matches(store, 1).await.remove(0)
}

pub(super) async fn matches(store: &Arc<dyn Store>, number: usize) -> Vec<MatchId> {
    let (first, second) = (a_player(store).await, a_player(store).await);
    let mut ids = Vec::new();
    for _ in 0..number {
        let new = new_match(&first, &second);
        store.create_match(&new).await.unwrap();
        ids.push(new.id);
    }
    ids
}

pub(super) fn new_match(first: &Player, second: &Player) -> NewMatch {
    NewMatch {
        id: MatchId::random(),
        game: GameKind::Mawe,
        setup: String::new(),
        rated: true,
        time_control: BLITZ,
        speed: Speed::Blitz,
        extra_ms: BySide::new(0, 60_000),
        options: MatchOptions {
            berserk: true,
            takebacks: true,
            give_time: false,
            free_takebacks: false,
            phrases: true,
        },
        private: false,
        players: BySide::new(first.id.clone(), second.id.clone()),
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: 1_000,
    }
}

pub(super) async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    store
        .create_player(&with_password(&player), None)
        .await
        .unwrap();
    player
}

pub(super) fn named_player(name: &str, kind: PlayerKind) -> Player {
    Player {
        id: PlayerId::random(),
        name: name.to_owned(),
        kind,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 7,
    }
}

pub(super) fn with_password(player: &Player) -> NewPlayer {
    NewPlayer {
        player: player.clone(),
        password_hash: Some("$argon2id$x".to_owned()),
    }
}
