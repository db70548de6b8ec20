-- A player's appeal against the resolution of a report. An older server goes on beside this: it leaves the new columns alone, takes no appeal
-- and shows none, and its list of notices fails for a player who has one of the new kinds.
ALTER TABLE reports ADD COLUMN until_ms        INTEGER; -- the end of the measure; null for good, where it has none, and for resolutions before this column
ALTER TABLE reports ADD COLUMN appeal          TEXT;    -- the player's objection, in their words
ALTER TABLE reports ADD COLUMN appeal_ms       INTEGER; -- the time of the appeal, the order of the queue; null while there is none
ALTER TABLE reports ADD COLUMN appeal_by       TEXT REFERENCES players (id); -- the moderator who decided about it; null while it is open
ALTER TABLE reports ADD COLUMN appeal_end_ms   INTEGER; -- the time of that
ALTER TABLE reports ADD COLUMN appeal_accepted INTEGER; -- whether the measure was taken back
ALTER TABLE reports ADD COLUMN appeal_note     TEXT;    -- the moderator's answer, in their words

-- The queue of appeals, and the decided ones.
CREATE INDEX reports_appeals ON reports (appeal_ms, id) WHERE appeal_ms IS NOT NULL AND appeal_end_ms IS NULL;
CREATE INDEX reports_appeals_decided ON reports (appeal_end_ms DESC, id DESC) WHERE appeal_end_ms IS NOT NULL;
