//! Events in simulation: random players, results, withdrawals and faults, with the invariants checked after every step.

mod damage;
mod fill_ins;
mod groups;
mod kinds;
mod run;
mod series;
mod swiss;
mod weekend;
