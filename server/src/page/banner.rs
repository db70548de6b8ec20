//! The operator's notice: a line of text, with an optional link and an optional picture. It can pay for a hosted server; accounts with
//! `premium` never get it. Off unless the operator sets it.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::page::picture::Picture;

/// The permitted length of the text in characters: one line, also on a phone.
const TEXT_CHARS: std::ops::RangeInclusive<usize> = 1..=140;

/// The greatest length of a link, in bytes.
const MAX_LINK_BYTES: usize = 500;

/// The greatest size of a picture, in bytes: every visit loads it.
const MAX_PICTURE_BYTES: usize = 256 * 1024;

/// The options of the notice.
#[derive(Debug, Clone, Args)]
pub struct BannerOptions {
    /// A line of text on every page, except for accounts with the grant premium [default: none]
    #[arg(long, env = "MAWE_BANNER_TEXT", value_name = "TEXT")]
    banner_text: Option<String>,
    /// The target of that line: an address that begins with http:// or https://
    #[arg(long, env = "MAWE_BANNER_LINK", value_name = "URL")]
    banner_link: Option<String>,
    /// The picture beside that line: a PNG, JPEG, GIF or WebP file of at most 256 KiB, read when the server starts.
    #[arg(long, env = "MAWE_BANNER_PICTURE", value_name = "FILE")]
    banner_picture: Option<PathBuf>,
}

impl BannerOptions {
    /// Returns the notice, or `None` if the options set none.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve(self) -> Result<Option<Banner>, String> {
        Banner::of(
            self.banner_text.as_deref(),
            self.banner_link.as_deref(),
            self.banner_picture.as_deref(),
        )
    }
}

/// The notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// The text.
    pub text: String,
    /// The target of the link.
    pub link: Option<String>,
    /// The picture beside the text.
    pub picture: Option<Picture>,
}

impl Banner {
    /// Returns the notice of these options, or `None` if they set none.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub fn of(
        text: Option<&str>,
        link: Option<&str>,
        picture: Option<&Path>,
    ) -> Result<Option<Banner>, String> {
        let Some(text) = text else {
            return match (link, picture) {
                (None, None) => Ok(None),
                _ => Err("a banner needs words: set banner-text too, or leave banner-link and banner-picture out".to_owned()),
            };
        };
        let text = text.trim();
        if !TEXT_CHARS.contains(&text.chars().count()) || text.chars().any(char::is_control) {
            return Err("banner-text must be one line of 1 to 140 characters".to_owned());
        }
        Ok(Some(Banner {
            text: text.to_owned(),
            link: link.map(parse_link).transpose()?,
            picture: picture
                .map(|path| Picture::read("banner-picture", path, MAX_PICTURE_BYTES))
                .transpose()?,
        }))
    }
}

fn parse_link(link: &str) -> Result<String, String> {
    let rest = link
        .strip_prefix("https://")
        .or_else(|| link.strip_prefix("http://"));
    let has_host =
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['));
    let is_plain = !link.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"');
    if has_host && is_plain && link.len() <= MAX_LINK_BYTES {
        Ok(link.to_owned())
    } else {
        Err(format!(
            "banner-link {link:?} must be an address like https://example.org/page, of at most {MAX_LINK_BYTES} bytes"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: Option<&str>, link: Option<&str>, picture: Option<&Path>) -> String {
        let message = Banner::of(text, link, picture).expect_err("it is refused");
        assert!(!message.contains('\n'), "{message}");
        message
    }

    #[test]
    fn there_is_none_unless_it_is_set() {
        assert_eq!(Banner::of(None, None, None), Ok(None));
        let banner = Banner::of(Some(" Come to the Mawe! cup "), None, None);
        let banner = banner.expect("it is right").expect("it is set");
        assert_eq!(banner.text, "Come to the Mawe! cup");
    }

    #[test]
    fn a_link_is_an_address_of_the_web() {
        for link in [
            "https://example.org",
            "http://[::1]:8080/a?b=c#d",
            "https://xn--e1aybc.example/",
        ] {
            assert!(Banner::of(Some("x"), Some(link), None).is_ok(), "{link}");
        }
        let long = format!("https://example.org/{}", "a".repeat(MAX_LINK_BYTES));
        for link in [
            "javascript:alert(1)",
            "example.org",
            "https://",
            "https:///x",
            "//example.org",
            "https://a b",
            "https://a\"b",
            "data:text/html,x",
            &long,
        ] {
            assert!(
                refusal(Some("x"), Some(link), None).contains("banner-link"),
                "{link}"
            );
        }
        assert!(refusal(None, Some("https://example.org"), None).contains("banner-text"));
    }

    #[test]
    fn words_are_one_short_line() {
        for text in ["", "  ", "two\nlines", &"a".repeat(141)] {
            assert!(
                refusal(Some(text), None, None).contains("banner-text"),
                "{text}"
            );
        }
        assert!(Banner::of(Some(&"മ".repeat(140)), None, None).is_ok());
    }
}
