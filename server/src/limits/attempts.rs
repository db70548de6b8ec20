//! Rate limits by address, by name and by player on expensive and security-relevant requests.
//!
//! Each node of a cluster sends its spending to the others, so that the limits hold for all nodes together. A lost message counts on one
//! node only, which is acceptable for a limit.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use mawe_store::Player;
use mawe_wire::PlayerKind;
use mawe_wire::ids::PlayerId;
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::limits::TooMany;
use crate::limits::guesses::{Guesser, Guesses, NameKey, NotWrong};
use crate::limits::network::{SWEEP_AT, network};

/// The burst of challenges by one player to named opponents, each of whom is notified.
const CHALLENGES: u32 = 20;

/// The interval at which the burst of [`CHALLENGES`] refills by one.
const CHALLENGE_EVERY: Duration = Duration::from_secs(30);

/// The burst of challenges by one player to one opponent, including withdrawn ones.
const CHALLENGES_TO_ONE: u32 = 3;

/// The interval at which the burst of [`CHALLENGES_TO_ONE`] refills by one.
const CHALLENGE_TO_ONE_EVERY: Duration = Duration::from_secs(5 * 60);

/// The burst of challenges to one player by all accounts together: more than friends send, and no more than a person can read.
const CHALLENGES_BY_ACCOUNTS: u32 = 20;

/// The interval at which the burst of [`CHALLENGES_BY_ACCOUNTS`] refills by one.
const CHALLENGE_BY_ACCOUNT_EVERY: Duration = Duration::from_secs(60);

/// The burst of challenges to one player by all guests together: new guests cost nothing. Accounts have a separate limit, so that guests
/// cannot keep friends away.
const CHALLENGES_BY_GUESTS: u32 = 5;

/// The interval at which the burst of [`CHALLENGES_BY_GUESTS`] refills by one.
const CHALLENGE_BY_GUEST_EVERY: Duration = Duration::from_secs(5 * 60);

/// The burst of seeks from one address: a whole school may share one address.
const SEEKS: u32 = 30;

/// The interval at which the burst of [`SEEKS`] refills by one.
const SEEK_EVERY: Duration = Duration::from_secs(20);

/// The burst of reports by one player: a person reads each of them.
const REPORTS: u32 = 5;

/// The interval at which the burst of [`REPORTS`] refills by one.
const REPORT_EVERY: Duration = Duration::from_secs(600);

/// The burst of changes of conditional moves by one player: in a match by the day nobody makes more.
const CONDITIONAL_MOVES: u32 = 30;

/// The interval at which the burst of [`CONDITIONAL_MOVES`] refills by one.
const CONDITIONAL_MOVES_EVERY: Duration = Duration::from_secs(4);

/// The burst of lines of chat by one account: a quick answer in some parts.
const CHAT_LINES: u32 = 8;

/// The interval at which the burst of [`CHAT_LINES`] refills by one.
const CHAT_LINE_EVERY: Duration = Duration::from_secs(3);

/// The burst of lines of chat from one address: a whole school may share one address.
const CHAT_LINES_FROM_ADDRESS: u32 = 100;

/// The interval at which the burst of [`CHAT_LINES_FROM_ADDRESS`] refills by one.
const CHAT_LINE_FROM_ADDRESS_EVERY: Duration = Duration::from_millis(500);

/// The burst of foundings of clubs by one account: more than it may have, since it may close them again.
const CLUBS: u32 = 10;

/// The interval at which the burst of [`CLUBS`] refills by one.
const CLUB_EVERY: Duration = Duration::from_secs(60 * 60);

/// The burst of changes of clubs by one account: requests, invitations, removals and all others.
const CLUB_CHANGES: u32 = 60;

/// The interval at which the burst of [`CLUB_CHANGES`] refills by one.
const CLUB_CHANGE_EVERY: Duration = Duration::from_secs(5);

/// The burst of proposals of club matches by one account: a club may have as many.
const CLUB_MATCHES: u32 = 10;

