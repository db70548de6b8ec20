//! `mawe admin invite`: invitations to register.

use clap::Subcommand;

use crate::admin::api::{Ask, InvitationList, InvitationView, Invite, MadeInvitation};
use crate::cli::desk::{DeskOptions, Why};
use crate::cli::output::Failure;
use crate::page::site::Registration;

#[derive(Debug, Subcommand)]
pub(super) enum InviteCommand {
    /// Make an invitation, and print its code and its link, which are shown once
    Create {
        /// The number of accounts that it makes, 1 to 500 [default: 1]
        #[arg(long, value_name = "N")]
        uses: Option<u32>,
        /// The number of days in which it can be used, 1 to 365 [default: 14]
        #[arg(long, value_name = "N")]
        days: Option<u32>,
        /// A note on its purpose, for the list: at most 80 characters
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
        #[command(flatten)]
        why: Why,
    },
    /// List the invitations, the latest first; they stay for 30 days after their expiry
    List {
        /// Only invitations made before the one with this id
        #[arg(long, value_name = "ID")]
        before: Option<String>,
        /// The greatest number of invitations, up to 1000
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
    },
    /// Revoke an invitation: it makes no further account; those that it has made stay
    Revoke {
        /// Its id
        id: String,
        #[command(flatten)]
        why: Why,
    },
}

pub(super) fn run(desk: &DeskOptions, command: InviteCommand) -> Result<(), Failure> {
    match command {
        InviteCommand::Create {
            uses,
            days,
            note,
            why: Why { why },
        } => {
            let invite = Invite {
                uses,
                days,
                note,
                why,
            };
            let made: MadeInvitation = desk.ask(&Ask::Invite(invite))?;
            desk.tell(&[made], made_text)
        }
        InviteCommand::List { before, limit } => {
            let list = InvitationList { before, limit };
            let invitations: Vec<InvitationView> = desk.ask(&Ask::Invitations(list))?;
            desk.tell(&invitations, line)
        }
        InviteCommand::Revoke { id, why } => {
            let why = why.why;
            let revoked: InvitationView = desk.ask(&Ask::RevokeInvitation { id, why })?;
            desk.tell(&[revoked], line)
        }
    }
}

fn made_text(made: &MadeInvitation) -> String {
    let mut lines = vec![
        format!("id        {}", made.id),
        format!("code      {}", made.code),
        format!("link      {}", made.link),
        format!("accounts  {}", made.uses),
        format!("until     {}", made.expires_at),
    ];
    if made.registration != Registration::Invite {
        lines.push(
            "note      it is asked for only by a server with --registration invite".to_owned(),
        );
    }
    lines.join("\n")
}

fn line(invitation: &InvitationView) -> String {
    let InvitationView {
        id,
        note,
        uses,
        used,
        open,
        created_by,
        created_at,
        expires_at,
        revoked_at,
    } = invitation;
    let by = created_by.as_deref().unwrap_or("operator");
    let state = match revoked_at {
        Some(at) => format!("revoked {at}"),
        None if *open => format!("until {expires_at}"),
        None if used >= uses => "used up".to_owned(),
        None => format!("expired {expires_at}"),
    };
    let note = if note.is_empty() {
        String::new()
    } else {
        format!("  {note}")
    };
    format!("{id}  {used} of {uses}  {state}  by {by}, {created_at}{note}")
}
