//! The command line: results on standard output, one error line on standard error, exit codes 0, 1 and 2.

use std::path::{Path, PathBuf};

use crate::common::process::{Process, mawe, mawe_after, run, run_with};
use crate::common::socket::Socket;
use crate::common::{PATIENCE, Person, eventually};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn rules_tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests")
}

fn vectors(name: &str) -> Value {
    let path = rules_tests().join("vectors").join(name);
    let text = std::fs::read_to_string(path).expect("the rules' vectors are in the repository");
    serde_json::from_str(&text).expect("vectors are JSON")
}

/// A position and the number of leaf positions at each depth.
struct Perft {
    position: String,
    nodes: Vec<(String, String)>,
}

fn perfts() -> Vec<Perft> {
    let text = std::fs::read_to_string(rules_tests().join("perft/mawe.perft"))
        .expect("the rules' perft file is in the repository");
    let mut all: Vec<Perft> = Vec::new();
    for line in text.lines() {
        if let Some(position) = line.strip_prefix("pos ") {
            all.push(Perft {
                position: position.to_owned(),
                nodes: Vec::new(),
            });
        } else if let Some((depth, nodes)) = line
            .strip_prefix("perft ")
            .and_then(|rest| rest.split_once(' '))
        {
            let last = all.last_mut().expect("a position comes first");
            last.nodes.push((depth.to_owned(), nodes.to_owned()));
        }
    }
    assert!(all.len() > 20, "the file has many positions");
    all
}

// --- rules ---

#[tokio::test]
async fn perft_counts_what_the_vectors_say() {
    let start = perfts().remove(0);
    assert_eq!(start.nodes.len(), 5);
    for (depth, nodes) in &start.nodes {
        let result = run(mawe(["perft", "mawe", depth])).await.result();
        assert_eq!(result, format!("nodes {nodes}\n"));
    }
    let result = run(mawe(["perft", "mawe", "0"])).await.result();
    assert_eq!(result, "nodes 1\n");
}

#[tokio::test]
async fn perft_counts_from_any_position_with_any_number_of_threads() {
    for perft in perfts().iter().step_by(4) {
        let (depth, nodes) = &perft.nodes[perft.nodes.len().min(3) - 1];
        for threads in ["1", "3"] {
            let arguments = [
                "perft",
                "mawe",
                depth,
                "--position",
                &perft.position,
                "--threads",
                threads,
            ];
            let result = run(mawe(arguments)).await.result();
            assert_eq!(result, format!("nodes {nodes}\n"), "{}", perft.position);
        }
    }
}

#[tokio::test]
async fn perft_counts_the_same_with_a_table() {
    for extra in [&["--hash", "16"][..], &["--hash", "1", "--threads", "2"]] {
        let arguments = [&["perft", "checkers", "8"][..], extra].concat();
        let result = run(mawe(arguments)).await.result();
        assert_eq!(result, "nodes 845931\n", "{extra:?}");
    }
    let result = run(mawe(["perft", "reversi", "6", "--divide", "--hash", "1"]));
    let counts = "c4 2050\nd3 2050\ne6 2050\nf5 2050\nnodes 8200\n";
    assert_eq!(result.await.result(), counts);
}

#[tokio::test]
async fn divide_names_every_move_and_sums_up() {
    let start = perfts().remove(0);
    for threads in ["1", "2"] {
        let arguments = ["perft", "mawe", "3", "--divide", "--threads", threads];
        let result = run(mawe(arguments)).await.result();
        let mut lines: Vec<&str> = result.lines().collect();
        assert_eq!(lines.pop(), Some(&*format!("nodes {}", start.nodes[2].1)));
        assert_eq!(lines.len(), 54);
        let sum: u64 = lines
            .iter()
            .map(|line| {
                let (_, count) = line.split_once(' ').expect("a move and a count");
                count.parse::<u64>().expect("a count is a number")
            })
            .sum();
        assert_eq!(sum.to_string(), start.nodes[2].1);
    }
}

