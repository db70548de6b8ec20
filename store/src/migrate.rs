//! Brings a schema up to date.

use std::borrow::Cow;
use std::collections::HashSet;
use std::pin::Pin;
use std::time::Instant;

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Database, Pool, SqlStr};

/// The migrations of a database: number, description and SQL of each, from the build script's list of the files in `migrations/`. The macro
/// of `sqlx` would compile both database drivers a second time, for the build machine.
pub(super) type MigrationTable = &'static [(i64, &'static str, &'static str)];

/// Boxed because the compiler cannot prove that the future of [`open`](super::open) is `Send` through the migrator.
type Migrating<'a, T> = Pin<Box<dyn Future<Output = Result<T, MigrateError>> + Send + 'a>>;

/// The difference between the schema of a database and the program's.
pub(super) struct Upgrade {
    migrator: Migrator,
    /// Number and description of each missing migration, the oldest first.
    missing: Vec<(i64, &'static str)>,
    /// Whether the database has no migration at all.
    is_new: bool,
}

impl Upgrade {
    /// Reads which migrations a database has.
    ///
    /// # Errors
    /// Those of `sqlx`.
    pub(super) fn of<DB>(table: MigrationTable, pool: &Pool<DB>) -> Migrating<'_, Upgrade>
    where
        DB: Database<Connection: Migrate>,
    {
        let migrations = table.iter().map(|&(number, description, sql)| {
            let description = Cow::Borrowed(description);
            let sql = SqlStr::from_static(sql);
            Migration::new(number, description, MigrationType::Simple, sql, false)
        });
        let migrator = Migrator::with_migrations(migrations.collect());
        Box::pin(async move {
            let mut connection = pool.acquire().await?;
            let name = &migrator.table_name;
            // Other nodes may begin on the same new database.
            connection.lock().await?;
            connection.ensure_migrations_table(name).await?;
            let applied = connection.list_applied_migrations(name).await?;
            connection.unlock().await?;
            let applied: HashSet<i64> = applied.iter().map(|it| it.version).collect();
            let names = table
                .iter()
                .map(|&(number, description, _)| (number, description));
            let missing = names.filter(|(number, _)| !applied.contains(number));
            Ok(Upgrade {
                missing: missing.collect(),
                is_new: applied.is_empty(),
                migrator,
            })
        })
    }

    /// Returns the number of the first migration that will change a database in use.
    pub(super) fn first_change(&self) -> Option<i64> {
        let (number, _) = self.missing.first()?;
        (!self.is_new).then_some(*number)
    }

    /// Applies the missing migrations, and logs each with its time; a new database gets one line.
    ///
    /// # Errors
    /// Those of `sqlx`: a migration fails, or the database has one that is not in the table or differs from it.
    pub(super) fn apply<DB>(self, pool: &Pool<DB>) -> Migrating<'_, ()>
    where
        DB: Database<Connection: Migrate>,
    {
        Box::pin(async move {
            for (number, description) in self.missing.iter().filter(|_| !self.is_new) {
                let began = Instant::now();
                self.migrator.run_to(*number, pool).await?;
                let ms = began.elapsed().as_millis();
                tracing::info!("migration {number} of the database ({description}) took {ms} ms");
            }
            // This also compares the migrations that the database had with those of the program.
            self.migrator.run(pool).await?;
            if let Some((number, _)) = self.missing.last().filter(|_| self.is_new) {
                tracing::info!("the database is new: its schema is that of migration {number}");
            }
            Ok(())
        })
    }
}
