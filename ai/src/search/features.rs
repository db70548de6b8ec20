//! The parts of the search that can be left out, to see what each is worth.

use std::fmt;
use std::str::FromStr;

/// What the search makes use of. All of it, unless something is to be measured or compared with
/// plain minimax.
///
/// The search that Reversi has of its own makes use of `solver` and `probcut`, and always of all that finds
/// the same only sooner; where it has no weights it is searched like the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Features {
    /// Scores of the transposition table end a node.
    pub table: bool,
    /// The best move of an earlier visit is tried first.
    pub hash_move: bool,
    /// What cut off at the same ply is tried early.
    pub killers: bool,
    /// What has cut off often is tried early.
    pub history: bool,
    /// What the game says looks good is tried early.
    pub promise: bool,
    /// All but the first move are first asked whether they are better at all.
    pub scouting: bool,
    /// The root is searched in a window around the last score.
    pub aspiration: bool,
    /// Late moves are first searched less deep, and nodes without a known move too.
    pub reductions: bool,
    /// Nodes near the horizon that are far outside the window are left.
    pub margins: bool,
    /// Lines go on beyond the horizon until the position is calm.
    pub quiescence: bool,
    /// Only replies, and where the game wants it further moves of the same side, cost no depth.
    pub extensions: bool,
    /// Reversi is solved as soon as what is left of the limits is likely to be enough.
    pub solver: bool,
    /// Nodes that a shallow look says are far outside the window are left, in Reversi.
    pub probcut: bool,
}

impl Features {
    /// All of them: how the engine plays.
    pub const ALL: Features = Features {
        table: true,
        hash_move: true,
        killers: true,
        history: true,
        promise: true,
        scouting: true,
        aspiration: true,
        reductions: true,
        margins: true,
        quiescence: true,
        extensions: true,
        solver: true,
        probcut: true,
    };

    /// Those that find what minimax finds at the same depth, only sooner.
    pub const EXACT: Features = Features {
        reductions: false,
        margins: false,
        quiescence: false,
        extensions: false,
        solver: false,
        probcut: false,
        ..Self::ALL
    };

    /// The names of all, for tools.
    pub const NAMES: [&str; 13] = [
        "table",
        "hash-move",
        "killers",
        "history",
        "promise",
        "scouting",
        "aspiration",
        "reductions",
        "margins",
        "quiescence",
        "extensions",
        "solver",
        "probcut",
    ];

    /// These without the one of that name.
    ///
    /// # Errors
    ///
    /// [`UnknownFeature`] if no feature has that name.
    pub fn without(mut self, name: &str) -> Result<Self, UnknownFeature> {
        let feature = match name {
            "table" => &mut self.table,
            "hash-move" => &mut self.hash_move,
            "killers" => &mut self.killers,
            "history" => &mut self.history,
            "promise" => &mut self.promise,
            "scouting" => &mut self.scouting,
            "aspiration" => &mut self.aspiration,
            "reductions" => &mut self.reductions,
            "margins" => &mut self.margins,
            "quiescence" => &mut self.quiescence,
            "extensions" => &mut self.extensions,
            "solver" => &mut self.solver,
            "probcut" => &mut self.probcut,
            _ => return Err(UnknownFeature),
        };
        *feature = false;
        Ok(self)
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromStr for Features {
    type Err = UnknownFeature;

    /// Names joined with `+` of what is left out.
    fn from_str(text: &str) -> Result<Self, UnknownFeature> {
        text.split('+').try_fold(Self::ALL, Self::without)
    }
}

/// A text that names no [`Features`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownFeature;

impl fmt::Display for UnknownFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the features are {}", Features::NAMES.join(", "))
    }
}

impl std::error::Error for UnknownFeature {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_name() {
        for name in Features::NAMES {
            let without = Features::ALL.without(name).expect("a name");
            assert_ne!(without, Features::ALL);
            assert_eq!(name.parse(), Ok(without));
        }
        assert_eq!("".parse::<Features>(), Err(UnknownFeature));
        assert_eq!(
            "reductions+margins+quiescence+extensions+solver+probcut".parse(),
            Ok(Features::EXACT)
        );
    }
}
