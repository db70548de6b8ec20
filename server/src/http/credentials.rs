//! Attempts to prove the ownership of an account, counted against the limits of guesses.

use std::net::IpAddr;

use mawe_store::Player;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::SignedIn;
use crate::identity::devices::GivenMarks;
use crate::identity::passwords::Caller;
use crate::limits::attempts::Guess;
use crate::limits::guesses::{Guesser, NameKey, NotWrong};
use crate::limits::network::network;

/// An attempt to prove the ownership of an account by its password.
pub(crate) struct Attempt<'a> {
    pub(crate) address: IpAddr,
    pub(crate) marks: &'a GivenMarks,
    pub(crate) name: &'a str,
    pub(crate) password: String,
}

/// An attempt that has been counted as wrong.
pub(crate) struct Begun<'a> {
    /// The player of the name, with the stored hash of the password.
    pub(crate) known: Option<(Player, String)>,
    pub(crate) guess: Guess<'a>,
    caller: Caller,
}

/// Counts an attempt at an account, with its password or with a code, against the limits of guesses.
///
/// # Errors
/// The refusals of the limits, and errors of the store.
pub(crate) async fn begin<'a>(
    app: &'a App,
    address: IpAddr,
    marks: &GivenMarks,
    name: &str,
) -> Result<Begun<'a>, ApiError> {
    if marks.is_empty() {
        app.limits.login(address)?;
    }
    let known = app.store.credentials(name).await?;
    let device = known
        .as_ref()
        .and_then(|(player, stored)| app.devices.known(marks, &player.id, stored, unix_ms()));
    let (by, caller) = match device {
        // Attempts of others, from this address or at this name, do not count for a known device.
        Some(device) => (Guesser::Device { device }, Caller::Known),
        None => {
            if !marks.is_empty() {
                app.limits.login(address)?;
            }
            let name = NameKey::new(name);
            let from = network(address);
            (Guesser::Stranger { name, from }, Caller::Stranger)
        }
    };
    let guess = app.limits.guess(by)?;
    Ok(Begun {
        known,
        guess,
        caller,
    })
}

/// Returns the player of a name and a password, with the stored hash; counts the attempt against the limits of guesses.
///
/// # Errors
/// [`ApiError::WrongCredentials`]; the refusals of the limits, and errors of the store.
pub(crate) async fn check_credentials(
    app: &App,
    attempt: Attempt<'_>,
) -> Result<(Player, String), ApiError> {
    let Attempt {
        address,
        marks,
        name,
        password,
    } = attempt;
    let Begun {
        known,
        guess,
        caller,
    } = begin(app, address, marks, name).await?;
    let (player, stored) = known.unzip();
    let checked = app.passwords.verify(password, stored.clone(), caller).await;
    let matches = match checked {
        Ok(matches) => matches,
        Err(busy) => {
            guess.undo(NotWrong::Untried);
            return Err(busy.into());
        }
    };
    match player.zip(stored).filter(|_| matches) {
        Some(found) => {
            guess.undo(NotWrong::Right);
            Ok(found)
        }
        None => Err(ApiError::WrongCredentials),
    }
}

/// Checks the password of a caller with a session: with a stolen one it must not be guessed faster than by logging in.
///
/// # Errors
/// [`ApiError::WrongCredentials`]; the refusals of the limits, and errors of the store.
pub(crate) async fn check_own_password(
    app: &App,
    me: &SignedIn,
    password: String,
) -> Result<(), ApiError> {
    let known = app.store.credentials(&me.player.name).await?;
    let stored = known.map(|(_, stored)| stored);
    let session = me.session;
    let guess = app.limits.guess(Guesser::Session { session })?;
    let checked = app.passwords.verify(password, stored, Caller::Known).await;
    match checked {
        Ok(true) => {
            guess.undo(NotWrong::Right);
            Ok(())
        }
        Ok(false) => Err(ApiError::WrongCredentials),
        Err(busy) => {
            guess.undo(NotWrong::Untried);
            Err(busy.into())
        }
    }
}