#[tokio::test]
async fn legal_lists_the_moves_sorted() {
    let vectors = vectors("mawe.json");
    let positions = vectors["positions"].as_array().expect("positions");
    assert!(positions.len() > 10);
    for position in positions {
        let text = position["pos"].as_str().expect("a position");
        let result = run(mawe(["legal", "mawe", "--position", text]))
            .await
            .result();
        let mut wanted: Vec<&str> = position["legal"]
            .as_array()
            .expect("moves")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        wanted.sort_unstable();
        assert_eq!(result.lines().collect::<Vec<_>>(), wanted, "{text}");
    }
    let start = run(mawe(["legal", "mawe"])).await.result();
    assert_eq!(start.lines().count(), 54);
    assert!(start.lines().is_sorted());
}

#[tokio::test]
async fn apply_prints_the_position_and_the_outcome_of_a_finished_game() {
    let vectors = vectors("mawe.playouts.json");
    let playouts = vectors["playouts"].as_array().expect("playouts");
    let mut winners = std::collections::BTreeSet::new();
    for playout in playouts.iter().take(12) {
        let moves = playout["moves"].as_str().expect("moves").split(' ');
        let result = run(mawe(["apply", "mawe"].into_iter().chain(moves)))
            .await
            .result();
        let ended = &playout["result"];
        let winner = ended["winner"].as_str().expect("a winner");
        winners.insert(winner);
        let wanted = format!(
            "{}\noutcome {winner} {} {}-{}\n",
            playout["final"].as_str().expect("a position"),
            ended["reason"].as_str().expect("a reason"),
            ended["score"][0],
            ended["score"][1],
        );
        assert_eq!(result, wanted);
    }
    assert!(winners.len() > 1, "{winners:?}");
    let running = run(mawe(["apply", "mawe", "a1b2", "a8b7"])).await.result();
    assert_eq!(running, "1BBBBBBB/1B6/8/8/8/8/1W6/1WWWWWWW w\n");
    let none = run(mawe(["apply", "mawe"])).await.result();
    assert_eq!(none, "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w\n");
    let from = [
        "apply",
        "mawe",
        "--position",
        "8/8/8/8/3B4/2W5/8/8 w",
        "c3e5",
    ];
    assert!(
        run(mawe(from)).await.result().starts_with("8/8/8/4W3/"),
        "a jump from a position of one's own"
    );
}

/// The initial position of Reversi begins with a hyphen, which must not be taken for an option.
#[tokio::test]
async fn a_position_may_begin_with_a_hyphen() {
    let start = run(mawe(["apply", "reversi"])).await.result();
    let start = start.trim_end();
    assert!(start.starts_with('-'), "{start}");
    let joined = format!("--position={start}");
    let places = [vec!["--position", start], vec![joined.as_str()]];
    for place in &places {
        let with = |command: &[&'static str]| {
            let arguments = command.iter().copied().chain(place.iter().copied());
            run(mawe(arguments.collect::<Vec<_>>()))
        };
        let legal = with(&["legal", "reversi"]).await.result();
        assert_eq!(legal, "c4\nd3\ne6\nf5\n");
        let counted = with(&["perft", "reversi", "3"]).await.result();
        assert_eq!(counted, "nodes 56\n");
        let applied = with(&["apply", "reversi"]).await.result();
        assert_eq!(applied.trim_end(), start);
        let analysed = with(&["analyse", "reversi", "--depth", "1", "--json"]);
        let analysed: Value = serde_json::from_str(&analysed.await.result()).expect("JSON");
        let best = analysed["best"].as_str().expect("a move");
        assert!(legal.lines().any(|m| m == best), "{best}");
    }
    // Later arguments are still parsed: an option after the position, and moves.
    let arguments = ["apply", "reversi", "--position", start, "d3"];
    let played = run(mawe(arguments)).await.result();
    assert!(played.ends_with("O\n"), "{played}");
    // An option in the place of a position is refused.
    let line = run(mawe(["legal", "reversi", "--position", "--help"]));
    assert!(line.await.complaint(2).contains("position"));
}

