//! Players, their sessions and tokens, and their challenges.

use std::sync::Arc;

use mawe_rules::{BySide, GameKind, Side};
use mawe_server::bots::ladder;
use mawe_store::{
    AccountChange, Attribution, ExtraTime, Holder, LookChange, MatchFilter, NewChallenge,
    NewPlayer, NewSession, NewToken, Offered, Player, Store, StoreError, TokenRow,
};
use mawe_wire::grants::Grants;
use mawe_wire::ids::{ChallengeId, PlayerId, TokenId};
use mawe_wire::scope::Scopes;
use mawe_wire::{Avatar, DeclineReason, Language, Look, MatchOptions, PlayerKind, Speed};

use crate::common::place::Place;

use super::recovery_codes::codes;
use super::story::{BLITZ, a_player, append, finishing, named_player, new_match, with_password};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_challenge_is_accepted_once(open().await).await;
    a_named_challenge_is_listed_while_it_is_open(open().await).await;
    no_more_challenges_are_open_than_there_is_room_for(open().await).await;
    names_are_unique_without_regard_to_case(open().await).await;
    players_are_found_by_how_their_names_begin(open().await).await;
    a_language_is_kept_until_another_is_chosen(open().await).await;
    a_look_goes_with_the_player_and_with_the_account(open().await).await;
    a_guest_who_registers_keeps_id_and_matches(open().await).await;
    a_level_has_one_bot(open().await).await;
    a_new_level_gives_way_to_a_person_of_its_name(open().await).await;
    a_ladder_is_used_once_and_touches_no_person(open().await).await;
    sessions_expire(open().await).await;
    a_player_is_created_with_a_session_or_not_at_all(open().await).await;
    sessions_are_listed_and_ended(open().await).await;
    of_many_sessions_those_that_are_no_more_are_named(open().await).await;
    a_new_password_ends_other_sessions(open().await).await;
    tokens_speak_for_their_player_until_they_are_revoked(open().await).await;
    an_account_becomes_a_bot_before_it_has_played(open().await).await;
}

async fn a_look_goes_with_the_player_and_with_the_account(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    assert_eq!(me.look, Look::default());
    let change = async |avatar, flag: Option<&str>| {
        let flag = flag.map(|code| code.parse().ok());
        let change = LookChange { avatar, flag };
        store.change_look(&me.id, change).await.unwrap();
        store.find_player(&me.id).await.unwrap().unwrap().look
    };
    let look = change(Some(Some(Avatar::Dhow)), Some("TZ")).await;
    assert_eq!(look.avatar, Some(Avatar::Dhow));
    assert_eq!(look.flag, "TZ".parse().ok());
    // The other settings stay.
    assert_eq!(change(None, None).await, look);
    let other = change(Some(Some(Avatar::Wave)), None).await;
    assert_eq!((other.avatar, other.flag), (Some(Avatar::Wave), look.flag));
    // It comes with the player of a match and of a list.
    let new = new_match(&me, &you);
    store.create_match(&new).await.unwrap();
    let row = store.find_match(&new.id).await.unwrap().unwrap();
    assert_eq!(
        row.players.map(|player| player.look),
        BySide::new(other.clone(), you.look)
    );
    let found = store.find_players(&me.name, 2).await.unwrap();
    assert_eq!(found[0].look, other);
    assert_eq!(change(Some(None), None).await.avatar, None);
    // An erased account has none.
    append(&store, finishing(&new.id, 0, None)).await;
    change(Some(Some(Avatar::Crab)), None).await;
    let attribution = Attribution {
        by: None,
        why: "asked for".into(),
        at_ms: 5,
    };
    let delete = AccountChange::Delete("gone-1".into());
    let gone = store.change_account(&me.id, &delete, &attribution).await;
    assert_eq!(gone.unwrap().account.player.look, Look::default());
}

