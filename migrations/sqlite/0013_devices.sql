-- Devices that are known to an account. An older server goes on beside this: it leaves the new table alone.

-- By what the server knows the cookies again that it has given to browsers which logged in: one key, made at the first start, the same on
-- all nodes. Drawn anew, all devices are strangers again, and nothing else is lost.
CREATE TABLE device_key (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), -- there is one
    secret BLOB    NOT NULL CHECK (length(secret) = 32)  -- the key of an HMAC-SHA-256
) STRICT;
