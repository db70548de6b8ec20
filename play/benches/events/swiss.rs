//! A Swiss with as many players and rounds as there may be.

use mawe_play::events::{Format, Input};

use crate::run::Run;
use crate::timing::Times;

/// Plays the tournament, and prints its lines.
pub(crate) fn play() {
    let format = Format::Swiss {
        rounds: *Format::ROUNDS.end(),
    };
    let mut run = Run::new(format, format.most_players());
    let mut pairings = Times::default();
    while !run.is_over() {
        run.now = run.now.max(run.event.due_ms().expect("no game is pending"));
        let games = run.event.games().len();
        pairings.add(|| run.event.decide(run.now, &Input::Tick, &mut |_| 0));
        run.input(&Input::Tick);
        let paired: Vec<u32> = run.event.games()[games..]
            .iter()
            .map(|game| game.number)
            .collect();
        for game in paired {
            run.now += 100;
            run.end(game);
        }
    }
    let each = pairings.each_ms().join(", ");
    pairings.print(&format!(
        "a Swiss of {} players: pairing",
        format.most_players()
    ));
    println!("the beginning, each round and the end, ms: {each}");
    run.print_journal();
}
