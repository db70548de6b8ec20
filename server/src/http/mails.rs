//! The texts of mails, in the language of their reader. Their catalogue is `static/i18n/mails/`, which only the server reads.

use lettre::Address;
use mawe_store::{Player, StoreError};
use mawe_wire::Language;

use crate::app::App;
use crate::http::catalogues::say;
use crate::mail::Mail;

/// The page that confirms an address; the token follows in the part of the address that no server sees and no log has.
const CONFIRM: &str = "/confirm-email#";

/// The page that sets a new password.
const RESET: &str = "/reset-password#";

/// The owner of an account, as the reader of a mail.
pub(crate) struct Recipient<'a> {
    site: &'a str,
    origin: &'a str,
    name: &'a str,
    language: Language,
}

impl<'a> Recipient<'a> {
    /// Returns the owner of an account; `fallback` is the language where none was chosen.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn of(
        app: &'a App,
        player: &'a Player,
        fallback: Language,
    ) -> Result<Recipient<'a>, StoreError> {
        let chosen = app.store.language(&player.id).await?;
        Ok(Recipient {
            site: app.settings.site.shown_name(),
            // The options of mail need one.
            origin: app.settings.origin.as_deref().unwrap_or_default(),
            name: &player.name,
            language: chosen.unwrap_or(fallback),
        })
    }

    /// Writes the mail with the link that confirms an address.
    pub(crate) fn confirmation(&self, to: Address, token: &str) -> Mail {
        let link = self.link(CONFIRM, token);
        self.mail(
            to,
            ["mails.confirm.subject", "mails.confirm.text"],
            &[("link", &link)],
        )
    }

    /// Writes the mail to a former address.
    pub(crate) fn changed(&self, to: Address) -> Mail {
        self.mail(to, ["mails.changed.subject", "mails.changed.text"], &[])
    }

    /// Writes the mail to an address that was removed.
    pub(crate) fn removed(&self, to: Address) -> Mail {
        self.mail(to, ["mails.removed.subject", "mails.removed.text"], &[])
    }

    /// Returns the link that sets a new password.
    pub(crate) fn reset_link(&self, token: &str) -> String {
        // The name of the account is for the form, in which a browser looks for it.
        self.link(RESET, &format!("{}/{token}", self.name))
    }

    /// Writes the mail with links that set new passwords, each after the name of its account; `has_more` says that the address has other accounts.
    pub(crate) fn reset(&self, to: Address, links: &[(String, String)], has_more: bool) -> Mail {
        let lines = links.iter().map(|(name, link)| format!("{name}\n{link}"));
        let mut links = lines.collect::<Vec<_>>().join("\n\n");
        if has_more {
            links.push_str("\n\n");
            links.push_str(&say(self.language, "mails.reset.more", &[]));
        }
        self.mail(
            to,
            ["mails.reset.subject", "mails.reset.text"],
            &[("links", &links)],
        )
    }

    fn link(&self, page: &str, rest: &str) -> String {
        format!("{}{page}{rest}", self.origin.trim_end_matches('/'))
    }

    fn mail(&self, to: Address, keys: [&str; 2], more: &[(&str, &str)]) -> Mail {
        let holes = [&[("site", self.site), ("name", self.name)], more].concat();
        let [subject, text] = keys.map(|key| say(self.language, key, &holes));
        let (site, origin) = (self.site, self.origin);
        Mail {
            to,
            subject,
            text: format!("{text}\n\n-- \n{site}\n{origin}\n"),
        }
    }
}

/// Parses an address of the store. It was checked before it was stored; one that a later version accepts gets no mail.
pub(crate) fn stored(address: &str) -> Option<Address> {
    address.parse().ok()
}
