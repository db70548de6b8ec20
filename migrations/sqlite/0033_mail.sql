-- E-mail addresses of accounts, and links by mail with which their owners set a new password. An older server goes on beside this: it leaves
-- the tables alone, and an account that it deletes is without a password, so that no link sets one.
CREATE TABLE emails (
    player_id    TEXT    NOT NULL PRIMARY KEY REFERENCES players (id), -- the account
    address      TEXT    NOT NULL,                      -- confirmed, as its owner wrote it
    address_key  TEXT    NOT NULL,                      -- the same in lower case: a reset finds the accounts by it
    confirmed_ms INTEGER NOT NULL                       -- shown to the owner
) STRICT, WITHOUT ROWID;

-- The accounts of an address, which may be several.
CREATE INDEX emails_address ON emails (address_key, player_id);

-- Addresses that wait for the link that was sent to them: the newest of each account.
CREATE TABLE email_confirmations (
    player_id  TEXT    NOT NULL PRIMARY KEY REFERENCES players (id), -- the account
    address    TEXT    NOT NULL,                        -- as its owner wrote it
    token_hash BLOB    NOT NULL,                        -- SHA-256 of the token in the link
    created_ms INTEGER NOT NULL,                        -- when
    expires_ms INTEGER NOT NULL                         -- from here on the link is worth nothing, and this row is deleted
) STRICT, WITHOUT ROWID;

-- The link names the token alone.
CREATE UNIQUE INDEX email_confirmations_token ON email_confirmations (token_hash);
CREATE INDEX email_confirmations_by_age ON email_confirmations (expires_ms);

-- Links that set a new password: the newest of each account.
CREATE TABLE password_resets (
    player_id  TEXT    NOT NULL PRIMARY KEY REFERENCES players (id), -- the account
    token_hash BLOB    NOT NULL,                        -- SHA-256 of the token in the link
    created_ms INTEGER NOT NULL,                        -- when
    expires_ms INTEGER NOT NULL                         -- from here on the link is worth nothing, and this row is deleted
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX password_resets_token ON password_resets (token_hash);
CREATE INDEX password_resets_by_age ON password_resets (expires_ms);
