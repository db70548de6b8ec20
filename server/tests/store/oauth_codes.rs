//! Authorization codes: each is exchanged once, by its own client, within its time, and within bounds.

use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, MAX_OAUTH_CODES, NewSession, NewToken, OAUTH_CODE_MS, OauthCode,
    OauthRedemption, Player, Redeemed, Stale, Store,
};
use mawe_wire::PlayerKind;
use mawe_wire::ids::{PlayerId, TokenHash, TokenId};
use mawe_wire::scope::Scope;

use super::story::{named_player, with_password};
use crate::common::place::Place;

/// The most tokens of a player.
const TOKENS: u32 = 3;

/// The time at which codes are created.
const AT: i64 = 1_000;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_code_is_exchanged_once_and_its_replay_revokes_the_token(open().await).await;
    a_code_is_for_its_client_alone(open().await).await;
    a_code_expires(open().await).await;
    of_concurrent_exchanges_none_leaves_a_token(open().await).await;
    without_room_for_a_token_a_code_stays_valid(open().await).await;
    old_codes_give_way_and_upkeep_deletes_expired_ones(open().await).await;
    codes_end_with_the_sessions_of_their_player(open().await).await;
    a_token_is_revoked_by_its_hash(open().await).await;
}

async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

/// A code, known by a number.
fn code(player: &Player, number: u8, at_ms: i64) -> OauthCode {
    OauthCode {
        hash: [number; 32],
        player: player.id.clone(),
        client_id: "a-board".to_owned(),
        redirect_uri: "https://app.example/done".to_owned(),
        challenge: [7; 32],
        scopes: [Scope::Read, Scope::Play].into_iter().collect(),
        created_ms: at_ms,
    }
}

/// The exchange of that code.
fn redemption(number: u8, now_ms: i64) -> OauthRedemption {
    OauthRedemption {
        hash: [number; 32],
        client_id: "a-board".to_owned(),
        redirect_uri: "https://app.example/done".to_owned(),
        challenge: [7; 32],
        token: TokenId::random(),
        token_hash: token_hash(number),
        token_name: "app.example".to_owned(),
        now_ms,
        expires_ms: now_ms + 1_000_000_000,
    }
}

fn token_hash(number: u8) -> TokenHash {
    [number ^ 0x80; 32]
}

async fn create(store: &Arc<dyn Store>, code: &OauthCode) -> bool {
    store.create_oauth_code(code, TOKENS).await.unwrap()
}

async fn redeem(store: &Arc<dyn Store>, redemption: &OauthRedemption) -> Redeemed {
    store.redeem_oauth_code(redemption, TOKENS).await.unwrap()
}

async fn a_code_is_exchanged_once_and_its_replay_revokes_the_token(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let made = code(&player, 1, AT);
    assert!(create(&store, &made).await);
    assert_eq!(redeem(&store, &redemption(2, AT)).await, Redeemed::Unknown);
    let first = redemption(1, AT + 1);
    assert_eq!(redeem(&store, &first).await, Redeemed::Token(made.scopes));
    let tokens = store.tokens_of(&player.id, AT + 2).await.unwrap();
    let [token] = tokens.as_slice() else {
        panic!("{tokens:?}");
    };
    assert_eq!(token.id, first.token);
    assert_eq!(token.name, "app.example");
    assert_eq!(token.scopes, made.scopes);
    assert_eq!(
        (token.created_ms, token.expires_ms),
        (AT + 1, first.expires_ms)
    );
    let holder = store.token(&token_hash(1), AT + 2).await.unwrap();
    assert_eq!(holder.expect("the token").player.id, player.id);
    // The second use may come from anybody, and after the code has expired: either one of the two was not the client.
    let stolen = OauthRedemption {
        token_hash: [9; 32],
        challenge: [0; 32],
        ..redemption(1, AT + OAUTH_CODE_MS)
    };
    let revoked = Redeemed::UsedBefore(Some(token_hash(1)));
    assert_eq!(redeem(&store, &stolen).await, revoked);
    assert_eq!(store.token(&token_hash(1), AT + 2).await.unwrap(), None);
    assert_eq!(store.token(&[9; 32], AT + 2).await.unwrap(), None);
    assert_eq!(redeem(&store, &stolen).await, Redeemed::UsedBefore(None));
}