/// The interval at which the burst of [`CLUB_MATCHES`] refills by one.
const CLUB_MATCH_EVERY: Duration = Duration::from_secs(10 * 60);

/// The burst of proposals of club matches from one address: a whole school may share one address.
const CLUB_MATCHES_FROM_ADDRESS: u32 = 50;

/// The interval at which the burst of [`CLUB_MATCHES_FROM_ADDRESS`] refills by one.
const CLUB_MATCH_FROM_ADDRESS_EVERY: Duration = Duration::from_secs(2 * 60);

/// The burst of creations of events by one account: as many as may wait for their beginning.
const EVENTS: u32 = 10;

/// The interval at which the burst of [`EVENTS`] refills by one.
const EVENT_EVERY: Duration = Duration::from_secs(60 * 60);

/// The burst of creations of events from one address: a whole school may share one address.
const EVENTS_FROM_ADDRESS: u32 = 50;

/// The interval at which the burst of [`EVENTS_FROM_ADDRESS`] refills by one.
const EVENT_FROM_ADDRESS_EVERY: Duration = Duration::from_secs(10 * 60);

/// The burst of changes of events by one account: joining, pausing and all others.
const EVENT_CHANGES: u32 = 30;

/// The interval at which the burst of [`EVENT_CHANGES`] refills by one.
const EVENT_CHANGE_EVERY: Duration = Duration::from_secs(5);

/// The burst of lists of pupils by one teacher: each may have 500.
const PUPIL_LISTS: u32 = 40;

/// The interval at which the burst of [`PUPIL_LISTS`] refills by one.
const PUPIL_LIST_EVERY: Duration = Duration::from_secs(2 * 60);

/// The burst of changes of the e-mail address by one account.
const EMAIL_CHANGES: u32 = 5;

/// The interval at which the burst of [`EMAIL_CHANGES`] refills by one.
const EMAIL_CHANGE_EVERY: Duration = Duration::from_secs(12 * 60);

/// The burst of mails to one address that wait for its confirmation, by all accounts together: it may be somebody else's.
const CONFIRMATIONS: u32 = 3;

/// The interval at which the burst of [`CONFIRMATIONS`] refills by one.
const CONFIRMATION_EVERY: Duration = Duration::from_secs(20 * 60);

/// The burst of requests for a new password from one address: a whole school may share one address.
const RESET_REQUESTS: u32 = 20;

/// The interval at which the burst of [`RESET_REQUESTS`] refills by one.
const RESET_REQUEST_EVERY: Duration = Duration::from_secs(30);

/// The burst of mails for a new password of one account.
const RESETS: u32 = 3;

/// The interval at which the burst of [`RESETS`] refills by one.
const RESET_EVERY: Duration = Duration::from_secs(20 * 60);

/// The burst of wrong worker keys from one address.
const WORKER_KEYS: u32 = 10;

/// The interval at which the burst of [`WORKER_KEYS`] refills by one.
const WORKER_KEY_EVERY: Duration = Duration::from_secs(6);

