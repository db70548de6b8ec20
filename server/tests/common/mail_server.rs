//! A mail server (SMTP) on a separate port, which keeps the mails that it takes, and may be slow, silent, or refuse.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use mawe_server::mail::MailSettings;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::eventually;

/// The public address of a server that sends mail.
pub const ORIGIN: &str = "http://mawe.example";

/// A mail as it was received.
#[derive(Debug, Clone)]
pub struct Received {
    /// The address of the envelope.
    pub to: String,
    /// Headers and body, with the dots of the protocol removed.
    pub raw: String,
}

#[derive(Default)]
struct Desk {
    received: Vec<Received>,
    /// Every line of a client before the text of a mail.
    commands: Vec<String>,
    /// The replies to the next mails; then each is taken.
    replies: VecDeque<u16>,
    is_silent: bool,
}

/// The TLS of a mail server.
enum Tls {
    None,
    /// From the first byte on.
    Wrapped(TlsAcceptor),
    /// After STARTTLS.
    Starts(TlsAcceptor),
}

fn tls_file(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/tls");
    folder.join(file)
}

/// A running mail server.
pub struct MailServer {
    pub address: SocketAddr,
    desk: Arc<Mutex<Desk>>,
}

impl MailServer {
    pub async fn start() -> MailServer {
        MailServer::with(Tls::None).await
    }

    /// Starts a mail server with a certificate of [`MailServer::authority`]: with TLS from the first byte on, or after STARTTLS.
    pub async fn with_tls(starts: bool) -> MailServer {
        let read = |file: &str| std::fs::read(tls_file(file)).expect("a file of the tests");
        let (chain, key) = (read("server.pem"), read("server.key"));
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&chain).collect();
        let key = PrivateKeyDer::from_pem_slice(&key).expect("a key");
        let config = ServerConfig::builder_with_provider(ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(chain.expect("certificates"), key);
        let acceptor = TlsAcceptor::from(Arc::new(config.expect("a certificate with its key")));
        MailServer::with(if starts {
            Tls::Starts(acceptor)
        } else {
            Tls::Wrapped(acceptor)
        })
        .await
    }

    /// Returns the file with the certificate of the authority.
    pub fn authority() -> PathBuf {
        tls_file("ca.pem")
    }

    async fn with(tls: Tls) -> MailServer {
        let desk = Arc::new(Mutex::new(Desk::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (shared, tls) = (Arc::clone(&desk), Arc::new(tls));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (desk, tls) = (Arc::clone(&shared), Arc::clone(&tls));
                // A client that is gone, or that does not trust the certificate, ends its connection only.
                tokio::spawn(async move { serve(stream, &desk, &tls).await.ok() });
            }
        });
        MailServer { address, desk }
    }

    /// Returns the settings with which a server sends its mails here, with short pauses.
    pub fn settings(&self) -> MailSettings {
        let from = "Club <noreply@club.example>".parse().expect("a sender");
        MailSettings {
            attempt_limit: Duration::from_millis(500),
            retry: Duration::from_millis(5),
            ..MailSettings::local(self.address.port(), from, "mawe.example")
        }
    }

    /// Sets the replies to the next mails: a code of RFC 5321 for each.
    pub fn reply(&self, codes: &[u16]) {
        self.desk().replies.extend(codes);
    }

    /// From now on connections are accepted, and nothing is said.
    pub fn fall_silent(&self) {
        self.desk().is_silent = true;
    }

    pub fn received(&self) -> Vec<Received> {
        self.desk().received.clone()
    }

    pub fn commands(&self) -> Vec<String> {
        self.desk().commands.clone()
    }

    /// Waits until so many mails are here; returns them.
    pub async fn wait_for(&self, number: usize) -> Vec<Received> {
        eventually("mails", || async {
            let received = self.received();
            (received.len() >= number).then_some(received)
        })
        .await
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().expect("nobody panics here")
    }
}

/// Serves a connection, with TLS where the mail server has some.
async fn serve(stream: TcpStream, desk: &Mutex<Desk>, tls: &Tls) -> std::io::Result<()> {
    match tls {
        Tls::None => talk(stream, desk, (true, false)).await.map(drop),
        Tls::Wrapped(acceptor) => {
            let stream = acceptor.accept(stream).await?;
            talk(stream, desk, (true, false)).await.map(drop)
        }
        Tls::Starts(acceptor) => {
            if let Some(stream) = talk(stream, desk, (true, true)).await? {
                let stream = acceptor.accept(stream).await?;
                talk(stream, desk, (false, false)).await?;
            }
            Ok(())
        }
    }
}

