//! `docs/api.md` and `docs/api-bots.md`: their lines, word for word.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;
use tokio::time::timeout;

mod common;

use common::{PATIENCE, TestServer};

/// The lines of all blocks for the shell, in order.
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

#[tokio::test]
async fn the_lines_of_the_api_by_example_do_what_it_says() {
    run("api.md").await;
}

#[tokio::test]
async fn the_lines_about_tokens_and_bots_do_what_they_say() {
    run("api-bots.md").await;
}

async fn run(document: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(document);
    let document = std::fs::read_to_string(path).expect("the document is in the repository");
    let script = script(&document);
    assert!(script.lines().count() > 15, "{script}");
    let server = TestServer::start().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let shell = Command::new("bash")
        .args(["-eux", "-c", &script])
        .env("MAWE", format!("http://{}", server.address))
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = timeout(PATIENCE * 2, shell).await;
    let output = output
        .expect("the lines end")
        .expect("bash and curl are there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    server.stop().await;
}
