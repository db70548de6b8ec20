//! The head of a document: its title and description, the card that other programs show beside a link (Open Graph), its canonical address
//! and its addresses in other languages.
//!
//! It is written for each response: it names the match or the player shown, and the origin under which the server is reached.

use std::cmp::Reverse;
use std::fmt::Write;

use mawe_play::rating;
use mawe_play::room::io::Finish;
use mawe_rules::{GameKind, Side};
use mawe_store::{MatchRow, Player, RatingRow};
use mawe_wire::{Language, PlayerKind, RatingRef, end_reason};

use crate::bots::ladder::PREFIX;
use crate::clock::unix_ms;
use crate::http::catalogues::{self, PARAMETER, escaped, say};
use crate::http::pages::{Address, MISSING, Route, UNKNOWN};
use crate::http::site::{MANIFEST, STYLE_SHEET};
use crate::page::site::Site;
use crate::pictures::{HEIGHT, WIDTH};

/// The game of the picture where no other is shown.
const TITLE_GAME: GameKind = GameKind::Mawe;

/// The number of ratings that a player's card and the player's page name first.
pub(crate) const MAX_RATINGS: usize = 3;

/// The object that a page shows.
#[derive(Debug)]
pub(crate) enum Shown {
    /// None.
    Page,
    /// One that the store did not tell.
    Unknown,
    Match(Box<MatchRow>),
    Player(Player, Vec<RatingRow>),
}

/// The texts and the picture of a card, not escaped yet.
#[derive(Debug)]
struct Card {
    /// The title, without the name of the site.
    title: String,
    /// The title of the card, likewise.
    headline: String,
    /// Whether it is of the front page, whose title begins with the name of the site.
    is_front: bool,
    description: String,
    picture: String,
    /// The page that other pages may embed.
    embedded: Option<String>,
    game: GameKind,
    is_listed: bool,
}

/// The place of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The site, whose name stands in the title.
    pub(crate) site: &'a Site,
    /// The origin, such as `https://example.org`; without one the card has neither picture nor address.
    pub(crate) origin: Option<&'a str>,
    pub(crate) path: &'a str,
    /// The language that the address chooses.
    pub(crate) chosen: Option<Language>,
    /// The language of the document.
    pub(crate) language: Language,
}

/// Returns the head of the document at an address with the object shown; without one, of the document that says that nothing is there.
pub(crate) fn head(place: Place<'_>, found: Option<&(&Address, Shown)>) -> String {
    let language = place.language;
    let card = match found {
        None => of_page(&MISSING, TITLE_GAME, language),
        Some((_, Shown::Match(row))) => of_match(row, language),
        Some((address, Shown::Player(player, ratings))) => {
            of_player(player, ratings, address.route, language)
        }
        Some((address, Shown::Page)) => {
            of_page(address.route, address.game.unwrap_or(TITLE_GAME), language)
        }
        Some((_, Shown::Unknown)) => of_page(&UNKNOWN, TITLE_GAME, language),
    };
    written(place, &card)
}

fn written(place: Place<'_>, card: &Card) -> String {
    let Place {
        site,
        origin,
        path,
        chosen,
        language,
    } = place;
    let texts = [
        site.shown_name(),
        &card.title,
        &card.headline,
        &card.description,
    ];
    let [name, title, headline, description] = texts.map(escaped);
    let (title, headline) = if card.is_front {
        let title = format!("{name} – {title}");
        (title.clone(), title)
    } else {
        (format!("{title} · {name}"), headline)
    };
    let mut head = format!(
        "<title>{title}</title>
<meta name=\"description\" content=\"{description}\">
<meta property=\"og:site_name\" content=\"{name}\">
<meta property=\"og:type\" content=\"website\">
<meta property=\"og:title\" content=\"{headline}\">
<meta property=\"og:description\" content=\"{description}\">"
    );
    // Writing to a string does not fail.
    let mut add = |line: std::fmt::Arguments<'_>| {
        head.push('\n');
        let _ = head.write_fmt(line);
    };
    // Before those of the document: a browser takes the first manifest.
    if site.has_look() {
        add(format_args!("<link rel=\"manifest\" href=\"{MANIFEST}\">"));
    }
    if site.colour.is_some() {
        add(format_args!(
            "<link rel=\"stylesheet\" href=\"{STYLE_SHEET}\">"
        ));
    }
    if !card.is_listed {
        add(format_args!("<meta name=\"robots\" content=\"noindex\">"));
    }
    let origin = origin.map(escaped);
    let path = escaped(path);
    let in_language = |language: Option<Language>| {
        address_in(origin.as_deref().unwrap_or_default(), &path, language)
    };
    let here = in_language(chosen);
    add(format_args!("<link rel=\"canonical\" href=\"{here}\">"));
    let Some(origin) = &origin else {
        return head;
    };
    let alt = say(
        language,
        "match.board",
        &[("game", &game_name(card.game, language))],
    );
    add(format_args!(
        "<meta property=\"og:url\" content=\"{here}\">"
    ));
    add(format_args!(
        "<meta property=\"og:image\" content=\"{origin}{}\">",
        card.picture
    ));
    add(format_args!(
        "<meta property=\"og:image:width\" content=\"{WIDTH}\">"
    ));
    add(format_args!(
        "<meta property=\"og:image:height\" content=\"{HEIGHT}\">"
    ));
    add(format_args!(
        "<meta property=\"og:image:alt\" content=\"{}\">",
        escaped(&alt)
    ));
    add(format_args!(
        "<meta name=\"twitter:card\" content=\"summary_large_image\">"
    ));
    if let Some(embedded) = &card.embedded {
        let url: String =
            form_urlencoded::byte_serialize(format!("{origin}{embedded}").as_bytes()).collect();
        add(format_args!(
            "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{origin}/oembed?url={url}&amp;format=json\" title=\"{headline}\">"
        ));
    }
    if card.is_listed {
        for (tag, language) in alternates() {
            add(format_args!(
                "<link rel=\"alternate\" hreflang=\"{tag}\" href=\"{}\">",
                in_language(language)
            ));
        }
    }
    head
}

