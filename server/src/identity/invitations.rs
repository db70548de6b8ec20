//! Invitations: the bounds of their values, their codes and their addresses.

use mawe_store::NewInvitation;
use mawe_wire::ids::InvitationId;

use crate::identity::typed_codes;

/// The most accounts that one invitation makes: a small school.
pub const MAX_USES: u32 = 500;

/// The longest time for which an invitation can be used, in days.
pub const MAX_DAYS: u32 = 365;

/// The time for which it can be used where nothing is said, in days.
pub const DEFAULT_DAYS: u32 = 14;

/// The greatest length of a note, in characters.
pub const NOTE_CHARS: usize = 80;

/// The most invitations that have not expired: more than a school has classes.
pub const MAX_INVITATIONS: u32 = 500;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The values of an invitation to make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The number of accounts that it makes; 1 by default.
    pub uses: Option<u32>,
    /// The number of days in which it can be used; [`DEFAULT_DAYS`] by default.
    pub days: Option<u32>,
    /// The words of its author about it.
    pub note: String,
}

/// A value of an invitation that is out of its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WantedError {
    /// The number of accounts.
    #[error("an invitation makes 1 to {MAX_USES} accounts")]
    Uses,
    /// The number of days.
    #[error("an invitation can be used for 1 to {MAX_DAYS} days")]
    Days,
    /// The note.
    #[error("a note is a line of at most {NOTE_CHARS} characters")]
    Note,
}

/// Draws an invitation: returns the code, which its author sees once, and the values for the store.
///
/// # Errors
/// [`WantedError`].
pub fn draw(wanted: Wanted, now_ms: i64) -> Result<(String, NewInvitation), WantedError> {
    let uses = wanted.uses.unwrap_or(1);
    let days = wanted.days.unwrap_or(DEFAULT_DAYS);
    let note = wanted.note.trim();
    if !(1..=MAX_USES).contains(&uses) {
        return Err(WantedError::Uses);
    }
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(WantedError::Days);
    }
    if note.chars().count() > NOTE_CHARS || note.chars().any(char::is_control) {
        return Err(WantedError::Note);
    }
    let code = typed_codes::draw();
    let hash = typed_codes::hash(&code).expect("a drawn code is one");
    let new = NewInvitation {
        id: InvitationId::random(),
        code: hash,
        note: note.to_owned(),
        uses,
        expires_ms: now_ms + i64::from(days) * DAY_MS,
    };
    Ok((code, new))
}

/// Returns the path of the form for a new account with the code filled in.
#[must_use]
pub fn path(code: &str) -> String {
    format!("/register?invite={code}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_has_bounds() {
        let wanted = |uses, days, note: &str| Wanted {
            uses: Some(uses),
            days: Some(days),
            note: note.to_owned(),
        };
        let (code, new) = draw(wanted(500, 365, " class 4b "), 7).expect("it is right");
        assert_eq!(typed_codes::hash(&code), Some(new.code));
        assert_eq!((new.uses, &*new.note), (500, "class 4b"));
        assert_eq!(new.expires_ms, 7 + 365 * DAY_MS);
        let (other, usual) = draw(Wanted::default(), 0).expect("it is right");
        assert_ne!(other, code);
        assert_eq!((usual.uses, usual.expires_ms), (1, 14 * DAY_MS));
        for (wanted, expected) in [
            (wanted(0, 1, ""), WantedError::Uses),
            (wanted(501, 1, ""), WantedError::Uses),
            (wanted(1, 0, ""), WantedError::Days),
            (wanted(1, 366, ""), WantedError::Days),
            (wanted(1, 1, &"x".repeat(81)), WantedError::Note),
            (wanted(1, 1, "a\nb"), WantedError::Note),
            (wanted(1, 1, "a\0b"), WantedError::Note),
        ] {
            assert_eq!(draw(wanted, 0), Err(expected));
        }
        assert_eq!(
            path("0123-4567-89AB-CDEF"),
            "/register?invite=0123-4567-89AB-CDEF"
        );
    }
}
