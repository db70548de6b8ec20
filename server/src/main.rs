//! The binary `mawe`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mawe_server::cli::run(std::env::args_os())
}
