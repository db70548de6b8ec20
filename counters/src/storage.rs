//! Counters of appends on SQLite.

use std::path::Path;
use std::sync::Arc;

use mawe_counters::games::{TIME_CONTROL, match_id};
use mawe_play::room::entry::StoredEntry;
use mawe_rules::{BySide, GameKind};
use mawe_store::{Append, Appended, NewMatch, Store};
use mawe_wire::{MatchOptions, Speed};
use tokio::runtime::{Builder, Runtime};

use crate::{count_instructions, print_figure};

/// The number of running matches. With more of them, fewer entries share a page.
const MATCHES: u64 = 500;

/// The number of entries of each match before the counts.
const ENTRIES_BEFORE: u64 = 10;

/// The sizes of the batches for the counts of bytes, each with the number of batches. The log stays below the size at which SQLite begins
/// to copy it into the database.
const BATCHES: [(usize, usize); 3] = [(1, 200), (16, 60), (100, 20)];

/// The size and number of the batches for the counts of instructions.
const COUNTED_BATCHES: (usize, usize) = (100, 11);

/// The matches of a store, in turns.
struct Writer {
    runtime: Runtime,
    store: Arc<dyn Store>,
    heads: Vec<u64>,
    next: usize,
}

/// Makes the database in `directory`, with running matches.
pub(crate) fn prepare(directory: &Path) {
    let mut writer = Writer::open(directory, 0);
    writer.runtime.block_on(make_matches(&writer.store));
    for _ in 0..ENTRIES_BEFORE {
        let batch = writer.batch(writer.heads.len());
        writer.append(&batch);
    }
    writer.close();
}

/// Counts the instructions of an append of 100 entries of as many matches, on all threads of this process.
pub(crate) fn instructions(directory: &Path) {
    let mut writer = Writer::open(directory, ENTRIES_BEFORE);
    let (size, times) = COUNTED_BATCHES;
    let batches: Vec<Vec<Append>> = (0..times).map(|_| writer.batch(size)).collect();
    // The first one prepares the statement.
    writer.append(&batches[0]);
    count_instructions(&format!("append/{size}"), times - 1, || {
        for batch in &batches[1..] {
            writer.append(batch);
        }
    });
    writer.close();
}

/// Counts the bytes that an entry hands to the system, by the size of the batch.
pub(crate) fn bytes(directory: &Path) {
    let mut writer = Writer::open(directory, ENTRIES_BEFORE);
    for (size, times) in BATCHES {
        let batches: Vec<Vec<Append>> = (0..times).map(|_| writer.batch(size)).collect();
        let before = written();
        for batch in &batches {
            writer.append(batch);
        }
        let bytes = written() - before;
        print_figure(&format!("append/{size}"), bytes, size * times);
    }
    writer.close();
}

impl Writer {
    /// Opens the store; each match has this many entries.
    fn open(directory: &Path, entries: u64) -> Writer {
        // One thread for all tasks, so that their turns are nearly the same in every run. SQLite has its own.
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let url = format!("sqlite:{}", directory.join("mawe.sqlite").display());
        let store = runtime
            .block_on(mawe_store::open(&url))
            .expect("the store opens");
        Writer {
            runtime,
            store,
            heads: (0..MATCHES).map(|_| entries).collect(),
            next: 0,
        }
    }

    /// Returns the next entries of the next matches, as the journal hands them to the store.
    fn batch(&mut self, size: usize) -> Vec<Append> {
        let batch = (0..size).map(|_| {
            self.next = (self.next + 1) % self.heads.len();
            let head = &mut self.heads[self.next];
            *head += 1;
            append(self.next as u64, *head - 1)
        });
        batch.collect()
    }

    fn append(&self, batch: &[Append]) {
        let answers = self
            .runtime
            .block_on(self.store.append(batch))
            .expect("the store answers");
        assert!(answers.iter().all(|answer| *answer == Appended::Done));
    }

    fn close(self) {
        self.runtime.block_on(self.store.close());
    }
}

fn append(number: u64, head: u64) -> Append {
    let entry = StoredEntry {
        seq: head + 1,
        epoch: 0,
        kind: "move".into(),
        payload: r#"{"side":"first","kind":"move","move":"c3-c4","spent_ms":1750,"lag_ms":45,"left_ms":[178250,955,180000,1000]}"#.into(),
        client_id: Some(format!("first:0193b1c2-8f4e-7a61-{head:012}")),
        at_ms: 1_700_000_000_000,
    };
    Append {
        match_id: match_id(number),
        head,
        epoch: 0,
        entries: vec![entry],
        finish: None,
        due_ms: None,
    }
}

async fn make_matches(store: &Arc<dyn Store>) {
    // Computer opponents, because the number of running matches of a person is limited.
    let mut players = Vec::new();
    for (level, name) in [(1, "One"), (2, "Other")] {
        let bot = store.ensure_bot(level, name, 0).await;
        players.push(bot.expect("a computer opponent").id);
    }
    for number in 0..MATCHES {
        let new = NewMatch {
            id: match_id(number),
            game: GameKind::Mawe,
            setup: String::new(),
            rated: false,
            time_control: TIME_CONTROL,
            speed: Speed::Blitz,
            extra_ms: BySide::default(),
            options: MatchOptions::usual(false),
            private: false,
            players: BySide::new(players[0].clone(), players[1].clone()),
            ratings: BySide::default(),
            rematch_of: None,
            due_ms: None,
            created_ms: 0,
        };
        store.create_match(&new).await.expect("a match");
    }
}

/// Returns the number of bytes that this process has handed to the system to be written, to files and elsewhere.
fn written() -> usize {
    let counts = std::fs::read_to_string("/proc/self/io").expect("the counts of Linux");
    let line = counts.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|count| count.parse().ok())
        .expect("a count of written bytes")
}