async fn names_are_unique_without_regard_to_case(store: Arc<dyn Store>) {
    for (name, same) in [
        ("Amani", "aMANI"),
        ("Żółw", "ŻÓŁW"),
        ("Straße", "STRASSE"),
        ("മാവേ", "മാവേ"),
        ("x'; DROP TABLE players; --", "X'; drop table PLAYERS; --"),
        ("100%_\\", "100%_\\"),
    ] {
        let player = named_player(name, PlayerKind::Account);
        store
            .create_player(&with_password(&player), None)
            .await
            .unwrap();
        let other = named_player(same, PlayerKind::Guest);
        let refused = store
            .create_player(
                &NewPlayer {
                    player: other,
                    password_hash: None,
                },
                None,
            )
            .await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{same}");
        assert_eq!(
            store.find_player_by_name(same).await.unwrap(),
            Some(player.clone())
        );
        assert_eq!(
            store.find_player(&player.id).await.unwrap(),
            Some(player.clone())
        );
        let credentials = store.credentials(same).await.unwrap();
        assert_eq!(credentials, Some((player, "$argon2id$x".to_owned())));
    }
    assert_eq!(store.find_player_by_name("%").await.unwrap(), None);
    assert_eq!(store.credentials("nobody' OR '1'='1").await.unwrap(), None);
}

async fn players_are_found_by_how_their_names_begin(store: Arc<dyn Store>) {
    for (name, kind) in [
        ("Amina", PlayerKind::Account),
        ("AMIN_x", PlayerKind::Account),
        ("amin", PlayerKind::Bot),
        ("Aminata", PlayerKind::Guest),
        ("Benamina", PlayerKind::Account),
        ("Żaneta", PlayerKind::Account),
        ("മാവേ", PlayerKind::Account),
    ] {
        let player = named_player(name, kind);
        store
            .create_player(&with_password(&player), None)
            .await
            .unwrap();
    }
    let gone = named_player("Amina-2", PlayerKind::Account);
    store
        .create_player(&with_password(&gone), None)
        .await
        .unwrap();
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 500,
    };
    let disabled = store.change_account(&gone.id, &AccountChange::Disable, &attribution);
    disabled.await.unwrap();
    for (start, limit, expected) in [
        ("amin", 9, &["amin", "AMIN_x", "Amina"][..]),
        ("AMIN", 2, &["amin", "AMIN_x"]),
        ("amina", 9, &["Amina"]),
        ("amin_", 9, &["AMIN_x"]),
        ("amin%", 9, &[]),
        ("żan", 9, &["Żaneta"]),
        ("മാ", 9, &["മാവേ"]),
        ("a\0", 9, &[]),
    ] {
        let found = store.find_players(start, limit).await.unwrap();
        let names: Vec<_> = found.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, expected, "{start}");
    }
}

