-- Passkeys (WebAuthn), with which the owner of an account logs in without a name and a password. An older server goes on beside this: it
-- leaves both tables alone, and an account that it deletes is without a password, so that no passkey of it logs in.
CREATE TABLE passkeys (
    id            TEXT    NOT NULL PRIMARY KEY,             -- names the passkey in lists
    player_id     TEXT    NOT NULL REFERENCES players (id), -- the account
    credential_id BLOB    NOT NULL,                         -- the authenticator's id for it
    name          TEXT    NOT NULL,                         -- the owner's name for it
    public_key    BLOB    NOT NULL,                         -- checks a login; fixed at the registration
    state         BLOB    NOT NULL,                         -- the counter and the state of backup, which a login changes
    transports    INTEGER NOT NULL,                         -- the ways to its authenticator, which the browser is told at the next registration
    created_ms    INTEGER NOT NULL,                         -- shown to the owner
    last_used_ms  INTEGER                                   -- the last login; null before it
) STRICT, WITHOUT ROWID;

-- A login names the credential alone.
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
-- The passkeys of one account.
CREATE INDEX passkeys_player ON passkeys (player_id, created_ms);

-- Challenges that a passkey has answered: none is good a second time.
CREATE TABLE passkey_challenges (
    challenge_hash BLOB    NOT NULL PRIMARY KEY, -- SHA-256 of the challenge with its time
    expires_ms     INTEGER NOT NULL              -- it is refused for its age from here on, and this row is deleted
) STRICT, WITHOUT ROWID;

-- Expired challenges are deleted by their age.
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (expires_ms);
