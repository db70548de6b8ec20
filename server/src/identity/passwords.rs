//! Password rules, and password hashes (argon2id in PHC form).
//!
//! A hash takes tens of milliseconds and 19 MiB, on purpose: hashes run on blocking threads, a few at a time. The memory is allocated once
//! for each of these few and reused: memory allocated for each hash would stay with the allocator, which keeps an arena for each thread.

mod common;

use std::sync::Arc;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, TryAcquireError};

use common::is_common;

use crate::meters::Counter;

/// The number of hashes that run at once, each in 19 MiB that are kept: as many as a small machine's cores can spare.
const AT_ONCE: usize = 2;

/// The number of hashes that may wait; further ones are refused as [`Busy`].
const MAY_WAIT: usize = 64;

/// The number of further places for known callers, so that password guesses by strangers do not keep them out.
const KNOWN_MAY_WAIT: usize = 32;

pub(crate) const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 8..=200;

/// Bytes of the salt of a new hash.
const SALT_BYTES: usize = 16;

/// A hash that no password has, with the parameters of all others: checked for an unknown name, so that the answer takes as long.
const NO_PASSWORD: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm8gcGFzc3dvcmQgYXQgYWxs$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and checks passwords, a few at a time.
#[derive(Debug)]
pub struct Passwords {
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    known_queue: Arc<Semaphore>,
    memory: Arc<HashMemory>,
    refused: Counter,
}

/// The present load of password hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordFigures {
    /// Hashes that run.
    pub running: usize,
    /// Hashes that wait for a thread.
    pub waiting: usize,
    /// Hashes refused since the start, because the queue was full.
    pub refused: u64,
}

/// The memory of running hashes, kept for later ones. The semaphore `places` limits the number of buffers.
#[derive(Debug, Default)]
struct HashMemory(Mutex<Vec<Vec<Block>>>);

/// The kind of caller that tries a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A caller who has shown the password before: with a known device or a session.
    Known,
    /// Any other caller.
    Stranger,
}

/// The error for a full queue of password hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many people are logging in just now")]
pub struct Busy;

impl Passwords {
    /// Creates a hasher without allocated memory.
    #[must_use]
    pub fn new() -> Passwords {
        Passwords {
            places: Arc::new(Semaphore::new(AT_ONCE)),
            queue: Arc::new(Semaphore::new(AT_ONCE + MAY_WAIT)),
            known_queue: Arc::new(Semaphore::new(KNOWN_MAY_WAIT)),
            memory: Arc::default(),
            refused: Counter::default(),
        }
    }

    /// Returns the present load.
    #[must_use]
    pub fn figures(&self) -> PasswordFigures {
        let running = AT_ONCE.saturating_sub(self.places.available_permits());
        let strangers = (AT_ONCE + MAY_WAIT).saturating_sub(self.queue.available_permits());
        let known = KNOWN_MAY_WAIT.saturating_sub(self.known_queue.available_permits());
        PasswordFigures {
            running,
            waiting: (strangers + known).saturating_sub(running),
            refused: self.refused.get(),
        }
    }

    /// Returns the hash of a password, to be stored.
    ///
    /// # Errors
    /// [`Busy`] when the queue is full.
    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.run(Caller::Stranger, move |memory| hash(&password, memory))
            .await
    }

    /// Returns whether the password has the hash `stored`; with `None` returns false after the same time.
    ///
    /// # Errors
    /// [`Busy`] when the queue is full.
    pub async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        caller: Caller,
    ) -> Result<bool, Busy> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| NO_PASSWORD.to_owned());
        let matches = self
            .run(caller, move |memory| verify(&password, &stored, memory))
            .await?;
        Ok(matches && known)
    }

    async fn run<T: Send + 'static>(
        &self,
        caller: Caller,
        work: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let queue = match caller {
            Caller::Known => &self.known_queue,
            Caller::Stranger => &self.queue,
        };
        let _waiting = match Arc::clone(queue).try_acquire_owned() {
            Ok(waiting) => waiting,
            Err(TryAcquireError::NoPermits | TryAcquireError::Closed) => {
                self.refused.count();
                return Err(Busy);
            }
        };
        // The permit moves with the work: a cancelled call must not let another one start before the thread is free.
        let place = Arc::clone(&self.places)
            .acquire_owned()
            .await
            .map_err(|_| Busy)?;
        let memory = Arc::clone(&self.memory);
        let task = tokio::task::spawn_blocking(move || {
            let _place = place;
            memory.lend(work)
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

impl HashMemory {
    /// Runs `work` with the memory of an earlier hash, or with new memory if all is in use.
    fn lend<T>(&self, work: impl FnOnce(&mut Vec<Block>) -> T) -> T {
        let kept = || self.0.lock();
        let free = kept().pop();
        let mut memory = free.unwrap_or_default();
        let done = work(&mut memory);
        kept().push(memory);
        done
    }
}

/// Returns the blocks of `memory` that these parameters need, growing it if necessary.
fn blocks<'a>(memory: &'a mut Vec<Block>, params: &Params) -> &'a mut [Block] {
    let wanted = params.block_count();
    if memory.len() < wanted {
        memory.resize(wanted, Block::new());
    }
    &mut memory[..wanted]
}

fn hash(password: &str, memory: &mut Vec<Block>) -> String {
    let mut salt = [0u8; SALT_BYTES];
    getrandom::fill(&mut salt).expect("the operating system gives random bytes");
    let argon2 = argon2id();
    let mut output = [0u8; Params::DEFAULT_OUTPUT_LEN];
    argon2
        .hash_password_into_with_memory(
            password.as_bytes(),
            &salt,
            &mut output,
            blocks(memory, argon2.params()),
        )
        .expect("the default parameters fit any password");
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params()).expect("the parameters are numbers"),
        salt: Some(Salt::new(&salt).expect("16 bytes are a salt")),
        hash: Some(Output::new(&output).expect("32 bytes are a hash")),
    };
    hash.to_string()
}

