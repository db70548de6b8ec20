//! The setup of Mawe!: the form of the game.

use std::fmt;
use std::str::FromStr;

use crate::error::SetupError;
use crate::games::options::SetupOptions;
use crate::setup;

/// The meaning of equal points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// A draw (RULES.md section 1).
    #[default]
    Standard,
    /// A win of the side that moved last (RULES.md section 1.1).
    Decisive,
}

/// A setup of Mawe!. Its text form is empty for the standard game, `form=decisive` for the decisive form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaweSetup {
    form: Form,
}

impl MaweSetup {
    /// The setup of a form.
    pub const fn new(form: Form) -> Self {
        Self { form }
    }

    /// The form.
    pub const fn form(self) -> Form {
        self.form
    }
}

impl SetupOptions for MaweSetup {
    /// Only the published game.
    fn may_be_rated(&self) -> bool {
        self.form == Form::Standard
    }
}

impl fmt::Display for MaweSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.form {
            Form::Standard => "",
            Form::Decisive => "form=decisive",
        })
    }
}

impl FromStr for MaweSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut form = Form::default();
        for (key, value) in setup::pairs(text)? {
            form = match (key, value) {
                ("form", "standard") => Form::Standard,
                ("form", "decisive") => Form::Decisive,
                ("form", _) => return Err(SetupError::BadValue),
                _ => return Err(SetupError::UnknownOption),
            };
        }
        Ok(Self { form })
    }
}
