//! Games in standard notations: tables of samples (`notation/GAME.txt`), round trips, and arbitrary
//! bytes.

use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::notation::pdn::{self, GameResult};
use mawe_rules::notation::{NotationError, ggf, transcript};
use mawe_rules::{AnyMove, AnyPosition, AnySetup, GameKind, Position, Record, Side};
use proptest::prelude::*;

/// The expected result of a reader: the data of each game, or one error.
#[derive(Debug, PartialEq)]
enum Expected {
    Game {
        moves: String,
        start: Option<String>,
        result: Option<String>,
    },
    Error(String),
}

struct Sample {
    name: String,
    expected: Vec<Expected>,
    text: String,
}

/// Reads the samples: `## name`, expectations, `--`, the text. The lines `start` and `result` follow
/// their `game`.
fn samples(file: &str) -> Vec<Sample> {
    let blocks = file.split("## ").filter(|block| !block.is_empty());
    blocks.map(sample).collect()
}

fn sample(block: &str) -> Sample {
    let (head, text) = block.split_once("--\n").expect("a line `--`");
    let mut lines = head.lines();
    let name = lines.next().expect("a name").to_owned();
    let mut expected = Vec::new();
    for line in lines {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match (key, expected.last_mut()) {
            ("game", _) => expected.push(Expected::Game {
                moves: value.to_owned(),
                start: None,
                result: None,
            }),
            ("error", _) => expected.push(Expected::Error(value.to_owned())),
            ("start", Some(Expected::Game { start, .. })) => *start = Some(value.to_owned()),
            ("result", Some(Expected::Game { result, .. })) => *result = Some(value.to_owned()),
            (unknown, _) => panic!("{name}: nothing checks `{unknown}`"),
        }
    }
    Sample {
        name,
        expected,
        text: text.to_owned(),
    }
}

/// The same text in the encodings of other systems: with a byte order mark, with CR and LF.
fn spellings(text: &str) -> [String; 3] {
    [
        text.to_owned(),
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
    ]
}

fn moves_of(record: &Record) -> String {
    let moves: Vec<String> = record.moves().iter().map(AnyMove::to_string).collect();
    moves.join(" ")
}

fn start_of(record: &Record) -> Option<String> {
    let setup = AnySetup::standard(record.kind());
    let standard = AnyPosition::start(record.kind(), &setup).expect("a start");
    (*record.start() != standard).then(|| record.start().to_string())
}

/// The winner code of RULES.md, or `*`; no file uses these codes.
fn winner_of(kind: GameKind, result: GameResult) -> &'static str {
    match result {
        GameResult::Won(side) => kind.winner_code(Some(side)),
        GameResult::Drawn => kind.winner_code(None),
        GameResult::Open => "*",
    }
}

fn refusal(error: NotationError) -> Expected {
    let told = error.to_string();
    let place = format!("at line {}, column {}", error.line, error.column);
    assert!(told.ends_with(&place), "{told}");
    Expected::Error(format!("{} {} {}", error.line, error.column, error.code()))
}

#[test]
fn every_sample_of_draughts_reads_as_expected() {
    let checkers = samples(include_str!("notation/checkers.txt"));
    let family = samples(include_str!("notation/draughts.txt"));
    for sample in checkers.into_iter().chain(family) {
        for text in spellings(&sample.text) {
            let games = pdn::games(text.as_bytes(), None).map(|game| match game {
                Ok(game) => Expected::Game {
                    moves: moves_of(&game.record),
                    start: start_of(&game.record),
                    result: Some(winner_of(game.record.kind(), game.result).to_owned()),
                },
                Err(error) => refusal(error),
            });
            let games: Vec<Expected> = games.collect();
            assert_eq!(games, sample.expected, "{}", sample.name);
        }
    }
}

#[test]
fn every_sample_of_reversi_reads_as_expected() {
    for sample in samples(include_str!("notation/reversi.txt")) {
        for text in spellings(&sample.text) {
            let read = match transcript::read(text.as_bytes()) {
                Ok(record) => Expected::Game {
                    moves: moves_of(&record),
                    start: None,
                    result: None,
                },
                Err(error) => refusal(error),
            };
            assert_eq!(vec![read], sample.expected, "{}", sample.name);
        }
    }
}

