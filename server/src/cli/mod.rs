//! The command line: results on standard output, everything else on standard error; exit 0, 1 (failed) or 2 (wrong use or bad input, one
//! line with the fault and its place).

mod admin;
mod analyse;
mod arena;
mod backup;
mod bench;
mod bot;
mod copy;
mod desk;
mod duel;
mod engine;
mod export;
mod health;
mod invite;
mod log;
mod manual;
mod match_options;
mod migrate;
mod output;
mod progress;
mod replay;
mod rules;
mod serve;
mod signals;
mod solve;
mod status;
#[cfg(unix)]
mod supervisor;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::api::Sender;
use crate::cli::output::{Failure, print};
use crate::config::{self, ParseError, ServeOptions, StoreOptions, one_line};

/// Play board games with people everywhere: a server, and tools around it.
#[derive(Debug, Parser)]
#[command(
    name = "mawe",
    version,
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server (also without this word)
    Serve(Box<ServeOptions>),
    /// Think for the computer opponents of a remote server
    Worker(worker::WorkerOptions),
    /// Bring the schema of the store up to date, and exit
    Migrate(StoreOptions),
    /// Count leaf positions; the last line is `nodes N`
    Perft(rules::PerftOptions),
    /// Print the legal moves, one a line, sorted
    Legal(rules::LegalOptions),
    /// Print the position after moves, and the outcome once the game is over
    Apply(rules::ApplyOptions),
    /// Check game records on standard input, and print the result of each as a line of JSON
    Replay(replay::ReplayOptions),
    /// Manage accounts, matches and ratings, while the server runs or not
    Admin(admin::AdminOptions),
    /// Show the state of the running server: players, matches, queues, sizes
    Status(status::StatusOptions),
    /// Check whether a server is ready, for containers: exit 0 or 1, and one line
    Health(health::HealthOptions),
    /// Write a copy of the embedded database into a file, while the server runs or not
    Backup(backup::BackupOptions),
    /// Replace the embedded database by a backup; no server may run on it
    Restore(backup::RestoreOptions),
    /// Copy all tables of one database into another, empty one: from the embedded one to Postgres, or back
    Copy(copy::CopyOptions),
    /// Write all finished matches, one JSON record a line, while the server runs or not
    Export(export::ExportOptions),
    /// Find the best move in a position, and its score in hundredths of the game's unit
    Analyse(analyse::AnalyseOptions),
    /// Run an engine on standard input and output, one line a command (UGI)
    Engine(engine::EngineCommand),
    /// Let two engine players play a match, and print which is stronger
    Duel(duel::DuelOptions),
    /// Measure how many players this machine can serve
    Bench(bench::BenchOptions),
    /// Let engines and levels play each other, each against each, and print a table
    Arena(arena::ArenaOptions),
    /// Let an engine play as a bot account of a server
    Bot(Box<bot::BotOptions>),
    /// Make endgame databases of checkers, the draughts of 64 squares, Kalah or Oware, which every engine then uses
    Solve(solve::SolveOptions),
    /// Print the OpenAPI document of the server
    Openapi,
    /// Print the JSON Schema of the messages of the WebSocket that one side sends
    Messages(MessagesOptions),
    /// Print the reference of the server's options
    Options,
    /// Print the script with which a shell completes words of this command line
    Completions(manual::CompletionsOptions),
    /// Write the pages of the manual, for `man`
    Manual(manual::ManualOptions),
}

/// `mawe messages`.
#[derive(Debug, Args)]
struct MessagesOptions {
    /// The side that sends the messages
    #[arg(value_enum)]
    sender: Sender,
}

/// Runs the program with these arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = match config::parse::<Cli>(&arguments) {
        Ok(parsed) => parsed,
        Err(ParseError::Usage(error)) => return usage(&error),
        Err(ParseError::File(error)) => return complain(&error.to_string(), 1),
    };
    let in_force = parsed.in_force();
    let cli = parsed.options;
    let done = match cli.command {
        None => serve::run(cli.serve, in_force),
        Some(Command::Serve(options)) => serve::run(*options, in_force),
        Some(Command::Worker(options)) => worker::run(options),
        Some(Command::Migrate(options)) => migrate::run(&options),
        Some(Command::Admin(options)) => admin::run(options),
        Some(Command::Status(options)) => status::run(&options),
        Some(Command::Health(options)) => health::run(options),
        Some(Command::Backup(options)) => backup::backup(&options),
        Some(Command::Restore(options)) => backup::restore(&options),
        Some(Command::Copy(options)) => copy::run(&options),
        Some(Command::Perft(options)) => rules::perft(&options),
        Some(Command::Legal(options)) => rules::legal(&options),
        Some(Command::Apply(options)) => rules::apply(&options),
        Some(Command::Replay(options)) => replay::replay(&options),
        Some(Command::Export(options)) => export::run(&options),
        Some(Command::Analyse(options)) => analyse::analyse(&options),
        Some(Command::Engine(command)) => engine::engine(&command),
        Some(Command::Duel(options)) => duel::duel(&options),
        Some(Command::Bench(options)) => bench::run(options),
        Some(Command::Arena(options)) => arena::arena(&options),
        Some(Command::Bot(options)) => bot::bot(&options),
        Some(Command::Solve(options)) => solve::solve(&options),
        Some(Command::Openapi) => print(&crate::api::openapi_json()),
        Some(Command::Messages(options)) => print(&crate::api::messages_json(options.sender)),
        Some(Command::Options) => print(&config::reference()),
        Some(Command::Completions(options)) => manual::completions(&options, Cli::command()),
        Some(Command::Manual(options)) => manual::manual(&options, Cli::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Failed(line)) => complain(&line, 1),
        Err(Failure::BadInput(line)) => complain(&line, 2),
    }
}

/// Prints help or the version as a result; any other error is wrong use, printed in one line.
fn usage(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        // A reader that closes standard output early is no error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    complain(&format!("{} (see `mawe --help`)", one_line(error)), 2)
}

fn complain(line: &str, code: u8) -> ExitCode {
    eprintln!("mawe: {line}");
    ExitCode::from(code)
}