async fn a_language_is_kept_until_another_is_chosen(store: Arc<dyn Store>) {
    let guest = named_player("Guest-5", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    let other = a_player(&store).await;
    assert_eq!(store.language(&guest.id).await.unwrap(), None);
    for language in Language::ALL {
        store.set_language(&guest.id, language).await.unwrap();
        assert_eq!(store.language(&guest.id).await.unwrap(), Some(language));
    }
    let registered = store
        .register_guest(&guest.id, "Halima", "$hash", &codes(1), None)
        .await;
    registered.unwrap();
    assert_eq!(
        store.language(&guest.id).await.unwrap(),
        Some(Language::ALL[3])
    );
    assert_eq!(store.language(&other.id).await.unwrap(), None);
}

async fn a_guest_who_registers_keeps_id_and_matches(store: Arc<dyn Store>) {
    let guest = named_player("Guest-1", PlayerKind::Guest);
    store
        .create_player(
            &NewPlayer {
                player: guest.clone(),
                password_hash: None,
            },
            None,
        )
        .await
        .unwrap();
    let opponent = a_player(&store).await;
    let played = new_match(&guest, &opponent);
    store.create_match(&played).await.unwrap();
    assert_eq!(store.credentials("Guest-1").await.unwrap(), None);

    let taken = store
        .register_guest(
            &guest.id,
            &opponent.name.to_uppercase(),
            "$hash",
            &codes(1),
            None,
        )
        .await;
    assert!(matches!(taken, Err(StoreError::Conflict)));
    let account = store
        .register_guest(&guest.id, "Neema", "$hash", &codes(1), None)
        .await
        .unwrap();
    assert_eq!(
        account,
        Player {
            name: "Neema".into(),
            kind: PlayerKind::Account,
            ..guest.clone()
        }
    );
    assert_eq!(
        store.credentials("neema").await.unwrap().unwrap().0,
        account
    );
    assert_eq!(store.find_player_by_name("guest-1").await.unwrap(), None);
    let all = MatchFilter::of(guest.id.clone());
    let rows = store.matches_of(&all, None, 10).await.unwrap();
    assert_eq!(rows[0].players.first, account);

    let again = store
        .register_guest(&guest.id, "Other", "$hash", &codes(2), None)
        .await;
    assert!(
        matches!(again, Err(StoreError::NotFound)),
        "it is no guest any more"
    );
    assert_eq!(store.recovery_codes(&guest.id).await.unwrap(), codes(1));
}

async fn a_new_level_gives_way_to_a_person_of_its_name(store: Arc<dyn Store>) {
    let person = named_player("mawe-kilele", PlayerKind::Account);
    store
        .create_player(&with_password(&person), None)
        .await
        .unwrap();
    // The second time is the next start.
    for _ in 0..2 {
        let bots = ladder::players(store.as_ref()).await.unwrap();
        let levels: Vec<_> = bots.iter().filter_map(|bot| bot.level).collect();
        assert_eq!(levels, (1..=10).collect::<Vec<u8>>());
        assert_eq!(bots[8].name, "mawe-Mlima");
        assert_eq!(bots[9].name, "mawe-Kilele-10");
    }
    let found = store.find_player_by_name("mawe-kilele").await.unwrap();
    assert_eq!(found, Some(person));
}

async fn a_level_has_one_bot(store: Arc<dyn Store>) {
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.ensure_bot(3, "Level 3", 5).await.unwrap() })
        })
        .collect();
    let mut bots = Vec::new();
    for asking in asking {
        bots.push(asking.await.unwrap());
    }
    assert!(bots.iter().all(|bot| *bot == bots[0]));
    assert_eq!((bots[0].kind, bots[0].level), (PlayerKind::Bot, Some(3)));
    assert_eq!(
        store.ensure_bot(3, "Another name", 6).await.unwrap(),
        bots[0]
    );
    assert_ne!(
        store.ensure_bot(4, "Level 4", 6).await.unwrap().id,
        bots[0].id
    );
    assert!(matches!(
        store.ensure_bot(5, "LEVEL 4", 6).await,
        Err(StoreError::Conflict)
    ));
    assert_eq!(store.credentials("Level 3").await.unwrap(), None);
}

