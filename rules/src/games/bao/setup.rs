//! The setup of Bao: its form (RULES-bao.md section 1).

use crate::games::form::{self, FormSetup};

/// The form of the game. The forms differ in the start only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// *Bao la Kiswahili*: most seeds begin in the stores.
    #[default]
    Kiswahili,
    /// *Bao la kujifunza*, for beginners: two seeds in every pit, no store and no house. South wins it by force (RULES-bao.md section 11),
    /// so it is not rated.
    Kujifunza,
}

impl form::Form for Form {
    const NAMES: &'static [(Self, &'static str)] = &[
        (Form::Kiswahili, "kiswahili"),
        (Form::Kujifunza, "kujifunza"),
    ];
}

/// A setup of Bao.
pub type BaoSetup = FormSetup<Form>;