/// Returns the address of a page in a language, or in the language that the reader's browser chooses.
pub(crate) fn address_in(origin: &str, path: &str, language: Option<Language>) -> String {
    match language {
        Some(language) => format!("{origin}{path}?{PARAMETER}={}", language.as_str()),
        None => format!("{origin}{path}"),
    }
}

/// Returns the variants of a listed address: the tag of each, and the language that its address chooses.
pub(crate) fn alternates() -> impl Iterator<Item = (&'static str, Option<Language>)> {
    let spoken = Language::ALL.into_iter();
    let spoken = spoken.map(|language| (language.as_str(), Some(language)));
    spoken.chain([("x-default", None)])
}

fn of_page(route: &Route, game: GameKind, language: Language) -> Card {
    let text = |template: &str| words(template, game, language);
    Card {
        title: text(route.title),
        headline: text(route.title),
        is_front: route.pattern == "/",
        description: text(route.description),
        picture: picture_of(game),
        embedded: None,
        game,
        is_listed: route.is_listed,
    }
}

/// Fills a template of a route.
fn words(template: &str, game: GameKind, language: Language) -> String {
    let name = game_name(game, language);
    let template = template.replace("$game", game.id());
    let mut text = String::new();
    let mut rest = template.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let (key, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(&say(language, key, &[("game", &name)]));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Returns the names of the players and of the game.
pub(crate) fn headline_of(row: &MatchRow, language: Language) -> String {
    format!(
        "{} · {}",
        names_of(row, language),
        game_name(row.game, language)
    )
}

/// Returns a rating as `static/views/texts.js` writes it.
pub(crate) fn rating_text(shown: RatingRef) -> String {
    let mark = if shown.provisional { "?" } else { "" };
    format!("{}{mark}", shown.rating)
}

fn of_match(row: &MatchRow, language: Language) -> Card {
    let game = game_name(row.game, language);
    let names = names_of(row, language);
    let description = match &row.finish {
        None => say(language, "card.running", &[("game", &game)]),
        Some(finish) => format!("{game}: {}", result_of(row.game, finish, language)),
    };
    Card {
        title: names,
        headline: headline_of(row, language),
        is_front: false,
        description,
        picture: format!("/api/v1/matches/{}/picture.png", row.id),
        embedded: (!row.private).then(|| format!("/match/{}", row.id)),
        game: row.game,
        is_listed: !row.private,
    }
}

/// Returns the names of the players of a match as `static/views/match-table.js` writes them.
pub(crate) fn names_of(row: &MatchRow, language: Language) -> String {
    if is_on_one_device(row) {
        return say(language, "match.one-device", &[]);
    }
    let [first, second] =
        [Side::First, Side::Second].map(|side| name_of(&row.players[side], language));
    format!("{first} – {second}")
}

/// Whether one player has both seats.
pub(crate) fn is_on_one_device(row: &MatchRow) -> bool {
    row.players[Side::First].id == row.players[Side::Second].id
}

/// Returns a result and its reason as `static/views/texts.js` writes them.
pub(crate) fn result_of(game: GameKind, finish: &Finish, language: Language) -> String {
    let reason = finish.reason.as_str();
    if end_reason::is_called_off(reason) {
        return say(language, &format!("result.{reason}"), &[]);
    }
    let who = match finish.winner {
        Some(Side::First) => say(language, &format!("game.{game}.won.first"), &[]),
        Some(Side::Second) => say(language, &format!("game.{game}.won.second"), &[]),
        None => say(language, "result.draw", &[]),
    };
    let count = finish
        .score
        .map(|score| format!(" {} : {}", score.first, score.second));
    let reason = catalogues::text(language, &format!("reason.{reason}"))
        .or_else(|| catalogues::text(language, "reason.other"));
    format!(
        "{who}{} – {}",
        count.unwrap_or_default(),
        reason.unwrap_or_default()
    )
}

/// Returns the best rating of each of a player's games, the highest first and the provisional ones last. `static/views/player.js` sorts
/// them alike.
pub(crate) fn best_of(ratings: &[RatingRow], now_ms: i64) -> Vec<(GameKind, RatingRef)> {
    let rows = ratings.iter();
    let mut best: Vec<(GameKind, RatingRef)> = rows
        .map(|row| (row.game, rating::shown_now(&row.rating, now_ms)))
        .collect();
    best.sort_by_key(|(_, shown)| (shown.provisional, Reverse(shown.rating)));
    let mut named: Vec<GameKind> = Vec::new();
    best.retain(|(game, _)| {
        let is_new = !named.contains(game);
        named.push(*game);
        is_new
    });
    best
}

fn of_player(player: &Player, ratings: &[RatingRow], route: &Route, language: Language) -> Card {
    let name = &match &player.look.display_name {
        Some(shown) => format!("{shown} (@{})", player.name),
        None => player.name.clone(),
    };
    // The only page about a player that is not the player's own is the form of a report.
    let headline = if route.is_listed {
        name.clone()
    } else {
        say(language, "report.title", &[("name", name)])
    };
    let mut known = best_of(ratings, unix_ms());
    known.retain(|(_, shown)| !shown.provisional);
    let picture = known.first().map_or(TITLE_GAME, |(game, _)| *game);
    let best = known.iter().take(MAX_RATINGS);
    let best: Vec<String> = best
        .map(|(game, shown)| format!("{} {}", game_name(*game, language), shown.rating))
        .collect();
    let about = say(language, "card.player", &[("name", name)]);
    let description = if best.is_empty() {
        about
    } else {
        format!("{} · {about}", best.join(", "))
    };
    Card {
        title: headline.clone(),
        headline,
        is_front: false,
        description,
        picture: picture_of(picture),
        embedded: None,
        game: picture,
        is_listed: route.is_listed && player.kind != PlayerKind::Guest,
    }
}

fn picture_of(game: GameKind) -> String {
    format!("/api/v1/games/{game}/picture.png")
}

pub(crate) fn game_name(game: GameKind, language: Language) -> String {
    say(language, &format!("game.{game}.name"), &[])
}

/// Returns the name of a player as `static/views/texts.js` writes it.
pub(crate) fn name_of(player: &Player, language: Language) -> String {
    let called = player.called();
    match (player.kind, player.level) {
        (PlayerKind::Guest, _) => match player.name.strip_prefix("Guest-") {
            Some(code) => say(language, "player.guest", &[("code", code)]),
            None => player.name.clone(),
        },
        (PlayerKind::Bot, Some(level)) => {
            let name = player.name.strip_prefix(PREFIX).unwrap_or(&player.name);
            let level = level.to_string();
            say(language, "player.bot", &[("name", name), ("n", &level)])
        }
        (PlayerKind::Bot, None) => say(language, "player.program", &[("name", called)]),
        (PlayerKind::Account, _) => called.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages;

    #[test]
    fn names_cannot_become_markup() {
        let name = "\"><script>{about.lead}&amp;'";
        let player = Player {
            id: "AAAAAAAAAAAA".parse().expect("an id"),
            name: name.to_owned(),
            kind: PlayerKind::Account,
            level: None,
            look: mawe_wire::Look::default(),
            created_ms: 1,
        };
        let path = "/player/\"><script>";
        let address = pages::address("/player/x").expect("an address");
        let site = Site {
            name: Some("</title><script>".to_owned()),
            ..Site::default()
        };
        let place = Place {
            site: &site,
            origin: Some("http://a\"><script>"),
            path,
            chosen: None,
            language: Language::En,
        };
        let head = head(place, Some(&(&address, Shown::Player(player, Vec::new()))));
        assert!(
            !head.contains("<script>")
                && head.contains(" · &lt;/title&gt;")
                && !head.contains("\"><"),
            "{head}"
        );
        assert!(head.contains("&quot;&gt;&lt;script&gt;{about.lead}&amp;amp;'"));
    }

    #[test]
    fn every_key_of_a_card_is_in_the_catalogues() {
        let source = include_str!("cards.rs");
        let (source, _) = source.split_once("#[cfg(test)]").expect("tests");
        let pages = include_str!("pages.rs");
        let mut number = 0;
        for part in [source, pages] {
            let keys = part.split(['"', '{']);
            let keys = keys.filter_map(|rest| rest.strip_prefix("card."));
            for key in keys.map(|rest| rest.trim_end_matches('}')) {
                number += 1;
                for language in Language::ALL {
                    let text = catalogues::text(language, &format!("card.{key}"));
                    assert!(text.is_some(), "card.{key}");
                }
            }
        }
        assert!(number >= 7, "{number}");
    }
}
