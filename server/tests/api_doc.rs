//! `docs/api.md`: its lines, word for word.

mod common;

use common::TestServer;
use common::document::run_lines;

#[tokio::test]
async fn the_lines_of_the_document_do_what_it_says() {
    let server = TestServer::start().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let address = format!("http://{}", server.address);
    run_lines("api.md", directory.path(), &[("MAWE", &address)]).await;
    server.stop().await;
}