#[test]
fn tags_keep_their_text_and_their_order() {
    let file = br#"[Event "The \"Big\" One \\ 2"][Site "Zanzibar"]
        [Annotator "B\nC"] [FEN "B:WK32:BK1"] 1. 1-5 *"#;
    let game = pdn::games(file, None).next().expect("a game").expect("PDN");
    let tags = [
        ("Event", "The \"Big\" One \\ 2"),
        ("Site", "Zanzibar"),
        ("Annotator", "B\\nC"),
    ];
    let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(game.tags, tags);
}

#[test]
fn a_written_game_looks_like_pdn() {
    let mut record =
        Record::new(GameKind::Checkers, &AnySetup::standard(GameKind::Checkers)).expect("a start");
    for m in ["11-15", "22-18", "15x22", "25x18"] {
        record.play(m).expect("a legal move");
    }
    let mut game = pdn::Game {
        tags: vec![
            ("Annotator".to_owned(), "me".to_owned()),
            ("White".to_owned(), "A \"B\" C".to_owned()),
        ],
        record,
        result: GameResult::Won(Side::First),
    };
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[Black "?"]
[White "A \"B\" C"]
[Result "1-0"]
[GameType "21"]
[Annotator "me"]

1. 11-15 22-18 2. 15x22 25x18 1-0

"#;
    assert_eq!(pdn::write(&game).as_deref(), Some(expected));
    let white = AnyPosition::parse(GameKind::Checkers, "W:WK32:BK1,K2").expect("a position");
    game.record = Record::from_position(white);
    game.record.play("32-28").expect("a legal move");
    let text = pdn::write(&game).expect("PDN");
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"W:WK32:BK1,K2\"]\n"));
    assert!(text.ends_with("\n1... 32-28 1-0\n\n"), "{text}");
    let reversi = Record::new(GameKind::Reversi, &AnySetup::standard(GameKind::Reversi));
    game.record = reversi.expect("a start");
    assert_eq!(pdn::write(&game), None);
    assert_eq!(transcript::write(&game.record).as_deref(), Some(""));
}

/// The moves of a game with two passes in a row left out, as a server and a program write them.
#[test]
fn ggf_of_servers_and_programs_is_read() {
    let board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    let of_a_server = format!(
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Amina]PW[Zofia]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[s8r18]RE[+10.00:r]\n\
         BO[{board}]B[d3//0.01]W[C5/-4.50/2.31] B[d6];)\n(;GM[othello]PB[x]TY[8]B[F5]W[f6]B[e6];)"
    );
    let games: Vec<_> = ggf::games(of_a_server.as_bytes()).collect();
    let [Ok(first), Ok(second)] = games.as_slice() else {
        panic!("{games:?}");
    };
    assert_eq!(moves_of(&first.record), "d3 c5 d6");
    assert_eq!(first.result.as_deref(), Some("+10.00:r"));
    let names: Vec<&str> = first.tags.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["PC", "DT", "PB", "PW", "RB", "RW", "TI"]);
    assert_eq!(first.tags[2].1, "Amina");
    assert_eq!(moves_of(&second.record), "f5 f6 e6");
    assert_eq!(second.result, None);
    assert_eq!(ggf::games(b" \n 7 ").count(), 0);
    assert_eq!(ggf::games(b"(;;)").count(), 1);
}

#[test]
fn faults_of_ggf_are_placed_and_the_next_game_is_read() {
    for (text, fault) in [
        ("(;GM[Chess];)", "other-game 1:6"),
        ("(;TY[10];)", "other-game 1:6"),
        ("(;TY[8a];)", "other-game 1:6"),
        ("(;BO[10 --- *];)", "other-game 1:6"),
        ("(;BO[8 --x];)", "unexpected-symbol 1:6"),
        ("(;BO[8 --- *];)", "ends-early 1:6"),
        ("(;\n B[f5]B[f6];)", "other-side 2:7"),
        ("(;B[f5]\nW[a1];)", "flips-nothing 2:3"),
        ("(;B[f5]W[pa];)", "cannot-pass 1:10"),
        ("(;B[f5]W[f6/];)(;", "bad-property 1:18"),
        ("(;B[f5", "bad-property 1:3"),
        ("(;B]", "bad-property 1:3"),
        ("(;b[f5];)", "bad-property 1:3"),
        ("x(;", "unexpected-symbol 1:1"),
        ("(;B[f5]BO[8 - *];)", "unexpected-symbol 1:8"),
    ] {
        // A game that does not end would go on in the next one.
        let is_open = fault.starts_with("bad-property");
        let next = if is_open {
            ""
        } else {
            "\n(;GM[Othello]B[c4];)"
        };
        let text = format!("{text}{next}");
        let games: Vec<_> = ggf::games(text.as_bytes()).collect();
        let faults: Vec<String> = games
            .iter()
            .filter_map(|game| game.as_ref().err())
            .map(|error| format!("{} {}:{}", error.code(), error.line, error.column))
            .collect();
        assert!(
            faults.iter().any(|found| found == fault),
            "{text}: {faults:?}"
        );
        if !is_open {
            let last = games.last().expect("a game").as_ref().expect("GGF");
            assert_eq!(moves_of(&last.record), "c4", "{text}");
        }
    }
}

