//! The configuration file: a TOML file whose keys are the options of the server, named as on the command line without the dashes.
//!
//! The options are defined once, for clap. A file is read with these definitions: each value is parsed as if it stood on the command line,
//! and then becomes the default value of its option, so that the command line and the environment go before it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches};
use toml::{Spanned, Value};

use crate::app::{Setting, SettingSource};
use crate::config::error::{ConfigError, one_line};
use crate::config::serve::ServeOptions;
use crate::config::store::CONFIG;

/// The reason for which arguments cannot be used.
#[derive(Debug)]
pub enum ParseError {
    /// The arguments or the environment are wrong, or ask for help.
    Usage(clap::Error),
    /// The configuration file is wrong.
    File(ConfigError),
}

/// The values of a configuration file, by the name of their option.
#[derive(Debug)]
struct FileValues(BTreeMap<String, Vec<String>>);

/// The parsed arguments of a program, with the sources of its options.
#[derive(Debug)]
pub struct Parsed<P> {
    /// The options.
    pub options: P,
    matches: ArgMatches,
    file: Option<FileValues>,
}

/// Parses the arguments of a program, the program's name first. Where they or the environment name a configuration file, its values are the
/// defaults of the options.
///
/// # Errors
/// [`ParseError`].
pub fn parse<P: CommandFactory + FromArgMatches>(
    arguments: &[OsString],
) -> Result<Parsed<P>, ParseError> {
    let matches = P::command().try_get_matches_from(arguments);
    let mut matches = matches.map_err(ParseError::Usage)?;
    let path = config_path(&matches);
    let file = path.as_deref().map(FileValues::read).transpose();
    let file = file.map_err(ParseError::File)?;
    if let Some(values) = &file {
        let command = values.as_defaults_of(P::command());
        let again = command.try_get_matches_from(arguments);
        matches = again.map_err(ParseError::Usage)?;
    }
    Ok(Parsed {
        options: P::from_arg_matches(&matches).map_err(ParseError::Usage)?,
        matches,
        file,
    })
}

impl<P> Parsed<P> {
    /// Returns the options in force for the command of the server, in the order of their reference; none for a command that has others. The
    /// values of options with hidden variables are secrets.
    pub(crate) fn in_force(&self) -> Vec<Setting> {
        // The command may be written or not.
        let matches = self.matches.subcommand();
        let matches = matches.map_or(&self.matches, |(_, matches)| matches);
        options()
            .filter(|option| is_option_of(matches, option))
            .map(|option| self.setting(matches, &option))
            .collect()
    }

    fn setting(&self, matches: &ArgMatches, option: &Arg) -> Setting {
        let name = option.get_long().unwrap_or_default().to_owned();
        let given = matches.get_raw(option.get_id().as_str());
        let texts = given.map(|values| {
            let texts = values.map(|value| value.to_string_lossy().into_owned());
            texts.collect::<Vec<_>>().join(",")
        });
        let file = self.file.as_ref();
        let in_file = file.is_some_and(|file| file.0.contains_key(&name));
        let source = match matches.value_source(option.get_id().as_str()) {
            Some(ValueSource::CommandLine) => SettingSource::CommandLine,
            Some(ValueSource::EnvVariable) => SettingSource::Environment,
            Some(_) if in_file => SettingSource::File,
            Some(_) | None => SettingSource::Default,
        };
        let is_secret = option.is_hide_env_values_set();
        Setting {
            name,
            value: texts.filter(|_| !is_secret),
            source,
            is_secret,
        }
    }
}

/// Returns whether the matches are of a command with this option.
fn is_option_of(matches: &ArgMatches, option: &Arg) -> bool {
    matches.try_get_raw(option.get_id().as_str()).is_ok()
}

/// Returns the definitions of the options that a file may have.
pub(super) fn options() -> impl Iterator<Item = Arg> {
    let command = ServeOptions::augment_args(Command::new("mawe"));
    let options: Vec<Arg> = command.get_arguments().cloned().collect();
    options
        .into_iter()
        .filter(|option| option.get_id() != CONFIG)
}

/// Returns the path of the configuration file of the command that is run, if it has one.
fn config_path(matches: &ArgMatches) -> Option<PathBuf> {
    match matches.subcommand() {
        Some((_, matches)) => config_path(matches),
        None => matches.try_get_one(CONFIG).ok().flatten().cloned(),
    }
}

impl FileValues {
    fn read(path: &Path) -> Result<FileValues, ConfigError> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            ConfigError(format!(
                "the configuration file {shown} cannot be read: {error}"
            ))
        })?;
        let wrong = |at: usize, fault: &str| {
            let line = text[..at.min(text.len())].matches('\n').count() + 1;
            ConfigError(format!(
                "the configuration file {shown}, line {line}: {fault}"
            ))
        };
        let table: BTreeMap<Spanned<String>, Value> = toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            wrong(at, &error.message().replace('\n', " "))
        })?;
        let mut values = BTreeMap::new();
        for (key, value) in table {
            let at = key.span().start;
            let texts = texts(key.as_ref(), value).map_err(|fault| wrong(at, &fault))?;
            values.insert(key.into_inner(), texts);
        }
        Ok(FileValues(values))
    }

    /// Makes these values the defaults of the options of every command that takes a configuration file.
    fn as_defaults_of(&self, command: Command) -> Command {
        let takes_file = command
            .get_arguments()
            .any(|option| option.get_id() == CONFIG);
        let command = command.mut_subcommands(|command| self.as_defaults_of(command));
        if !takes_file {
            return command;
        }
        command.mut_args(|option| {
            let values = option.get_long().and_then(|name| self.0.get(name));
            match values.cloned() {
                Some(values) => option.default_values(values),
                None => option,
            }
        })
    }
}

/// Returns a value as it would stand on the command line, if its option accepts it.
fn texts(key: &str, value: Value) -> Result<Vec<String>, String> {
    let Some(option) = options().find(|option| option.get_long() == Some(key)) else {
        let mut known: Vec<String> = options()
            .filter_map(|option| Some(format!("`{}`", option.get_long()?)))
            .collect();
        known.sort_unstable();
        return Err(format!(
            "unknown key `{key}`, expected one of {}",
            known.join(", ")
        ));
    };
    let values = match value {
        Value::Array(values) if option.get_value_delimiter().is_some() => values,
        Value::Array(_) => return Err(format!("`{key}` takes a single value")),
        value => vec![value],
    };
    let texts = values.into_iter().map(|value| match value {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(is_on) => Ok(is_on.to_string()),
        Value::Float(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => Err(format!(
            "`{key}` takes a text in quotes, a whole number, true or false"
        )),
    });
    let texts = texts.collect::<Result<Vec<String>, String>>()?;
    let command = Command::new("mawe").no_binary_name(true).arg(option);
    let arguments = texts.iter().map(|text| format!("--{key}={text}"));
    for argument in arguments {
        let checked = command.clone().try_get_matches_from([argument]);
        checked.map_err(|error| one_line(&error))?;
    }
    Ok(texts)
}
