-- E-mail addresses and resets of passwords by mail. See migrations/sqlite for what each column is for. An older server goes on beside this: it
-- leaves the tables alone, and an account that it deletes is without a password, so that no link sets one.
--
-- Locks: new tables alone.

CREATE TABLE emails (
    player_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES players (id),
    address text COLLATE "C" NOT NULL,
    address_key text COLLATE "C" NOT NULL,
    confirmed_ms bigint NOT NULL
);

CREATE INDEX emails_address ON emails (address_key, player_id);

CREATE TABLE email_confirmations (
    player_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES players (id),
    address text COLLATE "C" NOT NULL,
    token_hash bytea NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint NOT NULL
);

CREATE UNIQUE INDEX email_confirmations_token ON email_confirmations (token_hash);
CREATE INDEX email_confirmations_by_age ON email_confirmations (expires_ms);

CREATE TABLE password_resets (
    player_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES players (id),
    token_hash bytea NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint NOT NULL
);

CREATE UNIQUE INDEX password_resets_token ON password_resets (token_hash);
CREATE INDEX password_resets_by_age ON password_resets (expires_ms);