fn any_draughts() -> impl Strategy<Value = GameKind> {
    let kinds = GameKind::ALL.iter().copied();
    prop::sample::select(
        kinds
            .filter(|kind| pdn::Dialect::of(*kind).is_some())
            .collect::<Vec<_>>(),
    )
}

/// A game whose moves are chosen by indices into the legal moves.
fn any_game(kind: GameKind) -> impl Strategy<Value = Record> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..150);
    (choices, 0..20_usize).prop_map(move |(choices, begin)| {
        let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("a start");
        for (ply, choice) in choices.iter().enumerate() {
            // Some games start from a position in mid-game.
            if ply == begin {
                record = Record::from_position(record.position().clone());
            }
            let legal = record.legal_moves();
            if legal.is_empty() {
                break;
            }
            record
                .play(&legal[choice.index(legal.len())])
                .expect("a legal move");
        }
        record
    })
}

fn any_tags() -> impl Strategy<Value = Vec<(String, String)>> {
    let names = prop::sample::subsequence(vec!["Event", "Site", "Black", "White", "Opening"], 0..5);
    (names, prop::collection::vec("[^\\p{Cc}]{0,20}", 5)).prop_map(|(names, values)| {
        let names = names.into_iter().map(str::to_owned);
        names.zip(values).collect()
    })
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "[Event \"",
        "\"]\n",
        "[FEN \"B:WK32:BK1\"]",
        "\n[Event \"x\"]",
        "1. ",
        "9-14 ",
        "22-18",
        "5x14",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\r\n",
        "$1",
        "!",
        "*",
        "1-0",
        "1/2-1/2",
        "f5",
        "D6",
        "--",
        "pass",
        "c3",
        "\u{feff}",
        "é",
        "%",
        "\\",
        "\"",
        "99999999",
        "-",
        "x",
        ":",
        "[",
        "]",
    ]);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat().into_bytes()),
    ]
}

