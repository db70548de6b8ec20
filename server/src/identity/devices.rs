//! Known devices: a cookie by which a browser shows that it has been used before to log in to an account.
//!
//! Repeated guesses at a password delay all unknown browsers that try the same account name, its owner's among them. A browser that has
//! logged in before is known and has a limit of its own ([`crate::limits::guesses`]), so that guesses by others do not keep owners out of
//! their accounts (the "device cookies" of OWASP). The cookie alone logs nobody in: the password is required as well.
//!
//! Nothing is stored for a device. A cookie holds at most `MAX_MARKS` marks, one for each account that was logged in to from the browser,
//! and a mark is signed with a key that all nodes share in the store. Account and password hash are signed with it: a mark is not valid for
//! another account, nor after a change of the password, so that an old password gives no known device.
//!
//! A mark holds the id of its account, readable by the server alone. A login that brings the valid mark of another account shows that the
//! two share a device, which is reported to moderators for pairs that play rated matches with each other ([`note_shared_device`](mawe_store::Devices::note_shared_device)).

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use mawe_store::{DeviceKey, StoreError};
use mawe_wire::ids::{ID_CHARS, PlayerId};

/// The name of the cookie; prefixed by [`HOST_PREFIX`] if the page is served over TLS.
const COOKIE: &str = "mawe_device";

/// With this prefix no other host of the same domain can set the cookie.
const HOST_PREFIX: &str = "__Host-";

/// The time for which a device stays known after a login, in days: browsers keep cookies for 400 days at most.
const LIFETIME_DAYS: u32 = 365;

/// The greatest number of accounts to which a browser is known: those of a family. A new one replaces the one whose last login is oldest.
const MAX_MARKS: usize = 4;

/// The greatest number of marks of a request that are checked: another page of the same site may have set cookies of the same name.
const MAX_READ: usize = 2 * MAX_MARKS;

/// The size of a mark in bytes: its number, the day, the hidden id of the account, the signature.
const MARK_BYTES: usize = NUMBER_BYTES + 4 + ID_CHARS + SIGNATURE_BYTES;
const NUMBER_BYTES: usize = 12;

/// Half of an HMAC-SHA-256: 128 bits cannot be found by trying.
const SIGNATURE_BYTES: usize = 16;

/// The prefix of the signed bytes, so that no other signature with the same key is valid as a mark.
const PURPOSE: &[u8] = b"mawe device 1";

/// The prefix of the bytes from which the mask of account ids is derived.
const HIDING: &[u8] = b"mawe device account 1";

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A browser that is known to an account. A browser has a different id for each account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DeviceId([u8; NUMBER_BYTES]);

/// Signs and verifies marks.
pub struct Devices {
    key: DeviceKey,
}

/// The marks that came with a request, not yet verified.
#[derive(Debug, Clone, Default)]
pub struct GivenMarks(Vec<Mark>);

type Mark = [u8; MARK_BYTES];

/// The parts of a mark.
struct Parts<'a> {
    number: &'a [u8; NUMBER_BYTES],
    day: &'a [u8; 4],
    /// The id of the account, hidden.
    account: &'a [u8; ID_CHARS],
    signature: &'a [u8],
}

impl Devices {
    /// Opens the store's key, which is drawn at the first use.
    ///
    /// # Errors
    /// When the store does not answer.
    ///
    /// # Panics
    /// If the operating system has no random source.
    pub async fn open(store: &dyn mawe_store::Devices) -> Result<Devices, StoreError> {
        let mut new = DeviceKey::default();
        getrandom::fill(&mut new).expect("the operating system gives random bytes");
        let key = store.device_key(&new).await?;
        Ok(Devices { key })
    }

    /// Returns the device if one of these marks is valid for an account with this password hash.
    #[must_use]
    pub fn known(
        &self,
        given: &GivenMarks,
        player: &PlayerId,
        password_hash: &str,
        now_ms: i64,
    ) -> Option<DeviceId> {
        let mut marks = given.0.iter();
        marks.find_map(|mark| self.check(mark, player, password_hash, now_ms))
    }

