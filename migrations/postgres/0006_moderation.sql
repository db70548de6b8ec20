-- What an operator and moderators do about accounts, and the log of it. An older server goes on beside this: it leaves the new columns
-- alone, and so lets a disabled account log in; disable accounts once every node is new.

ALTER TABLE players ADD COLUMN grants       text NOT NULL DEFAULT ''; -- what the account may do beyond others: words with a space between
ALTER TABLE players ADD COLUMN disabled_ms  bigint;                   -- since when nobody gets in; null where they do
ALTER TABLE players ADD COLUMN disabled_why text;                     -- why, as its owner is told
ALTER TABLE players ADD COLUMN deleted_ms   bigint;                   -- since when nothing is left of it but its matches; null where it is whole

CREATE TABLE audit (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- the order of the log
    at_ms    bigint NOT NULL, -- when
    actor_id text COLLATE "C" REFERENCES players (id), -- who did it; null for the operator at the console
    action   text NOT NULL, -- what, in a word
    about_id text COLLATE "C" REFERENCES players (id), -- to whom; null where it is to nobody
    match_id text COLLATE "C" REFERENCES matches (id), -- to which match; null where it is to none
    detail   text NOT NULL, -- what exactly: which grant, which name before; may be empty
    why      text NOT NULL -- why, in their words; may be empty
);

-- What was done to one player, newest first.
CREATE INDEX audit_about ON audit (about_id, id) WHERE about_id IS NOT NULL;