async fn a_code_is_for_its_client_alone(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let wrong: [fn(&mut OauthRedemption); 3] = [
        |other| other.client_id = "another".to_owned(),
        |other| other.redirect_uri = "https://app.example/".to_owned(),
        |other| other.challenge = [8; 32],
    ];
    for (number, change) in (1..).zip(wrong) {
        assert!(create(&store, &code(&player, number, AT)).await);
        let mut other = redemption(number, AT);
        change(&mut other);
        assert_eq!(redeem(&store, &other).await, Redeemed::Mismatch);
        // It was presented, and is used up.
        let again = redeem(&store, &redemption(number, AT)).await;
        assert_eq!(again, Redeemed::UsedBefore(None));
    }
    assert_eq!(store.tokens_of(&player.id, AT).await.unwrap(), []);
}

async fn a_code_expires(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    for number in [1, 2] {
        assert!(create(&store, &code(&player, number, AT)).await);
    }
    let last = redemption(1, AT + OAUTH_CODE_MS - 1);
    assert!(matches!(redeem(&store, &last).await, Redeemed::Token(_)));
    let late = redemption(2, AT + OAUTH_CODE_MS);
    assert_eq!(redeem(&store, &late).await, Redeemed::Unknown);
}

async fn of_concurrent_exchanges_none_leaves_a_token(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    assert!(create(&store, &code(&player, 1, AT)).await);
    let mut exchanges = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = Arc::clone(&store);
        exchanges.spawn(async move {
            let one = OauthRedemption {
                token_hash: [100 + number; 32],
                ..redemption(1, AT)
            };
            redeem(&store, &one).await
        });
    }
    let results = exchanges.join_all().await;
    let count = |wanted: fn(&Redeemed) -> bool| results.iter().filter(|one| wanted(one)).count();
    assert_eq!(
        count(|one| matches!(one, Redeemed::Token(_))),
        1,
        "{results:?}"
    );
    let revoked = count(|one| matches!(one, Redeemed::UsedBefore(Some(_))));
    assert_eq!(revoked, 1, "{results:?}");
    assert_eq!(store.tokens_of(&player.id, AT).await.unwrap(), []);
}

async fn without_room_for_a_token_a_code_stays_valid(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    assert!(create(&store, &code(&player, 1, AT)).await);
    let mut ids = Vec::new();
    for number in 0..u8::try_from(TOKENS).unwrap() {
        let new = NewToken {
            id: TokenId::random(),
            hash: [50 + number; 32],
            player: player.id.clone(),
            name: "by hand".to_owned(),
            scopes: [Scope::Read].into_iter().collect(),
            created_ms: AT,
            // The first expires before the others.
            expires_ms: AT + 100 + i64::from(number),
        };
        assert!(store.create_token(&new, TOKENS).await.unwrap());
        ids.push(new.id);
    }
    assert!(!create(&store, &code(&player, 2, AT)).await);
    assert_eq!(redeem(&store, &redemption(2, AT)).await, Redeemed::Unknown);
    for _ in 0..2 {
        let full = redeem(&store, &redemption(1, AT)).await;
        assert_eq!(full, Redeemed::TooManyTokens);
    }
    // One that has expired takes no room.
    assert!(create(&store, &code(&player, 2, AT + 100)).await);
    let redeemed = redeem(&store, &redemption(1, AT + 100)).await;
    assert!(matches!(redeemed, Redeemed::Token(_)), "{redeemed:?}");
    let full = redeem(&store, &redemption(2, AT + 100)).await;
    assert_eq!(full, Redeemed::TooManyTokens);
    let revoked = store.delete_token(&player.id, &ids[1]).await.unwrap();
    assert!(revoked.is_some());
    let redeemed = redeem(&store, &redemption(2, AT + 100)).await;
    assert!(matches!(redeemed, Redeemed::Token(_)), "{redeemed:?}");
}