/// One use of a limit, with its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "kebab-case")]
pub enum LimitUse {
    /// A new guest or account.
    SignUp {
        /// The client's network.
        from: IpAddr,
    },
    /// A login.
    Login {
        /// The client's network.
        from: IpAddr,
    },
    /// An attempt at a password, counted as wrong until undone.
    Guess {
        /// The guesser.
        by: Guesser,
    },
    /// The attempt was not wrong and no longer counts.
    GuessUndone {
        /// The guesser.
        by: Guesser,
        /// The result of the attempt.
        outcome: NotWrong,
    },
    /// A turn in the queue for a name under attack.
    Turn {
        /// The guesser.
        by: Guesser,
        /// The time until the turn, in milliseconds.
        wait_ms: u64,
    },
    /// A challenge by name.
    Challenge {
        /// The challenger.
        player: PlayerId,
        /// The opponent, if a person; absent in messages of older nodes.
        #[serde(default)]
        to: Option<PlayerId>,
        /// Whether the challenger is a guest.
        #[serde(default)]
        guest: bool,
    },
    /// A seek.
    Seek {
        /// The client's network.
        from: IpAddr,
    },
    /// A report.
    Report {
        /// The reporter.
        player: PlayerId,
    },
    /// A change of conditional moves.
    ConditionalMoves {
        /// Their player.
        player: PlayerId,
    },
    /// A line of chat.
    ChatLine {
        /// The author.
        player: PlayerId,
        /// The client's network.
        from: IpAddr,
    },
    /// The founding of a club.
    Club {
        /// The founder.
        player: PlayerId,
    },
    /// A change of a club.
    ClubChange {
        /// Its author.
        player: PlayerId,
    },
    /// A proposal of a club match.
    ClubMatch {
        /// The officer.
        player: PlayerId,
        /// The client's network.
        from: IpAddr,
    },
    /// The creation of an event.
    Event {
        /// The creator.
        player: PlayerId,
        /// The client's network.
        from: IpAddr,
    },
    /// A change of an event.
    EventChange {
        /// Its author.
        player: PlayerId,
    },
    /// A list of new pupils.
    Pupils {
        /// The teacher.
        player: PlayerId,
    },
    /// A change of an e-mail address.
    EmailChange {
        /// The account.
        player: PlayerId,
    },
    /// A mail to an address that waits for its confirmation.
    Confirmation {
        /// The key of the address.
        to: NameKey,
    },
    /// A request for a new password.
    ResetRequest {
        /// The client's network.
        from: IpAddr,
    },
    /// A mail for a new password.
    Reset {
        /// The account.
        player: PlayerId,
    },
    /// A wrong worker key.
    WorkerKey {
        /// The client's network.
        from: IpAddr,
    },
}

/// The rate limits of a node, which also count the spending of other nodes.
#[derive(Debug)]
pub struct Limits {
    /// The channel to other nodes, in a cluster.
    others: OnceLock<mpsc::Sender<LimitUse>>,
    sign_ups: DefaultKeyedRateLimiter<IpAddr>,
    logins: DefaultKeyedRateLimiter<IpAddr>,
    guesses: Mutex<Guesses>,
    challenges: DefaultKeyedRateLimiter<PlayerId>,
    challenges_to_one: DefaultKeyedRateLimiter<(PlayerId, PlayerId)>,
    challenges_by_accounts: DefaultKeyedRateLimiter<PlayerId>,
    challenges_by_guests: DefaultKeyedRateLimiter<PlayerId>,
    seeks: DefaultKeyedRateLimiter<IpAddr>,
    reports: DefaultKeyedRateLimiter<PlayerId>,
    conditional_moves: DefaultKeyedRateLimiter<PlayerId>,
    chat_lines: DefaultKeyedRateLimiter<PlayerId>,
    chat_lines_from_address: DefaultKeyedRateLimiter<IpAddr>,
    clubs: DefaultKeyedRateLimiter<PlayerId>,
    club_changes: DefaultKeyedRateLimiter<PlayerId>,
    club_matches: DefaultKeyedRateLimiter<PlayerId>,
    club_matches_from_address: DefaultKeyedRateLimiter<IpAddr>,
    events: DefaultKeyedRateLimiter<PlayerId>,
    events_from_address: DefaultKeyedRateLimiter<IpAddr>,
    event_changes: DefaultKeyedRateLimiter<PlayerId>,
    pupil_lists: DefaultKeyedRateLimiter<PlayerId>,
    email_changes: DefaultKeyedRateLimiter<PlayerId>,
    confirmations: DefaultKeyedRateLimiter<NameKey>,
    reset_requests: DefaultKeyedRateLimiter<IpAddr>,
    resets: DefaultKeyedRateLimiter<PlayerId>,
    worker_keys: DefaultKeyedRateLimiter<IpAddr>,
}

