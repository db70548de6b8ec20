//! The table of codes, compared with the texts that cannot be generated from it: `docs/protocol.md`, the page's catalogues and the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use mawe_wire::{ClosingReason, Code, NoticeKind};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the rows of the table under the header that begins with `header`, as cells.
fn table(header: &str) -> Vec<Vec<String>> {
    let document = read("docs/protocol.md");
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with(header))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
    let rows: Vec<Vec<String>> = rows.map(cells).collect();
    assert!(!rows.is_empty(), "there is no table {header:?}");
    rows
}

/// Returns the texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The codes that the document lists for HTTP, with the statuses that it names.
fn over_http() -> BTreeSet<(String, u16)> {
    let mut listed = BTreeSet::new();
    for row in table("| status | `code` |") {
        let status = row[1].parse().expect("a status");
        listed.extend(quoted(&row[2]).map(|code| (code.to_owned(), status)));
    }
    for row in table("| route |") {
        // `401 `sign-in-first`; 422 `bad-level`, `bad-setup``; other quotations are no codes.
        for part in row[4].split(';') {
            let status = part.trim().get(..3).and_then(|status| status.parse().ok());
            let codes = quoted(part).filter(|text| text.parse::<Code>().is_ok());
            for code in codes {
                let status = status.unwrap_or_else(|| panic!("{part:?} names no status"));
                listed.insert((code.to_owned(), status));
            }
        }
    }
    listed
}

