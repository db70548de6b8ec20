-- The codes with which a program of another page gets a token (OAuth 2). An older server goes on beside this: it leaves the table alone, and
-- has no such page.
CREATE TABLE oauth_codes (
    code_hash    BLOB    NOT NULL PRIMARY KEY,             -- SHA-256 of the code: a reader of this table cannot use it
    player_id    TEXT    NOT NULL REFERENCES players (id), -- the account that has allowed the access
    client_id    TEXT    NOT NULL,                         -- the program, by its own word
    redirect_uri TEXT    NOT NULL,                         -- the address to which the code was sent
    challenge    BLOB    NOT NULL,                         -- SHA-256 of the verifier that only the program knows
    scopes       TEXT    NOT NULL,                         -- the scopes of the token: words with a space between
    created_ms   INTEGER NOT NULL,                         -- its validity counts from here
    used_ms      INTEGER,                                  -- the first use; null before it
    token_id     TEXT                                      -- the token that came of it, which a second use revokes; null if none did
) STRICT, WITHOUT ROWID;

-- The codes of one player, the newest of which are kept.
CREATE INDEX oauth_codes_player ON oauth_codes (player_id, created_ms);
-- Expired codes are deleted by their age.
CREATE INDEX oauth_codes_by_age ON oauth_codes (created_ms);