/// An attempt at a password. It counts as wrong unless [`Guess::undo`] is called, also when the client disconnects in the meantime.
#[derive(Debug)]
#[must_use = "what turns out right must not count as wrong"]
pub struct Guess<'a> {
    limits: &'a Limits,
    by: Guesser,
}

impl Guess<'_> {
    /// Undoes the attempt: it was not wrong.
    pub fn undo(self, outcome: NotWrong) {
        self.limits
            .guesses()
            .undo(&self.by, outcome, Instant::now());
        let by = self.by;
        self.limits
            .tell_others(LimitUse::GuessUndone { by, outcome });
    }
}

impl Limits {
    /// Creates the limits: `per_minute` sign-ups (guests and accounts) and as many logins from one address, which a whole school may share.
    #[must_use]
    pub fn new(per_minute: NonZeroU32) -> Limits {
        let one = NonZeroU32::MIN;
        let quota = |every: Duration, burst: u32| {
            let quota = Quota::with_period(every).unwrap_or(Quota::per_minute(one));
            quota.allow_burst(NonZeroU32::new(burst).unwrap_or(one))
        };
        let reports = Quota::with_period(REPORT_EVERY).unwrap_or(Quota::per_minute(one));
        let keys = Quota::with_period(WORKER_KEY_EVERY).unwrap_or(Quota::per_minute(one));
        Limits {
            others: OnceLock::new(),
            sign_ups: DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute)),
            logins: DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute)),
            guesses: Mutex::default(),
            challenges: DefaultKeyedRateLimiter::keyed(quota(CHALLENGE_EVERY, CHALLENGES)),
            challenges_to_one: DefaultKeyedRateLimiter::keyed(quota(
                CHALLENGE_TO_ONE_EVERY,
                CHALLENGES_TO_ONE,
            )),
            challenges_by_accounts: DefaultKeyedRateLimiter::keyed(quota(
                CHALLENGE_BY_ACCOUNT_EVERY,
                CHALLENGES_BY_ACCOUNTS,
            )),
            challenges_by_guests: DefaultKeyedRateLimiter::keyed(quota(
                CHALLENGE_BY_GUEST_EVERY,
                CHALLENGES_BY_GUESTS,
            )),
            seeks: DefaultKeyedRateLimiter::keyed(quota(SEEK_EVERY, SEEKS)),
            reports: DefaultKeyedRateLimiter::keyed(
                reports.allow_burst(NonZeroU32::new(REPORTS).unwrap_or(one)),
            ),
            conditional_moves: DefaultKeyedRateLimiter::keyed(quota(
                CONDITIONAL_MOVES_EVERY,
                CONDITIONAL_MOVES,
            )),
            chat_lines: DefaultKeyedRateLimiter::keyed(quota(CHAT_LINE_EVERY, CHAT_LINES)),
            chat_lines_from_address: DefaultKeyedRateLimiter::keyed(quota(
                CHAT_LINE_FROM_ADDRESS_EVERY,
                CHAT_LINES_FROM_ADDRESS,
            )),
            clubs: DefaultKeyedRateLimiter::keyed(quota(CLUB_EVERY, CLUBS)),
            club_changes: DefaultKeyedRateLimiter::keyed(quota(CLUB_CHANGE_EVERY, CLUB_CHANGES)),
            club_matches: DefaultKeyedRateLimiter::keyed(quota(CLUB_MATCH_EVERY, CLUB_MATCHES)),
            club_matches_from_address: DefaultKeyedRateLimiter::keyed(quota(
                CLUB_MATCH_FROM_ADDRESS_EVERY,
                CLUB_MATCHES_FROM_ADDRESS,
            )),
            events: DefaultKeyedRateLimiter::keyed(quota(EVENT_EVERY, EVENTS)),
            events_from_address: DefaultKeyedRateLimiter::keyed(quota(
                EVENT_FROM_ADDRESS_EVERY,
                EVENTS_FROM_ADDRESS,
            )),
            event_changes: DefaultKeyedRateLimiter::keyed(quota(EVENT_CHANGE_EVERY, EVENT_CHANGES)),
            pupil_lists: DefaultKeyedRateLimiter::keyed(quota(PUPIL_LIST_EVERY, PUPIL_LISTS)),
            email_changes: DefaultKeyedRateLimiter::keyed(quota(EMAIL_CHANGE_EVERY, EMAIL_CHANGES)),
            confirmations: DefaultKeyedRateLimiter::keyed(quota(CONFIRMATION_EVERY, CONFIRMATIONS)),
            reset_requests: DefaultKeyedRateLimiter::keyed(quota(
                RESET_REQUEST_EVERY,
                RESET_REQUESTS,
            )),
            resets: DefaultKeyedRateLimiter::keyed(quota(RESET_EVERY, RESETS)),
            worker_keys: DefaultKeyedRateLimiter::keyed(
                keys.allow_burst(NonZeroU32::new(WORKER_KEYS).unwrap_or(one)),
            ),
        }
    }

    /// Sends all spending from now on to other nodes over this channel.
    pub fn join_others(&self, others: mpsc::Sender<LimitUse>) {
        // Startup calls this once.
        let _ = self.others.set(others);
    }

    /// Counts a new guest or account from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn sign_up(&self, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::SignUp {
            from: network(from),
        })
    }

    /// Counts a login from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn login(&self, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::Login {
            from: network(from),
        })
    }

    /// Counts an attempt at a password.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn guess(&self, by: Guesser) -> Result<Guess<'_>, TooMany> {
        let begun = self.guesses().begin(&by, Instant::now());
        match begun {
            Ok(()) => {
                self.tell_others(LimitUse::Guess { by });
                Ok(Guess { limits: self, by })
            }
            Err(wait) => {
                if wait.is_new {
                    let wait_ms = u64::try_from(wait.time.as_millis()).unwrap_or(u64::MAX);
                    self.tell_others(LimitUse::Turn { by, wait_ms });
                }
                Err(TooMany {
                    retry_s: wait.time.as_secs() + 1,
                })
            }
        }
    }

    /// Counts a challenge to a named opponent. A bot as opponent has no limit of its own: nobody is disturbed.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn challenge(&self, by: &Player, to: &Player) -> Result<(), TooMany> {
        self.spend(LimitUse::Challenge {
            player: by.id.clone(),
            to: (to.kind != PlayerKind::Bot).then(|| to.id.clone()),
            guest: by.kind == PlayerKind::Guest,
        })
    }

    /// Counts a seek from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn seek(&self, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::Seek {
            from: network(from),
        })
    }

    /// Counts a report by this player.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn report(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::Report {
            player: player.clone(),
        })
    }

    /// Counts a change of this player's conditional moves.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn conditional_moves(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::ConditionalMoves {
            player: player.clone(),
        })
    }

    /// Counts a line of chat by this account from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn chat_line(&self, player: &PlayerId, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::ChatLine {
            player: player.clone(),
            from: network(from),
        })
    }

    /// Counts the founding of a club by this account.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn club(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::Club {
            player: player.clone(),
        })
    }

    /// Counts a change of a club by this account.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn club_change(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::ClubChange {
            player: player.clone(),
        })
    }

    /// Counts a proposal of a club match by this account from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn club_match(&self, player: &PlayerId, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::ClubMatch {
            player: player.clone(),
            from: network(from),
        })
    }

    /// Counts the creation of an event by this account from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn event(&self, player: &PlayerId, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::Event {
            player: player.clone(),
            from: network(from),
        })
    }

    /// Counts a change of an event by this account.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn event_change(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::EventChange {
            player: player.clone(),
        })
    }

    /// Counts a list of pupils by this teacher.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn pupils(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::Pupils {
            player: player.clone(),
        })
    }

    /// Counts a change of the e-mail address of this account.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn email_change(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::EmailChange {
            player: player.clone(),
        })
    }

    /// Counts a mail to an e-mail address that waits for its confirmation.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn confirmation(&self, to: &str) -> Result<(), TooMany> {
        self.spend(LimitUse::Confirmation {
            to: NameKey::new(to),
        })
    }

    /// Counts a request for a new password from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn reset_request(&self, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::ResetRequest {
            from: network(from),
        })
    }

    /// Counts a mail for a new password of this account.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn reset(&self, player: &PlayerId) -> Result<(), TooMany> {
        self.spend(LimitUse::Reset {
            player: player.clone(),
        })
    }

    /// Counts a wrong worker key from this address.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn worker(&self, from: IpAddr) -> Result<(), TooMany> {
        self.spend(LimitUse::WorkerKey {
            from: network(from),
        })
    }

    /// Counts the spending of another node.
    pub fn note(&self, spent: &LimitUse) {
        // If this is over the limit here, the other node has already allowed it.
        let _ = self.count_use(spent);
    }

    /// Counts a use and sends it to other nodes. A refused use counts for nothing and is not sent.
    fn spend(&self, spent: LimitUse) -> Result<(), TooMany> {
        self.count_use(&spent)?;
        self.tell_others(spent);
        Ok(())
    }

    fn tell_others(&self, spent: LimitUse) {
        if let Some(others) = self.others.get()
            && others.try_send(spent).is_err()
        {
            tracing::warn!("other nodes were not told what was spent: the way is full");
        }
    }

    fn guesses(&self) -> MutexGuard<'_, Guesses> {
        self.guesses.lock()
    }

    fn count_use(&self, spent: &LimitUse) -> Result<(), TooMany> {
        match spent {
            LimitUse::SignUp { from } => check(&self.sign_ups, from),
            LimitUse::Login { from } => check(&self.logins, from),
            LimitUse::Guess { by } => {
                self.guesses().count(by, Instant::now());
                Ok(())
            }
            LimitUse::GuessUndone { by, outcome } => {
                self.guesses().undo(by, *outcome, Instant::now());
                Ok(())
            }
            LimitUse::Turn { by, wait_ms } => {
                let wait = Duration::from_millis(*wait_ms);
                self.guesses().give_turn(by, wait, Instant::now());
                Ok(())
            }
            LimitUse::Challenge { player, to, guest } => {
                // The challenger's own limits come first: a challenger over them must not use up the opponent's limit for others.
                if let Some(to) = to {
                    check(&self.challenges_to_one, &(player.clone(), to.clone()))?;
                }
                check(&self.challenges, player)?;
                if let Some(to) = to {
                    let all = if *guest {
                        &self.challenges_by_guests
                    } else {
                        &self.challenges_by_accounts
                    };
                    check(all, to)?;
                }
                Ok(())
            }
            LimitUse::Seek { from } => check(&self.seeks, from),
            LimitUse::Report { player } => check(&self.reports, player),
            LimitUse::ConditionalMoves { player } => check(&self.conditional_moves, player),
            // An account over its own limit must not use up that of its address.
            LimitUse::ChatLine { player, from } => check(&self.chat_lines, player)
                .and_then(|()| check(&self.chat_lines_from_address, from)),
            LimitUse::Club { player } => check(&self.clubs, player),
            LimitUse::ClubChange { player } => check(&self.club_changes, player),
            LimitUse::ClubMatch { player, from } => check(&self.club_matches, player)
                .and_then(|()| check(&self.club_matches_from_address, from)),
            LimitUse::Event { player, from } => {
                check(&self.events, player).and_then(|()| check(&self.events_from_address, from))
            }
            LimitUse::EventChange { player } => check(&self.event_changes, player),
            LimitUse::Pupils { player } => check(&self.pupil_lists, player),
            LimitUse::EmailChange { player } => check(&self.email_changes, player),
            LimitUse::Confirmation { to } => check(&self.confirmations, to),
            LimitUse::ResetRequest { from } => check(&self.reset_requests, from),
            LimitUse::Reset { player } => check(&self.resets, player),
            LimitUse::WorkerKey { from } => check(&self.worker_keys, from),
        }
    }
}

