//! Imports of Rust sources, read as tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::Graph;

/// A module: a file, or a block `mod name { … }` in one.
#[derive(Debug, Default)]
struct Module {
    file: String,
    /// Names that `use` brings in, each with the path it stands for.
    aliases: BTreeMap<String, Vec<String>>,
    /// Paths of `use path::*`.
    globs: Vec<Vec<String>>,
    /// Names defined here.
    items: BTreeSet<String>,
    /// Paths that appear anywhere, as written.
    paths: Vec<Vec<String>>,
}

/// Modules by their path, which begins with the name of the crate.
type Modules = BTreeMap<Vec<String>, Module>;

/// Reads the crates and adds their imports to the graph.
pub(crate) fn read(root: &Path, crates: &[(&str, &str)], graph: &mut Graph) {
    let mut modules = Modules::new();
    for (folder, name) in crates {
        let mut files = Vec::new();
        list(&root.join(folder), &mut files);
        let mut sources = Vec::new();
        for file in files {
            let relative = file
                .strip_prefix(root)
                .expect("listed below the root")
                .to_string_lossy()
                .replace('\\', "/");
            let text = fs::read_to_string(&file).expect("sources are text");
            let tokens =
                TokenStream::from_str(&text).unwrap_or_else(|error| panic!("{relative}: {error}"));
            let path = module_path(name, folder, &relative);
            sources.push((path, relative, tokens));
        }
        let moved: Vec<(Vec<String>, Vec<String>)> = sources
            .iter()
            .flat_map(|(path, relative, tokens)| {
                moved_children(path, relative, folder, name, tokens)
            })
            .collect();
        for (path, relative, tokens) in sources {
            // A folder that a `#[path]` names is the child of each module that names it, and of no other.
            let homes: Vec<Vec<String>> = moved
                .iter()
                .filter(|(from, _)| path.starts_with(from))
                .map(|(from, to)| [to.as_slice(), &path[from.len()..]].concat())
                .collect();
            if homes.is_empty() {
                scan(tokens, &path, &relative, &mut modules);
            } else {
                for home in homes {
                    scan(tokens.clone(), &home, &relative, &mut modules);
                }
            }
        }
    }
    resolve_all(&modules, graph);
}

/// Returns for each `#[path = "folder/mod.rs"] mod name;` in a file the module that the folder would be without it, and the one that it is.
fn moved_children(
    path: &[String],
    relative: &str,
    folder: &str,
    name: &str,
    tokens: &TokenStream,
) -> Vec<(Vec<String>, Vec<String>)> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut moved = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let text = group.stream().to_string().replace(' ', "");
        let Some(target) = text
            .strip_prefix("path=\"")
            .and_then(|rest| rest.strip_suffix("/mod.rs\""))
        else {
            continue;
        };
        let child = tokens[at..]
            .windows(2)
            .find_map(|pair| match ident(pair.first()).as_deref() {
                Some("mod") => ident(pair.get(1)),
                _ => None,
            });
        let beside = relative.rsplit_once('/').map_or("", |(beside, _)| beside);
        let from = module_path(name, folder, &format!("{beside}/{target}/mod.rs"));
        let to = [path, &[child.expect("a module follows its path")]].concat();
        moved.push((from, to));
    }
    moved
}

fn list(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path.ends_with("tests.rs")
        {
            files.push(path);
        }
    }
}

fn module_path(name: &str, folder: &str, file: &str) -> Vec<String> {
    let mut path = vec![name.to_owned()];
    let rest = file[folder.len() + 1..].trim_end_matches(".rs");
    for part in rest.split('/') {
        if !["lib", "mod"].contains(&part) {
            path.push(part.to_owned());
        }
    }
    path
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// Collects the names and paths of a module; blocks `mod name { … }` become modules of their own, those of tests are left out.
fn scan(tokens: TokenStream, path: &[String], file: &str, modules: &mut Modules) {
    let module = modules.entry(path.to_vec()).or_default();
    file.clone_into(&mut module.file);
    walk(tokens, path, file, modules, true);
}

fn walk(tokens: TokenStream, path: &[String], file: &str, modules: &mut Modules, at_top: bool) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_test = false;
    let mut at = 0;
    while at < tokens.len() {
        if is_punct(tokens.get(at), '#')
            && let Some(TokenTree::Group(group)) = tokens.get(at + 1)
        {
            is_test |= group.stream().to_string().replace(' ', "") == "cfg(test)";
            walk(group.stream(), path, file, modules, false);
            at += 2;
            continue;
        }
        match ident(tokens.get(at)).as_deref() {
            // The path in `pub(in path)` imports nothing.
            Some("pub") if matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis) =>
            {
                at += 2;
                continue;
            }
            Some("mod") if ident(tokens.get(at + 1)).is_some() => {
                let name = ident(tokens.get(at + 1)).expect("just seen");
                if let Some(TokenTree::Group(body)) = tokens.get(at + 2) {
                    if !is_test {
                        let mut inner = path.to_vec();
                        inner.push(name);
                        scan(body.stream(), &inner, file, modules);
                    }
                    at += 3;
                } else {
                    at += 2;
                }
                is_test = false;
                continue;
            }
            Some("use") => {
                let end = (at..tokens.len())
                    .find(|&end| is_punct(tokens.get(end), ';'))
                    .unwrap_or(tokens.len());
                if !is_test {
                    let module = modules.get_mut(path).expect("entered by scan");
                    use_tree(&tokens[at + 1..end], &[], module);
                }
                is_test = false;
                at = end;
                continue;
            }
            Some(
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union"
                | "macro_rules",
            ) if at_top => {
                let name = (at + 1..at + 3)
                    .find_map(|at| ident(tokens.get(at)).filter(|name| name != "mut"));
                if let Some(name) = name {
                    let module = modules.get_mut(path).expect("entered by scan");
                    module.items.insert(name);
                }
            }
            Some(_)
                if is_double_colon(&tokens, at + 1)
                    && !(at > 1 && is_double_colon(&tokens, at - 2)) =>
            {
                let mut written = vec![ident(tokens.get(at)).expect("just seen")];
                let mut next = at + 1;
                while is_double_colon(&tokens, next)
                    && let Some(name) = ident(tokens.get(next + 2))
                {
                    written.push(name);
                    next += 3;
                }
                let module = modules.get_mut(path).expect("entered by scan");
                module.paths.push(written);
                at = next;
                continue;
            }
            _ => {}
        }
        if let Some(TokenTree::Group(group)) = tokens.get(at) {
            if !(is_test && group.delimiter() == Delimiter::Brace) {
                walk(group.stream(), path, file, modules, false);
            }
            if group.delimiter() == Delimiter::Brace {
                is_test = false;
            }
        } else if is_punct(tokens.get(at), ';') {
            is_test = false;
        }
        at += 1;
    }
}

