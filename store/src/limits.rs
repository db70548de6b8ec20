//! The limits of a store.

use crate::space::MinFreeSpace;

/// The limits of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreLimits {
    /// The free space that the disk of an embedded store must have for new matches and players, so that the running matches can end.
    pub min_free: MinFreeSpace,
    /// The number of connections of an embedded store for reading.
    pub sqlite_readers: u32,
    /// The number of connections to Postgres, of which four are for appends and the lease.
    pub postgres_connections: u32,
}

impl StoreLimits {
    /// The default number of readers. They never wait for the writer, and hardly ever for the disk, so a few are enough.
    pub const SQLITE_READERS: u32 = 4;

    /// The default number of connections to Postgres. Each is a process of the database server, and requests are short.
    pub const POSTGRES_CONNECTIONS: u32 = 16;
}

impl Default for StoreLimits {
    /// Returns the usual numbers of connections, and no limit of free space.
    fn default() -> Self {
        Self {
            min_free: MinFreeSpace::Off,
            sqlite_readers: Self::SQLITE_READERS,
            postgres_connections: Self::POSTGRES_CONNECTIONS,
        }
    }
}
