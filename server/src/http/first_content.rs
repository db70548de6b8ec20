//! The first content of the page of one match or one player, written for each response from the data that the head names too: the same
//! readers may see it. `static/views/match-table.js` and `static/views/player.js` put the same words in the same place.

use std::collections::HashMap;
use std::sync::LazyLock;

use mawe_play::rating;
use mawe_rules::{GameKind, Side};
use mawe_store::{MatchRow, Player, RatingRow};
use mawe_wire::{Language, PlayerKind, RatingRef, TimeControl};

use crate::clock::unix_ms;
use crate::http::cards::{self, MAX_RATINGS, Shown};
use crate::http::catalogues::{escaped, say, say_count};
use crate::http::files::text_of;

/// The columns and rows of each game's board, as `css/match.css` has a class for them.
static BOARDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let boards = text_of("first/boards.json").unwrap_or_default();
    serde_json::from_str(&boards).unwrap_or_default()
});

/// The place of a picture that a script draws.
const PICTURE: &str = "<svg class=\"avatar\" viewBox=\"0 0 40 40\" aria-hidden=\"true\"></svg>";

/// Returns the first content of a page that shows an object; empty if the store did not tell it.
pub(crate) fn of(shown: Option<&Shown>, language: Language) -> String {
    match shown {
        Some(Shown::Match(row)) => of_match(row, language),
        Some(Shown::Player(player, ratings)) => of_player(player, ratings, unix_ms(), language),
        Some(Shown::Page | Shown::Unknown) | None => String::new(),
    }
}

/// Returns the seats as a spectator sees them, the place of the board, and the terms of the match or its result. `static/theme.js` requests
/// the files of the game that the place names.
fn of_match(row: &MatchRow, language: Language) -> String {
    let board = BOARDS.get(row.game.id()).map_or("", String::as_str);
    let title = format!(
        "{}: {}",
        cards::game_name(row.game, language),
        cards::names_of(row, language)
    );
    let status = match &row.finish {
        None => terms(row, language),
        Some(finish) => cards::result_of(row.game, finish, language),
    };
    format!(
        "<div class=\"match-page\"><section class=\"match early board-{board}\" data-game=\"{}\">\
<h1 class=\"visually-hidden\" tabindex=\"-1\">{}</h1>{}\
<div class=\"board-host\"><div class=\"board\"></div></div>{}\
<div class=\"side\"><div class=\"now\"><p class=\"status\">{}</p></div></div></section></div>",
        row.game.id(),
        escaped(&title),
        seat(row, Side::Second, "top", language),
        seat(row, Side::First, "bottom", language),
        escaped(&status)
    )
}

const SECOND_MS: u64 = 1_000;

const MINUTE_MS: u64 = 60_000;

