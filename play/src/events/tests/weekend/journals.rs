//! The journals as the store holds them, with the rows of games: an append at another head than the last one is refused.

use mawe_wire::events::{EventGameResult, EventState};

use super::audit;
use super::ledger::Ledger;
use super::programme::Planned;
use crate::events::{Entry, Event};

/// All journals.
pub(super) struct Journals {
    pub(super) all: Vec<Journal>,
}

/// The journal of an event, with the columns and the rows that its appends write.
pub(super) struct Journal {
    pub(super) planned: Planned,
    pub(super) entries: Vec<(i64, String)>,
    pub(super) due_ms: Option<i64>,
    /// The rows of the games, by number from 1.
    pub(super) rows: Vec<Row>,
    /// The state, entry by entry from the text.
    pub(super) event: Event,
    ledger: Ledger,
}

/// The row of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    Ready,
    Playing(Match),
    /// The end is noted; whether the match was made void afterwards.
    Ended {
        voided: bool,
    },
    Skipped,
}

/// A match with the end that it will have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) ends_ms: i64,
    pub(super) result: EventGameResult,
    pub(super) forfeit: bool,
}

/// Entries that a node has decided.
#[derive(Debug, Clone)]
pub(super) struct Append {
    pub(super) event: usize,
    /// The number of entries before.
    pub(super) head: usize,
    pub(super) at_ms: i64,
    pub(super) entries: Vec<String>,
    /// The state after the entries, as the node has it.
    pub(super) after: Event,
}

impl Journals {
    pub(super) fn new(programme: Vec<Planned>) -> Journals {
        let all = programme.into_iter().map(|planned| Journal {
            event: Event::new(planned.terms.clone()),
            ledger: Ledger::new(&planned.terms),
            entries: Vec::new(),
            due_ms: Some(planned.start_ms()),
            rows: Vec::new(),
            planned,
        });
        Journals { all: all.collect() }
    }

    /// Appends and checks the invariants; `false` if the journal has another head, or a row is in another state.
    pub(super) fn append(&mut self, append: &Append) -> bool {
        let journal = &mut self.all[append.event];
        if journal.entries.len() != append.head {
            return false;
        }
        let entries: Vec<Entry> = append
            .entries
            .iter()
            .map(|text| Entry::read(text).expect("our own entry"))
            .collect();
        let mut rows = journal.rows.clone();
        if !entries.iter().all(|entry| change_row(&mut rows, entry)) {
            return false;
        }
        journal.rows = rows;
        for entry in &entries {
            let applied = journal.event.apply(append.at_ms, entry);
            assert_eq!(applied, Ok(()), "{entry:?}");
        }
        assert_eq!(
            journal.event, append.after,
            "what was decided is what is read"
        );
        let texts = append.entries.iter().cloned();
        journal
            .entries
            .extend(texts.map(|text| (append.at_ms, text)));
        journal.due_ms = journal.event.due_ms();
        audit::append(&mut journal.ledger, append.at_ms, &entries);
        audit::check(&journal.ledger, &journal.event);
        true
    }

    /// Makes the match of a ready game of a running event; `false` if there is none to make.
    pub(super) fn seat(&mut self, event: usize, game: u32, made: Match) -> bool {
        let journal = &mut self.all[event];
        let row = &mut journal.rows[game as usize - 1];
        let is_ready = *row == Row::Ready && journal.event.state() == EventState::Running;
        if is_ready {
            *row = Row::Playing(made);
        }
        is_ready
    }

    pub(super) fn are_over(&self) -> bool {
        self.all.iter().all(Journal::is_over)
    }
}

impl Journal {
    pub(super) fn is_over(&self) -> bool {
        match self.event.state() {
            EventState::Finished | EventState::Cancelled => true,
            EventState::Coming | EventState::Running => false,
        }
    }

    /// The state as a node has it that reads the journal from its beginning.
    pub(super) fn replayed(&self) -> Event {
        let texts = self.entries.iter();
        let entries: Vec<(i64, Entry)> = texts
            .map(|(at_ms, text)| (*at_ms, Entry::read(text).expect("our own entry")))
            .collect();
        let entries = entries.iter().map(|(at_ms, entry)| (*at_ms, entry));
        Event::replay(self.planned.terms.clone(), entries).expect("our own journal")
    }
}

/// Changes the row of the game of an entry; `false` if it is in another state than the entry needs.
fn change_row(rows: &mut Vec<Row>, entry: &Entry) -> bool {
    let (number, after) = match entry {
        Entry::Paired { games, .. } => {
            for game in games {
                assert_eq!(game.number as usize, rows.len() + 1, "a gap in the numbers");
                rows.push(Row::Ready);
            }
            return true;
        }
        Entry::Ended { game, .. } => (*game, Row::Ended { voided: false }),
        Entry::Skipped { game, .. } => (*game, Row::Skipped),
        Entry::Corrected { game, .. } => (*game, Row::Ended { voided: false }),
        Entry::Joined { .. }
        | Entry::Rejoined { .. }
        | Entry::Withdrawn { .. }
        | Entry::Paused { .. }
        | Entry::Resumed { .. }
        | Entry::ByeAsked { .. }
        | Entry::Began { .. }
        | Entry::Cancelled { .. }
        | Entry::Berserk { .. }
        | Entry::Closed
        | Entry::Finished => return true,
    };
    let row = &mut rows[number as usize - 1];
    let fits = match entry {
        Entry::Skipped { .. } => *row == Row::Ready,
        Entry::Corrected { .. } => matches!(row, Row::Ended { .. }),
        _ => matches!(row, Row::Ready | Row::Playing(_)),
    };
    *row = after;
    fits
}
