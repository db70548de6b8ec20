//! `mawe admin`: the operator's work on accounts, matches and ratings, on a running server or directly in the store.

use std::io::{IsTerminal, Write};

use clap::{Args, Subcommand};
use mawe_lab::chart::{self, Bar};
use mawe_rules::{GameKind, Side};
use mawe_wire::Speed;
use mawe_wire::grants::Grant;
use mawe_wire::random;
use serde::Serialize;

use crate::admin::Refused;
use crate::admin::api::{
    AccountView, Ask, AuditPage, AuditView, ClosedView, Create, DistributionView, List, PruneView,
    RecountView, SessionView, Step, Void, VoidedView,
};
use crate::cli::desk::{DeskOptions, Why};
use crate::cli::invite::{self, InviteCommand};
use crate::cli::output::Failure;

/// The length of a drawn password in characters: impossible to guess, short enough to read out over a telephone.
const DRAWN_CHARS: usize = 20;

// The options are permitted after the subcommand as well as before it.
/// `mawe admin`.
#[derive(Debug, Args)]
#[command(mut_args(|option| option.global(true)))]
pub(super) struct AdminOptions {
    #[command(flatten)]
    desk: DeskOptions,
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Create an account; its password is asked for, or is the first line of standard input
    Create {
        /// Its name
        name: String,
        /// Draw a password, and print it
        #[arg(long)]
        generate: bool,
        /// A grant of the account: admin, moderator, bot, premium
        #[arg(long = "grant", value_name = "GRANT")]
        grants: Vec<Grant>,
        #[command(flatten)]
        why: Why,
    },
    /// Show an account
    Show {
        /// Its name
        name: String,
    },
    /// List accounts by name
    List {
        /// Only accounts whose names contain this text
        #[arg(default_value = "")]
        part: String,
        /// Only accounts with this grant
        #[arg(long, value_name = "GRANT")]
        grant: Option<Grant>,
        /// Only disabled accounts
        #[arg(long)]
        disabled: bool,
        /// Include guests
        #[arg(long)]
        guests: bool,
        /// Only accounts after this name
        #[arg(long, value_name = "NAME")]
        after: Option<String>,
        /// The greatest number of accounts, up to 1000
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
    },
    /// Disable an account: nobody can log in to it until it is enabled again; its owner is told the reason
    Disable {
        /// Its name
        name: String,
        /// The reason, which the owner may read
        why: String,
    },
    /// Let the owner of a disabled account log in again
    Enable {
        /// Its name
        name: String,
        #[command(flatten)]
        why: Why,
    },
    /// Rename an account
    Rename {
        /// Its name
        name: String,
        /// The new name
        new: String,
        #[command(flatten)]
        why: Why,
    },
    /// Set a password, and end the account's sessions; it is asked for, or is the first line of standard input
    SetPassword {
        /// The account's name
        name: String,
        /// Draw a password, and print it
        #[arg(long)]
        generate: bool,
        #[command(flatten)]
        why: Why,
    },
    /// Grant an account a right: admin, moderator, bot (before it has played), premium, operator
    Grant {
        /// Its name
        name: String,
        /// The grant
        grant: Grant,
        #[command(flatten)]
        why: Why,
    },
    /// Revoke a grant of an account
    Revoke {
        /// Its name
        name: String,
        /// The grant
        grant: Grant,
        #[command(flatten)]
        why: Why,
    },
    /// List the sessions and tokens of an account, or end one or all
    Sessions {
        /// Its name
        name: String,
        /// End the session or token with this id
        #[arg(long, value_name = "ID")]
        end: Option<String>,
        /// End all sessions and tokens
        #[arg(long, conflicts_with = "end")]
        end_all: bool,
        #[command(flatten)]
        why: Why,
    },
    /// Delete an account permanently: its matches stay under an anonymous name; running ones are resigned or called off
    Delete {
        /// Its name
        name: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        why: Why,
    },
    /// Make, list and revoke invitations to register, for a server with `--registration invite`
    #[command(subcommand)]
    Invite(InviteCommand),
    /// End a match: it is called off, or lost by one side
    CloseMatch {
        /// Its id
        id: String,
        /// The reason
        why: String,
        /// The side that loses: first or second (before the second ply the match is called off in any case)
        #[arg(long, value_name = "SIDE", value_parser = side)]
        loser: Option<Side>,
    },
    /// Void matches, check or rebuild results and ratings from the journals, or show their distribution
    #[command(subcommand)]
    Ratings(RatingsCommand),
    /// Delete rows that are no longer needed, as the server does by itself once a day: guests who never finished a match, after 30 days;
    /// matches called off before a move, after 7; sessions, challenges and seeks that have expired
    Prune {
        /// Only count the rows
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the log of all these actions, newest first
    Audit {
        /// Only actions on this player
        #[arg(long, value_name = "NAME")]
        about: Option<String>,
        /// Only actions of this moderator
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
        /// Only lines before the line with this id
        #[arg(long, value_name = "ID")]
        before: Option<u64>,
        /// The greatest number of lines, up to 1000
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
    },
}

#[derive(Debug, Subcommand)]
enum RatingsCommand {
    /// Void rated matches of a player, and count all others again
    Void {
        /// The name of the player
        name: String,
        /// The reason, for the log
        why: String,
        /// Only matches against this player
        #[arg(long, value_name = "NAME")]
        against: Option<String>,
        /// Only matches that ended at this time or later, as 2026-01-31T12:00:00Z
        #[arg(long, value_name = "TIME")]
        since: Option<jiff::Timestamp>,
        /// Only matches that ended before this time
        #[arg(long, value_name = "TIME")]
        until: Option<jiff::Timestamp>,
    },
    /// Compare ratings and results with the journals; fails if they differ
    Check,
    /// Store the ratings and results computed from the journals
    Rebuild {
        #[command(flatten)]
        why: Why,
    },
    /// Show how the players' ratings are distributed, by game and speed
    Distribution {
        /// Only this game
        #[arg(long, value_name = "GAME")]
        game: Option<GameKind>,
        /// Only this speed
        #[arg(long, value_name = "SPEED")]
        speed: Option<Speed>,
    },
}

fn side(text: &str) -> Result<Side, String> {
    let side = Side::ALL.into_iter().find(|side| side.as_str() == text);
    side.ok_or_else(|| "a side is first or second".to_owned())
}

pub(super) fn run(options: AdminOptions) -> Result<(), Failure> {
    let AdminOptions { desk, command } = options;
    match command {
        AdminCommand::Create {
            name,
            generate,
            grants,
            why: Why { why },
        } => {
            let password = password(generate)?;
            let create = Create {
                name,
                password: password.clone(),
                grants,
                why,
            };
            desk.account(&Ask::Create(create), generate.then_some(&password))
        }
        AdminCommand::Show { name } => desk.account(&Ask::Show { name }, None),
        AdminCommand::List {
            part,
            grant,
            disabled,
            guests,
            after,
            limit,
        } => {
            let list = List {
                part,
                grant,
                disabled,
                guests,
                after,
                limit,
            };
            let accounts: Vec<AccountView> = desk.ask(&Ask::List(list))?;
            desk.tell(&accounts, account_line)
        }
        AdminCommand::Disable { name, why } => desk.change(name, Step::Disable, why),
        AdminCommand::Enable { name, why } => desk.change(name, Step::Enable, why.why),
        AdminCommand::Rename { name, new, why } => desk.change(name, Step::Rename(new), why.why),
        AdminCommand::SetPassword {
            name,
            generate,
            why: Why { why },
        } => {
            let password = password(generate)?;
            let step = Step::SetPassword(password.clone());
            let ask = Ask::Change { name, step, why };
            desk.account(&ask, generate.then_some(&password))
        }
        AdminCommand::Grant { name, grant, why } => desk.change(name, Step::Grant(grant), why.why),
        AdminCommand::Revoke { name, grant, why } => {
            desk.change(name, Step::Revoke(grant), why.why)
        }
        AdminCommand::Sessions {
            name,
            end,
            end_all,
            why: Why { why },
        } => {
            let step = end.map(Step::EndSession);
            match step.or_else(|| end_all.then_some(Step::EndSessions)) {
                Some(step) => desk.change(name, step, why),
                None => {
                    let sessions: Vec<SessionView> = desk.ask(&Ask::Sessions { name })?;
                    desk.tell(&sessions, session_line)
                }
            }
        }
        AdminCommand::Delete {
            name,
            yes,
            why: Why { why },
        } => {
            if !yes {
                confirm(&name)?;
            }
            desk.account(&Ask::Delete { name, why }, None)
        }
        AdminCommand::Invite(command) => invite::run(&desk, command),
        AdminCommand::CloseMatch { id, why, loser } => {
            let closed: ClosedView = desk.ask(&Ask::CloseMatch { id, loser, why })?;
            desk.tell(&[closed], closed_line)
        }
        AdminCommand::Ratings(RatingsCommand::Check) => {
            let found: RecountView = desk.ask(&Ask::CheckRatings)?;
            desk.tell(std::slice::from_ref(&found), recount_lines)?;
            match found.differences.len() as u64 + found.unlisted {
                0 => Ok(()),
                differences => Err(Failure::Failed(format!(
                    "{differences} differences from what the journals say; `mawe admin ratings rebuild` mends them"
                ))),
            }
        }
        AdminCommand::Ratings(RatingsCommand::Void {
            name,
            why,
            against,
            since,
            until,
        }) => {
            let void = Void {
                name,
                against,
                since,
                until,
                why,
            };
            let voided: VoidedView = desk.ask(&Ask::VoidMatches(void))?;
            desk.tell(&[voided], |voided| {
                format!(
                    "{} matches are void; {} others are counted",
                    voided.matches, voided.recounted.matches
                )
            })
        }
        AdminCommand::Ratings(RatingsCommand::Rebuild { why }) => {
            let mended: RecountView = desk.ask(&Ask::RebuildRatings { why: why.why })?;
            desk.tell(&[mended], rebuilt_lines)
        }
        AdminCommand::Ratings(RatingsCommand::Distribution { game, speed }) => {
            let mut views: Vec<DistributionView> = desk.ask(&Ask::Distributions)?;
            views.retain(|view| {
                game.is_none_or(|game| view.game == game)
                    && speed.is_none_or(|speed| view.speed == speed)
            });
            desk.tell(&views, distribution_chart)
        }
        AdminCommand::Prune { dry_run } => {
            let pruned: PruneView = desk.ask(&Ask::Prune { dry_run })?;
            desk.tell(&[pruned], pruned_line)
        }
        AdminCommand::Audit {
            about,
            by,
            before,
            limit,
        } => {
            let page = AuditPage {
                about,
                by,
                before,
                limit,
            };
            let lines: Vec<AuditView> = desk.ask(&Ask::Audit(page))?;
            desk.tell(&lines, audit_line)
        }
    }
}

impl DeskOptions {
    fn change(&self, name: String, step: Step, why: String) -> Result<(), Failure> {
        self.account(&Ask::Change { name, step, why }, None)
    }

