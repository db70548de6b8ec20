//! The setup of a game whose only option is its form.

use std::fmt;
use std::str::FromStr;

use crate::error::SetupError;
use crate::games::options::SetupOptions;
use crate::setup;

/// The forms of a game that has no other option.
pub trait Form: Copy + Default + Eq + 'static {
    /// The forms and their names in setups.
    const NAMES: &'static [(Self, &'static str)];
}

/// A form of a game as its setup. Only the usual form, the default, may be rated.
///
/// Its text form is empty for the usual form, `form=NAME` for another. The name of the usual form is read too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormSetup<F> {
    form: F,
}

impl<F: Form> FormSetup<F> {
    /// The setup of a form.
    pub const fn new(form: F) -> Self {
        Self { form }
    }

    /// The form.
    pub const fn form(self) -> F {
        self.form
    }
}

impl<F: Form> SetupOptions for FormSetup<F> {
    fn may_be_rated(&self) -> bool {
        self.form == F::default()
    }
}

impl<F: Form> fmt::Display for FormSetup<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = F::NAMES.iter().find(|(form, _)| *form == self.form);
        match named {
            Some((form, name)) if *form != F::default() => f.pad(&format!("form={name}")),
            _ => f.pad(""),
        }
    }
}

impl<F: Form> FromStr for FormSetup<F> {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut form = F::default();
        for (key, value) in setup::pairs(text)? {
            if key != "form" {
                return Err(SetupError::UnknownOption);
            }
            let named = F::NAMES.iter().find(|(_, name)| *name == value);
            form = named.ok_or(SetupError::BadValue)?.0;
        }
        Ok(Self { form })
    }
}
