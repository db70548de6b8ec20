//! `PgBouncer` in front of a Postgres of a test. If the program is not there, the test fails and names the package to install.

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;

use super::eventually;
use super::postgres::someone_else;

/// A running pooler; stopped when it is dropped.
pub(crate) struct PgBouncer {
    child: Child,
    port: u16,
    _directory: TempDir,
}

impl PgBouncer {
    /// Starts a pooler with these settings in front of the server of a database.
    pub(crate) async fn start(url: &str, settings: &str) -> PgBouncer {
        let directory = tempfile::Builder::new().prefix("mawe-pgbouncer-").tempdir();
        let directory = directory.expect("a temporary directory");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let options = PgConnectOptions::from_str(url).expect("an address");
        let (host, target, user) = (
            options.get_host(),
            options.get_port(),
            options.get_username(),
        );
        let password = url
            .split_once("://")
            .and_then(|(_, rest)| rest.split_once('@')?.0.split_once(':'))
            .map_or(String::new(), |(_, password)| {
                format!(" password={password}")
            });
        let file = directory.path().join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = host={host} port={target} user={user}{password}\n\
            [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\nunix_socket_dir =\n{settings}\n"
        );
        std::fs::write(&file, text).expect("it can be written");
        let mut command = Command::new(program());
        command
            .arg("--quiet")
            .arg(&file)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // It refuses to run as root.
        if let Some(user) = someone_else() {
            let (uid, gid) = user.ids();
            std::os::unix::fs::chown(directory.path(), Some(uid), Some(gid))
                .expect("root may give away");
            std::os::unix::fs::chown(&file, Some(uid), Some(gid)).expect("root may give away");
            command.uid(uid).gid(gid);
        }
        let child = command.spawn().expect("it starts");
        let pooler = PgBouncer {
            child,
            port,
            _directory: directory,
        };
        let through = PgConnectOptions::from_str(&pooler.to(url)).expect("an address");
        let through = through.extra_float_digits(None);
        eventually("the pooler answers", async || through.connect().await.ok()).await;
        pooler
    }

    /// Returns the address of a database through the pooler.
    pub(crate) fn to(&self, url: &str) -> String {
        let (scheme, rest) = url.split_once("://").expect("an address");
        let (host, name) = rest.split_once('/').expect("an address with a name");
        let user = host.rsplit_once('@').map_or("", |(user, _)| user);
        format!("{scheme}://{user}@127.0.0.1:{}/{name}", self.port)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program() -> PathBuf {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&on_path).chain(["/usr/sbin".into()]);
    directories
        .map(|directory| directory.join("pgbouncer"))
        .find(|program| program.exists())
        .expect(
            "this test needs PgBouncer: install it (apt-get install pgbouncer; it need not run)",
        )
}