    /// Sends a request whose answer is the changed account, and prints it; `drawn` is a password to print with it.
    fn account(&self, ask: &Ask, drawn: Option<&String>) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct WithPassword<'a> {
            #[serde(flatten)]
            account: &'a AccountView,
            #[serde(skip_serializing_if = "Option::is_none")]
            password: Option<&'a String>,
        }
        let account: AccountView = self.ask(ask)?;
        let shown = WithPassword {
            account: &account,
            password: drawn,
        };
        self.tell(&[shown], |shown| {
            let mut text = account_text(shown.account);
            if let Some(password) = shown.password {
                text.push_str(&format!("\npassword  {password}"));
            }
            text
        })
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        match refused {
            Refused::BadInput(line) => Failure::BadInput(line),
            Refused::Failed(line) => Failure::Failed(line),
        }
    }
}

/// Returns a password: drawn, typed twice without echo, or the first line of standard input.
fn password(generate: bool) -> Result<String, Failure> {
    let failed =
        |error: std::io::Error| Failure::Failed(format!("no password can be read: {error}"));
    if generate {
        return Ok(random::text(DRAWN_CHARS));
    }
    if std::io::stdin().is_terminal() {
        let first = rpassword::prompt_password("Password: ").map_err(failed)?;
        let again = rpassword::prompt_password("Again: ").map_err(failed)?;
        if first != again {
            return Err(Failure::BadInput(
                "the two are not the same; nothing was changed".to_owned(),
            ));
        }
        return Ok(first);
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(failed)?;
    let password = line.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        return Err(Failure::BadInput(
            "no password on standard input; give one line, or --generate".to_owned(),
        ));
    }
    Ok(password.to_owned())
}

