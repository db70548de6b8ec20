//! The operator's options of mail.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::transport::smtp::client::{Certificate, TlsParameters};
use percent_encoding::percent_decode_str;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use url::Url;

/// The name of the optional file in the data directory with the password at the mail server.
const PASSWORD_FILE: &str = "smtp-password";

/// The options of mail.
#[derive(Debug, Clone, Args)]
pub struct MailOptions {
    /// The mail server that takes mails of this one, with which owners of accounts can confirm an address and set a new password by mail:
    /// smtps://user@host for TLS (port 465), smtp://user@host?tls=required for STARTTLS (port 587), or smtp://127.0.0.1 for one on this
    /// machine (port 25) [default: no mail]
    #[arg(long, env = "MAWE_SMTP", value_name = "URL", hide_env_values = true)]
    smtp: Option<String>,
    /// The password of the user at the mail server; also in --smtp, or as the file smtp-password in the data directory
    #[arg(
        long,
        env = "MAWE_SMTP_PASSWORD",
        value_name = "PASSWORD",
        hide_env_values = true
    )]
    smtp_password: Option<String>,
    /// A file with certificates of authorities that may have signed the certificate of the mail server, besides those that browsers trust
    #[arg(long, env = "MAWE_SMTP_CA", value_name = "FILE")]
    smtp_ca: Option<PathBuf>,
    /// The sender of mails, like 'Club <noreply@club.example>'; needed with --smtp
    #[arg(long, env = "MAWE_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
}

/// The operator's settings for mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailSettings {
    /// The host of the mail server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The protection of the connection to it.
    pub security: Security,
    /// Authorities that may have signed its certificate, besides those that browsers trust.
    pub authorities: Vec<CertificateDer<'static>>,
    /// The user at the mail server and the password.
    pub credentials: Option<(String, Password)>,
    /// The sender.
    pub from: Mailbox,
    /// The name of this server, for the mail server.
    pub name: String,
    /// The time limit of an attempt to hand over a mail. No option.
    pub attempt_limit: Duration,
    /// The first pause before a mail is offered again. No option.
    pub retry: Duration,
}

/// The protection of the connection to a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte on.
    Tls,
    /// STARTTLS; without it no mail is sent.
    StartTls,
    /// None, on this machine.
    None,
}

/// A password, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl MailOptions {
    /// Returns the settings of a server with this origin and data directory, or `None` if mail is off.
    ///
    /// # Errors
    /// A line for the operator with the fault. It contains no part of the URL, in which a password may be.
    pub(crate) fn resolve(
        self,
        origin: Option<&str>,
        data_dir: &Path,
    ) -> Result<Option<MailSettings>, String> {
        let Some(smtp) = self.smtp else {
            let without_server = [
                ("mail-from", self.mail_from.is_some()),
                ("smtp-password", self.smtp_password.is_some()),
                ("smtp-ca", self.smtp_ca.is_some()),
            ];
            return match without_server.into_iter().find(|(_, given)| *given) {
                Some((option, _)) => Err(format!("{option} needs --smtp, the mail server")),
                None => Ok(None),
            };
        };
        let origin = origin.and_then(|origin| Url::parse(origin).ok());
        let name = origin.and_then(|origin| Some(origin.host_str()?.to_owned()));
        let name = name.ok_or("smtp needs --origin: the links in mails lead to it")?;
        let from = self.mail_from.ok_or(
            "smtp needs --mail-from, the sender of mails, like 'Club <noreply@club.example>'",
        )?;
        let from = from.trim().parse::<Mailbox>().map_err(|_| {
            format!("mail-from {from:?} must be like 'Club <noreply@club.example>'")
        })?;
        let mut settings = server(&smtp, from, name)?;
        if let Some(file) = self.smtp_ca {
            settings.authorities = authorities_in(&file)?;
            if settings.tls().is_err() {
                return Err(format!(
                    "a certificate in {} cannot be used",
                    file.display()
                ));
            }
        }
        let given = match self.smtp_password {
            Some(password) => Some(password),
            None => password_in(data_dir)?,
        };
        if let Some(given) = given {
            let Some((_, password)) = &mut settings.credentials else {
                return Err("smtp must name the user of the password: smtps://user@host".to_owned());
            };
            *password = Password(given);
        }
        if let Some((_, Password(password))) = &settings.credentials
            && password.is_empty()
        {
            return Err(format!(
                "the user in smtp needs a password: as --smtp-password, or in the file {}",
                data_dir.join(PASSWORD_FILE).display()
            ));
        }
        Ok(Some(settings))
    }
}

