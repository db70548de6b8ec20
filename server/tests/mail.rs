//! The queue of mails: a mail server that is slow, away or refuses, and a stop meanwhile.

use std::path::Path;
use std::time::{Duration, Instant};

use mawe_server::mail::{Mail, MailSettings, Security};
use mawe_server::meters::Counter;
use reqwest::Method;

use serde_json::json;

use crate::common::mail_server::{MailServer, ORIGIN};
use crate::common::{PASSWORD, Person, TestServer, eventually};
use crate::logs::Logged;

async fn server(settings: MailSettings) -> TestServer {
    TestServer::start_with(|config| {
        config.mail = Some(settings);
        config.network.origin = Some(ORIGIN.to_owned());
    })
    .await
}

fn mail(number: usize) -> Mail {
    Mail {
        to: format!("reader{number}@example.org")
            .parse()
            .expect("an address"),
        subject: "Jambo\r\nBcc: victim@example.org".to_owned(),
        text: "Hello\n.\nQUIT\n..\nBcc: victim@example.org\n".to_owned(),
    }
}

fn send(server: &TestServer, number: usize) {
    let mailer = server.app().mail.as_ref().expect("mail");
    mailer.send(mail(number));
}

async fn counted(server: &TestServer, what: &str, number: u64) {
    let meters = server.app().mail.as_ref().expect("mail").meters();
    let counter: &Counter = match what {
        "sent" => &meters.sent,
        "refused" => &meters.refused,
        "given-up" => &meters.given_up,
        _ => &meters.dropped,
    };
    eventually(what, || async { (counter.get() == number).then_some(()) }).await;
}

#[tokio::test]
async fn a_text_is_neither_a_header_nor_a_command() {
    let mails = MailServer::start().await;
    let server = server(mails.settings()).await;
    send(&server, 1);
    let received = mails.wait_for(1).await;
    assert_eq!(received[0].to, "reader1@example.org");
    assert!(received[0].headers("Bcc").is_empty(), "{}", received[0].raw);
    assert_eq!(received[0].text().trim_end(), mail(1).text.trim_end());
    assert!(mails.commands().iter().all(|line| !line.contains("victim")));
    counted(&server, "sent", 1).await;
    server.stop().await;
}

#[tokio::test]
async fn a_busy_mail_server_is_asked_again_and_a_refusal_is_final() {
    let mails = MailServer::start().await;
    let server = server(mails.settings()).await;
    mails.reply(&[451, 421]);
    send(&server, 1);
    counted(&server, "sent", 1).await;
    assert_eq!(mails.received().len(), 1);
    mails.reply(&[550]);
    send(&server, 2);
    counted(&server, "refused", 1).await;
    mails.reply(&[451; 5]);
    send(&server, 3);
    counted(&server, "given-up", 1).await;
    assert_eq!(mails.received().len(), 1, "neither was taken");
    send(&server, 4);
    counted(&server, "sent", 2).await;
    server.stop().await;
}

