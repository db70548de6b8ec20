//! Names and passwords: which are allowed, and how passwords are kept (argon2id in PHC form).
//!
//! Hashing takes tens of milliseconds and 19 MiB, on purpose: it runs on blocking threads, a few at a time.

use std::sync::Arc;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::{Semaphore, TryAcquireError};

/// How many hashes run at once: what the cores of a small machine can spare.
const AT_ONCE: usize = 2;

/// How many may wait for their turn; more are asked to come back.
const MAY_WAIT: usize = 64;

const NAME_CHARS: std::ops::RangeInclusive<usize> = 2..=20;
const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 8..=200;

/// What many people try first.
const COMMON: [&str; 24] = [
    "password",
    "password1",
    "passw0rd",
    "12345678",
    "123456789",
    "1234567890",
    "qwertyuiop",
    "qwerty123",
    "qwertyui",
    "11111111",
    "00000000",
    "88888888",
    "87654321",
    "abcdefgh",
    "abcd1234",
    "iloveyou",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "trustno1",
    "letmein1",
    "welcome1",
    "asdfghjkl",
];

/// Names that would mislead.
const RESERVED: [&str; 12] = [
    "admin",
    "administrator",
    "anonymous",
    "api",
    "bot",
    "mawe",
    "me",
    "moderator",
    "operator",
    "root",
    "server",
    "system",
];

/// Hashes and checks passwords, a few at a time.
#[derive(Debug)]
pub struct Passwords {
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Checked when there is no such name, so that the answer takes as long.
    nobody: String,
}

/// Why a password could not be hashed or checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many people are logging in just now")]
pub struct Busy;

impl Passwords {
    /// Ready to hash.
    #[must_use]
    pub fn new() -> Passwords {
        Passwords {
            places: Arc::new(Semaphore::new(AT_ONCE)),
            queue: Arc::new(Semaphore::new(AT_ONCE + MAY_WAIT)),
            nobody: hash("nobody has this password"),
        }
    }

    /// The hash of a password, to be stored.
    ///
    /// # Errors
    /// [`Busy`] when too many wait already.
    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.run(move || hash(&password)).await
    }

    /// Whether the password is the one that was hashed; with `None` it is not, but takes as long.
    ///
    /// # Errors
    /// [`Busy`] when too many wait already.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, Busy> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.nobody.clone());
        let matches = self.run(move || verify(&password, &stored)).await?;
        Ok(matches && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let _waiting = match Arc::clone(&self.queue).try_acquire_owned() {
            Ok(waiting) => waiting,
            Err(TryAcquireError::NoPermits | TryAcquireError::Closed) => return Err(Busy),
        };
        // The place goes with the work: a caller who gives up does not let another in before the thread is free.
        let place = Arc::clone(&self.places)
            .acquire_owned()
            .await
            .map_err(|_| Busy)?;
        let task = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        task.await.map_err(|_| Busy)
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

fn argon2id() -> Argon2<'static> {
    // 19 MiB, two passes, one lane: the OWASP recommendation for argon2id.
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

fn hash(password: &str) -> String {
    argon2id()
        .hash_password(password.as_bytes())
        .expect("the default parameters fit any password")
        .to_string()
}

fn verify(password: &str, stored: &str) -> bool {
    PasswordHash::new(stored).is_ok_and(|stored| {
        argon2id()
            .verify_password(password.as_bytes(), &stored)
            .is_ok()
    })
}

/// Whether somebody may be called this.
///
/// # Errors
/// What is wrong with the name, for the one who wants it.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    let lower = name.to_ascii_lowercase();
    if !NAME_CHARS.contains(&name.len()) {
        Err("a name has 2 to 20 characters")
    } else if !name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    {
        Err("a name is made of the letters a to z, digits, - and _")
    } else if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Err("a name begins with a letter")
    } else if RESERVED.contains(&lower.as_str())
        || lower.starts_with("guest-")
        || lower.starts_with("mawe-")
        || lower.starts_with("deleted-")
    {
        Err("this name is reserved")
    } else {
        Ok(())
    }
}

/// Whether a password is good enough.
///
/// # Errors
/// Advice for the one who chose it.
pub fn check_password(password: &str, name: &str) -> Result<(), &'static str> {
    let lower = password.to_lowercase();
    let mut chars = password.chars();
    let first = chars.next();
    if !PASSWORD_CHARS.contains(&password.chars().count()) {
        Err(
            "a password has 8 to 200 characters; four words that you can remember are better than one with signs",
        )
    } else if COMMON.contains(&lower.as_str()) || chars.all(|next| Some(next) == first) {
        Err(
            "this password is among the first that anybody tries; take four words that you can remember",
        )
    } else if lower.contains(&name.to_lowercase()) {
        Err("a password must not contain the name")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_is_argon2id_and_knows_its_password() {
        let passwords = Passwords::new();
        let stored = passwords
            .hash("korosho na maembe".into())
            .await
            .expect("there is room");
        assert!(
            stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{stored}"
        );
        assert_eq!(
            passwords
                .verify("korosho na maembe".into(), Some(stored.clone()))
                .await,
            Ok(true)
        );
        assert_eq!(
            passwords
                .verify("korosho na ndizi".into(), Some(stored))
                .await,
            Ok(false)
        );
        assert_eq!(
            passwords
                .verify("nobody has this password".into(), None)
                .await,
            Ok(false)
        );
    }

    #[test]
    fn names_are_plain() {
        for name in ["Amina", "j_k-3", "Zofia-1999"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "a",
            "-a",
            "1abc",
            "żółw",
            "a b",
            "Guest-x1",
            "deleted-x1",
            "ADMIN",
            "a'; drop",
            "abcdefghijklmnopqrstu",
        ] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn weak_passwords_get_advice() {
        for password in [
            "",
            "short",
            "PASSWORD",
            "ßßßßßßßßß",
            "xxxxxxxxxx",
            "amina-amina",
            &"x y".repeat(100),
        ] {
            assert!(check_password(password, "Amina").is_err(), "{password}");
        }
        for password in ["korosho na maembe", "മലയാളം ഭാഷ", "zażółć gęślą"]
        {
            assert_eq!(check_password(password, "Amina"), Ok(()), "{password}");
        }
    }
}
