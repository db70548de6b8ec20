//! Options at their defaults.

use clap::{Args, Command};

/// Returns the options for which nothing is given: no argument, no variable of the environment, no file.
pub(super) fn defaults<O: Args>() -> O {
    let command = O::augment_args(Command::new("mawe")).mut_args(|option| option.env(None));
    let matches = command.try_get_matches_from(["mawe"]);
    matches
        .and_then(|matches| O::from_arg_matches(&matches))
        .expect("an option has a default value or may be absent")
}
