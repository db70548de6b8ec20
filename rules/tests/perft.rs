//! Perft files, one a game (`perft/GAME.perft`), read by one driver.

use std::fs;
use std::path::Path;

use mawe_rules::perft::Table;
use mawe_rules::{AnyPosition, GameKind};

/// Larger counts are not checked in this run.
const MAX_LEAVES: u64 = 300_000_000;

#[test]
fn every_count_is_right() {
    for kind in GameKind::ALL.iter().copied() {
        let cases = read(kind);
        assert!(!cases.is_empty(), "{kind} has no perft counts");
        for Case {
            id,
            pos,
            depth,
            nodes,
        } in cases.iter().filter(|case| case.nodes <= MAX_LEAVES)
        {
            assert_eq!(pos.perft(*depth, 1), *nodes, "{kind} {id} depth {depth}");
        }
    }
}

#[test]
fn divide_and_threads_count_the_same() {
    for kind in GameKind::ALL.iter().copied() {
        for case in read(kind).iter().filter(|case| case.nodes <= 100_000) {
            let divided = case.pos.divide(case.depth, 3);
            let total: u64 = divided.iter().map(|(_, nodes)| nodes).sum();
            assert_eq!(total, case.nodes, "{kind} {} depth {}", case.id, case.depth);
            let texts: Vec<String> = divided.iter().map(|(m, _)| m.to_string()).collect();
            assert!(texts.is_sorted(), "{kind} {}", case.id);
            assert_eq!(case.pos.perft(case.depth, 3), case.nodes);
        }
    }
}

#[test]
fn a_table_changes_no_count() {
    for kind in GameKind::ALL.iter().copied() {
        // A table of one slot keeps hardly any counts, one of 16 megabytes nearly all.
        for megabytes in [0, 16] {
            let table = Table::new(megabytes).expect("memory");
            for case in read(kind).iter().filter(|case| case.nodes <= 3_000_000) {
                for threads in [1, 2] {
                    let nodes = case.pos.perft_hashed(case.depth, threads, &table);
                    assert_eq!(nodes, case.nodes, "{kind} {} depth {}", case.id, case.depth);
                }
            }
        }
    }
}

#[test]
fn depth_zero_is_the_position_itself() {
    for kind in GameKind::ALL.iter().copied() {
        let pos = &read(kind)[0].pos;
        assert_eq!(pos.perft(0, 1), 1);
        assert_eq!(pos.perft(0, 4), 1);
        assert!(pos.divide(0, 1).is_empty());
        let table = Table::new(1).expect("memory");
        assert_eq!(pos.perft_hashed(0, 1, &table), 1);
        assert!(pos.divide_hashed(0, 1, &table).is_empty());
    }
}

struct Case {
    id: String,
    pos: AnyPosition,
    depth: u32,
    nodes: u64,
}

fn read(kind: GameKind) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let path = folder.join(format!("{kind}.perft"));
    let file = fs::read_to_string(path).expect("every game has a perft file");
    let (mut id, mut pos, mut cases) = (String::new(), None, Vec::new());
    for line in file
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let (key, value) = line.split_once(' ').expect("a key and a value");
        match key {
            "id" => (id, pos) = (value.to_owned(), None),
            "pos" => pos = Some(AnyPosition::parse(kind, value).expect("a position")),
            "perft" => {
                let (depth, nodes) = value.split_once(' ').expect("a depth and a count");
                cases.push(Case {
                    id: id.clone(),
                    pos: pos.clone().expect("a position before its counts"),
                    depth: depth.parse().expect("a depth"),
                    nodes: nodes.parse().expect("a count"),
                });
            }
            unknown => panic!("unknown key {unknown} in the perft file of {kind}"),
        }
    }
    cases
}