async fn old_codes_give_way_and_upkeep_deletes_expired_ones(store: Arc<dyn Store>) {
    let (player, other) = (a_player(&store).await, a_player(&store).await);
    assert!(create(&store, &code(&other, 200, AT)).await);
    let most = u8::try_from(MAX_OAUTH_CODES).unwrap();
    for number in 0..=most {
        let at_ms = AT + i64::from(number);
        assert!(create(&store, &code(&player, number, at_ms)).await);
    }
    let now = AT + i64::from(most);
    assert_eq!(redeem(&store, &redemption(0, now)).await, Redeemed::Unknown);
    // The others, and those of other players, are there.
    let later = AT + OAUTH_CODE_MS + 1_000;
    let count = store.count_stale(Stale::OauthCodes, later).await.unwrap();
    assert_eq!(count, u64::from(MAX_OAUTH_CODES) + 1);
    for number in [1, most, 200] {
        let redeemed = redeem(&store, &redemption(number, now)).await;
        assert!(
            matches!(redeemed, Redeemed::Token(_)),
            "{number}: {redeemed:?}"
        );
    }
    // Upkeep deletes the oldest first.
    let stale = |before_ms, limit| store.delete_stale(Stale::OauthCodes, before_ms, limit);
    assert_eq!(stale(AT + 1, 10).await.unwrap(), 2);
    assert_eq!(stale(later, 3).await.unwrap(), 3);
    assert_eq!(stale(later, 100).await.unwrap(), u64::from(most) - 4);
    // The token stays though its code is gone.
    assert!(store.token(&token_hash(1), now).await.unwrap().is_some());
}

async fn codes_end_with_the_sessions_of_their_player(store: Arc<dyn Store>) {
    let attribution = |player: &Player| Attribution {
        by: Some(player.id.clone()),
        why: String::new(),
        at_ms: AT,
    };
    for number in 0..5 {
        let player = a_player(&store).await;
        let session = NewSession {
            hash: [number; 32],
            player: player.id.clone(),
            label: String::new(),
            created_ms: AT,
            expires_ms: i64::MAX,
        };
        store.create_session(&session).await.unwrap();
        assert!(create(&store, &code(&player, number, AT)).await);
        let change = match number {
            0 => Some(AccountChange::EndSessions),
            1 => Some(AccountChange::Disable),
            2 => Some(AccountChange::Delete("nobody".to_owned())),
            _ => None,
        };
        if let Some(change) = change {
            let by = attribution(&player);
            store
                .change_account(&player.id, &change, &by)
                .await
                .unwrap();
        } else if number == 3 {
            let keep = session.hash;
            let changed = store.change_password(&player.id, "$argon2id$z", &keep, false);
            changed.await.unwrap();
        } else {
            let ended = store.delete_other_sessions(&player.id, &session.hash).await;
            assert_eq!(ended.unwrap(), [] as [TokenHash; 0]);
        }
        let gone = redeem(&store, &redemption(number, AT)).await;
        assert_eq!(gone, Redeemed::Unknown, "{number}");
    }
}

async fn a_token_is_revoked_by_its_hash(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    for number in [1, 2] {
        assert!(create(&store, &code(&player, number, AT)).await);
        let redeemed = redeem(&store, &redemption(number, AT)).await;
        assert!(matches!(redeemed, Redeemed::Token(_)), "{redeemed:?}");
    }
    assert!(store.revoke_token(&token_hash(1)).await.unwrap());
    assert!(!store.revoke_token(&token_hash(1)).await.unwrap());
    assert_eq!(store.token(&token_hash(1), AT).await.unwrap(), None);
    assert!(store.token(&token_hash(2), AT).await.unwrap().is_some());
}