/// Programs write the same position to the engine's standard input, and the start of a record into a line of JSON.
#[tokio::test]
async fn a_position_on_standard_input_may_begin_with_a_hyphen() {
    let start = run(mawe(["apply", "reversi"])).await.result();
    let start = start.trim_end();
    let position = format!("position fen {start} moves d3\nquery p1turn\nquit\n");
    let engine = run_with(mawe(["engine", "reversi"]), &position).await;
    assert_eq!(engine.result(), "response false\n");
    let record = serde_json::json!({ "start": start, "moves": "d3" }).to_string();
    let replayed = run_with(mawe(["replay", "reversi"]), &format!("{record}\n")).await;
    let replayed: Value = serde_json::from_str(&replayed.result()).expect("JSON");
    assert_eq!(replayed["plies"], 1);
    assert_eq!(replayed["counts"], "4");
}

// --- wrong use ---

#[tokio::test]
async fn wrong_use_is_one_line_that_says_what_and_where() {
    for (arguments, words) in [
        (&["perft", "chess", "1"][..], &["chess", "mawe"][..]),
        (&["legal", "chess"], &["chess"]),
        (&["apply", "", "a1b2"], &["game"]),
        (
            &["legal", "mawe", "--position", "8/8 w"],
            &["8/8 w", "character 4"],
        ),
        (
            &["perft", "mawe", "1", "--position", ""],
            &["position", "character 1"],
        ),
        (
            &[
                "apply",
                "mawe",
                "--position",
                "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW x",
            ],
            &["side to move"],
        ),
        (&["apply", "mawe", "a1b2", "a1b2"], &["move 2", "a1b2"]),
        (&["apply", "mawe", "a1b2", "a8b7", "??"], &["move 3", "??"]),
        (&["perft", "mawe", "deep"], &["deep", "DEPTH"]),
        (&["perft", "mawe", "-1"], &["-1"]),
        (&["perft", "mawe", "65"], &["65"]),
        (&["perft", "mawe"], &["DEPTH"]),
        (&["perft", "mawe", "1", "--threads", "0"], &["0", "threads"]),
        (&["perft", "mawe", "1", "--depth", "1"], &["--depth"]),
        (&["fly"], &["fly"]),
        (&["--fly"], &["--fly"]),
        (&["serve", "--listen", "nowhere"], &["nowhere", "--listen"]),
        (&["serve", "--bots", "many"], &["many", "--bots"]),
        (&["migrate", "--listen", "127.0.0.1:0"], &["--listen"]),
    ] {
        let line = run(mawe(arguments)).await.complaint(2);
        for word in words {
            assert!(
                line.contains(word),
                "{arguments:?} without {word:?}: {line}"
            );
        }
    }
}

#[tokio::test]
async fn help_and_version_are_results() {
    let help = run(mawe(["--help"])).await.result();
    for word in [
        "serve",
        "migrate",
        "perft",
        "legal",
        "apply",
        "--listen",
        "MAWE_DATA_DIR",
    ] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let version = run(mawe(["--version"])).await.result();
    assert_eq!(version, format!("mawe {}\n", env!("CARGO_PKG_VERSION")));
}

// --- the server ---

/// Runs a command that must fail before it serves.
async fn refused(arguments: &[&str], directory: &Path) -> String {
    let mut command = mawe(arguments);
    command.current_dir(directory);
    run(command).await.complaint(1)
}