fn check<K: std::hash::Hash + Eq + Clone>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
) -> Result<(), TooMany> {
    if limiter.len() > SWEEP_AT {
        limiter.retain_recent();
    }
    limiter.check_key(key).map_err(|refused| {
        let wait = refused.wait_time_from(DefaultClock::default().now());
        TooMany {
            retry_s: wait.as_secs() + 1,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stranger(name: &str, host: u8) -> Guesser {
        Guesser::Stranger {
            name: NameKey::new(name),
            from: network(IpAddr::from([10, 0, 0, host])),
        }
    }

    #[test]
    fn what_is_spent_elsewhere_counts_and_is_told_once() {
        let limits = || Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let (here, there) = (limits(), limits());
        let (sender, mut told) = mpsc::channel(1_000);
        here.join_others(sender);
        let mut hear = || {
            let heard = std::iter::from_fn(|| told.try_recv().ok());
            let spent: Vec<LimitUse> = heard.collect();
            for one in &spent {
                let json = serde_json::to_vec(one).expect("it can be said");
                there.note(&serde_json::from_slice(&json).expect("it is understood"));
            }
            spent.len()
        };
        let tries = (0..100).filter(|_| here.guess(stranger("Amina", 1)).is_ok());
        let tries = tries.count();
        assert_eq!(hear(), tries, "what is refused is not told");
        assert!(there.guess(stranger("amina", 1)).is_err());
        assert!(there.guess(stranger("Zofia", 1)).is_ok());
        // A right password ends the waits on the other node too.
        let right = here.guess(stranger("Furaha", 1)).expect("it is the first");
        right.undo(NotWrong::Right);
        assert_eq!(hear(), 2);
        for _ in 0..tries {
            assert!(there.guess(stranger("Furaha", 1)).is_ok());
        }
        // Turns are sent too: the last of these has a long wait on both nodes.
        let attackers = (2..200).filter(|host| here.guess(stranger("Amina", *host)).is_ok());
        assert!(attackers.count() < 50);
        assert_eq!(hear(), 198);
        let wait = there.guess(stranger("Amina", 199));
        assert!(
            matches!(wait, Err(TooMany { retry_s: 20..=61 })),
            "{wait:?}"
        );
    }

    fn player(kind: PlayerKind) -> Player {
        Player {
            id: PlayerId::random(),
            name: "Somebody".into(),
            kind,
            level: None,
            look: mawe_wire::Look::default(),
            created_ms: 0,
        }
    }

    #[test]
    fn nobody_is_challenged_more_often_than_they_read() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let made = |by: &Player, to: &Player| {
            let challenges = (0..100).filter(|_| limits.challenge(by, to).is_ok());
            u32::try_from(challenges.count()).expect("few")
        };
        let (amina, zofia) = (player(PlayerKind::Account), player(PlayerKind::Account));
        assert_eq!(made(&amina, &zofia), CHALLENGES_TO_ONE);
        let guests = (0..8).map(|_| made(&player(PlayerKind::Guest), &zofia));
        assert_eq!(guests.sum::<u32>(), CHALLENGES_BY_GUESTS);
        let accounts = (0..30).map(|_| made(&player(PlayerKind::Account), &zofia));
        assert_eq!(
            accounts.sum::<u32>() + CHALLENGES_TO_ONE,
            CHALLENGES_BY_ACCOUNTS
        );
        // A sender has a limit over all opponents as well; a bot may be challenged up to that limit.
        let sender = player(PlayerKind::Account);
        let asked = (0..30).map(|_| made(&sender, &player(PlayerKind::Account)));
        assert_eq!(asked.sum::<u32>(), CHALLENGES);
        let bot = player(PlayerKind::Bot);
        assert_eq!(made(&player(PlayerKind::Account), &bot), CHALLENGES);
    }

    #[test]
    fn one_address_makes_so_many_seeks() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let from = IpAddr::from([10, 0, 0, 1]);
        let made = (0..100).filter(|_| limits.seek(from).is_ok()).count();
        assert_eq!(made, SEEKS as usize);
        assert!(limits.seek(IpAddr::from([10, 0, 0, 2])).is_ok());
    }

    #[test]
    fn lines_of_chat_are_limited_by_account_and_by_address() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let (here, there) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let lines = |player: &PlayerId, from| {
            let written = (0..50).filter(|_| limits.chat_line(player, from).is_ok());
            u32::try_from(written.count()).expect("few")
        };
        let flooder = PlayerId::random();
        assert_eq!(lines(&flooder, here), CHAT_LINES);
        assert_eq!(lines(&flooder, there), 0, "another address does not help");
        let class = (0..50).map(|_| lines(&PlayerId::random(), here));
        assert_eq!(class.sum::<u32>() + CHAT_LINES, CHAT_LINES_FROM_ADDRESS);
        assert_eq!(lines(&PlayerId::random(), there), CHAT_LINES);
    }

    #[test]
    fn creations_of_events_are_limited_by_account_and_by_address_and_changes_by_account() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let here = IpAddr::from([10, 0, 0, 1]);
        let made = |player: &PlayerId| {
            let made = (0..50).filter(|_| limits.event(player, here).is_ok());
            u32::try_from(made.count()).expect("few")
        };
        let flooder = PlayerId::random();
        assert_eq!(made(&flooder), EVENTS);
        let school = (0..20).map(|_| made(&PlayerId::random()));
        assert_eq!(school.sum::<u32>() + EVENTS, EVENTS_FROM_ADDRESS);
        let changes = (0..100).filter(|_| limits.event_change(&flooder).is_ok());
        assert_eq!(changes.count(), EVENT_CHANGES as usize);
    }

    #[test]
    fn proposals_of_club_matches_are_limited_by_account_and_by_address() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let (here, there) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let made = |player: &PlayerId, from| {
            let made = (0..50).filter(|_| limits.club_match(player, from).is_ok());
            u32::try_from(made.count()).expect("few")
        };
        let flooder = PlayerId::random();
        assert_eq!(made(&flooder, here), CLUB_MATCHES);
        assert_eq!(made(&flooder, there), 0, "another address does not help");
        let school = (0..20).map(|_| made(&PlayerId::random(), here));
        assert_eq!(
            school.sum::<u32>() + CLUB_MATCHES,
            CLUB_MATCHES_FROM_ADDRESS
        );
        assert_eq!(made(&PlayerId::random(), there), CLUB_MATCHES);
    }

    #[test]
    fn an_ipv6_network_is_one_address() {
        let limits = Limits::new(NonZeroU32::new(2).expect("not zero"));
        let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3"];
        let allowed: Vec<bool> = addresses
            .iter()
            .map(|text| limits.sign_up(text.parse().expect("an address")).is_ok())
            .collect();
        assert_eq!(allowed, [true, true, false]);
    }

    #[test]
    fn mails_are_limited_by_account_by_mailbox_and_by_address() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let many = |count: &dyn Fn() -> bool| (0..100).filter(|_| count()).count();
        let (one, other) = (PlayerId::random(), PlayerId::random());
        assert_eq!(many(&|| limits.reset(&one).is_ok()), RESETS as usize);
        assert!(limits.reset(&other).is_ok());
        let changes = many(&|| limits.email_change(&one).is_ok());
        assert_eq!(changes, EMAIL_CHANGES as usize);
        let mails = many(&|| limits.confirmation("a@x.example").is_ok());
        assert_eq!(mails, CONFIRMATIONS as usize);
        assert!(
            limits.confirmation("A@x.example").is_err(),
            "the same mailbox"
        );
        assert!(limits.confirmation("b@x.example").is_ok());
        let from = IpAddr::from([10, 0, 0, 1]);
        let requests = many(&|| limits.reset_request(from).is_ok());
        assert_eq!(requests, RESET_REQUESTS as usize);
    }
}
