//! Times searches natively, for `tests/browser/engine-speed.js`, which compares them with those of the page's engine.
//!
//! Reads lines `NODES GAME POSITION` and answers each with `MILLISECONDS NODES SCORE BEST`: a search of one thread with an empty table of
//! the page's size.

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::{AnyPosition, GameKind, Record};

/// The table of the page's worker.
const TABLE_MEGABYTES: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let options = EngineOptions {
        megabytes: TABLE_MEGABYTES,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options)?;
    for line in io::stdin().lines() {
        let line = line?;
        let answer = timed(&engine, &line)?;
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}

fn timed(engine: &Engine, line: &str) -> Result<String, Box<dyn Error>> {
    let mut words = line.splitn(3, ' ');
    let (Some(nodes), Some(game), Some(position)) = (words.next(), words.next(), words.next())
    else {
        return Err("a line is NODES GAME POSITION".into());
    };
    let kind: GameKind = game.parse()?;
    let game = Record::from_position(AnyPosition::parse(kind, position)?);
    let limits = Limits::nodes(nodes.parse()?);
    engine.forget();
    let began = Instant::now();
    let found = engine.think(&game, &limits, &mut |_| ())?;
    let ms = began.elapsed().as_secs_f64() * 1e3;
    Ok(format!(
        "{ms:.3} {} {} {}",
        found.nodes, found.score, found.best
    ))
}
