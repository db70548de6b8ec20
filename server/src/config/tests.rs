//! Tests of the options: their order, the file, and the faults that are named.

use std::path::Path;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use mawe_store::{MinFreeSpace, StoreLimits};

use crate::app::SettingSource;
use crate::config::defaults::defaults;
use crate::config::{Config, ParseError, ServeOptions, file, parse};
use crate::mail::Security;
use crate::metrics::MetricsPlace;

#[derive(Debug, Parser)]
struct Program {
    #[command(flatten)]
    serve: ServeOptions,
}

/// Returns the configuration of these arguments.
fn with(arguments: &[&str]) -> Result<Config, String> {
    let words = ["mawe"].iter().chain(arguments);
    let words: Vec<_> = words.map(Into::into).collect();
    let parsed = parse::<Program>(&words).map_err(|error| match error {
        ParseError::Usage(error) => error.to_string(),
        ParseError::File(error) => error.to_string(),
    })?;
    let program = parsed.options;
    program.serve.resolve().map_err(|error| error.to_string())
}

/// Returns the configuration of these arguments and of a file with this text.
fn with_file(arguments: &[&str], toml: &str) -> Result<Config, String> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), toml).expect("it can be written");
    let path = file.path().to_str().expect("a plain path");
    with(&[arguments, &["--config", path]].concat())
}

fn config(toml: &str) -> Config {
    with_file(&[], toml).expect(toml)
}

fn fault(toml: &str) -> String {
    let fault = with_file(&[], toml).expect_err(toml);
    assert!(!fault.contains('\n'), "{fault}");
    fault
}

#[test]
fn the_options_in_force_are_told_with_their_sources() {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let toml = "listen = \"127.0.0.1:9000\"\nbots = 3\nworker-key = \"0123456789abcdef\"\n";
    std::fs::write(file.path(), toml).expect("it can be written");
    let path = file.path().to_str().expect("a plain path");
    let words: Vec<_> = ["mawe", "--bots", "5", "--config", path]
        .iter()
        .map(Into::into)
        .collect();
    let parsed = parse::<Program>(&words).expect("it is right");
    let told = parsed.in_force();
    let of = |name: &str| {
        let found = told.iter().find(|setting| setting.name == name);
        let found = found.unwrap_or_else(|| panic!("{name} is an option"));
        (found.value.as_deref(), found.source)
    };
    assert_eq!(of("bots"), (Some("5"), SettingSource::CommandLine));
    let listen = Some("127.0.0.1:9000");
    assert_eq!(of("listen"), (listen, SettingSource::File));
    assert_eq!(of("worker-key"), (None, SettingSource::File));
    assert_eq!(of("traces"), (None, SettingSource::Default));
    // They are those that are used.
    let config = parsed.options.serve.resolve().expect("it is right");
    assert_eq!(config.bots.threads, 5);
}

#[test]
fn options_go_before_the_file_and_the_file_before_the_usual() {
    let toml = "listen = \"127.0.0.1:9000\"\nbots = 3\ndata-dir = \"/srv/mawe\"\n";
    let config = with_file(&["--bots", "5"], toml).expect("it is right");
    assert_eq!(config.network.listen.port(), 9000);
    assert_eq!(config.bots.threads, 5);
    assert_eq!(config.store_url, "sqlite:/srv/mawe/mawe.sqlite");
    assert_eq!(config.admin_socket, Path::new("/srv/mawe/admin.sock"));
    let usual = defaults::<ServeOptions>().resolve().expect("it is right");
    assert_eq!(config.rates, usual.rates);
    assert_eq!(config.bots.offer_after, Duration::from_secs(20));
}

#[test]
fn the_operators_socket_is_beside_the_database_or_in_the_data_directory() {
    for (database, expected) in [
        ("sqlite:/var/lib/x.sqlite", "/var/lib/admin.sock"),
        ("sqlite:x.sqlite", "admin.sock"),
        ("postgres://a@b/c", "/srv/mawe/admin.sock"),
    ] {
        let config = config(&format!(
            "data-dir = \"/srv/mawe\"\ndatabase = {database:?}\n"
        ));
        assert_eq!(config.admin_socket, Path::new(expected), "{database}");
    }
}