#[tokio::test]
async fn a_silent_mail_server_holds_neither_requests_nor_memory_nor_the_stop() {
    let mails = MailServer::start().await;
    mails.fall_silent();
    let settings = MailSettings {
        attempt_limit: Duration::from_secs(60),
        ..mails.settings()
    };
    let server = server(settings).await;
    let began = Instant::now();
    for number in 0..1_000 {
        send(&server, number);
        tokio::task::yield_now().await;
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    let mailer = server.app().mail.as_ref().expect("mail");
    assert!(mailer.waiting() <= 256, "{}", mailer.waiting());
    // Those in the queue and those under way are bounded: all others were dropped.
    assert!(mailer.meters().dropped.get() >= 1_000 - 256 - 64);
    assert!(mailer.place().is_err());
    let began = Instant::now();
    server.stop().await;
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn a_slow_answer_is_given_up() {
    let mails = MailServer::start().await;
    mails.fall_silent();
    let settings = MailSettings {
        attempt_limit: Duration::from_millis(20),
        ..mails.settings()
    };
    let server = server(settings).await;
    send(&server, 1);
    counted(&server, "given-up", 1).await;
    server.stop().await;
}

#[tokio::test]
async fn a_mail_server_that_is_away_is_given_up() {
    let gone = MailServer::start().await.settings();
    // Nothing listens on port 1 of this machine.
    let server = server(MailSettings { port: 1, ..gone }).await;
    send(&server, 1);
    counted(&server, "given-up", 1).await;
    server.stop().await;
}

#[tokio::test]
async fn nothing_is_said_without_tls_where_it_is_asked_for() {
    for security in [Security::StartTls, Security::Tls] {
        let mails = MailServer::start().await;
        let settings = MailSettings {
            security,
            ..mails.settings()
        };
        let server = server(settings).await;
        send(&server, 1);
        eventually("the end of the mail", || async {
            let meters = server.app().mail.as_ref().expect("mail").meters();
            (meters.given_up.get() + meters.refused.get() == 1).then_some(())
        })
        .await;
        assert_eq!(mails.received().len(), 0);
        let told = mails.commands();
        assert!(
            told.iter()
                .all(|line| !line.contains("MAIL") && !line.contains("AUTH")),
            "{told:?}"
        );
        server.stop().await;
    }
}

/// Starts a program that sends its mails to this mail server, and lets an account enter an address.
async fn program(directory: &Path, smtp: &str, more: &[&str]) -> Logged {
    let from = "Club <noreply@club.example>";
    let mut options = vec!["--origin", ORIGIN, "--smtp", smtp, "--mail-from", from];
    options.extend(more);
    let program = Logged::start(directory, &options).await;
    let mut amina = Person::at(program.process.address);
    let body = json!({ "name": "Amina", "password": PASSWORD });
    let made = amina.post("/api/v1/accounts", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let body = json!({ "address": "amina@example.org", "password": PASSWORD });
    let request = amina.request(Method::PUT, "/api/v1/me/email").json(&body);
    assert_eq!(amina.send(request).await.status, 200);
    program
}

#[tokio::test]
async fn a_mail_goes_by_tls_to_a_trusted_certificate_alone() {
    let authority = MailServer::authority();
    let authority = authority.to_str().expect("a plain path");
    for starts in [false, true] {
        let mails = MailServer::with_tls(starts).await;
        let port = mails.address.port();
        let smtp = if starts {
            format!("smtp://127.0.0.1:{port}?tls=required")
        } else {
            format!("smtps://127.0.0.1:{port}")
        };
        // The authority of the tests is none that browsers trust.
        let directory = tempfile::tempdir().expect("a temporary directory");
        let distrusting = program(directory.path(), &smtp, &[]).await;
        eventually("the fault in the log", async || {
            distrusting.text().contains("--smtp-ca").then_some(())
        })
        .await;
        let log = distrusting.stop().await;
        let line = log.lines().find(|line| line.contains("--smtp-ca"));
        let line = line.expect("the fault");
        for word in [
            "WARN",
            "the mail server did not take a mail",
            "its certificate is not trusted",
            "UnknownIssuer",
        ] {
            assert!(line.contains(word), "{line}");
        }
        let told = mails.commands();
        let is_before_tls = |line: &String| line.starts_with("EHLO") || line == "STARTTLS";
        assert!(told.iter().all(is_before_tls), "{told:?}");
        assert_eq!(mails.received().len(), 0);

        let directory = tempfile::tempdir().expect("a temporary directory");
        let trusting = program(directory.path(), &smtp, &["--smtp-ca", authority]).await;
        let received = mails.wait_for(1).await;
        assert_eq!(received[0].to, "amina@example.org");
        assert!(!received[0].token("/confirm-email").is_empty());
        trusting.stop().await;
    }
}
