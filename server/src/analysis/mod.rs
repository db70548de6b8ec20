//! Computer analyses of finished matches: each position is evaluated by the workers of the computer opponents, the result is stored once for
//! each match and version of the engine, and everybody reads it.

pub mod analyst;
pub mod report;
