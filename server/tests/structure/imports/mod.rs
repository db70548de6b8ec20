//! The import graph of the crates: the files that each file uses. `static/tests/modules.test.js` has the one of the page.
//!
//! The graph is read from the text of the files, so it needs no compiler and also holds what a build leaves out. An import is an arrow to
//! the file that defines the name: a re-export is followed to its origin, as the compiler does. Tests and `mod` declarations are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub(crate) mod floors;
pub(crate) mod rust;

/// The crates with the folder of their sources and the name by which others import them.
pub(crate) const CRATES: [(&str, &str); 11] = [
    ("rules/src", "mawe_rules"),
    ("ai/src", "mawe_ai"),
    ("lab/src", "mawe_lab"),
    ("wire/src", "mawe_wire"),
    ("play/src", "mawe_play"),
    ("store/src", "mawe_store"),
    ("server/src", "mawe_server"),
    ("wasm/src", "mawe_wasm"),
    ("wasm/engine/src", "mawe_engine_wasm"),
    ("counters/src", "mawe_counters"),
    ("clients/rust/src", "mawe_client"),
];

/// Files by their path from the root of the repository, each with the files that it imports.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(crate) imports: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads the graph of the repository at `root`.
    pub(crate) fn read(root: &Path) -> Graph {
        let mut graph = Graph::default();
        rust::read(root, &CRATES, &mut graph);
        graph
    }

    /// Adds an import, unless a file imports itself.
    pub(crate) fn add(&mut self, from: &str, to: &str) {
        if from != to {
            self.imports
                .entry(from.to_owned())
                .or_default()
                .insert(to.to_owned());
        }
        self.imports.entry(to.to_owned()).or_default();
    }

    /// Returns the graph whose nodes are the names that `name` gives to files; files without a name are left out.
    pub(crate) fn grouped(&self, name: impl Fn(&str) -> Option<String>) -> Graph {
        let mut grouped = Graph::default();
        for (from, targets) in &self.imports {
            let Some(from) = name(from) else { continue };
            grouped.imports.entry(from.clone()).or_default();
            for to in targets.iter().filter_map(|to| name(to)) {
                grouped.add(&from, &to);
            }
        }
        grouped
    }

    /// Returns the circles: each set of two nodes or more that all reach each other, in alphabetical order.
    pub(crate) fn circles(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&String, BTreeSet<&String>> = self
            .imports
            .keys()
            .map(|node| (node, self.reachable(node)))
            .collect();
        let mut circles = BTreeSet::new();
        for (node, reached) in &reach {
            let circle: Vec<String> = reached
                .iter()
                .filter(|other| reach[*other].contains(node))
                .map(|other| (*other).clone())
                .collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    fn reachable<'a>(&'a self, start: &'a String) -> BTreeSet<&'a String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for next in &self.imports[node] {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// Returns the graph without the imports that others imply: where `a` imports `b` and `c`, and `b` imports `c`, without `a -> c`.
    pub(crate) fn reduced(&self) -> Graph {
        let mut reduced = self.clone();
        for (from, targets) in &self.imports {
            let implied = |to: &&String| {
                let mut others = targets.iter().filter(|other| other != to);
                others.any(|other| self.reachable(other).contains(*to))
            };
            let implied: Vec<&String> = targets.iter().filter(implied).collect();
            let left = reduced.imports.get_mut(from).expect("it is a copy");
            left.retain(|to| !implied.contains(&to));
        }
        reduced
    }

    /// Returns the imports within a circle, as lines `from -> to`.
    pub(crate) fn arrows_within(&self, circle: &[String]) -> Vec<String> {
        let mut arrows = Vec::new();
        for from in circle {
            for to in self.imports[from].iter().filter(|to| circle.contains(to)) {
                arrows.push(format!("{from} -> {to}"));
            }
        }
        arrows
    }
}

/// Returns the module of a file: its crate, and the first folder or file below.
pub(crate) fn module_of(path: &str) -> Option<String> {
    CRATES.iter().find_map(|(folder, _)| {
        let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
        let head = rest.split('/').next().unwrap_or(rest);
        Some(format!("{folder}/{}", head.trim_end_matches(".rs")))
    })
}

/// Returns the crate of a file, by the folder of its sources.
pub(crate) fn crate_of(path: &str) -> Option<String> {
    let of = |(folder, _): &(&str, &str)| {
        path.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    CRATES
        .iter()
        .find(|row| of(row))
        .map(|row| row.0.to_owned())
}

/// Returns the modules of the server, the crates below it and their imports as a Mermaid diagram, without the imports that others imply.
pub(crate) fn picture(modules: &Graph) -> String {
    let name = |node: &str| {
        let module = node.strip_prefix("server/src/").map(str::to_owned);
        let below = ["rules", "ai", "lab", "wire", "play", "store"];
        let (folder, _) = node.split_once("/src/")?;
        module.or_else(|| below.contains(&folder).then(|| folder.to_owned()))
    };
    let server =
        modules.grouped(|node| name(node).filter(|name| !["lib", "main"].contains(&&**name)));
    let mut lines = vec!["```mermaid".to_owned(), "flowchart TB".to_owned()];
    for (from, targets) in &server.reduced().imports {
        for to in targets {
            lines.push(format!("  {from} --> {to}"));
        }
    }
    lines.push("```".to_owned());
    lines.join("\n")
}
