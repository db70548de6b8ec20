//! E-mail addresses and new passwords by mail, with a mail server of the test.

use std::time::Duration;

use mawe_server::clock::unix_ms;
use mawe_store::AccountChange;
use mawe_wire::Language;
use reqwest::Method;
use serde_json::{Value, json};

use super::credentials;
use crate::common::mail_server::{MailServer, ORIGIN};
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer, eventually};

const MINE: &str = "/api/v1/me/email";
const CONFIRMATIONS: &str = "/api/v1/email-confirmations";
const RESETS: &str = "/api/v1/password-resets";
const NEW: &str = "korosho na machungwa";

async fn server(mails: &MailServer) -> TestServer {
    let settings = mails.settings();
    TestServer::start_with(|config| {
        config.mail = Some(settings);
        config.network.origin = Some(ORIGIN.to_owned());
    })
    .await
}

async fn set(person: &mut Person, address: &str) -> Answer {
    let body = json!({ "address": address, "password": PASSWORD });
    let request = person.request(Method::PUT, MINE).json(&body);
    person.send(request).await
}

async fn remove(person: &mut Person, password: &str) -> Answer {
    let body = json!({ "password": password });
    let request = person.request(Method::DELETE, MINE).json(&body);
    person.send(request).await
}

async fn confirm(server: &TestServer, token: &str) -> Answer {
    let body = json!({ "token": token });
    server.stranger().post(CONFIRMATIONS, &body).await
}

async fn ask(server: &TestServer, account: &str) -> Answer {
    let body = json!({ "account": account });
    server.stranger().post(RESETS, &body).await
}

async fn reset(person: &mut Person, token: &str, new_password: &str) -> Answer {
    let body = json!({ "token": token, "new_password": new_password });
    person.post(&format!("{RESETS}/use"), &body).await
}

async fn log_in(server: &TestServer, name: &str, password: &str) -> Answer {
    let body = credentials(name, password);
    server.stranger().post("/api/v1/sessions", &body).await
}