    /// Returns the `Set-Cookie` value that makes the browser known to an account with this password hash, and keeps it known to others. A
    /// known browser keeps its device id. `secure` if the page is served over TLS.
    ///
    /// # Panics
    /// If the operating system has no random source.
    #[must_use]
    pub fn remember(
        &self,
        given: &GivenMarks,
        player: &PlayerId,
        password_hash: &str,
        now_ms: i64,
        secure: bool,
    ) -> String {
        let number = match self.known(given, player, password_hash, now_ms) {
            Some(DeviceId(number)) => number,
            None => {
                let mut number = [0u8; NUMBER_BYTES];
                getrandom::fill(&mut number).expect("the operating system gives random bytes");
                number
            }
        };
        let new = self.sign(&number, today(now_ms), player, password_hash);
        let others = given
            .0
            .iter()
            .filter(|mark| self.account(mark).as_ref() != Some(player));
        let marks: Vec<String> = std::iter::once(&new)
            .chain(others)
            .take(MAX_MARKS)
            .map(|mark| BASE64_URL_SAFE_NO_PAD.encode(mark))
            .collect();
        let (prefix, attribute) = match secure {
            true => (HOST_PREFIX, "; Secure"),
            false => ("", ""),
        };
        // Only this site's own page logs in: requests that other sites cause need not carry the cookie.
        format!(
            "{prefix}{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{attribute}",
            marks.join("."),
            u64::from(LIFETIME_DAYS) * 24 * 60 * 60
        )
    }

    /// Returns the other accounts that these marks name, at most `MAX_READ`. Anybody can forge a mark that names an account: only
    /// [`Devices::known`] with the password hash of the account verifies it.
    #[must_use]
    pub fn others(&self, given: &GivenMarks, player: &PlayerId) -> Vec<PlayerId> {
        let named = given.0.iter().filter_map(|mark| self.account(mark));
        let mut others: Vec<PlayerId> = named.filter(|other| other != player).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// Returns the account that a mark names, verified or not.
    fn account(&self, mark: &Mark) -> Option<PlayerId> {
        let Parts {
            number, account, ..
        } = Parts::parse(mark)?;
        std::str::from_utf8(&self.hide(number, account))
            .ok()?
            .parse()
            .ok()
    }

    /// Hides the id of an account in the mark of this number, or restores it. A number is drawn for one account, so that no two ids are
    /// ever hidden with the same bytes.
    fn hide(&self, number: &[u8; NUMBER_BYTES], id: &[u8; ID_CHARS]) -> [u8; ID_CHARS] {
        let mut hider = self.keyed();
        hider.update(HIDING);
        hider.update(number);
        let mut hidden = *id;
        for (byte, key) in hidden.iter_mut().zip(hider.finalize().into_bytes()) {
            *byte ^= key;
        }
        hidden
    }

    fn check(
        &self,
        mark: &Mark,
        player: &PlayerId,
        password_hash: &str,
        now_ms: i64,
    ) -> Option<DeviceId> {
        let Parts {
            number,
            day,
            signature,
            ..
        } = Parts::parse(mark)?;
        if self.account(mark)? != *player {
            return None;
        }
        let age = today(now_ms).checked_sub(u32::from_be_bytes(*day));
        let signed = self
            .signer(number, day, player, password_hash)
            .verify_truncated_left(signature)
            .is_ok();
        (signed && age.is_some_and(|days| days < LIFETIME_DAYS)).then_some(DeviceId(*number))
    }

    fn sign(
        &self,
        number: &[u8; NUMBER_BYTES],
        day: u32,
        player: &PlayerId,
        password_hash: &str,
    ) -> Mark {
        let day = day.to_be_bytes();
        let signer = self.signer(number, &day, player, password_hash);
        let signature = signer.finalize().into_bytes();
        let id = player
            .as_str()
            .as_bytes()
            .first_chunk()
            .expect("every id is so long");
        let account = self.hide(number, id);
        let parts = number.iter().chain(&day).chain(&account).chain(&signature);
        let mut mark = [0u8; MARK_BYTES];
        for (byte, value) in mark.iter_mut().zip(parts) {
            *byte = *value;
        }
        mark
    }

    fn signer(
        &self,
        number: &[u8; NUMBER_BYTES],
        day: &[u8; 4],
        player: &PlayerId,
        password_hash: &str,
    ) -> Hmac<Sha256> {
        let mut signer = self.keyed();
        // Only the last part has a variable length: no byte can move from one part into the next. No id holds a zero byte.
        for part in [
            PURPOSE,
            number,
            day,
            player.as_str().as_bytes(),
            &[0],
            password_hash.as_bytes(),
        ] {
            signer.update(part);
        }
        signer
    }

    fn keyed(&self) -> Hmac<Sha256> {
        Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length will do")
    }
}

impl Parts<'_> {
    fn parse(mark: &Mark) -> Option<Parts<'_>> {
        let (number, rest) = mark.split_first_chunk()?;
        let (day, rest) = rest.split_first_chunk()?;
        let (account, signature) = rest.split_first_chunk()?;
        Some(Parts {
            number,
            day,
            account,
            signature,
        })
    }
}