#[test]
fn the_worker_s_key_comes_from_the_options_or_the_data_directory_and_must_be_long() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let data_dir = directory.path().to_str().expect("a plain path");
    let given = |key: &[&str]| with(&[&["--data-dir", data_dir, "--bots", "0"], key].concat());
    let none = given(&[]).expect("it is right");
    assert_eq!((none.worker_key, none.bots.threads), (None, 0));
    let path = directory.path().join("worker-key");
    std::fs::write(&path, "from-the-data-directory\n").expect("it can be written");
    let key = |key: &[&str]| {
        let config = given(key).expect("it is right");
        config.worker_key.expect("a key").secret().to_owned()
    };
    assert_eq!(key(&[]), "from-the-data-directory");
    assert_eq!(
        key(&["--worker-key", "from-the-command-line"]),
        "from-the-command-line"
    );
    std::fs::write(&path, "short\n").expect("it can be written");
    let message = given(&[]).expect_err("it is short");
    assert!(
        message.contains("worker-key") && !message.contains("short"),
        "{message}"
    );
}

#[test]
fn metrics_are_off_unless_they_have_a_place_and_on_the_same_address_a_token() {
    assert_eq!(config("").metrics, None);
    let token = "metrics-token = \"0123456789abcdef\"\n";
    assert_eq!(config(token).metrics, None);
    let own = config("metrics = \"127.0.0.1:9100\"\n").metrics;
    let own = own.expect("a place");
    let address = "127.0.0.1:9100".parse().expect("an address");
    assert_eq!((own.place, own.token), (MetricsPlace::Own(address), None));
    let same = config(&format!("metrics = \"same\"\n{token}")).metrics;
    let same = same.expect("a place");
    assert_eq!(same.place, MetricsPlace::Same);
    assert!(same.token.is_some_and(|token| token.is("0123456789abcdef")));
    assert!(fault("metrics = \"same\"\n").contains("--metrics-token"));
    let short = fault("metrics = \"same\"\nmetrics-token = \"guessable\"\n");
    assert!(!short.contains("guessable"), "{short}");
    assert!(fault("metrics = \"everywhere\"\n").contains("127.0.0.1:9100"));
}

#[test]
fn the_limit_of_free_space_comes_from_the_file_too() {
    for (toml, limit) in [
        ("min-free-space = 500\n", MinFreeSpace::Bytes(500_000_000)),
        ("min-free-space = 0\n", MinFreeSpace::Off),
        ("bots = 3\n", MinFreeSpace::Usual),
    ] {
        assert_eq!(config(toml).min_free_space, limit, "{toml}");
    }
}

#[test]
fn the_numbers_of_connections_to_the_database_are_bounded() {
    let limits = |toml: &str| config(toml).store_connections.limits(MinFreeSpace::Off);
    assert_eq!(limits("bots = 3\n"), StoreLimits::default());
    let set = limits("postgres-connections = 40\nsqlite-readers = 9\n");
    assert_eq!((set.postgres_connections, set.sqlite_readers), (40, 9));
    for (option, numbers) in [
        ("postgres-connections", [7, 501]),
        ("sqlite-readers", [0, 65]),
    ] {
        for number in numbers {
            let refused = fault(&format!("{option} = {number}\n"));
            assert!(refused.contains(option), "{refused}");
        }
    }
}

#[test]
fn a_computer_opponent_is_never_offered_after_no_time() {
    assert_eq!(config("bot-offer-after = 0\n").bots.offer_after(), None);
}

#[test]
fn a_delay_beyond_a_minute_is_refused() {
    let delay = config("spectator-delay = 60\n").live.spectator_delay;
    assert_eq!(delay, Duration::from_secs(60));
    let fault = fault("\nspectator-delay = 61\n");
    assert!(
        fault.contains("line 2") && fault.contains("spectator-delay") && fault.contains("60"),
        "{fault}"
    );
}

#[test]
fn a_banner_is_off_unless_it_is_set_and_a_bad_one_is_named() {
    assert_eq!(config("bots = 3\n").banner, None);
    let banner = config(
        "banner-text = \"The cup begins on Friday\"\nbanner-link = \"https://example.org\"\n",
    )
    .banner;
    assert_eq!(banner.expect("it is set").text, "The cup begins on Friday");
    let refused = fault("banner-text = \"x\"\nbanner-link = \"javascript:alert(1)\"\n");
    assert!(refused.contains("banner-link"), "{refused}");
}

