//! The floors of the server: the order in which its modules may import each other.

use super::Graph;

/// The modules from the lowest floor to the highest. A module may import those before it.
pub(crate) const FLOORS: [&str; 30] = [
    "clock",
    "meters",
    "outbound",
    "load",
    "trace",
    "page",
    "pictures",
    "identity",
    "limits",
    "connections",
    "push",
    "mail",
    "bots",
    "live",
    "analysis",
    "cluster",
    "lobby",
    "app",
    "moderation",
    "metrics",
    "http",
    "ws",
    "worker",
    "api",
    "admin",
    "config",
    "server",
    "cli",
    "main",
    "lib",
];

/// The crates with those of ours that each may use.
pub(crate) const CRATE_FLOORS: [(&str, &[&str]); 11] = [
    ("rules/src", &[]),
    ("ai/src", &["rules/src"]),
    ("lab/src", &["rules/src", "ai/src"]),
    ("wire/src", &["rules/src"]),
    ("play/src", &["rules/src", "wire/src"]),
    ("store/src", &["rules/src", "wire/src", "play/src"]),
    (
        "server/src",
        &[
            "rules/src",
            "ai/src",
            "lab/src",
            "wire/src",
            "play/src",
            "store/src",
            "clients/rust/src",
        ],
    ),
    ("wasm/src", &["rules/src", "wire/src", "play/src"]),
    ("wasm/engine/src", &["rules/src", "ai/src"]),
    (
        "counters/src",
        &["rules/src", "ai/src", "wire/src", "play/src", "store/src"],
    ),
    // A garden, as the page: it knows the house by the wire alone.
    ("clients/rust/src", &[]),
];

/// Returns a line for each import of a crate that it may not use. `crates` is grouped by [`crate_of`](super::crate_of).
pub(crate) fn crate_climbs(crates: &Graph) -> Vec<String> {
    let allowed = |from: &str| {
        let row = CRATE_FLOORS.iter().find(|(name, _)| *name == from);
        row.map_or(&[][..], |(_, allowed)| allowed)
    };
    let mut lines = Vec::new();
    for (from, targets) in &crates.imports {
        for to in targets {
            if !allowed(from).contains(&&**to) {
                lines.push(format!("{from} -> {to}"));
            }
        }
    }
    lines
}

const SERVER: &str = "server/src/";

/// Returns a line for each import of the server that climbs, and for each module without a floor. `modules` is grouped by
/// [`module_of`](super::module_of).
pub(crate) fn climbs(modules: &Graph) -> Vec<String> {
    let floor = |module: &str| {
        let name = module.strip_prefix(SERVER)?;
        FLOORS.iter().position(|known| *known == name)
    };
    let mut lines = Vec::new();
    for (from, targets) in &modules.imports {
        if !from.starts_with(SERVER) {
            continue;
        }
        let Some(here) = floor(from) else {
            lines.push(format!("{from} has no floor"));
            continue;
        };
        for to in targets {
            if floor(to).is_some_and(|there| there >= here) {
                lines.push(format!("{from} -> {to}"));
            }
        }
    }
    lines
}