/// Serves a connection until its end, or until the client begins TLS, if that is offered; then the connection is returned.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    desk: &Mutex<Desk>,
    (greets, offers_tls): (bool, bool),
) -> std::io::Result<Option<S>> {
    let lock = || desk.lock().expect("nobody panics here");
    let mut lines = BufReader::new(stream).lines();
    if lock().is_silent {
        while lines.next_line().await?.is_some() {}
        return Ok(None);
    }
    if greets {
        say(&mut lines, "220 mail.example").await?;
    }
    let mut to = String::new();
    while let Some(line) = lines.next_line().await? {
        lock().commands.push(line.clone());
        let verb = line.split([' ', ':']).next().unwrap_or_default();
        let reply = match verb {
            "EHLO" | "HELO" if offers_tls => "250-mail.example\r\n250 STARTTLS".to_owned(),
            "EHLO" | "HELO" => "250-mail.example\r\n250 8BITMIME".to_owned(),
            "STARTTLS" if offers_tls => {
                say(&mut lines, "220 go on").await?;
                return Ok(Some(lines.into_inner().into_inner()));
            }
            "MAIL" => match lock().replies.pop_front() {
                Some(code) if code >= 400 => format!("{code} not now, <somebody@secret.example>"),
                _ => "250 ok".to_owned(),
            },
            "RCPT" => {
                let start = line.find('<').map_or(0, |at| at + 1);
                to = line[start..]
                    .split('>')
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                "250 ok".to_owned()
            }
            "DATA" => {
                say(&mut lines, "354 go on").await?;
                let mut raw = String::new();
                while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                    raw.push_str(line.strip_prefix('.').unwrap_or(&line));
                    raw.push('\n');
                }
                let to = std::mem::take(&mut to);
                lock().received.push(Received { to, raw });
                "250 ok".to_owned()
            }
            "QUIT" => "221 bye".to_owned(),
            _ => "500 what".to_owned(),
        };
        say(&mut lines, &reply).await?;
        if verb == "QUIT" {
            break;
        }
    }
    Ok(None)
}

async fn say<S: AsyncRead + AsyncWrite + Unpin>(
    lines: &mut Lines<BufReader<S>>,
    reply: &str,
) -> std::io::Result<()> {
    let stream = lines.get_mut().get_mut();
    stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
    stream.flush().await
}

impl Received {
    /// Returns the values of a header, unfolded and decoded.
    pub fn headers(&self, name: &str) -> Vec<String> {
        let (head, _) = self.raw.split_once("\n\n").expect("a head and a body");
        let unfolded = head.replace("\n ", " ").replace("\n\t", " ");
        let values = unfolded.lines().filter_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then(|| words(value))
        });
        values.collect()
    }

    pub fn header(&self, name: &str) -> String {
        let mut values = self.headers(name);
        assert_eq!(values.len(), 1, "{name}: {}", self.raw);
        values.remove(0)
    }

    /// Returns the decoded body.
    pub fn text(&self) -> String {
        let (_, body) = self.raw.split_once("\n\n").expect("a head and a body");
        match self.header("Content-Transfer-Encoding").as_str() {
            "7bit" | "8bit" => body.to_owned(),
            "quoted-printable" => quoted(body),
            "base64" => {
                let bytes = BASE64_STANDARD.decode(body.replace('\n', ""));
                String::from_utf8(bytes.expect("base64")).expect("UTF-8")
            }
            other => panic!("{other}"),
        }
    }

    /// Returns the parts after the `#` of the links to a page of the server.
    pub fn links(&self, page: &str) -> Vec<String> {
        let start = format!("{ORIGIN}{page}#");
        let text = self.text();
        let links = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix(&start));
        links.map(str::to_owned).collect()
    }

    /// Returns the token of the only link to a page of the server.
    pub fn token(&self, page: &str) -> String {
        let links = self.links(page);
        assert_eq!(links.len(), 1, "{}", self.text());
        links[0].rsplit('/').next().expect("a token").to_owned()
    }
}

/// Decodes quoted-printable text.
fn quoted(text: &str) -> String {
    let joined = text.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte == b'=' {
            let digits = std::str::from_utf8(&rest[..2]).expect("two digits");
            bytes.push(u8::from_str_radix(digits, 16).expect("hexadecimal"));
            rest = &rest[2..];
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// Decodes the encoded words of a header (RFC 2047).
fn words(value: &str) -> String {
    // White space between two encoded words is not shown.
    let value = value.replace("?= =?", "?==?");
    let mut shown = String::new();
    let mut rest = value.as_str();
    while let Some((before, after)) = rest.split_once("=?utf-8?b?") {
        let (word, after) = after.split_once("?=").expect("the end of a word");
        shown.push_str(before);
        let bytes = BASE64_STANDARD.decode(word).expect("base64");
        shown.push_str(&String::from_utf8(bytes).expect("UTF-8"));
        rest = after;
    }
    shown + rest
}
