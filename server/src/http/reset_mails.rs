//! The task that answers requests for a new password: it looks for the accounts, and writes the mails.

use mawe_store::{Player, RESET_MS, StoreError};
use mawe_wire::PlayerKind;
use tokio::sync::watch;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::mails::{self, Recipient};
use crate::identity::email_addresses;
use crate::mail::{Mailer, ResetRequest, ResetRequests};

/// The number of accounts of one address in a mail. A reader with more asks by the name of an account.
const MAX_ACCOUNTS: u32 = 8;

/// Answers requests until the server stops.
pub(crate) async fn answer(
    app: App,
    mut requests: ResetRequests,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        let request = tokio::select! {
            // An error means that the sender is gone, which is a stop too.
            _ = stopped.wait_for(|stopped| *stopped) => return,
            request = requests.next() => request,
        };
        let (Some(request), Some(mailer)) = (request, &app.mail) else {
            return;
        };
        if let Err(error) = write(&app, mailer, &request).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a mail for a new password was not written: the store did not answer"
            );
        }
    }
}

/// One mail: the accounts of one address, each with its own link.
struct Letter<'a> {
    address: String,
    owner: Recipient<'a>,
    /// The names of the accounts with their links.
    links: Vec<(String, String)>,
}

/// Writes the mail for a request, if there is such an account.
async fn write(app: &App, mailer: &Mailer, request: &ResetRequest) -> Result<(), StoreError> {
    let account = request.account.trim();
    let (players, has_more) = accounts(app, account).await?;
    // Each link goes to the address of its own account: those of several may differ in case, or have changed since.
    let mut letters: Vec<Letter<'_>> = Vec::new();
    for player in &players {
        if app.limits.reset(&player.id).is_err() {
            mailer.meters().limited.count();
            continue;
        }
        let (token, link) = email_addresses::draw_link(unix_ms(), RESET_MS);
        let Some(address) = app.store.begin_reset(&player.id, &link).await? else {
            continue;
        };
        let owner = Recipient::of(app, player, request.language).await?;
        let link = (player.name.clone(), owner.reset_link(&token));
        match letters.iter_mut().find(|letter| letter.address == address) {
            Some(letter) => letter.links.push(link),
            // The accounts of one address are read by one person, in the language of the first.
            None => letters.push(Letter {
                address,
                owner,
                links: vec![link],
            }),
        }
    }
    for letter in &letters {
        if let Some(to) = mails::stored(&letter.address) {
            mailer.send(letter.owner.reset(to, &letter.links, has_more));
        }
    }
    Ok(())
}

/// Returns the accounts of people with this name or address, and whether there are more. No name has an `@`.
async fn accounts(app: &App, account: &str) -> Result<(Vec<Player>, bool), StoreError> {
    let mut players = if account.contains('@') {
        match email_addresses::parse(account) {
            Ok(address) => {
                let limit = MAX_ACCOUNTS + 1;
                app.store.players_by_email(address.as_ref(), limit).await?
            }
            Err(_) => Vec::new(),
        }
    } else {
        let found = app.store.find_player_by_name(account).await?;
        found.into_iter().collect()
    };
    players.retain(|player| player.kind == PlayerKind::Account);
    let has_more = players.len() > MAX_ACCOUNTS as usize;
    players.truncate(MAX_ACCOUNTS as usize);
    Ok((players, has_more))
}
