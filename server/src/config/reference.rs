//! The reference page of the options, `docs/options.md`, printed from their definitions.

use clap::Arg;

use crate::config::file;

/// The text before the table.
const INTRODUCTION: &str = "\
# Options of the server

For operators: after reading this page you can name every option of `mawe serve`, its variable of the environment and its default.
[operating.md](operating.md) explains the options that an operator decides about. `mawe options` prints this page.

An option on the command line goes before a variable of the environment, and that goes before the file that `--config FILE` or `MAWE_CONFIG`
names. The file is TOML. Its keys are the names of the options without the dashes; a key that is no option is refused, with its line. Numbers,
`true` and `false` stand as they are, a text stands in quotes, several texts in brackets:

```toml
listen = \"0.0.0.0:8080\"
origin = \"https://play.example.org\"
behind-proxy = true
requests-per-minute = 12000
push-trust = [\"push.school.lan:8443\"]
```

Other commands that open the store (`mawe admin`, `mawe backup`, `mawe export`, `mawe migrate`) take the same file, and use its `data-dir`
and `database` only.

| option | variable | default | meaning |
|---|---|---|---|
";

/// Returns the page.
#[must_use]
pub fn reference() -> String {
    let rows = file::options().map(|option| row(&option));
    INTRODUCTION.to_owned() + &rows.collect::<String>()
}

fn row(option: &Arg) -> String {
    let name = option.get_long().unwrap_or_default();
    let value = option.get_value_names().and_then(|names| names.first());
    // An option whose value may be left out has no name for it.
    let value = match value.map(|name| name.as_str()) {
        Some(value) if !is_switch(option) => format!(" {value}"),
        _ => String::new(),
    };
    let variable = option.get_env().unwrap_or_default().to_string_lossy();
    let help = option.get_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    // A default that is not the same everywhere is described at the end of the help.
    let (meaning, described) = match help.rsplit_once(" [default: ") {
        Some((meaning, described)) => (meaning, described.trim_end_matches(']').to_owned()),
        None => (help.as_str(), String::new()),
    };
    let values = option.get_default_values().iter();
    let default = values.map(|value| format!("`{}`", value.to_string_lossy()));
    let default = default.collect::<Vec<_>>().join(", ");
    let default = match described.is_empty() {
        true => default,
        false => described,
    };
    format!("| `--{name}{value}` | `{variable}` | {default} | {meaning} |\n")
}

/// Returns whether the option may stand without a value.
fn is_switch(option: &Arg) -> bool {
    option
        .get_num_args()
        .is_some_and(|count| count.min_values() == 0)
}