// The key must not appear in a log.
impl std::fmt::Debug for Devices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Devices").finish_non_exhaustive()
    }
}

impl GivenMarks {
    /// Reads the marks of a request from every cookie of the right name.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> GivenMarks {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let marks = cookies
            .flat_map(|text| text.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(name, _)| name.strip_prefix(HOST_PREFIX).unwrap_or(name) == COOKIE)
            .flat_map(|(_, value)| value.split('.'))
            .filter_map(|mark| {
                let bytes = BASE64_URL_SAFE_NO_PAD.decode(mark).ok()?;
                Mark::try_from(bytes).ok()
            });
        GivenMarks(marks.take(MAX_READ).collect())
    }

    /// Returns whether there are no marks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn today(now_ms: i64) -> u32 {
    u32::try_from(now_ms / DAY_MS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const NOW: i64 = 20_000 * DAY_MS;

    fn devices() -> Devices {
        Devices { key: [7; 32] }
    }

    /// Returns the marks of a browser with these cookies.
    fn given(cookies: &[&str]) -> GivenMarks {
        let pairs = cookies
            .iter()
            .map(|cookie| cookie.split(';').next().expect("a pair"));
        let text = pairs.collect::<Vec<_>>().join("; ");
        let value = HeaderValue::from_str(&text).expect("cookies are ASCII");
        GivenMarks::from_headers(&HeaderMap::from_iter([(header::COOKIE, value)]))
    }

    #[test]
    fn a_device_is_known_to_the_account_that_it_logged_in_to() {
        let (devices, amina, zofia) = (devices(), PlayerId::random(), PlayerId::random());
        let nothing = GivenMarks::default();
        let cookie = devices.remember(&nothing, &amina, "$hash", NOW, false);
        for attribute in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=31536000"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        let shown = given(&["mawe_session=x", &cookie]);
        let known = |player, hash, at| devices.known(&shown, player, hash, at);
        let device = known(&amina, "$hash", NOW).expect("it is known");
        assert_eq!(known(&zofia, "$hash", NOW), None);
        assert_eq!(known(&amina, "$other", NOW), None);
        let last = NOW + i64::from(LIFETIME_DAYS - 1) * DAY_MS;
        assert_eq!(known(&amina, "$hash", last), Some(device));
        assert_eq!(known(&amina, "$hash", last + DAY_MS), None);
        assert_eq!(
            known(&amina, "$hash", NOW - DAY_MS),
            None,
            "from the future"
        );
        let foreign = Devices { key: [8; 32] };
        assert_eq!(foreign.known(&shown, &amina, "$hash", NOW), None);
        assert!(!cookie.contains(&BASE64_URL_SAFE_NO_PAD.encode(amina.as_str())));
        // The browser stays the same device for another year.
        let again = devices.remember(&shown, &amina, "$hash", last, true);
        assert!(again.starts_with("__Host-mawe_device=") && again.ends_with("; Secure"));
        let later = devices.known(&given(&[&again]), &amina, "$hash", last + 300 * DAY_MS);
        assert_eq!(later, Some(device));
    }

    #[test]
    fn a_mark_with_one_bit_changed_is_none() {
        let (devices, amina) = (devices(), PlayerId::random());
        let mark = devices.sign(&[5; NUMBER_BYTES], today(NOW), &amina, "$hash");
        assert!(devices.check(&mark, &amina, "$hash", NOW).is_some());
        for bit in 0..MARK_BYTES * 8 {
            let mut changed = mark;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(devices.check(&changed, &amina, "$hash", NOW), None, "{bit}");
        }
    }

    #[test]
    fn a_browser_is_known_to_a_family_and_no_more() {
        let devices = devices();
        let family: Vec<PlayerId> = (0..=MAX_MARKS).map(|_| PlayerId::random()).collect();
        let mut shown = GivenMarks::default();
        for member in &family {
            let cookie = devices.remember(&shown, member, "$hash", NOW, false);
            assert!(cookie.len() < 400, "{cookie}");
            shown = given(&[&cookie]);
        }
        let known = family
            .iter()
            .map(|member| devices.known(&shown, member, "$hash", NOW).is_some());
        assert_eq!(known.collect::<Vec<_>>(), [false, true, true, true, true]);
    }

    #[test]
    fn a_browser_names_the_other_accounts_and_no_mark_is_good_for_two() {
        let (devices, amina) = (devices(), PlayerId::random());
        let (zofia, juma) = (PlayerId::random(), PlayerId::random());
        let mut shown = GivenMarks::default();
        assert_eq!(devices.others(&shown, &amina), []);
        // Amina changed her password: one of the marks is hers.
        for (player, hash) in [
            (&amina, "$hash"),
            (&zofia, "$of-zofia"),
            (&amina, "$new"),
            (&juma, "$of-juma"),
        ] {
            let cookie = devices.remember(&shown, player, hash, NOW, false);
            shown = given(&[&cookie]);
        }
        assert_eq!(shown.0.len(), 3);
        let mut others = vec![amina.clone(), zofia.clone()];
        others.sort_unstable();
        assert_eq!(devices.others(&shown, &juma), others);
        let is_good = |player, hash| devices.known(&shown, player, hash, NOW).is_some();
        assert!(is_good(&amina, "$new") && is_good(&zofia, "$of-zofia"));
        assert!(!is_good(&amina, "$hash") && !is_good(&zofia, "$of-juma"));
        // Forged with the id and the password hash, but without the key.
        let foreign = Devices { key: [8; 32] };
        let forged = foreign.remember(&GivenMarks::default(), &zofia, "$of-zofia", NOW, false);
        let forged = given(&[&forged]);
        assert_eq!(devices.known(&forged, &zofia, "$of-zofia", NOW), None);
        // A mark whose hidden id was replaced by another.
        let number = [5; NUMBER_BYTES];
        let mut moved = devices.sign(&number, today(NOW), &zofia, "$of-zofia");
        let id = juma.as_str().as_bytes().first_chunk().expect("12 bytes");
        moved[NUMBER_BYTES + 4..][..ID_CHARS].copy_from_slice(&devices.hide(&number, id));
        let moved = GivenMarks(vec![moved]);
        assert_eq!(devices.others(&moved, &amina), vec![juma.clone()]);
        for (player, hash) in [(&zofia, "$of-zofia"), (&juma, "$of-juma")] {
            assert_eq!(devices.known(&moved, player, hash, NOW), None);
        }
        // Only a limited number of marks is read.
        let many = (0..3 * MAX_READ).map(|n| {
            let number = [u8::try_from(n).expect("few"); NUMBER_BYTES];
            let mark = devices.sign(&number, today(NOW), &PlayerId::random(), "$x");
            BASE64_URL_SAFE_NO_PAD.encode(mark)
        });
        let flood = format!("mawe_device={}", many.collect::<Vec<_>>().join("."));
        assert_eq!(devices.others(&given(&[&flood]), &amina).len(), MAX_READ);
    }

    #[test]
    fn a_bad_cookie_does_not_hide_a_good_one() {
        let (devices, amina) = (devices(), PlayerId::random());
        let good = devices.remember(&GivenMarks::default(), &amina, "$hash", NOW, false);
        let bad = [
            "mawe_device=",
            "mawe_device=x.y.z",
            "mawe_device=AAAA",
            "mawe_device",
        ];
        let shown = given(&[bad[0], bad[1], bad[2], bad[3], &good]);
        assert!(devices.known(&shown, &amina, "$hash", NOW).is_some());
        let flood = format!("mawe_device={}", vec!["A".repeat(59); 1_000].join("."));
        assert_eq!(given(&[&flood]).0.len(), MAX_READ);
    }
}
