//! A node: the states that it keeps in memory, and the work that it has begun. A crash loses both.

use fastrand::Rng;
use mawe_wire::ids::PlayerId;

use super::fill_ins::check_refusal;
use super::journals::{Append, Journals};
use super::seen::Seen;
use crate::events::{Event, Input, Refusal};

/// The number of times that a change is decided anew because another one was faster.
const TRIES: u32 = 20;

/// A node of the cluster.
pub(super) struct Node<'a> {
    /// For each event the number of entries that the node has read, their last time, and the state.
    states: Vec<Option<(usize, i64, Event)>>,
    /// The computer players of the server, which fill in.
    bots: &'a [PlayerId],
    pub(super) tasks: Vec<Task<'a>>,
    /// The difference of the node's clock from the true time.
    pub(super) skew_ms: i64,
}

/// Work that the node has begun.
pub(super) enum Task<'a> {
    /// A decision whose entries are on the way to the store.
    Write {
        append: Box<Append>,
        inputs: Vec<Input<'a>>,
        tries: u32,
    },
    /// A paired game that is to be seated.
    Seat { event: usize, game: u32 },
}

impl<'a> Node<'a> {
    pub(super) fn new(events: usize, bots: &'a [PlayerId], skew_ms: i64) -> Node<'a> {
        Node {
            states: vec![None; events],
            bots,
            tasks: Vec::new(),
            skew_ms,
        }
    }

    /// The state at the head of the journal, and the time of the last entry. A node that has none reads the whole journal.
    pub(super) fn read(&mut self, journals: &Journals, event: usize) -> (&Event, i64) {
        let journal = &journals.all[event];
        let slot = &mut self.states[event];
        let (head, at_ms, state) = slot.get_or_insert_with(|| {
            let at_ms = journal.entries.last().map_or(0, |(at_ms, _)| *at_ms);
            (journal.entries.len(), at_ms, journal.replayed())
        });
        for (time, text) in &journal.entries[*head..] {
            let entry = crate::events::Entry::read(text).expect("our own entry");
            state.apply(*time, &entry).expect("our own journal");
            *at_ms = *time;
        }
        *head = journal.entries.len();
        assert_eq!(
            *state, journal.event,
            "the state in memory is that of the journal"
        );
        (state, *at_ms)
    }

    /// Decides about inputs one after the other, each on the state that those before it leave. The entries wait to be written.
    pub(super) fn decide(
        &mut self,
        journals: &Journals,
        event: usize,
        now_ms: i64,
        inputs: Vec<Input<'a>>,
        rng: &mut Rng,
    ) -> Vec<Refusal> {
        self.decide_again(journals, event, now_ms, inputs, rng, 0)
    }

    fn decide_again(
        &mut self,
        journals: &Journals,
        event: usize,
        now_ms: i64,
        inputs: Vec<Input<'a>>,
        rng: &mut Rng,
        tries: u32,
    ) -> Vec<Refusal> {
        let (skew_ms, bots) = (self.skew_ms, self.bots);
        let (before, last_ms) = self.read(journals, event);
        let at_ms = (now_ms + skew_ms).max(last_ms);
        // At a tick of the clock alone; one behind the end of a game pairs no round.
        let fill_ins = if inputs == [Input::Tick] {
            fill_ins(before, now_ms + skew_ms, bots)
        } else {
            Vec::new()
        };
        let mut after = before.clone();
        let (mut entries, mut refused) = (Vec::new(), Vec::new());
        for input in fill_ins.iter().chain(&inputs) {
            // The number of steps of the clock in one append is the server's choice; no number may do harm.
            let steps = if *input == Input::Tick {
                rng.u32(1..=4)
            } else {
                1
            };
            for _ in 0..steps {
                let mut chance = |below: u32| if below == 0 { 0 } else { rng.u32(..below) };
                match after.decide(at_ms, input, &mut chance) {
                    Err(refusal) => {
                        check_refusal(&after, input, refusal);
                        refused.push(refusal);
                    }
                    Ok(new) => {
                        let is_due = after.due_ms().is_some_and(|due| due <= at_ms);
                        let does_nothing = *input == Input::Tick && is_due && new.is_empty();
                        assert!(!does_nothing, "due, but nothing to do: {after:?}");
                        let is_sent_off = matches!(input, Input::FillIn { .. }) && new.is_empty();
                        assert!(!is_sent_off, "wanted, but sent off: {after:?}");
                        for entry in &new {
                            let applied = after.apply(at_ms, entry);
                            assert_eq!(applied, Ok(()), "{input:?} gave {entry:?}");
                        }
                        entries.extend(new.iter().map(crate::events::Entry::write));
                    }
                }
            }
        }
        if entries.is_empty() {
            assert_eq!(*before, after, "no entry, no change");
            return refused;
        }
        let append = Append {
            event,
            head: journals.all[event].entries.len(),
            at_ms,
            entries,
            after,
        };
        self.tasks.push(Task::Write {
            append: Box::new(append),
            inputs,
            tries: tries + 1,
        });
        refused
    }

    /// Writes a decision. If the journal has gone on, the node reads it and decides again.
    pub(super) fn write(
        &mut self,
        journals: &mut Journals,
        (append, inputs, tries): (Box<Append>, Vec<Input<'a>>, u32),
        now_ms: i64,
        rng: &mut Rng,
        seen: &mut Seen,
    ) {
        if journals.append(&append) {
            return;
        }
        seen.late_writes_refused += 1;
        if tries < TRIES {
            self.decide_again(journals, append.event, now_ms, inputs, rng, tries);
        }
    }

    /// Loses all that is in memory. A write that was on the way may have reached the store, and its answer is lost.
    pub(super) fn crash(&mut self, journals: &mut Journals, rng: &mut Rng, seen: &mut Seen) {
        self.states.fill_with(|| None);
        for task in std::mem::take(&mut self.tasks) {
            let Task::Write { append, .. } = task else {
                continue;
            };
            let arrives = rng.bool();
            if !(arrives && journals.append(&append)) {
                seen.lost_writes += 1;
            }
        }
    }
}

/// The fill-ins that an event wants, of the computer players who are not in it.
fn fill_ins<'a>(event: &Event, now_ms: i64, bots: &'a [PlayerId]) -> Vec<Input<'a>> {
    let free = bots.iter().filter(|bot| event.seat_of(bot).is_none());
    let wanted = event.wanted_fill_ins(now_ms) as usize;
    let joins = (1..).zip(free.take(wanted));
    let joins = joins.map(|(place, player)| Input::FillIn {
        player,
        rating: f64::from(800 + 150 * place),
    });
    joins.collect()
}
