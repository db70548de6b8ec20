//! Clubs over HTTP, with their notices on the socket.

use mawe_store::{AccountChange, CLUB_LIMITS};
use mawe_wire::NoticeKind;
use mawe_wire::grants::Grant;
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer};
use crate::moderation::{granted, resolve};

const CLUBS: &str = "/api/v1/clubs";

fn founding(handle: &str, name: &str, joining: &str) -> Value {
    json!({ "handle": handle, "name": name, "joining": joining })
}

async fn found(person: &mut Person, handle: &str, joining: &str) -> Value {
    let name = format!("Club {handle}");
    let made = person.post(CLUBS, &founding(handle, &name, joining)).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

fn at(handle: &str, rest: &str) -> String {
    format!("{CLUBS}/{handle}{rest}")
}

async fn join(person: &mut Person, handle: &str) -> String {
    let joined = person.post(&at(handle, "/members"), &json!({})).await;
    assert_eq!(joined.status, 200, "{joined:?}");
    joined.text("/standing")
}

#[track_caller]
fn done(answer: &Answer) {
    assert_eq!(answer.status, 204, "{answer:?}");
}

fn named(name: &str) -> Value {
    json!({ "player": name })
}

/// The names or handles of the rows of a list.
fn listed(answer: &Answer, pointer: &str) -> Vec<String> {
    let list = answer.json();
    let items = list["items"].as_array().expect("a list");
    let text = |item: &Value| {
        item.pointer(pointer)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    items.iter().filter_map(text).collect()
}

#[tokio::test]
async fn a_club_is_founded_found_joined_and_closed() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut body = founding("Dar-Mawe", "Mawe ya Dar", "open");
    body["description"] = json!({ "sw": "Karibu sana", "en": "Welcome" });
    body["banner"] = json!("Every Friday");
    let made = asha.post(CLUBS, &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let seen = server.stranger().get(&at("dar-mawe", "")).await.json();
    assert_eq!(
        (
            &seen["handle"],
            &seen["name"],
            &seen["standing"],
            &seen["members"]
        ),
        (
            &json!("Dar-Mawe"),
            &json!("Mawe ya Dar"),
            &json!("none"),
            &json!(1)
        )
    );
    assert_eq!(seen["description"], body["description"]);
    assert_eq!(seen["officers"][0]["name"], "Asha");
    let found = bahati.get(&format!("{CLUBS}?search=YA%20dar")).await;
    assert_eq!(listed(&found, "/handle"), ["Dar-Mawe"]);

    for _ in 0..2 {
        assert_eq!(join(&mut bahati, "Dar-Mawe").await, "member");
    }
    let _at_bahati = Socket::open(&bahati).await;
    let members = asha.get(&at("Dar-Mawe", "/members")).await;
    assert_eq!(listed(&members, "/player/name"), ["Asha", "Bahati"]);
    assert_eq!(members.json()["items"][1]["online"], true);
    let outside = server.stranger().get(&at("Dar-Mawe", "/members")).await;
    assert_eq!(
        outside.json()["items"][1]["online"],
        false,
        "members alone see who is here"
    );
    let of_player = server.stranger().get("/api/v1/players/bahati/clubs").await;
    assert_eq!(listed(&of_player, "/club/handle"), ["Dar-Mawe"]);
    let mine = asha.get("/api/v1/me/clubs").await.json();
    assert_eq!(mine["items"][0]["standing"], "officer");

    // A description is changed language by language.
    let edit = json!({ "description": { "en": "", "pl": "Witamy" }, "name": "Mawe Mjini" });
    let edited = asha.patch(&at("Dar-Mawe", ""), &edit).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let seen = asha.get(&at("Dar-Mawe", "")).await.json();
    assert_eq!(
        seen["description"],
        json!({ "sw": "Karibu sana", "pl": "Witamy" })
    );
    let log = asha.get(&at("Dar-Mawe", "/log")).await.json();
    assert_eq!(log["items"][0]["detail"], "name description");
    assert_eq!(log["items"][0]["actor"], "Asha");

    let close = |password: &str| json!({ "password": password });
    let path = at("Dar-Mawe", "");
    let close = async |person: &mut Person, password: &str| {
        let request = person.request(Method::DELETE, &path).json(&close(password));
        person.send(request).await
    };
    close(&mut bahati, PASSWORD)
        .await
        .problem(403, "officers-only");
    close(&mut asha, "not it")
        .await
        .problem(401, "wrong-credentials");
    done(
        &asha
            .post(&at("Dar-Mawe", "/officers"), &named("bahati"))
            .await,
    );
    close(&mut asha, PASSWORD)
        .await
        .problem(409, "other-officers");
    done(&asha.delete(&at("Dar-Mawe", "/officers/Bahati")).await);
    done(&close(&mut asha, PASSWORD).await);
    asha.get(&path).await.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn wrong_names_of_clubs_have_one_clear_answer() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut guest = server.guest().await;
    found(&mut asha, "stones", "open").await;
    for (handle, name, code, field) in [
        ("Stones", "Another club", "name-taken", "handle"),
        ("other", "club STONES", "name-taken", "name"),
        ("other", "C1ub St0nes", "name-taken", "name"),
        ("other", "\u{421}lub stones", "bad-name", "name"),
        ("admin", "Another club", "bad-name", "handle"),
        ("me", "Another club", "bad-name", "handle"),
        ("a b", "Another club", "bad-name", "handle"),
        ("other", "Mawe staff", "bad-name", "name"),
        ("other", "     ", "bad-name", "name"),
        ("other", "ab", "bad-name", "name"),
        ("other", &"a".repeat(10_000), "bad-name", "name"),
        ("other", "zero\u{200B}width", "bad-name", "name"),
        ("other", "right\u{202E}left", "bad-name", "name"),
    ] {
        let answer = asha.post(CLUBS, &founding(handle, name, "open")).await;
        let status = if code == "name-taken" { 409 } else { 422 };
        assert_eq!(answer.problem(status, code)["field"], field, "{answer:?}");
    }
    let mut long = founding("other", "Another club", "open");
    long["banner"] = json!("x".repeat(201));
    asha.post(CLUBS, &long)
        .await
        .bad_field("bad-text", "banner");
    let mut long = founding("other", "Another club", "open");
    long["description"] = json!({ "ml": "x".repeat(2_001) });
    asha.post(CLUBS, &long)
        .await
        .bad_field("bad-text", "description.ml");
    let mut wrong = founding("other", "Another club", "open");
    wrong["joining"] = json!("never");
    asha.post(CLUBS, &wrong)
        .await
        .bad_field("bad-field", "joining");
    guest
        .post(CLUBS, &founding("other", "Another club", "open"))
        .await
        .problem(403, "account-needed");
    asha.get(&at("nowhere", "")).await.problem(404, "not-found");
    asha.get(&at("a%00b", "")).await.problem(404, "not-found");
    for wrong in ["?cursor=x", "?cursor=5.", "?limit=0", "?limit=101"] {
        for path in [
            "",
            "/stones/members",
            "/stones/requests",
            "/stones/invitations",
            "/stones/matches",
        ] {
            asha.get(&format!("{CLUBS}{path}{wrong}"))
                .await
                .problem(422, "bad-filter");
        }
        asha.get(&format!("/api/v1/me/clubs{wrong}"))
            .await
            .problem(422, "bad-filter");
    }
    for wrong in ["?search=", "?search=%20"] {
        asha.get(&format!("{CLUBS}{wrong}"))
            .await
            .problem(422, "bad-filter");
    }
    asha.get(&at("stones", "/log?cursor=x"))
        .await
        .problem(422, "bad-filter");
    server.stop().await;
}

#[tokio::test]
async fn a_sixth_club_is_refused_and_a_flood_of_foundings_ends() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    for number in 0..CLUB_LIMITS.founded {
        found(&mut asha, &format!("club-{number}"), "open").await;
    }
    let sixth = founding("club-6", "The sixth", "open");
    asha.post(CLUBS, &sixth)
        .await
        .problem(422, "too-many-clubs");
    let mut refused = 0;
    for _ in 0..10 {
        let answer = asha.post(CLUBS, &sixth).await;
        refused += usize::from(answer.status == 429);
    }
    assert!(
        refused > 0,
        "an account founds and closes no clubs without end"
    );
    let mine = asha.get("/api/v1/me/clubs").await;
    assert_eq!(listed(&mine, "/club/handle").len(), 5);
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_changes_ends() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    found(&mut asha, "stones", "open").await;
    // Far more than the burst, and than what comes back to it meanwhile.
    for number in 0..1_000 {
        let answer = if number % 2 == 0 {
            bahati.post(&at("stones", "/members"), &json!({})).await
        } else {
            bahati.delete(&at("stones", "/members/Bahati")).await
        };
        if answer.status == 429 {
            server.stop().await;
            return;
        }
        assert!(answer.status.is_success(), "{answer:?}");
    }
    panic!("an account changes clubs without end");
}

#[tokio::test]
async fn requests_and_invitations_are_told_on_the_socket() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut chiku = server.account("Chiku").await;
    found(&mut asha, "asked", "request").await;
    let wish = json!({ "line": "  I play Oware  " });
    let asked = bahati.post(&at("asked", "/members"), &wish).await;
    assert_eq!(asked.text("/standing"), "requested");
    bahati
        .post(&at("asked", "/members"), &json!({ "line": "a\nb" }))
        .await
        .bad_field("bad-text", "line");
    let requests = asha.get(&at("asked", "/requests")).await;
    assert_eq!(listed(&requests, "/line"), ["I play Oware"]);
    let mine = bahati.get("/api/v1/me/clubs?standing=requested").await;
    assert_eq!(listed(&mine, "/club/handle"), ["asked"]);
    bahati
        .get(&at("asked", "/requests"))
        .await
        .problem(403, "officers-only");

    let mut at_bahati = Socket::open(&bahati).await;
    done(
        &asha
            .post(&at("asked", "/requests/Bahati/accept"), &json!({}))
            .await,
    );
    let (told, _) = at_bahati.notice(NoticeKind::ClubAccepted).await;
    assert_eq!(told.about.club.expect("a club").handle, "asked");
    asha.post(&at("asked", "/requests/Bahati/accept"), &json!({}))
        .await
        .problem(409, "no-join-request");

    let mut at_chiku = Socket::open(&chiku).await;
    done(
        &asha
            .post(&at("asked", "/invitations"), &named("chiku"))
            .await,
    );
    let (told, _) = at_chiku.notice(NoticeKind::ClubInvitation).await;
    assert_eq!(told.by.expect("an officer").name, "Asha");
    assert_eq!(join(&mut chiku, "asked").await, "member");
    let left = at_chiku.unread().await;
    assert_eq!(left, 0, "an invitation that was followed is no news");

    // The players that cannot be invited.
    let guest = server.guest().await.name().await;
    server.account("Zuwena").await;
    server
        .change_account("Zuwena", AccountChange::Disable)
        .await;
    for (name, status, code) in [
        ("Nobody", 404, "not-found"),
        (guest.as_str(), 422, "cannot-invite"),
        ("mawe-Kokoto", 422, "cannot-invite"),
        ("Zuwena", 422, "cannot-invite"),
        ("Asha", 422, "yourself"),
    ] {
        asha.post(&at("asked", "/invitations"), &named(name))
            .await
            .problem(status, code);
    }
    bahati
        .post(&at("asked", "/invitations"), &named("Chiku"))
        .await
        .problem(403, "officers-only");

    done(&asha.delete(&at("asked", "/members/Bahati")).await);
    let (told, _) = at_bahati.notice(NoticeKind::ClubRemoved).await;
    assert_eq!(
        told.by, None,
        "the club has removed the player, not one officer"
    );
    asha.delete(&at("asked", "/members/Bahati"))
        .await
        .problem(409, "not-a-member");
    bahati
        .delete(&at("asked", "/members/Bahati"))
        .await
        .problem(409, "not-a-member");
    asha.delete(&at("asked", "/members/Asha"))
        .await
        .problem(409, "last-officer");
    server.stop().await;
}