/// Returns the game, the speed, the time and whether ratings change: no shorter than the line of the terms on the page, which would be the
/// largest text otherwise.
fn terms(row: &MatchRow, language: Language) -> String {
    let speed = match row.time_control {
        TimeControl::Unlimited => String::new(),
        TimeControl::Realtime { .. } | TimeControl::Correspondence { .. } => {
            say(language, &format!("speed.{}", row.speed), &[])
        }
    };
    let rated = if row.rated {
        "match.rated"
    } else {
        "match.casual"
    };
    let parts = [
        cards::game_name(row.game, language),
        speed,
        time(row.time_control, language),
        say(language, rated, &[]),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

/// Returns a time control as `static/views/texts.js` writes it; empty for a part of a minute or second, which languages write differently.
fn time(control: TimeControl, language: Language) -> String {
    match control {
        TimeControl::Unlimited => say(language, "time.unlimited", &[]),
        TimeControl::Correspondence { days } => say_count(language, "time.days", days.into()),
        TimeControl::Realtime {
            base_ms,
            increment_ms,
        } if base_ms % MINUTE_MS == 0 && increment_ms % SECOND_MS == 0 => {
            let (minutes, seconds) = (base_ms / MINUTE_MS, increment_ms / SECOND_MS);
            let holes = [
                ("minutes", &*minutes.to_string()),
                ("seconds", &*seconds.to_string()),
            ];
            say(language, "time.control", &holes)
        }
        TimeControl::Realtime { .. } => String::new(),
    }
}

fn seat(row: &MatchRow, side: Side, place: &str, language: Language) -> String {
    let (name, picture) = if cards::is_on_one_device(row) {
        let key = format!("game.{}.side.{side}", row.game);
        (say(language, &key, &[]), "")
    } else {
        (cards::name_of(&row.players[side], language), PICTURE)
    };
    let rating = row.ratings[side].map(|(value, deviation)| rating::shown(value, deviation));
    let clock = match row.time_control {
        TimeControl::Unlimited => "",
        TimeControl::Realtime { .. } | TimeControl::Correspondence { .. } => {
            "<span class=\"clock\">&nbsp;</span>"
        }
    };
    format!(
        "<div class=\"seat {place} {side}\"><span class=\"presence away\"></span>\
<span class=\"who\"><svg class=\"mark\" aria-hidden=\"true\"></svg>{picture}<span class=\"player\">{}</span></span>\
<span class=\"rating\">{}</span><span class=\"tally\">&nbsp;</span>{clock}</div>",
        escaped(&name),
        rating.map(cards::rating_text).unwrap_or_default()
    )
}

/// Returns the name, the kind of the player and the best ratings.
fn of_player(player: &Player, ratings: &[RatingRow], now_ms: i64, language: Language) -> String {
    let best = cards::best_of(ratings, now_ms);
    let best = best.into_iter().take(MAX_RATINGS);
    let mut about: Vec<String> = best
        .map(|(game, shown)| named_rating(game, shown, language))
        .collect();
    if about.is_empty() {
        about.push(say(language, "player.unrated", &[]));
    }
    let kind = match player.kind {
        PlayerKind::Guest => "player.kind.guest",
        PlayerKind::Account => "player.kind.account",
        PlayerKind::Bot => "player.kind.bot",
    };
    about.insert(0, say(language, kind, &[]));
    let handle = match player.look.display_name {
        Some(_) => format!("<p class=\"handle\">@{}</p>", escaped(&player.name)),
        None => String::new(),
    };
    format!(
        "<section class=\"page\"><div class=\"profile early\"><div class=\"profile-head\">{PICTURE}<div>\
<h1 tabindex=\"-1\">{}</h1>{handle}<p class=\"lead\">{}</p><p class=\"quiet\">&nbsp;</p></div></div></div></section>",
        escaped(&cards::name_of(player, language)),
        escaped(&about.join(" · "))
    )
}

fn named_rating(game: GameKind, shown: RatingRef, language: Language) -> String {
    format!(
        "{} {}",
        cards::game_name(game, language),
        cards::rating_text(shown)
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mawe_play::rating::Rating;
    use mawe_play::room::io::Finish;
    use mawe_rules::BySide;
    use mawe_store::Tally;
    use mawe_wire::{Look, MatchOptions, Speed};

    use super::*;

    /// Characters that are special in HTML, a key of a catalogue, and the markers of the document.
    const NAME: &str = "\"><b>{about.lead}&amp;'<!--own--><!--head-->";
    const WRITTEN: &str =
        "&quot;&gt;&lt;b&gt;{about.lead}&amp;amp;'&lt;!--own--&gt;&lt;!--head--&gt;";

    fn player(id: &str, name: &str) -> Player {
        Player {
            id: id.parse().expect("an id"),
            name: name.to_owned(),
            kind: PlayerKind::Account,
            level: None,
            look: Look::default(),
            created_ms: 1,
        }
    }

    fn row(first: Player, second: Player) -> MatchRow {
        MatchRow {
            id: "4fWq8ZtLm1Bs".parse().expect("an id"),
            game: GameKind::Kalah,
            setup: String::new(),
            rated: true,
            time_control: TimeControl::Realtime {
                base_ms: 300_000,
                increment_ms: 0,
            },
            speed: Speed::Blitz,
            extra_ms: BySide::default(),
            options: MatchOptions::usual(true),
            private: false,
            players: BySide::new(first, second),
            ratings: BySide::new(Some((1712.4, 60.0)), Some((1500.0, 350.0))),
            rating_changes: BySide::new(None, None),
            rating_weight: None,
            voided_ms: None,
            created_ms: 1,
            finish: None,
            head: 0,
            epoch: 0,
        }
    }

    fn both() -> MatchRow {
        row(
            player("AAAAAAAAAAAA", "Amina"),
            player("BBBBBBBBBBBB", "Bo"),
        )
    }

    fn rated(game: GameKind, speed: Speed, rating: f64, deviation: f64) -> RatingRow {
        RatingRow {
            game,
            speed,
            rating: Rating {
                rating,
                deviation,
                volatility: 0.06,
                updated_ms: Some(0),
            },
            tally: Tally::default(),
            opponents: 1,
        }
    }

    #[test]
    fn names_cannot_become_markup() {
        let shown = [
            Shown::Match(Box::new(row(
                player("AAAAAAAAAAAA", NAME),
                player("BBBBBBBBBBBB", "Bo"),
            ))),
            Shown::Player(player("AAAAAAAAAAAA", NAME), Vec::new()),
        ];
        // The heading and the seat of a match, the heading of a player.
        for (shown, times) in shown.iter().zip([2, 1]) {
            for language in Language::ALL {
                let content = of(Some(shown), language);
                assert_eq!(content.matches(WRITTEN).count(), times, "{content}");
                assert!(!content.contains("<b>") && !content.contains("<!--"));
            }
        }
    }

    #[test]
    fn a_match_names_its_players_with_their_ratings_its_game_and_its_terms() {
        let content = of_match(&both(), Language::En);
        for part in [
            "match early board-8-3\" data-game=\"kalah\">",
            ">Kalah: Amina – Bo</h1>",
            "<div class=\"seat top second\">",
            "<span class=\"player\">Bo</span></span><span class=\"rating\">1500?</span>",
            "<div class=\"seat bottom first\">",
            "<span class=\"player\">Amina</span></span><span class=\"rating\">1712</span>",
            "<p class=\"status\">Kalah · Blitz · 5 min + 0 s · rated</p>",
        ] {
            assert_eq!(content.matches(part).count(), 1, "{part} in {content}");
        }
        assert_eq!(content.matches("<span class=\"clock\">").count(), 2);
    }

    #[test]
    fn a_match_by_the_day_says_the_days_of_a_turn() {
        let terms_of = |days, language| {
            let row = MatchRow {
                time_control: TimeControl::Correspondence { days },
                speed: Speed::Daily,
                rated: false,
                ..both()
            };
            terms(&row, language)
        };
        assert_eq!(
            terms_of(1, Language::En),
            "Kalah · Daily · 1 day a turn · casual"
        );
        for language in Language::ALL {
            for days in 1..=14 {
                let terms = terms_of(days, language);
                assert!(terms.contains(&days.to_string()), "{terms}");
                assert_eq!(terms.split(" · ").count(), 4, "{terms}");
            }
        }
    }

    #[test]
    fn a_finished_match_has_its_result() {
        let mut row = both();
        row.finish = Some(Finish {
            winner: Some(Side::First),
            reason: "resignation".to_owned(),
            score: Some(BySide::new(24, 12)),
            at_ms: 2,
            plies: 30,
            uncounted: false,
            left_by: None,
        });
        for language in Language::ALL {
            let content = of_match(&row, language);
            let result = cards::result_of(row.game, row.finish.as_ref().expect("it is"), language);
            assert!(result.contains("24 : 12 – "), "{result}");
            let status = format!("<p class=\"status\">{}</p>", escaped(&result));
            assert!(content.contains(&status), "{content}");
        }
    }

    #[test]
    fn on_one_device_the_sides_are_named_and_without_clocks_there_are_none() {
        let mut row = row(
            player("AAAAAAAAAAAA", "Amina"),
            player("AAAAAAAAAAAA", "Amina"),
        );
        (row.time_control, row.rated) = (TimeControl::Unlimited, false);
        let content = of_match(&row, Language::En);
        assert!(
            !content.contains("Amina") && !content.contains("clock"),
            "{content}"
        );
        for side in ["first", "second"] {
            let name = say(Language::En, &format!("game.kalah.side.{side}"), &[]);
            assert!(content.contains(&format!("<span class=\"player\">{name}</span>")));
        }
    }

    #[test]
    fn a_player_s_best_ratings_come_first_and_each_game_once() {
        let ratings = [
            rated(GameKind::Mawe, Speed::Blitz, 1900.0, 300.0),
            rated(GameKind::Kalah, Speed::Blitz, 1600.0, 60.0),
            rated(GameKind::Kalah, Speed::Rapid, 1650.0, 60.0),
            rated(GameKind::Oware, Speed::Rapid, 1700.0, 60.0),
            rated(GameKind::Congkak, Speed::Rapid, 1400.0, 60.0),
        ];
        let amina = player("AAAAAAAAAAAA", "Amina");
        let lead = |ratings: &[RatingRow]| {
            let content = of_player(&amina, ratings, 1, Language::En);
            let (_, rest) = content.split_once("<p class=\"lead\">").expect("a lead");
            rest.split_once("</p>").expect("its end").0.to_owned()
        };
        assert_eq!(
            lead(&ratings),
            "Player · Oware 1700 · Kalah 1650 · Congkak 1400"
        );
        assert_eq!(lead(&ratings[..2]), "Player · Kalah 1600 · Mawe! 1900?");
        assert_eq!(lead(&[]), "Player · No rated match yet.");
    }

    #[test]
    fn every_game_has_a_board_and_every_text_is_there() {
        for game in GameKind::ALL {
            assert!(BOARDS.contains_key(game.id()), "{game}");
        }
        assert_eq!(BOARDS.len(), GameKind::ALL.len());
        for language in Language::ALL {
            let mut leads = BTreeSet::new();
            for kind in [PlayerKind::Guest, PlayerKind::Account, PlayerKind::Bot] {
                let player = Player {
                    kind,
                    ..player("AAAAAAAAAAAA", "Amina")
                };
                let content = of_player(&player, &[], 1, language);
                assert!(!content.contains("> · "), "{content}");
                leads.insert(content);
            }
            assert_eq!(leads.len(), 3);
            for rated in [true, false] {
                for control in [both().time_control, TimeControl::Unlimited] {
                    let row = MatchRow {
                        rated,
                        time_control: control,
                        ..both()
                    };
                    let words = terms(&row, language);
                    assert!(words.split(" · ").all(|word| !word.is_empty()), "{words}");
                }
            }
        }
    }

    #[test]
    fn without_an_answer_of_the_store_there_is_none() {
        assert_eq!(of(Some(&Shown::Unknown), Language::En), "");
        assert_eq!(of(Some(&Shown::Page), Language::En), "");
        assert_eq!(of(None, Language::En), "");
    }
}
