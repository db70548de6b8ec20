//! Appeals against decisions of moderators: the effects and the refusals of each route, and the rules of the store.

use std::num::NonZeroU32;
use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, NewPlayer, NewReport, Player, ReportCursor, ReportFilter,
    ReportState, Store, Verdict,
};
use mawe_wire::grants::Grant;
use mawe_wire::ids::{PlayerId, ReportId};
use mawe_wire::reports::{ReportReason, Resolution};
use mawe_wire::{Look, NoticeKind, PlayerKind};
use serde_json::{Value, json};

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;
use crate::common::{Answer, PASSWORD, Person, TestServer};
use crate::moderation::{granted, resolve, taken};

const DECISIONS: &str = "/api/v1/me/decisions";

const APPEALS: &str = "/api/v1/appeals";

const QUEUE: &str = "/api/v1/moderation/reports";

/// Two moderators, a player, and a reporter.
struct Court {
    server: TestServer,
    first: Person,
    second: Person,
    player: Person,
    reporter: Person,
}

impl Court {
    async fn open() -> Court {
        Court::at(TestServer::start().await).await
    }

    async fn at(server: TestServer) -> Court {
        Court {
            first: granted(&server, "Mwalimu", Grant::Moderator).await,
            second: granted(&server, "Hakimu", Grant::Moderator).await,
            player: server.account("Zofia").await,
            reporter: server.account("Amina").await,
            server,
        }
    }

    /// The first moderator decides about the player; returns the id of the decision.
    async fn decide(&mut self, body: &Value) -> String {
        let path = taken(&mut self.reporter, &mut self.first, "Zofia").await;
        let resolved = resolve(&mut self.first, &path, body).await;
        assert_eq!(resolved.status, 200, "{resolved:?}");
        resolved.text("/id")
    }

    async fn appeal(&mut self, id: &str, text: &str) -> Answer {
        let path = format!("{DECISIONS}/{id}/appeal");
        self.player.post(&path, &json!({ "text": text })).await
    }

    async fn disabled(&mut self, text: &str) -> Answer {
        let body = json!({ "name": "Zofia", "password": PASSWORD, "text": text });
        self.server.stranger().post(APPEALS, &body).await
    }
}

async fn answer(moderator: &mut Person, id: &str, accept: bool) -> Answer {
    let body = json!({ "accept": accept, "note": "I have looked at it again" });
    moderator.post(&format!("{QUEUE}/{id}/appeal"), &body).await
}

async fn newest_notice(person: &Person) -> Value {
    person.get("/api/v1/me/notices").await.json()["items"][0].clone()
}

