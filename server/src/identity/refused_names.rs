//! The names that the operator refuses, beside the reserved ones.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::identity::display_names::{DisplayName, NameFault, check_of_player, key, words};
use crate::identity::names::check_name;

/// The greatest size of the list in bytes: it is read at once, and kept in memory.
const MAX_BYTES: u64 = 256 * 1024;

/// The options of names.
#[derive(Debug, Clone, Args)]
pub struct NameOptions {
    /// Words that no name of a player or a club may be or have, in any script: a text file of at most 256 KiB with one a line, read when the
    /// server starts. Words that look like one of them are refused as well, and lines that begin with # are left out.
    #[arg(long, env = "MAWE_REFUSED_NAMES", value_name = "FILE")]
    refused_names: Option<PathBuf>,
}

impl NameOptions {
    /// Reads the list.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve(self) -> Result<RefusedNames, String> {
        match self.refused_names {
            Some(path) => RefusedNames::read(&path),
            None => Ok(RefusedNames::default()),
        }
    }
}

/// The names that the operator refuses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefusedNames {
    /// The keys of the words.
    keys: HashSet<String>,
}

impl RefusedNames {
    fn read(path: &Path) -> Result<RefusedNames, String> {
        let fault = |fault: &str| format!("refused-names {}: {fault}", path.display());
        let size = fs::metadata(path).map_err(|error| fault(&error.to_string()))?;
        if size.len() > MAX_BYTES {
            return Err(fault("the file is larger than 256 KiB"));
        }
        let text = fs::read(path).map_err(|error| fault(&error.to_string()))?;
        let text = String::from_utf8(text).map_err(|_| fault("the file is not UTF-8"))?;
        RefusedNames::parse(&text).map_err(|line| fault(&line))
    }

    /// Reads the lines of a list.
    ///
    /// # Errors
    /// The fault and its line.
    pub fn parse(text: &str) -> Result<RefusedNames, String> {
        let mut keys = HashSet::new();
        let text = text.trim_start_matches('\u{feff}');
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = key(line);
            if !key.chars().any(char::is_alphanumeric) {
                return Err(format!("line {} has no letter", at + 1));
            }
            keys.insert(key);
        }
        Ok(RefusedNames { keys })
    }

    /// Whether the operator refuses a name: as a whole, or for one of its words, with or without a number behind it.
    #[must_use]
    pub fn refuses(&self, name: &str) -> bool {
        if self.keys.is_empty() {
            return false;
        }
        let is_listed = |text: &str| {
            let without_number = text.trim_end_matches(|c: char| c.is_ascii_digit());
            self.keys.contains(&key(text)) || self.keys.contains(&key(without_number))
        };
        is_listed(name) || words(name).into_iter().any(is_listed)
    }

    /// Refuses a name on the list, without saying which of its words stands there.
    ///
    /// # Errors
    /// [`NameFault::Refused`]
    pub(crate) fn check(&self, name: &str) -> Result<(), NameFault> {
        (!self.refuses(name))
            .then_some(())
            .ok_or(NameFault::Refused)
    }

    /// Checks whether a player may choose this name.
    ///
    /// # Errors
    /// A message for the player with the fault of the name.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), String> {
        check_name(name)?;
        self.check(name).map_err(|fault| fault.to_string())
    }

    /// Checks whether a player may choose this display name.
    ///
    /// # Errors
    /// The fault of the name.
    pub(crate) fn check_display_name(&self, name: &str) -> Result<DisplayName, NameFault> {
        let checked = check_of_player(name)?;
        self.check(&checked.text)?;
        Ok(checked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_list_are_refused_however_they_are_written() {
        let list =
            RefusedNames::parse("# Rude.\nklops\n\n  Zły Wilk \nകഴുത\nmorn\n").expect("a list");
        for name in [
            "klops",
            "KLOPS",
            "K1ops",
            "Jan-klops",
            "klops99",
            "Mr. Klops",
            "kl\u{43E}ps",
            "Zły Wilk",
            "zły-wilk",
            "കഴുത",
            "മോശം കഴുത",
            "Mom",
        ] {
            assert!(list.refuses(name), "{name}");
        }
        for name in ["Klopsik", "Zły", "Wilk", "Klo", "Amina", "കഴുതപ്പുലി"] {
            assert!(!list.refuses(name), "{name}");
        }
        assert!(list.check_name("klops").is_err());
        assert!(list.check_name("Amina").is_ok());
        assert!(list.check_display_name("Klops!").is_err());
        assert!(list.check_display_name("Łukasz").is_ok());
        assert!(!RefusedNames::default().refuses("klops"));
    }

    #[test]
    fn a_fault_of_the_list_names_its_line() {
        assert_eq!(
            RefusedNames::parse("one\n---\n"),
            Err("line 2 has no letter".to_owned())
        );
        assert_eq!(
            RefusedNames::parse("\u{feff}# nothing\n\n"),
            Ok(RefusedNames::default())
        );
    }

    #[test]
    fn a_file_that_cannot_be_a_list_is_named() {
        let home = tempfile::tempdir().expect("a directory");
        let path = home.path().join("names.txt");
        let read = |path: &Path| {
            let options = NameOptions {
                refused_names: Some(path.to_owned()),
            };
            options.resolve()
        };
        let missing = read(&path).expect_err("there is none");
        assert!(missing.contains("names.txt"), "{missing}");
        fs::write(&path, [0xff, 0xfe]).expect("a file");
        assert!(read(&path).expect_err("not UTF-8").contains("UTF-8"));
        fs::write(&path, "x\n".repeat(200_000)).expect("a file");
        assert!(read(&path).expect_err("too large").contains("256 KiB"));
        fs::write(&path, "klops\n").expect("a file");
        assert!(read(&path).expect("a list").refuses("Klops"));
    }
}
