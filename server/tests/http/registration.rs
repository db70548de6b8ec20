//! Registration: open, by invitation, and closed.

use mawe_server::page::site::Registration;
use mawe_store::{AccountChange, Attribution, AuditFilter};
use mawe_wire::grants::Grant;
use serde_json::{Value, json};

use super::credentials;
use crate::common::{Answer, PASSWORD, Person, TestServer};

const ACCOUNTS: &str = "/api/v1/accounts";
const INVITATIONS: &str = "/api/v1/invitations";

async fn server(registration: Registration) -> TestServer {
    TestServer::start_with(|config| config.site.registration = registration).await
}

/// Makes an account as the operator does, without a registration; returns its owner, logged in.
async fn made_by_hand(server: &TestServer, name: &str, grant: Option<Grant>) -> Person {
    let app = server.app();
    let password_hash = app.passwords.hash(PASSWORD.to_owned()).await;
    let player = mawe_store::Player {
        id: mawe_wire::ids::PlayerId::random(),
        name: name.to_owned(),
        kind: mawe_wire::PlayerKind::Account,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 1,
    };
    let id = player.id.clone();
    let new = mawe_store::NewPlayer {
        player,
        password_hash: Some(password_hash.expect("a hash")),
    };
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 1,
    };
    let created = app.store.create_account(&new, &attribution).await;
    created.expect("the name is free");
    if let Some(grant) = grant {
        let grant = AccountChange::Grant(grant);
        let granted = app.store.change_account(&id, &grant, &attribution).await;
        granted.expect("it can be granted");
    }
    let mut person = server.stranger();
    let entered = person
        .post("/api/v1/sessions", &credentials(name, PASSWORD))
        .await;
    assert_eq!(entered.status, 200, "{entered:?}");
    person
}

async fn operator(server: &TestServer) -> Person {
    made_by_hand(server, "Mjuzi", Some(Grant::Operator)).await
}

async fn register(person: &mut Person, name: &str, code: Option<&str>) -> Answer {
    let mut body = credentials(name, PASSWORD);
    if let Some(code) = code {
        body["invitation"] = json!(code);
    }
    person.post(ACCOUNTS, &body).await
}