/// Gives an account a confirmed address.
async fn confirmed(server: &TestServer, mails: &MailServer, person: &mut Person, address: &str) {
    let before = mails.received().len();
    let answer = set(person, address).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let received = mails.wait_for(before + 1).await;
    let token = received[before].token("/confirm-email");
    let answer = confirm(server, &token).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// Asks for a new password; returns the token of the link.
async fn token(server: &TestServer, mails: &MailServer, account: &str) -> String {
    let before = mails.received().len();
    assert_eq!(ask(server, account).await.status, 202);
    mails.wait_for(before + 1).await[before].token("/reset-password")
}

/// Waits until all requests and mails so far have been dealt with: a mail for another account comes after them.
async fn settled(server: &TestServer, mails: &MailServer, witness: &str) {
    let before = mails.received().len();
    assert_eq!(ask(server, witness).await.status, 202);
    eventually("the mail of the witness", || async {
        let received = mails.received();
        let mut later = received[before..].iter();
        later
            .any(|mail| mail.text().contains(witness))
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_forgets_the_password_sets_a_new_one_by_a_link_once() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    let none = json!({ "address": null, "confirmed_at": null, "waiting": null });
    assert_eq!(amina.get(MINE).await.json(), none);

    // The address waits for its confirmation.
    let waits = set(&mut amina, " Amina@Example.org ").await.json();
    assert_eq!(waits["address"], Value::Null);
    assert_eq!(waits["waiting"]["address"], "Amina@Example.org");
    let mail = &mails.wait_for(1).await[0];
    assert_eq!(mail.to, "Amina@Example.org");
    assert_eq!(mail.header("From"), "Club <noreply@club.example>");
    assert_eq!(mail.header("To"), "Amina@Example.org");
    assert_eq!(mail.header("Auto-Submitted"), "auto-generated");
    assert!(mail.header("Message-ID").ends_with("@mawe.example>"));
    let subject = mail.header("Subject");
    assert!(subject.contains("Amina"), "{subject}");
    assert!(mail.text().contains("Mawe!"), "{}", mail.text());
    let link = mail.token("/confirm-email");
    let done = confirm(&server, &link).await;
    let expected = json!({ "name": "Amina", "address": "Amina@Example.org" });
    assert_eq!(done.json(), expected);
    confirm(&server, &link).await.problem(410, "link-expired");
    let own = amina.get(MINE).await.json();
    assert_eq!(own["address"], "Amina@Example.org");
    assert!(
        own["confirmed_at"].is_string() && own["waiting"].is_null(),
        "{own}"
    );

    // By the name or by the address.
    let by_name = token(&server, &mails, "amina").await;
    assert_eq!(mails.received().len(), 2);
    let by_address = token(&server, &mails, "amina@example.ORG").await;
    let mut socket = Socket::open(&amina).await;
    let mut elsewhere = server.stranger();
    // The newer link has replaced the older one.
    let refused = reset(&mut elsewhere, &by_name, NEW).await;
    refused.problem(410, "link-expired");
    let weak = reset(&mut elsewhere, &by_address, "amina").await;
    weak.bad_field("weak-password", "new_password");
    let entered = reset(&mut elsewhere, &by_address, NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(entered.json()["player"]["name"], "Amina");
    assert_eq!(elsewhere.name().await, "Amina");
    // The other session ends, with its socket; the address stays.
    assert_eq!(amina.get("/api/v1/me").await.json()["player"], Value::Null);
    assert_eq!(socket.rest().await.1, Some(1000));
    log_in(&server, "Amina", PASSWORD)
        .await
        .problem(401, "wrong-credentials");
    assert_eq!(log_in(&server, "Amina", NEW).await.status, 200);
    let own = elsewhere.get(MINE).await.json();
    assert_eq!(own["address"], "Amina@Example.org");
    // The link is used up.
    let again = reset(&mut server.stranger(), &by_address, PASSWORD).await;
    again.problem(410, "link-expired");
    server.stop().await;
}

#[tokio::test]
async fn without_a_mail_server_no_address_is_set_and_a_stored_one_can_be_removed() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let none = json!({ "address": null, "confirmed_at": null, "waiting": null });
    assert_eq!(amina.get(MINE).await.json(), none);
    set(&mut amina, "a@example.org")
        .await
        .problem(403, "mail-off");
    assert_eq!(remove(&mut amina, PASSWORD).await.status, 204);
    confirm(&server, "none").await.problem(403, "mail-off");
    ask(&server, "Amina").await.problem(403, "mail-off");
    let refused = reset(&mut server.stranger(), "none", NEW).await;
    refused.problem(403, "mail-off");
    assert_eq!(amina.get("/api/v1/me").await.json()["site"], Value::Null);

    // An address of the time in which the server sent mail, and a newer one that waits for its confirmation.
    let id = server.player_id("Amina").await;
    let store = &server.app().store;
    let draw = || mawe_server::identity::email_addresses::draw_link(unix_ms(), 60_000);
    let (token, link) = draw();
    let stored = store.await_email(&id, "amina@example.org", &link).await;
    stored.expect("it is stored");
    let token = mawe_server::identity::email_addresses::token_hash(&token).expect("a token");
    let confirmed = store.confirm_email(&token, unix_ms()).await;
    assert!(confirmed.expect("the store answers").is_some());
    let stored = store.await_email(&id, "new@example.org", &draw().1).await;
    stored.expect("it is stored");
    let own = amina.get(MINE).await.json();
    assert_eq!(own["address"], "amina@example.org");
    assert_eq!(own["waiting"]["address"], "new@example.org");
    remove(&mut amina, "not the password")
        .await
        .problem(401, "wrong-credentials");
    assert_eq!(remove(&mut amina, PASSWORD).await.status, 204);
    assert_eq!(amina.get(MINE).await.json(), none);
    server.stop().await;

    let mails = MailServer::start().await;
    let server = self::server(&mails).await;
    let me = server.stranger().get("/api/v1/me").await.json();
    assert_eq!(me["site"]["mail"], true);
    assert_eq!(me["site"]["registration"], "open");
    server.stop().await;
}

#[tokio::test]
async fn the_answer_does_not_say_whether_there_is_such_an_account() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    confirmed(&server, &mails, &mut amina, "amina@example.org").await;
    server.account("Baraka").await;
    let mut waiting = server.account("Chiku").await;
    assert_eq!(set(&mut waiting, "chiku@example.org").await.status, 200);
    let guest = server.guest().await.name().await;
    let mut answers = Vec::new();
    for account in [
        "Amina",
        "amina@example.org",
        "Baraka",
        "Chiku",
        "chiku@example.org",
        "Nobody",
        "nobody@example.org",
        &guest,
        "mawe-Kete",
        "",
        "@",
        "null\0",
        "null\0@example.org",
        "amina@example.org\r\nBcc: b@example.org",
        "അമ്മു",
        "%",
        &"x".repeat(10_000),
    ] {
        let mut answer = ask(&server, account).await;
        assert_eq!(answer.status, 202, "{account}");
        for changing in ["date", "x-request-id"] {
            answer.headers.remove(changing);
        }
        answers.push((format!("{:?}", answer.headers), answer.body));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    // Two mails to Amina, and the two confirmations.
    let received = mails.wait_for(4).await;
    settled(&server, &mails, "Amina").await;
    assert_eq!(mails.received().len(), 5);
    assert!(received.iter().all(|mail| mail.headers("Bcc").is_empty()));
    let nobody_else = ["amina@example.org", "chiku@example.org"];
    assert!(
        received
            .iter()
            .all(|mail| nobody_else.contains(&mail.to.as_str()))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_requests_fills_no_mailbox() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    let mut witness = server.account("Witness").await;
    confirmed(&server, &mails, &mut amina, "amina@example.org").await;
    confirmed(&server, &mails, &mut witness, "witness@example.org").await;
    // Many addresses share the work, and still the account gets three mails.
    let mut refused = 0;
    for host in 1..=3 {
        let mut flooder = server.stranger().at_address([127, 0, 1, host]);
        for number in 0..25 {
            let account = if number % 2 == 0 {
                "Amina"
            } else {
                "amina@example.org"
            };
            let answer = flooder.post(RESETS, &json!({ "account": account })).await;
            if answer.status == 429 {
                answer.problem(429, "too-many-requests");
                refused += 1;
            } else {
                assert_eq!(answer.status, 202, "{answer:?}");
            }
            // The queue is emptied as fast as this, so that its length is not what limits.
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    // Each address asks 20 times, and may have got one or two more in the meantime.
    assert!((9..=15).contains(&refused), "{refused}");
    settled(&server, &mails, "Witness").await;
    let received = mails.received();
    let to_amina = received
        .iter()
        .filter(|mail| mail.to == "amina@example.org");
    assert_eq!(to_amina.clone().count(), 1 + 3);
    // One of them is good: the one that was written last. Several mails are under way at once, so it may arrive before another.
    let mut entered = Vec::new();
    for mail in to_amina.skip(1) {
        let token = mail.token("/reset-password");
        let answer = reset(&mut server.stranger(), &token, NEW).await;
        entered.push(answer.status);
    }
    entered.sort_unstable();
    assert_eq!(entered, [200, 410, 410]);

    // Nor do many accounts fill the mailbox of somebody else with confirmations.
    for number in 0..5 {
        let mut one = server.account(&format!("Flooder{number}")).await;
        assert_eq!(set(&mut one, "victim@example.org").await.status, 200);
    }
    let mut one = server.account("Flooder").await;
    for _ in 0..5 {
        assert_eq!(set(&mut one, "other@example.org").await.status, 200);
    }
    let refused = set(&mut one, "other@example.org").await;
    refused.problem(429, "too-many-requests");
    let to = |address: &str| {
        let received = mails.received();
        received.iter().filter(|mail| mail.to == address).count()
    };
    eventually("six mails", || async {
        (to("victim@example.org") + to("other@example.org") == 6).then_some(())
    })
    .await;
    settled(&server, &mails, "Witness").await;
    assert_eq!([to("victim@example.org"), to("other@example.org")], [3, 3]);
    let limited = server
        .app()
        .mail
        .as_ref()
        .expect("mail")
        .meters()
        .limited
        .get();
    assert!(limited >= 4 + 60 - 3, "{limited}");
    server.stop().await;
}

#[tokio::test]
async fn an_address_wants_the_password_and_a_form() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    let body = json!({ "address": "a@example.org", "password": "not the password" });
    let request = amina.request(Method::PUT, MINE).json(&body);
    amina.send(request).await.problem(401, "wrong-credentials");
    remove(&mut amina, "not the password")
        .await
        .problem(401, "wrong-credentials");
    for address in [
        "",
        "amina",
        "amina@example",
        "amina@example.org\r\nBcc: b@example.org",
        "amina@example.org\nRCPT TO:<b@example.org>",
        "amina@example.org>\r\nDATA",
        "amina@example.org, b@example.org",
        "Amina <amina@example.org>",
        "അമ്മു@example.org",
        "amina@bücher.example",
        "null\0@example.org",
        &format!("{}@example.org", "a".repeat(65)),
        &format!("a@{}example.org", "b23456789.".repeat(25)),
        &"a".repeat(5_000),
    ] {
        let refused = set(&mut amina, address).await;
        refused.bad_field("bad-email", "address");
    }
    let none = json!({ "address": null, "confirmed_at": null, "waiting": null });
    assert_eq!(amina.get(MINE).await.json(), none);
    let mut guest = server.guest().await;
    set(&mut guest, "a@example.org")
        .await
        .problem(403, "account-needed");
    guest.get(MINE).await.problem(403, "account-needed");
    let mut bot = server.account("Mtambo").await;
    confirmed(&server, &mails, &mut bot, "bot@example.org").await;
    assert_eq!(bot.post("/api/v1/me/bot", &json!({})).await.status, 200);
    bot.get(MINE).await.problem(403, "no-bots");
    let id = server.player_id("Mtambo").await;
    let stored = server
        .app()
        .store
        .email(&id)
        .await
        .expect("the store answers");
    assert_eq!(stored.confirmed, None, "a program has no address");
    assert!(
        mails
            .commands()
            .iter()
            .all(|line| !line.contains("b@example.org"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_former_address_is_told_and_its_links_end() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    confirmed(&server, &mails, &mut amina, "old@example.org").await;
    let old = token(&server, &mails, "Amina").await;
    assert_eq!(set(&mut amina, "typo@example.org").await.status, 200);
    let typo = mails.wait_for(3).await[2].token("/confirm-email");
    assert_eq!(set(&mut amina, "new@example.org").await.status, 200);
    let new = mails.wait_for(4).await[3].token("/confirm-email");
    // The address that was mistyped does not count any more, and the old one still does.
    confirm(&server, &typo).await.problem(410, "link-expired");
    assert_eq!(amina.get(MINE).await.json()["address"], "old@example.org");
    assert_eq!(confirm(&server, &new).await.status, 200);
    let told = &mails.wait_for(5).await[4];
    assert_eq!(told.to, "old@example.org");
    assert!(!told.raw.contains("new@example.org"), "{}", told.raw);
    let refused = reset(&mut server.stranger(), &old, NEW).await;
    refused.problem(410, "link-expired");

    let latest = token(&server, &mails, "Amina").await;
    assert_eq!(remove(&mut amina, PASSWORD).await.status, 204);
    let told = &mails.wait_for(7).await[6];
    assert_eq!(told.to, "new@example.org");
    let refused = reset(&mut server.stranger(), &latest, NEW).await;
    refused.problem(410, "link-expired");
    assert_eq!(amina.get(MINE).await.json()["address"], Value::Null);
    // Nothing is left to remove, and nobody to tell.
    assert_eq!(remove(&mut amina, PASSWORD).await.status, 204);
    server.stop().await;
}

#[tokio::test]
async fn a_changed_password_ends_the_link_and_one_of_the_operator_the_address() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.stranger();
    let made = amina
        .post("/api/v1/accounts", &credentials("Amina", PASSWORD))
        .await;
    let code = made.text("/recovery_codes/0");
    confirmed(&server, &mails, &mut amina, "amina@example.org").await;
    let link = token(&server, &mails, "Amina").await;
    let body = json!({ "old": PASSWORD, "new": NEW });
    assert_eq!(amina.post("/api/v1/me/password", &body).await.status, 204);
    let refused = reset(&mut server.stranger(), &link, PASSWORD).await;
    refused.problem(410, "link-expired");

    let link = token(&server, &mails, "Amina").await;
    let body = json!({ "name": "Amina", "code": code, "new_password": PASSWORD });
    let recovered = amina.post("/api/v1/recoveries", &body).await;
    assert_eq!(recovered.status, 200, "{recovered:?}");
    let refused = reset(&mut server.stranger(), &link, NEW).await;
    refused.problem(410, "link-expired");
    assert_eq!(amina.get(MINE).await.json()["address"], "amina@example.org");

    let link = token(&server, &mails, "Amina").await;
    let stored = server.app().store.credentials("Amina").await;
    let (_, hash) = stored.expect("the store answers").expect("the account");
    server
        .change_account("Amina", AccountChange::SetPassword(hash))
        .await;
    let refused = reset(&mut server.stranger(), &link, NEW).await;
    refused.problem(410, "link-expired");
    let mut amina = server.stranger();
    amina
        .post("/api/v1/sessions", &credentials("Amina", PASSWORD))
        .await;
    assert_eq!(amina.get(MINE).await.json()["address"], Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn a_disabled_account_is_not_let_in_and_keeps_its_link() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    confirmed(&server, &mails, &mut amina, "amina@example.org").await;
    let link = token(&server, &mails, "Amina").await;
    server.change_account("Amina", AccountChange::Disable).await;
    let refused = reset(&mut server.stranger(), &link, NEW).await;
    let problem = refused.problem(403, "account-disabled");
    assert!(
        problem["detail"]
            .as_str()
            .is_some_and(|why| why.contains("because"))
    );
    server.change_account("Amina", AccountChange::Enable).await;
    let entered = reset(&mut server.stranger(), &link, NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");

    // A deleted one has neither.
    let link = token(&server, &mails, "Amina").await;
    let id = server.player_id("Amina").await;
    server
        .change_account("Amina", AccountChange::Delete("gone".into()))
        .await;
    let refused = reset(&mut server.stranger(), &link, NEW).await;
    refused.problem(410, "link-expired");
    let left = server
        .app()
        .store
        .email(&id)
        .await
        .expect("the store answers");
    assert_eq!((left.confirmed, left.waiting), (None, None));
    server.stop().await;
}

#[tokio::test]
async fn of_two_requests_with_one_link_one_is_let_in_and_no_other_account() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let mut amina = server.account("Amina").await;
    confirmed(&server, &mails, &mut amina, "amina@example.org").await;
    let link = token(&server, &mails, "Amina").await;
    let uses = (0..4).map(|number| {
        let (mut stranger, link) = (server.stranger(), link.clone());
        async move {
            let password = format!("{NEW} {number}");
            let answer = reset(&mut stranger, &link, &password).await;
            (answer.status == 200).then_some(password)
        }
    });
    let used = futures_util::future::join_all(uses).await;
    let used: Vec<String> = used.into_iter().flatten().collect();
    assert_eq!(used.len(), 1, "{used:?}");
    assert_eq!(log_in(&server, "Amina", &used[0]).await.status, 200);
    // A link confirms an address or sets a password, and no other text does either.
    let mut person = server.stranger();
    person
        .post("/api/v1/sessions", &credentials("Amina", &used[0]))
        .await;
    let body = json!({ "address": "next@example.org", "password": used[0] });
    let request = person.request(Method::PUT, MINE).json(&body);
    assert_eq!(person.send(request).await.status, 200);
    let confirmation = mails.wait_for(3).await[2].token("/confirm-email");
    let link = token(&server, &mails, "Amina").await;
    for wrong in [
        &confirmation,
        "",
        "none",
        &"0".repeat(40),
        &format!("{link}0"),
        "null\0",
    ] {
        let refused = reset(&mut server.stranger(), wrong, NEW).await;
        refused.problem(410, "link-expired");
    }
    confirm(&server, &link).await.problem(410, "link-expired");
    // Links reach an account of a person by the token alone: a body with a name is refused.
    let body = json!({ "token": link, "new_password": NEW, "name": "Baraka" });
    let refused = server
        .stranger()
        .post(&format!("{RESETS}/use"), &body)
        .await;
    refused.problem(422, "bad-field");
    server.stop().await;
}

#[tokio::test]
async fn accounts_of_one_address_are_in_one_mail_in_the_reader_s_language() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    let names: Vec<String> = (0..9).map(|number| format!("Child{number}")).collect();
    for name in &names {
        let mut person = server.account(name).await;
        // Of each account, so that the limit of mails to one address does not hold here.
        let id = server.player_id(name).await;
        let (token, link) = mawe_server::identity::email_addresses::draw_link(0, i64::MAX);
        let store = &server.app().store;
        store
            .await_email(&id, "family@example.org", &link)
            .await
            .expect("it is stored");
        assert_eq!(confirm(&server, &token).await.status, 200);
        let polish = json!({ "language": Language::Pl });
        assert_eq!(
            person.post("/api/v1/me/language", &polish).await.status,
            204
        );
    }
    assert_eq!(ask(&server, "Family@example.org").await.status, 202);
    let mail = &mails.wait_for(1).await[0];
    let links = mail.links("/reset-password");
    assert_eq!(links.len(), 8, "{}", mail.text());
    assert!(
        mail.text().contains("Ten adres ma więcej kont."),
        "{}",
        mail.text()
    );
    assert!(
        mail.header("Subject")
            .starts_with("Nowe hasło do konta Child")
    );
    // Each link is of the account that stands before it.
    for link in [&links[0], &links[7]] {
        let (name, token) = link.split_once('/').expect("a name and a token");
        assert!(names.contains(&name.to_owned()), "{link}");
        let mut person = server.stranger();
        assert_eq!(reset(&mut person, token, NEW).await.status, 200);
        assert_eq!(person.name().await, name);
    }
    // The language of the browser is for accounts without a chosen one.
    let mut other = server.account("Other").await;
    confirmed(&server, &mails, &mut other, "other@example.org").await;
    let stranger = server.stranger();
    let request = stranger
        .request(Method::POST, RESETS)
        .header("accept-language", "ml,en;q=0.5")
        .json(&json!({ "account": "Other" }));
    assert_eq!(Answer::of(request).await.status, 202);
    let mail = &mails.wait_for(3).await[2];
    assert!(mail.text().contains("നമസ്കാരം"), "{}", mail.text());
    assert!(mail.header("Subject").contains("പുതിയ പാസ്‌വേഡ്"));
    server.stop().await;
}

#[tokio::test]
async fn a_link_expires() {
    let mails = MailServer::start().await;
    let server = server(&mails).await;
    server.account("Amina").await;
    let id = server.player_id("Amina").await;
    let store = &server.app().store;
    let now = jiff::Timestamp::now().as_millisecond();
    let draw = |since| mawe_server::identity::email_addresses::draw_link(since, 1_000);
    let (late, link) = draw(now - 1_000);
    store
        .await_email(&id, "amina@example.org", &link)
        .await
        .expect("it is stored");
    confirm(&server, &late).await.problem(410, "link-expired");
    let (early, link) = draw(now + 60_000);
    store
        .await_email(&id, "amina@example.org", &link)
        .await
        .expect("it is stored");
    assert_eq!(confirm(&server, &early).await.status, 200);
    let (late, link) = draw(now - 1_000);
    let address = store.begin_reset(&id, &link).await.expect("it is stored");
    assert_eq!(address.as_deref(), Some("amina@example.org"));
    let refused = reset(&mut server.stranger(), &late, NEW).await;
    refused.problem(410, "link-expired");
    server.stop().await;
}