#[tokio::test]
async fn a_port_that_is_taken_is_named_and_the_data_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let line = refused(
        &["--listen", &address, "--data-dir", "data"],
        directory.path(),
    )
    .await;
    assert!(
        line.contains(&address) && line.contains("--listen"),
        "{line}"
    );
    assert!(!directory.path().join("data").exists());
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_made_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("file"), "").expect("a file");
    for command in [
        &["--listen", "127.0.0.1:0", "--data-dir", "file/data"][..],
        &["migrate", "--data-dir", "file/data"],
    ] {
        let line = refused(command, directory.path()).await;
        assert!(line.contains("file/data"), "{line}");
    }
}

#[tokio::test]
async fn a_wrong_configuration_file_is_named_with_its_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("mawe.toml");
    for (text, words) in [
        (
            "bots = 2\n\nlisten-on = \"127.0.0.1:0\"\n",
            &["line 3", "listen-on"][..],
        ),
        ("bots = 2\nbots = 3\n", &["line 2"]),
        ("bots = \"two\"\n", &["line 1"]),
        ("listen = \"127.0.0.1:0\"\nbots =\n", &["line 2"]),
    ] {
        std::fs::write(&file, text).expect("it can be written");
        for command in [
            &["--config", "mawe.toml"][..],
            &["migrate", "--config", "mawe.toml"],
        ] {
            let line = refused(command, directory.path()).await;
            assert!(line.contains("mawe.toml"), "{text:?}: {line}");
            for word in words {
                assert!(line.contains(word), "{text:?} without {word:?}: {line}");
            }
        }
    }
    std::fs::remove_file(&file).expect("it was there");
    let line = refused(&["--config", "mawe.toml"], directory.path()).await;
    assert!(line.contains("mawe.toml"), "{line}");
}

#[tokio::test]
async fn a_wrong_database_is_refused_without_its_password() {
    let directory = tempfile::tempdir().expect("a directory");
    for database in [
        "mysql://mawe:hush-hush@127.0.0.1/mawe",
        "postgres://mawe:hush-hush@127.0.0.1:99999/mawe",
        "nonsense-hush-hush",
    ] {
        for command in [
            &["--listen", "127.0.0.1:0", "--database", database][..],
            &["migrate", "--database", database],
        ] {
            let line = refused(command, directory.path()).await;
            assert!(
                line.contains("postgres://"),
                "it says what is right: {line}"
            );
            assert!(!line.contains("hush-hush"), "{line}");
        }
    }
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_named_without_its_password() {
    let directory = tempfile::tempdir().expect("a directory");
    // Bound but not listening: no other process takes the port, and a connection is refused.
    let socket =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).expect("a socket");
    let free: std::net::SocketAddr = "127.0.0.1:0".parse().expect("an address");
    socket.bind(&free.into()).expect("a free port");
    let address = socket
        .local_addr()
        .expect("bound")
        .as_socket()
        .expect("IPv4");
    let database = format!("postgres://mawe:hush-hush@{address}/mawe");
    let line = refused(&["migrate", "--database", &database], directory.path()).await;
    assert!(line.contains(&address.to_string()), "{line}");
    assert!(!line.contains("hush-hush"), "{line}");
}

#[tokio::test]
async fn a_bad_origin_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let line = refused(&["--origin", "play.example.org"], directory.path()).await;
    assert!(
        line.contains("play.example.org") && line.contains("https://"),
        "{line}"
    );
}