/// Returns whether `password` has the hash `stored`; false if that is not a hash of argon2.
fn verify(password: &str, stored: &str, memory: &mut Vec<Block>) -> bool {
    // The comparison of an `Output` takes constant time.
    PasswordHash::new(stored).is_ok_and(|stored| {
        stored.hash.is_some() && hash_again(password, &stored, memory) == stored.hash
    })
}

/// Returns the hash of a password with the salt and the parameters of another hash.
fn hash_again(password: &str, other: &PasswordHash, memory: &mut Vec<Block>) -> Option<Output> {
    let algorithm = Algorithm::try_from(other.algorithm.as_str()).ok()?;
    let version = Version::try_from(other.version?).ok()?;
    let params = Params::try_from(other).ok()?;
    let blocks = blocks(memory, &params);
    let mut output = [0u8; Output::MAX_LENGTH];
    let output = output.get_mut(..other.hash.as_ref()?.len())?;
    let salt = other.salt.as_ref()?;
    Argon2::new(algorithm, version, params)
        .hash_password_into_with_memory(password.as_bytes(), salt, output, blocks)
        .ok()?;
    Output::new(output).ok()
}

/// Checks whether a password is strong enough.
///
/// # Errors
/// A message for the user with advice.
pub fn check_password(password: &str, name: &str) -> Result<(), &'static str> {
    let lower = password.to_lowercase();
    if !PASSWORD_CHARS.contains(&password.chars().count()) {
        Err(
            "a password has 8 to 200 characters; four words that you can remember are better than one with signs",
        )
    } else if is_common(password) || is_sequence(password) {
        Err(
            "this password is among the first that anybody tries; take four words that you can remember",
        )
    } else if lower.contains(&name.to_lowercase()) {
        Err("a password must not contain the name")
    } else {
        Ok(())
    }
}

/// Returns whether all characters have the same distance from the one before: `88888888`, `abcdefgh`, `87654321`.
fn is_sequence(password: &str) -> bool {
    let codes = password.chars().map(|c| i64::from(u32::from(c)));
    let steps = codes
        .clone()
        .zip(codes.skip(1))
        .map(|(one, next)| next - one);
    let mut steps = steps.collect::<Vec<_>>();
    steps.dedup();
    matches!(steps[..], [-1..=1])
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
                .verify(
                    "korosho na maembe".into(),
                    Some(stored.clone()),
                    Caller::Stranger
                )
                .await,
            Ok(true)
        );
        assert_eq!(
            passwords
                .verify("korosho na ndizi".into(), Some(stored), Caller::Stranger)
                .await,
            Ok(false)
        );
        assert_eq!(
            passwords
                .verify("nobody has this password".into(), None, Caller::Stranger)
                .await,
            Ok(false)
        );
    }

    #[tokio::test]
    async fn strangers_do_not_take_the_places_of_those_who_are_known() {
        let passwords = Passwords::new();
        let all = u32::try_from(AT_ONCE + MAY_WAIT).expect("few");
        let flood = passwords.queue.try_acquire_many(all);
        let flood = flood.expect("all are free");
        let check = |caller| passwords.verify(String::new(), None, caller);
        assert_eq!(check(Caller::Stranger).await, Err(Busy));
        assert_eq!(check(Caller::Known).await, Ok(false));
        drop(flood);
        assert_eq!(check(Caller::Stranger).await, Ok(false));
    }

    #[test]
    fn a_name_that_nobody_has_takes_as_long_to_check() {
        let nobody = PasswordHash::new(NO_PASSWORD).expect("it is a hash");
        let somebody = HashMemory::default().lend(|memory| hash("korosho na maembe", memory));
        let somebody = PasswordHash::new(&somebody).expect("it is a hash");
        assert_eq!(nobody.algorithm, somebody.algorithm);
        assert_eq!(nobody.version, somebody.version);
        assert_eq!(nobody.params, somebody.params);
        assert_eq!(
            nobody.hash.map(|hash| hash.len()),
            somebody.hash.map(|hash| hash.len())
        );
    }

    #[test]
    fn what_another_hash_has_left_in_the_memory_changes_nothing() {
        let memory = HashMemory::default();
        // Made by the reference implementation (argon2-cffi), with other parameters.
        let foreign = "$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHQxMjM0NTY3OA$cNExb71zDTy43gDy/QSSoZiF7wc30wRHy9e6349liCI";
        for _ in 0..3 {
            let stored = memory.lend(|memory| hash("korosho na maembe", memory));
            for (password, expected) in [("korosho na maembe", true), ("korosho na ndizi", false)] {
                let check = |stored: &str| memory.lend(|memory| verify(password, stored, memory));
                assert_eq!(check(&stored), expected);
                assert_eq!(check(foreign), expected);
            }
        }
        for broken in ["", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv"] {
            assert!(!memory.lend(|memory| verify("", broken, memory)));
        }
        let kept = memory.0.lock();
        assert_eq!(kept.len(), 1, "one after the other needs no more");
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
            "TrustNo1",
            "manchester1",
            "qwertyuiop",
            "88888888",
            "abcdefghij",
            "987654321",
            &"x y".repeat(100),
        ] {
            assert!(check_password(password, "Amina").is_err(), "{password}");
        }
        for password in [
            "korosho na maembe",
            "മലയാളം ഭാഷ",
            "zażółć gęślą",
            "13579bdfhj",
        ] {
            assert_eq!(check_password(password, "Amina"), Ok(()), "{password}");
        }
    }
}
