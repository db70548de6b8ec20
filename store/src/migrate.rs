//! Brings a schema up to date.

use std::borrow::Cow;
use std::ops::Deref;
use std::pin::Pin;

use sqlx::SqlStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

/// The migrations of a database: number, description and SQL of each, from the build script's list of the files in `migrations/`. The macro
/// of `sqlx` would compile both database drivers a second time, for the build machine.
pub(super) type MigrationTable = &'static [(i64, &'static str, &'static str)];

type Migrating<'a> = Pin<Box<dyn Future<Output = Result<(), MigrateError>> + Send + 'a>>;

/// Applies the missing migrations. The future is boxed because the compiler cannot prove that the future of [`open`](super::open) is `Send`
/// through the migrator.
///
/// # Errors
/// Those of `sqlx`: a migration fails, or the database has one that is not in the table or differs from it.
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
