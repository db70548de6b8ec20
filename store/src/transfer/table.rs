//! Tables, their rows, and the digests of them: the same for both databases.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Integer,
    Real,
    Blob,
    /// An integer, 0 or 1, where the database has no such type.
    Boolean,
}

/// A value of a row. A boolean is the integer 0 or 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Value {
    Null,
    Text(String),
    Integer(i64),
    Real(f64),
    Blob(Vec<u8>),
}

/// The values of a row, in the order of the table's columns.
pub(super) type Row = Vec<Value>;

/// A table of one of the databases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    /// In the order of their names, which is the same in both databases.
    pub(super) columns: Vec<Column>,
    /// The places of the columns of the primary key.
    pub(super) key: Vec<usize>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The expression for the value, where this database has no such column: it is read, and not written.
    pub(super) computed: Option<&'static str>,
}

/// A column as a database describes it: its table, its name, its type, and its place in the primary key.
pub(super) type Described = (String, Column, Option<i64>);

impl Table {
    /// Puts tables together from the descriptions of their columns.
    pub(super) fn of(mut columns: Vec<Described>) -> Vec<Table> {
        columns.sort_by(|(table, column, _), (other_table, other, _)| {
            (table, &column.name).cmp(&(other_table, &other.name))
        });
        let tables = columns.chunk_by(|one, other| one.0 == other.0);
        let tables = tables.map(|columns| {
            let mut key: Vec<(i64, usize)> = columns
                .iter()
                .enumerate()
                .filter_map(|(place, (_, _, in_key))| Some(((*in_key)?, place)))
                .collect();
            key.sort_unstable();
            Table {
                name: columns[0].0.clone(),
                columns: columns
                    .iter()
                    .map(|(_, column, _)| column.clone())
                    .collect(),
                key: key.into_iter().map(|(_, place)| place).collect(),
            }
        });
        tables.collect()
    }

    /// Whether this table and one of another database have the same columns and the same key.
    pub(super) fn matches(&self, other: &Table) -> bool {
        let names = |table: &Table| -> Vec<String> {
            let columns = table.columns.iter();
            columns.map(|column| column.name.clone()).collect()
        };
        self.name == other.name && names(self) == names(other) && self.key == other.key
    }

    /// Returns the types of the columns.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        self.columns.iter().map(|column| column.kind).collect()
    }

    /// Returns the columns that this database has, with their places in a row.
    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, &Column)> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| column.computed.is_none())
    }

    /// Returns the names of the columns that this database has, for SQL.
    pub(super) fn stored_names(&self) -> String {
        let names: Vec<String> = self
            .stored()
            .map(|(_, column)| quoted(&column.name))
            .collect();
        names.join(", ")
    }

    /// Returns the query of all rows in the order of the key, or of those after a key with the parameters `$1`, `$2`, ….
    pub(super) fn select(&self, after: bool) -> String {
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| match column.computed {
                Some(expression) => format!("{expression} AS {}", quoted(&column.name)),
                None => quoted(&column.name),
            })
            .collect();
        let key: Vec<String> = self
            .key
            .iter()
            .map(|place| quoted(&self.columns[*place].name))
            .collect();
        let key = key.join(", ");
        let rest = if after {
            let parameters: Vec<String> = (1..=self.key.len()).map(|n| format!("${n}")).collect();
            format!(" WHERE ({key}) > ({})", parameters.join(", "))
        } else {
            String::new()
        };
        let (columns, table) = (columns.join(", "), quoted(&self.name));
        format!("SELECT {columns} FROM {table}{rest} ORDER BY {key}")
    }

    /// Returns the key of a row.
    pub(super) fn key_of(&self, row: &Row) -> Row {
        self.key.iter().map(|place| row[*place].clone()).collect()
    }
}

/// Quotes a name of the schema for SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

impl Value {
    /// The size in memory, roughly.
    pub(super) fn bytes(&self) -> usize {
        let content = match self {
            Value::Text(text) => text.len(),
            Value::Blob(bytes) => bytes.len(),
            Value::Null | Value::Integer(_) | Value::Real(_) => 0,
        };
        content + size_of::<Value>()
    }
}

/// The digest of the rows of a table, in any order: the sum of the digests of all rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TableDigest {
    pub(super) rows: u64,
    sum: u128,
}

impl TableDigest {
    pub(super) fn add(&mut self, row: &Row) {
        let mut digest = Sha256::new();
        for value in row {
            let (tag, content): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Text(text) => (1, text.as_bytes()),
                Value::Integer(number) => (2, &number.to_le_bytes()),
                Value::Real(number) => (3, &number.to_bits().to_le_bytes()),
                Value::Blob(bytes) => (4, bytes),
            };
            digest.update([tag]);
            digest.update((content.len() as u64).to_le_bytes());
            digest.update(content);
        }
        let mut half = [0; 16];
        half.copy_from_slice(&digest.finalize()[..16]);
        self.sum = self.sum.wrapping_add(u128::from_le_bytes(half));
        self.rows += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(rows: &[Row]) -> TableDigest {
        let mut digest = TableDigest::default();
        rows.iter().for_each(|row| digest.add(row));
        digest
    }

    #[test]
    fn a_digest_tells_rows_apart_and_not_their_order() {
        let text = |text: &str| Value::Text(text.to_owned());
        let (a, b) = (
            vec![text("ab"), text("c"), Value::Null],
            vec![text("a"), text("bc"), Value::Integer(0)],
        );
        assert_eq!(
            digest(&[a.clone(), b.clone()]),
            digest(&[b.clone(), a.clone()])
        );
        let others = [
            vec![a.clone(), a.clone()],
            vec![a.clone()],
            vec![a.clone(), vec![text("a"), text("bc"), Value::Null]],
            vec![a.clone(), vec![text("ab"), text("c"), Value::Integer(0)]],
            vec![a.clone(), vec![text("a"), text("bc"), Value::Real(0.0)]],
        ];
        for other in others {
            assert_ne!(digest(&[a.clone(), b.clone()]), digest(&other), "{other:?}");
        }
    }
}