#[tokio::test]
async fn options_go_before_the_environment_and_the_environment_before_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = "listen = \"127.0.0.2:0\"\ndata-dir = \"from-the-file\"\nbots = 1\n";
    std::fs::write(directory.path().join("mawe.toml"), config).expect("it can be written");
    let serve = |arguments: &[&str], environment: Option<&str>| {
        let mut command = mawe(arguments);
        command
            .current_dir(directory.path())
            .env("MAWE_CONFIG", "mawe.toml");
        if let Some(listen) = environment {
            command.env("MAWE_LISTEN", listen);
        }
        Process::of(command)
    };
    for (arguments, environment, ip) in [
        (&[][..], None, "127.0.0.2"),
        (&["serve"], Some("127.0.0.3:0"), "127.0.0.3"),
        (
            &["--listen", "127.0.0.4:0"],
            Some("127.0.0.3:0"),
            "127.0.0.4",
        ),
        (&["serve", "--listen", "127.0.0.4:0"], None, "127.0.0.4"),
    ] {
        let process = serve(arguments, environment).await;
        assert_eq!(process.address.ip().to_string(), ip, "{arguments:?}");
        assert_eq!(process.stop("TERM").await, Some(0));
    }
    assert!(directory.path().join("from-the-file/mawe.sqlite").exists());
    assert!(!directory.path().join("mawe-data").exists());
}

#[tokio::test]
async fn a_server_makes_endgame_databases_and_stops_in_the_midst_of_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut command = mawe(["serve", "--listen", "127.0.0.1:0", "--solve-endgames=true"]);
    command.arg("--data-dir").arg(directory.path());
    let process = Process::of(command).await;
    let folder = directory.path().join("endgame");
    let a_slice = async || {
        let mut files = std::fs::read_dir(&folder).ok()?.flatten();
        files.find(|file| file.path().extension().is_some_and(|kind| kind == "slice"))
    };
    eventually("a slice", a_slice).await;
    assert_eq!(process.stop("TERM").await, Some(0));
    // Whole slices only are read; `mawe solve` keeps them.
    let mut solve = mawe(["solve", "checkers", "--pieces", "2", "--data-dir"]);
    solve.arg(directory.path());
    let told = run(solve).await.result();
    assert!(told.contains("kept"), "{told}");
}

#[tokio::test]
async fn migrating_twice_is_migrating_once() {
    let directory = tempfile::tempdir().expect("a directory");
    for _ in 0..2 {
        let mut command = mawe(["migrate", "--data-dir", "data"]);
        command.current_dir(directory.path());
        assert_eq!(run(command).await.result(), "the schema is up to date\n");
    }
    let process = Process::start(&directory.path().join("data")).await;
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused_and_harms_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().join("data");
    let first = Process::start(&data).await;
    let guest = Person::guest_at(first.address).await;
    for command in [
        &["--listen", "127.0.0.1:0", "--data-dir", "data"][..],
        &["migrate", "--data-dir", "data"],
    ] {
        let line = refused(command, directory.path()).await;
        assert!(line.contains("data"), "{line}");
    }
    let name = guest.name().await;
    assert_eq!(first.stop("TERM").await, Some(0));
    // Once the first server has stopped, the data directory is free.
    let next = Process::start(&data).await;
    assert_eq!(guest.moved_to(next.address).name().await, name);
    assert_eq!(next.stop("INT").await, Some(0));
}

#[tokio::test]
async fn signals_end_the_server_well_also_with_people_on_it() {
    let directory = tempfile::tempdir().expect("a directory");
    for signal in ["TERM", "INT"] {
        let process = Process::start(directory.path()).await;
        let guest = Person::guest_at(process.address).await;
        let mut socket = Socket::open(&guest).await;
        let stopping = tokio::spawn(process.stop(signal));
        let (_, closed) = socket.rest().await;
        assert_eq!(closed, Some(1012), "{signal}");
        let code = tokio::time::timeout(PATIENCE, stopping).await;
        assert_eq!(
            code.expect("it stops").expect("no panic"),
            Some(0),
            "{signal}"
        );
    }
}

