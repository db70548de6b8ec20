-- What an operator and moderators do about accounts, and the log of it. An older server goes on beside this: it leaves the new columns
-- alone, and so lets a disabled account log in; disable accounts once every node is new.

ALTER TABLE players ADD COLUMN grants       TEXT NOT NULL DEFAULT ''; -- what the account may do beyond others: words with a space between
ALTER TABLE players ADD COLUMN disabled_ms  INTEGER;                  -- since when nobody gets in; null where they do
ALTER TABLE players ADD COLUMN disabled_why TEXT;                     -- why, as its owner is told
ALTER TABLE players ADD COLUMN deleted_ms   INTEGER;                  -- since when nothing is left of it but its matches; null where it is whole

CREATE TABLE audit (
    id       INTEGER PRIMARY KEY,          -- the order of the log
    at_ms    INTEGER NOT NULL,             -- when
    actor_id TEXT REFERENCES players (id), -- who did it; null for the operator at the console
    action   TEXT    NOT NULL,             -- what, in a word
    about_id TEXT REFERENCES players (id), -- to whom; null where it is to nobody
    match_id TEXT REFERENCES matches (id), -- to which match; null where it is to none
    detail   TEXT    NOT NULL,             -- what exactly: which grant, which name before; may be empty
    why      TEXT    NOT NULL              -- why, in their words; may be empty
) STRICT;

-- What was done to one player, newest first.
CREATE INDEX audit_about ON audit (about_id, id) WHERE about_id IS NOT NULL;
