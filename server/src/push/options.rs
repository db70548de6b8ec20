//! The operator's options of push messages.

use std::time::Duration;

use clap::Args;

use crate::push::service::Trusted;

/// The options of push messages.
#[derive(Debug, Clone, Args)]
pub struct PushOptions {
    /// Whether absent players get push messages in their browsers when it is their turn; the server needs access to the push services.
    #[arg(
        long,
        env = "MAWE_PUSH",
        num_args = 0..=1,
        default_missing_value = "true",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    push: bool,
    /// The operator's address for push services that report a problem: mailto:you@example.org or an address with https:// [default: the
    /// origin, if it has https://]
    #[arg(long, env = "MAWE_PUSH_CONTACT", value_name = "URL")]
    push_contact: Option<String>,
    /// Push services within your own network, as host:port with commas between: also accepted without https and at private addresses
    /// [default: none; only push services of the public network]
    #[arg(
        long,
        env = "MAWE_PUSH_TRUST",
        value_name = "HOST:PORT",
        value_delimiter = ','
    )]
    push_trust: Vec<String>,
}

impl PushOptions {
    /// Returns the settings of a server with this origin, or `None` if push messages are off.
    ///
    /// # Errors
    /// A line for the operator with the fault.
    pub(crate) fn resolve(self, origin: Option<&str>) -> Result<Option<PushSettings>, String> {
        let is_contact = |text: &str| text.starts_with("mailto:") || text.starts_with("https://");
        let contact = self.push_contact;
        if let Some(wrong) = contact.as_deref().filter(|text| !is_contact(text)) {
            return Err(format!(
                "push-contact {wrong:?} must be like mailto:you@example.org or https://example.org"
            ));
        }
        let trusted = self.push_trust.iter().map(|text| {
            Trusted::new(text.trim()).map_err(|advice| format!("push-trust {text:?} {advice}"))
        });
        let trusted = trusted.collect::<Result<Vec<_>, _>>()?;
        let origin = origin.filter(|origin| is_contact(origin));
        let contact = contact.or_else(|| origin.map(str::to_owned));
        Ok(self.push.then(|| PushSettings::new(contact, trusted)))
    }
}

/// The operator's settings for push messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushSettings {
    /// Contact address for push services: `mailto:…` or `https://…`.
    pub contact: Option<String>,
    /// Push services outside the public network.
    pub trusted: Vec<Trusted>,
    /// Time after which a call is checked again for a player who was connected when it was made: a telephone in a pocket keeps its socket
    /// open for a while.
    pub look_again: Duration,
    /// First pause before a message is sent again.
    pub retry: Duration,
}

impl PushSettings {
    /// Returns settings with the default times.
    #[must_use]
    pub fn new(contact: Option<String>, trusted: Vec<Trusted>) -> PushSettings {
        PushSettings {
            contact,
            trusted,
            look_again: Duration::from_secs(60),
            retry: Duration::from_secs(5),
        }
    }
}
