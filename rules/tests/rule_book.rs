//! The citations of the rule book, `rules/RULES.md`: each must name an existing section.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the repository that cite the rule book.
const FOLDERS: [&str; 8] = [
    "ai", "docs", "examples", "fuzz", "rules", "server", "static", "wasm",
];

/// The extensions of the files that are searched.
const TEXTS: [&str; 7] = ["rs", "md", "js", "ts", "py", "perft", "txt"];

/// The names by which the rule book is cited, each before the word `section`.
const NAMES: [&str; 3] = ["RULES.md", "RULES.md)", "rule book"];

#[test]
fn every_section_that_is_cited_exists() {
    let book = fs::read_to_string(root().join("rules/RULES.md")).expect("the rule book");
    let sections = headings(&book);
    assert!(sections.contains("0") && sections.contains("7.3"));
    let mut count = 0;
    let mut dead = Vec::new();
    for path in FOLDERS
        .iter()
        .flat_map(|folder| files(&root().join(folder)))
    {
        for section in cited(&fs::read_to_string(&path).unwrap_or_default()) {
            count += 1;
            if !sections.contains(&section) {
                dead.push(format!("{}: section {section}", path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(count >= 30, "{count} citations: are they still found?");
}

#[test]
fn citations_are_found_in_every_spelling() {
    let text = "RULES.md section 7.3). RULES.md sections 5 and 6); (RULES.md,\n/// section 1) [rule book](RULES.md), section 4.";
    assert_eq!(cited(text), ["7.3", "5", "6", "1", "4"]);
    assert!(cited("as in RULES.md. Section headings of 3").is_empty());
}

/// The numbers of all headings, such as `7` and `7.3`.
fn headings(book: &str) -> BTreeSet<String> {
    book.lines()
        .filter(|line| line.starts_with('#'))
        .filter_map(|line| number(line.trim_start_matches('#').trim_start()))
        .map(|(number, _)| number)
        .collect()
}

/// The sections cited in a text, in order.
fn cited(text: &str) -> Vec<String> {
    let blank = |c: char| c.is_whitespace() || "/!#*".contains(c);
    let mut cited = Vec::new();
    for name in NAMES {
        for (at, _) in text.match_indices(name) {
            let rest = text[at + name.len()..].trim_start_matches(',');
            let rest = rest.trim_start_matches(blank);
            let Some(rest) = rest.strip_prefix("section") else {
                continue;
            };
            let mut rest = rest.trim_start_matches('s').trim_start_matches(blank);
            while let Some((number, after)) = number(rest) {
                cited.push((at, number));
                let next = after.strip_prefix(" and ");
                rest = next.or(after.strip_prefix(", ")).unwrap_or("");
            }
        }
    }
    cited.sort_by_key(|&(at, _)| at);
    cited.into_iter().map(|(_, number)| number).collect()
}

/// The section number at the beginning of a text, without a final full stop, and the text after it.
fn number(text: &str) -> Option<(String, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    (!number.is_empty()).then(|| (number.to_owned(), &text[number.len()..]))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("node_modules") {
                found.extend(files(&path));
            }
        } else if TEXTS
            .iter()
            .any(|text| path.extension().is_some_and(|end| end == *text))
        {
            found.push(path);
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
