//! The optional parts of the search, which can be disabled to measure their effect.

use std::fmt;
use std::str::FromStr;

/// The enabled parts of the search: all, except for measurements and for comparisons with plain minimax.
///
/// Reversi's own search uses `solver` and `probcut`, and always all parts that only save time. Without
/// weights, Reversi is searched like the other games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Features {
    /// Scores of the transposition table cut off nodes.
    pub table: bool,
    /// The best move of an earlier visit is tried first.
    pub hash_move: bool,
    /// Moves that cut off at the same ply are tried early.
    pub killers: bool,
    /// Moves that have cut off often are tried early.
    pub history: bool,
    /// Moves with an order score of the game are tried early.
    pub order_score: bool,
    /// Moves after the first are searched with a null window first.
    pub scouting: bool,
    /// The root is searched in a window around the last score.
    pub aspiration: bool,
    /// Late moves, and nodes without a known best move, are first searched less deep.
    pub reductions: bool,
    /// Nodes near the horizon whose evaluation is far outside the window are pruned.
    pub margins: bool,
    /// Lines continue after the horizon until the position is quiet.
    pub quiescence: bool,
    /// Replies that are the only legal move cost no depth, and in some games further moves of the same side
    /// neither.
    pub extensions: bool,
    /// Reversi is solved as soon as the remaining limits are likely to suffice.
    pub solver: bool,
    /// Nodes of Reversi are cut by ProbCut.
    pub probcut: bool,
}

impl Features {
    /// All features: how the engine plays.
    pub const ALL: Features = Features {
        table: true,
        hash_move: true,
        killers: true,
        history: true,
        order_score: true,
        scouting: true,
        aspiration: true,
        reductions: true,
        margins: true,
        quiescence: true,
        extensions: true,
        solver: true,
        probcut: true,
    };

    /// The features with which the search gives the same score as minimax at the same depth.
    pub const EXACT: Features = Features {
        reductions: false,
        margins: false,
        quiescence: false,
        extensions: false,
        solver: false,
        probcut: false,
        ..Self::ALL
    };

    /// The names of all features, for tools.
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

    /// Returns these features without the one of that name.
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
            "promise" => &mut self.order_score,
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

    /// Reads the names of the disabled features, joined with `+`.
    fn from_str(text: &str) -> Result<Self, UnknownFeature> {
        text.split('+').try_fold(Self::ALL, Self::without)
    }
}

/// The error of a text that is not the name of a feature.
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