#[tokio::test]
async fn a_player_sees_a_decision_and_appeals_and_another_moderator_takes_it_back() {
    let mut court = Court::open().await;
    assert_eq!(
        court.player.get(DECISIONS).await.json(),
        json!({ "items": [] })
    );
    let mute = json!({ "action": "mute", "days": 7, "why": "that was too much" });
    let id = court.decide(&mute).await;
    let told = court.player.get(DECISIONS).await;
    let decision = &told.json()["items"][0];
    assert_eq!(decision["id"], json!(id));
    assert_eq!(decision["action"], "mute");
    assert_eq!(decision["why"], "that was too much");
    assert!(decision["until"].is_string(), "{decision}");
    assert_eq!(decision["appeal"], Value::Null);
    // Neither the reporter nor the moderator is named.
    let text = String::from_utf8(told.body.clone()).expect("text");
    assert!(
        !text.contains("Amina") && !text.contains("Mwalimu"),
        "{text}"
    );

    let waiting = |page: Value| page["items"].as_array().expect("items").len();
    let appealed = format!("{QUEUE}?state=appealed");
    assert_eq!(waiting(court.second.get(&appealed).await.json()), 0);
    let made = court.appeal(&id, "  It was my brother.  ").await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.json()["appeal"]["text"], "It was my brother.");
    assert_eq!(made.json()["appeal"]["answer"], Value::Null);
    court
        .appeal(&id, "And again.")
        .await
        .problem(409, "appealed-already");
    let queue = court.second.get(&appealed).await.json();
    assert_eq!(waiting(queue.clone()), 1);
    let appeal = &queue["items"][0]["resolved"]["appeal"];
    assert_eq!(appeal["text"], "It was my brother.");
    assert_eq!(appeal["decided"], Value::Null);

    answer(&mut court.first, &id, false)
        .await
        .problem(403, "own-decision");
    let decided = answer(&mut court.second, &id, true).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    let end = &decided.json()["resolved"]["appeal"]["decided"];
    assert_eq!(end["by"], "Hakimu");
    assert_eq!(end["accepted"], true);
    answer(&mut court.second, &id, true)
        .await
        .problem(409, "report-taken");
    assert_eq!(waiting(court.second.get(&appealed).await.json()), 0);
    let over = format!("{QUEUE}?state=appeal-decided");
    assert_eq!(waiting(court.second.get(&over).await.json()), 1);

    // The mute is over, both sides know, and the log has it.
    let store = &court.server.app().store;
    let zofia = store
        .find_player_by_name("Zofia")
        .await
        .expect("it answers");
    let until = store.muted_until(&zofia.expect("an account").id).await;
    let until = until.expect("it answers").expect("it was muted");
    assert!(until <= mawe_server::clock::unix_ms(), "{until}");
    let notice = newest_notice(&court.player).await;
    assert_eq!(notice["kind"], "appeal-accepted");
    assert_eq!(notice["text"], "I have looked at it again");
    let notice = newest_notice(&court.first).await;
    assert_eq!(notice["kind"], "appeal-decided");
    assert_eq!(notice["upheld"], true);
    assert_eq!(notice["by"]["name"], "Zofia");
    let log = court.first.get("/api/v1/moderation/audit").await.json();
    let actions: Vec<&str> = log["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|line| line["action"].as_str())
        .collect();
    assert_eq!(actions[..2], ["mute", "accept-appeal"]);
    let answered = court.player.get(DECISIONS).await.json();
    let answered = &answered["items"][0]["appeal"]["answer"];
    assert_eq!(answered["accepted"], true);
    assert_eq!(answered["note"], "I have looked at it again");
    court.server.stop().await;
}

#[tokio::test]
async fn a_rejected_appeal_leaves_the_measure_and_says_so() {
    let mut court = Court::open().await;
    let warn = json!({ "action": "warn", "why": "that was too much" });
    let id = court.decide(&warn).await;
    assert_eq!(court.appeal(&id, "It was not me.").await.status, 201);
    let decided = answer(&mut court.second, &id, false).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    let notice = newest_notice(&court.player).await;
    assert_eq!(notice["kind"], "appeal-rejected");
    let notice = newest_notice(&court.first).await;
    assert_eq!(
        (&notice["kind"], &notice["upheld"]),
        (&json!("appeal-decided"), &json!(false))
    );
    court
        .appeal(&id, "Once more.")
        .await
        .problem(409, "appealed-already");
    court.server.stop().await;
}

#[tokio::test]
async fn the_only_moderator_decides_also_about_their_own_decision() {
    let server = TestServer::start().await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let mut player = server.account("Zofia").await;
    let mut reporter = server.account("Amina").await;
    let path = taken(&mut reporter, &mut moderator, "Zofia").await;
    let warn = json!({ "action": "warn", "why": "because" });
    let id = resolve(&mut moderator, &path, &warn).await.text("/id");
    let path = format!("{DECISIONS}/{id}/appeal");
    let made = player.post(&path, &json!({ "text": "no" })).await;
    assert_eq!(made.status, 201, "{made:?}");
    // An admin who is the player's is no other judge while disabled.
    granted(&server, "Hakimu", Grant::Admin).await;
    answer(&mut moderator, &id, true)
        .await
        .problem(403, "own-decision");
    let store = &server.app().store;
    let hakimu = store
        .find_player_by_name("Hakimu")
        .await
        .expect("it answers");
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 1,
    };
    let hakimu = hakimu.expect("an account").id;
    let gone = store.change_account(&hakimu, &AccountChange::Disable, &attribution);
    gone.await.expect("it can be disabled");
    let decided = answer(&mut moderator, &id, true).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_disabled_account_appeals_with_its_password() {
    let mut court = Court::open().await;
    court.disabled("I am here.").await.problem(404, "not-found");
    let disable = json!({ "action": "disable", "why": "you cheat" });
    let id = court.decide(&disable).await;
    court
        .player
        .get(DECISIONS)
        .await
        .problem(401, "sign-in-first");
    let wrong = json!({ "name": "Zofia", "password": "not her password", "text": "no" });
    let refused = court.server.stranger().post(APPEALS, &wrong).await;
    refused.problem(401, "wrong-credentials");
    let made = court.disabled("I have learned it from my mother.").await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.json()["id"], json!(id));
    assert!(made.session().is_none(), "it is no login");
    court
        .disabled("Again.")
        .await
        .problem(409, "appealed-already");
    let decided = answer(&mut court.second, &id, true).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    let credentials = json!({ "name": "Zofia", "password": PASSWORD });
    let entered = court.player.post("/api/v1/sessions", &credentials).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(
        newest_notice(&court.player).await["kind"],
        "appeal-accepted"
    );

    // Rejected, the answer is told at the login, where the reason is.
    let id = court.decide(&disable).await;
    assert_eq!(court.disabled("Not again!").await.status, 201);
    let decided = answer(&mut court.second, &id, false).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    let refused = court.player.post("/api/v1/sessions", &credentials).await;
    let problem = refused.problem(403, "account-disabled");
    let detail = problem["detail"].as_str().expect("a text");
    assert!(
        detail.contains("you cheat") && detail.contains("I have looked at it again"),
        "{detail}"
    );
    court.server.stop().await;
}

