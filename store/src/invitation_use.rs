//! The use of an invitation.

use mawe_wire::ids::TokenHash;

/// The use of an invitation by a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationUse {
    /// The SHA-256 of the code.
    pub code: TokenHash,
    /// The time.
    pub at_ms: i64,
}
