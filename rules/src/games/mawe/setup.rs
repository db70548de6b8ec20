//! The setup of Mawe!: the form of the game.

use crate::games::form::{self, FormSetup};

/// The meaning of equal points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// A draw (RULES.md section 1).
    #[default]
    Standard,
    /// A win of the side that moved last (RULES.md section 1.1).
    Decisive,
}

impl form::Form for Form {
    const NAMES: &'static [(Self, &'static str)] =
        &[(Form::Standard, "standard"), (Form::Decisive, "decisive")];
}

/// A setup of Mawe!.
pub type MaweSetup = FormSetup<Form>;