/// Asks the operator to type the name for confirmation.
fn confirm(name: &str) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::BadInput(
            "this cannot be undone; say --yes".to_owned(),
        ));
    }
    let mut errors = std::io::stderr();
    let _ = write!(
        errors,
        "This cannot be undone. Type the name of the account once more: "
    );
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    if read.is_ok() && line.trim().eq_ignore_ascii_case(name) {
        Ok(())
    } else {
        Err(Failure::BadInput(
            "that is another name; nothing was changed".to_owned(),
        ))
    }
}

fn account_text(account: &AccountView) -> String {
    let grants: Vec<&str> = account.grants.iter().map(|grant| grant.as_str()).collect();
    let mut lines = vec![
        format!("name      {}", account.name),
        format!("id        {}", account.id),
        format!("kind      {}", kind(account)),
        format!("created   {}", account.created_at),
    ];
    if !grants.is_empty() {
        lines.push(format!("grants    {}", grants.join(", ")));
    }
    if let Some(at) = account.deleted_at {
        lines.push(format!("deleted   {at}"));
    } else if let Some(disabled) = &account.disabled {
        lines.push(format!("disabled  {}: {}", disabled.at, disabled.why));
    }
    lines.join("\n")
}

fn account_line(account: &AccountView) -> String {
    let grants = account.grants.iter().map(ToString::to_string);
    let mut words = vec![account.name.clone(), kind(account).to_owned()];
    words.extend(grants.filter(|grant| grant != "bot"));
    if account.deleted_at.is_some() {
        words.push("deleted".to_owned());
    } else if let Some(disabled) = &account.disabled {
        words.push(format!("disabled: {}", disabled.why));
    }
    words.join("  ")
}

