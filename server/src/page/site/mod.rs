//! The site: its visibility, its registration, and the name, the logo, the colour and the documents of the operator.

mod colour;
mod document;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use self::colour::Colour;
pub use self::document::{Document, DocumentText};
use crate::page::picture::Picture;

/// The permitted length of the name in characters: one line of the header.
const NAME_CHARS: std::ops::RangeInclusive<usize> = 1..=40;

/// The greatest size of the logo, in bytes: every visit loads it.
const MAX_LOGO_BYTES: usize = 64 * 1024;

/// The rule of registration.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// Everybody.
    #[default]
    Open,
    /// The holder of an invitation.
    Invite,
    /// The operator alone.
    Closed,
}

/// The options of the site.
#[derive(Debug, Clone, Args)]
pub struct SiteOptions {
    /// Accounts can be made by everybody, by the holders of invitations (`mawe admin invite`), or by the operator alone (`mawe admin create`).
    #[arg(
        long,
        env = "MAWE_REGISTRATION",
        value_name = "WHO",
        value_enum,
        default_value_t = Registration::Open
    )]
    registration: Registration,
    /// Whether the server can be seen without an account. With false there are no guests, and every page but login, registration, imprint
    /// and privacy asks for a login.
    #[arg(
        long,
        env = "MAWE_PUBLIC",
        num_args = 0..=1,
        default_missing_value = "true",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    public: bool,
    /// The name of this server, of at most 40 characters: in the header, the titles of pages and the installed app [default: Mawe!]
    #[arg(long, env = "MAWE_SITE_NAME", value_name = "TEXT")]
    site_name: Option<String>,
    /// The picture beside the name: a PNG, JPEG, GIF or WebP file of at most 64 KiB, read when the server starts.
    #[arg(long, env = "MAWE_SITE_LOGO", value_name = "FILE")]
    site_logo: Option<PathBuf>,
    /// The colour of links and buttons, like #2a6f4e; shown in the nearest shade that can be read.
    #[arg(long, env = "MAWE_SITE_COLOUR", value_name = "#RRGGBB")]
    site_colour: Option<Colour>,
    /// The imprint, at /imprint: a Markdown file of at most 256 KiB, read when the server starts; beside it `imprint.sw.md` and so on in other
    /// languages.
    #[arg(long, env = "MAWE_IMPRINT", value_name = "FILE")]
    imprint: Option<PathBuf>,
    /// The notice about personal data, at /privacy, as the imprint.
    #[arg(long, env = "MAWE_PRIVACY", value_name = "FILE")]
    privacy: Option<PathBuf>,
}

/// The site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The rule of registration.
    pub registration: Registration,
    /// Whether it can be seen without an account.
    pub is_public: bool,
    /// Its name, where it is not the product's.
    pub name: Option<String>,
    /// The picture beside the name.
    pub logo: Option<Picture>,
    /// The colour of links and buttons.
    pub colour: Option<Colour>,
    /// The imprint.
    pub imprint: Option<Document>,
    /// The notice about personal data.
    pub privacy: Option<Document>,
}

impl Default for Site {
    fn default() -> Site {
        Site {
            registration: Registration::Open,
            is_public: true,
            name: None,
            logo: None,
            colour: None,
            imprint: None,
            privacy: None,
        }
    }
}

impl Site {
    /// The name of the product, in every language.
    pub const PRODUCT: &str = "Mawe!";

    /// Returns the name that the site shows.
    #[must_use]
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or(Site::PRODUCT)
    }

    /// Whether everybody may see it and make an account.
    #[must_use]
    pub fn is_everybodys(&self) -> bool {
        self.is_public && self.registration == Registration::Open
    }

    /// Whether its header differs from that of every other server.
    #[must_use]
    pub fn has_look(&self) -> bool {
        self.name.is_some() || self.logo.is_some() || self.colour.is_some()
    }
}

impl SiteOptions {
    /// Checks the options, and reads the files that they name.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve(self) -> Result<Site, String> {
        let document = |option: &str, path: Option<&Path>| {
            path.map(|path| Document::read(option, path)).transpose()
        };
        let logo = self.site_logo.as_deref();
        Ok(Site {
            registration: self.registration,
            is_public: self.public,
            name: self.site_name.as_deref().map(parse_name).transpose()?,
            logo: logo
                .map(|path| Picture::read("site-logo", path, MAX_LOGO_BYTES))
                .transpose()?,
            colour: self.site_colour,
            imprint: document("imprint", self.imprint.as_deref())?,
            privacy: document("privacy", self.privacy.as_deref())?,
        })
    }
}

/// Checks the name: a line that shows as it is written.
fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_name = name.chars().any(char::is_alphanumeric) && name.chars().all(is_shown);
    if NAME_CHARS.contains(&name.chars().count()) && is_name {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "site-name {text:?} must be a line of 1 to {} characters, without characters that cannot be seen or that change the direction of \
             writing",
            NAME_CHARS.end()
        ))
    }
}

/// Whether a character is seen, and leaves the direction of the text as it is.
fn is_shown(c: char) -> bool {
    let is_format = matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    // The blocks whose letters run from right to left.
    let is_right_to_left = matches!(
        c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'
    );
    !c.is_control() && !is_format && !is_right_to_left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_line_that_shows_as_it_is_written() {
        for name in [
            "Shule ya Msingi",
            "Szkoła nr 7 „Żółw”",
            "സ്കൂൾ",
            "<b>&\"'",
            &"x".repeat(40),
        ] {
            assert_eq!(parse_name(name).as_deref(), Ok(name));
        }
        assert_eq!(parse_name("  Shule \n").as_deref(), Ok("Shule"));
        for name in [
            "",
            "   ",
            &"x".repeat(41),
            "two\nlines",
            "a\0b",
            "a\u{200b}b",
            "ക്\u{200d}ഷ",
            "?!",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{feff}b",
            "a\u{e0041}b",
            "a\u{3164}b",
            "בית ספר",
            "مدرسة",
        ] {
            let fault = parse_name(name).expect_err("it is refused");
            assert!(fault.starts_with("site-name "), "{fault}");
            assert!(!fault.contains(['\n', '\0', '\u{202e}']), "{fault:?}");
        }
    }

    #[test]
    fn a_site_is_that_of_every_server_until_it_is_changed() {
        let site = Site::default();
        assert_eq!(site.registration, Registration::Open);
        assert!(site.is_public && !site.has_look());
        assert_eq!(site.shown_name(), "Mawe!");
        let named = Site {
            name: Some("Shule".to_owned()),
            ..site
        };
        assert!(named.has_look());
        assert_eq!(named.shown_name(), "Shule");
    }
}