#[tokio::test]
async fn a_disabled_account_appeals_however_many_decisions_followed() {
    let mut court = Court::open().await;
    let disable = json!({ "action": "disable", "why": "you cheat" });
    let id = court.decide(&disable).await;
    let store = Arc::clone(&court.server.app().store);
    let player = async |name: &str| {
        let found = store.find_player_by_name(name).await;
        found.expect("the store answers").expect("it is there")
    };
    let (moderator, me) = (player("Mwalimu").await, player("Amina").await);
    let you = player("Zofia").await;
    let disabled = store.account(&you.id).await.expect("the store answers");
    let at_ms = disabled.and_then(|account| account.disabled);
    let at_ms = at_ms.expect("it is disabled").at_ms;
    // More than the list of decisions has.
    for number in 1..=25 {
        appealed(
            &store,
            [&moderator, &me, &you],
            Verdict::Warn,
            at_ms + number,
        )
        .await;
    }
    let made = court.disabled("I have learned it from my mother.").await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.json()["id"], json!(id));
    court.server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_appealed_against_is_refused() {
    let mut court = Court::open().await;
    let dismiss = json!({ "action": "dismiss", "why": "because" });
    let dismissed = court.decide(&dismiss).await;
    assert_eq!(
        court.player.get(DECISIONS).await.json(),
        json!({ "items": [] })
    );
    court
        .appeal(&dismissed, "no")
        .await
        .problem(404, "not-found");
    let warn = json!({ "action": "warn", "why": "because" });
    let id = court.decide(&warn).await;
    let path = format!("{DECISIONS}/{id}/appeal");
    let foreign = court.reporter.post(&path, &json!({ "text": "no" })).await;
    foreign.problem(404, "not-found");
    for text in ["", "  ", "\u{7}", &"x".repeat(1_001)] {
        court.appeal(&id, text).await.bad_field("bad-text", "text");
        court.disabled(text).await.bad_field("bad-text", "text");
    }
    answer(&mut court.second, &id, true)
        .await
        .problem(404, "not-found");
    assert_eq!(court.appeal(&id, &"x".repeat(1_000)).await.status, 201);
    let path = format!("{QUEUE}/{id}/appeal");
    for note in ["", &"x".repeat(501)] {
        let body = json!({ "accept": true, "note": note });
        let refused = court.second.post(&path, &body).await;
        refused.bad_field("bad-text", "note");
    }
    court.server.stop().await;
}

#[tokio::test]
async fn a_flood_of_appeals_is_one_and_guesses_of_the_password_end() {
    let server = TestServer::start_with(|config| {
        config.rates.sign_ups_per_minute = NonZeroU32::new(10).expect("not zero");
    })
    .await;
    let mut court = Court::at(server).await;
    let disable = json!({ "action": "disable", "why": "you cheat" });
    court.decide(&disable).await;
    assert_eq!(court.disabled("I do not cheat.").await.status, 201);
    let mut refused = 0;
    for _ in 0..40 {
        let answer = court.disabled("I do not cheat!").await;
        assert!([409, 429].contains(&answer.status.as_u16()), "{answer:?}");
        refused += u32::from(answer.status == 429);
    }
    assert!(refused > 0, "attempts have the limit of logins");
    let queue = court
        .second
        .get(&format!("{QUEUE}?state=appealed"))
        .await
        .json();
    assert_eq!(queue["items"].as_array().expect("items").len(), 1);
    court.server.stop().await;
}

