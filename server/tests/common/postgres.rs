//! Postgres for tests and benches: a temporary cluster from the machine's own binaries, or a temporary database on the server of
//! `MAWE_TEST_POSTGRES`, if set (its user may create databases).
//!
//! If neither is available, the test fails and names the package to install: it is never skipped.

#![allow(dead_code, reason = "each test and bench uses a part of it")]

use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tokio::sync::OnceCell;

/// The number of attempts to start a server.
const ATTEMPTS: u32 = 5;

/// The number of values that this process has created: each has a database of another name.
static STARTED: AtomicU32 = AtomicU32::new(0);

/// A Postgres with a separate database. Everything that it created is removed when it is dropped.
pub(crate) struct Postgres {
    /// The address up to the database's name.
    server: String,
    database: String,
    home: Home,
    made: OnceCell<()>,
    schemas: AtomicU32,
}

enum Home {
    Ours(Cluster),
    Theirs,
}

impl Postgres {
    /// For tests: a crash is that of a process, never of the machine, so commits need not wait for the disk.
    pub(crate) fn start() -> Self {
        Self::set_up("off")
    }

    /// For measurements: commits wait for the disk.
    pub(crate) fn durable() -> Self {
        Self::set_up("on")
    }

    fn set_up(fsync: &'static str) -> Self {
        let (server, home) = match std::env::var("MAWE_TEST_POSTGRES") {
            Ok(url) => {
                let (server, _name) = url
                    .rsplit_once('/')
                    .expect("MAWE_TEST_POSTGRES is postgres://USER:PASSWORD@HOST:PORT/NAME");
                (server.to_owned(), Home::Theirs)
            }
            Err(_) => {
                let cluster = Cluster::start(fsync, Where::default());
                (cluster.url(), Home::Ours(cluster))
            }
        };
        Self::of(server, home)
    }

    /// Starts a server from this machine's binaries behind these words, which listens at this address and accepts connections from `from`.
    pub(crate) fn after(words: Vec<String>, address: &str, from: &str) -> Self {
        let there = Where {
            words,
            address: Some(address.to_owned()),
            from: Some(from.to_owned()),
        };
        let cluster = Cluster::start("off", there);
        Self::of(cluster.url(), Home::Ours(cluster))
    }

    fn of(server: String, home: Home) -> Self {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let database = format!("mawe_test_{}_{number}", std::process::id());
        Self {
            server,
            database,
            home,
            made: OnceCell::new(),
            schemas: AtomicU32::new(0),
        }
    }

    /// Returns the address of a new, empty database. It is a schema of one database: equal for its user, and created quickly.
    pub(crate) async fn fresh_database(&self) -> String {
        let create = format!("CREATE DATABASE {}", self.database);
        self.made.get_or_init(|| self.administer(&create)).await;
        let schema = format!("s{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        let database = format!("{}/{}", self.server, self.database);
        let create = format!("CREATE SCHEMA {schema}");
        execute(&database, &create).await.expect(&create);
        format!("{database}?options[search_path]={schema}")
    }

    /// Returns the address of a new, empty database that is no schema, for tools that work on whole databases.
    pub(crate) async fn whole_database(&self) -> String {
        let number = self.schemas.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}_{number}", self.database);
        self.administer(&format!("CREATE DATABASE {name}")).await;
        format!("{}/{name}", self.server)
    }

    /// Returns the directory of the client programs: `pg_dump`, `pg_restore`.
    pub(crate) fn programs(&self) -> PathBuf {
        match &self.home {
            Home::Ours(cluster) => cluster.binaries.clone(),
            Home::Theirs => binaries(),
        }
    }

    /// Kills the server, as a loss of power would: nothing is finished, and clients get no message.
    pub(crate) async fn kill(&self) {
        match &self.home {
            Home::Ours(cluster) => cluster.control(&["-m", "immediate", "-w", "stop"]),
            Home::Theirs => {
                // A foreign server must not be stopped; to its clients this looks nearly the same.
                let name = &self.database;
                self.administer(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
                    .await;
                self.administer(&format!(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                ))
                .await;
            }
        }
    }

    /// Starts the server again at the same address.
    pub(crate) async fn revive(&self) {
        match &self.home {
            Home::Ours(cluster) => cluster.launch(),
            Home::Theirs => {
                let name = &self.database;
                self.administer(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
                    .await;
            }
        }
    }

    /// Returns the first process of a server started here: all others are its children.
    pub(crate) fn process(&self) -> Option<u32> {
        match &self.home {
            Home::Ours(cluster) => Some(cluster.process()),
            Home::Theirs => None,
        }
    }

    async fn administer(&self, sql: &str) {
        execute(&format!("{}/postgres", self.server), sql)
            .await
            .expect(sql);
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Home::Theirs = self.home {
            let database = format!("{}/postgres", self.server);
            let name = &self.database;
            let whole = (0..*self.schemas.get_mut()).map(|number| format!("{name}_{number}"));
            let sweeps: Vec<String> = std::iter::once(name.clone())
                .chain(whole)
                .map(|name| format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
                .collect();
            // A separate thread, as the runtime of the test may be unwinding.
            let sweep = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                let runtime = runtime.expect("a runtime");
                for sql in sweeps {
                    if let Err(error) = runtime.block_on(execute(&database, &sql)) {
                        eprintln!("{sql}: {error}");
                    }
                }
            });
            let _ = sweep.join();
        }
    }
}

async fn execute(url: &str, sql: &str) -> Result<(), sqlx::Error> {
    let mut connection = PgConnectOptions::from_str(url)?.connect().await?;
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&mut connection)
        .await?;
    connection.close().await
}