/// The server tells its supervisor by the datagrams of `sd_notify(3)`.
#[tokio::test]
async fn systemd_hears_that_the_server_is_ready_alive_and_stopping() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("notify");
    let socket = tokio::net::UnixDatagram::bind(&path).expect("a socket");
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "0", "--data-dir"]);
    command
        .arg(directory.path().join("data"))
        .env("NOTIFY_SOCKET", &path)
        .env("WATCHDOG_USEC", "200000");
    let process = Process::of(command).await;
    let hear = async || {
        let mut datagram = [0; 256];
        let heard = tokio::time::timeout(PATIENCE, socket.recv(&mut datagram)).await;
        let length = heard.expect("it speaks").expect("it can be read");
        String::from_utf8_lossy(datagram.get(..length).expect("a part")).into_owned()
    };
    assert_eq!(hear().await, "READY=1\n");
    for _ in 0..5 {
        assert_eq!(hear().await, "WATCHDOG=1\n");
    }
    let (stopped, last) = tokio::join!(process.stop("TERM"), async {
        loop {
            match hear().await.as_str() {
                "WATCHDOG=1\n" => {}
                other => break other.to_owned(),
            }
        }
    });
    assert_eq!((stopped, last.as_str()), (Some(0), "STOPPING=1\n"));
}

/// The unit starts the program with options that it has, on a configuration that it understands.
#[tokio::test]
async fn the_server_starts_as_the_unit_of_the_debian_package_says() {
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/debian");
    let unit = std::fs::read_to_string(deploy.join("mawe.service")).expect("a unit");
    let values = |key: &str| -> Vec<String> {
        let lines = unit.lines().filter_map(|line| line.strip_prefix(key));
        lines.map(str::to_owned).collect()
    };
    let [start] = values("ExecStart=/usr/bin/mawe ")
        .try_into()
        .expect("one command");
    let config = deploy.join("mawe.toml");
    let config = config.to_str().expect("a plain path");
    let words = start.replace("/etc/mawe/mawe.toml", config);
    let data = tempfile::tempdir().expect("a directory");
    let mut command = mawe(words.split_whitespace());
    let environment = values("Environment=");
    assert!(!environment.is_empty());
    for variable in &environment {
        let (name, value) = variable.split_once('=').expect("a value");
        let help = run(mawe(["serve", "--help"])).await.result();
        assert!(help.contains(&format!("[env: {name}=")), "{name}");
        assert!(value.starts_with("/var/lib/mawe"), "{variable}");
        command.env(name, data.path());
    }
    // Another port than 8080, which this machine may use; it is not in the file that is tested, so that it stands on the command line.
    command.args(["--listen", "127.0.0.1:0", "--bots", "0"]);
    let process = Process::of(command).await;
    assert_eq!(process.stop("TERM").await, Some(0));
    assert!(data.path().join("mawe.sqlite").exists());
    for promised in ["Type=notify", "WatchdogSec=30", "StateDirectory=mawe"] {
        assert!(unit.lines().any(|line| line == promised), "{promised}");
    }
}

#[tokio::test]
async fn the_openapi_document_is_printed() {
    let printed = run(mawe(["openapi"])).await.result();
    assert_eq!(printed, mawe_server::api::openapi_json());
}

#[tokio::test]
async fn a_shell_and_a_manual_know_every_command() {
    let help = run(mawe(["--help"])).await.result();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .map_while(|line| {
            line.strip_prefix("  ")
                .or((line == "Commands:").then_some(line))
        })
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !["Commands:", "help"].contains(name))
        .collect();
    assert!(
        commands.contains(&"serve") && commands.len() > 20,
        "{commands:?}"
    );

    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(mawe(["completions", shell])).await.result();
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    // What bash offers after `mawe heal`, and after an option of the server.
    let script = run(mawe(["completions", "bash"])).await.result();
    for (words, at, offered) in [
        ("mawe heal", 1, "health"),
        ("mawe serve --spectator-d", 2, "--spectator-delay"),
    ] {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD={at}; _mawe mawe \"${{COMP_WORDS[{at}]}}\" \"\"; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = tokio::process::Command::new("bash");
        bash.args(["--norc", "-c", &ask]);
        assert_eq!(run(bash).await.result().trim(), offered);
    }

    let directory = tempfile::tempdir().expect("a temporary directory");
    let pages = directory.path().join("man/man1");
    let to = pages.to_str().expect("a plain path");
    assert_eq!(run(mawe(["manual", to])).await.result(), "");
    for command in commands {
        let page = std::fs::read_to_string(pages.join(format!("mawe-{command}.1")));
        assert!(page.expect("a page").contains(".SH OPTIONS"), "{command}");
    }
    let page = std::fs::read_to_string(pages.join("mawe.1")).expect("a page");
    assert!(page.contains("MAWE_LISTEN"), "{page}");
    let there = pages.join("mawe.1");
    let file = there.to_str().expect("a plain path");
    run(mawe(["manual", file])).await.complaint(1);
}