#[tokio::test]
async fn a_club_by_invitation_tells_others_its_name_only() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut chiku = server.account("Chiku").await;
    let mut body = founding("hidden", "Hidden club", "invitation");
    body["banner"] = json!("Secret");
    body["description"] = json!({ "en": "Secret" });
    assert_eq!(asha.post(CLUBS, &body).await.status, 201);
    let outside = bahati.get(&at("hidden", "")).await;
    assert!(
        !outside.json().to_string().contains("Secret"),
        "{outside:?}"
    );
    let outside = outside.json();
    assert_eq!(
        (
            &outside["name"],
            &outside["visible"],
            &outside["officers"],
            &outside["founder"]
        ),
        (
            &json!("Hidden club"),
            &json!(false),
            &json!([]),
            &Value::Null
        )
    );
    for rest in ["/members", "/matches", "/leaderboards/oware"] {
        bahati
            .get(&at("hidden", rest))
            .await
            .problem(403, "club-invitation-needed");
    }
    for person in [&asha, &bahati] {
        assert_eq!(listed(&person.get(CLUBS).await, "/handle"), [""; 0]);
        let of_player = person.get("/api/v1/players/Asha/clubs").await;
        assert_eq!(listed(&of_player, "/club/handle"), [""; 0]);
    }
    bahati
        .post(&at("hidden", "/members"), &json!({}))
        .await
        .problem(403, "club-invitation-needed");
    done(
        &asha
            .post(&at("hidden", "/invitations"), &named("Bahati"))
            .await,
    );
    let inside = bahati.get(&at("hidden", "")).await.json();
    assert_eq!(
        (&inside["banner"], &inside["standing"]),
        (&json!("Secret"), &json!("invited"))
    );
    let invited = bahati.get("/api/v1/me/clubs?standing=invited").await;
    assert_eq!(listed(&invited, "/club/handle"), ["hidden"]);
    done(&bahati.delete(&at("hidden", "/invitations/Bahati")).await);
    bahati
        .get(&at("hidden", "/members"))
        .await
        .problem(403, "club-invitation-needed");

    // Moderators look into it, change it with a reason, and close it.
    chiku
        .get(&at("hidden", "/members"))
        .await
        .problem(403, "club-invitation-needed");
    server
        .change_account("Chiku", AccountChange::Grant(Grant::Moderator))
        .await;
    let members = chiku.get(&at("hidden", "/members")).await;
    assert_eq!(listed(&members, "/player/name"), ["Asha"]);
    let path = "/api/v1/moderation/clubs/hidden";
    chiku
        .patch(path, &json!({ "banner": "", "why": " " }))
        .await
        .bad_field("bad-text", "why");
    let edited = chiku
        .patch(path, &json!({ "banner": "", "why": "rude" }))
        .await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let log = asha.get(&at("hidden", "/log")).await.json();
    assert_eq!(
        (&log["items"][0]["action"], &log["items"][0]["actor"]),
        (&json!("moderated"), &Value::Null)
    );
    let request = chiku
        .request(Method::DELETE, path)
        .json(&json!({ "why": "rude" }));
    done(&chiku.send(request).await);
    asha.get(&at("hidden", "")).await.problem(404, "not-found");
    let audit = chiku.get("/api/v1/moderation/audit").await.json();
    assert_eq!(audit["items"][0]["action"], "close-club");
    server.stop().await;
}