struct Cluster {
    binaries: PathBuf,
    /// The directory of the data, the socket and the log.
    directory: PathBuf,
    user: Option<User>,
    port: u16,
    fsync: &'static str,
    there: Where,
    /// Stops the server and removes the directory as soon as its input ends: when this value is dropped, and also when this process is
    /// killed before that.
    keeper: Child,
}

/// The host on which the server runs.
#[derive(Default)]
struct Where {
    /// Words in front of the command that starts it.
    words: Vec<String>,
    address: Option<String>,
    /// The addresses from which connections are accepted, besides the server's own host.
    from: Option<String>,
}

/// Postgres refuses to run as root, so root starts it as another user.
pub(crate) struct User {
    uid: u32,
    gid: u32,
}

impl User {
    pub(crate) fn ids(&self) -> (u32, u32) {
        (self.uid, self.gid)
    }
}

impl Cluster {
    fn start(fsync: &'static str, there: Where) -> Self {
        let binaries = binaries();
        let user = someone_else();
        let directory = tempfile::Builder::new().prefix("mawe-postgres-").tempdir();
        let directory = directory.expect("a temporary directory").keep();
        if let Some(User { uid, gid }) = user {
            std::os::unix::fs::chown(&directory, Some(uid), Some(gid)).expect("root may give away");
        }
        let keeper = command(Path::new("/bin/sh"), user.as_ref(), &directory)
            .arg("-c")
            .arg("cat >/dev/null; \"$0\" -D \"$1/data\" -m immediate -w stop; cd /; rm -rf \"$1\"")
            .arg(binaries.join("pg_ctl"))
            .arg(&directory)
            .stdin(Stdio::piped())
            // A separate group, so that a signal to the tests does not reach it.
            .process_group(0)
            .spawn()
            .expect("/bin/sh runs");
        let mut cluster = Self {
            binaries,
            directory,
            user,
            port: 0,
            fsync,
            there,
            keeper,
        };
        cluster.create_data();
        if let Some(from) = &cluster.there.from {
            cluster.let_in(from);
        }
        // Another process may take the free port before the server does.
        for attempt in 1.. {
            cluster.port = TcpListener::bind("127.0.0.1:0")
                .and_then(|listener| listener.local_addr())
                .expect("a free port")
                .port();
            match cluster.try_launch() {
                Ok(()) => break,
                Err(complaint) => assert!(attempt < ATTEMPTS, "{complaint}"),
            }
        }
        cluster
    }

    /// Creates the directory of the data as a copy of that of the first cluster of this version: `initdb` takes more than a second of a core.
    fn create_data(&self) {
        let version = Command::new(self.binaries.join("initdb"))
            .arg("--version")
            .output();
        let version = version.expect("initdb runs").stdout;
        // Such as `initdb (PostgreSQL) 17.2 (Debian 17.2-1)`.
        let version = String::from_utf8(version).expect("a version is text");
        let version = version.split(' ').nth(2).expect("a version");
        let templates = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let template = templates.join(format!("postgres-{}", version.trim()));
        let data = self.directory.join("data");
        if template.exists() {
            copy(&template, &data);
            if let Some(User { uid, gid }) = self.user {
                finish(
                    Command::new("chown")
                        .arg("-R")
                        .arg(format!("{uid}:{gid}"))
                        .arg(&data),
                );
            }
            return;
        }
        self.run(
            "initdb",
            &[
                "-U",
                "mawe",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
            ],
        );
        // Other processes may do the same at this moment: the first complete copy stays.
        let own = templates.join(format!("postgres-of-{}", std::process::id()));
        copy(&data, &own);
        if std::fs::rename(&own, &template).is_err() {
            let _ = std::fs::remove_dir_all(&own);
        }
    }

