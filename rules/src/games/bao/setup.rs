//! The setup of Bao: its form (RULES-bao.md section 1).

use std::fmt;
use std::str::FromStr;

use crate::error::SetupError;
use crate::games::options::SetupOptions;
use crate::setup;

/// The form of the game. The forms differ in the start only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// *Bao la Kiswahili*: most seeds begin in the stores.
    #[default]
    Kiswahili,
    /// *Bao la kujifunza*, for beginners: two seeds in every pit, no store and no house.
    Kujifunza,
}

/// A setup of Bao. Its text form is empty for Kiswahili, `form=kujifunza` for the beginners' form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaoSetup {
    form: Form,
}

impl BaoSetup {
    /// The setup of a form.
    pub const fn new(form: Form) -> Self {
        Self { form }
    }

    /// The form.
    pub const fn form(self) -> Form {
        self.form
    }
}

impl SetupOptions for BaoSetup {
    /// Only Kiswahili: South wins kujifunza by force (RULES-bao.md section 11).
    fn may_be_rated(&self) -> bool {
        self.form == Form::Kiswahili
    }
}

impl fmt::Display for BaoSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.form {
            Form::Kiswahili => "",
            Form::Kujifunza => "form=kujifunza",
        })
    }
}

impl FromStr for BaoSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut form = Form::default();
        for (key, value) in setup::pairs(text)? {
            form = match (key, value) {
                ("form", "kujifunza") => Form::Kujifunza,
                ("form", _) => return Err(SetupError::BadValue),
                _ => return Err(SetupError::UnknownOption),
            };
        }
        Ok(Self { form })
    }
}