fn over_the_socket() -> BTreeSet<String> {
    let rows = table("| `code` | meaning");
    rows.iter()
        .flat_map(|row| quoted(&row[1]).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn the_document_lists_every_code_and_no_other() {
    let listed: BTreeSet<String> = over_http()
        .into_iter()
        .map(|(code, _)| code)
        .chain(over_the_socket())
        .collect();
    let codes = Code::ALL.iter().map(Code::to_string).collect();
    assert_eq!(listed, codes);
}

#[test]
fn the_document_and_the_table_name_the_same_statuses() {
    for (code, status) in over_http() {
        let known: Code = code.parse().expect("the other test finds it");
        assert_eq!(known.status(), Some(status), "{code}");
    }
    // Codes without a status are for sockets only.
    let socket = over_the_socket();
    for code in Code::ALL.iter().filter(|code| code.status().is_none()) {
        assert!(socket.contains(code.as_str()), "{code}");
    }
}

#[test]
fn the_document_lists_every_reason_of_closing_and_no_other() {
    let listed: BTreeSet<String> = table("| `reason` | why")
        .iter()
        .flat_map(|row| quoted(&row[1]).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let reasons = ClosingReason::ALL.iter().map(ClosingReason::to_string);
    assert_eq!(listed, reasons.collect());
}

/// Codes of problems that the page does not cause, or which tell its reader nothing: it shows `problem.other`.
const WITHOUT_TEXT_PROBLEMS: &[Code] = &[
    Code::BadExpiry,
    Code::BadField,
    Code::BadLevel,
    Code::BadPushKeys,
    Code::BadRequest,
    Code::BadToken,
    Code::BadWorkerKey,
    Code::BodyTimeout,
    Code::ForeignOrigin,
    Code::HasPlayed,
    Code::IllegalMove,
    Code::Internal,
    Code::MethodNotAllowed,
    Code::NotByTheDay,
    Code::NotFound,
    Code::NotJson,
    Code::NotSeated,
    Code::OtherVersion,
    Code::ScopeNeeded,
    Code::TooLarge,
    Code::TooManyConnections,
    Code::TooManyStreams,
    Code::WorkersOff,
];

/// Codes of problems with a text in the catalogue of a part of the page, which is fetched with it: `static/i18n/PART/`.
const TOLD_APART: [(Code, &str); 59] = [
    (Code::BadEmail, "email"),
    (Code::BadInvitation, "site"),
    (Code::BadLines, "turns"),
    (Code::BadPasskey, "passkeys"),
    (Code::BadPasskeyName, "passkeys"),
    (Code::BadPupils, "class"),
    (Code::CannotInvite, "clubs"),
    (Code::CardExpired, "class"),
    (Code::CardReplaced, "class"),
    (Code::CardUsed, "class"),
    (Code::ClassFull, "class"),
    (Code::ClassHasPupils, "class"),
    (Code::ClubFull, "clubs"),
    (Code::ClubInvitationNeeded, "clubs"),
    (Code::ClubMatchClosed, "clubs"),
    (Code::ClubMatchFull, "clubs"),
    (Code::EventClosed, "events"),
    (Code::EventConditions, "events"),
    (Code::EventFull, "events"),
    (Code::EventOver, "events"),
    (Code::EventPassword, "events"),
    (Code::InvitationNeeded, "site"),
    (Code::LastOfficer, "clubs"),
    (Code::LinkExpired, "email"),
    (Code::LogOutFirst, "class"),
    (Code::MailOff, "email"),
    (Code::MatchOver, "turns"),
    (Code::MatchesRunning, "account"),
    (Code::NoJoinRequest, "clubs"),
    (Code::NoVacationLeft, "turns"),
    (Code::NotAMember, "clubs"),
    (Code::NotInEvent, "events"),
    (Code::OfficersOnly, "clubs"),
    (Code::OnVacation, "turns"),
    (Code::OnlyTeacher, "account"),
    (Code::OtherOfficers, "clubs"),
    (Code::PasskeyExpired, "passkeys"),
    (Code::PasskeyTaken, "passkeys"),
    (Code::PasskeysUnavailable, "passkeys"),
    (Code::PupilAccount, "class"),
    (Code::RegistrationClosed, "site"),
    (Code::RenamedLately, "account"),
    (Code::StalePly, "turns"),
    (Code::TeachersOnly, "clubs"),
    (Code::TooManyAnalyses, "study"),
    (Code::TooManyBlocks, "people"),
    (Code::TooManyClubInvitations, "clubs"),
    (Code::TooManyClubMatches, "clubs"),
    (Code::TooManyClubs, "clubs"),
    (Code::TooManyEvents, "events"),
    (Code::TooManyFollows, "people"),
    (Code::TooManyInvitations, "site"),
    (Code::TooManyJoinRequests, "clubs"),
    (Code::TooManyOfficers, "clubs"),
    (Code::TooManyPasskeys, "passkeys"),
    (Code::TooManyTimetables, "events"),
    (Code::UnknownClub, "clubs"),
    (Code::VacationTooSoon, "turns"),
    (Code::YourTurn, "turns"),
];

/// The same for refusals over the WebSocket, with `refused.other`.
const WITHOUT_TEXT_REFUSALS: &[Code] = &[
    Code::BadFrame,
    Code::FrameTooLarge,
    Code::IllegalMove,
    Code::NoBots,
    Code::ScopeNeeded,
];

/// Texts of the page's own among those of codes.
const OWN_TEXTS: [&str; 5] = [
    "problem.offline",
    "problem.other",
    "problem.wait",
    "refused.device-full",
    "refused.other",
];

#[test]
fn every_code_that_the_page_meets_has_its_text_in_every_language() {
    let problems = over_http().into_iter().map(|(code, _)| code);
    let apart = TOLD_APART.map(|(code, _)| code);
    let without_text = [WITHOUT_TEXT_PROBLEMS, &apart].concat();
    let wanted: BTreeSet<String> = keys("problem", problems.collect(), &without_text)
        .chain(keys("refused", over_the_socket(), WITHOUT_TEXT_REFUSALS))
        .chain(OWN_TEXTS.map(str::to_owned))
        .collect();
    for language in ["en", "sw", "pl", "ml"] {
        // The codes of the chat are in the catalogue of that part, which few readers load.
        let told: BTreeSet<String> = ["", "rest/", "chat/"]
            .into_iter()
            .flat_map(|part| catalogue(&format!("static/i18n/{part}{language}.json")).into_keys())
            .filter(|key| key.starts_with("problem.") || key.starts_with("refused."))
            // Plural forms of one text.
            .map(|key| key.split('#').next().unwrap_or(&key).to_owned())
            .collect();
        assert_eq!(told, wanted, "{language}");
        for (code, part) in TOLD_APART {
            let path = format!("static/i18n/{part}/{language}.json");
            let catalogue: BTreeMap<String, serde_json::Value> =
                serde_json::from_str(&read(&path)).expect("JSON");
            let key = format!("problem.{code}");
            assert!(catalogue.contains_key(&key), "{path} has no {key}");
        }
    }
}

#[test]
fn every_kind_of_notice_has_its_text_in_every_language() {
    for language in ["en", "sw", "pl", "ml"] {
        let known: BTreeSet<String> = ["rest", "notices"]
            .into_iter()
            .flat_map(|part| catalogue(&format!("static/i18n/{part}/{language}.json")).into_keys())
            .collect();
        for kind in NoticeKind::ALL {
            let page = if kind.is_of_moderator() {
                "notice"
            } else {
                "notices"
            };
            let key = format!("{page}.{}", kind.as_str());
            let has_text =
                known.contains(&key) || known.iter().any(|one| one.starts_with(&format!("{key}.")));
            assert!(has_text, "{language}: {key}");
        }
    }
}

fn catalogue(path: &str) -> BTreeMap<String, serde_json::Value> {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn keys(
    kind: &str,
    listed: BTreeSet<String>,
    without_text: &[Code],
) -> impl Iterator<Item = String> + use<> {
    let without_text: BTreeSet<String> = without_text.iter().map(Code::to_string).collect();
    let listed_too = without_text.is_subset(&listed);
    assert!(listed_too, "{kind}: {without_text:?} are not all listed");
    let kind = kind.to_owned();
    listed
        .into_iter()
        .filter(move |code| !without_text.contains(code))
        .map(move |code| format!("{kind}.{code}"))
}

/// Files in which a text of the table means something else.
const OTHER_MEANINGS: [(&str, &str); 1] = [
    // The words of a WebSocket close frame.
    ("server/src/ws/session.rs", "restarting"),
];

#[test]
fn no_code_is_written_out_beside_the_table() {
    let texts = Code::ALL.iter().map(Code::as_str);
    let texts: BTreeSet<&str> = texts
        .chain(ClosingReason::ALL.iter().map(ClosingReason::as_str))
        .collect();
    let mut files = Vec::new();
    for folder in ["server/src", "play/src"] {
        list(&root().join(folder), &mut files);
    }
    assert!(files.len() > 100, "{}", files.len());
    let root = root();
    for path in files {
        let name = path.strip_prefix(&root).expect("below").to_string_lossy();
        let source = fs::read_to_string(&path).expect("a source");
        // Tests name the texts of the wire on purpose.
        let source = source.split("#[cfg(test)]\nmod tests {").next();
        for quotation in source.unwrap_or_default().split('"') {
            assert!(
                !texts.contains(quotation) || OTHER_MEANINGS.contains(&(&*name, quotation)),
                "{name} writes {quotation:?}, which is a row of wire/src/code.rs"
            );
        }
    }
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            list(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}