impl MailSettings {
    /// Returns settings for a mail server on this machine, with the default times.
    #[must_use]
    pub fn local(port: u16, from: Mailbox, name: &str) -> MailSettings {
        MailSettings {
            host: "127.0.0.1".to_owned(),
            port,
            security: Security::None,
            authorities: Vec::new(),
            credentials: None,
            from,
            name: name.to_owned(),
            attempt_limit: Duration::from_secs(30),
            retry: Duration::from_secs(5),
        }
    }

    /// Returns the parameters of TLS to the mail server.
    ///
    /// # Errors
    /// When the host cannot be in a certificate, or when one of the authorities cannot be used.
    pub(super) fn tls(&self) -> Result<TlsParameters, smtp::Error> {
        let mut tls = TlsParameters::builder(self.host.clone());
        for authority in &self.authorities {
            tls = tls.add_root_certificate(Certificate::from_der(authority.to_vec())?);
        }
        tls.build()
    }
}

/// Reads certificates of authorities.
fn authorities_in(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let pem = std::fs::read(file).map_err(|error| {
        let file = file.display();
        format!("the certificates in {file} cannot be read: {error}")
    })?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    found
        .ok()
        .filter(|found| !found.is_empty())
        .ok_or_else(|| format!("{} has no certificates in PEM", file.display()))
}

/// Reads the file in the data directory.
fn password_in(data_dir: &Path) -> Result<Option<String>, String> {
    let path = data_dir.join(PASSWORD_FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!(
            "the password in {} cannot be read: {error}",
            path.display()
        )),
    }
}

/// Parses the address of a mail server.
fn server(text: &str, from: Mailbox, name: String) -> Result<MailSettings, String> {
    let wrong = || {
        "smtp must be like smtps://user@mail.example.org, or smtp://user@mail.example.org?tls=required; signs in a user or a password are written as in URLs, such as %40 for @"
            .to_owned()
    };
    let url = Url::parse(text.trim()).map_err(|_| wrong())?;
    let host = url.host_str().filter(|host| !host.is_empty());
    let host = host.ok_or_else(wrong)?;
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned();
    let (security, port) = match (url.scheme(), url.query()) {
        ("smtps", None) => (Security::Tls, 465),
        ("smtp", Some("tls=required")) => (Security::StartTls, 587),
        ("smtp", None) if is_loopback(&host) => (Security::None, 25),
        ("smtp", None) => {
            return Err("smtp without TLS is for a mail server on this machine alone: write smtps://…, or smtp://…?tls=required".to_owned());
        }
        _ => return Err(wrong()),
    };
    if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
        return Err(wrong());
    }
    let decoded = |text: &str| {
        let decoded = percent_decode_str(text).decode_utf8();
        decoded.map(String::from).map_err(|_| wrong())
    };
    let user = decoded(url.username())?;
    let password = decoded(url.password().unwrap_or_default())?;
    if user.is_empty() && !password.is_empty() {
        return Err(wrong());
    }
    let settings = MailSettings {
        host,
        port: url.port().unwrap_or(port),
        security,
        credentials: (!user.is_empty()).then_some((user, Password(password))),
        ..MailSettings::local(port, from, &name)
    };
    // Whether the host can be in a certificate.
    settings.tls().map_err(|_| wrong())?;
    Ok(settings)
}

fn is_loopback(host: &str) -> bool {
    let address = host.parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
