//! The binary `lab`: a command for each task of teaching and measuring the engine.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{
    book, decided, endgames, features, ffo, intents, ladder, learn, mawe_boards, openings,
    reversi_train, rival,
};

mod commands;
mod small_mawe;

/// Teach and measure the engine of a Mawe! server.
///
/// docs/engine.md describes the methods, docs/lab/ the results.
#[derive(Debug, Parser)]
#[command(name = "lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play the ladder of levels, or of any list of players, each against the next
    Ladder(ladder::Options),
    /// Play a match against another program
    Rival(rival::Options),
    /// Play games and print where they were decided
    Decided(decided::Options),
    /// Play games of a level and count how resignations and offers of a draw would have ended
    Intents(intents::Options),
    /// Count the nodes to a depth, with each feature of the search left out in turn
    Features,
    /// Solve the FFO test positions of Reversi and compare the results with the published ones
    Ffo(ffo::Options),
    /// Make an endgame database in memory and print the results of each slice
    Endgames(endgames::Options),
    /// Solve Mawe! on a small board
    MaweBoards(mawe_boards::Options),
    /// Make the opening book of a game
    Book(book::Options),
    /// Make the even openings from which matches of a game draw
    Openings(openings::Options),
    /// Learn the weights of a game's evaluation
    #[command(subcommand)]
    Learn(learn::Task),
    /// Learn the weights of Reversi's patterns
    #[command(subcommand)]
    ReversiTrain(reversi_train::Task),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Ladder(options) => ladder::run(&options),
        Command::Rival(options) => rival::run(&options),
        Command::Decided(options) => decided::run(&options),
        Command::Intents(options) => intents::run(&options),
        Command::Features => {
            features::run();
            Ok(())
        }
        Command::Ffo(options) => ffo::run(&options),
        Command::Endgames(options) => endgames::run(&options),
        Command::MaweBoards(options) => mawe_boards::run(&options),
        Command::Book(options) => book::run(&options),
        Command::Openings(options) => openings::run(&options),
        Command::Learn(task) => learn::run(&task),
        Command::ReversiTrain(task) => reversi_train::run(&task),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lab: {failure}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_commands_and_their_options_agree() {
        Cli::command().debug_assert();
    }

    /// Splits a line at blanks outside of quotation marks.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for c in line.chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(String::new()),
                _ => words.last_mut().expect("there is one").push(c),
            }
        }
        words
    }

    #[test]
    fn the_commands_in_the_documentation_are_understood() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let logs = fs::read_dir(docs.join("lab")).expect("it is in the repository");
        let mut pages: Vec<_> = logs.map(|page| page.expect("it is there").path()).collect();
        pages.push(docs.join("engine.md"));
        let mut count = 0;
        for page in pages {
            let text = fs::read_to_string(&page).expect("pages are text");
            let commands = text.lines().filter_map(|line| {
                let line = line
                    .trim()
                    .strip_prefix("cargo run --release -p mawe-lab ")?;
                // What a shell would put in is not known here.
                (!line.contains('$')).then_some(line)
            });
            for command in commands {
                let arguments = words(&command.replacen("--", "lab", 1));
                if let Err(error) = Cli::try_parse_from(arguments) {
                    panic!("{}: {command}\n{error}", page.display());
                }
                count += 1;
            }
        }
        assert!(count > 15, "{count}");
    }
}