async fn a_ladder_is_used_once_and_touches_no_person(store: Arc<dyn Store>) {
    let bot = store.ensure_bot(1, "Level 1", 5).await.unwrap();
    let person = a_player(&store).await;
    let seed = |player: &Player, rating| mawe_store::Seed {
        player: player.id.clone(),
        game: GameKind::Mawe,
        speed: Speed::Blitz,
        rating,
        deviation: 100.0,
        volatility: 0.01,
    };
    let rating_of = async |player: &Player| {
        let row = store.rating(&player.id, GameKind::Mawe, Speed::Blitz).await;
        row.unwrap().map(|row| (row.rating.rating, row.tally.won))
    };
    // If two servers start at once, one of them seeds.
    let both = [900.0, 900.0].map(|rating| {
        let (store, seeds) = (store.clone(), [seed(&bot, rating)]);
        tokio::spawn(async move { store.seed_ratings(1, &seeds, 10).await.unwrap() })
    });
    let mut done = 0;
    for one in both {
        done += u32::from(one.await.unwrap());
    }
    assert_eq!((done, rating_of(&bot).await), (1, Some((900.0, 0))));
    // It has a rating, but no rank before it has played.
    let board = async || {
        let rows = store
            .leaderboard(GameKind::Mawe, Speed::Blitz, 350.0, 0, 0, 10)
            .await;
        rows.unwrap().len()
    };
    assert_eq!(board().await, 0);

    let new = new_match(&bot, &person);
    store.create_match(&new).await.unwrap();
    append(&store, finishing(&new.id, 0, Some(Side::First))).await;
    assert!(
        store
            .count_match(&new.id, mawe_play::rating::rate)
            .await
            .unwrap()
    );
    let (played, won) = rating_of(&bot).await.unwrap();
    let persons = rating_of(&person).await;
    assert!(played > 900.0 && won == 1);
    assert_eq!(board().await, 2);

    // The same ladder again, and an older one: nothing changes.
    for ladder in [1, 0] {
        assert!(
            !store
                .seed_ratings(ladder, &[seed(&bot, 700.0)], 20)
                .await
                .unwrap()
        );
    }
    assert_eq!(rating_of(&bot).await, Some((played, 1)));
    // A seed for a person is refused, and with it all seeds of the call.
    let seeds = [seed(&bot, 1_000.0), seed(&person, 1_000.0)];
    assert!(matches!(
        store.seed_ratings(2, &seeds, 30).await,
        Err(StoreError::Conflict)
    ));
    assert_eq!(rating_of(&bot).await, Some((played, 1)));
    assert!(store.seed_ratings(2, &seeds[..1], 30).await.unwrap());
    assert_eq!(rating_of(&bot).await, Some((1_000.0, 1)));
    assert_eq!(rating_of(&person).await, persons);
    let places: Vec<(u64, f64)> = store
        .rating_seeds(u64::MAX >> 1)
        .await
        .unwrap()
        .iter()
        .map(|placed| (placed.ordinal, placed.seed.rating))
        .collect();
    assert_eq!(places, [(0, 900.0), (1, 1_000.0)]);
}

fn a_session(hash: [u8; 32], player: &PlayerId, created_ms: i64, expires_ms: i64) -> NewSession {
    NewSession {
        hash,
        player: player.clone(),
        label: "Firefox, Linux".into(),
        created_ms,
        expires_ms,
    }
}

async fn of_many_sessions_those_that_are_no_more_are_named(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    assert_eq!(
        store.ended_sessions(&[]).await.unwrap(),
        Vec::<[u8; 32]>::new()
    );
    let there = [[1; 32], [2; 32]];
    for hash in there {
        let session = a_session(hash, &player.id, 100, 200);
        store.create_session(&session).await.unwrap();
    }
    // More than one statement reads.
    let mut asked: Vec<[u8; 32]> = (0..1_200u16)
        .map(|n| {
            let mut hash = [9; 32];
            hash[..2].copy_from_slice(&n.to_be_bytes());
            hash
        })
        .collect();
    let gone = asked.clone();
    asked.extend(there);
    assert_eq!(store.ended_sessions(&asked).await.unwrap(), gone);
    store.delete_session(&there[0]).await.unwrap();
    assert_eq!(store.ended_sessions(&there).await.unwrap(), [there[0]]);
}

async fn sessions_expire(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let (token, other) = ([7; 32], [8; 32]);
    let session = a_session(token, &player.id, 100, 200);
    assert!(store.create_session(&session).await.unwrap().is_empty());
    let holder = Holder {
        player: player.clone(),
        grants: Grants::default(),
        is_disabled: false,
        scopes: None,
        last_used_ms: Some(100),
        expires_ms: 200,
    };
    assert_eq!(store.session(&token, 199).await.unwrap(), Some(holder));
    assert_eq!(store.session(&token, 200).await.unwrap(), None);
    assert_eq!(store.session(&other, 150).await.unwrap(), None);
    let again = store.create_session(&session).await;
    assert!(matches!(again, Err(StoreError::Conflict)));
    let nobody = a_session(other, &PlayerId::random(), 100, 200);
    let nobody = store.create_session(&nobody).await;
    assert!(matches!(nobody, Err(StoreError::NotFound)));

    store.delete_session(&token).await.unwrap();
    store.delete_session(&token).await.unwrap();
    assert_eq!(store.session(&token, 199).await.unwrap(), None);
}

