-- The latest results of public matches. An older server goes on beside this.
CREATE INDEX matches_results ON matches (finished_ms DESC, id DESC) WHERE finished_ms IS NOT NULL AND NOT private;
