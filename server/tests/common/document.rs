//! Runs the shell lines of documents as written and in order.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;
use tokio::time::timeout;

use super::PATIENCE;

/// Returns the lines of all shell blocks, in order.
fn script(document: &str) -> String {
    let mut script = String::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if line == "```sh" {
            let block = lines.by_ref().take_while(|line| *line != "```");
            script.extend(block.map(|line| format!("{line}\n")));
        }
    }
    script
}

/// Runs the lines in `directory` with these variables; every line must succeed.
pub async fn run_lines(name: &str, directory: &Path, variables: &[(&str, &str)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    let document = std::fs::read_to_string(path).expect("the document is in the repository");
    let script = script(&document);
    assert!(script.lines().count() > 15, "{script}");
    // Background processes end with the script, even if a line fails.
    let script = format!("trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}");
    let shell = Command::new("bash")
        .args(["-eux", "-c", &script])
        .envs(variables.iter().copied())
        .current_dir(directory)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = timeout(PATIENCE * 2, shell).await;
    let output = output.expect("the lines end").expect("bash is there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}