proptest! {
    #[test]
    fn draughts_survive_pdn(
        records in any_draughts().prop_flat_map(|kind| prop::collection::vec((any_game(kind), any_tags()), 1..3)),
        told in prop::sample::select(vec![
            GameResult::Won(Side::First), GameResult::Won(Side::Second), GameResult::Drawn, GameResult::Open,
        ]),
    ) {
        let games = records.into_iter().map(|(record, tags)| {
            let result = record.outcome().map_or(told, |outcome| {
                outcome.winner.map_or(GameResult::Drawn, GameResult::Won)
            });
            pdn::Game { tags, record, result }
        });
        let games: Vec<pdn::Game> = games.collect();
        let file: String = games.iter().filter_map(pdn::write).collect();
        let mut movetext = file.lines().filter(|line| !line.starts_with('['));
        prop_assert!(movetext.all(|line| line.len() <= 120));
        let read: Vec<pdn::Game> =
            pdn::games(file.as_bytes(), None).collect::<Result<_, _>>().expect("PDN");
        prop_assert_eq!(read.len(), games.len());
        for (read, game) in read.iter().zip(&games) {
            prop_assert_eq!(&read.record, &game.record);
            prop_assert_eq!(read.result, game.result);
            for tag in &game.tags {
                prop_assert!(read.tags.contains(tag));
            }
            prop_assert_eq!(pdn::write(read), pdn::write(game));
        }
    }

    #[test]
    fn reversi_survives_transcripts(record in any_game(GameKind::Reversi)) {
        let text = transcript::write(&record).expect("Reversi");
        let AnyPosition::Reversi(start) = record.start().clone() else {
            panic!("another game");
        };
        let read = |text: &str| transcript::read_from(start.clone(), text.as_bytes());
        prop_assert_eq!(read(&text), Ok(record.clone()));
        prop_assert_eq!(read(&text.to_uppercase()), Ok(record.clone()));
        // The text is also read without its passes, except a last pass with no disc after it.
        let discs = text.replace("--", " ");
        let mut without = read(&discs).expect("discs");
        if let Some(pass) = without.forced_pass().filter(|_| without.ply() < record.ply()) {
            without.play(&pass.to_string()).expect("a legal pass");
        }
        prop_assert_eq!(without, record);
    }

    #[test]
    fn reversi_survives_ggf(record in any_game(GameKind::Reversi), tags in any_tags()) {
        let tags = tags.into_iter().map(|(name, value)| {
            (name.to_uppercase(), value.replace(']', ")"))
        });
        let game = ggf::Game { tags: tags.collect(), record, result: Some("+2.00".to_owned()) };
        let text = ggf::write(&game).expect("Reversi");
        let read: Vec<_> = ggf::games(text.as_bytes()).collect();
        prop_assert_eq!(read, vec![Ok(game.clone())]);
        // Without its passes, except a last pass with no disc after it.
        let without = text.replace("B[pa]", "").replace("W[pa]", "");
        let mut discs = ggf::games(without.as_bytes()).next().expect("a game").expect("GGF").record;
        if let Some(pass) = discs.forced_pass().filter(|_| discs.ply() < game.record.ply()) {
            discs.play(&pass.to_string()).expect("a legal pass");
        }
        prop_assert_eq!(discs, game.record);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in any_bytes()) {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
        let check = |error: NotationError| {
            prop_assert!((1..=lines).contains(&error.line));
            prop_assert!((1..=bytes.len() + 1).contains(&error.column));
            Ok(())
        };
        if let Err(error) = transcript::read(&bytes) {
            check(error)?;
        }
        let mut count = 0;
        for game in pdn::games(&bytes, None) {
            count += 1;
            prop_assert!(count <= bytes.len() + 1, "the reader does not go on");
            match game {
                Ok(game) => {
                    let text = pdn::write(&game).expect("a draughts game");
                    let again = pdn::games(text.as_bytes(), None).next().expect("a game");
                    prop_assert_eq!(again.expect("PDN").record, game.record);
                }
                Err(error) => check(error)?,
            }
        }
    }
}

#[test]
fn a_large_file_of_faults_is_read_in_a_moment() {
    // Each of these would take minutes if the line of every fault were counted from the beginning.
    let files = [
        "\n[Event \"x\"] 1. 1-1".repeat(50_000),
        "\n[Event \"x\"] {".repeat(50_000),
        "\n[Event \"x\"] (".repeat(50_000),
        "(".repeat(1_000_000),
        "1. 9-14 *\n".repeat(20_000),
    ];
    for file in &files {
        assert!(pdn::games(file.as_bytes(), None).count() <= file.len());
    }
    assert!(transcript::read("1. ".repeat(300_000).as_bytes()).is_ok());
}

#[test]
fn samples_are_of_the_standard_games() {
    // The readers start from the start positions of the rules.
    let reversi = ReversiPosition::from_setup(&Default::default()).expect("a start");
    let record = transcript::read_from(reversi, b"f5").expect("a transcript");
    assert_eq!(
        Ok(record.position()),
        transcript::read(b"f5").as_ref().map(Record::position)
    );
    let checkers = CheckersPosition::from_setup(&Default::default()).expect("a start");
    let game = pdn::games(b"*", None).next().expect("a game").expect("PDN");
    assert_eq!(game.record.start().to_string(), checkers.to_string());
}

#[test]
fn a_file_is_of_the_game_that_is_wanted() {
    let read = |text: &str, kind| {
        let game = pdn::games(text.as_bytes(), Some(kind)).next();
        let read = game.expect("a game").map(|game| game.record.kind());
        read.map_err(|error| error.code())
    };
    let tagged = "[GameType \"26\"] 1. c3-d4 *";
    assert_eq!(read("1. c3-d4 *", GameKind::Russian), Ok(GameKind::Russian));
    assert_eq!(
        read("1. 32-28 *", GameKind::International),
        Ok(GameKind::International)
    );
    assert_eq!(read(tagged, GameKind::Brazilian), Ok(GameKind::Brazilian));
    assert_eq!(read(tagged, GameKind::Russian), Err("other-game"));
    assert_eq!(
        read("[GameType \"21\"] 1. c3-d4 *", GameKind::Drafti),
        Err("other-game")
    );
    assert_eq!(read("1. 1 *", GameKind::Kalah), Err("other-game"));
}