fn kind(account: &AccountView) -> &'static str {
    use mawe_wire::PlayerKind;
    match account.kind {
        PlayerKind::Guest => "guest",
        PlayerKind::Account => "account",
        PlayerKind::Bot => "bot",
    }
}

fn session_line(session: &SessionView) -> String {
    let SessionView {
        id,
        kind,
        label,
        scopes,
        created_at,
        last_used_at,
        expires_at,
    } = session;
    let used = last_used_at.map_or("never used".to_owned(), |at| format!("used {at}"));
    let scopes = scopes
        .as_ref()
        .map_or(String::new(), |scopes| format!("  [{scopes}]"));
    format!("{id}  {kind}  {label}{scopes}  since {created_at}, {used}, until {expires_at}")
}

fn audit_line(line: &AuditView) -> String {
    let mut words = vec![
        line.id.to_string(),
        line.at.to_string(),
        line.by.clone().unwrap_or_else(|| "operator".to_owned()),
        line.action.clone(),
    ];
    words.extend(line.about.clone());
    words.extend(line.match_id.as_ref().map(|id| format!("match {id}")));
    words.extend(Some(line.detail.clone()).filter(|detail| !detail.is_empty()));
    words.extend(Some(format!("({})", line.why)).filter(|_| !line.why.is_empty()));
    words.join("  ")
}

/// Returns a line about the players, and a bar for each band.
fn distribution_chart(view: &DistributionView) -> String {
    let bars: Vec<Bar> = view
        .bands
        .iter()
        .map(|band| Bar {
            label: format!("{:>4} to {:>4}", band.from, band.to),
            value: band.players as f64,
            note: band.players.to_string(),
        })
        .collect();
    format!(
        "{}, {}: {} players, {} of them provisional, median {}\n{}",
        view.game,
        view.speed,
        view.players,
        view.provisional,
        view.median,
        chart::bars(&bars)
    )
}

fn pruned_line(pruned: &PruneView) -> String {
    let verb = if pruned.dry_run {
        "would go"
    } else {
        "are gone"
    };
    format!(
        "{} guests, {} matches, {} challenges, {} sessions, {} lines of chat, {} shared devices and {} notices {verb}",
        pruned.guests,
        pruned.matches,
        pruned.challenges,
        pruned.sessions,
        pruned.chat_lines,
        pruned.shared_devices,
        pruned.notices
    )
}

fn closed_line(closed: &ClosedView) -> String {
    let ClosedView { id, winner, reason } = closed;
    match winner {
        Some(winner) => format!("match {id} is won by the {winner} side ({reason})"),
        None => format!("match {id} is called off ({reason})"),
    }
}

fn counted_line(found: &RecountView) -> String {
    let RecountView {
        matches,
        rated,
        uncounted,
        ..
    } = found;
    format!("{matches} matches counted, {rated} of them rated; {uncounted} are yet to be counted")
}

fn recount_lines(found: &RecountView) -> String {
    let mut lines = found.differences.clone();
    lines.push(counted_line(found));
    lines.join("\n")
}

fn rebuilt_lines(mended: &RecountView) -> String {
    let differences = mended.differences.len() as u64 + mended.unlisted;
    format!(
        "{}\n{differences} differences were mended",
        recount_lines(mended)
    )
}