#[test]
fn players_are_called_unless_it_is_off_and_a_bad_service_is_named() {
    let push = |toml: &str| config(toml).push;
    let usual = push("bots = 3\n").expect("it is on");
    assert_eq!((usual.contact, usual.trusted), (None, Vec::new()));
    assert_eq!(push("push = false\n"), None);
    let contact = |toml: &str| push(toml).expect("it is on").contact;
    let origin = "origin = \"https://play.example.org\"\n";
    assert_eq!(contact(origin).as_deref(), Some("https://play.example.org"));
    assert_eq!(contact("origin = \"http://play.example.org\"\n"), None);
    let named = format!("{origin}push-contact = \"mailto:a@example.org\"\n");
    assert_eq!(contact(&named).as_deref(), Some("mailto:a@example.org"));
    let trust = push("push-trust = [\"push.school.lan:8443\", \"127.0.0.1:9\"]\n");
    assert_eq!(trust.expect("it is on").trusted.len(), 2);
    let none = push("push-trust = []\n");
    assert_eq!(none.expect("it is on").trusted.len(), 0);
    for (toml, word) in [
        ("push-contact = \"a@example.org\"\n", "push-contact"),
        ("push-trust = [\"push.school.lan\"]\n", "push.school.lan"),
    ] {
        let refused = fault(toml);
        assert!(refused.contains(word), "{refused}");
    }
}