/// Reads one tree of `use`, whose path so far is `before`.
fn use_tree(tokens: &[TokenTree], before: &[String], module: &mut Module) {
    let mut path = before.to_vec();
    let mut at = 0;
    if is_double_colon(tokens, 0) {
        at = 2;
    }
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(name)) => {
                path.push(name.to_string());
                at += 1;
            }
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for tree in inner.split(|token| is_punct(Some(token), ',')) {
                    if !tree.is_empty() {
                        use_tree(tree, &path, module);
                    }
                }
                return;
            }
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                module.globs.push(path.clone());
                module.paths.push(path);
                return;
            }
            _ => return,
        }
        if is_double_colon(tokens, at) {
            at += 2;
            continue;
        }
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let mut alias = path.last().cloned().unwrap_or_default();
        if ident(tokens.get(at)).as_deref() == Some("as")
            && let Some(name) = ident(tokens.get(at + 1))
        {
            alias = name;
        }
        module.paths.push(path.clone());
        module.aliases.insert(alias, path);
        return;
    }
}

fn resolve_all(modules: &Modules, graph: &mut Graph) {
    for (path, module) in modules {
        graph.imports.entry(module.file.clone()).or_default();
        for written in &module.paths {
            if let Some(target) = resolve(modules, path, written, 0) {
                graph.add(&module.file, &target);
            }
        }
    }
}

/// Returns the file that defines the name at the end of a path written in module `here`; none for names of other people's crates.
fn resolve(modules: &Modules, here: &[String], written: &[String], depth: usize) -> Option<String> {
    // A circle of re-exports cannot be compiled; the bound is against a mistake of this reader.
    if depth > 16 {
        return None;
    }
    let mut module = match written[0].as_str() {
        "crate" => vec![here[0].clone()],
        "self" => here.to_vec(),
        "super" => here[..here.len() - 1].to_vec(),
        first => {
            let mut child = here.to_vec();
            child.push(first.to_owned());
            if modules.contains_key(&child) {
                child
            } else if modules.contains_key(&vec![first.to_owned()]) {
                vec![first.to_owned()]
            } else {
                let alias = modules[here].aliases.get(first)?;
                // `use serde::Serialize` names another crate; `use x;` names nothing of ours.
                if alias[0] == first {
                    return None;
                }
                let mut whole = alias.clone();
                whole.extend_from_slice(&written[1..]);
                return resolve(modules, here, &whole, depth + 1);
            }
        }
    };
    for (at, name) in written.iter().enumerate().skip(1) {
        if name == "super" {
            module.pop();
            continue;
        }
        let mut child = module.clone();
        child.push(name.clone());
        if modules.contains_key(&child) {
            module = child;
            continue;
        }
        let scope = modules.get(&module)?;
        if scope.items.contains(name) {
            return Some(scope.file.clone());
        }
        if let Some(alias) = scope.aliases.get(name) {
            let mut whole = alias.clone();
            whole.extend_from_slice(&written[at + 1..]);
            return resolve(modules, &module, &whole, depth + 1);
        }
        for glob in &scope.globs {
            let mut whole = glob.clone();
            whole.extend_from_slice(&written[at..]);
            if let Some(target) = resolve_defined(modules, &module, &whole, depth + 1) {
                return Some(target);
            }
        }
        return Some(scope.file.clone());
    }
    modules.get(&module).map(|module| module.file.clone())
}

/// Like [`resolve`], but only where the last name is defined in the module reached, so that several globs can be tried in turn.
fn resolve_defined(
    modules: &Modules,
    here: &[String],
    written: &[String],
    depth: usize,
) -> Option<String> {
    let target = resolve(modules, here, written, depth)?;
    let last = written.last()?;
    modules
        .values()
        .any(|module| module.file == target && module.items.contains(last))
        .then_some(target)
}