async fn a_player_is_created_with_a_session_or_not_at_all(store: Arc<dyn Store>) {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    let session = a_session([7; 32], &player.id, 100, 200);
    store
        .create_player(&with_password(&player), Some(&session))
        .await
        .unwrap();
    let holder = store.session(&session.hash, 150).await.unwrap();
    assert_eq!(holder.map(|holder| holder.player), Some(player));
    // The hash of its session is taken.
    let second = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    let session = a_session([7; 32], &second.id, 100, 200);
    let refused = store
        .create_player(&with_password(&second), Some(&session))
        .await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(store.find_player(&second.id).await.unwrap(), None);
}

async fn sessions_are_listed_and_ended(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    for n in 1..=3u8 {
        let session = a_session([n; 32], &me.id, 100 + i64::from(n), 900);
        store.create_session(&session).await.unwrap();
    }
    let yours = a_session([9; 32], &you.id, 100, 900);
    store.create_session(&yours).await.unwrap();
    // The last used one comes first; an unknown one is ignored.
    let used = [([1; 32], 500), ([77; 32], 500)];
    store.mark_used(&used, &[]).await.unwrap();
    let rows = store.sessions_of(&me.id, 600).await.unwrap();
    let hashes: Vec<_> = rows.iter().map(|row| row.hash).collect();
    assert_eq!(hashes, [[1; 32], [3; 32], [2; 32]]);
    assert_eq!(rows[0].last_used_ms, 500);
    assert_eq!(rows[1].last_used_ms, 103, "when it began");
    assert_eq!(rows[0].label, "Firefox, Linux");
    assert!(store.sessions_of(&me.id, 900).await.unwrap().is_empty());

    let mut ended = store.delete_other_sessions(&me.id, &[2; 32]).await.unwrap();
    ended.sort_unstable();
    assert_eq!(ended, [[1; 32], [3; 32]]);
    assert_eq!(store.sessions_of(&me.id, 600).await.unwrap().len(), 1);
    assert_eq!(store.sessions_of(&you.id, 600).await.unwrap().len(), 1);

    // Above the limit, the session with the oldest use ends.
    for n in 10..=59u8 {
        let session = a_session([n; 32], &me.id, 200 + i64::from(n), 900);
        let ended = store.create_session(&session).await.unwrap();
        let expected: &[[u8; 32]] = if n == 59 { &[[2; 32]] } else { &[] };
        assert_eq!(ended, expected, "{n}");
    }
    assert_eq!(store.sessions_of(&me.id, 600).await.unwrap().len(), 50);
}

async fn a_new_password_ends_other_sessions(store: Arc<dyn Store>) {
    let guest = NewPlayer {
        player: named_player("Guest-7", PlayerKind::Guest),
        password_hash: None,
    };
    store.create_player(&guest, None).await.unwrap();
    let guest = guest.player.id;
    for n in 1..=2u8 {
        let session = a_session([n; 32], &guest, 100, 900);
        store.create_session(&session).await.unwrap();
    }
    let refused = store.change_password(&guest, "$new", &[1; 32], true).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
    assert_eq!(store.sessions_of(&guest, 200).await.unwrap().len(), 2);
    let account = NewPlayer {
        player: Player {
            id: PlayerId::random(),
            name: "Rehema".into(),
            kind: PlayerKind::Account,
            level: None,
            look: mawe_wire::Look::default(),
            created_ms: 1,
        },
        password_hash: Some("$old".into()),
    };
    store.create_player(&account, None).await.unwrap();
    let id = &account.player.id;
    for n in 3..=4u8 {
        let session = a_session([n; 32], id, 100, 900);
        store.create_session(&session).await.unwrap();
    }
    let token = NewToken {
        id: TokenId::random(),
        hash: [5; 32],
        player: id.clone(),
        name: "a program".into(),
        scopes: "read".parse().unwrap(),
        created_ms: 100,
        expires_ms: 900,
    };
    assert!(store.create_token(&token, 5).await.unwrap());
    let change = async |end_tokens| {
        let ended = store.change_password(id, "$new", &[3; 32], end_tokens);
        ended.await.unwrap()
    };
    assert_eq!(change(false).await, [[4; 32]]);
    assert!(store.token(&[5; 32], 200).await.unwrap().is_some());
    assert_eq!(change(true).await, [[5; 32]]);
    assert!(store.token(&[5; 32], 200).await.unwrap().is_none());
    let (_, stored) = store.credentials("rehema").await.unwrap().unwrap();
    assert_eq!(stored, "$new");
    assert!(store.session(&[3; 32], 200).await.unwrap().is_some());
}

