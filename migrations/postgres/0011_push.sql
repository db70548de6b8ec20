-- Push messages: what calls a player to a match by the day whose page is closed. An older server goes on beside this: it leaves the new
-- tables alone, and a session that it ends takes its subscription along.

-- By what push services know this server: one key, made at the first start, the same on all nodes. A browser takes messages by the key
-- that it subscribed with and by no other, so it is never drawn anew.
CREATE TABLE push_key (
    one    bigint NOT NULL PRIMARY KEY CHECK (one = 1), -- there is one
    secret bytea  NOT NULL CHECK (length(secret) = 32)  -- the private key: a number of the curve P-256
);

-- Browsers that want to be called.
CREATE TABLE push_subscriptions (
    session_hash bytea  NOT NULL PRIMARY KEY REFERENCES sessions (token_hash) ON DELETE CASCADE, -- a session is one browser: with it, this ends
    endpoint     text COLLATE "C" NOT NULL UNIQUE, -- where its messages are sent; who has the address may send there. A browser that changes hands is taken along
    p256dh       bytea  NOT NULL,        -- the browser's public key: only the browser reads a message, not its push service
    auth         bytea  NOT NULL,        -- what the browser shares with this server for the same end
    language     text,                   -- in which the browser says what it is told; null for that of the account
    created_ms   bigint NOT NULL         -- since when: of too many of one player the oldest goes
);
