//! The floors of the server: the order in which its modules may import each other.

use super::Graph;

/// The modules from the lowest floor to the highest. A module may import those before it.
pub(crate) const FLOORS: [&str; 25] = [
    "clock",
    "wire",
    "play",
    "page",
    "store",
    "identity",
    "limits",
    "connections",
    "push",
    "bots",
    "live",
    "cluster",
    "lobby",
    "app",
    "moderation",
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