async fn tokens_speak_for_their_player_until_they_are_revoked(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let scopes: Scopes = "read play".parse().unwrap();
    let token = |n: u8, created_ms: i64, expires_ms: i64| NewToken {
        id: TokenId::random(),
        hash: [n; 32],
        player: me.id.clone(),
        name: format!("token {n}"),
        scopes,
        created_ms,
        expires_ms,
    };
    let first = token(1, 100, 500);
    assert!(store.create_token(&first, 2).await.unwrap());
    let holder = Holder {
        player: me.clone(),
        grants: Grants::default(),
        is_disabled: false,
        scopes: Some(scopes),
        last_used_ms: None,
        expires_ms: 500,
    };
    assert_eq!(store.token(&[1; 32], 499).await.unwrap(), Some(holder));
    assert_eq!(store.token(&[1; 32], 500).await.unwrap(), None);
    assert_eq!(store.session(&[1; 32], 200).await.unwrap(), None);
    store.mark_used(&[], &[([1; 32], 300)]).await.unwrap();
    let rows = store.tokens_of(&me.id, 400).await.unwrap();
    assert_eq!(
        rows,
        [TokenRow {
            id: first.id.clone(),
            name: "token 1".into(),
            scopes,
            created_ms: 100,
            expires_ms: 500,
            last_used_ms: Some(300),
        }]
    );
    // Two at once, with room for one.
    let (second, third) = (token(2, 200, 900), token(3, 200, 900));
    let (one, other) = tokio::join!(
        store.create_token(&second, 2),
        store.create_token(&third, 2)
    );
    assert_ne!(one.unwrap(), other.unwrap());
    // An expired one makes room.
    assert!(store.create_token(&token(4, 600, 900), 2).await.unwrap());
    assert!(!store.create_token(&token(5, 600, 900), 2).await.unwrap());
    let rows = store.tokens_of(&me.id, 600).await.unwrap();
    assert_eq!(rows.len(), 2);
    // A player cannot revoke another player's token.
    let id = rows[0].id.clone();
    assert_eq!(store.delete_token(&you.id, &id).await.unwrap(), None);
    let revoked = store.delete_token(&me.id, &id).await.unwrap();
    assert_eq!(revoked, Some([4; 32]));
    assert_eq!(store.delete_token(&me.id, &id).await.unwrap(), None);
    assert_eq!(store.token(&[4; 32], 700).await.unwrap(), None);
}

