//! Brings a schema up to date.

use std::borrow::Cow;
use std::ops::Deref;
use std::pin::Pin;

use sqlx::SqlStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

/// The migrations of a database: number, description and SQL of each, as the build script lists the files of `migrations/`. The
/// library's own macro would compile both database drivers a second time, for the compiler.
pub(super) type MigrationTable = &'static [(i64, &'static str, &'static str)];

type Migrating<'a> = Pin<Box<dyn Future<Output = Result<(), MigrateError>> + Send + 'a>>;

/// Applies the migrations that the database does not have. Boxed, because the compiler cannot see through the migrator that the future
/// of [`open`](super::open) may change threads.
///
/// # Errors
/// The library's: a migration fails, or the database has one that is not in the table or differs from it.
pub(super) fn migrate<'a, C>(table: MigrationTable, connection: C) -> Migrating<'a>
where
    C: sqlx::Acquire<'a, Connection: Deref<Target: Migrate>> + Send + 'a,
{
    let migrations = table.iter().map(|&(number, description, sql)| {
        let description = Cow::Borrowed(description);
        let sql = SqlStr::from_static(sql);
        Migration::new(number, description, MigrationType::Simple, sql, false)
    });
    let migrator = Migrator::with_migrations(migrations.collect());
    Box::pin(async move { migrator.run(connection).await })
}
