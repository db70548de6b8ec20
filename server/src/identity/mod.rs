//! Accounts as their owners prove them: names, passwords, sessions, tokens and known devices.

pub mod devices;
pub(crate) mod display_names;
pub(crate) mod drawn_names;
pub mod email_addresses;
pub mod invitations;
pub mod last_used;
pub mod names;
pub(crate) mod oauth;
pub mod passkey_challenges;
pub mod passkeys;
pub mod passwords;
pub mod recovery_codes;
pub mod refused_names;
pub mod sessions;
pub mod shared_key;
pub mod tokens;
pub mod typed_codes;