#[test]
fn mail_is_off_unless_it_is_set_and_a_bad_setting_is_named() {
    assert_eq!(config("bots = 3\n").mail, None);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let data_dir = directory.path().to_str().expect("a plain path");
    let base = format!(
        "data-dir = {data_dir:?}\norigin = \"https://play.example.org\"\nmail-from = \"Club <noreply@club.example>\"\n"
    );
    let mail = |smtp: &str| {
        let config = config(&format!("{base}smtp = {smtp:?}\n"));
        config.mail.expect("it is on")
    };
    for (smtp, host, port, security) in [
        (
            "smtps://a:b@mail.example.org",
            "mail.example.org",
            465,
            Security::Tls,
        ),
        (
            "smtps://a:b@mail.example.org:4650/",
            "mail.example.org",
            4650,
            Security::Tls,
        ),
        (
            "smtp://a:b@mail.example.org?tls=required",
            "mail.example.org",
            587,
            Security::StartTls,
        ),
        ("smtp://127.0.0.1", "127.0.0.1", 25, Security::None),
        ("smtp://[::1]:2525", "::1", 2525, Security::None),
        ("smtp://localhost", "localhost", 25, Security::None),
    ] {
        let mail = mail(smtp);
        assert_eq!(
            (mail.host.as_str(), mail.port, mail.security),
            (host, port, security)
        );
        assert_eq!(mail.name, "play.example.org");
        assert_eq!(mail.from.to_string(), "Club <noreply@club.example>");
    }
    let with_password = mail("smtps://us%40er:pass%2Fword@mail.example.org");
    let (user, password) = with_password.credentials.clone().expect("a user");
    assert_eq!((user.as_str(), password.text()), ("us@er", "pass/word"));
    assert!(
        !format!("{with_password:?}").contains("/word"),
        "{with_password:?}"
    );

    // The password may be apart from the URL, which then needs a user.
    let apart = format!("{base}smtp = \"smtps://a@mail.example.org\"\n");
    assert!(fault(&apart).contains("smtp-password"));
    std::fs::write(directory.path().join("smtp-password"), "from-the-file\n").expect("written");
    let password = |toml: &str| {
        let mail = config(toml).mail.expect("it is on");
        mail.credentials.expect("a user").1.text().to_owned()
    };
    assert_eq!(password(&apart), "from-the-file");
    let option = format!("{apart}smtp-password = \"from-the-option\"\n");
    assert_eq!(password(&option), "from-the-option");
    std::fs::remove_file(directory.path().join("smtp-password")).expect("removed");

    for (toml, word) in [
        (
            "smtp = \"smtps://mail.example.org\"\n".to_owned(),
            "--origin",
        ),
        (
            "origin = \"https://a.example\"\nsmtp = \"smtps://mail.example.org\"\n".to_owned(),
            "--mail-from",
        ),
        ("mail-from = \"a@example.org\"\n".to_owned(), "--smtp"),
        ("smtp-ca = \"ca.pem\"\n".to_owned(), "--smtp"),
        (
            format!("{base}smtp = \"smtps://mail.example.org\"\nsmtp-ca = \"/nowhere/ca.pem\"\n"),
            "/nowhere/ca.pem",
        ),
        (
            format!("{base}smtp = \"smtps://mail.example.org\"\nsmtp-ca = \"Cargo.toml\"\n"),
            "PEM",
        ),
        (
            format!("{base}smtp = \"smtps://mail.example.org\"\nsmtp-password = \"secret\"\n"),
            "user",
        ),
    ] {
        let refused = fault(&toml);
        assert!(
            refused.contains(word) && !refused.contains("secret"),
            "{refused}"
        );
    }
    for smtp in [
        "mail.example.org",
        "https://mail.example.org",
        "smtp://a:secret@mail.example.org",
        "smtp://a:secret@10.0.0.1",
        "smtp://a:secret@mail.example.org?tls=perhaps",
        "smtps://a:secret@mail.example.org?tls=required",
        "smtps://a:secret@mail.example.org/path",
        "smtps://a:sec/ret@mail.example.org",
        "smtps://:secret@mail.example.org",
        "smtps://",
        "smtps://a:secret@mail.example.org:99999",
        "",
    ] {
        let refused = fault(&format!("{base}smtp = {smtp:?}\n"));
        assert!(refused.contains("smtp"), "{smtp}: {refused}");
        assert!(
            !refused.contains("secret") && !refused.contains("sec/ret"),
            "{refused}"
        );
    }
    for from in ["Club", "", "a@b\\r\\nBcc: c@d", "<>"] {
        let toml = base.replace("Club <noreply@club.example>", from);
        let refused = fault(&format!("{toml}smtp = \"smtp://127.0.0.1\"\n"));
        assert!(refused.contains("mail-from"), "{from}: {refused}");
    }
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_known_ones() {
    for key in ["listen-on", "config", "help", "data"] {
        let message = fault(&format!("bots = 3\n{key} = \"127.0.0.1:9000\"\n"));
        let word = format!("`{key}`");
        assert!(
            message.contains("line 2") && message.contains(&word) && message.contains("`listen`"),
            "{message}"
        );
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_named_with_its_line() {
    for (line, word) in [
        ("listen = 9000", "listen"),
        ("bots = \"two\"", "bots"),
        ("bots = 1.5", "bots"),
        ("push = \"yes\"", "push"),
        ("database = [\"secret\"]", "database"),
        ("database = 2026-01-01", "database"),
        ("[nats]", "nats"),
        ("push-trust = [[\"a:1\"]]", "push-trust"),
    ] {
        let message = fault(&format!("\n{line}\n"));
        assert!(
            message.contains("line 2") && message.contains(word) && !message.contains("secret"),
            "{message}"
        );
    }
}

#[test]
fn a_missing_file_and_a_bad_origin_are_named() {
    let message = with(&["--config", "/nowhere/mawe.toml"]).expect_err("it is not there");
    assert!(message.contains("/nowhere/mawe.toml"), "{message}");
    for origin in ["play.example.org", "https://", "https://a.example/path"] {
        assert!(with(&["--origin", origin]).is_err(), "{origin}");
    }
}

#[test]
fn every_option_has_its_variable_its_help_and_a_value_for_the_file() {
    Program::command().debug_assert();
    for option in file::options() {
        let name = option.get_long().expect("options have names");
        let variable = format!("MAWE_{}", name.to_uppercase().replace('-', "_"));
        assert_eq!(option.get_env(), Some(variable.as_ref()), "{name}");
        assert!(option.get_help().is_some(), "{name}");
        let takes_value = option.get_action().takes_values();
        assert!(takes_value, "{name}: a flag could not be off in a file");
    }
}
