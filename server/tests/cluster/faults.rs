//! Many matches through three nodes while nodes are killed, paused, stopped and cut off, by a seed; then all guarantees are checked: see
//! [`super::Board::check`]. MAWE_TEST_SEED, MAWE_TEST_FAULTS and MAWE_TEST_MATCHES select another run, a longer one, and one of hundreds of
//! matches.

use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;

use super::place::Place;
use super::proxy::Line;
use super::{Board, TO_THE_END, addresses};
use crate::common::process::{mawe, run};

/// The number of concurrent matches in an everyday run, of all six games in turn.
const MATCHES: usize = 36;

/// The number of rated matches among them, between accounts; the others are between guests.
const RATED: usize = 12;

/// The number of matches that are set up at once.
const AT_ONCE: usize = 6;

/// The number of faults in an everyday run.
const FAULTS: usize = 8;

/// The number of kinds of faults.
const KINDS: usize = 8;

/// The pause of a player before a move: matches are to last as long as the faults.
const PACE: Duration = Duration::from_millis(300);

pub(super) const GAMES: [&str; 6] = ["mawe", "reversi", "checkers", "kalah", "oware", "congkak"];

pub(super) fn set(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

pub(super) fn set_or(name: &str, usual: usize) -> usize {
    set(name).map_or(usual, |number| {
        usize::try_from(number).expect("not so many")
    })
}

/// Causes a fault of one node, or of NATS for all, for a time, and ends it.
async fn fault(place: &mut Place, kind: usize, rng: &mut Rng) {
    let node = rng.usize(..place.nodes.len());
    let lasting = Duration::from_millis(rng.u64(300..4_500));
    println!("fault: kind {kind} at node {node} for {lasting:?}");
    match kind {
        0 => {
            place.take(node).kill().await;
            tokio::time::sleep(lasting).await;
            place.again(node).await;
        }
        1 => {
            assert_eq!(place.take(node).stop("TERM").await, Some(0));
            place.again(node).await;
        }
        2 => {
            place.node(node).signal("STOP").await;
            tokio::time::sleep(lasting).await;
            place.node(node).signal("CONT").await;
        }
        3 => {
            place.nats.kill();
            tokio::time::sleep(lasting).await;
            place.nats.revive();
        }
        cut => {
            let lines = [Line::Broken, Line::Silent, Line::Mute, Line::Slow];
            let line = lines[rng.usize(..lines.len())];
            let (postgres, nats) = place.lines(node);
            if cut != 4 {
                nats.set(line);
            }
            if cut != 5 {
                postgres.set(line);
            }
            tokio::time::sleep(lasting).await;
            nats.set(Line::Whole);
            postgres.set(Line::Whole);
        }
    }
}

#[tokio::test]
async fn whatever_goes_wrong_no_acknowledged_move_is_lost_or_doubled() {
    let seed = set("MAWE_TEST_SEED").unwrap_or(super::SEED);
    let faults = set_or("MAWE_TEST_FAULTS", FAULTS);
    let matches = set_or("MAWE_TEST_MATCHES", MATCHES);
    println!("MAWE_TEST_SEED={seed} MAWE_TEST_FAULTS={faults} MAWE_TEST_MATCHES={matches}");
    let mut rng = Rng::with_seed(seed);
    let mut place = Place::behind_proxies(3).await;
    let addresses = addresses(&place);
    let mut boards = Vec::new();
    let numbers: Vec<usize> = (0..matches).collect();
    for numbers in numbers.chunks(AT_ONCE) {
        let setting_up = numbers.iter().map(|number| {
            let mut nodes = [0, 1, 2];
            rng.shuffle(&mut nodes);
            let game = GAMES[number % GAMES.len()];
            let (place, addresses) = (&place, &addresses);
            async move {
                if *number < RATED {
                    Board::set_up_rated(place, addresses, game, nodes, *number).await
                } else {
                    Board::set_up(place, addresses, game, nodes).await
                }
            }
        });
        let setting_up: Vec<_> = setting_up.collect();
        boards.extend(join_all(setting_up).await);
    }
    for board in &mut boards {
        board.think(PACE);
    }
    let mut forks: Vec<Rng> = boards.iter().map(|_| rng.fork()).collect();
    let playing = boards
        .iter_mut()
        .zip(&mut forks)
        .map(|(board, rng)| board.until(TO_THE_END, rng));
    let harming = async {
        // Each kind once, in random order, and then again.
        let mut kinds = Vec::new();
        for _ in 0..faults {
            if kinds.is_empty() {
                kinds.extend(0..KINDS);
                rng.shuffle(&mut kinds);
            }
            let kind = kinds.pop().expect("it was filled");
            tokio::time::sleep(Duration::from_millis(rng.u64(200..1_500))).await;
            fault(&mut place, kind, &mut rng).await;
            addresses
                .lock()
                .expect("no test panics with it")
                .clone_from(&place.addresses);
        }
    };
    tokio::join!(join_all(playing), harming);
    for board in &boards {
        board.check(&place).await;
    }
    let moves: usize = boards.iter().map(Board::moves).sum();
    println!("{} matches with {moves} moves", boards.len());
    // The ratings equal those of a recount of all matches.
    place.until_all_is_counted().await;
    let mut command = mawe(["admin", "ratings", "check", "--data-dir"]);
    command
        .arg(place.data_of(0))
        .args(["--database", &place.database]);
    let checked = run(command).await;
    assert_eq!(checked.code, Some(0), "{checked:?}");
}
