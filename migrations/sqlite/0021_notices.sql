-- Notices of everything that concerns a registered player while they were elsewhere, no longer of moderators alone. An older server goes on
-- beside this: what it writes is complete here, and it cannot show the new kinds (its list of notices fails for a player who has one).

ALTER TABLE notices ADD COLUMN about   TEXT;    -- the match, challenge or report: a later notice about it replaces the row; null for a moderator's
ALTER TABLE notices ADD COLUMN by_id   TEXT;    -- the other player, who may be pruned before; null where there is none
ALTER TABLE notices ADD COLUMN data    TEXT;    -- JSON: what it is about, as the API shows it; null for a moderator's
ALTER TABLE notices ADD COLUMN read_ms INTEGER; -- when its player read it; null while it is unread

-- One notice a player and thing. It also finds the notices about a match, to send them.
CREATE UNIQUE INDEX notices_about ON notices (about, player_id) WHERE about IS NOT NULL;
-- Which are old.
CREATE INDEX notices_created ON notices (created_ms, id);

-- The time up to which challenges that nobody answered have been noticed; those of more than a day ago never are.
INSERT INTO counters (name, value) VALUES ('lapsed', 0);
