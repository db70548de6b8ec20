//! What happens in a ply, step by step, for boards that show it and for people who follow it.

use super::board::Stage;
use super::ring::{Direction, Pit};

/// The kind of a ply (RULES-bao.md section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlyKind {
    /// The opening of the ply is a capture.
    Capture,
    /// *Kutakata*: nothing is captured in the whole ply.
    Takata,
}

/// The side to which a house belongs, relative to the ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Owner {
    Mover,
    Opponent,
}

/// The origin of the seeds of a lap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The mover's own pit, from which they were lifted.
    Pit(Pit),
    /// The capture that is the step before.
    Capture,
}

/// The reason why a ply ends (RULES-bao.md section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlyEnd {
    /// The last seed fell into an empty pit.
    EmptyPit,
    /// The last seed fell into the mover's house, which holds 6 or more: a takata ends there, and
    /// in a capture ply the player chose to stop.
    House,
    /// A takata reached the mover's takasia-ed pit.
    Takasia,
    /// *Bao hamna*: the captured seeds were the last ones of the opponent's front row.
    FrontEmpty,
}

/// A step of a ply. Pits are named by their owner, which is the mover unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaoStep {
    /// The first step of every ply.
    Begin {
        /// The stage to which the ply belongs.
        stage: Stage,
        /// Whether the ply captures.
        kind: PlyKind,
    },
    /// A seed goes from the store into a pit, in the namua stage only.
    Put {
        /// The pit.
        pit: Pit,
    },
    /// The seeds that face a pit are lifted. The next step sows them.
    Capture {
        /// The mover's pit at which the capture is made; its own seeds stay.
        at: Pit,
        /// The opponent's pit that is emptied, by the opponent's name.
        from: Pit,
        /// The number of seeds.
        seeds: u8,
    },
    /// *Safari*: a lap of a capture ply has ended in the house, and the player plays it rather than
    /// stops. The next steps lose the house and sow its seeds.
    Safari,
    /// Seeds are sown, one into each pit.
    Sow {
        /// The number of the lap in this ply, 1 for the first.
        lap: u16,
        /// Where the seeds come from. A pit can hold more than are lifted: the house when it is
        /// taxed.
        source: Source,
        /// The pit of the first seed.
        first: Pit,
        /// The direction in which the hand moves on.
        direction: Direction,
        /// The number of seeds.
        seeds: u8,
        /// The pit of the last seed.
        last: Pit,
    },
    /// A house is lost for good (RULES-bao.md section 8).
    LoseHouse {
        /// The side that owned it.
        owner: Owner,
    },
    /// The sowing is over. Only houses lost by a capture ply of the mtaji stage and a takasia
    /// follow.
    End {
        /// The pit of the last seed.
        at: Pit,
        /// The reason.
        why: PlyEnd,
    },
    /// A pit of the opponent is takasia-ed for the next ply (RULES-bao.md section 9).
    Takasia {
        /// The pit, by the opponent's name.
        pit: Pit,
    },
}