// --- the log ---

/// Sends these bytes, and waits until the server has closed the connection.
async fn send_raw(address: std::net::SocketAddr, bytes: &[u8]) {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(bytes).await.expect("it reads");
    let mut answer = Vec::new();
    // The server may reset the connection of a refused request.
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
}

#[tokio::test]
async fn a_log_in_a_file_has_no_escape_codes_and_a_line_for_each_event() {
    for line in hostile_log("text").await.lines() {
        let (date, _) = line.split_once('T').expect("each line begins with a time");
        assert_eq!(date.len(), 10, "{line:?}");
    }
}

#[tokio::test]
async fn a_log_of_json_has_no_escape_codes_and_an_object_for_each_event() {
    for line in hostile_log("json").await.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line:?}"));
        assert!(
            event["message"].is_string() && event["time"].is_string(),
            "{line:?}"
        );
    }
}

/// Returns the log of a server in this format to which clients have said everything that could harm a log; checks its characters.
async fn hostile_log(format: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let log = directory.path().join("log");
    let words = ["sh", "-c", "exec \"$@\" 2>\"$LOG\"", "sh"].map(str::to_owned);
    let arguments = ["--listen", "127.0.0.1:0", "--bots", "1", "--log-format"];
    let mut command = mawe_after(&words, arguments);
    command.arg(format).arg("--data-dir");
    command.arg(directory.path().join("data")).env("LOG", &log);
    command.env("RUST_LOG", "trace");
    let server = Process::of(command).await;
    // Codes that clear a screen and set a title, a line that looks like one of the log, a mark that reverses text: in every place where a
    // client may put text.
    let hostile =
        "x\u{1b}[2J\u{1b}]0;x\u{7}\r\n2026-01-01T00:00:00.000000Z  INFO x: x\u{9b}31m\u{202e}";
    let mut person = Person::at(server.address);
    for path in ["/api/v1/accounts", "/api/v1/sessions"] {
        let credentials = serde_json::json!({ "name": hostile, "password": hostile });
        let answer = person.post(path, &credentials).await;
        assert!(answer.status.is_client_error(), "{answer:?}");
    }
    let encoded = "x%1b%5b2J%0d%0aINFO%20x%c2%9b31m%e2%80%ae";
    for path in [
        format!("/{encoded}"),
        format!("/api/v1/players/{encoded}"),
        format!("/api/v1/players?search={encoded}"),
    ] {
        person.get(&path).await;
    }
    for raw in [
        format!(
            "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUser-Agent: {}\r\n\r\n",
            "x\u{9b}31m\u{202e}"
        ),
        format!(
            "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUser-Agent: {hostile}\r\n\r\n"
        ),
        format!("GET /{hostile} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
        format!("{hostile}\r\n\r\n"),
    ] {
        send_raw(server.address, raw.as_bytes()).await;
    }
    assert_eq!(server.stop("TERM").await, Some(0));
    let text = std::fs::read_to_string(&log).expect("a log is text");
    assert!(text.contains("stopping"), "{text}");
    for line in text.lines() {
        let plain =
            !line.contains(|c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c));
        assert!(plain, "{line:?}");
    }
    text
}