async fn invite(operator: &mut Person, wanted: &Value) -> Value {
    let made = operator.post(INVITATIONS, wanted).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

fn code_of(invitation: &Value) -> &str {
    invitation["code"].as_str().expect("a code")
}

async fn mode(person: &Person) -> Value {
    person.get("/api/v1/me").await.json()["site"]["registration"].clone()
}

#[tokio::test]
async fn an_invitation_makes_its_accounts_and_no_more() {
    let server = server(Registration::Invite).await;
    assert_eq!(mode(&server.stranger()).await, "invite");
    let mut operator = operator(&server).await;
    let made = invite(
        &mut operator,
        &json!({ "uses": 2, "days": 3, "note": "class 4b" }),
    )
    .await;
    let code = code_of(&made);
    let link = made["link"].as_str().expect("a link");
    assert_eq!(
        link,
        format!("http://{}/register?invite={code}", server.address)
    );

    register(&mut server.stranger(), "Asha", None)
        .await
        .problem(403, "invitation-needed");
    register(&mut server.stranger(), "Asha", Some("  "))
        .await
        .problem(403, "invitation-needed");
    for wrong in ["AAAA-BBBB-CCCC-DDDD", "none", &"0".repeat(10_000)] {
        register(&mut server.stranger(), "Asha", Some(wrong))
            .await
            .bad_field("bad-invitation", "invitation");
    }
    // As a person types it.
    let typed = code.to_lowercase().replace('-', " ");
    let asha = register(&mut server.stranger(), "Asha", Some(&typed)).await;
    assert_eq!(asha.status, 201, "{asha:?}");
    // A taken name uses nothing, and says so only to the holder of a code.
    register(&mut server.stranger(), "ASHA", Some(code))
        .await
        .problem(409, "name-taken");
    register(&mut server.stranger(), "ASHA", Some("AAAA-BBBB-CCCC-DDDD"))
        .await
        .bad_field("bad-invitation", "invitation");

    // A guest keeps the matches by it, and needs it too.
    let mut guest = server.guest().await;
    let id = server.player_id(&guest.name().await).await;
    register(&mut guest, "Bahati", None)
        .await
        .problem(403, "invitation-needed");
    let kept = register(&mut guest, "Bahati", Some(code)).await;
    assert_eq!(kept.status, 201, "{kept:?}");
    assert_eq!(server.player_id("Bahati").await, id);

    register(&mut server.stranger(), "Chiku", Some(code))
        .await
        .bad_field("bad-invitation", "invitation");
    let list = operator.get(INVITATIONS).await.json();
    let row = &list["items"][0];
    assert_eq!(
        (&row["id"], &row["used"], &row["uses"], &row["open"]),
        (&made["id"], &json!(2), &json!(2), &json!(false))
    );
    assert_eq!(
        (&row["note"], &row["created_by"], &list["next"]),
        (&json!("class 4b"), &json!("Mjuzi"), &Value::Null)
    );
    assert!(!list.to_string().contains(code), "{list}");
    server.stop().await;
}

#[tokio::test]
async fn a_revoked_invitation_and_one_of_another_server_make_no_account() {
    let server = server(Registration::Invite).await;
    let other = self::server(Registration::Invite).await;
    let mut operator = operator(&server).await;
    let mut elsewhere = self::operator(&other).await;
    let foreign = invite(&mut elsewhere, &json!({})).await;
    register(&mut server.stranger(), "Asha", Some(code_of(&foreign)))
        .await
        .bad_field("bad-invitation", "invitation");

    let made = invite(&mut operator, &json!({ "uses": 9 })).await;
    let path = format!("{INVITATIONS}/{}", made["id"].as_str().expect("an id"));
    for _ in 0..2 {
        let revoked = operator.delete(&path).await;
        assert_eq!(revoked.status, 204, "{revoked:?}");
    }
    register(&mut server.stranger(), "Asha", Some(code_of(&made)))
        .await
        .bad_field("bad-invitation", "invitation");
    let row = operator.get(INVITATIONS).await.json()["items"][0].clone();
    assert!(
        row["revoked_at"].is_string() && row["open"] == false,
        "{row}"
    );
    operator
        .delete(&format!("{INVITATIONS}/AAAAAAAAAAAA"))
        .await
        .problem(404, "not-found");

    let all = AuditFilter::default();
    let log = server.app().store.audit(&all, None, 9);
    let log = log.await.expect("the store answers");
    let actions: Vec<&str> = log.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(actions[..2], ["revoke-invitation", "invite"]);
    let author = log[1].actor.as_ref().expect("its author");
    assert_eq!(author.name, "Mjuzi");
    assert!(!log[1].detail.contains(code_of(&made)));
    server.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn of_many_who_register_at_once_the_last_use_is_given_once() {
    let server = server(Registration::Invite).await;
    let mut operator = operator(&server).await;
    let made = invite(&mut operator, &json!({ "uses": 3 })).await;
    let mut people = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (mut person, code) = (server.stranger(), code_of(&made).to_owned());
        people.spawn(async move {
            let name = format!("Person-{number}");
            register(&mut person, &name, Some(&code)).await.status
        });
    }
    let mut statuses = people.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[..3], [201; 3]);
    assert_eq!(statuses[3..], [422; 5]);
    server.stop().await;
}

#[tokio::test]
async fn an_open_server_ignores_codes_and_a_closed_one_takes_nobody() {
    let open = server(Registration::Open).await;
    let mut operator = operator(&open).await;
    assert_eq!(
        open.stranger().get("/api/v1/me").await.json()["site"],
        Value::Null
    );
    let made = invite(&mut operator, &json!({})).await;
    for (name, code) in [("Asha", code_of(&made)), ("Bahati", "nonsense")] {
        let there = register(&mut open.stranger(), name, Some(code)).await;
        assert_eq!(there.status, 201, "{there:?}");
    }
    let row = open.app().store.invitations(None, 1).await;
    assert_eq!(row.expect("the store answers")[0].used, 0);
    open.stop().await;

    let closed = server(Registration::Closed).await;
    assert_eq!(mode(&closed.stranger()).await, "closed");
    let mut operator = self::operator(&closed).await;
    let made = invite(&mut operator, &json!({})).await;
    let mut guest = closed.guest().await;
    for code in [None, Some(code_of(&made))] {
        for person in [&mut closed.stranger(), &mut guest] {
            register(person, "Asha", code)
                .await
                .problem(403, "registration-closed");
        }
    }
    // The operator makes accounts, and their owners log in.
    let mut asha = made_by_hand(&closed, "Asha", None).await;
    assert_eq!(asha.name().await, "Asha");
    asha.post(INVITATIONS, &json!({}))
        .await
        .problem(403, "operators-only");
    closed.stop().await;
}

