//! The results and failures of commands.

/// The failure of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command could not be carried out: exit 1.
    Failed(String),
    /// The command or its input is wrong: exit 2.
    BadInput(String),
}

/// Writes a result; a reader that has closed standard output is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => Ok(()),
        Err(error) => output_failed(error),
    }
}

/// Returns the result of a command whose output could not be written.
pub(crate) fn output_failed(error: std::io::Error) -> Result<(), Failure> {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(Failure::Failed(format!(
            "standard output cannot be written: {error}"
        ))),
    }
}

pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))
}