#[tokio::test]
async fn friends_and_clubs_may_challenge_where_a_player_says_so() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let rule = json!({ "challenges_from": "friends" });
    let set = asha.patch("/api/v1/me/preferences", &rule).await;
    assert_eq!(set.status, 200, "{set:?}");
    let offer = json!({
        "game": "oware", "to": "Asha", "time_control": { "kind": "correspondence", "days": 1 },
    });
    let challenges = "/api/v1/challenges";
    bahati
        .post(challenges, &offer)
        .await
        .problem(403, "match-refused");
    found(&mut asha, "stones", "open").await;
    join(&mut bahati, "stones").await;
    let made = bahati.post(challenges, &offer).await;
    assert_eq!(made.status, 201, "{made:?}");
    done(&bahati.delete(&at("stones", "/members/Bahati")).await);
    bahati
        .post(challenges, &offer)
        .await
        .problem(403, "match-refused");
    server.stop().await;
}

#[tokio::test]
async fn the_last_officer_may_end_the_account() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    found(&mut asha, "stones", "open").await;
    found(&mut asha, "alone", "open").await;
    join(&mut bahati, "stones").await;
    let request = asha
        .request(Method::DELETE, "/api/v1/me")
        .json(&json!({ "password": PASSWORD }));
    done(&asha.send(request).await);
    let seen = bahati.get(&at("stones", "")).await.json();
    assert_eq!(
        (
            &seen["standing"],
            &seen["members"],
            &seen["officers"][0]["name"]
        ),
        (&json!("officer"), &json!(1), &json!("Bahati"))
    );
    let founder = seen["founder"]["name"].as_str().expect("a name");
    assert!(founder.starts_with("deleted-"), "{founder}");
    let log = bahati.get(&at("stones", "/log")).await.json();
    assert_eq!(log["items"][0]["action"], "succeeded");
    bahati.get(&at("alone", "")).await.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn a_club_is_reported_and_the_moderators_see_which() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    found(&mut asha, "stones", "open").await;
    let reports = at("stones", "/reports");

    // Wrong reports have one clear answer each, and use up nothing of the limit.
    let no_text = json!({ "reason": "other" });
    let refused = bahati.post(&reports, &no_text).await;
    refused.bad_field("bad-text", "text");
    let of_a_match = json!({ "reason": "stalling", "text": "slow" });
    let refused = bahati.post(&reports, &of_a_match).await;
    refused.bad_field("bad-field", "reason");
    let told = json!({ "reason": "name", "text": "The name insults us." });
    let refused = asha.post(&reports, &told).await;
    refused.problem(409, "own-report");
    let refused = bahati.post(&at("nowhere", "/reports"), &told).await;
    refused.problem(404, "not-found");

    let made = bahati.post(&reports, &told).await;
    assert_eq!(made.status, 201, "{made:?}");
    let again = bahati.post(&reports, &told).await;
    again.problem(409, "reported-already");

    // The name of that day stays in the report.
    let name = json!({ "name": "Kind people" });
    let renamed = asha.patch(&at("stones", ""), &name).await;
    assert_eq!(renamed.status, 200, "{renamed:?}");
    let path = format!("/api/v1/moderation/reports/{}", made.text("/id"));
    let seen = moderator.get(&path).await.json();
    assert_eq!(seen["reported"]["name"], "Asha");
    assert_eq!(
        seen["club"],
        json!({ "name": "Club stones", "handle": "stones" })
    );

    let took = moderator.post(&format!("{path}/take"), &json!({})).await;
    assert_eq!(took.status, 200, "{took:?}");
    let decision = json!({ "action": "warn", "why": "names are for everybody" });
    let resolved = resolve(&mut moderator, &path, &decision).await;
    assert_eq!(resolved.status, 200, "{resolved:?}");
    let request = asha.request(Method::DELETE, &at("stones", ""));
    let request = request.json(&json!({ "password": PASSWORD }));
    done(&asha.send(request).await);
    let closed = moderator.get(&path).await.json();
    assert_eq!(
        closed["club"],
        json!({ "name": "Club stones", "handle": null })
    );
    server.stop().await;
}

#[tokio::test]
async fn a_club_by_invitation_is_reported_by_those_who_see_it() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut chiku = server.account("Chiku").await;
    found(&mut asha, "hidden", "invitation").await;
    let told = json!({ "reason": "harassing" });
    let refused = bahati.post(&at("hidden", "/reports"), &told).await;
    refused.problem(403, "club-invitation-needed");
    for (name, person) in [("Bahati", &mut bahati), ("Chiku", &mut chiku)] {
        let invited = asha.post(&at("hidden", "/invitations"), &named(name)).await;
        assert!(invited.status.is_success(), "{invited:?}");
        join(person, "hidden").await;
    }
    // An officer reports the other officer, not herself.
    let appointed = asha
        .post(&at("hidden", "/officers"), &named("Bahati"))
        .await;
    assert!(appointed.status.is_success(), "{appointed:?}");
    for person in [&mut asha, &mut bahati, &mut chiku] {
        let made = person.post(&at("hidden", "/reports"), &told).await;
        assert_eq!(made.status, 201, "{made:?}");
    }
    let moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let queue = moderator.get("/api/v1/moderation/reports").await;
    assert_eq!(listed(&queue, "/reported/name"), ["Bahati", "Asha", "Asha"]);
    server.stop().await;
}
