//! The connection to the operator's mail server (SMTP), and the form of a mail.

use std::error::Error;
use std::{io, iter};

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::Tls;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{self, response::Code};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use mawe_wire::random;

use super::options::{MailSettings, Security};

/// A mail to one address.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The address.
    pub to: Address,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
}

/// The result of an attempt.
pub(super) enum Delivery {
    Taken,
    /// For good, with the code of the mail server or of the fault.
    Refused(String),
    /// The mail server is busy or away: the fault, as far as it is known.
    Later(Option<String>),
}

/// The mail server. Each mail has a connection of its own: there are few.
pub(super) struct Transport {
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// The name of this server, for the id of each mail.
    host: String,
}

impl Transport {
    pub(super) fn new(settings: &MailSettings) -> Transport {
        let tls = || settings.tls().expect("the options have been checked");
        let tls = match settings.security {
            Security::Tls => Tls::Wrapper(tls()),
            Security::StartTls => Tls::Required(tls()),
            Security::None => Tls::None,
        };
        let smtp = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(settings.host.clone())
            .port(settings.port)
            .tls(tls)
            .hello_name(ClientId::Domain(settings.name.clone()))
            .timeout(Some(settings.attempt_limit));
        let smtp = match &settings.credentials {
            Some((user, password)) => {
                smtp.credentials(Credentials::new(user.clone(), password.text().to_owned()))
            }
            None => smtp,
        };
        Transport {
            smtp: smtp.build(),
            from: settings.from.clone(),
            host: settings.name.clone(),
        }
    }

    /// Offers a mail to the mail server once.
    pub(super) async fn offer(&self, mail: &Mail) -> Delivery {
        let message = match self.message(mail) {
            Ok(message) => message,
            Err(error) => return Delivery::Refused(error.to_string()),
        };
        match self.smtp.send(message).await {
            Ok(_) => Delivery::Taken,
            Err(error) => result_of(&error),
        }
    }

    /// Returns the mail with its headers. All of them are encoded by the library, so that no line of a text becomes a header.
    fn message(&self, mail: &Mail) -> Result<Message, lettre::error::Error> {
        let id = format!("<{}@{}>", random::text(24), self.host);
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, mail.to.clone()))
            .subject(mail.subject.clone())
            .message_id(Some(id))
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text.clone())?;
        // RFC 3834: an automatic answer to it would reach nobody.
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        let automatic = HeaderValue::new(automatic, "auto-generated".to_owned());
        message.headers_mut().insert_raw(automatic);
        Ok(message)
    }
}

fn result_of(error: &smtp::Error) -> Delivery {
    let code = error.status().map(|code: Code| code.to_string());
    if error.is_permanent() {
        return Delivery::Refused(code.unwrap_or_default());
    }
    // The text of a reply may repeat the address; other faults are of the network and of TLS.
    Delivery::Later(Some(code.unwrap_or_else(|| fault_of(error))))
}

/// Returns the fault of a connection.
fn fault_of(error: &smtp::Error) -> String {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    let fault = causes.find_map(|cause| {
        let cause = cause.downcast_ref::<io::Error>()?.get_ref()?;
        match cause.downcast_ref() {
            Some(rustls::Error::InvalidCertificate(fault)) => Some(fault),
            _ => None,
        }
    });
    match (fault, error.source()) {
        (Some(fault), _) => format!(
            "its certificate is not trusted ({fault}); --smtp-ca names the certificates of an authority of your own"
        ),
        (None, Some(cause)) => cause.to_string(),
        (None, None) => "the connection failed".to_owned(),
    }
}