fn at(by: &Player, why: &str, at_ms: i64) -> Attribution {
    Attribution {
        by: Some(by.id.clone()),
        why: why.to_owned(),
        at_ms,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn appeals_keep_their_rules_in_both_databases() {
    let sqlite = SqlitePlace::new();
    every_rule(&sqlite).await;
    let postgres = Postgres::start();
    every_rule(&postgres).await;
}

async fn every_rule(place: &impl Place) {
    let open = async || {
        let store = mawe_store::open(&place.fresh().await).await;
        store.expect("it opens")
    };
    a_later_measure_stays(open().await).await;
    pages_follow_each_other(open().await).await;
    of_two_decisions_one_is_made(open().await).await;
    a_deleted_account_leaves_no_words(open().await).await;
}

/// Makes a measure against `you` at this time, and an appeal right after it.
async fn appealed(
    store: &Arc<dyn Store>,
    [moderator, me, you]: [&Player; 3],
    verdict: Verdict,
    at_ms: i64,
) -> ReportId {
    let id = ReportId::random();
    let report = NewReport {
        id: id.clone(),
        reporter: me.id.clone(),
        reported: you.id.clone(),
        reason: ReportReason::Stalling,
        text: String::new(),
        match_id: None,
        chat_line: None,
        club: None,
        at_ms,
    };
    store.create_report(&report).await.expect("it is stored");
    let by = at(moderator, "so it is", at_ms);
    let taken = store.take_report(&id, &by, 0).await;
    assert!(taken.expect("the store answers"));
    let judged = store.resolve_report(&id, &verdict, &by).await;
    judged.expect("it is resolved");
    let appeal = store.create_appeal(&id, &you.id, "no", at_ms + 1).await;
    assert!(appeal.expect("the store answers"));
    id
}

async fn people(store: &Arc<dyn Store>) -> [Player; 3] {
    let mut people = Vec::new();
    for name in ["Mwalimu", "Amina", "Zofia"] {
        let new = NewPlayer {
            player: Player {
                id: PlayerId::random(),
                name: name.to_owned(),
                kind: PlayerKind::Account,
                level: None,
                look: Look::default(),
                created_ms: 1,
            },
            password_hash: Some("hash".to_owned()),
        };
        store.create_player(&new, None).await.expect("it is stored");
        people.push(new.player);
    }
    people.try_into().expect("three")
}

async fn a_later_measure_stays(store: Arc<dyn Store>) {
    let [moderator, me, you] = &people(&store).await;
    let who = [moderator, me, you];
    let early = appealed(&store, who, Verdict::Mute(Some(5_000)), 1_000).await;
    let late = appealed(&store, who, Verdict::Mute(None), 2_000).await;
    let by = at(me, "so be it", 3_000);
    let decided = store.decide_appeal(&early, true, &by).await;
    let decided = decided.expect("it answers").expect("it was open");
    assert_eq!(decided.changed, None);
    assert_eq!(decided.notice.kind, NoticeKind::AppealAccepted);
    assert_eq!(
        store.muted_until(&you.id).await.expect("it answers"),
        Some(i64::MAX)
    );
    let by = at(me, "so be it", 4_000);
    let decided = store.decide_appeal(&late, true, &by).await;
    let decided = decided.expect("it answers").expect("it was open");
    assert!(decided.changed.is_some());
    assert_eq!(
        store.muted_until(&you.id).await.expect("it answers"),
        Some(4_000)
    );
    // The operator has disabled the account anew since.
    let disabled = appealed(&store, who, Verdict::Disable(None), 5_000).await;
    for change in [AccountChange::Enable, AccountChange::Disable] {
        let operator = Attribution {
            by: None,
            why: "for another reason".to_owned(),
            at_ms: 6_000,
        };
        let changed = store.change_account(&you.id, &change, &operator).await;
        changed.expect("it can be changed");
    }
    let by = at(me, "so be it", 7_000);
    let decided = store.decide_appeal(&disabled, true, &by).await;
    decided.expect("it answers").expect("it was open");
    let account = store.account(&you.id).await.expect("it answers");
    let still = account.expect("an account").disabled.expect("it is");
    assert_eq!(still.why, "for another reason");
    let by_report = store.decision_at(&you.id, Resolution::Disable, 5_000).await;
    let by_report = by_report.expect("it answers").map(|row| row.id);
    assert_eq!(by_report.as_ref(), Some(&disabled));
    for (resolution, at_ms) in [
        // The operator's is of no report.
        (Resolution::Disable, 6_000),
        (Resolution::Mute, 5_000),
    ] {
        let none = store.decision_at(&you.id, resolution, at_ms).await;
        assert!(none.expect("it answers").is_none(), "{resolution:?}");
    }
    let decisions = store.decisions_about(&you.id, 10).await;
    let decisions: Vec<(ReportId, Resolution)> = decisions
        .expect("it answers")
        .into_iter()
        .filter_map(|row| Some((row.id, row.resolved?.resolution)))
        .collect();
    assert_eq!(
        decisions,
        [
            (disabled, Resolution::Disable),
            (late, Resolution::Mute),
            (early, Resolution::Mute)
        ]
    );
}

async fn pages_follow_each_other(store: Arc<dyn Store>) {
    let [moderator, me, you] = &people(&store).await;
    let mut made = Vec::new();
    for at_ms in [10, 20, 30] {
        made.push(appealed(&store, [moderator, me, you], Verdict::Warn, at_ms).await);
    }
    let list = async |state, cursor: Option<ReportCursor>| {
        let filter = ReportFilter { about: None, state };
        let rows = store.reports(&filter, cursor.as_ref(), 2).await;
        let rows = rows.expect("the store answers").into_iter();
        rows.map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(list(ReportState::Appealed, None).await, made[..2]);
    let cursor = ReportCursor {
        at_ms: 21,
        id: made[1].clone(),
    };
    assert_eq!(list(ReportState::Appealed, Some(cursor)).await, made[2..]);
    for (id, at_ms) in made.iter().zip([300, 100, 200]) {
        let decided = store.decide_appeal(id, false, &at(me, "no", at_ms)).await;
        assert!(decided.expect("the store answers").is_some());
    }
    assert!(list(ReportState::Appealed, None).await.is_empty());
    let latest = list(ReportState::AppealDecided, None).await;
    assert_eq!(latest, [made[0].clone(), made[2].clone()]);
    let cursor = ReportCursor {
        at_ms: 200,
        id: made[2].clone(),
    };
    let rest = list(ReportState::AppealDecided, Some(cursor)).await;
    assert_eq!(rest, made[1..2]);
}

async fn of_two_decisions_one_is_made(store: Arc<dyn Store>) {
    let [moderator, me, you] = &people(&store).await;
    let id = appealed(&store, [moderator, me, you], Verdict::Warn, 10).await;
    let (one, other) = (at(me, "yes", 20), at(moderator, "no", 20));
    let (a, b) = tokio::join!(
        store.decide_appeal(&id, true, &one),
        store.decide_appeal(&id, false, &other)
    );
    let (a, b) = (a.expect("it answers"), b.expect("it answers"));
    assert!(a.is_some() != b.is_some());
    let row = store.report(&id).await.expect("it answers");
    let resolved = row.expect("the report").resolved.expect("it is");
    let end = resolved.appeal.expect("an appeal").end.expect("its end");
    assert_eq!(end.is_accepted, a.is_some());
    assert_eq!(end.note, if a.is_some() { "yes" } else { "no" });
    // A decision of the same moderator gives no notice to them.
    let told = store.notices_about(id.as_str()).await.expect("it answers");
    let to_moderator = told.iter().any(|row| row.player == moderator.id);
    assert_eq!(to_moderator, a.is_some());
}

async fn a_deleted_account_leaves_no_words(store: Arc<dyn Store>) {
    let [moderator, me, you] = &people(&store).await;
    let id = appealed(&store, [moderator, me, you], Verdict::Warn, 10).await;
    let decided = store.decide_appeal(&id, false, &at(me, "no", 20)).await;
    decided.expect("it answers").expect("it was open");
    let delete = AccountChange::Delete("deleted-1".to_owned());
    let by = at(moderator, "", 30);
    let deleted = store.change_account(&you.id, &delete, &by).await;
    deleted.expect("it is deleted");
    let row = store.report(&id).await.expect("it answers");
    let resolved = row.expect("the report").resolved.expect("it is");
    let appeal = resolved.appeal.expect("an appeal");
    assert_eq!(
        (
            appeal.text.as_str(),
            appeal.end.expect("its end").note.as_str()
        ),
        ("", "")
    );
}
