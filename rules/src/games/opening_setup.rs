//! Setups of games whose only option is the opening.

/// Makes the setup of a game whose only option is the opening.
macro_rules! opening_setup {
    ($(#[$doc:meta])* $setup:ident, $position:ident, $written:expr) => {
        $(#[$doc])*
        ///
        /// Its text form is empty without an opening; otherwise `opening=drawn`, or the plies of an opening: see [`Opening`](crate::games::opening::Opening).
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $setup {
            opening: $crate::games::opening::Opening,
        }

        impl $crate::games::options::SetupOptions for $setup {
            const OPENING: Option<$crate::games::opening::PlyText> = Some($written);

            fn opening(&self) -> $crate::games::opening::Opening {
                self.opening
            }

            fn with_opening(
                &self,
                opening: $crate::games::opening::Opening,
            ) -> Result<Self, $crate::error::SetupError> {
                use $crate::games::opening::Opening;
                use $crate::position::Position;
                let setup = Self { opening };
                match opening {
                    Opening::None | Opening::Drawn => Ok(setup),
                    Opening::Plies(_) => $position::from_setup(&setup).map(|_| setup),
                }
            }
        }

        impl std::fmt::Display for $setup {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                use $crate::games::opening::Opening;
                match self.opening {
                    Opening::None => Ok(()),
                    Opening::Drawn | Opening::Plies(_) => {
                        f.pad(&format!("opening={}", self.opening))
                    }
                }
            }
        }

        impl std::str::FromStr for $setup {
            type Err = $crate::error::SetupError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::games::options::SetupOptions;
                let mut opening = $crate::games::opening::Opening::None;
                for (key, value) in $crate::setup::pairs(text)? {
                    match key {
                        "opening" => opening = value.parse()?,
                        _ => return Err($crate::error::SetupError::UnknownOption),
                    }
                }
                Self::default().with_opening(opening)
            }
        }
    };
}

pub(super) use opening_setup;