    fn url(&self) -> String {
        format!("postgres://mawe@{}:{}", self.there.address(), self.port)
    }

    fn let_in(&self, from: &str) {
        let file = std::fs::OpenOptions::new()
            .append(true)
            .open(self.directory.join("data/pg_hba.conf"));
        let mut file = file.expect("initdb has made it");
        std::io::Write::write_all(&mut file, format!("host all all {from} trust\n").as_bytes())
            .expect("it can be written");
    }

    /// Returns the id of the server's first process.
    fn process(&self) -> u32 {
        let file = std::fs::read_to_string(self.directory.join("data/postmaster.pid"));
        let file = file.expect("it runs");
        let first = file.lines().next().expect("a line");
        first.trim().parse().expect("a number")
    }

    fn launch(&self) {
        self.try_launch().expect("Postgres starts");
    }

    fn try_launch(&self) -> Result<(), String> {
        let options = format!(
            "-p {} -k '{}' -c listen_addresses={} -c max_connections=200 -c deadlock_timeout=100ms -c fsync={}",
            self.port,
            self.directory.display(),
            self.there.address(),
            self.fsync
        );
        let log = self.directory.join("log");
        let log = log.to_str().expect("a temporary path is plain text");
        self.try_run("pg_ctl", &["-l", log, "-o", &options, "-w", "start"])
    }

    fn control(&self, arguments: &[&str]) {
        self.run("pg_ctl", arguments);
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        self.try_run(program, arguments)
            .unwrap_or_else(|complaint| panic!("{complaint}"));
    }

    fn try_run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let program_there = self.binaries.join(program);
        let mut status = match self.there.words.split_first() {
            None => command(&program_there, self.user.as_ref(), &self.directory),
            Some((first, words)) => {
                // Entering another host needs root's rights, which are given up after that.
                let mut status = command(Path::new(first), None, &self.directory);
                status.args(words);
                if let Some(User { uid, gid }) = self.user {
                    status.args([format!("--setuid={uid}"), format!("--setgid={gid}")]);
                }
                status.arg(&program_there);
                status
            }
        };
        let status = status
            .arg("-D")
            .arg(self.directory.join("data"))
            .args(arguments)
            .status()
            .expect("a Postgres program runs");
        let log = std::fs::read_to_string(self.directory.join("log")).unwrap_or_default();
        status
            .success()
            .then_some(())
            .ok_or_else(|| format!("{program} {arguments:?} failed; the log of Postgres:\n{log}"))
    }
}

impl Where {
    fn address(&self) -> &str {
        self.address.as_deref().unwrap_or("127.0.0.1")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// Copies a directory with the rights of its files.
fn copy(from: &Path, to: &Path) {
    finish(Command::new("cp").arg("-a").arg(from).arg(to));
}

fn finish(command: &mut Command) {
    let status = command.status().expect("the program runs");
    assert!(status.success(), "{command:?} failed");
}

fn command(program: &Path, user: Option<&User>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    // A started server inherits open files: it would keep the output of the tests open for a reader that waits for its end.
    command
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(User { uid, gid }) = user {
        command.uid(*uid).gid(*gid);
    }
    command
}

/// Returns the directory of this machine's newest Postgres programs.
fn binaries() -> PathBuf {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path =
        std::env::split_paths(&on_path).filter_map(|dir| dir.join("initdb").canonicalize().ok());
    let on_path = on_path.filter_map(|initdb| Some(initdb.parent()?.to_owned()));
    let mut debian: Vec<PathBuf> = match std::fs::read_dir("/usr/lib/postgresql") {
        Ok(versions) => versions
            .filter_map(|version| Some(version.ok()?.path().join("bin")))
            .collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => panic!("/usr/lib/postgresql: {error}"),
    };
    debian.sort();
    on_path
        .chain(debian.into_iter().rev())
        .find(|dir| dir.join("pg_ctl").exists())
        .expect(
            "this test needs Postgres: install it (apt-get install postgresql; it need not run), \
         or set MAWE_TEST_POSTGRES to the address of a server",
        )
}

/// Returns another user for programs that refuse to run as root; `None` for a user who is not root.
pub(crate) fn someone_else() -> Option<User> {
    use std::os::unix::fs::MetadataExt;
    let root = std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
    root.then(|| {
        let users = std::fs::read_to_string("/etc/passwd").expect("/etc/passwd");
        let find = |name: &str| {
            let line = users
                .lines()
                .find(|line| line.split(':').next() == Some(name))?;
            let mut fields = line.split(':').skip(2);
            Some(User {
                uid: fields.next()?.parse().ok()?,
                gid: fields.next()?.parse().ok()?,
            })
        };
        find("postgres")
            .or_else(|| find("nobody"))
            .expect("a user postgres or nobody")
    })
}
