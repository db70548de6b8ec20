//! A database of Postgres that exists for a measurement alone.

use std::str::FromStr;
use std::time::Duration;

use mawe_wire::ids::WorkerId;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::OpenError;
use crate::address::is_postgres;

/// The beginning of the names of these databases.
const PREFIX: &str = "mawe_scratch_";

/// The longest time of a statement.
const WITHIN: Duration = Duration::from_secs(30);

/// An empty database, beside another one on the same server.
#[derive(Debug)]
pub struct ScratchDatabase {
    beside: PgConnectOptions,
    name: String,
}

impl ScratchDatabase {
    /// Creates a database under a name of its own. The database of the address is connected to, and not changed.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub async fn create(url: &str) -> Result<ScratchDatabase, OpenError> {
        let beside = PgConnectOptions::from_str(url).ok();
        // The error shows no part of the address, which may have a password.
        let beside = beside.filter(|_| is_postgres(url)).ok_or_else(|| {
            OpenError("the address must be postgres://USER:PASSWORD@HOST:PORT/NAME".to_owned())
        })?;
        let random = WorkerId::random().as_str().to_lowercase();
        let scratch = ScratchDatabase {
            beside,
            name: format!("{PREFIX}{random}"),
        };
        // It fails if there is a database of this name. Of the templates this one is never in use.
        let statement = format!("CREATE DATABASE {} TEMPLATE template0", scratch.name);
        scratch.administer(statement, "made").await?;
        Ok(scratch)
    }

    /// Returns its address.
    #[must_use]
    pub fn url(&self) -> String {
        let options = self.beside.clone().database(&self.name);
        options.to_url_lossy().to_string()
    }

    /// Removes it, with all connections to it.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub async fn remove(self) -> Result<(), OpenError> {
        let statement = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        self.administer(statement, "removed").await
    }

    async fn administer(&self, statement: String, what: &str) -> Result<(), OpenError> {
        let working = async {
            let mut connection = self.beside.connect().await?;
            let statement = sqlx::raw_sql(AssertSqlSafe(statement));
            statement.execute(&mut connection).await?;
            connection.close().await
        };
        let done = tokio::time::timeout(WITHIN, working).await;
        done.unwrap_or(Err(sqlx::Error::PoolTimedOut))
            .map_err(|error| {
                OpenError(format!(
                    "the database {} cannot be {what} at {}:{}: {error}; its user needs the right to create databases (ALTER ROLE … CREATEDB)",
                    self.name,
                    self.beside.get_host(),
                    self.beside.get_port()
                ))
            })
    }
}
