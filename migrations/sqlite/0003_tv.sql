-- What is on: the strongest running match of a game whose clocks run by the second. Those that are played by the day are many, and last.
CREATE INDEX matches_live_game ON matches (game, strength DESC, created_ms DESC, id DESC) WHERE finished_ms IS NULL AND NOT private AND speed <> 'daily';
