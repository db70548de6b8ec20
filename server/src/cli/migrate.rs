//! `mawe migrate`: brings the schema up to date and exits.

use crate::cli::output::{Failure, print, runtime};
use crate::config::StoreOptions;

pub(super) fn run(options: &StoreOptions) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let store = mawe_store::open(&options.url())
            .await
            .map_err(|error| Failure::Failed(error.to_string()))?;
        store.close().await;
        print("the schema is up to date\n")
    })
}