#[tokio::test]
async fn a_bad_invitation_is_refused_by_its_field() {
    let server = server(Registration::Invite).await;
    let mut admin = made_by_hand(&server, "Mkuu", Some(Grant::Admin)).await;
    for (wanted, code, field) in [
        (json!({ "uses": 0 }), "bad-field", "uses"),
        (json!({ "uses": 501 }), "bad-field", "uses"),
        (json!({ "uses": -1 }), "bad-field", "uses"),
        (json!({ "uses": "many" }), "bad-field", "uses"),
        (json!({ "days": 0 }), "bad-field", "days"),
        (json!({ "days": 366 }), "bad-field", "days"),
        (json!({ "note": "x".repeat(81) }), "bad-text", "note"),
        (json!({ "note": "a\u{0}b" }), "bad-text", "note"),
        (json!({ "code": "x" }), "bad-field", "code"),
    ] {
        admin
            .post(INVITATIONS, &wanted)
            .await
            .bad_field(code, field);
    }
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=1.x", "cursor"),
    ] {
        admin
            .get(&format!("{INVITATIONS}?{query}"))
            .await
            .bad_field("bad-filter", field);
    }
    let mut ids = Vec::new();
    for _ in 0..5 {
        let made = invite(&mut admin, &json!({})).await;
        ids.push(made["id"].clone());
    }
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = admin
            .get(&format!("{INVITATIONS}?limit=2{cursor}"))
            .await
            .json();
        let items = page["items"].as_array().expect("items");
        found.extend(items.iter().map(|item| item["id"].clone()));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
    }
    let sorted = |mut ids: Vec<Value>| {
        ids.sort_by_key(Value::to_string);
        ids
    };
    assert_eq!(sorted(found), sorted(ids));
    server.stop().await;
}

#[tokio::test]
async fn an_address_cannot_try_codes_without_end() {
    let server = TestServer::start_with(|config| {
        config.site.registration = Registration::Invite;
        config.rates.sign_ups_per_minute = 5.try_into().expect("not zero");
    })
    .await;
    let mut operator = operator(&server).await;
    let made = invite(&mut operator, &json!({ "uses": 500 })).await;
    let mut statuses = Vec::new();
    for number in 0..40 {
        let code = format!("AAAA-BBBB-CCCC-{number:04}");
        let tried = register(&mut server.stranger(), "Asha", Some(&code)).await;
        statuses.push(tried.status.as_u16());
    }
    let tried = statuses.iter().filter(|status| **status == 422).count();
    // Five at once, and one more for each twelve seconds that the requests took.
    assert!((5..20).contains(&tried), "{statuses:?}");
    assert!(statuses.iter().all(|status| [422, 429].contains(status)));
    // The right code does not help there, and one address does not lock another out.
    let mut crowd = Vec::new();
    for _ in 0..20 {
        crowd.push(register(&mut server.stranger(), "Asha", Some(code_of(&made))).await);
    }
    assert!(crowd.iter().any(|answer| answer.status == 429));
    let mut elsewhere = server.stranger().at_address([127, 0, 0, 2]);
    let there = register(&mut elsewhere, "Bahati", Some(code_of(&made))).await;
    assert_eq!(there.status, 201, "{there:?}");
    server.stop().await;
}

#[tokio::test]
async fn the_number_of_invitations_is_bounded() {
    let server = server(Registration::Invite).await;
    let mut operator = operator(&server).await;
    let store = &server.app().store;
    for number in 0..500_u32 {
        let mut code = [0; 32];
        code[..4].copy_from_slice(&number.to_be_bytes());
        let new = mawe_store::NewInvitation {
            id: mawe_wire::ids::InvitationId::random(),
            code,
            note: String::new(),
            uses: 1,
            expires_ms: i64::MAX,
        };
        let by = Attribution {
            by: None,
            why: String::new(),
            at_ms: 1,
        };
        let made = store.create_invitation(&new, 500, &by).await;
        assert!(made.expect("the store answers"));
    }
    operator
        .post(INVITATIONS, &json!({}))
        .await
        .problem(422, "too-many-invitations");
    server.stop().await;
}
