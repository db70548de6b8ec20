//! `docs/api.md` and `docs/api-bots.md`: runs their shell lines as written.

use crate::common::TestServer;
use crate::common::document::run_lines;

#[tokio::test]
async fn the_lines_of_the_api_by_example_do_what_it_says() {
    run("api.md").await;
}

#[tokio::test]
async fn the_lines_about_tokens_and_bots_do_what_they_say() {
    run("api-bots.md").await;
}

async fn run(document: &str) {
    let server = TestServer::start().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let address = format!("http://{}", server.address);
    run_lines(document, directory.path(), &[("MAWE", &address)]).await;
    server.stop().await;
}
