//! An arena of an hour. Games last as long as drawn, from half a minute to eight minutes; a twentieth of the players pause now and then.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mawe_play::events::{Format, Input};

use crate::run::{Run, player};
use crate::timing::Times;

const PLAYERS: u32 = 1_000;

/// Plays the arena with games that are so many times as short, and prints its lines.
pub(crate) fn play(compressed: i64) {
    let format = Format::Arena {
        duration_ms: 60 * 60_000,
        berserk: true,
    };
    let mut run = Run::new(format, PLAYERS);
    let mut pairings = Times::default();
    let mut standings = Times::default();
    let mut ends = BinaryHeap::new();
    while !run.is_over() {
        let due = run.event.due_ms().unwrap_or(i64::MAX);
        let end = ends.peek().map_or(i64::MAX, |Reverse((at, _))| *at);
        run.now = run.now.max(due.min(end));
        if due > end {
            let Reverse((_, game)) = ends.pop().expect("an end");
            run.end(game);
            pause_some(&mut run);
            continue;
        }
        let games = run.event.games().len();
        pairings.add(|| run.event.decide(run.now, &Input::Tick, &mut |_| 0));
        run.input(&Input::Tick);
        standings.add(|| run.event.standings());
        for game in &run.event.games()[games..] {
            let lasts = run.rng.i64(30_000..480_000) / compressed;
            ends.push(Reverse((run.now + lasts, game.number)));
        }
    }
    let pace = match compressed {
        1 => "an arena at 3+2".to_owned(),
        times => format!("an arena at 3+2, {times} times as fast"),
    };
    pairings.print(&format!("{pace}: pairing"));
    standings.print(&format!("{pace}: standings"));
    run.print_journal();
}

fn pause_some(run: &mut Run) {
    if run.rng.u32(..20) == 0 {
        let [paused, resumed] = [(); 2].map(|()| player(run.rng.u32(..PLAYERS)));
        run.input(&Input::Pause(&paused));
        run.input(&Input::Resume(&resumed));
    }
}