async fn an_account_becomes_a_bot_before_it_has_played(store: Arc<dyn Store>) {
    let account = async |name: &str| {
        let new = NewPlayer {
            player: Player {
                id: PlayerId::random(),
                name: name.into(),
                kind: PlayerKind::Account,
                level: None,
                look: mawe_wire::Look::default(),
                created_ms: 1,
            },
            password_hash: Some("$hash".into()),
        };
        store.create_player(&new, None).await.unwrap();
        new.player
    };
    let (one, two, played) = (
        account("Roboti").await,
        account("Mashine").await,
        account("Mtu").await,
    );
    let bot = store.become_bot(&one.id, 5).await.unwrap();
    let expected = Player {
        kind: PlayerKind::Bot,
        ..one.clone()
    };
    assert_eq!(bot, expected);
    assert!(!bot.is_computer());
    // Any number of bot accounts, besides one computer opponent for each level.
    store.become_bot(&two.id, 5).await.unwrap();
    let level = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    assert!(level.is_computer());
    assert_eq!(store.ensure_bot(1, "Kokoto", 1).await.unwrap(), level);
    assert!(
        store.credentials("roboti").await.unwrap().is_some(),
        "its owner can log in"
    );
    let again = store.become_bot(&one.id, 5).await;
    assert!(matches!(again, Err(StoreError::Conflict)), "{again:?}");
    for seats in [[&played, &two], [&two, &played]] {
        let new = new_match(seats[0], seats[1]);
        store.create_match(&new).await.unwrap();
        let refused = store.become_bot(&played.id, 5).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
}

async fn a_challenge_is_accepted_once(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let offer = |side| NewChallenge {
        id: ChallengeId::random(),
        challenger: me.id.clone(),
        game: GameKind::Mawe,
        setup: String::new(),
        side,
        time_control: BLITZ,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: None,
        listed: false,
        rating_range: (None, None),
        created_ms: 10,
        expires_ms: 100,
    };
    let challenge = offer(Some(Side::Second));
    store.create_challenge(&challenge).await.unwrap();
    let row = store.find_challenge(&challenge.id).await.unwrap().unwrap();
    assert_eq!(
        (&row.offer, &row.challenger, row.match_id),
        (&challenge, &me, None)
    );

    let late = store
        .accept_challenge(&challenge.id, &new_match(&me, &you), 100)
        .await;
    assert!(matches!(late, Err(StoreError::Conflict)));
    let accepting: Vec<_> = (0..4)
        .map(|_| {
            let (store, id, new) = (store.clone(), challenge.id.clone(), new_match(&me, &you));
            tokio::spawn(
                async move { store.accept_challenge(&id, &new, 99).await.map(|()| new.id) },
            )
        })
        .collect();
    let mut made = Vec::new();
    for accepting in accepting {
        match accepting.await.unwrap() {
            Ok(id) => made.push(id),
            Err(refused) => assert!(matches!(refused, StoreError::Conflict)),
        }
    }
    let row = store.find_challenge(&challenge.id).await.unwrap().unwrap();
    assert_eq!((made.len(), row.match_id.as_ref()), (1, made.first()));
    assert_eq!(
        store.live_match_ids().await.unwrap(),
        made,
        "the others made no match"
    );
    assert!(matches!(
        store.cancel_challenge(&challenge.id).await,
        Err(StoreError::Conflict)
    ));

    let taken_back = offer(None);
    store.create_challenge(&taken_back).await.unwrap();
    store.cancel_challenge(&taken_back.id).await.unwrap();
    assert!(
        store
            .find_challenge(&taken_back.id)
            .await
            .unwrap()
            .unwrap()
            .cancelled
    );
    assert!(matches!(
        store.cancel_challenge(&taken_back.id).await,
        Err(StoreError::Conflict)
    ));
    let too_late = store
        .accept_challenge(&taken_back.id, &new_match(&me, &you), 20)
        .await;
    assert!(matches!(too_late, Err(StoreError::Conflict)));

    let unknown = ChallengeId::random();
    assert!(store.find_challenge(&unknown).await.unwrap().is_none());
    assert!(matches!(
        store.cancel_challenge(&unknown).await,
        Err(StoreError::NotFound)
    ));
    let unknown = store
        .accept_challenge(&unknown, &new_match(&me, &you), 20)
        .await;
    assert!(matches!(unknown, Err(StoreError::NotFound)));
}

fn challenge(from: &Player, to: Option<&Player>, created_ms: i64) -> NewChallenge {
    NewChallenge {
        id: ChallengeId::random(),
        challenger: from.id.clone(),
        game: GameKind::Kalah,
        setup: String::new(),
        side: None,
        time_control: BLITZ,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: to.map(|to| to.id.clone()),
        listed: false,
        rating_range: (None, None),
        created_ms,
        expires_ms: created_ms + 100,
    }
}

async fn a_named_challenge_is_listed_while_it_is_open(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let offers: Vec<NewChallenge> = (0..6).map(|n| challenge(&me, Some(&you), n)).collect();
    let link = challenge(&me, None, 10);
    let seek = NewChallenge {
        listed: true,
        ..challenge(&me, None, 11)
    };
    for offer in offers.iter().chain([&link, &seek]) {
        store.create_challenge(offer).await.unwrap();
    }
    let ids = |rows: Vec<mawe_store::ChallengeRow>| -> Vec<ChallengeId> {
        rows.into_iter().map(|row| row.offer.id).collect()
    };
    let to = async |player: &Player, now_ms, limit| {
        ids(store
            .challenges_to(&player.id, now_ms, limit)
            .await
            .unwrap())
    };
    let by = async |player: &Player, now_ms, limit| {
        ids(store
            .challenges_by(&player.id, now_ms, limit)
            .await
            .unwrap())
    };
    let at = |places: &[usize]| {
        places
            .iter()
            .map(|n| offers[*n].id.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(to(&you, 50, 10).await, at(&[5, 4, 3, 2, 1, 0]));
    assert_eq!(to(&you, 50, 2).await, at(&[5, 4]));
    assert_eq!(to(&me, 50, 10).await, []);
    assert_eq!(
        by(&me, 50, 10).await,
        [vec![link.id.clone()], at(&[5, 4, 3, 2, 1, 0])].concat()
    );
    assert_eq!(by(&you, 50, 10).await, []);

    // 0 and 1 expire, 2 is declined, 3 withdrawn, 4 accepted.
    let no = DeclineReason::TooSlow;
    let decline = async |n: usize, now_ms| store.decline_challenge(&offers[n].id, no, now_ms).await;
    decline(2, 50).await.unwrap();
    store.cancel_challenge(&offers[3].id).await.unwrap();
    let new = new_match(&me, &you);
    store
        .accept_challenge(&offers[4].id, &new, 50)
        .await
        .unwrap();
    assert_eq!(to(&you, 101, 10).await, at(&[5]));
    assert_eq!(
        by(&me, 101, 10).await,
        [vec![link.id.clone()], at(&[5])].concat()
    );
    let row = store.find_challenge(&offers[2].id).await.unwrap().unwrap();
    assert_eq!(row.declined, Some(no));
    for n in [1, 2, 3, 4] {
        let refused = decline(n, 101).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{n}");
    }
    let new = new_match(&me, &you);
    for n in [1, 2] {
        let refused = store.accept_challenge(&offers[n].id, &new, 101).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{n}");
    }
    let refused = store.cancel_challenge(&offers[2].id).await;
    assert!(matches!(refused, Err(StoreError::Conflict)));
    let unknown = store.decline_challenge(&ChallengeId::random(), no, 1).await;
    assert!(matches!(unknown, Err(StoreError::NotFound)));
}

async fn no_more_challenges_are_open_than_there_is_room_for(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let many = async |to: Option<&Player>, now_ms| {
        let asking: Vec<_> = (0..8)
            .map(|_| {
                let (store, new) = (store.clone(), challenge(&me, to, now_ms));
                tokio::spawn(async move {
                    store
                        .create_challenge_within(&new, 5, 2, false)
                        .await
                        .unwrap()
                })
            })
            .collect();
        let mut made = 0;
        for asking in asking {
            made += usize::from(matches!(asking.await.unwrap(), Offered::Made { .. }));
        }
        made
    };
    assert_eq!(many(Some(&you), 0).await, 2);
    assert_eq!(many(None, 0).await, 3);
    // Seeks and expired challenges are not counted.
    let seek = NewChallenge {
        listed: true,
        ..challenge(&you, None, 0)
    };
    store.create_challenge(&seek).await.unwrap();
    assert_eq!(many(Some(&you), 50).await, 0);
    assert_eq!(many(None, 100).await, 5);
    assert_eq!(store.challenges_by(&me.id, 100, 50).await.unwrap().len(), 5);
}
